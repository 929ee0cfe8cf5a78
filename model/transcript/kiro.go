package transcript

import (
	"fmt"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isKiro knows the conversations of Kiro CLI and Amazon Q by their turns.
func isKiro(head []gjson.Result, _ bool) bool {
	h := head[0].Get("history.0")
	if h.IsArray() {
		return h.Get("0.content").Exists() && head[0].Get("conversation_id").Exists()
	}
	return head[0].Get("conversation_id").Exists() && (h.Get("user").Exists() || h.Get("assistant").Exists())
}

// kiro reads one conversation.
type kiro struct {
	doc   *Document
	conv  *model.Conversation
	calls pending
}

// decodeKiro reads all conversations. A turn is what the user said, or the
// results the agent was given, and what the model answered.
func decodeKiro(doc *Document) ([]*model.Conversation, error) {
	var all []*model.Conversation
	err := doc.Each(func(rec Record) error {
		r, here, n := rec.JSON, in(rec), 0
		d := &kiro{doc: doc, conv: &model.Conversation{ID: str(r.Get("conversation_id"))}}
		if tools := r.Get("tools"); tools.Exists() {
			d.conv.Tools = compact(tools)
		}
		r.Get("history").ForEach(func(_, turn gjson.Result) bool {
			span := here.span(turn, fmt.Sprintf("history[%d]", n))
			n++
			user, assistant := turn.Get("user"), turn.Get("assistant")
			if turn.IsArray() {
				user, assistant = turn.Get("0"), turn.Get("1")
			}
			d.user(user, span)
			d.assistant(assistant, span)
			return true
		})
		all = append(all, d.conv)
		return nil
	})
	return all, err
}

// user reads a prompt or a turn's tool results. A turn may have neither: the
// agent went on by itself.
func (d *kiro) user(u gjson.Result, span model.Span) {
	m := &model.Message{Wrote: "user", Time: moment(u.Get("timestamp")), Spans: []model.Span{span}}
	c := u.Get("content")
	if p := first(c, "Prompt.prompt", "CancelledToolUses.prompt"); p.Type == gjson.String {
		m.Parts = append(m.Parts, model.Part{Kind: model.Text, Text: str(p)})
	}
	first(c, "ToolUseResults.tool_use_results", "CancelledToolUses.tool_use_results").ForEach(func(_, r gjson.Result) bool {
		part := result(d.calls.result(str(r.Get("tool_use_id")), ""), "", r.Get("content"), kiroBlock)
		part.IsError = r.Get("status").Str == "Error"
		m.Parts = append(m.Parts, part)
		return true
	})
	if len(m.Parts) > 0 {
		d.conv.Messages = append(d.conv.Messages, m)
	}
}

// assistant reads an answer, with or without calls.
func (d *kiro) assistant(a gjson.Result, span model.Span) {
	answer := first(a, "Response", "ToolUse")
	if !answer.Exists() {
		return
	}
	m := &model.Message{Role: model.Assistant, Wrote: "assistant", ID: str(answer.Get("message_id")), Spans: []model.Span{span}}
	if said := answer.Get("content"); said.Str != "" {
		m.Parts = append(m.Parts, model.Part{Kind: model.Text, Text: str(said)})
	}
	d.calls.drop()
	answer.Get("tool_uses").ForEach(func(_, c gjson.Result) bool {
		name := str(first(c, "name", "orig_name"))
		id := d.calls.call(str(c.Get("id")), name)
		m.Parts = append(m.Parts, toolCall(id, name, first(c, "args", "orig_args")))
		return true
	})
	d.conv.Messages = append(d.conv.Messages, m)
}

// kiroBlock reads a piece of a tool's output.
func kiroBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	if t := b.Get("Text"); t.Exists() {
		return append(parts, model.Part{Kind: model.Text, Text: str(t)}), true
	}
	return append(parts, model.Part{Kind: model.Text, Text: compact(first(b, "Json"))}), b.Get("Json").Exists()
}
