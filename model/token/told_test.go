package token

import (
	"testing"

	"cinch/model"
)

// TestTold: usage holds as long as all that was sent with the call stands before
// its answer, unchanged.
func TestTold(t *testing.T) {
	user := func() *model.Message { return &model.Message{Parts: []model.Part{{Text: "u"}}} }
	answer := func(input int64) *model.Message {
		return &model.Message{Role: model.Assistant, Parts: []model.Part{{Text: "a"}}, Usage: &model.Usage{Input: input}}
	}
	shorter := func(m *model.Message) *model.Message {
		short := *m
		short.Parts = nil
		return &short
	}
	u1, a1, u2, a2, u3, a3 := user(), answer(1), user(), answer(2), user(), answer(3)
	plain := &model.Conversation{Messages: []*model.Message{u1, a1, u2, a2, u3, a3}}

	// Compacted once: the first two are gone, a summary stands for them, a2 was kept.
	summary := user()
	compacted := &model.Conversation{
		Messages:    []*model.Message{u1, a1, u2, a2, summary, u3, a3},
		Compactions: []model.Compaction{{History: 4}},
	}
	compacted.SetViews([]*model.Message{u1, a1, u2, a2, u3, a3}, []*model.Message{summary, a2, u3, a3})

	for _, test := range []struct {
		name     string
		conv     *model.Conversation
		messages []*model.Message
		told     []*model.Message
	}{
		{"all", plain, plain.Messages, []*model.Message{a1, a2, a3}},
		{"the end gone", plain, plain.Messages[:3], []*model.Message{a1}},
		{"the middle gone", plain, []*model.Message{u1, a2, u3, a3}, nil},
		{"the beginning gone", plain, plain.Messages[2:], nil},
		{"something put before", plain, append([]*model.Message{user()}, plain.Messages...), nil},
		{"something taken from a message before", plain, []*model.Message{u1, a1, shorter(u2), a2}, []*model.Message{a1}},
		{"something taken from the answer", plain, []*model.Message{u1, shorter(a1), u2, a2}, []*model.Message{a1}},
		{"the context after a compaction", compacted, compacted.View(model.Context), []*model.Message{a3}},
		{"the history up to a compaction", compacted, compacted.View(model.History), []*model.Message{a1, a2}},
		{"a context that begins elsewhere", compacted, []*model.Message{summary, u3, a3}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Told(test.conv, test.messages)
			want := map[*model.Usage]bool{}
			for _, m := range test.told {
				want[m.Usage] = true
			}
			if len(got) != len(want) {
				t.Errorf("%d hold, want %d", len(got), len(want))
			}
			for m := range got {
				if !want[m.Usage] {
					t.Errorf("the usage of %d holds", m.Usage.Input)
				}
			}
		})
	}
}
