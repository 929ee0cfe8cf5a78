package ui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cinch/compactor"
	"cinch/model"
	"cinch/model/token"
)

// randomTalk is a conversation of n messages with tool traffic of every kind.
func randomTalk(r *rand.Rand, n int) []*model.Message {
	out := make([]*model.Message, n)
	for i := range out {
		m := &model.Message{Role: model.Role(r.IntN(3))}
		for range r.IntN(4) {
			id := fmt.Sprint("t", r.IntN(12))
			switch r.IntN(5) {
			case 0:
				m.Parts = append(m.Parts, model.Part{Kind: model.ToolCall, ID: id, Name: "look", Text: `{"a":1}`})
			case 1:
				m.Parts = append(m.Parts, model.Part{Kind: model.ToolResult, ID: id, Text: strings.Repeat("r", r.IntN(90))})
			case 2:
				m.Parts = append(m.Parts, model.Part{Kind: model.Thinking, Text: "hm"})
			case 3:
				m.Parts = append(m.Parts, model.Part{Kind: model.Image, Media: &model.Media{Type: "image/png"}})
			default:
				m.Parts = append(m.Parts, model.Part{Kind: model.Text, Text: strings.Repeat("w ", r.IntN(40))})
			}
		}
		out[i] = m
	}
	return out
}

