package transcript

import (
	"fmt"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isShareGPT knows training conversations by turns that say who they are from.
func isShareGPT(head []gjson.Result, _ bool) bool {
	r := head[0]
	if r.IsArray() {
		r = r.Get("0")
	}
	turn := r.Get("conversations.0")
	return turn.Get("from").Exists() && turn.Get("value").Exists()
}

// decodeShareGPT reads all conversations.
func decodeShareGPT(doc *Document) ([]*model.Conversation, error) {
	var all []*model.Conversation
	err := doc.Each(func(rec Record) error {
		here := in(rec)
		if !rec.JSON.IsArray() {
			all = append(all, shareGPT(doc, rec.JSON, here, ""))
			return nil
		}
		n := 0
		rec.JSON.ForEach(func(_, r gjson.Result) bool {
			all = append(all, shareGPT(doc, r, here, fmt.Sprintf("[%d].", n)))
			n++
			return true
		})
		return nil
	})
	return all, err
}

// shareGPT reads one conversation.
func shareGPT(doc *Document, r gjson.Result, here *inside, prefix string) *model.Conversation {
	c := &model.Conversation{ID: r.Get("id").String(), System: str(r.Get("system")), Model: str(r.Get("model"))}
	if tools := r.Get("tools"); tools.IsArray() || holdsJSON(tools.Str) {
		c.Tools = input(tools)
	}
	var calls pending
	n := 0
	r.Get("conversations").ForEach(func(_, turn gjson.Result) bool {
		span := here.span(turn, fmt.Sprintf("%sconversations[%d]", prefix, n))
		n++
		from, value := str(turn.Get("from")), turn.Get("value")
		m := &model.Message{Wrote: from, Spans: []model.Span{span}}
		switch from {
		case "human", "user":
		case "system":
			m.Role = model.System
		case "gpt", "assistant", "chatgpt", "bing", "bard", "model":
			m.Role = model.Assistant
		case "function_call", "tool_call":
			m.Role = model.Assistant
			call := model.Part{Kind: model.ToolCall, Text: input(value)}
			if held := gjson.Parse(value.Str); holdsJSON(value.Str) && held.Get("name").Exists() {
				call.Name, call.Text = str(held.Get("name")), input(held.Get("arguments"))
			}
			call.ID = calls.call("", call.Name)
			m.Parts = []model.Part{call}
		case "observation", "tool", "function_response", "tool_response":
			m.Parts = []model.Part{result(calls.result("", ""), "", value, openaiBlock)}
		default:
			leftOut(doc, span.Line, "message from "+from)
			return true
		}
		if m.Parts == nil {
			m.Parts = content(value, openaiBlock, func(string) {})
		}
		c.Messages = append(c.Messages, m)
		return true
	})
	return c
}
