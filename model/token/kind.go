package token

import (
	"context"

	"cinch/model"
)

// Kind is what a gauge tells apart: who said a text, or what a part is.
type Kind uint8

// The kinds in the order in which they fill a gauge.
const (
	KindOverhead Kind = iota // system prompt and tools, beside the messages
	KindSystem
	KindSummary
	KindUser
	KindAssistant
	KindThinking
	KindSealed // reasoning that only the provider can read
	KindCalls
	KindResults
	KindImages
	KindDocuments
	Kinds // how many there are
)

func (k Kind) String() string {
	return [Kinds]string{
		"overhead", "system", "summary", "user", "assistant", "thinking", "sealed", "calls", "results", "images", "documents",
	}[k]
}

// KindOf is what a part of a message counts as. Pictures and documents in a tool
// result are part of the result.
func KindOf(m *model.Message, p *model.Part) Kind {
	switch p.Kind {
	case model.ToolCall:
		return KindCalls
	case model.ToolResult:
		return KindResults
	case model.Thinking:
		return KindThinking
	case model.Opaque:
		return KindSealed
	case model.Image:
		return KindImages
	case model.Document:
		return KindDocuments
	}
	return kindOfText(m)
}

func kindOfText(m *model.Message) Kind {
	switch {
	case m.Mark == model.Summary:
		return KindSummary
	case m.Role == model.Assistant:
		return KindAssistant
	case m.Role == model.System:
		return KindSystem
	}
	return KindUser
}

// Weights is a weight by kind, in a counter's units.
type Weights [Kinds]int64

// Add adds other weights so many times; times may be negative.
func (w *Weights) Add(o *Weights, times int64) {
	for k := range w {
		w[k] += times * o[k]
	}
}

// Sum is the weight of all kinds.
func (w *Weights) Sum() (n int64) {
	for _, k := range w {
		n += k
	}
	return n
}

// Divide is a message's weight by kind, given that of each part. What a message
// weighs beside its parts goes to the kind of the first.
func Divide(c Counter, m *model.Message, part func(i int) int64) Weights {
	var w Weights
	envelope := kindOfText(m)
	for i := range m.Parts {
		k := KindOf(m, &m.Parts[i])
		if i == 0 {
			envelope = k
		}
		w[k] += part(i)
	}
	w[envelope] += c.Envelope()
	return w
}

// DivideAll is Divide for many messages, on all cores, as [WeighParts] does it.
func DivideAll(ctx context.Context, c Counter, messages []*model.Message, progress func(done, total int64)) ([]Weights, error) {
	parts, err := WeighParts(ctx, c, messages, progress)
	if err != nil {
		return nil, err
	}
	out := make([]Weights, len(messages))
	for i, m := range messages {
		out[i] = Divide(c, m, func(k int) int64 { return parts[i][k] })
	}
	return out, nil
}

// Split is a number of tokens by kind.
type Split [Kinds]int64

// Split rounds weights so that the kinds add up to the whole exactly: each is the
// difference of two rounded running sums.
func (w *Weights) Split(c Counter, overhead int64) Split {
	out := Split{KindOverhead: overhead}
	var sum, done int64
	for k := KindOverhead + 1; k < Kinds; k++ {
		sum += w[k]
		t := c.Tokens(sum)
		out[k], done = t-done, t
	}
	return out
}
