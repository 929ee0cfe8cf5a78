package ui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/policy"
	"cinch/ui/draw"
)

// While a large file is read its beginning is there to look at: a conversation
// like any other, with screens and knobs, that says it is not all. It grows as
// more is read, and what was looked at stays in place when the whole is there.

// begunMsg is the beginning of a file that is being read, or why there is none.
type begunMsg struct {
	id       int
	path     string
	bytes    int64
	opened   *Opened
	w        *weighed
	settings Settings
	err      error
}

// The first beginning is read in a moment, and each is so many times larger than
// the one before: all of them cost a small part of reading the whole.
const (
	firstBytes = 1 << 20
	nextBytes  = 4
)

// beginning reads and counts the first bytes of the file that is being read.
func (r *root) beginning(ctx context.Context, l *loading, path string, bytes int64) tea.Cmd {
	begin := r.opts.Begin
	if begin == nil {
		return nil
	}
	return func() tea.Msg {
		m := begunMsg{id: l.id, path: path, bytes: bytes}
		if m.opened, m.err = begin(ctx, path, bytes); m.err != nil {
			return m
		}
		conv := m.opened.File.Selected
		if m.settings, m.err = m.opened.Settings(conv); m.err != nil {
			return m
		}
		m.opened.part = m.opened.File.Size
		m.w, m.err = weighConversation(ctx, conv, m.settings.View, m.settings.Counter, m.settings.Overhead, nil)
		return m
	}
}

// begun takes up a beginning, and asks for the next. Why there is none does not
// matter: the whole file will say.
func (r *root) begun(m begunMsg) tea.Cmd {
	l := r.load
	switch {
	case l == nil || l.id != m.id || m.err != nil:
		return nil
	case l.begun == nil:
		r.begin(m.opened, m.w, m.settings, nil)
	case r.reading():
		r.s.more(m.opened, m.w, m.settings)
	default:
		return nil
	}
	l.begun, r.stale = m.opened, true
	return r.beginning(l.ctx, l, m.path, nextBytes*m.bytes)
}

// begin takes up a conversation, and the conversations that lead back from it.
func (r *root) begin(o *Opened, w *weighed, set Settings, up []session) {
	r.unfollow()
	r.s.begin(o, w, set)
	r.failure, r.up = nil, up
	r.unface()
	if set.Engine == policy.Ladder {
		r.at = slices.IndexFunc(r.screens, func(s screen) bool { _, ok := s.(*ladderScreen); return ok })
	}
}

// more takes up a reading of the same file that holds more. Knobs and history
// stay, and the cursor stays on its message where that is still in the view.
func (s *session) more(o *Opened, w *weighed, set Settings) {
	era, at := s.era, 0
	if s.now.view.Len() > 0 {
		at = s.now.view.Message(s.selected).Line()
	}
	if w.view == s.weighed.view && w.counter().Name() == s.counter().Name() {
		s.grow(o, w, set)
	} else {
		s.begin(o, w, set)
	}
	if s.era == era || at == 0 {
		return
	}
	for i := range s.now.view.Len() { // it was taken up anew
		if s.now.view.Message(i).Line() == at {
			s.selected = i
			return
		}
	}
}

// reading reports whether a beginning is looked at while the rest is on its way.
func (r *root) reading() bool {
	return r.load != nil && r.load.begun != nil && r.load.begun == r.s.opened
}

// waits says of something that it needs the whole file.
func (r *root) waits() tea.Cmd {
	return r.say(draw.Warning, "not before the whole file is read")
}
