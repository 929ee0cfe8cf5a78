package ui

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/ladder"
	"cinch/compactor/summarize"
	"cinch/model"
	"cinch/ui/draw"
)

// What the Ladder screen finds out in the background.
type (
	recordMsg struct {
		id     int
		of     recordOf
		rec    *ladder.Record
		beside int64
	}
	climbedMsg struct {
		id  int
		run *climbed
		err error
	}
	climbTickMsg struct{ id int }
)

// climbWork is a run up the ladder in the background.
type climbWork struct {
	id     int
	who    string
	cancel context.CancelFunc
	turn   atomic.Int64
	asked  atomic.Int64 // summaries asked for
	tokens atomic.Int64 // of the head that is being summarised
}

// prepare sees to it that the history is weighed by the ladder's counter.
func (p *ladderScreen) prepare() tea.Cmd {
	of := recordOf{p.s.conv, p.s.climb.counter.Name()}
	if p.recOf == of {
		return nil
	}
	if of.conv != p.recOf.conv {
		p.rec, p.run, p.look = nil, nil, nil
		p.reading, p.page, p.alone, p.play.on = false, false, false, false
	}
	p.recOf, p.counting = of, true
	p.id++
	id, messages, counter := p.id, p.s.conv.View(model.History), p.s.climb.counter
	return func() tea.Msg {
		return recordMsg{id, of, ladder.NewRecord(messages, counter), besideOf(of.conv, counter)}
	}
}

// fewEntries is up to how many entries an extract is drawn while one waits.
const fewEntries = 2_000

// ask runs the policy over the recording: at once where nobody has to be waited
// for. A summariser that sends is not asked here, but what it has answered is used.
func (p *ladderScreen) ask() tea.Cmd {
	p.stopWork()
	p.endWhy()
	p.asked, p.askedOf = p.s.version, p.rec
	u := p.s.setup
	slow := u.climb.summarises() && len(p.rec.Entries) > fewEntries && u.climb.writer == summarize.Summarizer(summarize.Extract{})
	if slow { // first without its summaries
		u.climb.writer = nil
	}
	run, err := p.climb(p.r.ctx, &u)
	if err != nil { // the knobs allow no such policy
		return p.r.say(draw.Fault, "%v", err)
	}
	p.take(run)
	if slow {
		return p.start()
	}
	return nil
}

// start runs the policy in the background, asking the summariser for what is
// not known yet.
func (p *ladderScreen) start() tea.Cmd {
	p.stopWork()
	ctx, cancel := context.WithCancel(p.r.ctx)
	p.id++
	w := &climbWork{id: p.id, who: p.s.climb.writerName(), cancel: cancel}
	p.work = w
	e, manual := p.engine, p.s.climb.manual
	sum := p.asking(&p.s.climb, func(req ladder.Request) {
		w.asked.Add(1)
		w.tokens.Store(req.Tokens)
	})
	return tea.Batch(p.watch(w), func() tea.Msg {
		defer cancel()
		run, err := climbAll(ctx, e, manual, sum, func(turn int) { w.turn.Store(int64(turn)) })
		return climbedMsg{w.id, run, err}
	})
}

// watch has the progress of the work drawn again.
func (p *ladderScreen) watch(w *climbWork) tea.Cmd {
	return p.r.later(progressEvery, func(time.Time) tea.Msg { return climbTickMsg{w.id} })
}

func (p *ladderScreen) stopWork() {
	if p.work != nil {
		p.work.cancel()
		p.work = nil
	}
}

// giveUp cancels what is being waited for.
func (p *ladderScreen) giveUp() {
	who, n := p.work.who, p.work.asked.Load()
	p.stopWork()
	p.r.say(draw.Warning, "gave up asking %s after %s; what it has answered is kept", draw.Line(who, 40), count(int(n), "request"))
}

// take shows the answer to a run.
func (p *ladderScreen) take(run *climbed) {
	message := -1
	if p.run != nil && p.at < len(p.run.calls) {
		message = p.run.calls[p.at].Message
	}
	was := p.step
	p.run = run
	p.lay()
	if message >= 0 {
		p.at = p.callAt(message)
	} else { // at first: the last pass there is, or the end
		p.at = len(run.calls) - 1
		for i := range p.chart.Calls {
			if hasPass(&p.chart.Calls[i]) {
				p.at = i
			}
		}
	}
	p.step = whole
	p.pass()
	if was != whole && was <= len(p.out.Steps) {
		p.step = was
		p.show()
	}
}

func (p *ladderScreen) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case recordMsg:
		if msg.of != p.recOf {
			return nil
		}
		p.counting = false
		p.beside = msg.beside
		p.weigh(msg.rec)
		return p.shown()
	case climbedMsg:
		if p.work == nil || msg.id != p.work.id {
			return nil
		}
		asked := p.work.asked.Load()
		p.work = nil
		if msg.err != nil {
			return p.r.say(draw.Fault, "%v", msg.err)
		}
		p.waiting = false
		p.take(msg.run)
		who := draw.Line(p.s.climb.writerName(), 40)
		if n := ladder.Oddities(msg.run.calls).Failed; n > 0 {
			return p.r.say(draw.Fault, "%s was asked for %s, and %d failed: the messages of those passes stay as they were", who, summariesWord(int(asked)), n)
		}
		return p.r.say(draw.Good, "%s was asked for %s", who, summariesWord(int(asked)))
	case climbTickMsg:
		if p.work != nil && msg.id == p.work.id {
			return p.watch(p.work)
		}
	case whyMsg:
		return p.answered(msg)
	case tickMsg:
		return p.tick(msg)
	}
	return nil
}

func summariesWord(n int) string {
	if n == 1 {
		return "1 summary"
	}
	return fmt.Sprintf("%d summaries", n)
}

// progress says how far the work in the background is.
func (p *ladderScreen) progress() string {
	w := p.work
	return fmt.Sprintf("esc gives up  call %d of %d, summary %d of ~%s tokens by %s …", w.turn.Load(), len(p.run.calls), w.asked.Load(), draw.Tokens(w.tokens.Load()), draw.Line(w.who, 40))
}
