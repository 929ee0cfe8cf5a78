package transcript

import (
	"github.com/tidwall/gjson"

	"cinch/model"
)

// isOpenAI knows Chat Completions by a list of messages, which is what many
// formats have: it is asked last.
func isOpenAI(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		if r.IsArray() {
			r = r.Get("0")
		}
		list, _, _ := messageList(r)
		if list.Exists() || isMessage(r) || r.Get("choices.0.message").Exists() || r.Get("response.choices").Exists() {
			return true
		}
	}
	return false
}

// decodeOpenAI reads Chat Completions: a request, a response, both in one log
// record, a bare list of messages, or one of these on each line.
func decodeOpenAI(doc *Document) ([]*model.Conversation, error) {
	d := chat{doc: doc, dialect: dialect{begin: openaiBegin, message: openaiMessage, answer: openaiAnswer}}
	return d.decode()
}

// openaiBegin reads the tool schemas; the system prompt is a message.
func openaiBegin(c *model.Conversation, body gjson.Result) {
	if tools := first(body, "tools", "functions"); tools.IsArray() {
		c.Tools = compact(tools)
	}
}

// openaiMessage reads a chat message. Its tool calls may stand in the content
// as well; tool_calls is what counts then.
func openaiMessage(d *chat, m gjson.Result) *model.Message {
	switch m.Get("role").Str {
	case "tool", "function":
		id := d.calls.result(str(m.Get("tool_call_id")), str(m.Get("name")))
		part := result(id, str(m.Get("name")), m.Get("content"), toolOutputBlock)
		part.IsError = m.Get("is_error").Bool()
		return &model.Message{Parts: []model.Part{part}}
	case "assistant", "ai", "model":
	default:
		return &model.Message{Parts: content(m.Get("content"), d.known(false), d.odd)}
	}
	calls := openaiCalls(d, m)
	parts := openaiReasoning(m)
	for _, p := range content(m.Get("content"), d.known(len(calls) > 0), d.odd) {
		if p.Kind == model.Thinking && len(parts) > 0 && parts[0].Kind == model.Thinking && parts[0].Text == p.Text {
			continue
		}
		parts = append(parts, p)
	}
	parts = append(parts, content(m.Get("refusal"), openaiBlock, d.odd)...)
	return &model.Message{Parts: append(parts, calls...)}
}

// openaiCalls reads a message's tool calls.
func openaiCalls(d *chat, m gjson.Result) []model.Part {
	var calls []model.Part
	add := func(id, name string, arguments gjson.Result) {
		calls = append(calls, toolCall(d.calls.call(id, name), name, arguments))
	}
	m.Get("tool_calls").ForEach(func(_, c gjson.Result) bool {
		add(str(c.Get("id")), str(first(c, "function.name", "custom.name", "name")),
			first(c, "function.arguments", "custom.input", "arguments", "args"))
		return true
	})
	if c := m.Get("function_call"); c.IsObject() && len(calls) == 0 {
		add("", str(c.Get("name")), c.Get("arguments"))
	}
	return calls
}

// known reads content parts, and drops calls from them when they only repeat tool_calls.
func (d *chat) known(repeats bool) blockReader {
	return func(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
		switch b.Get("type").Str {
		case "tool_call":
			return parts, repeats
		case "tool_use", "server_tool_use":
			if repeats {
				return parts, true
			}
		}
		at := len(parts)
		parts, ok := openaiBlock(parts, b)
		d.calls.pair(parts[at:])
		return parts, ok
	}
}

// toolOutputBlock reads a content part of a tool message.
func toolOutputBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	if b.Get("type").Str == "tool_output" {
		return append(parts, model.Part{Kind: model.Text, Text: str(b.Get("text"))}), true
	}
	return openaiBlock(parts, b)
}

// openaiAnswer is the first choice of a response.
func openaiAnswer(response gjson.Result) (gjson.Result, *model.Usage) {
	return response.Get("choices.0.message"), openaiUsage(response.Get("usage"))
}
