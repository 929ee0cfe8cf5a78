package transcript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isGeminiCLI knows a session by its header, whether its messages stand in it
// or follow on lines of their own.
func isGeminiCLI(head []gjson.Result, _ bool) bool {
	r := head[0]
	return r.Get("sessionId").Exists() && r.Get("projectHash").Exists() && (r.Get("messages").IsArray() || r.Get("startTime").Exists())
}

// geminiEntry is one recorded message: what the model said with the results of
// what it called is two messages.
type geminiEntry struct {
	id       string
	messages []*model.Message
	inserted bool // by a compression
}

// geminiCLI reads one session.
type geminiCLI struct {
	gemini
	conv         *model.Conversation
	rec          Record
	log, context []geminiEntry
	history      []geminiEntry
	size         int64 // of the last request, in tokens
}

// decodeGeminiCLI reads sessions: one document each, or a header with lines
// that add, replace, rewind and rebuild.
func decodeGeminiCLI(doc *Document) ([]*model.Conversation, error) {
	var all []*geminiCLI
	err := doc.Each(func(rec Record) error {
		r := rec.JSON
		if r.Get("sessionId").Exists() && r.Get("projectHash").Exists() {
			all = append(all, &geminiCLI{gemini: gemini{doc: doc}, conv: &model.Conversation{
				ID: str(r.Get("sessionId")), Title: str(r.Get("summary")), Dir: str(r.Get("directories.0")),
			}})
		}
		if len(all) == 0 {
			return nil
		}
		d := all[len(all)-1]
		d.rec, d.line = rec, rec.Line
		d.record(r)
		return nil
	})
	var convs []*model.Conversation
	for _, d := range all {
		d.finish()
		convs = append(convs, d.conv)
	}
	return convs, err
}

// record reads one line.
func (d *geminiCLI) record(r gjson.Result) {
	set, rewind := r.Get("$set"), r.Get("$rewindTo")
	switch {
	case rewind.Exists():
		d.rewind(str(rewind))
	case set.Exists():
		if set.Get("summary").Type == gjson.String {
			d.conv.Title = str(set.Get("summary"))
		}
		if list := set.Get("messages"); list.IsArray() {
			d.rebuild(d.entries(list, "$set.messages"))
		}
	case r.Get("messages").IsArray():
		for _, e := range d.entries(r.Get("messages"), "messages") {
			d.put(e)
		}
	case r.Get("type").Exists():
		d.put(d.entry(r, d.rec.Span(str(r.Get("id")))))
	}
}

// entries reads a list of recorded messages.
func (d *geminiCLI) entries(list gjson.Result, name string) []geminiEntry {
	var all []geminiEntry
	here, n := in(d.rec), 0
	list.ForEach(func(_, m gjson.Result) bool {
		all = append(all, d.entry(m, here.span(m, fmt.Sprintf("%s[%d]", name, n))))
		n++
		return true
	})
	return all
}

// entry reads one recorded message. What the program told the user is no part of the conversation.
func (d *geminiCLI) entry(r gjson.Result, span model.Span) geminiEntry {
	d.line = span.Line
	e := geminiEntry{id: str(r.Get("id"))}
	m := &model.Message{ID: e.id, Wrote: str(r.Get("type")), Time: moment(r.Get("timestamp")), Spans: []model.Span{span}}
	said := first(r, "content", "parts")
	switch m.Wrote {
	case "user":
		m.Parts = d.parts(said)
		if slices.ContainsFunc(m.Parts, func(p model.Part) bool { return strings.Contains(p.Text, "<state_snapshot>") }) {
			m.Mark, e.inserted = model.Summary, true
		}
		e.messages = []*model.Message{m}
	case "gemini", "model":
		m.Role, m.Model = model.Assistant, str(r.Get("model"))
		if m.Model != "" {
			d.conv.Model = m.Model
		}
		r.Get("thoughts").ForEach(func(_, t gjson.Result) bool {
			thought := strings.TrimPrefix(str(t.Get("subject"))+"\n"+str(t.Get("description")), "\n")
			m.Parts = append(m.Parts, model.Part{Kind: model.Thinking, Text: thought})
			return true
		})
		m.Parts = append(m.Parts, d.parts(said)...)
		if t := r.Get("tokens"); t.IsObject() {
			m.Usage = &model.Usage{
				Input: t.Get("input").Int(), CacheRead: t.Get("cached").Int(), Output: t.Get("output").Int() + t.Get("thoughts").Int(),
			}
		}
		e.messages = []*model.Message{m}
		if answers := d.tools(r.Get("toolCalls"), m); answers != nil {
			e.messages = append(e.messages, answers)
		}
	case "info", "warning", "error":
	default:
		leftOut(d.doc, d.line, m.Wrote)
	}
	return e
}

