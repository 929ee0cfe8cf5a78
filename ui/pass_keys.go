package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor"
	"cinch/model"
	"cinch/ui/draw"
)

// bindings are the keys of the Pass screen, innermost place first.
func (p *passScreen) bindings() []*keymap {
	do := func(f func()) func() tea.Cmd {
		return func() tea.Cmd {
			f()
			return nil
		}
	}
	detail := &keymap{title: "message", inner: true, on: func() bool { return p.focus == onDetail && !p.panel.focused }, bindings: []binding{
		{[]string{"j", "down"}, "scroll down", "one line down in the message", do(func() { p.scroll(1) })},
		{[]string{"k", "up"}, "scroll up", "one line up", do(func() { p.scroll(-1) })},
		{[]string{"ctrl+d", "pgdown", " "}, "page down", "one page down", do(func() { p.scroll(p.detailText()) })},
		{[]string{"ctrl+u", "pgup"}, "page up", "one page up", do(func() { p.scroll(-p.detailText()) })},
		{[]string{"g", "home"}, "top", "the beginning of the message", do(func() { p.detail.scrollTo(0, p.detailText()) })},
		{[]string{"G", "end"}, "end", "the end of the message", do(func() { p.detail.end(p.detailText()) })},
	}}
	list := &keymap{title: "messages", on: func() bool { return p.focus != onDetail || p.panel.focused }, bindings: []binding{
		{[]string{"j", "down"}, "down", "the next message", do(func() { p.moveTo(p.rows.next(p.cursor, 1)) })},
		{[]string{"k", "up"}, "up", "the message before", do(func() { p.moveTo(p.rows.next(p.cursor, -1)) })},
		{[]string{"ctrl+d"}, "half down", "half a page down", do(func() { p.moveTo(p.rows.next(p.cursor, max(p.listRows()/2, 1))) })},
		{[]string{"ctrl+u"}, "half up", "half a page up", do(func() { p.moveTo(p.rows.next(p.cursor, -max(p.listRows()/2, 1))) })},
		{[]string{"pgdown"}, "page down", "one page down", do(func() { p.moveTo(p.rows.next(p.cursor, p.listRows())) })},
		{[]string{"pgup"}, "page up", "one page up", do(func() { p.moveTo(p.rows.next(p.cursor, -p.listRows())) })},
		{[]string{"g", "home"}, "first", "the first message", do(func() { p.moveTo(p.rows.next(0, 0)) })},
		{[]string{"G", "end"}, "last", "the last message", do(func() { p.moveTo(p.rows.next(p.rows.n-1, 0)) })},
		{[]string{"["}, "previous run", "the user message before that starts a run", do(func() { p.jump(-1) })},
		{[]string{"]"}, "next run", "the next user message that starts a run", do(func() { p.jump(1) })},
		{[]string{"%"}, "mate", "from a call to its result and back", p.mate},
		{[]string{"enter"}, "open", "read the message; on a fold, unfold it", p.enter},
		{[]string{"right", "l"}, "unfold", "show the folded messages", do(func() { p.fold(false) })},
		{[]string{"left", "h"}, "fold", "fold the dropped messages", do(func() { p.fold(true) })},
		{[]string{":"}, "go to", "go to a message by its number", p.askNumber},
		{[]string{"/"}, "search", "find text, or letters in order; a capital makes case count", p.askSearch},
		{[]string{"n"}, "next match", "the next message that was found", func() tea.Cmd { return p.hit(1) }},
		{[]string{"N"}, "previous match", "the one before", func() tea.Cmd { return p.hit(-1) }},
		{[]string{"f"}, "filter", "show only some messages: by fate, by role, by tool", p.filterMenu},
	}}
	pass := &keymap{title: "pass", bindings: []binding{
		{[]string{"s"}, "step", "take the next step of the pass", p.stepOn},
		{[]string{"b"}, "step back", "take the last step back", p.stepBack},
		{[]string{"S"}, "run", "take all steps that are left", do(func() { p.s.stepTo(p.s.steps) })},
		{[]string{"r"}, "reset", "go back to the conversation as recorded, before the first step", do(func() { p.s.stepTo(0) })},
		{[]string{"a"}, "apply", "make what the pass leaves the conversation, and try the next pass on it", p.apply},
		{[]string{"tab"}, "next knob", "give the keys to the next knob: a slider or a choice", func() tea.Cmd { return p.cycle(1) }},
		{[]string{"shift+tab"}, "previous knob", "give the keys to the knob before", func() tea.Cmd { return p.cycle(-1) }},
	}}
	return []*keymap{detail, p.panel.keys(), list, pass}
}

func (p *passScreen) scroll(by int) { p.detail.scroll(by, p.detailText()) }

// stepOn takes one step; a pass that is shown whole begins anew.
func (p *passScreen) stepOn() tea.Cmd {
	s := p.s
	switch {
	case s.step == whole:
		s.stepTo(1)
	case s.step < s.steps:
		s.stepTo(s.step + 1)
	default:
		return p.r.say(draw.Dim, "the pass has taken its last step: %s applies it, %s begins again", p.r.press("pass", "apply"), p.r.press("pass", "reset"))
	}
	p.showStep()
	return nil
}

