// Package ladder is drover's compaction policy engine: before every model call
// it looks at the message list and, when the list has grown past a trigger,
// climbs a ladder of strategies from cheap to dear until it is under again.
//
// The engine is pure. A [Record] is a recorded conversation written out as the
// list the ladder works on, weighed once. An [Engine] is a policy over a record
// and a context window. A [View] is what that list has become: a few indices
// and the summary that passes have put in; the recording itself is never
// changed. [Engine.Pass] is one pass as a sequence of steps, which is all there
// is of the algorithm: [Run] takes it to its end, a stepper one step at a time.
package ladder

import (
	"math"
	"strings"

	"cinch/model"
	"cinch/model/token"
)

// Marker is what the text of a cleared tool result becomes.
const Marker = "[cleared to save context]"

// SummaryPrefix starts the user message that a summary is put in as.
const SummaryPrefix = "[compacted] "

// NoSummary stands for a summary that came back blank.
const NoSummary = "(no summary available)"

// Engine runs one policy over one record. It is read only once made, and safe
// for concurrent use.
type Engine struct {
	Policy Policy
	Window int64 // context window in tokens

	rec       *Record
	usable    int64
	clearable []int32 // clearable[i]: tool results among the first i entries that a pass may clear
	raw       []int64 // raw[i]: weight of the first i entries as recorded
	clear     []int64 // clear[i]: the same with every clearable result cleared
}

// New makes the engine of a policy, the context window in tokens and a record.
// A policy that cannot be run gives a *[ConfigError].
func New(p Policy, window int64, rec *Record) (*Engine, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Trigger != nil && p.Trigger.Kind == ContextFraction && window <= 0 {
		return nil, &ConfigError{"trigger.kind", "context_fraction needs a context window above 0 tokens"}
	}
	e := &Engine{Policy: p, Window: window, rec: rec}
	if t := p.Trigger; t != nil {
		e.usable = t.usable(window)
	}
	n := len(rec.Entries)
	e.clearable = make([]int32, n+1)
	e.raw = make([]int64, n+1)
	e.clear = make([]int64, n+1)
	pinned := make(map[string]bool, len(p.Preserve.PinTools))
	for _, name := range p.Preserve.PinTools {
		pinned[name] = true
	}
	for i, en := range rec.Entries {
		e.raw[i+1] = e.raw[i] + rec.weights[i]
		e.clear[i+1] = e.clear[i] + rec.weights[i]
		e.clearable[i+1] = e.clearable[i]
		if en.Kind == ToolResult && !rec.marked[i] && !pinned[en.Tool] {
			e.clearable[i+1]++
			e.clear[i+1] = e.clear[i] + rec.cleared[i]
		}
	}
	return e, nil
}

// usable is the tokens at which the trigger fires, in the arithmetic drover
// does: one double-precision product, rounded down. An absolute ceiling that is
// not whole is rounded up, which is where whole estimates reach it.
func (t *Trigger) usable(window int64) int64 {
	if t.Kind == InputTokens {
		return int64(math.Ceil(min(t.Value, math.MaxInt64/2)))
	}
	return int64(math.Floor(float64(window) * t.Value))
}

// Usable is the number of tokens at which an automatic pass fires; ok is false
// for a policy without a trigger.
func (e *Engine) Usable() (tokens int64, ok bool) { return e.usable, e.Policy.Trigger != nil }

// Record is the record the engine works on.
func (e *Engine) Record() *Record { return e.rec }

// isClearable reports whether a pass may clear entry i.
func (e *Engine) isClearable(i int) bool { return e.clearable[i+1] > e.clearable[i] }

// summaryText is the text of the message that carries a summary.
func summaryText(summary string) string {
	summary = strings.TrimSpace(summary)
	if summary == "" {
		summary = NoSummary
	}
	return SummaryPrefix + summary
}

// synth is a message that a pass has put in.
type synth struct {
	message *model.Message
	weight  int64
}

func (e *Engine) synthesise(summary string) *synth {
	p := model.Part{Kind: model.Text, Text: summaryText(summary)}
	m := &model.Message{Role: model.User, Mark: model.Summary, Parts: []model.Part{p}}
	return &synth{m, token.Weigh(e.rec.Counter, m)}
}
