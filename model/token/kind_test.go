package token

import (
	"testing"

	"cinch/model"
)

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		name string
		m    model.Message
		part model.Part
		want Kind
	}{
		{"a person's text", model.Message{Role: model.User}, model.Part{Kind: model.Text}, KindUser},
		{"the model's text", model.Message{Role: model.Assistant}, model.Part{Kind: model.Text}, KindAssistant},
		{"a system message", model.Message{Role: model.System}, model.Part{Kind: model.Text}, KindSystem},
		{"a summary, whoever says it", model.Message{Role: model.User, Mark: model.Summary}, model.Part{Kind: model.Text}, KindSummary},
		{"readable thinking", model.Message{Role: model.Assistant}, model.Part{Kind: model.Thinking}, KindThinking},
		{"sealed thinking", model.Message{Role: model.Assistant}, model.Part{Kind: model.Opaque}, KindSealed},
		{"a call", model.Message{Role: model.Assistant}, model.Part{Kind: model.ToolCall}, KindCalls},
		{"a result", model.Message{Role: model.User}, model.Part{Kind: model.ToolResult}, KindResults},
		{"a picture", model.Message{Role: model.User}, model.Part{Kind: model.Image}, KindImages},
		{"a document", model.Message{Role: model.User}, model.Part{Kind: model.Document}, KindDocuments},
	} {
		if got := KindOf(&c.m, &c.part); got != c.want {
			t.Errorf("%s is %s, want %s", c.name, got, c.want)
		}
	}
}

// TestDivide: the kinds are the whole, envelope and rounding included.
func TestDivide(t *testing.T) {
	m := &model.Message{Role: model.Assistant, Parts: []model.Part{
		{Kind: model.Thinking, Text: "hm"}, {Kind: model.Text, Text: "Look at this."},
		{Kind: model.Opaque, Text: "AAAA"}, {Kind: model.Image}, {Kind: model.Document, Text: "a page"},
		{Kind: model.ToolCall, Name: "look", Text: `{"at":"it"}`},
	}}
	for _, c := range []Counter{Heuristic, Drover, O200k} {
		each, err := DivideAll(t.Context(), c, []*model.Message{m}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := each[0].Sum(), Weigh(c, m); got != want {
			t.Errorf("%s: the kinds weigh %d, the message %d", c.Name(), got, want)
		}
		if first := each[0][KindThinking]; first != c.Part(&m.Parts[0])+c.Envelope() {
			t.Errorf("%s: the envelope does not go to the first part's kind: %v", c.Name(), each[0])
		}
		sum := int64(0)
		for _, n := range each[0].Split(c, 7) {
			sum += n
		}
		if want := 7 + c.Tokens(Weigh(c, m)); sum != want {
			t.Errorf("%s: %d tokens by kind, %d in all", c.Name(), sum, want)
		}
	}
}
