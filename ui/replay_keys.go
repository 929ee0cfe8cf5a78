package ui

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor"
	"cinch/ui/draw"
)

// bindings are the keys of the Replay screen, innermost place first.
func (p *replayScreen) bindings() []*keymap {
	do := func(f func()) func() tea.Cmd {
		return func() tea.Cmd {
			if p.t != nil {
				f()
			}
			return nil
		}
	}
	when := func(f func() tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			if p.t == nil {
				return nil
			}
			return f()
		}
	}
	read := &keymap{title: "replayed message", on: func() bool { return p.reading }, bindings: []binding{
		{[]string{"j", "down"}, "scroll down", "one line down", do(func() { p.scroll(1) })},
		{[]string{"k", "up"}, "scroll up", "one line up", do(func() { p.scroll(-1) })},
		{[]string{"ctrl+d", "pgdown"}, "page down", "one page down", do(func() { p.scroll(p.detailText()) })},
		{[]string{"ctrl+u", "pgup"}, "page up", "one page up", do(func() { p.scroll(-p.detailText()) })},
		{[]string{"g", "home"}, "top", "the beginning", do(func() { p.scroll(-1 << 30) })},
		{[]string{"G", "end"}, "end", "the end", do(func() { p.scroll(1 << 30) })},
	}}
	replay := &keymap{title: "replay", on: func() bool { return !p.reading }, bindings: []binding{
		{[]string{"left", "h"}, "call before", "the model call before", do(func() { p.seek(p.at - 1) })},
		{[]string{"right", "l"}, "next call", "the next model call", do(func() { p.seek(p.at + 1) })},
		{[]string{"H", "shift+left"}, "ten back", "ten calls back", do(func() { p.seek(p.at - coarse) })},
		{[]string{"L", "shift+right"}, "ten on", "ten calls on", do(func() { p.seek(p.at + coarse) })},
		{[]string{"0", "home"}, "first call", "the first model call", do(func() { p.seek(0) })},
		{[]string{"$", "end"}, "last call", "the last model call, or where the run failed", do(func() { p.seek(len(p.points) - 1) })},
		{[]string{"["}, "pass before", "the call before that has a pass, simulated or recorded", when(func() tea.Cmd { return p.seekPass(-1) })},
		{[]string{"]"}, "next pass", "the next call that has a pass, simulated or recorded", when(func() tea.Cmd { return p.seekPass(1) })},
		{[]string{"{"}, "run before", "the first call of the run, or of the run before", do(func() { p.seekRun(-1) })},
		{[]string{"}"}, "next run", "the first call of the next run", do(func() { p.seekRun(1) })},
		{[]string{" "}, "play", "play or pause: the cursor moves by itself", when(p.playPause)},
		{[]string{"+", ">"}, "faster", "twice as many calls a second", do(func() { p.shift(1) })},
		{[]string{"-", "<"}, "slower", "half as many", do(func() { p.shift(-1) })},
		{[]string{"s"}, "step", "who does what in the pass at the cursor: machine, driver, compactor, manager", when(func() tea.Cmd { return p.stepOn(1) })},
		{[]string{"b"}, "step back", "take the last step back", when(func() tea.Cmd { return p.stepOn(-1) })},
		{[]string{"w"}, "why", "why the run ended as it did, and the least change that would have saved it", do(func() { p.card, p.cardTop = !p.card, 0 })},
		{[]string{"x"}, "use a change", "set a knob to the least change with which the run completes", when(p.changeMenu)},
		{[]string{"o"}, "go on", "after a run has failed go on with the next one, or stop there", when(p.toggleGoOn)},
		{[]string{":"}, "go to", "go to a call by its number", when(p.askCall)},
	}}
	list := &keymap{title: "what the model sees", on: func() bool { return !p.reading }, bindings: []binding{
		{[]string{"j", "down"}, "down", "the next message", do(func() { p.moveTo(p.rows.next(p.cursor, 1)) })},
		{[]string{"k", "up"}, "up", "the message before", do(func() { p.moveTo(p.rows.next(p.cursor, -1)) })},
		{[]string{"ctrl+d", "pgdown"}, "page down", "one page down", do(func() { p.moveTo(p.rows.next(p.cursor, p.listRows())) })},
		{[]string{"ctrl+u", "pgup"}, "page up", "one page up", do(func() { p.moveTo(p.rows.next(p.cursor, -p.listRows())) })},
		{[]string{"g"}, "first", "the first message", do(func() { p.moveTo(0) })},
		{[]string{"G"}, "last", "the last message before the call", do(func() { p.moveTo(p.rows.n - 1) })},
		{[]string{"%"}, "mate", "from a call to its result and back", when(p.mate)},
		{[]string{"/"}, "search", "find text, or letters in order, also in what is no longer sent; a capital makes case count", when(p.askSearch)},
		{[]string{"n"}, "next match", "the next message that was found; one still to come moves the timeline to its call", when(func() tea.Cmd { return p.hit(1) })},
		{[]string{"N"}, "previous match", "the one before", when(func() tea.Cmd { return p.hit(-1) })},
		{[]string{"enter"}, "open", "read the message, or the card of why the run ended", when(p.enter)},
		{[]string{"tab"}, "next knob", "give the keys to the next knob", func() tea.Cmd { return p.panel.cycle(1) }},
		{[]string{"shift+tab"}, "previous knob", "give the keys to the knob before", func() tea.Cmd { return p.panel.cycle(-1) }},
	}}
	return []*keymap{read, p.panel.keys(), replay, list}
}

