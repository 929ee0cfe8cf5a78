package ui

import (
	"context"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/ladder"
	"cinch/compactor/study"
	"cinch/compactor/summarize"
	"cinch/ui/draw"
)

// whyPage says why the run went as it did under this policy, and what would have
// helped: what `cinch explain` prints.
type whyPage struct {
	id      int
	stop    context.CancelFunc
	climb   *study.Climb // nil while it is being looked for
	changes []study.Change
	asks    string // whom every try of a change would ask again, "" for nobody
	top     int
}

type whyMsg struct {
	id      int
	climb   *study.Climb
	changes []study.Change
	err     error
}

// question is what is asked of a run that is to be explained, and whom every try
// of a change would ask again, "" for nobody. Summaries that have not been asked
// for are nobody's, as in the run itself.
func (c *climber) question(u *setup) (how study.Climbing, asks string) {
	k := &u.climb
	how = study.Climbing{
		Record: c.rec, Policy: k.policy, Window: u.policy.Window, Overhead: c.overhead(u), Summarizer: c.known(k), Manual: k.manual,
		Spare: summarize.Extract{}, SpareName: summarize.Extract{}.String(),
	}
	if k.sends() && how.Summarizer != nil {
		asks = k.writer.Receiver()
	}
	return how, asks
}

// onlyLocal says why changes are not looked for where each would ask somebody again.
func onlyLocal(asks string) string {
	return "only looked for with summaries by extract, a fixed text or nobody: each try would ask " + draw.Line(asks, 60) + " again"
}

// explain opens the page and looks for its answer beside: it takes many runs.
func (p *ladderScreen) explain() tea.Cmd {
	p.endWhy()
	how, asks := p.question(&p.s.setup)
	ctx, stop := context.WithCancel(p.r.ctx)
	p.id++
	p.why = &whyPage{id: p.id, stop: stop, asks: asks}
	p.reading, p.page = true, true
	id, tries := p.id, asks == ""
	return func() tea.Msg {
		defer stop()
		m := whyMsg{id: id}
		if m.climb, m.err = study.ExplainClimb(ctx, how); m.err == nil && tries {
			m.changes = m.climb.Changes(ctx, how)
		}
		return m
	}
}

// answered takes what was found out for the page.
func (p *ladderScreen) answered(m whyMsg) tea.Cmd {
	if p.why == nil || m.id != p.why.id {
		return nil
	}
	if m.err != nil {
		p.endWhy()
		return p.r.say(draw.Fault, "%v", m.err)
	}
	p.why.climb, p.why.changes = m.climb, m.changes
	return nil
}

// endWhy closes the page, and stops what is still being looked for.
func (p *ladderScreen) endWhy() {
	if p.why != nil {
		p.why.stop()
		p.why, p.reading, p.page = nil, false, false
	}
}

func (q *whyPage) lines(l *draw.Look, w, h int, use string) []string {
	out := l.Sheet(w)
	add := func(t draw.Token, text string) { wrapped(l, out, t, text) }
	head := func(text string) { out.Line(); add(draw.Title, text) }
	e := q.climb
	if e == nil {
		add(draw.Dim, "replaying to find out why …")
		return out.Lines()
	}
	tone := draw.Good
	switch e.Main.Kind {
	case study.OverWindow:
		tone = draw.Fault
	case study.EndsOver, study.OverTrigger:
		tone = draw.Over
	}
	add(tone, e.Main.Text)
	if e.Room != "" {
		add(draw.Text, e.Room)
	}
	for _, f := range e.Also {
		tone := draw.Warning
		if f.Kind == study.RidesOnTop {
			tone = draw.Text
		}
		add(tone, f.Text)
	}
	if e.At == nil {
		out.Line()
		add(draw.Dim, "nothing has to change")
	}
	if e.At != nil {
		head(fmt.Sprintf("the pass before turn %d", e.At.Turn))
		for i := range e.Steps {
			add(draw.Text, e.Steps[i].Title()+"  "+e.Steps[i].Why())
		}
		head("least change")
		for _, c := range q.changes {
			tone := draw.Dim
			if c.Possible {
				tone = draw.Good
			}
			add(tone, c.Text)
		}
		if q.asks != "" {
			add(draw.Dim, onlyLocal(q.asks))
			add(draw.Text, "try "+e.Fix)
		} else {
			add(draw.Dim, use+" sets one; or "+e.Fix)
		}
	}
	lines := out.Lines()
	q.top = max(0, min(q.top, len(lines)-h))
	return lines[q.top:min(len(lines), q.top+h)]
}

// mendMenu offers the changes that were found.
func (p *ladderScreen) mendMenu() tea.Cmd {
	m := &menu{title: "set"}
	for _, c := range p.why.changes {
		if set := mending(c); c.Possible && set != nil {
			m.items = append(m.items, item{string(menuKeys[len(m.items)]), mendName(c), func() tea.Cmd {
				p.endWhy()
				p.s.change(mendName(c), 0, set)
				return p.r.say(draw.Good, "%s; %s takes it back", c.Text, p.r.press("anywhere", "undo"))
			}})
		}
	}
	switch {
	case p.why.climb == nil:
		return p.r.say(draw.Dim, "the least changes are still being looked for")
	case p.why.climb.At == nil:
		return p.r.say(draw.Dim, "nothing has to change")
	case len(m.items) == 0:
		return p.r.say(draw.Warning, "no single change was found that helps")
	}
	return p.r.choose(m)
}

// mendName is a change in a few words.
func mendName(c study.Change) string {
	switch c.Knob {
	case "pinTools":
		return "no pins"
	case "summariser":
		return "summaries by extract"
	case string(ladder.Summarize), string(ladder.SlidingWindow):
		return c.Knob + " last"
	case "trigger":
		return fmt.Sprintf("trigger %d%%", c.To)
	}
	return c.Knob + " " + draw.Tokens(c.To)
}

// mending is how a change is made, nil for one that is not known.
func mending(c study.Change) func(*setup) {
	switch c.Knob {
	case "recentTurns":
		return func(u *setup) { u.climb.policy.Preserve.RecentTurns = int(c.To) }
	case "minReclaimTokens":
		return func(u *setup) { u.climb.policy.MinReclaimTokens = c.To }
	case "cooldownTurns":
		return func(u *setup) { u.climb.policy.CooldownTurns = int(c.To) }
	case "pinTools":
		return func(u *setup) { u.climb.policy.Preserve.PinTools = nil }
	case "trigger":
		return func(u *setup) { u.climb.fire(ladder.ContextFraction, float64(c.To)/100) }
	case "window":
		return func(u *setup) { u.policy.Window, u.windowFrom = c.To, "here" }
	case "summariser":
		return func(u *setup) { u.climb.writer = summarize.Extract{} }
	case string(ladder.Summarize), string(ladder.SlidingWindow):
		return func(u *setup) {
			u.climb.last(ladder.Strategy(c.Knob))
			if u.climb.writer == nil && u.climb.summarises() && c.Knob == string(ladder.Summarize) {
				u.climb.writer = summarize.Extract{}
			}
		}
	}
	return nil
}

// last makes a rung the last one that is climbed.
func (c *climbing) last(s ladder.Strategy) {
	rungs := slices.DeleteFunc(slices.Clone(c.rungs), func(r rung) bool { return r.strategy == s })
	at := 0
	for i, r := range rungs {
		if r.on {
			at = i + 1
		}
	}
	c.climb(slices.Insert(rungs, at, rung{s, true}))
}
