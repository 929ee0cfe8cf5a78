package transcript

import (
	"slices"
	"strconv"

	"cinch/model"
)

// piTree is a pi session: entries that name their parents. What the model is
// sent is the way from the root to the leaf, which is the last entry written.
type piTree struct {
	entries []*piEntry
	up      []int // index of the parent, -1 at a root
	down    []int // number of children
}

func newPiTree(d *Document, entries []*piEntry) *piTree {
	t := &piTree{entries: entries, up: make([]int, len(entries)), down: make([]int, len(entries))}
	at := map[string]int{}
	for i, e := range entries {
		t.up[i] = -1
		if e.kind == "session" {
			continue
		}
		p, known := at[e.parent]
		switch {
		case !e.linked && i > 0 && entries[i-1].kind != "session":
			t.up[i] = i - 1 // version 1 has no links: each entry follows the one before it
		case e.parent == "" || known && p >= i:
		case known:
			t.up[i] = p
		case i > 0 && entries[i-1].kind != "session":
			d.Warn(e.span.Line, e.col, "parent entry missing, linked to the entry before it")
			t.up[i] = i - 1
		}
		if t.up[i] >= 0 {
			t.down[t.up[i]]++
		}
		if e.id == "" {
			e.id = strconv.Itoa(i)
		}
		at[e.id] = i
	}
	return t
}

// path is the way from the root to an entry.
func (t *piTree) path(leaf int) []int {
	var out []int
	for i := leaf; i >= 0; i = t.up[i] {
		out = append(out, i)
	}
	slices.Reverse(out)
	return out
}

// tip is the nearest entry at or above i that says something, or -1.
func (t *piTree) tip(i int) int {
	for i >= 0 && piSilent[t.entries[i].kind] {
		i = t.up[i]
	}
	return i
}

// branches lists the leaves, when there is more than one that says something of
// its own, and finds the one asked for.
func (t *piTree) branches(wanted string) (leaf int, out []model.Branch) {
	leaf = len(t.entries) - 1
	var tips []int
	for i, e := range t.entries {
		if t.down[i] > 0 || e.kind == "session" {
			continue
		}
		if tip := t.tip(i); tip >= 0 && !slices.Contains(tips, tip) {
			tips = append(tips, tip)
		}
	}
	// A tip that another branch goes on from is no branch of its own.
	above := map[int]int{}
	for _, tip := range tips {
		for _, i := range t.path(tip) {
			above[i]++
		}
	}
	tips = slices.DeleteFunc(tips, func(tip int) bool { return above[tip] > 1 })
	if len(tips) < 2 {
		return leaf, nil
	}
	active := t.tip(leaf)
	for _, tip := range tips {
		if t.entries[tip].id == wanted {
			active, leaf = tip, tip
		}
	}
	for _, tip := range tips {
		b := model.Branch{ID: t.entries[tip].id, Active: tip == active, Time: t.entries[tip].time}
		for _, i := range t.path(tip) {
			e := t.entries[i]
			if e.kind == "message" {
				b.Messages++
			}
			if e.role == "user" && (above[i] == 1 || b.Title == "") && len(e.parts) > 0 {
				b.Title = headline(e.parts[0].Text)
			}
		}
		out = append(out, b)
	}
	if !slices.ContainsFunc(out, func(b model.Branch) bool { return b.Active }) {
		// The leaf stands on a branch's way, not at its end.
		out = append(out, model.Branch{ID: t.entries[leaf].id, Active: true, Title: "where the session stands", Time: t.entries[leaf].time})
	}
	return leaf, out
}

// conversation makes the views of the way to a leaf.
func (t *piTree) conversation(d *Document) *model.Conversation {
	c := &model.Conversation{Format: piName}
	leaf, branches := t.branches(d.Branch)
	c.Branches = branches
	path := t.path(leaf)
	for _, e := range t.entries {
		switch e.kind {
		case "session":
			c.ID, c.Dir, c.Model = e.text, e.dir, e.model
		case "session_info":
			c.Title = e.text
		}
	}
	b := &piBuild{c: c, stopped: map[string]bool{}}
	for n, i := range path {
		b.add(t.entries[i])
		for len(b.at) < len(c.Messages) {
			b.at = append(b.at, n)
		}
	}
	if b.special {
		c.SetViews(b.history, b.context(d, t, path))
	}
	if c.Title == "" {
		c.Title = firstWords(c.Messages)
	}
	return c
}

const piName = "pi"

