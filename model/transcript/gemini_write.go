package transcript

import (
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// encodeGemini writes a request of the Gemini API, in the words of its REST
// form where they are made from the model.
func encodeGemini(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error {
	name := "contents"
	body, bare, err := from.body(func(r gjson.Result) gjson.Result {
		contents, body := geminiContents(r)
		if !contents.Exists() {
			return gjson.Result{}
		}
		if body.Get("contents").Index != contents.Index {
			name = "history"
		}
		return body
	})
	if err != nil {
		return err
	}
	system := c.System
	var list, fresh []string
	for _, m := range messages {
		text := ""
		was, same := from.before(m)
		if was != nil {
			text = from.text[m.Spans[0]]
		}
		switch {
		case same && gjson.Parse(text).IsObject():
			list = append(list, text)
		case gjson.Get(text, "parts").IsArray():
			list = append(list, geminiEdit(text, was, m))
		case m.Role == model.System:
			for _, p := range m.Parts {
				system = strings.TrimPrefix(system+"\n"+p.Text, "\n")
			}
		default:
			if made := geminiJSON(m, messages); made != "" {
				list = append(list, made)
			}
		}
	}
	if c.Model != "" {
		fresh = append(fresh, `"model":`+quote(c.Model))
	}
	if system != "" {
		fresh = append(fresh, `"systemInstruction":{"parts":[{"text":`+quote(system)+"}]}")
	}
	if tools := toolsAs("gemini", c.Tools); tools != "" {
		fresh = append(fresh, `"tools":`+tools)
	}
	return encodeList(w, c, body, bare, name, list, fresh)
}

// geminiEdit is a message of the file without the parts a pass took from it.
func geminiEdit(text string, was, now *model.Message) string {
	at := kept(was.Parts, now.Parts)
	var parts []string
	n := 0
	gjson.Get(text, "parts").ForEach(func(_, p gjson.Result) bool {
		had := content(p, geminiBlock, func(string) {})
		stays, made := len(had) == 0, ""
		for range had {
			if n < len(at) && at[n] >= 0 {
				stays = true
				if part := &now.Parts[at[n]]; part.Output() != was.Parts[n].Output() {
					made = geminiAnswered(p, part)
				}
			}
			n++
		}
		switch {
		case made != "":
			parts = append(parts, made)
		case stays:
			parts = append(parts, p.Raw)
		}
		return true
	})
	return replaced(text, "parts", "["+strings.Join(parts, ",")+"]")
}

// geminiAnswered is a part with a function's response, with another in its place.
func geminiAnswered(p gjson.Result, part *model.Part) string {
	for _, name := range []string{"functionResponse", "function_response"} {
		if answer := p.Get(name); answer.IsObject() {
			return replaced(p.Raw, name, put(answer.Raw, "response", geminiResponse(part)))
		}
	}
	return geminiPart(part, part.Name)
}

// geminiJSON writes a message made from the model. A result names the function
// it answers, which other formats leave to its call.
func geminiJSON(m *model.Message, messages []*model.Message) string {
	var parts []string
	for i := range m.Parts {
		p := &m.Parts[i]
		name := p.Name
		if p.Kind == model.ToolResult && name == "" {
			name = calledName(messages, p.ID)
		}
		if part := geminiPart(p, name); part != "" {
			parts = append(parts, part)
		}
	}
	if parts == nil {
		return ""
	}
	role := "user"
	if m.Role == model.Assistant {
		role = "model"
	}
	return `{"role":` + quote(role) + `,"parts":[` + strings.Join(parts, ",") + "]}"
}

// calledName is the tool that the newest call with an id asked for.
func calledName(messages []*model.Message, id string) string {
	name := ""
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.Kind == model.ToolCall && p.ID == id {
				name = p.Name
			}
		}
	}
	return name
}

// geminiPart writes a part; "" when there is none for it.
func geminiPart(p *model.Part, name string) string {
	switch p.Kind {
	case model.Text:
		return `{"text":` + quote(p.Text) + "}"
	case model.Thinking:
		return `{"text":` + quote(p.Text) + `,"thought":true}`
	case model.Image, model.Document:
		switch {
		case p.Media == nil:
			return `{"text":` + quote(p.Text) + "}"
		case p.Media.Encoding == "url":
			return `{"fileData":{"mimeType":` + quote(p.Media.Type) + `,"fileUri":` + quote(p.Media.Data) + "}}"
		}
		return `{"inlineData":{"mimeType":` + quote(p.Media.Type) + `,"data":` + quote(p.Media.Data) + "}}"
	case model.ToolCall:
		return `{"functionCall":{` + geminiID(p.ID) + `"name":` + quote(name) + `,"args":` + arguments(p) + "}}"
	case model.ToolResult:
		return `{"functionResponse":{` + geminiID(p.ID) + `"name":` + quote(name) + `,"response":` + geminiResponse(p) + "}}"
	}
	return ""
}

// geminiResponse is what a function gave back.
func geminiResponse(p *model.Part) string {
	if p.IsError {
		return `{"error":` + quote(p.Output()) + "}"
	}
	return `{"output":` + quote(p.Output()) + "}"
}

// geminiID writes an id, unless a reader made it up.
func geminiID(id string) string {
	if id == "" || id[0] == '#' {
		return ""
	}
	return `"id":` + quote(id) + ","
}
