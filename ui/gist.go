package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/compactor"
	"cinch/model"
	"cinch/ui/draw"
)

// gistCells is how much of a message a row can show, and a fuzzy search looks at.
const gistCells = 240

// whoIs is who a message is from, as the list says it: tool traffic by what it is.
func whoIs(m *model.Message) draw.Who {
	switch {
	case m.Mark == model.Summary || m.Mark == model.Boundary:
		return draw.WhoSummary
	case m.HasResult():
		return draw.WhoResult
	case m.HasCall():
		return draw.WhoCall
	case m.Role == model.Assistant:
		return draw.WhoAssistant
	case m.Role == model.System:
		return draw.WhoSystem
	}
	return draw.WhoUser
}

// gist is a message in one line: its calls or results first, since those decide
// what can be cut, then what was said.
func gist(m *model.Message) string {
	var parts []string
	room := gistCells
	add := func(traffic bool) {
		for i := range m.Parts {
			p := &m.Parts[i]
			if room <= 0 || traffic != (p.Kind == model.ToolCall || p.Kind == model.ToolResult) {
				continue
			}
			if text := partGist(p, room); text != "" {
				parts = append(parts, text)
				room -= len(text) + len(gistJoin)
			}
		}
	}
	add(true)
	add(false)
	return draw.Line(strings.Join(parts, gistJoin), gistCells)
}

const gistJoin = " | "

func partGist(p *model.Part, room int) string {
	switch p.Kind {
	case model.ToolCall:
		return draw.Line(p.Name+" "+arguments(p.Text, room), room)
	case model.ToolResult:
		return resultGist(p, room)
	case model.Thinking:
		return draw.Line("thinking: "+p.Text, room)
	case model.Image:
		return mediaGist("image", p.Media)
	case model.Document:
		return mediaGist("document", p.Media)
	case model.Opaque:
		return "sealed reasoning"
	}
	return draw.Line(p.Text, room)
}

func resultGist(p *model.Part, room int) string {
	head := ""
	if p.IsError {
		head = "error: "
	}
	text := p.Output()
	if text == "" {
		for i := range p.List {
			if p.List[i].Kind == model.Image {
				return head + mediaGist("image", p.List[i].Media)
			}
		}
		return head + "empty"
	}
	return draw.Line(head+text, room)
}

func mediaGist(what string, m *model.Media) string {
	if m == nil || m.Type == "" {
		return what
	}
	return what + " " + draw.Line(m.Type, 40)
}

// arguments writes a call's input as name=value, in the file's order, as much as
// is wanted of it.
func arguments(input string, room int) string {
	if len(input) > 1<<16 {
		input = strings.TrimRight(input[:1<<16], `\`) + `"}` // a value of megabytes says no more in one line
	}
	v := gjson.Parse(input)
	if !v.IsObject() {
		return draw.Line(v.String(), room)
	}
	var b strings.Builder
	v.ForEach(func(key, value gjson.Result) bool {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(draw.Line(key.String(), 40) + "=" + draw.Line(value.String(), room))
		return b.Len() < room
	})
	return b.String()
}

// pairNote says what is unusual about a message's tool traffic: a call whose
// result has not come is open, a result without its call is lone, and of
// parallel calls it is said how many were answered.
func pairNote(v *compactor.View, i int) string {
	m := v.Message(i)
	calls, answered, results, paired := 0, 0, 0, 0
	for k := range m.Parts {
		switch m.Parts[k].Kind {
		case model.ToolCall:
			calls++
			if v.Mate(i, k) >= 0 {
				answered++
			}
		case model.ToolResult:
			results++
			if v.Mate(i, k) >= 0 {
				paired++
			}
		}
	}
	switch {
	case results > 0 && paired == 0:
		return "lone"
	case results > paired:
		return fmt.Sprintf("%d/%d lone", results-paired, results)
	case calls == 1 && answered == 0:
		return "open"
	case calls > 1 && answered < calls:
		return fmt.Sprintf("%d/%d answered", answered, calls)
	}
	return ""
}

// toolNames are the tools a message calls, or whose results it carries.
func toolNames(m *model.Message) []string {
	var out []string
	for i := range m.Parts {
		if p := &m.Parts[i]; (p.Kind == model.ToolCall || p.Kind == model.ToolResult) && p.Name != "" {
			out = append(out, p.Name)
		}
	}
	return out
}

// place is where in the file a message was read from.
func place(c *model.Conversation, m *model.Message) string {
	name := filepath.Base(c.Path)
	if n := m.Line(); n > 0 {
		return name + ":" + strconv.Itoa(n)
	}
	if len(m.Spans) > 0 && m.Spans[0].Record != "" {
		return name + " " + m.Spans[0].Record
	}
	return ""
}

// indented is JSON over several lines, for reading; anything else as it is.
func indented(raw string) string {
	if len(raw) > 1<<20 || !gjson.Valid(raw) {
		return raw
	}
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(raw), "", "  "); err != nil {
		return raw
	}
	return out.String()
}

// fullText is a message as text, its parts one after the other.
func fullText(m *model.Message) string {
	var parts []string
	for i := range m.Parts {
		p := &m.Parts[i]
		switch p.Kind {
		case model.ToolCall:
			parts = append(parts, p.Name+" "+p.Text)
		case model.ToolResult:
			parts = append(parts, p.Output())
		case model.Image, model.Document, model.Opaque:
			parts = append(parts, "["+p.Kind.String()+"]")
		default:
			parts = append(parts, p.Text)
		}
	}
	return strings.Join(parts, "\n\n")
}
