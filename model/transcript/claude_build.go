package transcript

import (
	"math"

	"cinch/model"
)

// claudeBuild makes messages of records, as Claude Code does before it sends
// them: the lines of one streamed answer are one message, the results of its
// tool calls are one message right behind it (wherever their lines stand), and
// attachments and the agent's own notes travel in the user message they follow.
type claudeBuild struct {
	list     []*claudeMessage
	answers  map[string]*claudeMessage // by the provider's message id
	open     map[string][]*claudeCall  // calls without a result yet, by call id
	floating map[string]claudeEarly    // results whose call has not come yet
	loose    []model.Part              // attachments in search of a user message
	looseAt  []*claudeRecord

	agents  map[string]string // subagent id to the call that started it
	prompts map[string]string // what a subagent was asked, to the call that started it
	repeats []int             // the lines of calls that were recorded twice
}

type claudeCall struct {
	in   *claudeMessage
	name string
}

// claudeEarly is a result that stands before its call.
type claudeEarly struct {
	in     *claudeMessage
	record *claudeRecord
}

// claudeMessage is a message in the making.
type claudeMessage struct {
	*model.Message
	results  *claudeMessage // an answer's results
	record   *claudeRecord  // its first record
	hidden   bool           // shown, never sent: an error in the model's place
	emptied  bool           // its results went to their call
	boundary *claudeRecord
	summary  bool
}

// buildClaude turns records into messages, leaving the dropped ones out.
func buildClaude(records []*claudeRecord, dropped map[*claudeRecord]bool) *claudeBuild {
	b := &claudeBuild{
		answers: map[string]*claudeMessage{}, open: map[string][]*claudeCall{}, floating: map[string]claudeEarly{},
		agents: map[string]string{}, prompts: map[string]string{},
	}
	for _, r := range records {
		if !dropped[r] {
			b.add(r)
		}
	}
	b.settle(nil)
	return b
}

func (b *claudeBuild) add(r *claudeRecord) {
	switch {
	case r.kind == "attachment":
		if len(r.parts) > 0 {
			b.attach(r)
		}
	case r.kind == "system" && r.compaction != nil:
		b.boundary(r)
	case r.kind == "system" && r.subtype == "local_command" && r.content != "":
		r.parts = []model.Part{{Kind: model.Text, Text: r.content}}
		b.plain(r, model.User, model.Meta)
	case !r.hasMessage:
	case r.role == "assistant":
		b.answer(r)
	case r.role == "system" || r.kind == "system":
		b.plain(r, model.System, model.Plain)
	case r.results:
		b.results(r)
	case r.summary:
		b.plain(r, model.User, model.Summary).summary = true
	case r.meta:
		if last := b.last(); last != nil && last.Role == model.User && last.HasResult() {
			last.extend(r, r.parts)
			return
		}
		b.plain(r, model.User, model.Meta)
	default:
		b.plain(r, model.User, model.Plain)
	}
}

func (b *claudeBuild) last() *claudeMessage {
	if len(b.list) == 0 {
		return nil
	}
	return b.list[len(b.list)-1]
}

func newClaudeMessage(r *claudeRecord, role model.Role, mark model.Mark) *claudeMessage {
	return &claudeMessage{record: r, Message: &model.Message{
		Role: role, Mark: mark, Wrote: r.role, ID: r.uuid, Time: r.time,
	}}
}

// extend adds parts of a record to a message.
func (m *claudeMessage) extend(r *claudeRecord, parts []model.Part) {
	at := len(m.Spans)
	if at == 0 || m.Spans[at-1] != r.span {
		m.Spans = append(m.Spans, r.span)
		at++
	}
	for _, p := range parts {
		p.Span = uint16(min(at-1, math.MaxUint16))
		m.Parts = append(m.Parts, p)
	}
}

// forget takes a record's span back when none of its parts is left.
func (m *claudeMessage) forget(r *claudeRecord) {
	at := len(m.Spans) - 1
	if at <= 0 || m.Spans[at] != r.span {
		return
	}
	for i := range m.Parts {
		if int(m.Parts[i].Span) == at {
			return
		}
	}
	m.Spans = m.Spans[:at]
}

// plain adds a message of its own.
func (b *claudeBuild) plain(r *claudeRecord, role model.Role, mark model.Mark) *claudeMessage {
	m := newClaudeMessage(r, role, mark)
	m.extend(r, r.parts)
	if role == model.User {
		b.settle(m)
	}
	b.list = append(b.list, m)
	return m
}

// boundary marks where a compaction took place.
func (b *claudeBuild) boundary(r *claudeRecord) {
	m := newClaudeMessage(r, model.System, model.Boundary)
	m.Wrote = r.kind
	m.boundary = r
	m.extend(r, []model.Part{{Kind: model.Text, Text: r.content}})
	b.list = append(b.list, m)
}