// TestOneSum: the gauge, its segments, the list's token column, the plan and the
// trigger all show the same sum, before and after, whatever the conversation,
// the counter and the knobs.
func TestOneSum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 300 {
		c := &model.Conversation{Format: "native", Path: "x", Messages: randomTalk(r, 1+r.IntN(60)), System: strings.Repeat("s", r.IntN(200))}
		counter, err := token.Parse([]string{"heuristic", "ratio:openai", "ratio:3.9+4", "drover"}[r.IntN(4)])
		if err != nil {
			t.Fatal(err)
		}
		w, err := weighConversation(t.Context(), c, model.Context, counter, token.OverheadRule{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := &session{}
		policy := compactor.DefaultPolicy()
		policy.Window = int64(1 + r.IntN(4000))
		policy.PreserveRecent, policy.MinMessages, policy.Reserve = 1+r.IntN(12), 2+r.IntN(12), int64(r.IntN(50))
		s.begin(&Opened{}, w, Settings{Policy: policy, Counter: counter})
		for pass := range 3 {
			v := s.now.view
			direct := token.Count(counter, v.Messages()) + token.Overhead(counter, c.System, c.Tools) + policy.Reserve
			var column int64
			for i := range v.Len() {
				column += v.TokensOf(i)
			}
			if s.plan.Before != direct || total(s.before) != direct || column+s.plan.Overhead != direct {
				t.Fatalf("pass %d: counted %d, plan %d, gauge %d, list %d", pass, direct, s.plan.Before, total(s.before), column+s.plan.Overhead)
			}
			if got := s.policy.Decide(direct); got != s.plan.Decision {
				t.Fatalf("the machine says %s of the gauge's number, the plan %s", got, s.plan.Decision)
			}
			kept := token.Count(counter, s.plan.Pass.Result().Messages()) + s.plan.Overhead
			if s.plan.After != kept || total(s.after) != kept {
				t.Fatalf("pass %d: kept %d, plan %d, gauge %d", pass, kept, s.plan.After, total(s.after))
			}
			s.apply()
			if s.plan.Before != kept {
				t.Fatalf("after applying, the gauge shows %d, the pass had left %d", s.plan.Before, kept)
			}
		}
	}
}

// TestStepsShowThePass: after n steps the session shows what a pass that took n
// steps holds, and the last step shows what the whole pass does.
func TestStepsShowThePass(t *testing.T) {
	d := demo(t, 200, 36)
	d.press("r")
	d.has("before step 1 (0 of 9): as recorded, no cut yet")
	v := d.s.now.view
	for n := 1; n <= d.s.steps; n++ {
		d.press("s")
		want := compactor.NewPass(v, d.s.policy)
		taken := 0
		for step := range want.Steps() {
			if taken++; taken == n {
				d.has(fmt.Sprintf("step %d %s (%d of 9): %s", step.N, step.Title(), n, step.Detail()))
				break
			}
		}
		for i := range v.Len() {
			if got := d.s.shown.Fate(i); got != want.Fate(i) {
				t.Fatalf("step %d: message %d is %s, in the pass %s", n, i, got, want.Fate(i))
			}
		}
		if n < d.s.steps {
			d.has("not counted yet")
		}
	}
	for i := range v.Len() {
		if d.s.shown.Fate(i) != d.s.plan.Pass.Fate(i) {
			t.Errorf("the last step and the whole pass differ on message %d", i)
		}
	}
	d.press("s")
	d.has("the pass has taken its last step")
	for n := d.s.steps - 1; n >= 0; n-- {
		d.press("b")
		if d.s.step != n {
			t.Fatalf("b leads to step %d, want %d", d.s.step, n)
		}
	}
	d.press("b")
	d.has("nothing comes before")
}

// TestUndoTakesBackEverything: after any keys, undoing all of them leads back to
// the beginning, and redoing all of them to the end.
func TestUndoTakesBackEverything(t *testing.T) {
	d := demo(t, 120, 36)
	first := d.s.setup
	d.press("tab", "l", "L", "tab", "H", "s", "s", "S", "a", "tab", "tab", "tab", "tab", "l", "tab", "l", "b", "a", "r", "s")
	last := d.s.setup
	n := len(d.s.past)
	if n < 10 {
		t.Fatalf("only %d changes", n)
	}
	same := func(a, b setup) bool {
		return a.policy == b.policy && a.now == b.now && a.step == b.step && a.weighed == b.weighed && len(a.applied) == len(b.applied)
	}
	for range n {
		d.press("u")
	}
	if !same(d.s.setup, first) {
		t.Errorf("undone: %+v, began with %+v", d.s.setup, first)
	}
	d.press("u")
	d.has("nothing to undo")
	for range n {
		d.press("ctrl+r")
	}
	if !same(d.s.setup, last) {
		t.Errorf("redone: %+v, ended with %+v", d.s.setup, last)
	}
	d.press("ctrl+r")
	d.has("nothing to redo")
}

func TestApplyGoesOnFromTheResult(t *testing.T) {
	d := demo(t, 120, 36)
	after := d.s.plan.After
	d.press("a")
	d.has("pass 1 applied")
	if d.s.plan.Before != after || d.s.now.view.Len() != 9 {
		t.Errorf("%d messages of %d tokens, the pass left %d", d.s.now.view.Len(), d.s.plan.Before, after)
	}
	d.press("j")
	d.has("recorded as #43")
	d.press("a") // the batch at the end reaches back to what the first pass kept
	d.has("the pass changes nothing; preserve_recent 3 would cut")
	d.press("tab", "h", "a")
	if len(d.s.applied) != 2 || d.s.now.view.Len() >= 9 {
		t.Error("no second pass on the result of the first")
	}
	d.press("u")
	d.press("u", "u")
	if d.s.now.view.Len() != 69 {
		t.Error("u does not take the passes back")
	}
}

func TestCounterKeepsThePasses(t *testing.T) {
	d := demo(t, 120, 36)
	d.press("a")
	n, tokens := d.s.now.view.Len(), d.s.plan.Before
	d.press("shift+tab", "right", "right")
	if d.s.counter().Name() == "heuristic" {
		t.Fatal("the counter did not change")
	}
	if d.s.now.view.Len() != n || d.s.plan.Before == tokens {
		t.Errorf("%d messages of %d tokens under %s", d.s.now.view.Len(), d.s.plan.Before, d.s.counter().Name())
	}
	for len(d.s.past) > 1 {
		d.press("u")
	}
	if d.s.counter().Name() != "heuristic" || d.s.plan.Before != tokens {
		t.Error("u does not bring the counter back")
	}
}

// total is the tokens of all kinds.
func total(s token.Split) (n int64) {
	for _, v := range s {
		n += v
	}
	return n
}
