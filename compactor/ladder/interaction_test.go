package ladder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"testing"

	"cinch/compactor/interaction"
)

// TestInteractions runs the files of testdata. Commands:
//
//	load    a conversation as a shape, and start over
//	set     policy fields as JSON, or window N, or summary text|none|error|size N
//	pass    one pass before the next call: pass [turn N] [manual [instructions]]
//	step    the next step of such a pass; starts one when none is under way
//	list    the list as it stands
//	replay  the whole recording: replay [manual N=instructions;…]
func TestInteractions(t *testing.T) {
	interaction.Run(t, "testdata/*.txt", func(t *testing.T) interaction.Talk {
		env := newEnv()
		t.Cleanup(env.abandon)
		return env.run
	})
}

type env struct {
	rec     *Record
	policy  Policy
	window  int64
	summary Summarizer

	state State
	next  func() (Step, bool)
	end   func()
}

func newEnv() *env {
	return &env{window: 1000, summary: answer("SUMMARY"), rec: NewRecord(nil, nil)}
}

// answer is a summariser that always says the same.
type answer string

func (a answer) Summarize(context.Context, Request) (string, error) { return string(a), nil }

// broken is a summariser that always fails.
type broken struct{}

func (broken) Summarize(context.Context, Request) (string, error) {
	return "", errors.New("the model is not there")
}

func (v *env) run(cmd, args, body string) (string, error) {
	if cmd != "step" {
		v.abandon()
	}
	switch cmd {
	case "load":
		return v.load(body)
	case "set":
		return "ok", v.set(args, body)
	case "pass":
		return v.pass(args)
	case "step":
		return v.step(args)
	case "list":
		return show(v.state.View), nil
	case "replay":
		return v.replay(args)
	}
	return "", fmt.Errorf("no command %q", cmd)
}

func (v *env) load(body string) (string, error) {
	messages, err := shape(body)
	if err != nil {
		return "", err
	}
	v.rec, v.state = NewRecord(messages, nil), State{}
	return fmt.Sprintf("%d messages, %d entries, %d turns", len(messages), len(v.rec.Entries), v.rec.Turns()), nil
}

func (v *env) set(args, body string) error {
	word, rest, _ := strings.Cut(args, " ")
	v.state = State{}
	switch word {
	case "window":
		n, err := strconv.ParseInt(rest, 10, 64)
		v.window = n
		return err
	case "summary":
		if n, ok := strings.CutPrefix(rest, "size "); ok {
			size, err := strconv.Atoi(n)
			v.summary = answer(strings.Repeat("s", size))
			return err
		}
		switch rest {
		case "none":
			v.summary = nil
		case "error":
			v.summary = broken{}
		default:
			v.summary = answer(rest)
		}
		return nil
	}
	v.policy = Policy{}
	if err := json.Unmarshal([]byte(body), &v.policy); err != nil {
		return err
	}
	return v.policy.Validate()
}

// start is the pass that args ask for, on the list as it stands.
func (v *env) start(args string) (iter.Seq[Step], error) {
	e, err := New(v.policy, v.window, v.rec)
	if err != nil {
		return nil, err
	}
	turn := v.rec.Turns() + 1
	if rest, ok := strings.CutPrefix(args, "turn "); ok {
		word, more, _ := strings.Cut(rest, " ")
		if turn, err = strconv.Atoi(word); err != nil {
			return nil, err
		}
		args = more
	}
	if v.state.View.engine == nil {
		v.state = e.Start(0)
	}
	v.state = v.state.rebind(e).Grown(v.rec.Before(turn))
	var manual *Call
	if rest, ok := strings.CutPrefix(args, "manual"); ok {
		manual = &Call{Instructions: strings.TrimSpace(rest)}
	}
	return v.state.Pass(context.Background(), turn, manual, v.summary), nil
}

func (v *env) pass(args string) (string, error) {
	seq, err := v.start(args)
	if err != nil {
		return "", err
	}
	out := Run(seq)
	v.state = out.State
	var b strings.Builder
	for _, s := range out.Steps {
		fmt.Fprintf(&b, "%s: %s\n", s.Title(), s.Why())
	}
	for _, ev := range out.Events {
		line, err := json.Marshal(ev)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s\n", line)
	}
	if out.Cache.FirstChanged >= 0 {
		fmt.Fprintf(&b, "cache broken from #%d, %d tokens to read again\n", out.Cache.FirstChanged, out.Cache.Reread)
	}
	return b.String() + show(v.state.View), nil
}

func (v *env) step(args string) (string, error) {
	if v.next == nil {
		seq, err := v.start(args)
		if err != nil {
			return "", err
		}
		v.next, v.end = iter.Pull(seq)
	}
	s, ok := v.next()
	if !ok {
		v.abandon()
		return "the pass has ended", nil
	}
	v.state = s.State
	line := fmt.Sprintf("%s %s: %s", s.Kind, s.Title(), s.Why())
	if s.Request != nil {
		line += fmt.Sprintf("\nprompt %q, %d messages", s.Request.Prompt, len(s.Request.Messages))
	}
	return line + "\n" + show(v.state.View), nil
}

func (v *env) abandon() {
	if v.end != nil {
		v.end()
		v.next, v.end = nil, nil
	}
}

func (v *env) replay(args string) (string, error) {
	e, err := New(v.policy, v.window, v.rec)
	if err != nil {
		return "", err
	}
	opt := Options{Summarizer: v.summary, Manual: map[int]Call{}}
	if rest, ok := strings.CutPrefix(args, "manual "); ok {
		for one := range strings.SplitSeq(rest, ";") {
			turn, instructions, _ := strings.Cut(one, "=")
			n, err := strconv.Atoi(strings.TrimSpace(turn))
			if err != nil {
				return "", err
			}
			opt.Manual[n] = Call{instructions}
		}
	}
	r, err := e.Replay(context.Background(), opt)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, c := range r.Calls {
		fmt.Fprintf(&b, "turn %d before #%d: %d", c.Turn, c.Message, c.Before)
		if c.Skip != NotSkipped {
			fmt.Fprintf(&b, " %s\n", c.Skip)
			continue
		}
		b.WriteString(" →")
		for _, s := range c.Steps {
			if s.Kind == Rung {
				fmt.Fprintf(&b, " %s %s %d;", s.Strategy, s.Verdict, s.After)
			}
		}
		fmt.Fprintf(&b, " cache #%d %d\n", c.Cache.FirstChanged, c.Cache.Reread)
	}
	fmt.Fprintf(&b, "%d passes reclaimed %d, %d read again; sent %d of %d\n", r.Passes, r.Reclaimed, r.Reread, r.Sent, r.Unaltered)
	return b.String() + show(r.Final.View), nil
}

// show is a view in one line: index, kind, tokens.
func show(v View) string {
	if v.engine == nil {
		return "nothing has run yet"
	}
	var b strings.Builder
	for i := range v.Len() {
		it, word := v.At(i), v.Kind(i).String()
		if it.Summary() != nil {
			word = "summary"
		}
		if it.Cleared {
			word = "cleared"
		}
		fmt.Fprintf(&b, "%d:%s:%d ", i, word, v.TokensOf(i, i+1))
	}
	return fmt.Sprintf("%s= %d", b.String(), v.Tokens())
}
