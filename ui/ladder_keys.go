package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/ladder"
	"cinch/ui/draw"
)

// bindings are the keys of the Ladder screen, innermost place first.
func (p *ladderScreen) bindings() []*keymap {
	when := func(f func() tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			if p.run == nil {
				return nil
			}
			return f()
		}
	}
	do := func(f func()) func() tea.Cmd {
		return when(func() tea.Cmd { f(); return nil })
	}
	mark := func(by int, what string, is func(*draw.Call) bool) func() tea.Cmd {
		return when(func() tea.Cmd { return p.seekMark(by, what, is) })
	}
	read := &keymap{title: "text", on: func() bool { return p.reading }, bindings: []binding{
		{[]string{"j", "down"}, "scroll down", "one line down", do(func() { p.scroll(1) })},
		{[]string{"k", "up"}, "scroll up", "one line up", do(func() { p.scroll(-1) })},
		{[]string{"ctrl+d", "pgdown"}, "page down", "one page down", do(func() { p.scroll(p.detailText()) })},
		{[]string{"ctrl+u", "pgup"}, "page up", "one page up", do(func() { p.scroll(-p.detailText()) })},
		{[]string{"g", "home"}, "top", "the beginning", do(func() { p.scroll(-1 << 30) })},
		{[]string{"G", "end"}, "end", "the end", do(func() { p.scroll(1 << 30) })},
	}}
	rungs := &keymap{title: "rung", on: func() bool { return p.rung >= 0 && !p.reading }, bindings: []binding{
		{[]string{"enter", " ", "left", "right"}, "on or off", "use the rung, or leave it out", when(p.flip)},
		{[]string{"K", "shift+up"}, "up", "try the rung earlier", when(func() tea.Cmd { return p.move(-1) })},
		{[]string{"J", "shift+down"}, "down", "try the rung later", when(func() tea.Cmd { return p.move(1) })},
		{[]string{"k", "up"}, "rung above", "give the keys to the rung above", do(func() { p.rung = max(p.rung-1, 0) })},
		{[]string{"j", "down"}, "rung below", "give the keys to the rung below", do(func() { p.rung = min(p.rung+1, len(p.s.climb.rungs)-1) })},
	}}
	run := &keymap{title: "ladder", on: func() bool { return !p.reading }, bindings: []binding{
		{[]string{"left", "h"}, "call before", "the model call before", do(func() { p.seek(p.at - 1) })},
		{[]string{"right", "l"}, "next call", "the next model call; the last is the one that would come next", do(func() { p.seek(p.at + 1) })},
		{[]string{"H", "shift+left"}, "ten back", "ten calls back", do(func() { p.seek(p.at - coarse) })},
		{[]string{"L", "shift+right"}, "ten on", "ten calls on", do(func() { p.seek(p.at + coarse) })},
		{[]string{"0", "home"}, "first call", "the first model call", do(func() { p.seek(0) })},
		{[]string{"$", "end"}, "last call", "the call that would come next", do(func() { p.seek(len(p.run.calls) - 1) })},
		{[]string{"["}, "pass before", "the call before that has a pass", mark(-1, "pass", hasPass)},
		{[]string{"]"}, "next pass", "the next call that has a pass", mark(1, "pass", hasPass)},
		{[]string{"{"}, "skip before", "the call before at which a pass was due and did not happen", mark(-1, "skipped pass", isGhost)},
		{[]string{"}"}, "next skip", "the next call at which a pass was due and did not happen", mark(1, "skipped pass", isGhost)},
		{[]string{"s"}, "step", "the next step of the pass at the cursor: trigger, request, each rung, stop", when(p.stepOn)},
		{[]string{"b"}, "step back", "take the last step back", when(p.stepBack)},
		{[]string{"S"}, "run", "take the pass to its end", do(func() { p.step = whole; p.show() })},
		{[]string{"r"}, "reset", "the list as it stood before the pass", when(func() tea.Cmd { return p.stepTo(0) })},
		{[]string{"c"}, "compact now", "ask for a pass before this call whatever the trigger says, or take that back", when(func() tea.Cmd { return p.request(nil) })},
		{[]string{"C"}, "with instructions", "ask for a pass with instructions in place of the summary prompt", when(p.instruct)},
		{[]string{"o"}, "as recorded", "the pass on the list as it was recorded, as if none had run before, and back", when(p.toggleAlone)},
		{[]string{"w"}, "summariser", "who writes the summaries, with which prompt", when(p.writerMenu)},
		{[]string{"v"}, "request", "look at what a summariser would be sent, and how large it is", when(p.viewRequest)},
		{[]string{"g"}, "ask", "ask the summariser for the summaries that this run still needs", when(p.confirm)},
		{[]string{"p"}, "pins", "pick the tools whose results are never cleared", when(p.pinMenu)},
		{[]string{"R"}, "recipe", "begin with one of drover's recipes", when(p.recipeMenu)},
		{[]string{":"}, "go to", "go to a call by its number", when(p.askCall)},
		{[]string{"tab"}, "next knob", "give the keys to the next knob; after the last to the rungs", func() tea.Cmd { return p.cycle(1) }},
		{[]string{"shift+tab"}, "previous knob", "give the keys to the rungs, or to the knob before", func() tea.Cmd { return p.cycle(-1) }},
	}}
	list := &keymap{title: "the list", on: func() bool { return !p.reading }, bindings: []binding{
		{[]string{"j", "down"}, "down", "the next message", do(func() { p.moveTo(p.rows.next(p.cursor, 1)) })},
		{[]string{"k", "up"}, "up", "the message before", do(func() { p.moveTo(p.rows.next(p.cursor, -1)) })},
		{[]string{"ctrl+d", "pgdown"}, "page down", "one page down", do(func() { p.moveTo(p.rows.next(p.cursor, p.listRows())) })},
		{[]string{"ctrl+u", "pgup"}, "page up", "one page up", do(func() { p.moveTo(p.rows.next(p.cursor, -p.listRows())) })},
		{[]string{"<"}, "first", "the first message", do(func() { p.moveTo(0) })},
		{[]string{">"}, "last", "the last message before the call", do(func() { p.moveTo(p.rows.n - 1) })},
		{[]string{"%"}, "mate", "from a call to its result and back", when(p.mate)},
		{[]string{"x"}, "unfold", "show what the pass took away one by one, or fold it", do(func() { p.open = !p.open; p.show() })},
		{[]string{"enter"}, "open", "read the message", do(func() { p.reading, p.page = true, !p.place.wide })},
	}}
	return []*keymap{read, rungs, p.panel.keys(), run, list}
}

