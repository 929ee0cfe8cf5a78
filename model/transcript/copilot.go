package transcript

import (
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isCopilot knows Copilot CLI's events by their dotted types.
func isCopilot(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		if !r.Get("data").IsObject() {
			continue
		}
		switch r.Get("type").Str {
		case "session.start", "session.resume", "user.message", "assistant.message", "tool.execution_complete":
			return true
		}
	}
	return false
}

// copilot reads one session's events. A subagent's are those that name the call
// which started it: they make a conversation of their own.
type copilot struct {
	doc              *Document
	conv             *model.Conversation
	history, context []*model.Message
	children         map[string]*model.Conversation
	said             string // what the person said first, without what was put around it
}

// decodeCopilot reads the session.
func decodeCopilot(doc *Document) ([]*model.Conversation, error) {
	d := &copilot{doc: doc, conv: &model.Conversation{}, children: map[string]*model.Conversation{}}
	err := doc.Each(func(rec Record) error {
		d.event(rec, rec.JSON.Get("type").Str, rec.JSON.Get("data"))
		return nil
	})
	if d.conv.Title == "" {
		d.conv.Title = d.said
	}
	if len(d.conv.Compactions) > 0 {
		d.conv.SetViews(d.history, d.context)
	}
	return []*model.Conversation{d.conv}, err
}

// event reads one event.
func (d *copilot) event(rec Record, kind string, e gjson.Result) {
	m := &model.Message{
		ID: str(rec.JSON.Get("id")), Time: moment(rec.JSON.Get("timestamp")), Spans: []model.Span{rec.Span(str(rec.JSON.Get("id")))},
	}
	odd := func(kind string) { leftOut(d.doc, rec.Line, kind) }
	switch kind {
	case "session.start", "session.resume":
		if id := e.Get("sessionId"); id.Exists() {
			d.conv.ID = str(id)
		}
		if dir := e.Get("context.cwd"); dir.Exists() {
			d.conv.Dir = str(dir)
		}
		d.model(e.Get("selectedModel"))
	case "session.model_change":
		d.model(e.Get("newModel"))
	case "session.title_changed":
		d.conv.Title = str(e.Get("title"))
	case "system.message":
		d.conv.System = str(e.Get("content"))
	case "user.message":
		m.Wrote = "user"
		m.Parts = content(first(e, "transformedContent", "content"), openaiBlock, odd)
		if said := e.Get("content"); d.said == "" && said.Type == gjson.String {
			d.said = headline(said.Str)
		}
		d.say(m, e)
	case "system.notification":
		m.Wrote, m.Mark = "system.notification", model.Meta
		m.Parts = content(e.Get("content"), openaiBlock, odd)
		d.say(m, e)
	case "assistant.message":
		d.model(e.Get("model"))
		m.Role, m.Wrote, m.Model = model.Assistant, "assistant", d.conv.Model
		m.Parts = copilotAnswer(e, odd)
		d.say(m, e)
	case "session.shutdown":
		d.model(e.Get("currentModel"))
	case "tool.execution_complete":
		if d.conv.Model == "" { // a subagent's call may name another
			d.model(e.Get("model"))
		}
		m.Wrote = "tool"
		output := first(e, "result.content", "error.message", "error", "result")
		part := result(str(e.Get("toolCallId")), str(e.Get("toolName")), output, openaiBlock)
		part.IsError = e.Get("success").Type == gjson.False
		m.Parts = []model.Part{part}
		d.say(m, e)
	case "session.compaction_complete":
		d.compacted(m, e)
	default:
		known := false
		for _, prefix := range []string{"session.", "hook.", "assistant.", "tool.", "permission.", "subagent.", "skill.", "abort", "user_input.", "external_tool.", "command."} {
			known = known || strings.HasPrefix(kind, prefix)
		}
		if !known {
			odd(kind)
		}
	}
}

// model notes the model in use.
func (d *copilot) model(name gjson.Result) {
	if name.Str != "" {
		d.conv.Model = str(name)
	}
}

// copilotAnswer reads what the model said.
func copilotAnswer(e gjson.Result, odd func(string)) []model.Part {
	var parts []model.Part
	if t := e.Get("reasoningText"); t.Str != "" {
		parts = append(parts, model.Part{Kind: model.Thinking, Text: str(t)})
	}
	if s := e.Get("reasoningOpaque"); s.Str != "" {
		parts = append(parts, sealed(s))
	}
	parts = append(parts, content(e.Get("content"), openaiBlock, odd)...)
	e.Get("toolRequests").ForEach(func(_, c gjson.Result) bool {
		parts = append(parts, toolCall(str(c.Get("toolCallId")), str(c.Get("name")), c.Get("arguments")))
		return true
	})
	return parts
}

// say adds a message to all views, or to the subagent it belongs to.
func (d *copilot) say(m *model.Message, e gjson.Result) {
	if call := e.Get("parentToolCallId"); call.Str != "" {
		child := d.children[call.Str]
		if child == nil {
			child = &model.Conversation{ID: str(call), CallID: str(call), Parent: d.conv.ID, Dir: d.conv.Dir, Model: d.conv.Model}
			d.children[child.ID] = child
			d.conv.Children = append(d.conv.Children, child)
		}
		child.Messages = append(child.Messages, m)
		return
	}
	d.conv.Messages = append(d.conv.Messages, m)
	d.history = append(d.history, m)
	d.context = append(d.context, m)
}

// compacted notes a compaction that succeeded: its summary stands for all before it.
func (d *copilot) compacted(m *model.Message, e gjson.Result) {
	if e.Get("success").Type == gjson.False {
		return
	}
	m.Wrote, m.Mark = "session.compaction_complete", model.Summary
	m.Parts = content(e.Get("summaryContent"), openaiBlock, func(string) {})
	d.conv.Compactions = append(d.conv.Compactions, model.Compaction{
		Kind: "compaction", Before: e.Get("preCompactionTokens").Int(), After: e.Get("postCompactionTokens").Int(),
		Log: len(d.conv.Messages), History: len(d.history), Line: m.Line(), Summary: str(e.Get("summaryContent")), Time: m.Time,
	})
	d.conv.Messages = append(d.conv.Messages, m)
	d.context = []*model.Message{m}
}