func (p *passScreen) stepBack() tea.Cmd {
	s := p.s
	switch {
	case s.step == whole:
		s.stepTo(s.steps - 1)
	case s.step > 0:
		s.stepTo(s.step - 1)
	default:
		return p.r.say(draw.Dim, "nothing comes before: this is the conversation as recorded")
	}
	p.showStep()
	return nil
}

// showStep brings what a step was about onto the screen.
func (p *passScreen) showStep() {
	p.refresh()
	s := p.s
	switch at := s.last.Cut; {
	case s.step <= 0 || at < 0:
	case s.last.Call >= 0:
		p.goTo(s.last.Call)
	case s.last.N == 6 && len(s.shown.Reattached) > 0:
		p.goTo(s.shown.Reattached[0])
	case s.last.N == 7 && len(s.shown.Removed) > 0:
		p.goTo(slices.Min(keysOf(s.shown.Removed)))
	default:
		p.goTo(min(at, s.now.view.Len()-1))
	}
}

func keysOf(m map[int][]int) []int {
	out := make([]int, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}

func (p *passScreen) apply() tea.Cmd {
	s := p.s
	if why, advice := unchanged(s); why != "" { // the verdict says why
		return p.r.say(draw.Warning, "the pass changes nothing; %s", advice)
	}
	if s.plan.Result == compactor.Overflow {
		return p.r.say(draw.Fault, "the pass leaves %s, which do not fit the window: the run would end here", draw.Tokens(s.plan.After))
	}
	saved := s.plan.Saved()
	s.apply()
	p.search.clear()
	return p.r.say(draw.Good, "pass %d applied: %s reclaimed, the model would get this; %s takes it back", len(s.applied), draw.Tokens(saved), p.r.press("anywhere", "undo"))
}

// cycle gives the keys to the next knob; after the last, to the list.
func (p *passScreen) cycle(by int) tea.Cmd {
	p.page, p.focus = false, onList
	return p.panel.cycle(by)
}

// enter opens what is under the cursor.
func (p *passScreen) enter() tea.Cmd {
	r, ok := p.row()
	switch {
	case !ok:
	case r.kind == foldRow:
		p.fold(false)
	case p.place.wide:
		p.setFocus(onDetail)
	default:
		p.page, p.focus = true, onDetail
	}
	return nil
}

// fold folds or unfolds the dropped messages.
func (p *passScreen) fold(closed bool) {
	p.open = !closed
	p.refresh()
}

// jump goes to the start of another run.
func (p *passScreen) jump(by int) {
	runs := p.s.now.runs
	at, here := slices.BinarySearch(runs, p.s.selected)
	if by < 0 {
		at--
	} else if here {
		at++
	}
	if at >= 0 && at < len(runs) {
		p.goTo(runs[at])
	}
}

// mate goes from a call to its result, from a result to its call, and from a
// call with several results to each in turn.
func (p *passScreen) mate() tea.Cmd {
	if p.message() == nil {
		return nil
	}
	mates := p.mates()
	if len(mates) == 0 {
		note := pairNote(p.s.now.view, p.s.selected)
		switch note {
		case "":
			note = "no tool call and no result in this message"
		case "open":
			note = "open: no result answers this call yet"
		case "lone":
			note = "lone: no earlier call has this id"
		}
		return p.r.say(draw.Dim, "%s", note)
	}
	from := p.s.selected
	to := mates[0]
	if to > from { // at a call: the result after the one % came from
		slices.Sort(mates)
		to = mates[0]
		if i := indexOf(mates, p.mated); i >= 0 {
			to = mates[(i+1)%len(mates)]
		}
	}
	p.goTo(to)
	p.mated = from
	return nil
}

func (p *passScreen) askNumber() tea.Cmd {
	last := p.s.now.view.Len() - 1
	return p.r.ask(newPrompt(":", fmt.Sprintf("the number of a message, up to %d", last), "", func(text string) (tea.Cmd, error) {
		n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(text), "#"))
		if err != nil || n < 0 || n > last {
			return nil, fmt.Errorf("a number from 0 to %d", last)
		}
		if p.filter != nil && !p.filter.match(n) {
			p.filter = nil
			p.refresh()
		}
		p.goTo(n)
		return nil, nil
	}))
}

func (p *passScreen) askSearch() tea.Cmd {
	was, from := p.search.query, p.s.selected
	pr := newPrompt("/", "text, or letters in order; enter keeps it, esc leaves it", "", func(string) (tea.Cmd, error) { return nil, nil })
	pr.change = func(text string) tea.Cmd {
		cmd := p.search.start(p.r.ctx, p.s.now.view.Messages(), text)
		p.search.jump = true // also when enter comes before the answer
		return cmd
	}
	pr.cancel = func() tea.Cmd {
		p.search.clear()
		p.goTo(from)
		return p.search.start(p.r.ctx, p.s.now.view.Messages(), was)
	}
	return p.r.ask(pr)
}

