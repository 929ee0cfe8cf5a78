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

// geminiEntries are entries in order, found by their ids.
type geminiEntries struct {
	list []geminiEntry
	at   map[string]int
}

// put adds an entry, or replaces the one with its id.
func (l *geminiEntries) put(e geminiEntry) {
	if i, known := l.at[e.id]; known && e.id != "" {
		l.list[i] = e
		return
	}
	if l.at == nil {
		l.at = map[string]int{}
	}
	if e.id != "" {
		l.at[e.id] = len(l.list)
	}
	l.list = append(l.list, e)
}

// has reports whether an entry with an id is there.
func (l *geminiEntries) has(id string) bool {
	_, known := l.at[id]
	return known && id != ""
}

// cut takes back the entry with an id and all after it, or all when it is not there.
func (l *geminiEntries) cut(id string) {
	at := l.at[id]
	for _, e := range l.list[at:] {
		if i, known := l.at[e.id]; known && i >= at {
			delete(l.at, e.id)
		}
	}
	l.list = l.list[:at:at]
}

// geminiCLI reads one session.
type geminiCLI struct {
	gemini
	conv                  *model.Conversation
	rec                   Record
	log, context, history geminiEntries
	size                  int64 // of the last request, in tokens
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
	d.log.put(e)
	d.context.put(e)
	if !e.inserted || d.history.has(e.id) {
		d.history.put(e)
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
	before, gone := d.context, len(d.context.at)
	for _, e := range list {
		if before.has(e.id) {
			gone--
		}
	}
	if gone > 0 {
		d.boundary("compression")
	}
	d.context = geminiEntries{}
	for _, e := range list {
		if e.messages == nil {
			continue
		}
		if before.has(e.id) {
			if old := before.list[before.at[e.id]]; len(old.messages) == len(e.messages) && continues(old.messages, e.messages) {
				e = old
			}
		} else {
			if gone > 0 {
				e.inserted = true
			} else if !e.inserted {
				d.history.put(e)
			}
			d.log.put(e)
		}
		d.context.put(e)
	}
}

// rewind takes back a message and all that followed; one nobody knows takes back all.
func (d *geminiCLI) rewind(id string) {
	back := id // the history may lack it, when a compression had put it there
	if d.context.has(id) {
		for _, e := range d.context.list[d.context.at[id]:] {
			if d.history.has(e.id) {
				back = e.id
				break
			}
		}
	}
	if !d.context.has(id) || d.history.has(back) {
		d.history.cut(back)
	}
	d.context.cut(id)
	d.boundary("rewind")
}

// boundary notes a compression or a rewind.
func (d *geminiCLI) boundary(kind string) {
	messages, said := flat(d.log.list), flat(d.history.list)
	d.conv.Compactions = append(d.conv.Compactions, model.Compaction{
		Kind: kind, Before: d.size, Log: len(messages), History: len(said), Line: d.rec.Line,
	})
	d.log.put(geminiEntry{messages: []*model.Message{{
		Role: model.System, Mark: model.Boundary, Wrote: kind, Spans: []model.Span{d.rec.Span(kind)},
	}}})
}

// finish puts the messages into the views.
func (d *geminiCLI) finish() {
	d.conv.Messages = flat(d.log.list)
	if len(d.conv.Compactions) == 0 {
		return
	}
	history := flat(d.history.list)
	for i := range d.conv.Compactions {
		at := &d.conv.Compactions[i].History
		*at = min(*at, len(history))
	}
	d.conv.SetViews(history, flat(d.context.list))
}

// flat is the messages of a list of entries.
func flat(list []geminiEntry) []*model.Message {
	var all []*model.Message
	for _, e := range list {
		all = append(all, e.messages...)
	}
	return all
}
