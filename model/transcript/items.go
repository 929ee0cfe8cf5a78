package transcript

import (
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// items builds messages from Responses items, the form of the Responses API and
// of Codex. What the model gave in one answer is several items (reasoning, text,
// calls); they join one assistant message until an output, somebody else's
// message or the end of the response closes it. Every output is a user message
// of its own, as it is an item of its own.
type items struct {
	messages []*model.Message
	open     *model.Message // the answer that later items may still join
	odd      func(kind string)
}

// item is one of them, with where it stands and when it was written.
type item struct {
	gjson.Result
	span model.Span
	time time.Time
}

// add reads an item into the messages and returns the message it went to; nil
// when the model is sent nothing for it.
func (l *items) add(it item) *model.Message {
	switch kind := it.Get("type").Str; kind {
	case "", "message":
		return l.message(it)
	case "reasoning":
		return l.answer(it, reasoningItem(it.Result)...)
	case "function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call",
		"computer_call", "tool_search_call", "mcp_approval_request":
		return l.answer(it, callItem(it.Result, kind))
	case "mcp_call":
		call := callItem(it.Result, kind)
		output := first(it.Result, "output", "error")
		if !output.Exists() {
			return l.answer(it, call)
		}
		answered := result(call.ID, call.Name, output, openaiBlock)
		answered.IsError = first(it.Result, "error").Exists()
		return l.answer(it, call, answered)
	case "web_search_call", "file_search_call", "code_interpreter_call":
		// The provider ran these itself; they have neither call id nor output.
		return l.answer(it, model.Part{
			Kind: model.Opaque, Name: kind,
			Text: compact(first(it.Result, "action", "queries", "code")),
		})
	case "image_generation_call":
		data := it.Get("result")
		if data.Str == "" {
			return nil
		}
		return l.answer(it, model.Part{Kind: model.Image, Media: media("image/png", str(data))})
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "shell_call_output",
		"apply_patch_call_output", "computer_call_output", "tool_search_output", "mcp_tool_call_output":
		output := first(it.Result, "output", "tools")
		part := result(str(first(it.Result, "call_id", "id")), "", output, openaiBlock)
		return l.push(it, model.User, kind, part)
	case "compaction", "compaction_summary", "context_compaction":
		m := l.push(it, model.User, kind, sealed(it.Get("encrypted_content")))
		m.Mark = model.Summary
		return m
	case "agent_message":
		return l.push(it, model.User, kind, content(it.Get("content"), openaiBlock, l.odd)...)
	case "item_reference", "ghost_snapshot", "additional_tools", "mcp_list_tools", "mcp_approval_response":
		return nil
	default:
		l.odd(kind)
		return nil
	}
}

// end closes the answer: what follows belongs to another one.
func (l *items) end() { l.open = nil }

// message reads a message item.
func (l *items) message(it item) *model.Message {
	wrote := str(it.Get("role"))
	role, ok := roleOf(wrote)
	if !ok {
		l.odd("message from " + wrote)
		return nil
	}
	parts := content(it.Get("content"), openaiBlock, l.odd)
	if role == model.Assistant {
		if !slices.ContainsFunc(parts, func(p model.Part) bool { return p.Kind == model.ToolCall }) {
			return l.answer(it, parts...)
		}
		// A message that holds its calls itself is an answer of its own.
		l.end()
		defer l.end()
		return l.answer(it, parts...)
	}
	return l.push(it, role, wrote, parts...)
}

// answer adds parts to the open assistant message, or opens one.
func (l *items) answer(it item, parts ...model.Part) *model.Message {
	if l.open == nil {
		m := l.push(it, model.Assistant, "assistant", parts...)
		l.open = m
		return m
	}
	m := l.open
	if m.ID == "" && it.Get("type").Str != "reasoning" {
		m.ID = str(it.Get("id"))
	}
	for i := range parts {
		parts[i].Span = uint16(min(len(m.Spans), 1<<16-1))
	}
	m.Spans = append(m.Spans, it.span)
	m.Parts = append(m.Parts, parts...)
	return m
}

// push adds a message.
func (l *items) push(it item, role model.Role, wrote string, parts ...model.Part) *model.Message {
	m := &model.Message{
		Role: role, Wrote: wrote, ID: str(it.Get("id")), Time: it.time,
		Parts: parts, Spans: []model.Span{it.span},
	}
	l.end()
	l.messages = append(l.messages, m)
	return m
}

// reasoningItem reads reasoning: what is readable of it, and what only the
// provider can read.
func reasoningItem(it gjson.Result) []model.Part {
	var parts []model.Part
	for _, name := range []string{"summary", "content"} {
		for _, p := range content(it.Get(name), openaiBlock, func(string) {}) {
			if p.Kind == model.Text {
				p.Kind = model.Thinking
			}
			parts = append(parts, p)
		}
	}
	if sealing := it.Get("encrypted_content"); sealing.Str != "" {
		parts = append(parts, sealed(sealing))
	}
	return parts
}

// callItem reads a call of a tool that the agent runs.
func callItem(it gjson.Result, kind string) model.Part {
	name := str(it.Get("name"))
	if space := it.Get("namespace"); space.Str != "" {
		name = str(space) + "." + name
	}
	if name == "" {
		name = map[string]string{
			"local_shell_call": "local_shell", "shell_call": "shell", "apply_patch_call": "apply_patch",
			"computer_call": "computer", "tool_search_call": "tool_search",
		}[kind]
	}
	return toolCall(str(first(it, "call_id", "id")), name, first(it, "arguments", "input", "action", "operation"))
}

// roleOf is the engine's role for one a file wrote.
func roleOf(wrote string) (model.Role, bool) {
	switch wrote {
	case "user", "human", "tool", "function":
		return model.User, true
	case "assistant", "ai", "model":
		return model.Assistant, true
	case "system", "developer":
		return model.System, true
	}
	return 0, false
}
