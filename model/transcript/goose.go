package transcript

import (
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isGoose knows an export, and the older sessions of a line a message.
func isGoose(head []gjson.Result, single bool) bool {
	r := head[0]
	if single || r.Get("conversation").Exists() {
		return r.Get("working_dir").Exists() && r.Get("conversation").IsArray()
	}
	return r.Get("working_dir").Exists() && !r.Get("role").Exists() && len(head) > 1 && head[1].Get("created").Exists() && head[1].Get("content").IsArray()
}

// sniffGoose knows its database.
var sniffGoose = hasTables([]string{"messages", "sessions"}, "content_json", "session_id")

// goose reads one session.
type goose struct {
	doc              *Document
	conv             *model.Conversation
	history, context []*model.Message
	hidden           bool
	line             int
}

// decodeGoose reads the database, exports or sessions.
func decodeGoose(doc *Document) ([]*model.Conversation, error) {
	if isDB(doc.Path) {
		return decodeDB(doc, readGoose)
	}
	var all []*goose
	err := doc.Each(func(rec Record) error {
		r := rec.JSON
		if r.Get("working_dir").Exists() && !r.Get("role").Exists() {
			all = append(all, newGoose(doc, r))
		}
		if len(all) == 0 {
			all = append(all, newGoose(doc, gjson.Result{}))
		}
		d := all[len(all)-1]
		if r.Get("role").Exists() {
			d.add(r, rec.Span(str(r.Get("id"))))
		}
		here, n := in(rec), 0
		r.Get("conversation").ForEach(func(_, m gjson.Result) bool {
			d.add(m, here.span(m, fmt.Sprintf("conversation[%d]", n)))
			n++
			return true
		})
		return nil
	})
	var convs []*model.Conversation
	for _, d := range all {
		convs = append(convs, d.finish())
	}
	return convs, err
}

// readGoose reads all sessions of the database, oldest first.
func readGoose(db *store) ([]*model.Conversation, error) {
	sessions, err := db.query("select * from sessions order by created_at, id")
	if err != nil {
		return nil, err
	}
	var all []*model.Conversation
	for _, s := range sessions {
		name := s.text("name")
		if name == "" {
			name = s.text("description")
		}
		info, _ := json.Marshal(map[string]string{"id": s.text("id"), "name": name, "working_dir": s.text("working_dir")})
		d := newGoose(db.doc, gjson.ParseBytes(info))
		rows, err := db.query("select * from messages where session_id = ? order by created_timestamp, id", s.text("id"))
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			id, _ := json.Marshal(r.text("message_id"))
			role, _ := json.Marshal(r.text("role"))
			m := fmt.Sprintf(`{"id":%s,"role":%s,"created":%d,"content":%s,"metadata":%s}`,
				id, role, r.number("created_timestamp"), raw(r.text("content_json")), raw(r.text("metadata_json")))
			d.add(gjson.Parse(m), model.Span{Record: "messages " + r.text("id")})
		}
		all = append(all, d.finish())
	}
	return all, nil
}

func newGoose(doc *Document, info gjson.Result) *goose {
	return &goose{doc: doc, conv: &model.Conversation{
		ID: str(info.Get("id")), Title: str(first(info, "name", "description")), Dir: str(info.Get("working_dir")),
		Model: str(info.Get("model_config.model_name")),
	}}
}

// add reads a message. One the agent does not see was compacted away; one only
// the agent sees took its place.
func (d *goose) add(r gjson.Result, span model.Span) {
	d.line = span.Line
	odd := func(kind string) { leftOut(d.doc, d.line, kind) }
	role, ok := roleOf(r.Get("role").Str)
	if !ok {
		odd("message from " + str(r.Get("role")))
		return
	}
	m := &model.Message{
		Role: role, Wrote: str(r.Get("role")), ID: str(r.Get("id")), Time: moment(r.Get("created")),
		Parts: content(r.Get("content"), gooseBlock, odd), Spans: []model.Span{span},
	}
	sees := r.Get("metadata.agentVisible").Type != gjson.False
	shown := r.Get("metadata.userVisible").Type != gjson.False
	if !sees && !shown || !sees && len(m.Parts) == 0 {
		return
	}
	if sees && !shown {
		m.Mark = model.Summary
		if n := len(d.conv.Messages); n == 0 || d.conv.Messages[n-1].Mark != model.Summary {
			k := model.Compaction{Kind: "compaction", Log: n, History: len(d.history), Line: d.line, Time: m.Time}
			if len(m.Parts) > 0 {
				k.Summary = m.Parts[0].Text
			}
			d.conv.Compactions = append(d.conv.Compactions, k)
		}
	} else {
		d.history = append(d.history, m)
	}
	d.conv.Messages = append(d.conv.Messages, m)
	if sees {
		d.context = append(d.context, m)
	} else {
		d.hidden = true
	}
}

// finish puts the messages into the views.
func (d *goose) finish() *model.Conversation {
	if d.hidden || len(d.conv.Compactions) > 0 {
		d.conv.SetViews(d.history, d.context)
	}
	return d.conv
}

// gooseBlock reads a content block.
func gooseBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	switch b.Get("type").Str {
	case "toolRequest", "frontendToolRequest":
		call := first(b, "toolCall.value", "toolCall")
		return append(parts, toolCall(str(b.Get("id")), str(call.Get("name")), call.Get("arguments"))), true
	case "toolResponse":
		r := b.Get("toolResult")
		output := first(r, "value.content", "value", "error")
		part := result(str(b.Get("id")), "", output, mcpBlock)
		part.IsError = r.Get("status").Str == "error" || r.Get("value.isError").Bool()
		return append(parts, part), true
	case "redactedThinking":
		return append(parts, sealed(b.Get("data"))), true
	case "systemNotification", "conversationCompacted", "summarizationRequested", "contextLengthExceeded",
		"toolConfirmationRequest", "actionRequired":
		return parts, true
	}
	return mcpBlock(parts, b)
}

// mcpBlock reads a content block of the Model Context Protocol.
func mcpBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	switch b.Get("type").Str {
	case "image", "audio":
		if data := b.Get("data"); data.Exists() {
			return append(parts, picture(str(first(b, "mimeType", "mime_type")), str(data))), true
		}
	case "resource":
		if t := b.Get("resource.text"); t.Exists() {
			return append(parts, model.Part{Kind: model.Text, Text: str(t)}), true
		}
	}
	return anthropicBlock(parts, b)
}
