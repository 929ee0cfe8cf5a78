package study

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cinch/compactor/ladder"
	"cinch/model"
)

// toil is a request of 20 tokens, then n calls with results of so many tokens
// each, by drover's count.
func toil(n, result int) *ladder.Record {
	fill := func(tokens int) string { return strings.Repeat("x", 4*tokens-8) }
	out := []*model.Message{{Parts: []model.Part{{Kind: model.Text, Text: fill(20)}}}}
	for i := range n {
		id := fmt.Sprint(i)
		out = append(out,
			&model.Message{Role: model.Assistant, Parts: []model.Part{{Kind: model.Text, Text: fill(10)}, {Kind: model.ToolCall, ID: id, Name: "run", Text: "{}"}}},
			&model.Message{Parts: []model.Part{{Kind: model.ToolResult, ID: id, Name: "run", Text: fill(result)}}})
	}
	return ladder.NewRecord(append(out, &model.Message{Role: model.Assistant, Parts: []model.Part{{Kind: model.Text, Text: "done"}}}), nil)
}

// brief answers with a few words, broken with none, silent with nothing.
type (
	brief  struct{}
	broken struct{}
	silent struct{}
)

func (brief) Summarize(context.Context, ladder.Request) (string, error)  { return "It went well.", nil }
func (silent) Summarize(context.Context, ladder.Request) (string, error) { return " ", nil }
func (broken) Summarize(context.Context, ladder.Request) (string, error) {
	return "", errors.New("out of order")
}

func TestExplainClimb(t *testing.T) {
	drop, both := []ladder.Strategy{ladder.DropToolResults}, []ladder.Strategy{ladder.DropToolResults, ladder.Summarize}
	at := func(tokens float64) *ladder.Trigger { return &ladder.Trigger{Kind: ladder.InputTokens, Value: tokens} }
	share := func(v float64) *ladder.Trigger { return &ladder.Trigger{Kind: ladder.ContextFraction, Value: v} }
	keep := func(n int) ladder.Preserve { return ladder.Preserve{FirstUserTurn: true, RecentTurns: n} }
	for _, c := range []struct {
		name   string
		window int64
		policy ladder.Policy
		sum    ladder.Summarizer
		kind   Kind
		says   string
		also   []Kind
		helps  []string // the knobs that mend it alone
	}{
		{"never due", 10_000, ladder.Policy{Strategy: drop, Preserve: keep(1), Trigger: at(9_000)}, nil, NeverCompacted, "no pass was needed", nil, nil},
		{"never asked", 10_000, ladder.Policy{Strategy: drop, Preserve: keep(1)}, nil, OnRequest, "no pass was asked for", nil, nil},
		{"passes enough", 10_000, ladder.Policy{Strategy: drop, Preserve: keep(1), Trigger: at(600)}, nil, Compacted, "every call is sent under the trigger at 600", nil, nil},
		{"never asked, too large", 900, ladder.Policy{Strategy: drop, Preserve: keep(1)}, nil, OverWindow, "the policy has no trigger, so no pass ran",
			nil, []string{"trigger", "window"}},
		{"nobody to ask", 10_000, ladder.Policy{Strategy: both, Preserve: keep(1), Trigger: at(250), SummaryPrompt: "Summarise."}, nil, EndsOver, "nobody to ask",
			[]Kind{EveryTurn}, []string{"summariser", "sliding-window"}},
		{"too much kept", 10_000, ladder.Policy{Strategy: both, Preserve: keep(20), Trigger: at(600), SummaryPrompt: "Summarise."}, brief{}, EndsOver, "what is preserved is all there is",
			nil, []string{"recentTurns"}},
		{"too much asked of a rung", 10_000, ladder.Policy{Strategy: drop, Preserve: keep(1), Trigger: at(600), MinReclaimTokens: 5_000}, nil, EndsOver, "less than minReclaimTokens",
			nil, []string{"minReclaimTokens"}},
		{"held back for some calls", 10_000, ladder.Policy{Strategy: both, Preserve: keep(1), Trigger: at(400), CooldownTurns: 4, SummaryPrompt: "Summarise."}, brief{}, OverTrigger, "the cooldown of 4 turns held the pass back",
			nil, []string{"cooldownTurns"}},
		{"over the window", 700, ladder.Policy{Strategy: drop, Preserve: keep(1), Trigger: share(0.8), MinReclaimTokens: 700}, nil, OverWindow, "a provider would refuse it; a rung reclaimed less",
			nil, []string{"minReclaimTokens", "window"}},
		{"the summariser fails", 10_000, ladder.Policy{Strategy: both, Preserve: keep(1), Trigger: at(200), SummaryPrompt: "Summarise."}, broken{}, EndsOver, "the summariser failed",
			[]Kind{"summariser_failed"}, []string{"summariser"}},
		{"the summariser says nothing", 10_000, ladder.Policy{Strategy: both[1:], Preserve: keep(1), Trigger: at(600), SummaryPrompt: "Summarise."}, silent{}, Compacted, "passes",
			[]Kind{"blank_summary"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			how := Climbing{Record: toil(12, 100), Policy: c.policy, Window: c.window, Summarizer: c.sum, Spare: brief{}, SpareName: "a friend"}
			got, err := ExplainClimb(t.Context(), how)
			if err != nil {
				t.Fatal(err)
			}
			if got.Main.Kind != c.kind || !strings.Contains(got.Main.Text, c.says) {
				t.Errorf("%s: %s; want %s that says %q", got.Main.Kind, got.Main.Text, c.kind, c.says)
			}
			if wrong := got.At != nil; wrong != (got.Fix != "") || wrong != (len(got.Steps) > 0) {
				t.Errorf("at %v, fix %q, %d steps", got.At, got.Fix, len(got.Steps))
			}
			also := map[Kind]bool{}
			for _, f := range got.Also {
				also[f.Kind] = true
			}
			for _, k := range c.also {
				if !also[k] {
					t.Errorf("it does not say %s: %v", k, got.Also)
				}
			}
			var helps []string
			for _, change := range got.Changes(t.Context(), how) {
				if change.Possible {
					helps = append(helps, change.Knob)
				}
				if change.Tried == 0 && change.Possible || change.Text == "" {
					t.Errorf("%+v was not tried", change)
				}
				truthOf(t, how, got, change)
			}
			if fmt.Sprint(helps) != fmt.Sprint(c.helps) {
				t.Errorf("helped by %v, want %v", helps, c.helps)
			}
		})
	}
}

