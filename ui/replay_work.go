package ui

import (
	"context"

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
)

// prepare sees to it that the history view is counted with the session's counter.
func (p *replayScreen) prepare() tea.Cmd {
	w := p.s.weighed
	if w.conv.SameView(w.view, model.History) {
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
