package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor"
	"cinch/ui/draw"
)

// bindings are the keys of the Replay screen, innermost place first.
func (p *replayScreen) bindings() []*keymap {
	do, when := p.do, p.when
	seek := p.seekKeys("the last model call, or where the run failed")
	for i := range seek { // the hand stays where the arrows are
		switch seek[i].name {
		case "faster":
			seek[i].keys = append(seek[i].keys, ">")
		case "slower":
			seek[i].keys = append(seek[i].keys, "<")
		}
	}
	replay := &keymap{title: "replay", on: func() bool { return !p.reading }, bindings: append(seek, []binding{
		{[]string{"["}, "pass before", "the call before that has a pass, simulated or recorded", when(func() tea.Cmd { return p.seekPass(-1) })},
		{[]string{"]"}, "next pass", "the next call that has a pass, simulated or recorded", when(func() tea.Cmd { return p.seekPass(1) })},
		{[]string{"{"}, "run before", "the first call of the run, or of the run before", do(func() { p.seekRun(-1) })},
		{[]string{"}"}, "next run", "the first call of the next run", do(func() { p.seekRun(1) })},
		{[]string{"s"}, "step", "who does what in the pass at the cursor: machine, driver, compactor, manager", when(func() tea.Cmd { return p.stepOn(1) })},
		{[]string{"b"}, "step back", "take the last step back", when(func() tea.Cmd { return p.stepOn(-1) })},
		{[]string{"w"}, "why", "why the run ended as it did, and the least change that would have saved it", do(func() { p.card, p.cardTop = !p.card, 0 })},
		{[]string{"x"}, "use a change", "set a knob to the least change with which the run completes", when(p.changeMenu)},
		{[]string{"o"}, "go on", "after a run has failed go on with the next one, or stop there", when(p.toggleGoOn)},
	}...)}
	list := &keymap{title: "what the model sees", on: func() bool { return !p.reading }, bindings: append(p.listKeys("g", "G"), []binding{
		{[]string{"%"}, "mate", "from a call to its result and back", when(p.mate)},
		{[]string{"/"}, "search", "find text, or letters in order, also in what is no longer sent; a capital makes case count", when(p.askSearch)},
		{[]string{"n"}, "next match", "the next message that was found; one still to come moves the timeline to its call", when(func() tea.Cmd { return p.hit(1) })},
		{[]string{"N"}, "previous match", "the one before", when(func() tea.Cmd { return p.hit(-1) })},
		{[]string{"enter"}, "open", "read the message, or the card of why the run ended; on a fold, unfold it", when(p.enter)},
		{[]string{"F"}, "unfold", "show what is no longer sent message by message, or fold it", do(p.unfold)},
		{[]string{"tab"}, "next knob", "give the keys to the next knob: a slider or a choice", func() tea.Cmd { return p.panel.cycle(1) }},
		{[]string{"shift+tab"}, "previous knob", "give the keys to the knob before", func() tea.Cmd { return p.panel.cycle(-1) }},
	}...)}
	return []*keymap{p.readKeys("replayed message"), p.panel.keys(), replay, list}
}

func (p *replayScreen) enter() tea.Cmd {
	if !p.card && p.cursor < p.rows.n && p.rows.at(p.cursor).kind == foldRow {
		p.unfold()
		return nil
	}
	p.reading, p.page = true, !p.place.wide && !p.card
	return nil
}

// unfold shows one by one, or folds, what is no longer sent. The cursor stays on its
// message.
func (p *replayScreen) unfold() {
	if len(p.points) == 0 {
		return
	}
	n := p.selected()
	p.open = !p.open
	p.layList(p.points[p.at].message)
	p.moveTo(p.rows.find(n))
}

// scroll moves the message, or the card where that is shown.
func (p *replayScreen) scroll(by int) {
	if p.card {
		p.cardTop = max(p.cardTop+by, 0)
		return
	}
	p.detail.scroll(by, p.detailText())
}

func (p *replayScreen) toggleGoOn() tea.Cmd {
	p.goOn = !p.goOn
	p.ask()
	if p.goOn {
		return p.r.say(draw.Dim, "after a run has failed the replay goes on with the next one")
	}
	return p.r.say(draw.Dim, "the replay stops where a run fails")
}

// mate goes to the other half of the message's first call or result.
func (p *replayScreen) mate() tea.Cmd {
	at := p.now.Position(p.selected())
	if at >= 0 {
		for k := range p.now.Message(at).Parts {
			if m := p.now.Mate(at, k); m >= 0 && m != at {
				p.moveTo(p.rows.find(p.now.Recorded(m)))
				return nil
			}
		}
	}
	return p.r.say(draw.Dim, "no other half of a tool pair is in what the model sees here")
}

// changeMenu offers the changes that were found.
func (p *replayScreen) changeMenu() tea.Cmd {
	switch {
	case p.t.End.Exceeded == nil:
		return p.r.say(draw.Dim, "the run completes: nothing has to change")
	case p.changing:
		return p.r.say(draw.Dim, "the least changes are still being looked for")
	}
	m := &menu{title: "set"}
	for _, c := range p.changes {
		if !c.Possible {
			continue
		}
		key := string(rune('1' + len(m.items)))
		from, to := number(c.Knob, c.From), number(c.Knob, c.To)
		m.items = append(m.items, item{key, fmt.Sprintf("%s %s → %s", c.Knob, from, to), func() tea.Cmd {
			p.s.do(deed{c.Knob, from, to}, 0, func(u *setup) {
				if c.Knob == "window" {
					u.windowFrom = "here"
				}
				u.policy = c.Policy
			})
			return p.r.say(draw.Good, "%s; %s takes it back", c.Text, p.r.press("anywhere", "undo"))
		}})
	}
	if len(m.items) == 0 {
		return p.r.say(draw.Warning, "no single knob lets this run complete")
	}
	return p.r.choose(m)
}

func number(knob string, v int64) string {
	switch knob {
	case "auto_compact":
		return offOn[v]
	case "threshold":
		return fmt.Sprintf("%d%%", v)
	}
	return draw.Tokens(v)
}

// mouse seeks on the timeline, selects rows, and turns knobs.
func (p *replayScreen) mouse(m tea.MouseMsg) tea.Cmd {
	if p.t == nil || p.page {
		return nil
	}
	return p.pointed(m)
}

// reasonWord is a reason as the document writes it.
func reasonWord(r compactor.Reason) string {
	if r == compactor.Emergency {
		return "Emergency"
	}
	return "ThresholdExceeded"
}
