package transcript

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// What opencode sends in place of a pruned output, of a request to compact, and
// of a subtask.
const (
	opencodePruned   = "[Old tool result content cleared]"
	opencodeAsk      = "What did we do so far?"
	opencodeSubtask  = "The following tool was executed by the user"
	opencodePruneGap = 5 * time.Second // prunes closer together than this are one pass
)

// isOpencode knows an export, and a session's file in the storage tree.
func isOpencode(head []gjson.Result, single bool) bool {
	r := head[0]
	if r.Get("info").IsObject() && r.Get("messages").IsArray() {
		return r.Get("messages.0.info").Exists() || strings.HasPrefix(r.Get("info.id").Str, "ses_")
	}
	return single && isOpencodeSession(r)
}

// sniffOpencode knows the storage tree and the database.
func sniffOpencode(path string, head []byte) bool {
	return isOpencodeStore(path) || isOpencodeDB(path, head)
}

// isOpencodeSession knows the file that describes a session in the storage tree.
func isOpencodeSession(r gjson.Result) bool {
	return r.Get("id").Exists() && r.Get("projectID").Exists() && r.Get("directory").Exists() && r.Get("time.created").Exists()
}

// decodeOpencode reads the storage tree, the database, exports, or the session
// that a file of the storage tree describes.
func decodeOpencode(doc *Document) ([]*model.Conversation, error) {
	switch {
	case isOpencodeStore(doc.Path):
		return decodeOpencodeStore(doc)
	case isDB(doc.Path):
		return decodeDB(doc, readOpencodeDB)
	}
	var all []*model.Conversation
	started := map[string]string{}
	err := doc.Each(func(rec Record) error {
		r := rec.JSON
		if isOpencodeSession(r) {
			all = append(all, opencodeTree(doc, storeOf(doc.Path), []gjson.Result{r})...)
			return nil
		}
		here, n := in(rec), 0
		var messages []opencodeMessage
		r.Get("messages").ForEach(func(_, m gjson.Result) bool {
			span := here.span(m, fmt.Sprintf("messages[%d]", n))
			messages = append(messages, opencodeMessage{m.Get("info"), m.Get("parts").Array(), span})
			n++
			return true
		})
		all = append(all, opencodeConversation(doc, r.Get("info"), messages, started))
		return nil
	})
	return adopt(all, started), err
}

// opencodeMessage is a message as every store of opencode keeps it.
type opencodeMessage struct {
	info  gjson.Result
	parts []gjson.Result
	span  model.Span
}

// opencodeEntry is what one of them became: an assistant message of several
// steps is an assistant message and one with results for each step.
type opencodeEntry struct {
	id, parent string
	at         time.Time
	messages   []*model.Message
	asks       bool   // asks for a compaction
	auto       bool   // nobody asked for it
	tail       string // the first message kept beside the summary
	summary    bool   // a compaction's summary that was finished
	reverted   bool
}

// opencode reads one session.
type opencode struct {
	doc     *Document
	conv    *model.Conversation
	started map[string]string // sessions that calls started
	used    map[string]bool   // call ids so far
	calls   pending
	entries []opencodeEntry
	cleared map[*model.Message]*model.Message // what pruning left of a message
	pruned  []time.Time
	line    int
}

// opencodeConversation reads a session from its info and messages, and notes the
// calls that started other sessions, by session.
func opencodeConversation(doc *Document, info gjson.Result, messages []opencodeMessage, started map[string]string) *model.Conversation {
	d := &opencode{doc: doc, started: started, used: map[string]bool{}, cleared: map[*model.Message]*model.Message{}, conv: &model.Conversation{
		ID: str(info.Get("id")), Title: str(info.Get("title")), Dir: str(info.Get("directory")), Parent: str(info.Get("parentID")),
	}}
	revert := str(info.Get("revert.messageID"))
	reverted := false
	for _, m := range messages {
		d.line = m.span.Line
		e := d.entry(m)
		reverted = reverted || revert != "" && e.id == revert
		e.reverted = reverted
		d.entries = append(d.entries, e)
	}
	d.views()
	return d.conv
}

// entry reads one message.
func (d *opencode) entry(m opencodeMessage) opencodeEntry {
	info := m.info
	e := opencodeEntry{id: str(info.Get("id")), parent: str(info.Get("parentID")), at: moment(info.Get("time.created"))}
	base := model.Message{ID: e.id, Wrote: str(info.Get("role")), Time: e.at, Spans: []model.Span{m.span}}
	switch info.Get("role").Str {
	case "user":
		if name := info.Get("model.modelID"); name.Str != "" {
			d.conv.Model = str(name)
		}
		if system := info.Get("system"); system.Str != "" {
			d.conv.System = str(system)
		}
		d.user(&e, base, m.parts)
	case "assistant":
		base.Role, base.Model = model.Assistant, str(first(info, "modelID", "model.modelID"))
		if base.Model != "" {
			d.conv.Model = base.Model
		}
		d.assistant(&e, base, m.parts)
		failed := info.Get("error").IsObject()
		if n := len(e.messages); n > 0 && !failed {
			last := e.messages[n-1]
			if last.Role != model.Assistant {
				last = e.messages[n-2]
			}
			if last.Usage == nil {
				last.Usage = opencodeUsage(info.Get("tokens"))
			}
		}
		if info.Get("summary").Type == gjson.True && info.Get("finish").Exists() && !failed {
			e.summary = true
		}
	default:
		d.odd("message from " + str(info.Get("role")))
	}
	return e
}

