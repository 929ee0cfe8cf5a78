package ui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/model"
	"cinch/model/token"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

// loading is work done in the background that the user waits for: reading a
// file, then counting it. Only the newest counts; what an older one still
// finds out is thrown away by its id.
type loading struct {
	id     int
	what   string // reading session.jsonl, counting with o200k
	unit   string // what done and total are: bytes, messages
	cancel context.CancelFunc
	done   atomic.Int64
	total  atomic.Int64 // 0: unknown
}

func (l *loading) progress(done, total int64) {
	l.done.Store(done)
	l.total.Store(total)
}

type (
	openedMsg struct {
		id     int
		opened *Opened
		err    error
	}
	weighedMsg struct {
		id  int
		w   *weighed
		err error
		// What is taken up; nil when the conversation at hand was counted again,
		// and what is done to it.
		begin    *Opened
		settings Settings
		what     string
	}
	progressMsg struct{ id int }
)

const progressEvery = 100 * time.Millisecond

// start makes work the one that is waited for.
func (r *root) start(what, unit string) (*loading, context.Context) {
	r.stopLoading()
	ctx, cancel := context.WithCancel(r.ctx)
	r.loads++
	r.load = &loading{id: r.loads, what: what, unit: unit, cancel: cancel}
	return r.load, ctx
}

func (r *root) stopLoading() {
	if r.load != nil {
		r.load.cancel()
		r.load = nil
	}
}

// open reads a file in the background and takes up its conversation.
func (r *root) open(path string) tea.Cmd {
	l, ctx := r.start("reading "+filepath.Base(path), "bytes")
	r.failure = nil
	read := r.opts.Open
	return tea.Batch(r.tick(l), func() tea.Msg {
		o, err := read(ctx, path, l.progress)
		return openedMsg{l.id, o, err}
	})
}

// take counts one of a file's conversations in the background and takes it up.
func (r *root) take(o *Opened, conv *model.Conversation) tea.Cmd {
	set, err := o.Settings(conv)
	if err != nil {
		r.fail(err)
		return nil
	}
	return r.weighing(conv, set.View, set.Counter, func(m *weighedMsg) { m.begin, m.settings = o, set })
}

// recount counts the conversation at hand with another counter.
func (r *root) recount(c token.Counter) tea.Cmd {
	return r.weighing(r.s.conv, r.s.weighed.view, c, func(m *weighedMsg) { m.what = "counter " + c.Name() })
}

// review looks at another view of the recording.
func (r *root) review(v model.View) tea.Cmd {
	return r.weighing(r.s.conv, v, r.s.counter(), func(m *weighedMsg) { m.what = "view " + v.String() })
}

func (r *root) weighing(conv *model.Conversation, view model.View, c token.Counter, mark func(*weighedMsg)) tea.Cmd {
	l, ctx := r.start("counting with "+c.Name(), "messages")
	return tea.Batch(r.tick(l), func() tea.Msg {
		w, err := weighConversation(ctx, conv, view, c, l.progress)
		m := weighedMsg{id: l.id, w: w, err: err}
		mark(&m)
		return m
	})
}

// tick draws the progress again in a while.
func (r *root) tick(l *loading) tea.Cmd {
	return r.later(progressEvery, func(time.Time) tea.Msg { return progressMsg{l.id} })
}

// loaded handles what background work found out.
func (r *root) loaded(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	current := func(id int) bool { return r.load != nil && r.load.id == id }
	switch msg := msg.(type) {
	case progressMsg:
		if current(msg.id) {
			r.stale = true
			return r.tick(r.load), true
		}
		return nil, true
	case openedMsg:
		if !current(msg.id) {
			return nil, true
		}
		r.stopLoading()
		r.stale = true
		switch {
		case msg.err != nil:
			r.fail(msg.err)
		case msg.opened.File.Selected == nil:
			r.fail(fmt.Errorf("%s: no conversation in it", msg.opened.File.Path))
		default:
			return r.take(msg.opened, msg.opened.File.Selected), true
		}
		return nil, true
	case weighedMsg:
		if !current(msg.id) {
			return nil, true
		}
		r.stopLoading()
		r.stale = true
		switch {
		case msg.err != nil:
			r.fail(msg.err)
		case msg.begin != nil:
			r.s.begin(msg.begin, msg.w, msg.settings)
			r.failure = nil
			r.unface()
			if r.opts.Remember != nil {
				r.opts.Remember(msg.begin.File.Path)
			}
			r.warn(msg.begin.File)
		default:
			r.s.reweigh(msg.what, msg.w)
		}
		return nil, true
	}
	return nil, false
}

// fail says what went wrong: on the whole screen when there is nothing else to show.
func (r *root) fail(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	if !r.live() {
		r.failure = err
		return
	}
	r.say(draw.Fault, "%v", err)
}

// warn says what was odd about a file, in one line.
func (r *root) warn(f *transcript.File) {
	if f == nil || len(f.Warnings) == 0 {
		return
	}
	n := 0
	for _, w := range f.Warnings {
		n += max(w.N, 1)
	}
	first := f.Warnings[0]
	where := ""
	if first.Line > 0 {
		where = fmt.Sprintf("line %d: ", first.Line)
	}
	if n == 1 {
		r.say(draw.Warning, "%s%s", where, first.Text)
		return
	}
	r.say(draw.Warning, "%d oddities in the file, first %s%s", n, where, first.Text)
}

// loadingLines draws the wait.
func (r *root) loadingLines(w, h int) []string {
	done, total := r.load.done.Load(), r.load.total.Load()
	amount := draw.Tokens(done)
	size := draw.Tokens(total)
	if r.load.unit == "bytes" {
		amount, size = megabytes(done), megabytes(total)
	}
	text := amount
	if total > 0 {
		text = fmt.Sprintf("%s of %s  %s", amount, size, draw.Percent(done, total))
	}
	p := r.look.Pen(w)
	out := []string{
		p.String(),
		p.Start(draw.Base).Space(2).Text(draw.Strong, r.load.what).String(),
		p.Start(draw.Base).Space(2).Text(draw.Text, text).String(),
		p.Start(draw.Base).String(),
		p.Start(draw.Base).Space(2).Text(draw.Key, "esc").Text(draw.Dim, " gives up   ").Text(draw.Key, "q").Text(draw.Dim, " quits").String(),
	}
	return fitLines(r.look, out, w, h)
}

func megabytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
