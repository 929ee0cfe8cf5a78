package compactor

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cinch/model"
	"cinch/model/token"
)

// recordedRun is a run of n messages, mostly calls and their results.
func recordedRun(n int) *Recording {
	part := func(role model.Role, p model.Part) *model.Message {
		return &model.Message{Role: role, Parts: []model.Part{p}}
	}
	var out []*model.Message
	for i := 0; len(out) < n; i++ {
		id := fmt.Sprint("c", i)
		if i%20 == 0 {
			out = append(out, part(model.User, model.Part{Text: "Please go on with the next file."}))
		}
		out = append(out,
			part(model.Assistant, model.Part{Kind: model.ToolCall, ID: id, Name: "read", Text: `{"at":1}`}),
			part(model.User, model.Part{Kind: model.ToolResult, ID: id, Text: strings.Repeat("line ", 200+i%300)}))
		if i%20 == 19 {
			out = append(out, part(model.Assistant, model.Part{Text: "Done."}))
		}
	}
	return Prepare(out[:n], token.Heuristic, nil)
}

// BenchmarkReplay replays a run of 100,000 messages and reports how many times
// longer that took than one of 10,000: the median over the iterations, each of
// which replays the long one once and the short one ten times. 10 is linear.
func BenchmarkReplay(b *testing.B) {
	small, large := recordedRun(10_000), recordedRun(100_000)
	replay := func(r *Recording, times int) time.Duration {
		start := time.Now()
		for range times {
			if t := Replay(r, Driving{Policy: DefaultPolicy()}); len(t.Passes) == 0 || t.End.Outcome != OutcomeCompleted {
				b.Fatal(t.End)
			}
		}
		return time.Since(start)
	}
	var ratios []float64
	b.ReportAllocs()
	for b.Loop() {
		long := replay(large, 1)
		b.StopTimer()
		ratios = append(ratios, 10*float64(long)/float64(replay(small, 10)))
		b.StartTimer()
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "x-for-10x-messages")
}
