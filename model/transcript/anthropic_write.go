package transcript

import (
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// encodeAnthropic writes the Messages API. There system messages are no
// messages: made from the model they join the system prompt, and user messages
// in a row, where other formats keep each result, become one.
func encodeAnthropic(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error {
	body, bare, err := from.body(chatBody)
	if err != nil {
		return err
	}
	system := c.System
	var list, fresh []string
	var open []string // blocks of the message being made from the model
	var role string
	flush := func() {
		if len(open) > 0 {
			list = append(list, `{"role":`+quote(role)+`,"content":[`+strings.Join(open, ",")+"]}")
		}
		open = nil
	}
	for _, m := range messages {
		was, same := from.before(m)
		switch {
		case was != nil:
			flush()
			text := from.text[m.Spans[0]]
			if !same {
				text = anthropicEdit(text, was, m)
			}
			if from.outdated(m) {
				text = uncounted(text, "usage", claudeCounts...)
			}
			list = append(list, text)
			continue
		case m.Role == model.System:
			for _, p := range m.Parts {
				system = strings.TrimPrefix(system+"\n"+p.Text, "\n")
			}
			continue
		}
		if says := m.Role.String(); says != role || m.Role == model.Assistant {
			flush()
			role = says
		}
		for i := range m.Parts {
			if block := anthropicJSON(&m.Parts[i]); block != "" {
				open = append(open, block)
			}
		}
	}
	flush()
	if c.Model != "" {
		fresh = append(fresh, `"model":`+quote(c.Model))
	}
	if system != "" {
		fresh = append(fresh, `"system":`+quote(system))
	}
	if tools := toolsAs("anthropic", c.Tools); tools != "" {
		fresh = append(fresh, `"tools":`+tools)
	}
	return encodeList(w, c, body, bare, "messages", list, fresh)
}

// anthropicEdit is a message of the file without the blocks a pass took from
// it, and with the results it changed.
func anthropicEdit(text string, was, now *model.Message) string {
	at := kept(was.Parts, now.Parts)
	var blocks []string
	n := 0
	one := func(b gjson.Result) {
		parts := content(b, anthropicBlock, func(string) {})
		stays, changed := len(parts) == 0, false
		var made []string
		for range parts {
			if n < len(at) && at[n] >= 0 {
				stays = true
				part := &now.Parts[at[n]]
				changed = changed || part.Output() != was.Parts[n].Output() || len(part.List) != len(was.Parts[n].List)
				made = append(made, anthropicJSON(part))
			}
			n++
		}
		switch {
		case changed && len(made) == 1 && b.Get("type").Str == "tool_result":
			blocks = append(blocks, put(b.Raw, "content", gjson.Get(made[0], "content").Raw))
		case stays && b.Type == gjson.String:
			blocks = append(blocks, made...)
		case stays:
			blocks = append(blocks, b.Raw)
		}
	}
	if list := gjson.Get(text, "content"); list.IsArray() {
		list.ForEach(func(_, b gjson.Result) bool { one(b); return true })
	} else {
		one(list)
	}
	return replaced(text, "content", "["+strings.Join(blocks, ",")+"]")
}

// anthropicJSON writes a part as a block; "" when there is none for it. Thinking
// needs the provider's signature, which another format does not have.
func anthropicJSON(p *model.Part) string {
	switch p.Kind {
	case model.Text:
		if p.Text == "" {
			return "" // the API refuses empty text
		}
		return `{"type":"text","text":` + quote(p.Text) + "}"
	case model.Document:
		if p.Media == nil || p.Text != "" {
			return `{"type":"document","source":{"type":"text","media_type":"text/plain","data":` + quote(p.Text) + "}}"
		}
		return `{"type":"document","source":` + anthropicSource(p.Media) + "}"
	case model.Image:
		if p.Media == nil {
			return ""
		}
		return `{"type":"image","source":` + anthropicSource(p.Media) + "}"
	case model.ToolCall:
		return `{"type":"tool_use","id":` + quote(anthropicID(p.ID)) + `,"name":` + quote(p.Name) + `,"input":` + arguments(p) + "}"
	case model.ToolResult:
		content := quote(p.Text)
		if p.List != nil {
			var list []string
			for i := range p.List {
				if block := anthropicJSON(&p.List[i]); block != "" {
					list = append(list, block)
				}
			}
			content = "[" + strings.Join(list, ",") + "]"
		}
		failed := ""
		if p.IsError {
			failed = `,"is_error":true`
		}
		return `{"type":"tool_result","tool_use_id":` + quote(anthropicID(p.ID)) + `,"content":` + content + failed + "}"
	}
	return ""
}

// anthropicID is a call's id in the letters that the API takes.
func anthropicID(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, id)
}

// anthropicSource writes where bytes come from.
func anthropicSource(m *model.Media) string {
	if m.Encoding == "url" {
		return `{"type":"url","url":` + quote(m.Data) + "}"
	}
	return `{"type":"base64","media_type":` + quote(m.Type) + `,"data":` + quote(m.Data) + "}"
}
