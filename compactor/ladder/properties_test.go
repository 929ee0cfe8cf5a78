package ladder

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cinch/model"
	"cinch/model/token"
)

// drawMessages draws a conversation: text, calls alone and in batches, results
// in time, late, never, or of no call, reused ids, several results in one message.
func drawMessages(t *rapid.T) []*model.Message {
	var out []*model.Message
	var open []string
	size := rapid.IntRange(0, 400)
	text := func() model.Part {
		return model.Part{Kind: model.Text, Text: strings.Repeat("x", size.Draw(t, "text"))}
	}
	for range rapid.IntRange(0, 30).Draw(t, "length") {
		switch rapid.IntRange(0, 5).Draw(t, "what") {
		case 0:
			out = append(out, &model.Message{Parts: []model.Part{text()}})
		case 1:
			out = append(out, &model.Message{Role: model.Assistant, Parts: []model.Part{text()}})
		case 2, 3:
			m := &model.Message{Role: model.Assistant}
			for range rapid.IntRange(1, 3).Draw(t, "calls") {
				id := rapid.SampledFrom([]string{"a", "b", "c", "d", ""}).Draw(t, "id")
				tool := rapid.SampledFrom([]string{"read", "run", "remember"}).Draw(t, "tool")
				m.Parts = append(m.Parts, model.Part{Kind: model.ToolCall, ID: id, Name: tool, Text: "{}"})
				open = append(open, id)
			}
			out = append(out, m)
		default:
			m := &model.Message{}
			for range rapid.IntRange(1, 3).Draw(t, "results") {
				id := "stray"
				if len(open) > 0 {
					at := rapid.IntRange(0, len(open)-1).Draw(t, "which")
					id, open = open[at], slices.Delete(open, at, at+1)
				}
				m.Parts = append(m.Parts, model.Part{Kind: model.ToolResult, ID: id, Text: strings.Repeat("r", size.Draw(t, "result"))})
			}
			if rapid.Bool().Draw(t, "note") {
				m.Parts = append(m.Parts, text())
			}
			out = append(out, m)
		}
	}
	return out
}

func drawPolicy(t *rapid.T) Policy {
	p := Policy{
		Strategy: rapid.SliceOfN(rapid.SampledFrom(Strategies), 1, 3).Draw(t, "strategy"),
		Preserve: Preserve{
			FirstUserTurn: rapid.Bool().Draw(t, "first"),
			RecentTurns:   rapid.IntRange(0, 4).Draw(t, "recent"),
		},
		MinReclaimTokens: int64(rapid.SampledFrom([]int{0, 0, 50}).Draw(t, "min")),
		CooldownTurns:    rapid.SampledFrom([]int{0, 0, 2}).Draw(t, "cooldown"),
		SummaryPrompt:    "Summarise.",
	}
	if rapid.Bool().Draw(t, "pin") {
		p.Preserve.PinTools = []string{"remember"}
	}
	if rapid.IntRange(0, 4).Draw(t, "trigger") > 0 {
		p.Trigger = &Trigger{InputTokens, float64(rapid.IntRange(1, 1500).Draw(t, "usable"))}
	}
	return p
}

