package summarize

import (
	"strings"

	"cinch/compactor/ladder"
	"cinch/model"
)

// Transcript writes messages as plain text: a line in brackets for what each
// part is, then the part. Pictures and what only a provider can read are named,
// not included.
func Transcript(messages []*model.Message) string {
	var b strings.Builder
	for _, m := range messages {
		for i := range m.Parts {
			writePart(&b, m, &m.Parts[i])
		}
	}
	return b.String()
}

func writePart(b *strings.Builder, m *model.Message, p *model.Part) {
	label, text := m.Role.String(), p.Text
	switch p.Kind {
	case model.Thinking:
		label = "thinking"
	case model.ToolCall:
		label = join("call", p.Name, p.ID)
	case model.ToolResult:
		label, text = join("result", p.Name, p.ID), p.Output()
		if p.IsError {
			label += " error"
		}
		for i := range p.List {
			if p.List[i].Kind != model.Text {
				text = strings.TrimRight(text, "\n") + "\n(" + media(&p.List[i]) + ")"
			}
		}
	case model.Image, model.Document:
		label = media(p)
	case model.Opaque:
		return
	}
	b.WriteString("[" + label + "]\n")
	if text = strings.Trim(text, "\n"); text != "" {
		b.WriteString(text + "\n")
	}
}

// media names bytes that are not written out.
func media(p *model.Part) string {
	if p.Media == nil {
		return p.Kind.String()
	}
	return join(p.Kind.String(), p.Media.Type)
}

func join(words ...string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// enclosed is the transcript between marks, so that a model does not take what
// stands in it for a request of its own.
func enclosed(req ladder.Request) string {
	return "<transcript>\n" + Transcript(req.Messages) + "</transcript>\n"
}
