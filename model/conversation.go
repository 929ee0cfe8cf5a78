package model

import (
	"fmt"
	"slices"
	"time"
)

// View is a way to look at one recording.
type View uint8

const (
	// Context is what the model would be sent next: after the newest recorded
	// compaction its summary, what it kept, and what followed.
	Context View = iota
	// History is everything recorded, without what recorded compactions
	// inserted and with what they cleared still whole.
	History
	// Log is everything, recorded summaries and boundaries included and marked.
	Log
)

func (v View) String() string { return [...]string{"context", "history", "log"}[v] }

// ParseView reads a view's name.
func ParseView(s string) (View, error) {
	for v := Context; v <= Log; v++ {
		if v.String() == s {
			return v, nil
		}
	}
	return 0, fmt.Errorf("unknown view %q: one of context, history, log", s)
}

// Compaction is one that the recording holds.
type Compaction struct {
	Kind    string // what the file calls it: compact_boundary, microcompact_boundary, compacted, compaction, rollback …
	Trigger string // auto, manual, or "" when not recorded
	Before  int64  // tokens as the file says, 0 when it does not
	After   int64
	Log     int // index in the log view of the boundary or summary
	History int // index in the history view of the first message after it
	Line    int // 1-based line of the record, 0 when unknown
	Summary string
	Time    time.Time
}

// Branch is a way through a recording that is a tree.
type Branch struct {
	ID       string // what --branch takes
	Title    string
	Messages int
	Active   bool
	Time     time.Time
}

// Warning is something odd in the file that was read around, never silently.
type Warning struct {
	Line int // 1-based, 0 when it concerns the whole file
	Col  int // 1-based byte column, 0 when unknown
	Text string
	N    int // how often, when like warnings were folded into this one (its first)
}

// Conversation is one recorded conversation.
type Conversation struct {
	Format string // the format's name, as `cinch formats` lists it
	Path   string // the file, as the user named it
	ID     string
	Title  string
	Dir    string // the project's folder, where recorded
	Model  string // the model's name, "" where the file has none
	Parent string // id of the conversation that started this one (a subagent), "" for a main one
	CallID string // the tool call that started it

	System   string // system prompt, "" where the file has none
	Tools    string // tool schemas as compact JSON, "" where the file has none
	Overhead int64  // tokens of the two where the file has their number alone, 0 where it does not
	Window   int64  // context window as the file records it, in tokens; 0 when it does not

	Messages    []*Message // the log view
	history     []*Message
	context     []*Message
	Compactions []Compaction
	Branches    []Branch
	Children    []*Conversation // subagents and sidechains
	Warnings    []Warning
	Usage       *Usage // of the last recorded call, where the file keeps it apart from messages
}

// SetViews gives a recording with compactions its other two views. Without it
// all three views are the log.
func (c *Conversation) SetViews(history, context []*Message) {
	c.history, c.context = history, context
	if c.history == nil {
		c.history = []*Message{}
	}
	if c.context == nil {
		c.context = []*Message{}
	}
}

// View is the list of messages a view holds, in order. The slice and what it
// points to are the recording: read only.
func (c *Conversation) View(v View) []*Message {
	switch {
	case v == History && c.history != nil:
		return c.history
	case v == Context && c.context != nil:
		return c.context
	}
	return c.Messages
}

// SameView reports whether two views hold the same messages. They may differ in a
// file without compactions too: an answer that was given up is part of the history
// and is not sent again.
func (c *Conversation) SameView(v, w View) bool {
	a, b := c.View(v), c.View(w)
	if len(a) != len(b) {
		return false
	}
	return len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b)
}
