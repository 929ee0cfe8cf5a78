package transcript

import (
	"errors"
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

// isKiroDB knows the database in which both keep them, by folder, and its older form.
func isKiroDB(path string, head []byte) bool {
	return hasTables([]string{"conversations_v2"}, "key", "conversation_id", "value")(path, head) ||
		hasTables([]string{"conversations", "history"}, "key", "value")(path, head)
}

// decodeKiro reads all conversations.
func decodeKiro(doc *Document) ([]*model.Conversation, error) {
	if isDB(doc.Path) {
		return decodeDB(doc, readKiroDB)
	}
	var all []*model.Conversation
	err := doc.Each(func(rec Record) error {
		here := in(rec)
		all = append(all, kiroConversation(doc, rec.JSON, here.span))
		return nil
	})
	return all, err
}

// readKiroDB reads the conversations of the database, the one that went on last
// coming last.
func readKiroDB(db *store) ([]*model.Conversation, error) {
	rows, err := db.query("select key, value from conversations_v2 order by updated_at")
	var limit *Error
	if err != nil && !errors.As(err, &limit) {
		rows, err = db.query("select key, value from conversations order by rowid")
	}
	if err != nil {
		return nil, err
	}
	var all []*model.Conversation
	for _, r := range rows {
		text := r.text("value")
		if !holdsJSON(text) {
			db.doc.Warn(0, 0, "left out the conversation in %s: it is not valid JSON", r.text("key"))
			continue
		}
		c := kiroConversation(db.doc, gjson.Parse(text), func(_ gjson.Result, name string) model.Span { return model.Span{Record: name} })
		if c.Dir = r.text("key"); len(c.Messages) > 0 {
			all = append(all, c)
		}
	}
	return all, nil
}

// kiroConversation reads one conversation. A turn is what the user said, or the
// results the agent was given, and what the model answered. A summary stands for
// what was there before the history.
func kiroConversation(doc *Document, r gjson.Result, span func(gjson.Result, string) model.Span) *model.Conversation {
	d := &kiro{doc: doc, conv: &model.Conversation{
		ID: str(r.Get("conversation_id")), Model: str(first(r, "model_info.model_id", "model_info.model_name")),
		Window: r.Get("model_info.context_window_tokens").Int(),
	}}
	if tools := r.Get("tools"); tools.Exists() {
		d.conv.Tools = compact(tools)
	}
	n := 0
	r.Get("history").ForEach(func(_, turn gjson.Result) bool {
		where := span(turn, fmt.Sprintf("history[%d]", n))
		n++
		user, assistant := turn.Get("user"), turn.Get("assistant")
		if turn.IsArray() {
			user, assistant = turn.Get("0"), turn.Get("1")
		}
		d.user(user, where)
		d.assistant(assistant, where)
		return true
	})
	summary := r.Get("latest_summary")
	if summary.IsArray() {
		summary = summary.Get("0")
	}
	if summary.Type == gjson.String && summary.Str != "" {
		c := d.conv
		m := &model.Message{Mark: model.Summary, Wrote: "summary", Spans: []model.Span{span(summary, "latest_summary")}}
		m.Parts = []model.Part{{Kind: model.Text, Text: str(summary)}}
		c.Compactions = []model.Compaction{{Kind: "summary", Line: m.Line(), Summary: m.Parts[0].Text}}
		history := c.Messages
		c.Messages = append([]*model.Message{m}, history...)
		c.SetViews(history, c.Messages)
	}
	return d.conv
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
