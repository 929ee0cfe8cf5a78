package ui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
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
	counts bool   // it counts what is on the screen anew
	since  time.Time
	ctx    context.Context
	cancel context.CancelFunc
	begun  *Opened      // the beginning that was taken up meanwhile, nil for none
	done   atomic.Int64 // bytes
	total  atomic.Int64 // likewise, 0 while unknown
}

func (l *loading) progress(done, total int64) {
	l.done.Store(done)
	l.total.Store(total)
}

type (
	openedMsg struct {
		id     int
		opened *Opened
		choose bool // among several conversations
		err    error
	}
	weighedMsg struct {
		id       int
		w        *weighed
		err      error
		settings Settings
		// What is taken up; nil when the conversation at hand was counted again,
		// and what is done to it.
		begin *Opened
		up    []session
		what  deed
	}
	progressMsg struct{ id int }
)

const progressEvery = 100 * time.Millisecond

// start makes work the one that is waited for.
func (r *root) start(what string) (*loading, context.Context) {
	r.stopLoading()
	ctx, cancel := context.WithCancel(r.ctx)
	r.loads++
	r.load = &loading{id: r.loads, what: what, ctx: ctx, cancel: cancel, since: r.clock()}
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
	whole := r.read(path, true, r.opts.Open)
	return tea.Batch(whole, r.beginning(r.load.ctx, r.load, path, firstBytes))
}

// read is open in some way. choose says that a file with several conversations
// leaves a choice.
func (r *root) read(path string, choose bool, how func(context.Context, string, func(int64, int64)) (*Opened, error)) tea.Cmd {
	l, ctx := r.start("reading " + filepath.Base(path))
	r.failure = nil
	return tea.Batch(r.tick(l), func() tea.Msg {
		o, err := how(ctx, path, l.progress)
		return openedMsg{l.id, o, choose, err}
	})
}

// take counts one of a file's conversations in the background and takes it up.
func (r *root) take(o *Opened, conv *model.Conversation) tea.Cmd { return r.takeFrom(o, conv, nil) }

// takeFrom is take with the conversations that lead back from it.
func (r *root) takeFrom(o *Opened, conv *model.Conversation, up []session) tea.Cmd {
	carry := r.carry(o)
	return r.weighing("counting", conv, func(context.Context, func(done, total int64)) (Settings, error) {
		set, err := o.Settings(conv)
		if err == nil {
			carry(&set)
		}
		return set, err
	}, func(m *weighedMsg) { m.begin, m.up = o, up })
}

// recount counts the conversation at hand with another counter. What was counted
// before stays on the screen, marked as stale, until the new numbers are whole.
func (r *root) recount(name string) tea.Cmd {
	if r.reading() {
		return r.waits()
	}
	was := r.s.counter().Name()
	conv, set := r.s.conv, Settings{View: r.s.weighed.view, Overhead: r.s.weighed.overhead}
	return r.weighing("counting with "+name, conv, func(ctx context.Context, progress func(done, total int64)) (_ Settings, err error) {
		set.Counter, err = token.ParseAlong(ctx, name, conv, progress)
		return set, err
	}, func(m *weighedMsg) { m.what = deed{"counter", was, name} })
}

// review looks at another view of the recording.
func (r *root) review(v model.View) tea.Cmd {
	if r.reading() {
		return r.waits()
	}
	was := r.s.weighed.view.String()
	set := Settings{View: v, Counter: r.s.counter(), Overhead: r.s.weighed.overhead}
	return r.weighing("counting with "+set.Counter.Name(), r.s.conv, func(context.Context, func(done, total int64)) (Settings, error) {
		return set, nil
	}, func(m *weighedMsg) { m.what = deed{"view", was, v.String()} })
}

