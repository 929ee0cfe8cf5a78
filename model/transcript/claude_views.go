package transcript

import (
	"cmp"
	"slices"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// clearedText is what Claude Code sends in place of a tool result that a
// microcompaction cleared.
const clearedText = "[Old tool result content cleared]"

// finish gives the conversation its messages, views and compactions.
func (b *claudeBuild) finish(d *Document, c *model.Conversation) {
	for _, line := range b.repeats {
		d.Warn(line, 0, claudeRepeated)
	}
	b.list = slices.DeleteFunc(b.list, func(m *claudeMessage) bool { return m.emptied && len(m.Parts) == 0 })
	c.Messages = make([]*model.Message, len(b.list))
	for i, m := range b.list {
		if m.Role == model.User && m.HasResult() {
			slices.SortStableFunc(m.Parts, func(p, q model.Part) int {
				return cmp.Compare(resultsFirst(p), resultsFirst(q))
			})
		}
		c.Messages[i] = m.Message
	}
	if c.Title == "" {
		c.Title = firstWords(c.Messages)
	}
	b.views(c)
}

func resultsFirst(p model.Part) int {
	if p.Kind == model.ToolResult {
		return 0
	}
	return 1
}

// firstWords is the headline of the first thing a person said.
func firstWords(messages []*model.Message) string {
	for _, m := range messages {
		if m.Role != model.User || m.Mark != model.Plain || m.HasResult() {
			continue
		}
		for i := range m.Parts {
			if p := &m.Parts[i]; p.Kind == model.Text && p.Text != "" {
				return headline(p.Text)
			}
		}
	}
	return ""
}

// views makes the history and context views where they differ from the log.
func (b *claudeBuild) views(c *model.Conversation) {
	var history []*model.Message
	start := -1 // the boundary or summary at which the context begins
	special := false
	for i, m := range b.list {
		switch {
		case m.boundary != nil:
			special = true
			k := m.boundary.compaction
			entry := model.Compaction{
				Kind: m.boundary.subtype, Trigger: k.trigger, Before: k.before, After: k.after,
				Log: i, History: len(history), Line: m.Line(), Time: m.Time,
			}
			if !k.microcompaction {
				start = i
				if s := b.summaryAfter(i); s != nil {
					entry.Summary = said(s.Message)
				}
			}
			c.Compactions = append(c.Compactions, entry)
		case m.summary:
			special = true
			if start < 0 || b.summaryAfter(start) != m {
				start = i
				c.Compactions = append(c.Compactions, model.Compaction{
					Kind: "summary", Log: i, History: len(history), Line: m.Line(), Time: m.Time, Summary: said(m.Message),
				})
			}
			if len(history) == 0 {
				// What it sums up is in another file: nothing else stands for it here.
				history = append(history, m.Message)
			}
		case m.hidden:
			special = true
		default:
			history = append(history, m.Message)
		}
	}
	if special {
		c.SetViews(history, b.context(start))
	}
}

// summaryAfter is the summary that belongs to the boundary at i.
func (b *claudeBuild) summaryAfter(i int) *claudeMessage {
	for _, m := range b.list[i+1:] {
		switch {
		case m.summary:
			return m
		case m.boundary != nil || m.Role == model.Assistant && !m.hidden:
			return nil
		}
	}
	return nil
}

// said is a message's text.
func said(m *model.Message) string {
	for i := range m.Parts {
		if m.Parts[i].Kind == model.Text {
			return m.Parts[i].Text
		}
	}
	return ""
}

// context is what would be sent next: the newest compaction's summary, what it
// kept, and what followed, less what microcompactions cleared.
func (b *claudeBuild) context(start int) []*model.Message {
	var out []*model.Message
	sent := func(m *claudeMessage) bool { return !m.hidden && m.boundary == nil }
	cleared := clearing{}
	for i := len(b.list) - 1; i > start; i-- {
		m := b.list[i]
		if m.boundary != nil && m.boundary.compaction.microcompaction {
			cleared.add(m.boundary.compaction)
		}
		if sent(m) {
			out = append(out, cleared.apply(m.Message))
		}
	}
	slices.Reverse(out)
	if start < 0 {
		return out
	}
	at := b.list[start]
	if at.boundary == nil {
		return append([]*model.Message{at.Message}, out...)
	}
	kept := b.preserved(start, cleared)
	if len(kept) == 0 {
		return out
	}
	after := 0
	if s := b.summaryAfter(start); s != nil {
		after = 1 + slices.IndexFunc(out, func(m *model.Message) bool { return m.ID == s.ID && m.Mark == model.Summary })
	}
	return slices.Insert(out, after, kept...)
}

// preserved is what the compaction at a boundary kept word for word. What the
// provider counted for it belonged to the old window, so its usage is left out.
func (b *claudeBuild) preserved(boundary int, cleared clearing) []*model.Message {
	k := b.list[boundary].boundary.compaction
	keep := map[string]bool{}
	for _, id := range k.kept {
		keep[id] = true
	}
	within := func(m *claudeMessage, is func(string) bool) bool {
		return slices.ContainsFunc(m.Spans, func(s model.Span) bool { return is(s.Record) })
	}
	first, last := -1, -1
	for i, m := range b.list[:boundary] {
		if k.head == "" || k.tail == "" {
			break
		}
		if first < 0 && within(m, func(id string) bool { return id == k.head }) {
			first = i
		}
		if within(m, func(id string) bool { return id == k.tail }) {
			last = i
		}
	}
	var out []*model.Message
	for i, m := range b.list[:boundary] {
		segment := first >= 0 && i >= first && i <= last
		if !segment && !within(m, func(id string) bool { return keep[id] }) || m.hidden || m.boundary != nil {
			continue
		}
		copied := *cleared.apply(m.Message)
		copied.Usage = nil
		out = append(out, &copied)
	}
	return out
}

// clearing knows what microcompactions cleared.
type clearing map[string]bool

func (c clearing) add(k *claudeCompaction) {
	for _, id := range k.cleared {
		c["call "+id] = true
	}
	for _, id := range k.clearedRecords {
		c["record "+id] = true
	}
}

// apply gives the message as it is sent: itself, or a copy with what was
// cleared taken out.
func (c clearing) apply(m *model.Message) *model.Message {
	if len(c) == 0 {
		return m
	}
	hit := func(p *model.Part) bool {
		if p.Kind == model.ToolResult {
			return c["call "+p.ID]
		}
		return len(m.Spans) > int(p.Span) && c["record "+m.Spans[p.Span].Record]
	}
	if !slices.ContainsFunc(m.Parts, func(p model.Part) bool { return hit(&p) }) {
		return m
	}
	out := *m
	out.Mark, out.Parts = model.Cleared, nil
	for _, p := range m.Parts {
		switch {
		case !hit(&p):
		case p.Kind == model.ToolResult:
			p.Text, p.List = clearedText, nil
		default:
			continue
		}
		out.Parts = append(out.Parts, p)
	}
	if len(out.Parts) == 0 {
		out.Parts = []model.Part{{Kind: model.Text, Text: clearedText}}
	}
	return &out
}

// promptOf is what a call asks of a subagent.
func promptOf(p *model.Part) string {
	if p.Name != "Task" && p.Name != "Agent" {
		return ""
	}
	return gjson.Get(p.Text, "prompt").String()
}

// link ties subagents to the calls that started them.
func (b *claudeBuild) link(c *model.Conversation) {
	for _, child := range c.Children {
		if child.CallID != "" {
			continue
		}
		if id := b.agents[child.ID]; id != "" {
			child.CallID = id
		} else if len(child.Messages) > 0 {
			child.CallID = b.prompts[said(child.Messages[0])]
		}
	}
}
