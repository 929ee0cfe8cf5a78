package transcript

import (
	"fmt"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isClaudeExport knows Claude's account export by its chat messages.
func isClaudeExport(head []gjson.Result, _ bool) bool {
	r := head[0]
	if r.IsArray() {
		r = r.Get("0")
	}
	return r.Get("chat_messages").IsArray() && r.Get("uuid").Exists()
}

// decodeClaudeExport reads all conversations of an account. What a tool gave
// stands inside the answer that called it.
func decodeClaudeExport(doc *Document) ([]*model.Conversation, error) {
	var all []*model.Conversation
	err := doc.Each(func(rec Record) error {
		here := in(rec)
		one := func(r gjson.Result) {
			if r.Get("chat_messages").IsArray() {
				all = append(all, claudeChat(doc, r, here))
			}
		}
		if rec.JSON.IsArray() {
			rec.JSON.ForEach(func(_, r gjson.Result) bool { one(r); return true })
		} else {
			one(rec.JSON)
		}
		return nil
	})
	return all, err
}

// claudeChat reads one conversation.
func claudeChat(doc *Document, r gjson.Result, here *inside) *model.Conversation {
	c := &model.Conversation{ID: str(r.Get("uuid")), Title: str(r.Get("name")), Model: str(r.Get("model"))}
	var calls pending
	n := 0
	r.Get("chat_messages").ForEach(func(_, m gjson.Result) bool {
		span := here.span(m, fmt.Sprintf("chat_messages[%d]", n))
		n++
		role, ok := roleOf(m.Get("sender").Str)
		if !ok {
			leftOut(doc, span.Line, "message from "+str(m.Get("sender")))
			return true
		}
		got := &model.Message{
			Role: role, Wrote: str(m.Get("sender")), ID: str(m.Get("uuid")), Time: moment(m.Get("created_at")), Spans: []model.Span{span},
		}
		got.Parts = content(m.Get("content"), claudeChatBlock, func(kind string) {
			leftOut(doc, span.Line, kind)
		})
		if len(got.Parts) == 0 {
			got.Parts = content(m.Get("text"), claudeChatBlock, func(string) {})
		}
		m.Get("attachments").ForEach(func(_, a gjson.Result) bool {
			got.Parts = append(got.Parts, model.Part{Kind: model.Document, Text: str(a.Get("extracted_content"))})
			return true
		})
		calls.pair(got.Parts)
		c.Messages = append(c.Messages, got)
		return true
	})
	return c
}

// claudeChatBlock reads a block of an exported message.
func claudeChatBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	switch b.Get("type").Str {
	case "token_budget", "flag", "voice_note":
		return parts, true
	}
	return anthropicBlock(parts, b)
}
