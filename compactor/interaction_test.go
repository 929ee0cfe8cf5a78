package compactor

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"testing"

	"cinch/compactor/interaction"
	"cinch/model/token"
)

// TestInteractions runs testdata/*.txt. Commands:
//
//	load     a conversation as a shape; starts over
//	set      a knob and its value
//	plan     what one pass would do now, and each message's fate
//	why      why the message has its fate: why N
//	step     the pass's next step, or back for the one before; the last one stays
//	apply    the pass's result becomes the conversation
//	list     the conversation as it stands
//	replay   the whole recording, call by call
func TestInteractions(t *testing.T) {
	interaction.Run(t, "testdata/*.txt", func(t *testing.T) interaction.Talk {
		s := &talk{policy: DefaultPolicy()}
		t.Cleanup(s.abandon)
		return s.do
	})
}

type talk struct {
	policy Policy
	rec    *Recording
	view   *View
	pass   *Pass
	taken  int
	next   func() (Step, bool)
	stop   func()
}

func (s *talk) abandon() {
	if s.stop != nil {
		s.stop()
	}
	s.pass, s.next, s.stop, s.taken = nil, nil, nil, 0
}

func (s *talk) do(command, args, body string) (string, error) {
	if command != "step" {
		s.abandon()
	}
	switch command {
	case "load":
		messages, err := interaction.Shape(args+" "+body, token.Heuristic)
		if err != nil {
			return "", err
		}
		s.rec = Prepare(messages, token.Heuristic, nil)
		s.view = s.rec.View()
		return s.list(), nil
	case "set":
		return "ok", s.set(args)
	case "plan":
		return s.plan(), nil
	case "why":
		i, err := strconv.Atoi(args)
		if err != nil || i < 0 || i >= s.view.Len() {
			return "", fmt.Errorf("no message %q", args)
		}
		p := Truncate(s.view, s.policy)
		return fmt.Sprintf("%s: %s", p.Fate(i), p.Why(i)), nil
	case "step":
		return s.step(args)
	case "apply":
		s.view = Truncate(s.view, s.policy).Result()
		return s.list(), nil
	case "list":
		return s.list(), nil
	case "replay":
		return s.replay(args == "on"), nil
	}
	return "", fmt.Errorf("no command %q", command)
}

func (s *talk) set(args string) error {
	knob, value, _ := strings.Cut(args, " ")
	n, err := strconv.Atoi(value)
	switch knob {
	case "auto":
		s.policy.AutoCompact, err = value == "on", nil
	case "window":
		s.policy.Window = int64(n)
	case "threshold":
		s.policy.Threshold = n
	case "preserve_recent":
		s.policy.PreserveRecent = n
	case "min_messages":
		s.policy.MinMessages = n
	case "reserve":
		s.policy.Reserve = int64(n)
	default:
		return fmt.Errorf("no knob %q", knob)
	}
	return err
}

func (s *talk) list() string {
	var b strings.Builder
	for i := range s.view.Len() {
		fmt.Fprintf(&b, "%d:%s:%d ", s.view.Recorded(i), s.view.RoleAt(i), s.view.TokensOf(i))
	}
	fmt.Fprintf(&b, "= %d", s.view.Tokens())
	return b.String()
}

func (s *talk) plan() string {
	p := MakePlan(s.view, s.policy)
	var b strings.Builder
	fmt.Fprintf(&b, "%s → %s%s, %d → %d tokens", p.Decision, p.Result, reasonSuffix(p.Pass.Reason), p.Before, p.After)
	if p.Pass.Cut >= 0 {
		fmt.Fprintf(&b, ", cut %d → %d", p.Pass.Provisional, p.Pass.Cut)
	}
	b.WriteByte('\n')
	for i := range s.view.Len() {
		fmt.Fprintf(&b, "%d:%s", i, p.Pass.Fate(i))
		if gone := p.Pass.Removed[i]; gone != nil {
			fmt.Fprintf(&b, " less parts %v", gone)
		}
		b.WriteByte(' ')
	}
	return b.String()
}

func reasonSuffix(r Unchanged) string {
	if r == Changed {
		return ""
	}
	return " (" + string(r) + ")"
}

func (s *talk) step(args string) (string, error) {
	to := s.taken + 1
	if args == "back" {
		to = s.taken - 1
		s.abandon()
	}
	if s.pass == nil {
		s.pass = NewPass(s.view, s.policy)
		s.next, s.stop = iter.Pull(s.pass.Steps())
	}
	var step Step
	for s.taken < to {
		var ok bool
		if step, ok = s.next(); !ok {
			return "the pass has ended", nil
		}
		s.taken++
	}
	if to < 1 {
		return "as recorded", nil
	}
	var fates strings.Builder
	for i := range s.view.Len() {
		fmt.Fprintf(&fates, " %s", s.pass.Fate(i))
	}
	return fmt.Sprintf("%d %s: %s\ncut %d:%s", step.N, step.Title(), step.Detail(), step.Cut, fates.String()), nil
}

func (s *talk) replay(on bool) string {
	t := Replay(s.rec, Driving{Policy: s.policy, GoOn: on})
	var b strings.Builder
	k := 0
	passes := func(upTo int) {
		for ; k < len(t.Passes) && t.Passes[k].Call <= upTo; k++ {
			p := t.Passes[k]
			fmt.Fprintf(&b, "#%d compact %s → %s, %d → %d tokens, %d → %d messages\n", p.Message, p.Reason, p.Result, p.Before, p.After, p.MessagesBefore, p.MessagesAfter)
		}
	}
	for i, call := range t.Calls {
		passes(i)
		m := t.At(i)
		fmt.Fprintf(&b, "#%d call %d tokens: %d committed, %d pending\n", call.Message, call.Tokens, m.Pending, m.View.Len()-m.Pending)
	}
	passes(len(t.Calls))
	for i, run := range t.Runs {
		if run.Exceeded != nil {
			fmt.Fprintf(&b, "run %d failed before #%d: %v\n", i, run.Message, run.Exceeded)
		}
	}
	fmt.Fprintf(&b, "%s %s: %d tokens, %d messages", t.End.Outcome, t.End.Cause, t.End.Tokens, t.End.Messages)
	return b.String()
}