func (d *opencode) odd(kind string) {
	leftOut(d.doc, d.line, kind)
}

// user reads a user message. Files that are text stand in it as text too.
func (d *opencode) user(e *opencodeEntry, m model.Message, parts []gjson.Result) {
	say := func(text string) { m.Parts = append(m.Parts, model.Part{Kind: model.Text, Text: text}) }
	for _, p := range parts {
		switch kind := p.Get("type").Str; kind {
		case "text":
			if !p.Get("ignored").Bool() {
				say(str(p.Get("text")))
			}
		case "file":
			if mime := p.Get("mime").Str; mime != "text/plain" && mime != "application/x-directory" {
				m.Parts = append(m.Parts, picture(str(p.Get("mime")), str(p.Get("url"))))
			}
		case "compaction":
			e.asks, e.auto, e.tail = true, p.Get("auto").Bool(), str(p.Get("tail_start_id"))
			say(opencodeAsk)
		case "subtask":
			say(opencodeSubtask)
		case "agent", "snapshot", "patch", "step-start", "step-finish", "retry":
		default:
			d.odd(kind)
		}
	}
	e.messages = []*model.Message{&m}
}

// assistant reads an assistant message. Call and result stand in one part; the
// results of a step follow it in one user message, as opencode sends them.
func (d *opencode) assistant(e *opencodeEntry, base model.Message, parts []gjson.Result) {
	said, results, left := base, base, base
	reset := func() {
		said, results = base, base
		results.Role, results.Wrote, results.Model = model.User, "tool", ""
		left, said.Parts, results.Parts = results, nil, nil
	}
	pruned := false
	flush := func() {
		if len(said.Parts) > 0 {
			m := said
			e.messages = append(e.messages, &m)
		}
		if len(results.Parts) > 0 {
			m := results
			e.messages = append(e.messages, &m)
			if pruned {
				short := left
				short.Mark = model.Cleared
				d.cleared[&m] = &short
			}
		}
		pruned = false
		reset()
	}
	reset()
	for _, p := range parts {
		switch kind := p.Get("type").Str; kind {
		case "step-start":
			flush()
		case "step-finish":
			said.Usage = opencodeUsage(p.Get("tokens"))
		case "text":
			if t := p.Get("text"); t.Str != "" {
				said.Parts = append(said.Parts, model.Part{Kind: model.Text, Text: str(t)})
			}
		case "reasoning":
			said.Parts = append(said.Parts, opencodeReasoning(p)...)
		case "file":
			said.Parts = append(said.Parts, picture(str(p.Get("mime")), str(p.Get("url"))))
		case "tool":
			call, result, answered := d.tool(p)
			said.Parts = append(said.Parts, call)
			if !answered {
				continue
			}
			results.Parts = append(results.Parts, result)
			if at := p.Get("state.time.compacted"); at.Exists() {
				d.pruned, pruned = append(d.pruned, moment(at)), true
				result.Text, result.List = opencodePruned, nil
			}
			left.Parts = append(left.Parts, result)
		case "snapshot", "patch", "agent", "retry", "compaction", "subtask":
		default:
			d.odd(kind)
		}
	}
	flush()
}

// tool reads a tool part: the call, and its result unless it still runs.
func (d *opencode) tool(p gjson.Result) (call, answer model.Part, answered bool) {
	id, name, state := str(p.Get("callID")), str(p.Get("tool")), p.Get("state")
	if id == "" || d.used[id] {
		id = d.calls.make()
	}
	d.used[id] = true
	if session := first(state, "metadata.sessionId", "metadata.sessionID"); session.Str != "" {
		d.started[str(session)] = id
	}
	call = toolCall(id, name, state.Get("input"))
	switch state.Get("status").Str {
	case "completed", "success":
		answer = result(id, name, state.Get("output"), openaiBlock)
		if files := state.Get("attachments").Array(); len(files) > 0 {
			answer.List = []model.Part{{Kind: model.Text, Text: answer.Text}}
			answer.Text = ""
			for _, f := range files {
				answer.List = append(answer.List, picture(str(f.Get("mime")), str(f.Get("url"))))
			}
		}
		return call, answer, true
	case "error":
		answer = result(id, name, first(state, "error", "output"), openaiBlock)
		answer.IsError = true
		return call, answer, true
	}
	return call, answer, false
}

