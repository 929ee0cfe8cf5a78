package ui

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/study"
	"cinch/model"
	"cinch/model/token"
	"cinch/ui/draw"
)

// following is a file that is watched while an agent writes it. Each reading is
// counted and shown before the next is taken.
type following struct {
	path     string
	readings chan readingMsg
	stop     context.CancelFunc
}

type (
	// readingMsg is the file as it was just read, or why it cannot be.
	readingMsg struct {
		from   *following
		opened *Opened
		err    error
		ended  bool
	}
	grownMsg struct {
		from     *following
		opened   *Opened
		w        *weighed
		settings Settings
		err      error
	}
)

// follow begins to watch a file. The wait for the first reading is shown as that
// for any file.
func (r *root) follow(path string) tea.Cmd {
	if r.watched != nil {
		r.watched.stop()
	}
	var shown tea.Cmd
	progress := func(done, total int64) {}
	if !r.s.following {
		l, _ := r.start("reading " + filepath.Base(path))
		shown, progress = r.tick(l), l.progress
	}
	ctx, stop := context.WithCancel(r.ctx)
	f := &following{path: path, readings: make(chan readingMsg), stop: stop}
	r.watched = f
	watch := r.opts.Follow
	return tea.Batch(shown, func() tea.Msg {
		go func() {
			tell := func(m readingMsg) {
				select {
				case f.readings <- m:
				case <-ctx.Done():
				}
			}
			err := watch(ctx, path, progress, func(o *Opened, err error) { tell(readingMsg{from: f, opened: o, err: err}) })
			tell(readingMsg{from: f, err: err, ended: true})
		}()
		return f.next(ctx)()
	})
}

// next waits for the next reading.
func (f *following) next(ctx context.Context) tea.Cmd {
	return func() tea.Msg {
		select {
		case m := <-f.readings:
			return m
		case <-ctx.Done():
			return nil
		}
	}
}

// unfollow watches no longer.
func (r *root) unfollow() {
	if r.watched != nil {
		r.watched.stop()
		r.watched = nil
	}
	r.s.following = false
}

// followed handles what watching a file found out.
func (r *root) followed(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	switch msg := msg.(type) {
	case readingMsg:
		if msg.from != r.watched {
			return nil, true
		}
		r.stale = true
		if msg.err == nil {
			return r.counted(msg.from, msg.opened), true
		}
		if !r.s.following {
			r.stopLoading()
		}
		if msg.ended {
			r.unfollow()
		}
		switch {
		case errors.Is(msg.err, context.Canceled):
		case r.s.loaded():
			r.say(draw.Warning, "not readable just now, as it was before: %v", msg.err)
		default:
			r.failure = msg.err
		}
		return msg.from.next(r.ctx), true
	case caughtMsg:
		if msg.from == r.watched && msg.err == nil && r.behind() {
			r.s.catch(msg.w)
			r.stale = true
		}
		return nil, true
	case grownMsg:
		if msg.from != r.watched {
			return nil, true
		}
		r.stale = true
		switch {
		case msg.err != nil:
			r.fail(msg.err)
		case !r.s.following:
			r.stopLoading()
			r.s.begin(msg.opened, msg.w, msg.settings)
			r.s.following, r.s.selected = true, max(r.s.now.view.Len()-1, 0)
			r.failure, r.up = nil, nil
			r.unface()
			if r.opts.Remember != nil {
				r.opts.Remember(msg.opened.File.Path)
			}
			r.warn(msg.opened.File)
		default:
			if r.notice != "" && r.noticeTone == draw.Warning {
				r.notice = "" // it can be read again
			}
			r.s.grow(msg.opened, msg.w, msg.settings)
			if r.behind() { // counter or view were changed meanwhile
				return r.counted(msg.from, msg.opened), true
			}
		}
		return msg.from.next(r.ctx), true
	}
	return nil, false
}

// counted counts a reading in the background, in the way that the one before is
// looked at.
func (r *root) counted(f *following, o *Opened) tea.Cmd {
	conv, ctx := o.File.Selected, r.ctx
	if r.s.following {
		conv = sameIn(o, r.s.conv)
	}
	var before *weighed
	look := func(*Settings) {}
	if r.s.following {
		before = r.s.weighed
		view, counter, overhead := r.s.weighed.view, r.s.counter(), r.s.weighed.overhead
		look = func(set *Settings) { set.View, set.Counter, set.Overhead = view, counter, overhead }
	}
	return func() tea.Msg {
		m := grownMsg{from: f, opened: o}
		if m.settings, m.err = o.Settings(conv); m.err != nil {
			return m
		}
		look(&m.settings)
		m.w, m.err = weighOnto(ctx, before, conv, m.settings.View, m.settings.Counter, m.settings.Overhead, nil)
		return m
	}
}