// tools reads the calls of a message into it, and their results into the one that follows.
func (d *geminiCLI) tools(list gjson.Result, m *model.Message) *model.Message {
	answers := &model.Message{Role: model.User, Wrote: "function", ID: m.ID, Time: m.Time, Spans: m.Spans}
	list.ForEach(func(_, c gjson.Result) bool {
		id, name := d.calls.call(str(c.Get("id")), str(c.Get("name"))), str(c.Get("name"))
		m.Parts = append(m.Parts, toolCall(id, name, c.Get("args")))
		results := d.parts(c.Get("result"))
		for i := range results {
			if results[i].Kind == model.ToolResult {
				results[i].ID, results[i].Name = id, name
				results[i].IsError = results[i].IsError || c.Get("status").Str == "error"
			}
		}
		answers.Parts = append(answers.Parts, results...)
		return true
	})
	if len(answers.Parts) == 0 {
		return nil
	}
	return answers
}

// put adds a recorded message, or replaces the one with its id.
func (d *geminiCLI) put(e geminiEntry) {
	if e.messages == nil {
		return
	}
	for _, list := range []*[]geminiEntry{&d.log, &d.context, &d.history} {
		at := slices.IndexFunc(*list, func(old geminiEntry) bool { return e.id != "" && old.id == e.id })
		if at >= 0 {
			(*list)[at] = e
		} else if !e.inserted || list != &d.history {
			*list = append(*list, e)
		}
	}
	for _, m := range e.messages {
		if m.Usage != nil {
			d.size = m.Usage.Input + m.Usage.Output
		}
	}
}

// rebuild replaces the context. Messages gone from it were compressed away; what
// is there under a known id was shortened, and stays whole in the history.
func (d *geminiCLI) rebuild(list []geminiEntry) {
	known, before := map[string]bool{}, map[string]geminiEntry{}
	for _, e := range d.context {
		known[e.id], before[e.id] = true, e
	}
	gone := len(known)
	for _, e := range list {
		if known[e.id] {
			gone--
		}
	}
	if gone > 0 && len(d.context) > 0 {
		d.boundary("compression")
	}
	d.context = nil
	for _, e := range list {
		if e.messages == nil {
			continue
		}
		if old := before[e.id]; continues(old.messages, e.messages) && len(old.messages) == len(e.messages) {
			e = old
		}
		if !known[e.id] {
			if gone > 0 {
				e.inserted = true
			} else if !e.inserted {
				d.history = append(d.history, e)
			}
			d.log = append(d.log, e)
		}
		d.context = append(d.context, e)
	}
}

// rewind takes back a message and all that followed; one nobody knows takes back all.
func (d *geminiCLI) rewind(id string) {
	from := func(list []geminiEntry) []geminiEntry {
		at := max(0, slices.IndexFunc(list, func(e geminiEntry) bool { return e.id == id }))
		return list[:at:at]
	}
	d.context, d.history = from(d.context), from(d.history)
	d.boundary("rewind")
}

// boundary notes a compression or a rewind.
func (d *geminiCLI) boundary(kind string) {
	messages, said := flat(d.log), flat(d.history)
	d.conv.Compactions = append(d.conv.Compactions, model.Compaction{
		Kind: kind, Before: d.size, Log: len(messages), History: len(said), Line: d.rec.Line,
	})
	d.log = append(d.log, geminiEntry{messages: []*model.Message{{
		Role: model.System, Mark: model.Boundary, Wrote: kind, Spans: []model.Span{d.rec.Span(kind)},
	}}})
}

// finish puts the messages into the views.
func (d *geminiCLI) finish() {
	d.conv.Messages = flat(d.log)
	if len(d.conv.Compactions) == 0 {
		return
	}
	history := flat(d.history)
	for i := range d.conv.Compactions {
		at := &d.conv.Compactions[i].History
		*at = min(*at, len(history))
	}
	d.conv.SetViews(history, flat(d.context))
}

// flat is the messages of a list of entries.
func flat(list []geminiEntry) []*model.Message {
	var all []*model.Message
	for _, e := range list {
		all = append(all, e.messages...)
	}
	return all
}