// searched goes to the first match from the cursor on.
func (p *passScreen) searched() {
	if len(p.search.hits) == 0 || !p.search.jump {
		return
	}
	p.goTo(p.search.first(p.s.selected))
}

// hit goes to another match, around the ends.
func (p *passScreen) hit(by int) tea.Cmd {
	switch {
	case p.search.query == "":
		return p.r.say(draw.Dim, "nothing was searched for: %s begins", p.r.press("messages", "search"))
	case len(p.search.hits) == 0:
		return nil
	}
	hit, around := p.search.from(p.s.selected, by)
	if p.filter != nil && !p.filter.match(hit) {
		p.filter = nil
		p.refresh()
	}
	p.goTo(hit)
	if around {
		return p.r.say(draw.Dim, "around the end: %s", p.search.status(p.s.selected))
	}
	return nil
}

// filterMenu offers what the list can be narrowed to.
func (p *passScreen) filterMenu() tea.Cmd {
	s := p.s
	set := func(name string, match func(int) bool) func() tea.Cmd {
		return func() tea.Cmd {
			p.filter = &filter{name, match}
			p.refresh()
			return p.r.say(draw.Dim, "only %s: %s; esc shows all", name, count(p.messages(), "message"))
		}
	}
	fate := func(fates ...compactor.Fate) func(int) bool {
		return func(i int) bool { return slices.Contains(fates, s.shown.Fate(i)) }
	}
	who := func(w draw.Who) func(int) bool {
		return func(i int) bool { return whoIs(s.now.view.Message(i)) == w }
	}
	return p.r.choose(&menu{title: "only", items: []item{
		{"d", "dropped", set("dropped", fate(compactor.Dropped, compactor.Emptied))},
		{"k", "kept", set("kept", func(i int) bool { return s.shown.Fate(i).Kept() })},
		{"p", "paired or reattached", set("paired or reattached", fate(compactor.Paired, compactor.Reattached))},
		{"e", "emptied", set("emptied", fate(compactor.Emptied))},
		{"u", "user", set("user", who(draw.WhoUser))},
		{"a", "assistant", set("assistant", who(draw.WhoAssistant))},
		{"c", "calls", set("calls", func(i int) bool { return s.now.view.Message(i).HasCall() })},
		{"r", "results", set("results", func(i int) bool { return s.now.view.Message(i).HasResult() })},
		{"o", "open or lone", set("open or lone", func(i int) bool { return pairNote(s.now.view, i) != "" })},
		{"t", "a tool …", p.askTool},
		{"x", "all", func() tea.Cmd {
			p.filter = nil
			p.refresh()
			return nil
		}},
	}})
}

// askTool asks for the name of a tool to narrow the list to.
func (p *passScreen) askTool() tea.Cmd {
	names := p.tools()
	hint := strings.Join(names, " ")
	return p.r.ask(newPrompt("tool", hint, "", func(text string) (tea.Cmd, error) {
		text = strings.ToLower(strings.TrimSpace(text))
		if text == "" {
			p.filter = nil
			p.refresh()
			return nil, nil
		}
		if !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(strings.ToLower(n), text) }) {
			return nil, fmt.Errorf("no tool is called that: %s", hint)
		}
		v := p.s.now.view
		p.filter = &filter{"of the tool " + text, func(i int) bool {
			return slices.ContainsFunc(toolsOf(v, i), func(n string) bool { return strings.Contains(strings.ToLower(n), text) })
		}}
		p.refresh()
		return nil, nil
	}))
}

// toolsOf are the tools a message calls or answers; where a file does not name
// the tool of a result, its call does.
func toolsOf(v *compactor.View, i int) []string {
	m := v.Message(i)
	out := toolNames(m)
	for k := range m.Parts {
		if part := &m.Parts[k]; part.Kind == model.ToolResult && part.Name == "" {
			if call := v.Mate(i, k); call >= 0 {
				for _, c := range v.Message(call).Parts {
					if c.Kind == model.ToolCall && c.ID == part.ID {
						out = append(out, c.Name)
					}
				}
			}
		}
	}
	return out
}

// tools are the names of all tools that are called, the most used first.
func (p *passScreen) tools() []string {
	uses := map[string]int{}
	v := p.s.now.view
	for i := range v.Len() {
		for k := range v.Message(i).Parts {
			if part := &v.Message(i).Parts[k]; part.Kind == model.ToolCall {
				uses[part.Name]++
			}
		}
	}
	names := make([]string, 0, len(uses))
	for n := range uses {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if uses[a] != uses[b] {
			return uses[b] - uses[a]
		}
		return strings.Compare(a, b)
	})
	return names
}

// messages is how many messages the list shows.
func (p *passScreen) messages() int {
	n := 0
	for i := range p.rows.blocks {
		if p.rows.blocks[i].kind == messageRow {
			n += p.rows.blocks[i].rows()
		}
	}
	return n
}
