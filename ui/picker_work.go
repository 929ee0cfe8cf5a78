package ui

import (
	"context"
	"errors"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/model/transcript"
)

// What the picker reads in the background. A few jobs at a time, each small
// enough that what is in view never waits for long.

const (
	mostJobs  = 2
	lookBatch = 64 // sessions whose beginnings are read in one job
)

type (
	foundSessionsMsg struct {
		id       int
		sessions []transcript.Session
		recent   []string
		err      error
	}
	readMsg struct {
		id       int
		offers   []*offer
		sessions []transcript.Session // beside offers
		measured bool
		err      error // of measuring the only one
	}
)

// fileAge is what a list says of a file before reading it.
type fileAge struct {
	size     int64
	modified time.Time
}

func ageOf(path string) *fileAge {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return nil
	}
	return &fileAge{info.Size(), info.ModTime()}
}

// find searches the machine.
func (p *picker) find() tea.Cmd {
	id, ctx, o := p.id, p.ctx, &p.r.opts
	return func() tea.Msg {
		m := foundSessionsMsg{id: id}
		if o.Sessions != nil {
			m.sessions, m.err = o.Sessions(ctx)
		}
		if o.Recent != nil {
			m.recent = o.Recent()
		}
		return m
	}
}

func (p *picker) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case foundSessionsMsg:
		if msg.id != p.id || !p.finding {
			return nil
		}
		p.finding = false
		p.found(msg.sessions, msg.recent)
		p.resize(p.w, p.h)
		if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
			p.r.fail(msg.err)
		}
		return p.work()
	case readMsg:
		if msg.id != p.id || p.ctx.Err() != nil {
			return nil
		}
		p.running--
		p.learn(msg)
		return p.work()
	}
	return nil
}

// learn takes what a job has read.
func (p *picker) learn(m readMsg) {
	for i, o := range m.offers {
		switch {
		case m.err != nil:
			o.state, o.why = done, m.err.Error()
		case m.measured:
			o.session, o.state = m.sessions[i], done
		default:
			o.session, o.state = m.sessions[i], looked
		}
		o.learned()
	}
	if p.query != "" {
		for i := range p.shelves {
			p.shelves[i].again(p.query)
		}
	}
}

// work starts jobs while there is something to read and nobody to do it.
func (p *picker) work() tea.Cmd {
	if p.finding || p.ctx == nil || p.ctx.Err() != nil {
		return nil
	}
	var cmds []tea.Cmd
	for p.running < mostJobs {
		cmd := p.job()
		if cmd == nil {
			break
		}
		p.running++
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// job is the next thing to read: the beginnings of what is in view, all of what
// is in view, the beginnings of everything, and what is one page on.
func (p *picker) job() tea.Cmd {
	if batch := p.unreadIn(0, p.shelf().rows); len(batch) > 0 {
		return p.look(batch)
	}
	if o := p.unmeasuredIn(0, p.shelf().rows); o != nil {
		return p.measure(o)
	}
	if batch := p.unreadAnywhere(); len(batch) > 0 {
		return p.look(batch)
	}
	if o := p.unmeasuredIn(p.shelf().rows, 2*p.shelf().rows); o != nil {
		return p.measure(o)
	}
	return nil
}

// unreadIn are offers of which nothing was read, among rows counted from the
// first in view.
func (p *picker) unreadIn(from, to int) []*offer {
	var out []*offer
	s := p.shelf()
	for y := s.top + from; y < min(s.top+to, s.len()); y++ {
		if o := p.row(p.at, y); o.state == unread {
			out = append(out, o)
		}
	}
	return out
}

func (p *picker) unmeasuredIn(from, to int) *offer {
	s := p.shelf()
	for y := s.top + from; y < min(s.top+to, s.len()); y++ {
		if o := p.row(p.at, y); o.state == looked && o.session.Size <= mostMeasured {
			return o
		}
	}
	return nil
}

func (p *picker) unreadAnywhere() []*offer {
	var out []*offer
	for i, offers := range p.offers {
		for ; p.handed[i] < len(offers) && len(out) < lookBatch; p.handed[i]++ {
			if o := offers[p.handed[i]]; o.state == unread {
				out = append(out, o)
			}
		}
	}
	return out
}

// look reads the beginnings of some sessions.
func (p *picker) look(batch []*offer) tea.Cmd {
	m := readMsg{id: p.id, offers: batch, sessions: make([]transcript.Session, len(batch))}
	for i, o := range batch {
		m.sessions[i], o.state = o.session, reading
	}
	ctx := p.ctx
	return func() tea.Msg {
		for i := range m.sessions {
			if ctx.Err() != nil {
				break
			}
			m.sessions[i].Look()
		}
		return m
	}
}

// measure reads all of a session.
func (p *picker) measure(o *offer) tea.Cmd {
	o.state = reading
	m := readMsg{id: p.id, offers: []*offer{o}, sessions: []transcript.Session{o.session}, measured: true}
	ctx := p.ctx
	return func() tea.Msg {
		m.err = m.sessions[0].Measure(ctx)
		return m
	}
}
