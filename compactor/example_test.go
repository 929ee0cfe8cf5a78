package compactor_test

import (
	"fmt"
	"strings"

	"cinch/compactor"
	"cinch/model"
	"cinch/model/token"
)

// Summarising is a compactor of one's own: it writes one message in place of
// the old part of the conversation and keeps the rest.
type Summarising struct {
	Summarise func(old []*model.Message) string
}

func (s Summarising) Compact(in compactor.Input) (compactor.Outcome, error) {
	old, recent := compactor.NewTokenSplitter().Split(in.Messages)
	if len(old) == 0 {
		return compactor.Outcome{Messages: in.Messages, Before: in.Before, After: in.Before}, nil
	}
	summary := &model.Message{Role: model.System, Parts: []model.Part{{Kind: model.Text, Text: s.Summarise(old)}}}
	kept := append([]*model.Message{summary}, recent...)
	return compactor.Outcome{Messages: kept, Before: in.Before, After: token.Count(in.Counter, kept)}, nil
}

func ExampleCompactor() {
	say := func(role model.Role, text string) *model.Message {
		return &model.Message{Role: role, Parts: []model.Part{{Kind: model.Text, Text: text}}}
	}
	var messages []*model.Message
	for turn := range 6 {
		messages = append(messages,
			say(model.User, fmt.Sprintf("question %d %s", turn, strings.Repeat("…", 600))),
			say(model.Assistant, fmt.Sprintf("answer %d", turn)))
	}
	policy := compactor.DefaultPolicy()
	policy.Window = 1000
	timeline := compactor.Replay(compactor.Prepare(messages, token.Heuristic, nil), compactor.Driving{
		Policy: policy,
		Compactor: Summarising{func(old []*model.Message) string {
			return fmt.Sprintf("%d earlier messages about questions", len(old))
		}},
	})
	for _, pass := range timeline.Passes {
		fmt.Printf("before #%d: %s, %d → %d messages, %d → %d tokens\n",
			pass.Message, pass.Result, pass.MessagesBefore, pass.MessagesAfter, pass.Before, pass.After)
	}
	fmt.Println(timeline.End.Outcome)
	// Output:
	// before #9: compacted, 9 → 6 messages, 816 → 500 tokens
	// completed
}