// truthOf runs the ladder with a number that was proposed, and with the one next
// to it: the first must mend the run, the second must not.
func truthOf(t *testing.T, how Climbing, why *Climb, change Change) {
	t.Helper()
	var set func(*Climbing, int64)
	next := change.To + 1
	switch change.Knob {
	case "recentTurns":
		set = func(c *Climbing, v int64) { c.Policy.Preserve.RecentTurns = int(v) }
	case "minReclaimTokens":
		set = func(c *Climbing, v int64) { c.Policy.MinReclaimTokens = v }
	case "cooldownTurns":
		set = func(c *Climbing, v int64) { c.Policy.CooldownTurns = int(v) }
	case "window":
		set, next = func(c *Climbing, v int64) { c.Window = v }, change.To-1
	default:
		return
	}
	if !change.Possible {
		return
	}
	mended := func(v int64) bool {
		c := how
		set(&c, v)
		after, err := ExplainClimb(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		switch why.Main.Kind {
		case OverWindow:
			return after.Beyond == 0
		case EndsOver:
			return after.Main.Kind != EndsOver && after.Main.Kind != OverWindow
		}
		return after.Over == 0
	}
	if !mended(change.To) {
		t.Errorf("%s does not mend the run", change.Text)
	}
	if mended(next) {
		t.Errorf("%s: so does %d", change.Text, next)
	}
}

// TestSearchForAMendStops: a search ends with its context.
func TestSearchForAMendStops(t *testing.T) {
	how := Climbing{Record: toil(12, 100), Window: 10_000, Policy: ladder.Policy{
		Strategy: []ladder.Strategy{ladder.DropToolResults}, Preserve: ladder.Preserve{RecentTurns: 20},
		Trigger: &ladder.Trigger{Kind: ladder.InputTokens, Value: 600},
	}}
	why, err := ExplainClimb(t.Context(), how)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := why.Changes(ctx, how); len(got) > 0 {
		t.Errorf("it goes on to %v", got)
	}
	if _, err := ExplainClimb(ctx, how); !errors.Is(err, context.Canceled) {
		t.Errorf("explaining goes on: %v", err)
	}
}

// TestOnTop: what the ladder leaves out is said beside every run, and warned of
// where a request that the ladder lets through is over the window with it.
func TestOnTop(t *testing.T) {
	calls := make([]ladder.Answered, 3)
	for i, after := range []int64{500, 900, 950} {
		calls[i].Turn, calls[i].After = i+1, after
	}
	const beside = "tokens that the ladder leaves out, ride on top"
	for _, c := range []struct {
		name             string
		window, overhead int64
		kind             Kind
		says             string
	}{
		{"nothing", 1_000, 0, "", ""},
		{"room left", 1_000, 50, RidesOnTop, "system prompt and tools, ~50 " + beside},
		{"one", 1_000, 51, TopsWindow, "system prompt and tools, ~51 " + beside + ": with them that of turn 3 comes to ~1,001 and the window is 1,000"},
		{"several", 1_000, 101, TopsWindow, "system prompt and tools, ~101 " + beside + ": with them 2 calls are over the window, first that of turn 2 comes to ~1,001 and the window is 1,000"},
		{"no window", 0, 101, RidesOnTop, "system prompt and tools, ~101 " + beside},
	} {
		if got, ok := OnTop(calls, c.window, c.overhead); got.Kind != c.kind || got.Text != c.says || ok != (c.kind != "") {
			t.Errorf("%s: %s: %s", c.name, got.Kind, got.Text)
		}
	}
	how := Climbing{Record: toil(12, 100), Window: 1_500, Overhead: 400, Policy: ladder.Policy{
		Strategy: []ladder.Strategy{ladder.DropToolResults}, Preserve: ladder.Preserve{RecentTurns: 1}, Trigger: &ladder.Trigger{Kind: ladder.InputTokens, Value: 1_450}}}
	got, err := ExplainClimb(t.Context(), how)
	if err != nil || len(got.Also) != 1 || got.Also[0].Kind != TopsWindow {
		t.Errorf("explained: %v, %v", got.Also, err)
	}
	if want := fmt.Sprintf("the largest list is sent at turn 13 with ~1,%d tokens", got.Result.Calls[12].After-1_000); !strings.HasPrefix(got.Room, want) {
		t.Errorf("%q, want %q", got.Room, want)
	}
}