func (p *replayScreen) enter() tea.Cmd {
	p.reading, p.page = true, !p.place.wide && !p.card
	return nil
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

func (p *replayScreen) askCall() tea.Cmd {
	return p.r.ask(newPrompt(":", fmt.Sprintf("the number of a call, up to %d", len(p.points)), "", func(text string) (tea.Cmd, error) {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 || n > len(p.points) {
			return nil, fmt.Errorf("a number from 1 to %d", len(p.points))
		}
		p.seek(n - 1)
		return nil, nil
	}))
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
		m.items = append(m.items, item{key, fmt.Sprintf("%s %s", c.Knob, number(c.Knob, c.To)), func() tea.Cmd {
			p.s.change(fmt.Sprintf("%s → %s", c.Knob, number(c.Knob, c.To)), 0, func(u *setup) {
				if c.Knob == "window" {
					u.windowFrom = "here"
				}
				u.policy = c.Policy
			})
			return p.r.say(draw.Good, "%s; u takes it back", c.Text)
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
	at := &p.place
	if p.t == nil || p.page {
		return nil
	}
	if cmd, mine := p.panel.holding(m); mine {
		return cmd
	}
	switch {
	case at.chart.Contains(m.X, m.Y):
		if c, ok := p.chart.CallAt(at.chart.W, at.chart.H, m.X-at.chart.X); ok {
			p.seek(c)
		}
	case m.Action != tea.MouseActionPress:
	case at.knobs.Contains(m.X, m.Y):
		return p.panel.press(m.X, m.Y)
	case at.list.Contains(m.X, m.Y):
		p.reading = false
		p.panel.drop()
		if y := p.top + m.Y - at.list.Y - 1; m.Y > at.list.Y && y < p.rows.n {
			if y == p.cursor {
				return p.enter()
			}
			p.moveTo(y)
		}
	case at.wide && at.detail.Contains(m.X, m.Y):
		p.reading = true
	}
	return nil
}

func (p *replayScreen) wheel(x, y, down int) tea.Cmd {
	at := &p.place
	switch {
	case p.t == nil:
	case p.page || at.wide && at.detail.Contains(x, y):
		p.scroll(down)
	case at.knobs.Contains(x, y):
		return p.panel.wheel(x, y, down)
	case at.chart.Contains(x, y):
		p.seek(p.at + down/wheelLines)
	case at.list.Contains(x, y):
		p.moveTo(p.rows.next(p.cursor, down))
	}
	return nil
}

// reasonWord is a reason as the document writes it.
func reasonWord(r compactor.Reason) string {
	if r == compactor.Emergency {
		return "Emergency"
	}
	return "ThresholdExceeded"
}
