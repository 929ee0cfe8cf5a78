package ladder

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"cinch/model"
)

// prompts is a summariser that remembers what it was told to do.
type prompts []string

func (p *prompts) Summarize(_ context.Context, req Request) (string, error) {
	*p = append(*p, req.Prompt)
	return "S", nil
}

// TestInstructionsAreForOnePass: they take the prompt's place in the pass they
// were given for, and in no other.
func TestInstructionsAreForOnePass(t *testing.T) {
	list, err := shape("U:20 A:90 A:90 A:90 A:90 A:20")
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(Policy{
		Strategy: []Strategy{Summarize}, Preserve: Preserve{FirstUserTurn: true, RecentTurns: 1},
		Trigger: &Trigger{InputTokens, 150}, SummaryPrompt: "Summarise.",
	}, 0, NewRecord(list, nil))
	if err != nil {
		t.Fatal(err)
	}
	var told prompts
	if _, err := e.Replay(context.Background(), Options{Summarizer: &told, Manual: map[int]Call{4: {"Keep the trace."}}}); err != nil {
		t.Fatal(err)
	}
	if want := (prompts{"Summarise.", "Keep the trace.", "Summarise."}); !reflect.DeepEqual(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// TestClearedResultsKeepTheirCalls: a cleared result is the marker and nothing
// else of what it held; what says whose it is stays, and so does its call.
func TestClearedResultsKeepTheirCalls(t *testing.T) {
	list := []*model.Message{
		{Parts: []model.Part{{Kind: model.Text, Text: "go"}}},
		{Role: model.Assistant, Parts: []model.Part{{Kind: model.ToolCall, ID: "a", Name: "read", Text: `{"path":"x"}`}}},
		{Parts: []model.Part{{Kind: model.ToolResult, ID: "a", Name: "read", IsError: true, List: []model.Part{
			{Kind: model.Text, Text: "no such file, and much more about it, over and over again"}, {Kind: model.Image},
		}}}},
		{Role: model.Assistant, Parts: []model.Part{{Kind: model.Text, Text: "so be it"}}},
	}
	e, err := New(Policy{Strategy: []Strategy{DropToolResults}, Preserve: Preserve{FirstUserTurn: true, RecentTurns: 1}}, 0, NewRecord(list, nil))
	if err != nil {
		t.Fatal(err)
	}
	out := Run(e.Start(len(list)).Pass(context.Background(), 3, &Call{}, nil)).State.View.Output()
	if len(out) != len(list) {
		t.Fatalf("%d messages are left of %d", len(out), len(list))
	}
	for i, o := range out {
		if i != 2 && (o.Message != list[i] || o.Rewritten) {
			t.Errorf("message %d is not the recorded one", i)
		}
	}
	want := model.Part{Kind: model.ToolResult, ID: "a", Name: "read", IsError: true, Text: Marker}
	if got := out[2].Message.Parts; len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("the result is %+v, want %+v", got, want)
	}
}

// TestCheckpointBelongsToItsPolicy: a run stored under one policy is not gone on
// with under another, whatever of it differs.
func TestCheckpointBelongsToItsPolicy(t *testing.T) {
	list, err := shape("U:20 A(a):60 R(a):60 A(b):60 R(b):60 A:20 U:10 A:20")
	if err != nil {
		t.Fatal(err)
	}
	rec := NewRecord(list, nil)
	policy := Policy{
		Strategy: []Strategy{DropToolResults, Summarize}, Preserve: Preserve{FirstUserTurn: true, RecentTurns: 1, PinTools: []string{"x"}},
		Trigger: &Trigger{InputTokens, 150}, SummaryPrompt: "Summarise.",
	}
	e, err := New(policy, 0, rec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Replay(context.Background(), Options{Summarizer: answer("S")})
	if err != nil {
		t.Fatal(err)
	}
	stored := r.Checkpoint(2)
	for name, change := range map[string]func(*Policy){
		"strategy":         func(p *Policy) { p.Strategy = p.Strategy[:1] },
		"trigger":          func(p *Policy) { p.Trigger = &Trigger{InputTokens, 151} },
		"recentTurns":      func(p *Policy) { p.Preserve.RecentTurns = 2 },
		"firstUserTurn":    func(p *Policy) { p.Preserve.FirstUserTurn = false },
		"pinTools":         func(p *Policy) { p.Preserve.PinTools = nil },
		"minReclaimTokens": func(p *Policy) { p.MinReclaimTokens = 1 },
		"cooldownTurns":    func(p *Policy) { p.CooldownTurns = 1 },
		"summaryPrompt":    func(p *Policy) { p.SummaryPrompt = "Otherwise." },
		"summaryModel":     func(p *Policy) { p.SummaryModel = "m" },
	} {
		other := policy
		change(&other)
		e, err := New(other, 0, rec)
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Replay(context.Background(), Options{Summarizer: answer("S"), From: &stored})
		var hash *HashError
		if !errors.As(err, &hash) || hash.Stored != policy.Hash() {
			t.Errorf("%s changed: %v", name, err)
		}
	}
	if _, err := e.Replay(context.Background(), Options{Summarizer: answer("S"), From: &stored}); err != nil {
		t.Errorf("its own policy is refused: %v", err)
	}
}

// TestFailureComesOnce: of the passes of a run only the one whose summariser
// failed is taken back; the next that is due does what it would have done.
func TestFailureComesOnce(t *testing.T) {
	list, err := shape("U:20 A:90 A:90 A:90 A:90 A:20")
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(Policy{
		Strategy: []Strategy{Summarize}, Preserve: Preserve{FirstUserTurn: true, RecentTurns: 1},
		Trigger: &Trigger{InputTokens, 150}, CooldownTurns: 2, SummaryPrompt: "Summarise.",
	}, 0, NewRecord(list, nil))
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Replay(context.Background(), Options{Summarizer: &failsAt{1}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Calls {
		switch {
		case c.Err != nil:
			got = append(got, "failed")
		case len(c.Events) > 0:
			got = append(got, "committed")
		default:
			got = append(got, string(c.Skip))
		}
	}
	if want := "[under_budget under_budget failed committed cooldown]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// failsAt is a summariser that fails the n-th time it is asked.
type failsAt struct{ n int }

func (f *failsAt) Summarize(context.Context, Request) (string, error) {
	if f.n--; f.n == 0 {
		return "", errors.New("out of order")
	}
	return "S", nil
}