// opencodeReasoning reads reasoning, and what only the provider can read of it.
func opencodeReasoning(p gjson.Result) []model.Part {
	var parts []model.Part
	if t := p.Get("text"); t.Str != "" {
		parts = append(parts, model.Part{Kind: model.Thinking, Text: str(t)})
	}
	p.Get("metadata").ForEach(func(_, provider gjson.Result) bool {
		if s := first(provider, "reasoningEncryptedContent", "redactedData"); s.Str != "" {
			parts = append(parts, sealed(s))
		}
		return true
	})
	return parts
}

// opencodeUsage reads what a step cost: its input leaves the cache out.
func opencodeUsage(t gjson.Result) *model.Usage {
	if !t.IsObject() {
		return nil
	}
	read, write := t.Get("cache.read").Int(), t.Get("cache.write").Int()
	u := &model.Usage{Input: t.Get("input").Int() + read + write, CacheRead: read, CacheWrite: write, Output: t.Get("output").Int()}
	if *u == (model.Usage{}) {
		return nil // an answer that never came
	}
	return u
}

// views puts the messages into the three views.
func (d *opencode) views() {
	c, asked := d.conv, map[string]int{}
	newest, from := -1, -1 // the newest finished summary, and the message that asked for it
	var history []*model.Message
	var size int64 // of the last call before
	for i, e := range d.entries {
		inserted := e.asks
		if e.asks {
			asked[e.id] = i
		}
		if ask, ok := asked[e.parent]; e.summary && ok && !e.reverted {
			inserted = true
			newest, from = i, ask
			for _, m := range e.messages {
				m.Mark = model.Summary
			}
			d.compaction(e, d.entries[ask], size, len(history))
		}
		if e.asks {
			for _, m := range e.messages {
				m.Mark = model.Meta
			}
		}
		c.Messages = append(c.Messages, e.messages...)
		if !inserted && !e.reverted {
			history = append(history, e.messages...)
		}
		for _, m := range e.messages {
			if m.Usage != nil && !inserted {
				size = m.Usage.Input + m.Usage.Output
			}
		}
	}
	d.prunes(history)
	if d.entries != nil && d.entries[len(d.entries)-1].reverted {
		d.revert(len(history))
	}
	if len(c.Compactions) > 0 {
		c.SetViews(history, d.context(from, newest))
	}
}

// context is what is sent next: the newest summary after the question for it,
// the tail kept beside it, and what followed; pruned outputs shortened.
func (d *opencode) context(from, newest int) []*model.Message {
	order := d.entries
	if newest >= 0 {
		tail := slices.IndexFunc(d.entries, func(e opencodeEntry) bool { return e.id == d.entries[from].tail && e.id != "" })
		order = []opencodeEntry{d.entries[from], d.entries[newest]}
		if tail >= 0 && tail < from {
			order = append(order, d.entries[tail:from]...)
		}
		order = append(order, d.entries[from+1:newest]...)
		order = append(order, d.entries[newest+1:]...)
	}
	context := []*model.Message{}
	for _, e := range order {
		if e.reverted {
			continue
		}
		for _, m := range e.messages {
			if short := d.cleared[m]; short != nil {
				m = short
			}
			context = append(context, m)
		}
	}
	return context
}

// compaction notes a finished one.
func (d *opencode) compaction(e, ask opencodeEntry, size int64, history int) {
	k := model.Compaction{
		Kind: "compaction", Trigger: "manual", Before: size,
		Log: len(d.conv.Messages), History: history, Time: e.at,
	}
	if ask.auto {
		k.Trigger = "auto"
	}
	for _, m := range e.messages {
		k.Line = m.Line()
		for _, p := range m.Parts {
			if p.Kind == model.Text {
				k.Summary += p.Text
			}
		}
	}
	d.conv.Compactions = append(d.conv.Compactions, k)
}

// prunes notes the passes that cleared old outputs, by the time they did.
func (d *opencode) prunes(history []*model.Message) {
	if len(d.pruned) == 0 {
		return
	}
	slices.SortFunc(d.pruned, time.Time.Compare)
	after := func(list []*model.Message, at time.Time) int {
		if i := slices.IndexFunc(list, func(m *model.Message) bool { return m.Time.After(at) }); i >= 0 {
			return i
		}
		return len(list)
	}
	var last time.Time
	for i, at := range d.pruned {
		if i == 0 || at.Sub(last) > opencodePruneGap {
			d.conv.Compactions = append(d.conv.Compactions, model.Compaction{
				Kind: "prune", Trigger: "auto", Time: at, Log: after(d.conv.Messages, at), History: after(history, at),
			})
		}
		last = at
	}
	slices.SortStableFunc(d.conv.Compactions, func(a, b model.Compaction) int { return a.Log - b.Log })
}

// revert notes at the end that the user took the last turns back.
func (d *opencode) revert(history int) {
	c := d.conv
	c.Compactions = append(c.Compactions, model.Compaction{Kind: "revert", Trigger: "manual", Log: len(c.Messages), History: history})
	c.Messages = append(c.Messages, &model.Message{Role: model.System, Mark: model.Boundary, Wrote: "revert"})
}