func (p *ladderScreen) listRows() int { return max(p.place.list.H-1, 1) }

func (p *ladderScreen) moveTo(y int) {
	p.cursor = min(max(y, 0), max(p.rows.n-1, 0))
	p.follow()
}

func (p *ladderScreen) follow() {
	h := p.listRows()
	p.top = max(min(p.top, p.cursor), p.cursor-h+1)
	p.top = max(0, min(p.top, p.rows.n-h))
}

// scroll moves the message, or the request that is looked at.
func (p *ladderScreen) scroll(by int) {
	d := &p.detail
	if p.look != nil {
		d = &p.look.text
	}
	d.scroll(by, p.detailText())
}

func (p *ladderScreen) toggleAlone() tea.Cmd {
	p.alone, p.step = !p.alone, whole
	p.pass()
	if p.alone {
		return p.r.say(draw.Dim, "the pass at the cursor works on the list as recorded, as if none had run before")
	}
	return p.r.say(draw.Dim, "the pass at the cursor works on what the passes before it left")
}

func (p *ladderScreen) askCall() tea.Cmd {
	n := len(p.run.calls)
	return p.r.ask(newPrompt(":", fmt.Sprintf("the number of a call, up to %d", n), "", func(text string) (tea.Cmd, error) {
		i, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || i < 1 || i > n {
			return nil, fmt.Errorf("a number from 1 to %d", n)
		}
		p.seek(i - 1)
		return nil, nil
	}))
}

// mate goes from a result to its call, or from a call to its first result.
func (p *ladderScreen) mate() tea.Cmd {
	if p.cursor < p.rows.n && p.rows.at(p.cursor).kind == messageRow {
		entry := p.rows.at(p.cursor).first
		to := p.rec.Entries[entry].Call
		for i := entry + 1; to < 0 && i < p.before.to; i++ {
			if p.rec.Entries[i].Call == entry {
				to = i
			}
		}
		if to >= 0 {
			p.moveTo(p.rows.find(to))
			return nil
		}
	}
	return p.r.say(draw.Dim, "no other half of a tool pair is in the list here")
}