// sameIn is the conversation of a new reading that is the one looked at.
func sameIn(o *Opened, c *model.Conversation) *model.Conversation {
	if c.ID != "" {
		for _, one := range o.File.Conversations {
			if one.ID == c.ID && len(one.Messages) > 0 {
				return one
			}
		}
	}
	return o.File.Selected
}

// behind reports whether what is shown is of an older reading than the newest:
// undo brought back another counter or view.
func (r *root) behind() bool { return r.s.following && r.s.weighed.conv != r.s.conv }

// catchUp counts the newest reading again where what is shown is behind it.
func (r *root) catchUp() tea.Cmd {
	if !r.behind() || r.watched == nil {
		return nil
	}
	f, o := r.watched, r.s.opened
	count := r.counted(f, o)
	return func() tea.Msg {
		if m, ok := count().(grownMsg); ok {
			return caughtMsg{m}
		}
		return nil
	}
}

// caughtMsg is a reading counted again; nobody waits for the next one on its account.
type caughtMsg struct{ grownMsg }

// grow takes up a newer reading of the conversation. Knobs, history, cursor and
// the passes that were applied stay: what they left goes on with what is new. A
// reading that does not begin as the one before did (the file was replaced, or
// the agent has compacted) is taken up anew under the same knobs.
func (s *session) grow(o *Opened, w *weighed, set Settings) {
	if set.WindowFrom == "model" && s.windowFrom == "model" {
		s.policy.Window = set.Policy.Window
	}
	if !goesOn(s.weighed.rec.Messages, w.rec.Messages) && w.view == s.weighed.view {
		policy, from, started := s.policy, s.windowFrom, s.started
		s.begin(o, w, Settings{Policy: policy, WindowFrom: from})
		s.started = started
		return
	}
	atEnd := s.selected >= s.now.view.Len()-1
	s.opened, s.conv = o, w.conv
	under := map[token.OverheadRule]*weighed{w.overhead: w}
	stood := map[*standing]*standing{}
	over := func(u *setup) {
		if u.weighed.view != w.view || u.weighed.counter().Name() != w.counter().Name() {
			return // counted again when undo leads there
		}
		rule := u.weighed.overhead
		next := under[rule]
		if next == nil {
			next = w.under(rule)
			under[rule] = next
		}
		now := stood[u.now]
		switch {
		case now != nil:
		case len(u.applied) == 0:
			now = next.recorded
		default:
			now = next.stand(u.now.view.Onto(next.rec))
		}
		stood[u.now] = now
		u.weighed, u.now = next, now
	}
	// The history is copied: a session kept for the way back from a subagent has it too.
	s.past, s.future = slices.Clone(s.past), slices.Clone(s.future)
	over(&s.setup)
	for i := range s.past {
		over(&s.past[i].setup)
	}
	for i := range s.future {
		over(&s.future[i].setup)
	}
	if atEnd {
		s.selected = s.now.view.Len() - 1
	}
	s.ask()
}

// catch puts the newest reading under what undo has brought back.
func (s *session) catch(w *weighed) {
	if w.conv != s.conv || w.view != s.weighed.view || w.counter().Name() != s.counter().Name() {
		return
	}
	view := w.rec.View()
	if len(s.applied) > 0 {
		view = s.now.view.Onto(w.rec)
	}
	s.weighed, s.now = w, w.stand(view)
	s.ask()
}

// goesOn reports whether a reading begins with all of the one before. The last
// message may have grown: it may have been half-written.
func goesOn(old, grown []*model.Message) bool {
	if len(grown) < len(old) {
		return false
	}
	for i := range old[:max(len(old)-1, 0)] {
		if !alike(old[i], grown[i]) {
			return false
		}
	}
	if last := len(old) - 1; last >= 0 {
		a, b := old[last], grown[last]
		return a.Role == b.Role && len(a.Parts) <= len(b.Parts)
	}
	return true
}

// alike reports whether two readings of a message say the same.
func alike(a, b *model.Message) bool {
	return a.Role == b.Role && a.Mark == b.Mark && a.ID == b.ID && slices.EqualFunc(a.Parts, b.Parts, alikePart)
}

func alikePart(p, q model.Part) bool {
	if p.Kind != q.Kind || p.ID != q.ID || p.Name != q.Name || p.IsError != q.IsError || p.Text != q.Text {
		return false
	}
	if p.Media != q.Media && (p.Media == nil || q.Media == nil || *p.Media != *q.Media) {
		return false
	}
	return slices.EqualFunc(p.List, q.List, alikePart)
}

// pace is how fast the conversation has grown of late.
func (s *session) pace() study.Pace { return study.PaceOf(s.weighed.recorded.view, study.PaceTurns) }