func drawEngine(t *rapid.T) *Engine {
	e, err := New(drawPolicy(t), 0, NewRecord(drawMessages(t), nil))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// drawManual asks for passes at some turns.
func drawManual(t *rapid.T) map[int]Call {
	out := map[int]Call{}
	for _, turn := range rapid.SliceOfN(rapid.IntRange(1, 20), 0, 4).Draw(t, "manual") {
		out[turn] = Call{}
	}
	return out
}

// numbered is a summariser that counts how often it is asked, and fails every
// so many times, 0 for never.
type numbered struct {
	asked int
	size  int
	fails int
}

func (n *numbered) Summarize(context.Context, Request) (string, error) {
	n.asked++
	if n.fails > 0 && n.asked%n.fails == 0 {
		return "", errors.New("out of order")
	}
	return fmt.Sprintf("%d %s", n.asked, strings.Repeat("s", n.size)), nil
}

// entries lists what a view holds of the record, with which of it is cleared.
func entries(v View) (out []Item) {
	for i := range v.Len() {
		if it := v.At(i); it.Summary() == nil {
			out = append(out, it)
		}
	}
	return out
}

func TestPassKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEngine(t)
		rec := e.Record()
		sum := &numbered{size: rapid.IntRange(0, 500).Draw(t, "summary"), fails: rapid.IntRange(0, 3).Draw(t, "fails every")}
		r, err := e.Replay(context.Background(), Options{Summarizer: sum, Manual: drawManual(t)})
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		for _, c := range r.Calls {
			if c.Err != nil {
				checkFailed(t, &c.Outcome, last)
			}
			last = c.State.Last
			if c.After > c.Before {
				t.Fatalf("turn %d grew from %d to %d", c.Turn, c.Before, c.After)
			}
			tokens := c.Before
			for _, ev := range c.Events {
				if ev.BeforeTokens != tokens || ev.AfterTokens >= ev.BeforeTokens {
					t.Fatalf("turn %d: %+v does not follow %d", c.Turn, ev, tokens)
				}
				tokens = ev.AfterTokens
			}
			if tokens != c.After || c.After != c.State.View.Tokens() {
				t.Fatalf("turn %d ends at %d, its events at %d, its list at %d", c.Turn, c.After, tokens, c.State.View.Tokens())
			}
			for _, s := range c.Steps {
				if s.Kind == Rung {
					checkRung(t, e, c.Steps[0].State.View, s)
				}
			}
			checkPins(t, rec, c.State.View)
		}
	})
}

// checkFailed holds a pass whose summariser failed against the promise that the
// run goes on as if there had been none; last is the last pass before it.
func checkFailed(t *rapid.T, o *Outcome, last int) {
	if got, want := show(o.State.View), show(o.Steps[0].State.View); got != want {
		t.Fatalf("turn %d failed and leaves\n%s\nof\n%s", o.Turn, got, want)
	}
	if len(o.Events) > 0 || o.State.Last != last || o.Cache != unbroken {
		t.Fatalf("turn %d failed with events %+v, a last pass at %d (was %d), cache %+v", o.Turn, o.Events, o.State.Last, last, o.Cache)
	}
	for _, s := range o.Steps {
		if s.Event != nil || s.Verdict == Committed {
			t.Fatalf("turn %d failed, and its rung %d is %s", o.Turn, s.Number, s.Verdict)
		}
	}
}

// checkRung holds a rung against the list that the pass began with.
func checkRung(t *rapid.T, e *Engine, first View, s Step) {
	rec, v := e.Record(), s.State.View
	n := e.Policy.Preserve.RecentTurns
	if have := int(rec.answered[first.to] - rec.answered[first.from]); n > 0 && n <= have {
		from := int(rec.assistants[int(rec.answered[first.to])-n])
		for i := from; i < first.to; i++ {
			was, is := first.At(first.Len()-first.to+i), v.At(v.Len()-v.to+i)
			if is.Entry != i || is.Cleared != was.Cleared {
				t.Fatalf("turn %d: recent entry %d is %+v now, %+v before", s.Turn, i, is, was)
			}
		}
	}
	if e.Policy.Preserve.FirstUserTurn && first.Len() > 0 && first.Kind(0) == User && v.At(0) != first.At(0) {
		t.Fatalf("turn %d: the opener is %+v now, %+v before", s.Turn, v.At(0), first.At(0))
	}
	here, was := map[int]bool{}, map[int]bool{}
	for _, it := range entries(v) {
		here[it.Entry] = true
	}
	for _, it := range entries(first) {
		was[it.Entry] = true
		if call := rec.Entries[it.Entry].Call; was[call] && here[it.Entry] != here[call] {
			t.Fatalf("turn %d: call %d and its result %d are no longer together", s.Turn, call, it.Entry)
		}
	}
}

