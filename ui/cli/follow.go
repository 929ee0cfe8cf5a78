package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"cinch/compactor"
	"cinch/compactor/study"
	"cinch/fixtures"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

// followable says why a file cannot be followed, nil when it can.
func followable(path string) error {
	if path == "" || path == "-" || strings.HasPrefix(path, fixtures.Prefix) {
		return errors.New("--follow needs a session file that an agent is writing: name it")
	}
	return nil
}

// reading says how the file is to be read.
func (k *knobs) reading() transcript.Options {
	return transcript.Options{Format: k.format, Session: k.session, Branch: k.branch, Limits: k.limits()}
}

// follow prints a line whenever the session has changed, until it is interrupted.
func (a *app) follow(ctx context.Context, path string, k *knobs, r *report) error {
	if err := followable(path); err != nil {
		return err
	}
	var last followLine
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := transcript.Follow(ctx, path, k.reading(), func(f *transcript.File, err error) {
		line := followLine{}
		if err == nil {
			line, err = k.followed(ctx, f)
		}
		if err != nil {
			line.Error = err.Error()
		}
		if line == last {
			return
		}
		last = line
		line.Time = time.Now().UTC().Format(time.RFC3339)
		if r.json {
			a.jsonLine(line)
		} else {
			a.say("%s  %s", time.Now().Format("15:04:05"), line.text())
		}
		if err := a.out.Flush(); err != nil { // somebody has seen enough
			cancel(err)
		}
	})
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

// followLine is a session as it stands.
type followLine struct {
	Time       string `json:"time"`
	Messages   int    `json:"messages"`
	Tokens     int64  `json:"tokens"`
	Window     int64  `json:"window"`
	Decision   string `json:"decision"`
	NextTokens int64  `json:"next_tokens"` // until a pass comes, 0 when it is due
	NextTurns  int64  `json:"next_turns"`  // likewise at the present pace, 0 when there is none to tell by
	Error      string `json:"error"`
}

func (k *knobs) followed(ctx context.Context, f *transcript.File) (followLine, error) {
	s, err := k.resolve(f.Selected)
	if err != nil {
		return followLine{}, err
	}
	rec, _, err := s.prepare(ctx, f.Selected)
	if err != nil {
		return followLine{}, err
	}
	v := rec.View()
	p := compactor.MakePlan(v, s.Policy)
	l := followLine{Messages: v.Len(), Tokens: p.Before, Window: s.Policy.Window, Decision: string(p.Decision)}
	if line := study.NextLine(s.Policy); p.Decision == compactor.None && s.Policy.Window > 0 {
		l.NextTokens = max(line-p.Before+1, 0)
		l.NextTurns, _ = study.TurnsLeft(s.Policy, p.Before, study.PaceOf(v, study.PaceTurns))
	}
	return l, nil
}

func (l followLine) text() string {
	if l.Error != "" {
		return "not readable just now: " + oneLine(l.Error)
	}
	next := "a pass is due: " + l.Decision
	switch {
	case l.NextTurns > 0:
		next = fmt.Sprintf("next pass in %s tokens, about %s", about(l.NextTokens), plural(int(l.NextTurns), "turn"))
	case l.NextTokens > 0:
		next = fmt.Sprintf("next pass in %s tokens", about(l.NextTokens))
	}
	return fmt.Sprintf("%s  %s / %s  %s  %s", plural(l.Messages, "message"), about(l.Tokens), draw.Tokens(l.Window), draw.Percent(l.Tokens, l.Window), next)
}
