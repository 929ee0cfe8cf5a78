package ui

import (
	"context"
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/model"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

// A file may hold several conversations, each of which may branch, and start
// subagents. This is the way from one to another.

// several reports whether a file leaves a choice: more than one conversation in
// which something was said.
func several(f *transcript.File) bool {
	n := 0
	for _, c := range f.Conversations {
		if len(c.Messages) > 0 {
			n++
		}
	}
	return n > 1
}

// parentOf is the conversation of a file that started c, nil for a main one.
func parentOf(f *transcript.File, c *model.Conversation) *model.Conversation {
	var walk func([]*model.Conversation) *model.Conversation
	walk = func(list []*model.Conversation) *model.Conversation {
		for _, p := range list {
			for _, child := range p.Children {
				if child == c {
					return p
				}
			}
			if found := walk(p.Children); found != nil {
				return found
			}
		}
		return nil
	}
	if f == nil {
		return nil
	}
	return walk(f.Conversations)
}

// agentsOf are the subagents that the calls of a message started.
func agentsOf(c *model.Conversation, m *model.Message) []*model.Conversation {
	if m == nil || len(c.Children) == 0 {
		return nil
	}
	var out []*model.Conversation
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.ID == "" || p.Kind != model.ToolCall && p.Kind != model.ToolResult {
			continue
		}
		for _, child := range c.Children {
			if child.CallID == p.ID && len(child.Messages) > 0 {
				out = append(out, child)
			}
		}
	}
	return out
}

// sessionName is what finds a conversation in its file again: its number, or a
// subagent's id.
func sessionName(f *transcript.File, c *model.Conversation) string {
	for i, one := range f.Conversations {
		if one == c {
			return strconv.Itoa(i + 1)
		}
	}
	return c.ID
}

// branchOf is the branch that a conversation shows, nil when it has but one way.
func branchOf(c *model.Conversation) *model.Branch {
	if len(c.Branches) < 2 {
		return nil
	}
	for i := range c.Branches {
		if c.Branches[i].Active {
			return &c.Branches[i]
		}
	}
	return nil
}

// whereIs says which of a file's conversations is looked at, "" when there is
// only one.
func whereIs(o *Opened, c *model.Conversation) string {
	if o == nil || o.File == nil {
		return ""
	}
	if parentOf(o.File, c) != nil {
		return "subagent"
	}
	text := ""
	if several(o.File) {
		text = fmt.Sprintf("%s of %d", sessionName(o.File, c), len(o.File.Conversations))
	}
	if b := branchOf(c); b != nil {
		if text != "" {
			text += ", "
		}
		text += "branch " + draw.Line(b.ID, 12)
	}
	return text
}

// pointer is a screen with a message under its cursor.
type pointer interface{ message() *model.Message }

// agents are the subagents that the message under the cursor started.
func (r *root) agents() []*model.Conversation {
	at, ok := r.screen().(pointer)
	if !ok || !r.s.loaded() {
		return nil
	}
	return agentsOf(r.s.conv, at.message())
}

// into goes into the subagent that the call under the cursor started.
func (r *root) into() tea.Cmd {
	agents := r.agents()
	switch {
	case r.reading():
		return r.waits()
	case len(agents) == 0 && len(r.s.conv.Children) > 0:
		return r.say(draw.Dim, "no subagent was started here; %s lists them all", r.press("file", "conversations"))
	case len(agents) == 0:
		return r.say(draw.Dim, "no subagent was started in this conversation")
	case len(agents) == 1:
		return r.descend(agents[0])
	}
	m := &menu{title: "into"}
	for i, c := range agents[:min(len(agents), 9)] {
		m.items = append(m.items, item{strconv.Itoa(i + 1), draw.Line(nameOf(c), 24), func() tea.Cmd { return r.descend(c) }})
	}
	return r.choose(m)
}

// descend takes up a subagent; what was looked at is kept for the way back.
func (r *root) descend(c *model.Conversation) tea.Cmd {
	up := append(r.up[:len(r.up):len(r.up)], *r.s)
	return r.takeFrom(r.s.opened, c, up)
}

// out goes back to the conversation that started this one, as it was left.
func (r *root) ascend() tea.Cmd {
	parent := parentOf(r.s.opened.File, r.s.conv)
	if n := len(r.up); n > 0 && r.up[n-1].conv == parent {
		version := r.s.version
		*r.s = r.up[n-1]
		r.s.version = version + 1
		r.up, r.stale = r.up[:n-1], true
		if r.s.following { // going in has ended it
			return r.follow(r.s.opened.File.Path)
		}
		return nil
	}
	if parent == nil {
		return r.say(draw.Dim, "nothing started this conversation")
	}
	return r.takeFrom(r.s.opened, parent, nil)
}

// branch looks at another branch of a conversation: the file is read again.
func (r *root) branch(path, session, branch string) tea.Cmd {
	if r.opts.OpenBranch == nil {
		return r.say(draw.Dim, "the file cannot be read again")
	}
	return r.read(path, false, func(ctx context.Context, path string, progress func(done, total int64)) (*Opened, error) {
		return r.opts.OpenBranch(ctx, path, session, branch, progress)
	})
}

// carry takes the knobs along to another conversation of the file that is open,
// but for a window that follows the model. The whole of what was only begun has
// settings of its own.
func (r *root) carry(o *Opened) func(*Settings) {
	if !r.s.loaded() || r.s.opened == nil || r.s.opened.File == nil || r.s.opened.File.Path != o.File.Path || r.s.opened.part > o.part {
		return func(*Settings) {}
	}
	policy, moved, counter := r.s.policy, r.s.windowFrom == "here", r.s.counter()
	return func(set *Settings) {
		window := set.Policy.Window
		set.Policy, set.Counter = policy, counter
		if moved {
			set.WindowFrom = "here"
		} else {
			set.Policy.Window = window
		}
	}
}

// nameOf is what a conversation is called.
func nameOf(c *model.Conversation) string {
	switch {
	case c.Title != "":
		return c.Title
	case c.ID != "":
		return c.ID
	}
	for _, m := range c.Messages {
		if m.Role == model.User {
			return gist(m)
		}
	}
	return "no name"
}
