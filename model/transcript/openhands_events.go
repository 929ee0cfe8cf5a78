package transcript

import (
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// action reads an action of the first generation: what the agent or the user did.
func (d *openhands) action(e gjson.Result) {
	args, from := e.Get("args"), e.Get("tool_call_metadata")
	switch kind := e.Get("action").Str; {
	case kind == "system":
		d.conv.System = str(args.Get("content"))
		if tools := args.Get("tools"); tools.IsArray() {
			d.conv.Tools = compact(tools)
		}
	case kind == "recall" || kind == "change_agent_state" || kind == "null" || kind == "condensation_request":
	case kind == "condensation":
		d.condense(e, args)
	case from.IsObject():
		d.called(e, from)
	case kind == "message":
		parts := content(args.Get("content"), openaiBlock, d.odd)
		args.Get("image_urls").ForEach(func(_, url gjson.Result) bool {
			parts = append(parts, picture("", str(url)))
			return true
		})
		if e.Get("source").Str == "agent" {
			d.say(e, model.Assistant, "agent", parts...)
			return
		}
		d.say(e, model.User, "user", parts...)
	case kind == "finish":
		said := first(args, "final_thought", "message", "thought")
		d.say(e, model.Assistant, "agent", content(said, openaiBlock, d.odd)...)
	default:
		id := d.calls.call("", kind)
		d.callOf[e.Get("id").String()] = id
		call := toolCall(id, kind, args)
		d.answer(e, "", content(args.Get("thought"), openaiBlock, d.odd), call)
	}
}

// called reads an action that a tool call asked for. Every event repeats the
// whole response; its words count once.
func (d *openhands) called(e, from gjson.Result) {
	response := from.Get("model_response")
	message := response.Get("choices.0.message")
	id, name := str(from.Get("tool_call_id")), str(from.Get("function_name"))
	call := toolCall(id, name, e.Get("args"))
	message.Get("tool_calls").ForEach(func(_, c gjson.Result) bool {
		if c.Get("id").Str == id {
			call.Text = input(c.Get("function.arguments"))
			return false
		}
		return true
	})
	before := append(openaiReasoning(message), content(message.Get("content"), openaiBlock, d.odd)...)
	m := d.answer(e, str(response.Get("id")), before, call)
	if m.Usage == nil {
		m.Usage, m.Model = openaiUsage(response.Get("usage")), str(response.Get("model"))
		d.conv.Model = m.Model
	}
}

// observation reads what an action of the first generation led to.
func (d *openhands) observation(e gjson.Result) {
	kind := e.Get("observation").Str
	switch kind {
	case "agent_state_changed", "null", "recall", "condense", "think":
		if !e.Get("tool_call_metadata").IsObject() {
			return
		}
	}
	id := str(e.Get("tool_call_metadata.tool_call_id"))
	name := str(e.Get("tool_call_metadata.function_name"))
	if id == "" {
		if id = d.callOf[e.Get("cause").String()]; id != "" {
			name = kind
		}
	}
	if id == "" {
		d.say(e, model.User, kind, content(first(e, "content", "message"), openaiBlock, d.odd)...)
		return
	}
	part := result(id, name, e.Get("content"), openaiBlock)
	part.IsError = kind == "error"
	d.say(e, model.User, kind, part)
}

// current reads an event of the second generation.
func (d *openhands) current(e gjson.Result) {
	switch kind := e.Get("kind").Str; kind {
	case "SystemPromptEvent":
		d.conv.System = str(first(e, "system_prompt.text", "system_prompt"))
		if tools := e.Get("tools"); tools.IsArray() {
			d.conv.Tools = compact(tools)
		}
	case "MessageEvent":
		m := e.Get("llm_message")
		role, ok := roleOf(m.Get("role").Str)
		if !ok {
			d.odd("message from " + str(m.Get("role")))
			return
		}
		parts := append(openaiReasoning(m), content(m.Get("content"), openhandsBlock, d.odd)...)
		d.say(e, role, str(m.Get("role")), parts...)
	case "ActionEvent":
		before := content(e.Get("thought"), openhandsBlock, d.odd)
		if len(before) == 0 || !strings.HasPrefix(before[0].Text, "<think>") {
			before = append(openaiReasoning(e), before...) // not told in the text already
		}
		call := toolCall(str(e.Get("tool_call_id")), str(e.Get("tool_name")), first(e, "tool_call.arguments", "tool_call.function.arguments", "action"))
		d.answer(e, str(e.Get("llm_response_id")), before, call)
	case "ObservationEvent", "UserRejectObservation", "AgentErrorEvent":
		output := first(e, "observation.content", "observation.output", "observation.result", "rejection_reason", "error", "observation")
		part := result(str(e.Get("tool_call_id")), str(e.Get("tool_name")), output, openhandsBlock)
		part.IsError = kind != "ObservationEvent" || e.Get("observation.is_error").Bool()
		d.say(e, model.User, "tool", part)
	case "Condensation":
		d.condense(e, e)
	case "CondensationRequest", "CondensationSummaryEvent", "PauseEvent", "TokenEvent", "LLMCompletionLogEvent":
	case "ConversationStateUpdateEvent":
		if name := e.Get("value.usage_to_metrics.default.model_name"); name.Str != "" {
			d.conv.Model = str(name)
		}
	default:
		d.odd(kind)
	}
}

// openhandsBlock reads a content block; an image may hold several.
func openhandsBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	if b.Get("type").Str == "image" && b.Get("image_urls").IsArray() {
		b.Get("image_urls").ForEach(func(_, url gjson.Result) bool {
			parts = append(parts, picture("", str(url)))
			return true
		})
		return parts, true
	}
	return openaiBlock(parts, b)
}
