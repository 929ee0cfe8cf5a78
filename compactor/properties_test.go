package compactor

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"cinch/model"
	"cinch/model/token"
)

// conversation draws messages with tool traffic of every kind: few ids, so that
// they are reused, parallel calls, results before calls, in flight or lone.
func conversation(most int) *rapid.Generator[[]*model.Message] {
	ids := rapid.SampledFrom([]string{"a", "b", "c", ""})
	return rapid.Custom(func(t *rapid.T) []*model.Message {
		out := []*model.Message{}
		for range rapid.IntRange(0, most).Draw(t, "messages") {
			m := &model.Message{Role: model.User}
			switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
			case kind < 4:
				m.Role = model.Assistant
				for range rapid.IntRange(0, 3).Draw(t, "calls") {
					m.Parts = append(m.Parts, model.Part{Kind: model.ToolCall, ID: ids.Draw(t, "id"), Name: "Read", Text: "{}"})
				}
			case kind < 8:
				for range rapid.IntRange(1, 3).Draw(t, "results") {
					m.Parts = append(m.Parts, model.Part{Kind: model.ToolResult, ID: ids.Draw(t, "id"), Text: text(t)})
				}
			case kind == 8:
				m.Role = model.System
			}
			if rapid.Bool().Draw(t, "text") {
				m.Parts = append(m.Parts, model.Part{Kind: model.Text, Text: text(t)})
			}
			out = append(out, m)
		}
		return out
	})
}

func text(t *rapid.T) string {
	return fmt.Sprintf("%*s", rapid.IntRange(0, 400).Draw(t, "length"), "")
}

func knobs(t *rapid.T) Policy {
	p := DefaultPolicy()
	p.PreserveRecent = rapid.IntRange(1, 8).Draw(t, "preserve_recent")
	p.MinMessages = rapid.IntRange(2, 8).Draw(t, "min_messages")
	p.Window = int64(rapid.IntRange(50, 3000).Draw(t, "window"))
	p.Threshold = rapid.IntRange(1, 100).Draw(t, "threshold")
	p.AutoCompact = rapid.Bool().Draw(t, "auto")
	p.Reserve = int64(rapid.IntRange(0, 60).Draw(t, "reserve"))
	return p
}

// TestPassLaws states what holds for every pass over every conversation.
func TestPassLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := conversation(24).Draw(t, "conversation")
		v := Prepare(messages, token.Heuristic, nil).View()
		p := Truncate(v, knobs(t))
		out, result := p.Output(), p.Result()

		if !slices.IsSorted(out) || len(slices.Compact(slices.Clone(out))) != len(out) {
			t.Fatalf("order: output %v is not strictly ascending", out)
		}
		if len(messages) > 0 && len(out) == 0 {
			t.Fatal("non-empty: nothing is left")
		}
		if p.Kept() != len(out) || result.Len() != len(out) {
			t.Fatalf("counts: Kept %d, result %d, output %d", p.Kept(), result.Len(), len(out))
		}
		if p.After > v.Tokens() {
			t.Fatalf("tokens grew from %d to %d", v.Tokens(), p.After)
		}
		if got := token.Count(token.Heuristic, result.Messages()); got != p.After || got != result.Tokens() {
			t.Fatalf("one sum: the pass says %d, its result %d, counting its messages %d", p.After, result.Tokens(), got)
		}
		kept := map[int]bool{}
		for _, i := range out {
			kept[i] = true
		}
		for i := range messages {
			if p.Fate(i).Kept() != kept[i] {
				t.Fatalf("message %d is %s but kept is %v", i, p.Fate(i), kept[i])
			}
		}

		before, after := v.Pairing(), result.Pairing()
		if p.Reason != WouldEmpty && len(after.LoneResults) > 0 && !asReceived(p) {
			t.Fatalf("pairs: lone results %v in the output", after.LoneResults)
		}
		for _, pair := range before.Pairs {
			if kept[pair.Result.Message] != kept[pair.Call.Message] && holds(p, pair.Result) != holds(p, pair.Call) {
				t.Fatalf("pairs: %v is split", pair)
			}
		}
		if p.Reason == Changed {
			for _, lone := range after.LoneCalls {
				if i := out[lone.Message]; p.Fate(i) == Reattached {
					t.Fatalf("pairs: a lone call in the reattached message %d", i)
				}
			}
		}

		// Taking an emptied message out shortens the list, so the next pass may
		// cut elsewhere; all others leave their own result alone.
		again := Truncate(result, Policy{PreserveRecent: p.PreserveRecent, MinMessages: p.MinMessages})
		if again.After > p.After || len(p.emptied) == 0 && (again.Kept() != result.Len() || again.After != p.After) {
			t.Fatalf("idempotence: a second pass takes %d messages to %d, %d tokens to %d", result.Len(), again.Kept(), p.After, again.After)
		}
	})
}

// asReceived reports whether an unchanged pass gave the conversation back whole
// because nothing would have been left of it.
func asReceived(p *Pass) bool {
	return p.Reason != Changed && len(p.Removed) == 0
}

