package transcript

import (
	"io"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// encodeOpenAI writes Chat Completions.
func encodeOpenAI(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error {
	body, bare, err := from.body(chatBody)
	if err != nil {
		return err
	}
	var list, fresh []string
	if from == nil && c.System != "" {
		list = append(list, `{"role":"system","content":`+quote(c.System)+"}")
	}
	for _, m := range messages {
		switch was, same := from.before(m); {
		case same:
			list = append(list, from.text[m.Spans[0]])
		case was != nil:
			list = append(list, openaiEdit(from.text[m.Spans[0]], was, m))
		default:
			list = append(list, openaiJSON(m)...)
		}
	}
	if c.Model != "" {
		fresh = append(fresh, `"model":`+quote(c.Model))
	}
	if tools := toolsAs("openai", c.Tools); tools != "" {
		fresh = append(fresh, `"tools":`+tools)
	}
	return encodeList(w, c, body, bare, "messages", list, fresh)
}

// openaiEdit is a message of the file without what a pass took from it.
func openaiEdit(text string, was, now *model.Message) string {
	m := gjson.Parse(text)
	switch role := m.Get("role").Str; {
	case role == "tool" || role == "function":
		return put(text, "content", openaiOutput(&now.Parts[0]))
	case !m.Get("tool_calls").Exists() && !m.Get("function_call").Exists():
		// What is gone stood in the content, in Anthropic's words.
		return anthropicEdit(text, &model.Message{Parts: was.Parts[len(openaiReasoning(m)):]}, now)
	}
	at := kept(was.Parts, now.Parts)
	var left []string // calls that are still there, in their order
	n := 0
	gone := map[int]bool{}
	for i, p := range was.Parts {
		if p.Kind == model.ToolCall {
			gone[n] = at[i] < 0
			n++
		}
	}
	n = 0
	gjson.Get(text, "tool_calls").ForEach(func(_, call gjson.Result) bool {
		if !gone[n] {
			left = append(left, call.Raw)
		}
		n++
		return true
	})
	if len(left) == 0 {
		return members(text, []string{"tool_calls", "function_call"})
	}
	return replaced(text, "tool_calls", "["+strings.Join(left, ",")+"]")
}

// openaiJSON writes a message made from the model. Results are messages of
// their own there, before whatever else it says.
func openaiJSON(m *model.Message) []string {
	var list, calls, said []string
	plain := true // one text can be a string
	thought := ""
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case model.ToolResult:
			list = append(list, `{"role":"tool","tool_call_id":`+quote(p.ID)+`,"content":`+openaiOutput(p)+"}")
		case model.ToolCall:
			calls = append(calls, `{"id":`+quote(p.ID)+`,"type":"function","function":{"name":`+quote(p.Name)+`,"arguments":`+quote(openaiArguments(p))+"}}")
		case model.Thinking:
			thought += p.Text
		case model.Text:
			said = append(said, `{"type":"text","text":`+quote(p.Text)+"}")
		case model.Image:
			plain = false
			said = append(said, `{"type":"image_url","image_url":{"url":`+quote(dataURL(p.Media))+"}}")
		case model.Document:
			said = append(said, `{"type":"text","text":`+quote(p.Text)+"}")
		}
	}
	if len(list) > 0 && len(said) == 0 && len(calls) == 0 {
		return list
	}
	role := m.Role.String()
	if m.Wrote == "developer" {
		role = m.Wrote
	}
	content := "null"
	switch {
	case len(said) == 1 && plain:
		content = gjson.Get(said[0], "text").Raw
	case len(said) > 0:
		content = "[" + strings.Join(said, ",") + "]"
	case m.Role != model.Assistant:
		content = `""`
	}
	fields := []string{`"role":` + quote(role), `"content":` + content}
	if thought != "" {
		fields = append(fields, `"reasoning_content":`+quote(thought))
	}
	if len(calls) > 0 {
		fields = append(fields, `"tool_calls":[`+strings.Join(calls, ",")+"]")
	}
	message := "{" + strings.Join(fields, ",") + "}"
	if m.Role == model.Assistant { // what the provider ran itself stands beside its result
		return append([]string{message}, list...)
	}
	return append(list, message)
}

// openaiArguments is a call's input as the text the API wants: free text is
// written as it was.
func openaiArguments(p *model.Part) string {
	if v := gjson.Parse(p.Text); v.Type == gjson.String && holdsJSON(p.Text) {
		return v.Str
	}
	return p.Text
}

// openaiOutput is a result's content.
func openaiOutput(p *model.Part) string {
	if !slices.ContainsFunc(p.List, func(q model.Part) bool { return q.Kind == model.Image }) {
		if p.List == nil {
			return quote(p.Text)
		}
	}
	var list []string
	for i := range p.List {
		switch q := &p.List[i]; q.Kind {
		case model.Image:
			list = append(list, `{"type":"image_url","image_url":{"url":`+quote(dataURL(q.Media))+"}}")
		default:
			list = append(list, `{"type":"text","text":`+quote(q.Text)+"}")
		}
	}
	return "[" + strings.Join(list, ",") + "]"
}