func checkPins(t *rapid.T, rec *Record, v View) {
	var weight int64
	for i := range v.Len() {
		it := v.At(i)
		if it.Summary() != nil {
			weight += token.Weigh(rec.Counter, it.Summary())
			continue
		}
		en := rec.Entries[it.Entry]
		if it.Cleared && (en.Kind != ToolResult || slices.Contains(v.engine.Policy.Preserve.PinTools, en.Tool)) {
			t.Fatalf("%+v was cleared", en)
		}
		if it.Cleared {
			weight += rec.cleared[it.Entry]
		} else {
			weight += rec.weights[it.Entry]
		}
	}
	if got := v.Tokens(); got != rec.Counter.Tokens(weight) {
		t.Fatalf("the list counts %d, its messages %d", got, rec.Counter.Tokens(weight))
	}
}

func TestSecondPassChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEngine(t)
		e.Policy.Strategy = e.Policy.Strategy[:1]
		state := e.Start(len(e.Record().Entries))
		first := Run(state.Pass(context.Background(), 9, &Call{}, answer("the same words")))
		second := Run(first.State.Pass(context.Background(), 9, &Call{}, answer("the same words")))
		if len(second.Events) > 0 {
			t.Fatalf("a second pass committed %+v after %+v", second.Events, first.Events)
		}
	})
}

func TestOutputBreaksNoPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEngine(t)
		before := model.PairUp(e.Record().Messages)
		out := Run(e.Start(len(e.Record().Entries)).Pass(context.Background(), 9, &Call{}, answer("s")))
		var list []*model.Message
		for _, o := range out.State.View.Output() {
			list = append(list, o.Message)
		}
		after := model.PairUp(list)
		if len(after.LoneCalls) > len(before.LoneCalls) || len(after.LoneResults) > len(before.LoneResults) {
			t.Fatalf("lone calls %d → %d, lone results %d → %d", len(before.LoneCalls), len(after.LoneCalls), len(before.LoneResults), len(after.LoneResults))
		}
	})
}

func TestCheckpointResumesWithoutSummarisingAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEngine(t)
		opt := Options{Summarizer: &numbered{size: 20}, Manual: drawManual(t)}
		whole, err := e.Replay(context.Background(), opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(whole.Calls) == 0 {
			return
		}
		at := rapid.IntRange(0, len(whole.Calls)-1).Draw(t, "stored at call")
		asks := 0
		for _, c := range whole.Calls[:at+1] {
			for _, s := range c.Steps {
				if s.Kind == Ask {
					asks++
				}
			}
		}
		sum := &numbered{size: 20, asked: asks}
		cp := whole.Checkpoint(at)
		rest, err := e.Replay(context.Background(), Options{Summarizer: sum, Manual: opt.Manual, From: &cp})
		if err != nil {
			t.Fatal(err)
		}
		if want := opt.Summarizer.(*numbered).asked; sum.asked != want {
			t.Fatalf("asked %d times by the end, %d without the stop", sum.asked, want)
		}
		if got, want := show(rest.Final.View), show(whole.Final.View); got != want {
			t.Fatalf("resumed to\n%s\nwent through to\n%s", got, want)
		}
		var events []Event
		for _, c := range whole.Calls[at+1:] {
			events = append(events, c.Events...)
		}
		if got := rest.Events(); !reflect.DeepEqual(got, events) {
			t.Fatalf("resumed events %+v, want %+v", got, events)
		}
	})
}

func TestRecordingStaysAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEngine(t)
		before := make([]model.Message, len(e.Record().Messages))
		for i, m := range e.Record().Messages {
			before[i] = *m
			before[i].Parts = slices.Clone(m.Parts)
		}
		r, err := e.Replay(context.Background(), Options{Summarizer: answer("s")})
		if err != nil {
			t.Fatal(err)
		}
		r.Final.View.Output()
		for i, m := range e.Record().Messages {
			if !reflect.DeepEqual(*m, before[i]) {
				t.Fatalf("message %d was changed", i)
			}
		}
	})
}