// holds reports whether a part is in what the pass keeps.
func holds(p *Pass, at model.Ref) bool {
	return p.Fate(at.Message).Kept() && !slices.Contains(p.Removed[at.Message], at.Part)
}

// TestViewsAgree holds the short form of a view (a few messages and a stretch
// that uses the recording's pairs) against one that pairs for itself.
func TestViewsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Prepare(conversation(24).Draw(t, "conversation"), token.Heuristic, nil)
		policy := knobs(t)
		short := r.View()
		for range 2 {
			long := newView(short.store, short.buffer().Head, short.lo, short.hi, true)
			a, b := Truncate(short, policy), Truncate(long, policy)
			if !slices.Equal(a.Output(), b.Output()) || a.Cut != b.Cut || a.Reason != b.Reason || a.After != b.After || fmt.Sprint(a.Removed) != fmt.Sprint(b.Removed) {
				t.Fatalf("cut %d and %d, output %v and %v, removed %v and %v", a.Cut, b.Cut, a.Output(), b.Output(), a.Removed, b.Removed)
			}
			short = a.Result()
			policy = knobs(t)
		}
	})
}

// TestReplayLaws states loopctl's three promises over every recording and policy.
func TestReplayLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := conversation(40).Draw(t, "conversation")
		r := Prepare(messages, token.Heuristic, nil)
		r.Overhead = int64(rapid.IntRange(0, 40).Draw(t, "overhead"))
		policy := knobs(t)
		goOn := rapid.Bool().Draw(t, "go on")
		tl := Replay(r, Driving{Policy: policy, GoOn: goOn})

		for k, call := range tl.Calls {
			if call.Tokens > policy.Window || policy.Decide(call.Tokens) != None {
				t.Fatalf("call %d was sent with %d tokens, window %d", k, call.Tokens, policy.Window)
			}
			at := tl.At(k)
			counted := token.Count(token.Heuristic, at.View.Messages()) + r.Overhead + policy.Reserve
			if counted != call.Tokens {
				t.Fatalf("the estimate is faked: call %d says %d, its messages %d", k, call.Tokens, counted)
			}
			if at.Pending < 0 || at.Pending > at.View.Len() {
				t.Fatalf("call %d: pending from %d of %d", k, at.Pending, at.View.Len())
			}
		}
		for _, p := range tl.Passes {
			if p.Before != p.View.Tokens()+r.Overhead+policy.Reserve {
				t.Fatalf("pass at %d measured %d, its view has %d", p.Message, p.Before, p.View.Tokens())
			}
			again := Truncate(p.View, policy)
			if again.After+r.Overhead+policy.Reserve != p.After || again.Kept() != p.MessagesAfter {
				t.Fatalf("pass at %d gave %d tokens, stepping through it %d", p.Message, p.After, again.After)
			}
		}
		failed := 0
		for i, run := range tl.Runs {
			if run.Exceeded == nil {
				continue
			}
			failed++
			for _, call := range tl.Calls {
				if call.Run > i && call.Message < run.Message {
					t.Fatal("a call of a later run stands before the failure")
				}
			}
		}
		if (failed > 0) != (tl.End.Outcome == OutcomeExceeded) || !goOn && failed > 1 {
			t.Fatalf("%d failed runs, outcome %s", failed, tl.End.Outcome)
		}
		if failed == 0 && len(tl.Calls) != assistants(messages) {
			t.Fatalf("%d calls for %d assistant messages", len(tl.Calls), assistants(messages))
		}
		if e := tl.End.Exceeded; e != nil {
			if tl.End.Cause == CauseWindow && e.Limit != policy.Window || tl.End.Cause == CauseNoProgress && e.Used < e.Limit {
				t.Fatalf("cause %s with %v", tl.End.Cause, e)
			}
		}
	})
}

func assistants(messages []*model.Message) (n int) {
	for _, m := range messages {
		if m.Role == model.Assistant {
			n++
		}
	}
	return n
}

// TestFailedRunLeavesNoTrace replays a recording with and without the run that
// fails: what comes after it sees the same conversation.
func TestFailedRunLeavesNoTrace(t *testing.T) {
	good, bad, next := "U A U A(x) R(x) A", " U A(y) R(y) A", " U A"
	policy := DefaultPolicy()
	policy.Window = 200
	build := func(s string, fat int) *Timeline {
		messages := shape(t, s)
		if fat >= 0 {
			messages[fat].Parts[0].Text = fmt.Sprintf("%5000s", "")
		}
		return Replay(Prepare(messages, token.Heuristic, nil), Driving{Policy: policy, GoOn: true})
	}
	with, without := build(good+bad+next, 8), build(good+next, -1)
	if with.End.Exceeded == nil || without.End.Exceeded != nil {
		t.Fatalf("the middle run should fail, and only it: %+v, %+v", with.End, without.End)
	}
	a, b := with.Calls[len(with.Calls)-1].Tokens, without.Calls[len(without.Calls)-1].Tokens
	if a != b {
		t.Errorf("the last call sends %d tokens after the failed run, %d without it", a, b)
	}
}
