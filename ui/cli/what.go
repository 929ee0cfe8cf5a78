package cli

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
	"cinch/ui/draw"
)

// who is a message's sender in one word: calls and results of tools by what they are.
func who(m *model.Message) string {
	switch {
	case m.Mark == model.Summary:
		return "summary"
	case m.Mark == model.Boundary:
		return "boundary"
	case m.HasResult():
		return "result"
	case m.HasCall():
		return "call"
	}
	return m.Role.String()
}

// what is the gist of a message in one clean line of at most max cells.
// Reasoning is left out where there is something else.
func what(m *model.Message, max int) string {
	reasoning := func(p model.Part) bool { return p.Kind == model.Thinking || p.Kind == model.Opaque }
	only := !slices.ContainsFunc(m.Parts, func(p model.Part) bool { return !reasoning(p) })
	var parts []string
	room := max
	for i := range m.Parts {
		if room <= 0 {
			break
		}
		if reasoning(m.Parts[i]) && !only {
			continue
		}
		s := gist(&m.Parts[i], room)
		if s == "" {
			continue
		}
		parts = append(parts, s)
		room -= draw.Width(s) + len(" · ")
	}
	return draw.Truncate(strings.Join(parts, " · "), max)
}

func gist(p *model.Part, max int) string {
	switch p.Kind {
	case model.ToolCall:
		return draw.Line(p.Name+" "+inputs(p.Text, max), max)
	case model.ToolResult:
		s := draw.Line(p.Output(), max)
		if s == "" {
			s = "(empty)"
		}
		if p.IsError {
			s = draw.Truncate("failed: "+s, max)
		}
		return s
	case model.Thinking:
		return draw.Line("(thinking) "+p.Text, max)
	case model.Image:
		return "(image)"
	case model.Document:
		return draw.Line("(document) "+p.Text, max)
	case model.Opaque:
		return "(encrypted)"
	}
	return draw.Line(p.Text, max)
}

// inputs writes a call's input as name=value, in the order of the file.
func inputs(raw string, max int) string {
	in := gjson.Parse(raw)
	if !in.IsObject() {
		return draw.Line(in.String(), max)
	}
	var b strings.Builder
	in.ForEach(func(k, v gjson.Result) bool {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(draw.Line(k.String(), max) + "=" + draw.Line(v.String(), max))
		return b.Len() < max
	})
	return b.String()
}