// piBuild makes messages of the entries on one way through the tree.
type piBuild struct {
	c       *model.Conversation
	history []*model.Message
	at      []int           // for each message of the log, where on the way its first entry stands
	stopped map[string]bool // calls of answers that are not sent again
	special bool            // the views differ
}

func (b *piBuild) add(e *piEntry) {
	switch e.kind {
	case "model_change":
		b.c.Model = e.model
	case "compaction":
		m := piMessage(e, model.User, model.Summary)
		m.Parts = []model.Part{{Kind: model.Text, Text: piSummaryText(e.text)}}
		b.special = true
		k := model.Compaction{
			Kind: "compaction", Before: e.before, Log: len(b.c.Messages), History: len(b.history),
			Line: e.span.Line, Summary: e.text, Time: e.time,
		}
		if e.fromHook {
			k.Trigger = "hook"
		}
		b.c.Compactions = append(b.c.Compactions, k)
		b.c.Messages = append(b.c.Messages, m)
	case "branch_summary":
		m := piMessage(e, model.User, model.Meta)
		m.Parts = []model.Part{{Kind: model.Text, Text: piBranchText(e.text)}}
		b.push(m)
	case "custom_message", "message":
		if e.role != "" {
			b.message(e)
		}
	}
}

func (b *piBuild) message(e *piEntry) {
	role, mark := model.User, model.Plain
	switch e.role {
	case "assistant":
		role = model.Assistant
	case "system":
		role = model.System
	case "custom", "hookMessage", "branchSummary", "bashExecution", "compactionSummary":
		mark = model.Meta
	}
	if e.role == "toolResult" {
		// The results of one answer travel together.
		if n := len(b.c.Messages); n > 0 && b.c.Messages[n-1].Wrote == "toolResult" {
			last := b.c.Messages[n-1]
			last.Spans = append(last.Spans, e.span)
			for _, p := range e.parts {
				p.Span = uint16(min(len(last.Spans)-1, 1<<16-1))
				last.Parts = append(last.Parts, p)
			}
			return
		}
	}
	m := piMessage(e, role, mark)
	if role == model.Assistant {
		m.Model, m.Usage = e.model, e.usage
		if e.model != "" {
			b.c.Model = e.model
		}
	}
	b.special = b.special || e.stopped || e.silent
	if e.stopped {
		for i := range m.Parts {
			if m.Parts[i].Kind == model.ToolCall {
				b.stopped[m.Parts[i].ID] = true
			}
		}
	}
	b.push(m)
}

func (b *piBuild) push(m *model.Message) {
	b.c.Messages = append(b.c.Messages, m)
	b.history = append(b.history, m)
}

func piMessage(e *piEntry, role model.Role, mark model.Mark) *model.Message {
	return &model.Message{
		Role: role, Mark: mark, Wrote: e.role, ID: e.id, Time: e.time, Parts: e.parts, Spans: []model.Span{e.span},
	}
}

// context is what would be sent next: the newest compaction's summary, what it
// kept, and what followed, without answers that were aborted or failed.
func (b *piBuild) context(d *Document, t *piTree, path []int) []*model.Message {
	newest, kept := -1, 0
	for n, i := range path {
		if t.entries[i].kind == "compaction" {
			newest = n
		}
	}
	var out []*model.Message
	if newest >= 0 {
		e := t.entries[path[newest]]
		kept = slices.IndexFunc(path, func(i int) bool {
			return e.firstKept != "" && t.entries[i].id == e.firstKept || e.keptIndex >= 0 && i == e.keptIndex
		})
		if kept < 0 || kept > newest {
			d.Warn(e.span.Line, e.col, "the compaction's first kept entry is missing, so nothing before it is in context")
			kept = newest
		}
		out = append(out, b.c.Messages[slices.Index(b.at, newest)])
	}
	for i, m := range b.c.Messages {
		e := t.entries[path[b.at[i]]]
		if e.kind == "compaction" || b.at[i] < kept || e.stopped || e.silent {
			continue
		}
		if m = b.answered(m); m != nil {
			out = append(out, m)
		}
	}
	return out
}

// answered takes the results of calls that are not sent again out of a message.
func (b *piBuild) answered(m *model.Message) *model.Message {
	gone := func(p model.Part) bool { return p.Kind == model.ToolResult && b.stopped[p.ID] }
	if !slices.ContainsFunc(m.Parts, gone) {
		return m
	}
	copied := *m
	copied.Parts = slices.DeleteFunc(slices.Clone(m.Parts), gone)
	if len(copied.Parts) == 0 {
		return nil
	}
	return &copied
}
