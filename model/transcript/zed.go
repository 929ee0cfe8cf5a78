package transcript

import (
	"errors"
	"fmt"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isZed knows a thread by its messages, each an object with one member that
// says whose it is.
func isZed(head []gjson.Result, _ bool) bool {
	m := head[0].Get("messages")
	return m.IsArray() && head[0].Get("version").Exists() &&
		(m.Get("#.User").Get("0").Exists() || m.Get("#.Agent").Get("0").Exists())
}

// sniffZed knows its database of threads.
var sniffZed = hasTables([]string{"threads"}, "data", "data_type")

// decodeZed reads threads, from files or from the database.
func decodeZed(doc *Document) ([]*model.Conversation, error) {
	if isDB(doc.Path) {
		return decodeDB(doc, readZed)
	}
	var all []*model.Conversation
	err := doc.Each(func(rec Record) error {
		all = append(all, zedThread(doc, rec))
		return nil
	})
	return all, err
}

// readZed reads all threads of the database, those changed last at the end.
func readZed(db *store) ([]*model.Conversation, error) {
	rows, err := db.query("select * from threads order by updated_at, id")
	if err != nil {
		return nil, err
	}
	var all []*model.Conversation
	for _, r := range rows {
		data := r.text("data")
		if r.text("data_type") == "zstd" {
			text, err := db.unpack(data)
			var limit *Error
			if errors.As(err, &limit) {
				return nil, err
			}
			if err != nil {
				db.doc.Warn(0, 0, "left out thread %s: %v", r.text("id"), err)
				continue
			}
			data = text
		}
		if !holdsJSON(data) {
			db.doc.Warn(0, 0, "left out thread %s: it is not valid JSON", r.text("id"))
			continue
		}
		c := zedThread(db.doc, Record{JSON: gjson.Parse(data)})
		c.ID = r.text("id")
		all = append(all, c)
	}
	return all, nil
}

// zedThread reads one thread.
func zedThread(doc *Document, rec Record) *model.Conversation {
	r, here, n := rec.JSON, in(rec), 0
	c := &model.Conversation{Title: str(first(r, "title", "summary")), Model: str(r.Get("model.model"))}
	line, asked, usage := 0, "", r.Get("request_token_usage").Map() // by the user's message
	odd := func(kind string) { leftOut(doc, line, kind) }
	r.Get("messages").ForEach(func(_, m gjson.Result) bool {
		span := here.span(m, fmt.Sprintf("messages[%d]", n))
		line = span.Line
		n++
		switch user, agent := m.Get("User"), m.Get("Agent"); {
		case user.Exists():
			got := &model.Message{Wrote: "User", ID: str(user.Get("id")), Spans: []model.Span{span}, Parts: zedContent(user.Get("content"), odd)}
			if got.ID != "" {
				asked = got.ID
			}
			c.Messages = append(c.Messages, got)
		case agent.Exists():
			got := &model.Message{Role: model.Assistant, Wrote: "Agent", Spans: []model.Span{span}, Parts: zedContent(agent.Get("content"), odd)}
			got.Usage = anthropicUsage(usage[asked])
			c.Messages = append(c.Messages, got)
			if told := zedResults(agent.Get("tool_results").Map(), got, span, odd); told != nil {
				c.Messages = append(c.Messages, told)
			}
		case m.Str == "Resume":
		default:
			odd(clip(m.Raw))
		}
		return true
	})
	return c
}

// zedResults reads the results beside an agent's message, in the order of its calls.
func zedResults(results map[string]gjson.Result, said *model.Message, span model.Span, odd func(string)) *model.Message {
	m := &model.Message{Wrote: "tool_results", Spans: []model.Span{span}}
	for _, call := range said.Parts {
		if call.Kind != model.ToolCall {
			continue
		}
		r, ok := results[call.ID]
		if !ok {
			continue
		}
		part := model.Part{Kind: model.ToolResult, ID: call.ID, Name: call.Name, IsError: r.Get("is_error").Bool()}
		part.List = zedContent(r.Get("content"), odd)
		if part.List == nil {
			part.Text = compact(first(r, "output"))
		}
		m.Parts = append(m.Parts, part)
	}
	if m.Parts == nil {
		return nil
	}
	return m
}

// zedContent reads a list of parts, each an object with one member that names it.
func zedContent(list gjson.Result, odd func(string)) []model.Part {
	return content(list, func(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
		known := true
		b.ForEach(func(kind, v gjson.Result) bool {
			switch kind.Str {
			case "Text":
				parts = append(parts, model.Part{Kind: model.Text, Text: str(v)})
			case "Thinking":
				parts = append(parts, model.Part{Kind: model.Thinking, Text: str(v.Get("text"))})
			case "RedactedThinking":
				parts = append(parts, sealed(v))
			case "Image":
				parts = append(parts, picture("image/png", str(first(v, "source"))))
			case "Mention":
				parts = append(parts, model.Part{Kind: model.Text, Text: str(first(v, "content", "uri"))})
			case "ToolUse":
				parts = append(parts, toolCall(str(v.Get("id")), str(v.Get("name")), v.Get("input")))
			default:
				known = false
			}
			return true
		})
		return parts, known
	}, odd)
}
