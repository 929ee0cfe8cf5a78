package transcript

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isContinue knows a session of Continue by its history of messages with context.
func isContinue(head []gjson.Result, _ bool) bool {
	r := head[0]
	return r.Get("sessionId").Exists() && r.Get("history").IsArray() &&
		(r.Get("history.0.message").Exists() || r.Get("workspaceDirectory").Exists())
}

// decodeContinue reads sessions. A message may carry a summary of all before and
// with it: from then on that is sent in their place.
func decodeContinue(doc *Document) ([]*model.Conversation, error) {
	var all []*model.Conversation
	err := doc.Each(func(rec Record) error {
		r, here, n := rec.JSON, in(rec), 0
		d := chat{doc: doc, dialect: dialect{begin: openaiBegin, message: continueMessage}}
		d.start(gjson.Result{})
		c := d.conv
		c.ID, c.Title = str(r.Get("sessionId")), str(r.Get("title"))
		c.Dir = strings.TrimPrefix(str(r.Get("workspaceDirectory")), "file://")
		c.Model = str(r.Get("chatModelTitle"))
		var log, history, context []*model.Message
		var thought []model.Part
		r.Get("history").ForEach(func(_, item gjson.Result) bool {
			m := item.Get("message")
			span := here.span(item, fmt.Sprintf("history[%d]", n))
			n++
			if m.Get("role").Str == "thinking" { // belongs to the answer that follows
				thought = append(thought, continueThought(m)...)
				return true
			}
			got := d.add(m, span)
			if got == nil {
				return true
			}
			if got.Role == model.Assistant {
				got.Parts, thought = append(thought, got.Parts...), nil
			}
			log, history, context = append(log, got), append(history, got), append(context, got)
			summary := item.Get("conversationSummary")
			if summary.Str == "" {
				return true
			}
			c.Compactions = append(c.Compactions, model.Compaction{
				Kind: "conversationSummary", Log: len(log), History: len(history), Line: span.Line, Summary: str(summary),
			})
			told := &model.Message{
				Wrote: "conversationSummary", Mark: model.Summary, Spans: []model.Span{span},
				Parts: []model.Part{{Kind: model.Text, Text: str(summary)}},
			}
			log, context = append(log, told), []*model.Message{told}
			return true
		})
		c.Messages = log
		if len(c.Compactions) > 0 {
			c.SetViews(history, context)
		}
		all = append(all, c)
		return nil
	})
	return all, err
}

// continueThought reads a message of reasoning.
func continueThought(m gjson.Result) []model.Part {
	if t := m.Get("redactedThinking"); t.Str != "" {
		return []model.Part{sealed(t)}
	}
	var parts []model.Part
	for _, p := range content(m.Get("content"), continueBlock, func(string) {}) {
		p.Kind = model.Thinking
		parts = append(parts, p)
	}
	return parts
}

// continueMessage reads a message.
func continueMessage(d *chat, m gjson.Result) *model.Message {
	if m.Get("role").Str == "tool" {
		return &model.Message{Parts: []model.Part{result(d.calls.result(str(m.Get("toolCallId")), ""), "", m.Get("content"), continueBlock)}}
	}
	got := &model.Message{Parts: content(m.Get("content"), continueBlock, d.odd)}
	m.Get("toolCalls").ForEach(func(_, c gjson.Result) bool {
		name := str(c.Get("function.name"))
		got.Parts = append(got.Parts, toolCall(d.calls.call(str(c.Get("id")), name), name, c.Get("function.arguments")))
		return true
	})
	if u := m.Get("usage"); u.Get("promptTokens").Exists() {
		got.Usage = &model.Usage{
			Input: u.Get("promptTokens").Int(), Output: u.Get("completionTokens").Int(), CacheRead: u.Get("promptTokensDetails.cachedTokens").Int(),
		}
	}
	return got
}

// continueBlock reads a content part.
func continueBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	if b.Get("type").Str == "imageUrl" {
		return append(parts, picture("", str(b.Get("imageUrl.url")))), true
	}
	return openaiBlock(parts, b)
}