// mouse seeks on the timeline, selects rungs and rows, and turns knobs.
func (p *ladderScreen) mouse(m tea.MouseMsg) tea.Cmd {
	at := &p.place
	if p.run == nil || p.page || p.look != nil {
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
		p.rung = -1
		return p.panel.press(m.X, m.Y)
	case at.table.Contains(m.X, m.Y):
		return p.pressRung(m.Y - at.table.Y)
	case at.list.Contains(m.X, m.Y):
		p.reading, p.rung = false, -1
		p.panel.drop()
		if y := p.top + m.Y - at.list.Y - 1; m.Y > at.list.Y && y < p.rows.n {
			if y == p.cursor {
				p.reading, p.page = true, !at.wide
			}
			p.moveTo(y)
		}
	case at.wide && at.detail.Contains(m.X, m.Y):
		p.reading = true
	}
	return nil
}

// pressRung gives the keys to a line of the rung table; again it flips the rung.
func (p *ladderScreen) pressRung(y int) tea.Cmd {
	if p.place.heading {
		y--
	}
	if y < 0 || y >= len(p.s.climb.rungs) || p.place.table.H < len(p.s.climb.rungs) {
		return nil
	}
	if p.rung == y {
		return p.flip()
	}
	p.panel.drop()
	p.rung = y
	return nil
}

func (p *ladderScreen) wheel(x, y, down int) tea.Cmd {
	at := &p.place
	switch {
	case p.run == nil:
	case p.page || p.look != nil || at.wide && at.detail.Contains(x, y):
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

// status is what is going on, and what can be done about it.
func (p *ladderScreen) status() status {
	st := status{tone: draw.Dim}
	switch {
	case p.run == nil:
		st.text = "counting the recorded history …"
	case p.look != nil:
		st.text = "nothing has been sent; esc closes the request"
		st.hints = p.named("ask", "scroll down")
	case p.work != nil:
		st.tone, st.text = draw.Accent, p.progress()
	case p.panel.focused:
		k := p.panel.strip.all()[p.panel.knob]
		st.tone, st.text = draw.Text, k.name+": "+k.about
		st.hints = p.named("less", "more", "type", "default")
		if k.open != nil {
			st.hints = p.named("type")
		}
	case p.rung >= 0:
		r := p.s.climb.rungs[p.rung]
		st.tone, st.text = draw.Text, string(r.strategy)+": "+strategyWords[r.strategy]
		st.hints = p.named("on or off", "up", "down")
	case p.step != whole:
		what := "the list as it stood before the pass"
		if n := p.step; n > 0 {
			what = p.out.Steps[n-1].Title() + ": " + p.out.Steps[n-1].Why()
		}
		st.tone, st.text = draw.Text, fmt.Sprintf("%d/%d  %s", p.step, len(p.out.Steps), what)
		st.hints = p.named("step", "step back", "run")
	case p.waiting:
		st.tone, st.text = draw.Warning, fmt.Sprintf("about %s to be written by %s; nothing has been sent", summariesWord(p.about), draw.Line(p.s.climb.writerName(), 40))
		st.hints = p.named("ask", "request", "step")
	default:
		st.text = fmt.Sprintf("policy from: %s", draw.Line(p.s.climb.from, 40))
		st.hints = p.named("step", "compact now", "next pass", "next skip", "summariser", "recipe")
	}
	return st
}

var strategyWords = map[ladder.Strategy]string{
	ladder.DropToolResults: "clears old tool results and keeps their calls; no model call",
	ladder.Summarize:       "puts one message that a summariser writes in place of the head",
	ladder.SlidingWindow:   "deletes the head",
}

func (p *ladderScreen) named(names ...string) []*binding {
	var out []*binding
	for _, name := range names {
		for _, m := range p.keymaps {
			if i := slices.IndexFunc(m.bindings, func(b binding) bool { return b.name == name }); i >= 0 {
				out = append(out, &m.bindings[i])
				break
			}
		}
	}
	return out
}