// answer adds a line of the model's answer to the message it is part of.
func (b *claudeBuild) answer(r *claudeRecord) {
	m := b.answers[r.messageID]
	if m == nil || r.messageID == "" || r.apiError {
		b.settle(nil)
		m = newClaudeMessage(r, model.Assistant, model.Plain)
		if r.model == claudeSynthetic || r.apiError {
			m.Mark = model.Meta
		}
		m.hidden = r.apiError
		m.Model = r.model
		if r.messageID != "" && !r.apiError {
			b.answers[r.messageID] = m
		}
		b.list = append(b.list, m)
	}
	if r.usage != nil && r.model != claudeSynthetic {
		m.Usage = r.usage // every line repeats it; the last one is complete
	}
	parts := r.parts[:0:0]
	for _, p := range r.parts {
		if p.Kind == model.ToolCall && m.calls(p.ID) {
			b.repeats = append(b.repeats, r.span.Line)
			continue
		}
		parts = append(parts, p)
	}
	m.extend(r, parts)
	for i := range parts {
		if p := &parts[i]; p.Kind == model.ToolCall && p.ID != "" {
			b.call(m, p)
		}
	}
}

func (m *claudeMessage) calls(id string) bool {
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == model.ToolCall && p.ID == id && id != "" {
			return true
		}
	}
	return false
}

// call notes a tool call, and fetches its result when that came first.
func (b *claudeBuild) call(m *claudeMessage, p *model.Part) {
	if prompt := promptOf(p); prompt != "" {
		b.prompts[prompt] = p.ID
	}
	early, ok := b.floating[p.ID]
	if !ok {
		b.open[p.ID] = append(b.open[p.ID], &claudeCall{m, p.Name})
		return
	}
	delete(b.floating, p.ID)
	var kept, moved []model.Part
	for _, part := range early.in.Parts {
		if part.Kind == model.ToolResult && part.ID == p.ID {
			part.Name = p.Name
			moved = append(moved, part)
		} else {
			kept = append(kept, part)
		}
	}
	to := b.resultsOf(m, early.record)
	if to == early.in {
		for i := range to.Parts {
			if to.Parts[i].Kind == model.ToolResult && to.Parts[i].ID == p.ID {
				to.Parts[i].Name = p.Name
			}
		}
		return
	}
	early.in.Parts, early.in.emptied = kept, len(kept) == 0
	early.in.forget(early.record)
	to.extend(early.record, moved)
}

// resultsOf is the message that carries the results of an answer's calls, right behind it.
func (b *claudeBuild) resultsOf(m *claudeMessage, r *claudeRecord) *claudeMessage {
	if m.results == nil {
		m.results = newClaudeMessage(r, model.User, model.Plain)
		for i := len(b.list) - 1; ; i-- {
			if b.list[i] == m {
				b.list = append(b.list, nil)
				copy(b.list[i+2:], b.list[i+1:])
				b.list[i+1] = m.results
				break
			}
		}
	}
	return m.results
}

// results adds a line of tool results.
func (b *claudeBuild) results(r *claudeRecord) {
	var to *claudeMessage
	var rest []model.Part
	for _, p := range r.parts {
		if p.Kind != model.ToolResult {
			rest = append(rest, p)
			continue
		}
		if r.startedAgent != "" {
			b.agents[r.startedAgent] = p.ID
		}
		if waiting := b.open[p.ID]; len(waiting) > 0 && p.ID != "" {
			c := waiting[len(waiting)-1]
			b.open[p.ID] = waiting[:len(waiting)-1]
			p.Name = c.name
			to = b.resultsOf(c.in, r)
		} else {
			to = b.orphan(r, p.ID)
		}
		to.extend(r, []model.Part{p})
	}
	to.extend(r, rest)
	if to == b.last() {
		b.settle(to)
	}
}

// orphan is the message for a result whose call is not known (yet): the last
// one, when that holds results too.
func (b *claudeBuild) orphan(r *claudeRecord, id string) *claudeMessage {
	last := b.last()
	if last == nil || last.Role != model.User || !last.HasResult() {
		last = newClaudeMessage(r, model.User, model.Plain)
		b.list = append(b.list, last)
	}
	if id != "" {
		b.floating[id] = claudeEarly{last, r}
	}
	return last
}

// attach adds an attachment to the user message before it, or keeps it for the next one.
func (b *claudeBuild) attach(r *claudeRecord) {
	last := b.last()
	switch {
	case last == nil || last.Role != model.User || len(b.loose) > 0:
		b.loose = append(b.loose, r.parts...)
		for range r.parts {
			b.looseAt = append(b.looseAt, r)
		}
	case last.summary && r.prompt:
		b.plain(r, model.User, model.Plain)
	default:
		last.extend(r, r.parts)
	}
}

// settle hands the attachments that are waiting to the message given, or makes
// a message of them.
func (b *claudeBuild) settle(m *claudeMessage) {
	if len(b.loose) == 0 {
		return
	}
	parts, at := b.loose, b.looseAt
	b.loose, b.looseAt = nil, nil
	if m == nil {
		m = newClaudeMessage(at[0], model.User, model.Meta)
		for _, r := range at {
			if r.prompt {
				m.Mark = model.Plain
			}
		}
		b.list = append(b.list, m)
	}
	for i := range parts {
		m.extend(at[i], parts[i:i+1])
	}
}