// weighing counts in the background. settings may take time too: what calibrates
// a counter counts first.
func (r *root) weighing(what string, conv *model.Conversation, settings func(context.Context, func(done, total int64)) (Settings, error), mark func(*weighedMsg)) tea.Cmd {
	l, ctx := r.start(what)
	l.counts = true
	return tea.Batch(r.tick(l), func() tea.Msg {
		m := weighedMsg{id: l.id}
		mark(&m)
		if m.settings, m.err = settings(ctx, l.progress); m.err == nil {
			m.w, m.err = weighConversation(ctx, conv, m.settings.View, m.settings.Counter, m.settings.Overhead, l.progress)
		}
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
		begun := r.load.begun
		r.stopLoading()
		r.stale = true
		switch {
		case msg.err != nil:
			r.fail(msg.err)
		case begun != nil && begun == r.s.opened && msg.opened.File.Selected != nil:
			cmd := r.take(msg.opened, sameIn(msg.opened, r.s.conv))
			r.load.begun = begun
			return cmd, true
		case msg.opened.File.Selected == nil:
			r.fail(fmt.Errorf("%s: no conversation in it", msg.opened.File.Path))
		case msg.choose && r.opts.Session == "" && several(msg.opened.File):
			r.chooser.take(msg.opened, msg.opened.File.Selected)
			return r.face(r.chooser), true
		default:
			return r.take(msg.opened, msg.opened.File.Selected), true
		}
		return nil, true
	case begunMsg:
		return r.begun(msg), true
	case weighedMsg:
		if !current(msg.id) {
			return nil, true
		}
		begun := r.reading()
		r.stopLoading()
		r.stale = true
		switch {
		case msg.err != nil:
			r.fail(msg.err)
		case msg.begin != nil:
			if begun {
				r.s.more(msg.begin, msg.w, msg.settings)
				if n := len(msg.begin.File.Conversations); several(msg.begin.File) {
					r.say(draw.Dim, "this file holds %d conversations: %s lists them", n, r.press("file", "conversations"))
				}
			} else {
				r.begin(msg.begin, msg.w, msg.settings, msg.up)
			}
			if r.opts.Remember != nil {
				r.opts.Remember(msg.begin.File.Path)
			}
			r.warn(msg.begin.File)
		default:
			r.s.reweigh(msg.what, msg.w)
			return r.catchUp(), true
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

// said is how far the work is, and how fast: 12.3 MB of 96.2 MB  12.8%  41.0 MB/s.
func (l *loading) said(now time.Time) string {
	done, total := l.done.Load(), l.total.Load()
	text := megabytes(done)
	if total > 0 {
		text = fmt.Sprintf("%s of %s  %s", text, megabytes(total), draw.Percent(done, total))
	}
	if spent := now.Sub(l.since).Seconds(); spent >= 0.5 && done > 0 {
		text += fmt.Sprintf("  %s/s", megabytes(int64(float64(done)/spent)))
	}
	return text
}

// footBar is the cells of a bar beside other text.
const footBar = 12

// bar is how far the work is, as a bar of some cells with blanks behind it; ""
// while nobody knows.
func (l *loading) bar(g *draw.Glyphs, cells int) string {
	full, ok := l.filled(cells)
	if !ok {
		return ""
	}
	return strings.Repeat(g.Full, full) + strings.Repeat(g.Ghost, cells-full) + "  "
}

// filled is how many of some cells are done.
func (l *loading) filled(cells int) (n int, ok bool) {
	done, total := l.done.Load(), l.total.Load()
	if total <= 0 {
		return 0, false
	}
	return int(min(done, total) * int64(cells) / total), true
}

// loadingLines draws the wait.
func (r *root) loadingLines(w, h int) []string {
	out := r.look.Sheet(w)
	out.Line()
	out.Line().Space(2).Text(draw.Strong, r.load.what)
	out.Line().Space(2).Text(draw.Text, r.load.said(r.clock()))
	cells := max(min(w-4, 60), 0)
	if full, ok := r.load.filled(cells); ok {
		out.Line().Space(2).Cell(draw.Accent, r.look.Glyphs.Full, full).Cell(draw.GhostCell, r.look.Glyphs.Ghost, cells-full)
	}
	out.Line()
	out.Line().Space(2).Text(draw.Key, "esc").Text(draw.Dim, " gives up   ").Text(draw.Key, own(r.look, r.press("anywhere", "quit"))).Text(draw.Dim, " quits")
	return fitLines(r.look, out.Lines(), w, h)
}

func megabytes(n int64) string {
	if n < 1000<<10 {
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
