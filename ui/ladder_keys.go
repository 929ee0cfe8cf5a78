package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/ladder"
	"cinch/ui/draw"
)

// bindings are the keys of the Ladder screen, innermost place first.
func (p *ladderScreen) bindings() []*keymap {
	do, when := p.do, p.when
	mark := func(by int, what string, is func(*draw.Call) bool) func() tea.Cmd {
		return when(func() tea.Cmd { return p.seekMark(by, what, is) })
	}
	rungs := &keymap{title: "rung", inner: true, on: func() bool { return p.rung >= 0 && !p.reading }, bindings: []binding{
		{[]string{"enter", " ", "left", "right"}, "on or off", "use the rung, or leave it out", when(p.flip)},
		{[]string{"K", "shift+up"}, "up", "try the rung earlier", when(func() tea.Cmd { return p.move(-1) })},
		{[]string{"J", "shift+down"}, "down", "try the rung later", when(func() tea.Cmd { return p.move(1) })},
		{[]string{"k", "up"}, "rung above", "give the keys to the rung above", do(func() { p.rung = max(p.rung-1, 0) })},
		{[]string{"j", "down"}, "rung below", "give the keys to the rung below", do(func() { p.rung = min(p.rung+1, len(p.s.climb.rungs)-1) })},
	}}
	seek := p.seekKeys("the call that would come next")
	run := &keymap{title: "ladder", on: func() bool { return !p.reading }, bindings: append(seek, []binding{
		{[]string{"["}, "pass before", "the call before that has a pass", mark(-1, "pass", hasPass)},
		{[]string{"]"}, "next pass", "the next call that has a pass", mark(1, "pass", hasPass)},
		{[]string{"{"}, "skip before", "the call before whose pass the cooldown held back, or committed nothing", mark(-1, "skipped pass", isGhost)},
		{[]string{"}"}, "next skip", "the next call whose pass the cooldown held back, or committed nothing", mark(1, "skipped pass", isGhost)},
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
		{[]string{"W"}, "why", "why the run went as it did, and the least change that would have helped", when(p.explain)},
		{[]string{"R"}, "recipe", "begin with one of drover's recipes", when(p.recipeMenu)},
		{[]string{"tab"}, "next knob", "give the keys to the next knob, a slider or a choice; after the last to the rungs", func() tea.Cmd { return p.cycle(1) }},
		{[]string{"shift+tab"}, "previous knob", "give the keys to the rungs, or to the knob before", func() tea.Cmd { return p.cycle(-1) }},
	}...)}
	list := &keymap{title: "the list", on: func() bool { return !p.reading }, bindings: append(p.listKeys("<", ">"), []binding{
		{[]string{"%"}, "mate", "from a call to its result and back", when(p.mate)},
		{[]string{"F"}, "unfold", "show what the pass took away one by one, or fold it", do(func() { p.open = !p.open; p.show() })},
		{[]string{"enter"}, "open", "read the message", when(p.enter)},
	}...)}
	why := &keymap{title: "why", on: func() bool { return p.why != nil }, bindings: []binding{
		{[]string{"x"}, "use a change", "make one of the changes that would have helped", when(p.mendMenu)},
	}}
	return []*keymap{why, p.readKeys("text"), rungs, p.panel.keys(), run, list}
}

func (p *ladderScreen) enter() tea.Cmd {
	p.reading, p.page = true, !p.place.wide
	return nil
}

// scroll moves the message, or the request that is looked at.
func (p *ladderScreen) scroll(by int) {
	if p.why != nil {
		p.why.top = max(p.why.top+by, 0)
		return
	}
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

// mouse is that of every such screen, and selects rungs.
func (p *ladderScreen) mouse(m tea.MouseMsg) tea.Cmd {
	table := p.said.table
	if p.run == nil || p.page || p.look != nil {
		return nil
	}
	if m.Action == tea.MouseActionPress {
		if table.Contains(m.X, m.Y) {
			return p.pressRung(m.Y - table.Y)
		}
		p.rung = -1
	}
	return p.pointed(m)
}

// pressRung gives the keys to a line of the rung table; again it flips the rung.
func (p *ladderScreen) pressRung(y int) tea.Cmd {
	if p.said.heading {
		y--
	}
	if y < 0 || y >= len(p.s.climb.rungs) || p.said.table.H < len(p.s.climb.rungs) {
		return nil
	}
	if p.rung == y {
		return p.flip()
	}
	p.panel.drop()
	p.rung = y
	return nil
}

// status is what is going on, and what can be done about it.
func (p *ladderScreen) status() status {
	st := status{tone: draw.Dim}
	switch {
	case p.run == nil:
		st.text = "counting the recorded history …"
	case p.why != nil:
		st.text = "why the run went as it did"
		st.hints = p.named("use a change", "scroll down")
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
	case p.play.on:
		return p.playing()
	case p.waiting:
		st.tone, st.text = draw.Warning, fmt.Sprintf("about %s to be written by %s; nothing has been sent", summariesWord(p.about), draw.Line(p.s.climb.writerName(), 40))
		st.hints = p.named("ask", "request", "step")
	default:
		st.text = fmt.Sprintf("policy from: %s", draw.Line(p.s.climb.from, 40))
		st.hints = p.named("step", "compact now", "next pass", "next skip", "summariser", "recipe", "play")
	}
	return st
}

var strategyWords = map[ladder.Strategy]string{
	ladder.DropToolResults: "clears old tool results and keeps their calls; no model call",
	ladder.Summarize:       "puts one message that a summariser writes in place of the head",
	ladder.SlidingWindow:   "deletes the head",
}
