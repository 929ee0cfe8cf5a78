package ui

import (
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// front is a screen that stands before those of the conversation: a choice of
// what to look at.
type front interface {
	screen
	// heading is what the header says beside the program's name.
	heading() (left, right string)
	// leave ends what the screen does in the background.
	leave()
}

// face puts a screen in front.
func (r *root) face(f front) tea.Cmd {
	if r.front != nil && r.front != f {
		r.front.leave()
	}
	r.front, r.stale = f, true
	f.resize(r.w, max(r.h-headLines-footLines, 0))
	return f.shown()
}

// unface goes to the conversation.
func (r *root) unface() {
	if r.front != nil {
		r.front.leave()
		r.front, r.stale = nil, true
	}
}

// live reports whether there is a screen to draw and to give keys to.
func (r *root) live() bool { return r.front != nil || r.s.loaded() }

// waiting reports whether the wait for a file has the screen.
func (r *root) waiting() bool {
	return r.load != nil && !r.reading() && (r.front != nil || !r.s.loaded())
}

// fileKeys are the bindings that lead from a conversation to others.
func (r *root) fileKeys() *keymap {
	return &keymap{title: "file", on: func() bool { return r.front == nil && r.s.loaded() }, bindings: []binding{
		{[]string{"O"}, "sessions", "choose another: sessions on this machine, recent files, lessons; esc comes back", func() tea.Cmd { return r.face(r.picker) }},
		{[]string{"T"}, "conversations", "what this file holds: conversations, branches, subagents", r.chooseHere},
		{[]string{"B"}, "branches", "look at another branch of this conversation", r.branches},
		{[]string{"i"}, "into", "go into the subagent that the call under the cursor started; esc comes back", r.into},
		{[]string{"I"}, "out", "go to the conversation that started this subagent", r.ascend},
	}}
}

// chooseHere lists what the open file holds.
func (r *root) chooseHere() tea.Cmd {
	if r.reading() {
		return r.waits()
	}
	if r.s.opened == nil || r.s.opened.File == nil {
		return r.say(draw.Dim, "there is no file to choose from")
	}
	r.chooser.take(r.s.opened, r.s.conv)
	return r.face(r.chooser)
}

func (r *root) branches() tea.Cmd {
	if !r.reading() && len(r.s.conv.Branches) < 2 {
		return r.say(draw.Dim, "there is one way through this conversation: it has no branches")
	}
	return r.chooseHere()
}

// frontKeys are the bindings that are good everywhere and mean something before
// a conversation.
func (r *root) frontKeys() *keymap {
	m := &keymap{title: "anywhere"}
	for _, name := range []string{"help", "theme", "mouse", "redraw", "suspend", "back", "quit"} {
		m.bindings = append(m.bindings, *r.keymap.named(name))
	}
	return m
}

// frontHeader is the header of a screen in front.
func (r *root) frontHeader() string {
	p := r.look.Pen(r.w).Space(1).Text(draw.Title, "cinch").Space(2)
	left, right := r.front.heading()
	left, right = own(r.look, left), own(r.look, right)
	if r.load != nil {
		right = own(r.look, r.load.what+" …")
	}
	p.Preview(draw.Text, left, p.Left()-1)
	if p.Left() > draw.Width(right)+3 {
		p.Right(draw.Dim, right, r.w-1)
	}
	return p.String()
}

func baseName(path string) string { return filepath.Base(path) }
