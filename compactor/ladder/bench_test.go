package ladder

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cinch/model"
)

// long is a conversation of n messages: a request, then calls and their results.
func long(n int) []*model.Message {
	out := []*model.Message{{Parts: []model.Part{{Kind: model.Text, Text: "Go on until it is done."}}}}
	text := strings.Repeat("a line of output\n", 40)
	for i := 0; len(out) < n; i++ {
		id := fmt.Sprint(i)
		out = append(out,
			&model.Message{Role: model.Assistant, Parts: []model.Part{{Kind: model.ToolCall, ID: id, Name: "run", Text: `{"cmd":"make"}`}}},
			&model.Message{Parts: []model.Part{{Kind: model.ToolResult, ID: id, Name: "run", Text: text}}})
	}
	return out
}

func BenchmarkRecord100k(b *testing.B) {
	messages := long(100_000)
	b.ReportAllocs()
	for b.Loop() {
		NewRecord(messages, nil)
	}
}

// BenchmarkReplay100k is what moving a knob costs, with a pass every few calls
// and with a ladder that can do nothing at any call.
func BenchmarkReplay100k(b *testing.B) {
	rec := NewRecord(long(100_000), nil)
	for _, c := range []struct {
		name   string
		recent int
		usable float64
	}{{"passes", 3, 100_000}, {"nothing helps", 200_000, 1}} {
		b.Run(c.name, func(b *testing.B) {
			p := Policy{
				Strategy: Strategies, SummaryPrompt: "Summarise.", MinReclaimTokens: 1000,
				Preserve: Preserve{FirstUserTurn: true, RecentTurns: c.recent},
				Trigger:  &Trigger{InputTokens, c.usable},
			}
			b.ReportAllocs()
			for b.Loop() {
				e, err := New(p, 0, rec)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := e.Replay(context.Background(), Options{Summarizer: answer("done")}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
