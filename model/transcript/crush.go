package transcript

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isCrush knows crush's database, which is also that of the first opencode.
var isCrush = hasTables([]string{"messages", "sessions"}, "parts", "session_id")

// decodeCrush reads crush's database.
func decodeCrush(doc *Document) ([]*model.Conversation, error) { return decodeDB(doc, readCrush) }

// readCrush reads all sessions of crush's database, oldest first.
func readCrush(db *store) ([]*model.Conversation, error) {
	sessions, err := db.query("select * from sessions order by created_at, id")
	if err != nil {
		return nil, err
	}
	var all []*model.Conversation
	started := map[string]string{} // a session that a call started is named after it
	for _, s := range sessions {
		rows, err := db.query("select * from messages where session_id = ? order by created_at, rowid", s.text("id"))
		if err != nil {
			return nil, err
		}
		c := crushConversation(db.doc, s, rows)
		for _, m := range c.Messages {
			for i := range m.Parts {
				if p := &m.Parts[i]; p.Kind == model.ToolCall {
					started[p.ID] = p.ID
				}
			}
		}
		if _, call, ok := strings.Cut(c.ID, "$$"); ok {
			started[c.ID] = call
		}
		all = append(all, c)
	}
	return adopt(all, started), nil
}

// crushConversation reads one session. Once it was summarised, the context
// starts with the summary, which is then sent as the user's.
func crushConversation(doc *Document, s row, rows []row) *model.Conversation {
	c := &model.Conversation{ID: s.text("id"), Title: s.text("title"), Parent: s.text("parent_session_id")}
	summary := s.text("summary_message_id")
	var history []*model.Message
	var start *model.Message
	from := 0
	for _, r := range rows {
		m := crushMessage(doc, r)
		if m == nil {
			continue
		}
		if m.Model != "" {
			c.Model = m.Model
		}
		if r.number("is_summary_message") != 0 || summary != "" && m.ID == summary {
			m.Mark = model.Summary
			k := model.Compaction{Kind: "summary", Log: len(c.Messages), History: len(history), Time: m.Time}
			for _, p := range m.Parts {
				if p.Kind == model.Text {
					k.Summary += p.Text
				}
			}
			c.Compactions = append(c.Compactions, k)
			if m.ID == summary {
				asUser := *m
				asUser.Role = model.User
				start, from = &asUser, len(history)
			}
		} else {
			history = append(history, m)
		}
		c.Messages = append(c.Messages, m)
	}
	if len(c.Compactions) > 0 {
		context := slices.Clone(history[from:])
		if start != nil {
			context = append([]*model.Message{start}, context...)
		}
		c.SetViews(history, context)
	}
	return c
}

// crushMessage reads a message; nil when it says nothing that is sent.
func crushMessage(doc *Document, r row) *model.Message {
	role, ok := roleOf(r.text("role"))
	if !ok {
		doc.Warn(0, 0, "left out a message from %q, whom no reader knows", r.text("role"))
		return nil
	}
	m := &model.Message{
		Role: role, Wrote: r.text("role"), ID: r.text("id"), Time: unix(float64(r.number("created_at"))),
		Spans: []model.Span{{Record: "messages " + r.text("id")}},
	}
	if role == model.Assistant {
		m.Model = r.text("model")
	}
	if list := r.text("parts"); holdsJSON(list) {
		gjson.Parse(list).ForEach(func(_, p gjson.Result) bool {
			var ok bool
			if m.Parts, ok = crushPart(m.Parts, p.Get("type").Str, p.Get("data")); !ok {
				leftOut(doc, 0, str(p.Get("type")))
			}
			return true
		})
	}
	return m
}

// crushPart reads a part.
func crushPart(parts []model.Part, kind string, p gjson.Result) ([]model.Part, bool) {
	switch kind {
	case "text":
		return append(parts, model.Part{Kind: model.Text, Text: str(p.Get("text"))}), true
	case "reasoning":
		if t := p.Get("thinking"); t.Str != "" {
			parts = append(parts, model.Part{Kind: model.Thinking, Text: str(t)})
		}
		return parts, true
	case "tool_call":
		return append(parts, toolCall(str(p.Get("id")), str(p.Get("name")), p.Get("input"))), true
	case "tool_result":
		part := result(str(p.Get("tool_call_id")), str(p.Get("name")), p.Get("content"), openaiBlock)
		part.IsError = p.Get("is_error").Bool()
		if data := p.Get("data"); data.Str != "" {
			part.List = []model.Part{{Kind: model.Text, Text: part.Text}, picture(str(p.Get("mime_type")), str(data))}
			part.Text = ""
		}
		return append(parts, part), true
	case "image_url":
		return append(parts, picture("", str(p.Get("url")))), true
	case "binary":
		return append(parts, picture(str(first(p, "mime_type", "MIMEType")), str(first(p, "data", "Data")))), true
	case "shell_command":
		return append(parts, model.Part{Kind: model.Text, Text: str(first(p, "output", "command"))}), true
	case "finish":
		return parts, true
	}
	return parts, false
}
