package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor"
	"cinch/compactor/study"
	"cinch/model"
)

// What the Replay screen finds out in the background.
type (
	historyMsg struct {
		id  int
		w   *weighed
		err error
	}
	changesMsg struct {
		id      int
		changes []study.Change
	}
	tickMsg struct{ id int }
)

// prepare sees to it that the history view is counted with the session's counter.
func (p *replayScreen) prepare() tea.Cmd {
	w := p.s.weighed
	if w.view == model.History || len(p.s.conv.Compactions) == 0 && w.view == model.Context {
		p.whole, p.counting = w, false
		return nil
	}
	if p.whole != nil && p.whole.conv == w.conv && p.whole.counter().Name() == w.counter().Name() {
		if p.whole.overhead != w.overhead {
			p.whole = p.whole.under(w.overhead)
		}
		return nil
	}
	if p.counting {
		return nil
	}
	p.whole, p.t, p.counting = nil, nil, true
	p.id++
	id, ctx := p.id, p.r.ctx
	return func() tea.Msg {
		whole, err := weighConversation(ctx, w.conv, model.History, w.counter(), w.overhead, nil)
		return historyMsg{id, whole, err}
	}
}

// findChanges looks for the least changes that would let a failing run complete.
// It is many replays, so it is done beside, and ends when the question changes.
func (p *replayScreen) findChanges() tea.Cmd {
	if p.stopFind != nil {
		p.stopFind()
	}
	p.changing = p.t.End.Exceeded != nil
	if !p.changing {
		return nil
	}
	p.id++
	id, rec, policy := p.id, p.whole.rec, p.s.policy
	ctx, stop := context.WithCancel(p.r.ctx)
	p.stopFind = stop
	return func() tea.Msg {
		defer stop()
		how := compactor.Driving{Policy: policy, Stop: func() bool { return ctx.Err() != nil }}
		return changesMsg{id, study.Changes(rec, how)}
	}
}

func (p *replayScreen) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case historyMsg:
		if msg.id != p.id {
			return nil
		}
		p.counting = false
		if msg.err == nil {
			p.whole = msg.w
		}
		return p.shown()
	case changesMsg:
		if msg.id == p.id {
			p.changes, p.changing = msg.changes, false
		}
	case tickMsg:
		return p.tick(msg)
	case foundMsg:
		if p.search.found(msg) {
			p.searched()
		}
	}
	return nil
}

// player moves the cursor by itself.
type player struct {
	on   bool
	gear int
	id   int
}

// speeds are calls a second, by gear.
var speeds = [...]int{1, 2, 4, 8, 16, 32, 64}

func (p *player) speed() int { return speeds[p.gear] }

func (p *replayScreen) playPause() tea.Cmd {
	p.play.on = !p.play.on
	if !p.play.on || len(p.points) == 0 {
		p.play.on = false
		return nil
	}
	if p.at == len(p.points)-1 {
		p.seek(0)
	}
	p.play.id++
	return p.next()
}

func (p *replayScreen) shift(by int) {
	p.play.gear = min(max(p.play.gear+by, 0), len(speeds)-1)
}

func (p *replayScreen) next() tea.Cmd {
	id := p.play.id
	return p.r.later(time.Second/time.Duration(p.play.speed()), func(time.Time) tea.Msg { return tickMsg{id} })
}

func (p *replayScreen) tick(m tickMsg) tea.Cmd {
	if !p.play.on || m.id != p.play.id {
		return nil
	}
	p.seek(p.at + 1)
	if p.at == len(p.points)-1 {
		p.play.on = false
		return nil
	}
	return p.next()
}
