package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/model"
	"cinch/ui/draw"
)

// knobPanel is the strip of knobs on a screen: which one has the keys, and what
// keys and mouse do to it.
type knobPanel struct {
	r       *root
	s       *session
	strip   strip
	at      draw.Rect
	focused bool
	knob    int // index into knobs
	held    bool
	gesture int // of the drag that is going on
}

func (p *knobPanel) focus() int {
	if p.focused {
		return p.knob
	}
	return -1
}

// lay gives the panel its place.
func (p *knobPanel) lay(at draw.Rect) {
	p.at = at
	p.strip.lay(p.s, at.W, at.H, p.focus())
}

func (p *knobPanel) lines(l *draw.Look) []string { return p.strip.lines(l, p.s, p.focus()) }

// keys are the bindings of the knob that has the keys.
func (p *knobPanel) keys() *keymap {
	return &keymap{title: "knob", inner: true, on: func() bool { return p.focused }, bindings: []binding{
		{[]string{"left", "h"}, "less", "one step down on the slider, or the choice before", func() tea.Cmd { return p.turn(-1) }},
		{[]string{"right", "l"}, "more", "one step up on the slider, or the next choice", func() tea.Cmd { return p.turn(1) }},
		{[]string{"H", "shift+left"}, "much less", "ten steps down", func() tea.Cmd { return p.turn(-coarse) }},
		{[]string{"L", "shift+right"}, "much more", "ten steps up", func() tea.Cmd { return p.turn(coarse) }},
		{[]string{"home"}, "least", "the left end of the slider", func() tea.Cmd { return p.set(p.strip.all()[p.knob].least(), 0) }},
		{[]string{"end"}, "most", "the right end of the slider", func() tea.Cmd { return p.set(p.strip.all()[p.knob].greatest(), 0) }},
		{[]string{"="}, "default", "the knob back to its default", p.reset},
		{[]string{"enter"}, "type", "type a value for the knob", p.typeValue},
	}}
}

// cycle gives the keys to the next knob; after the last, back to the screen.
func (p *knobPanel) cycle(by int) tea.Cmd {
	shown := p.strip.shown(p.s)
	at := slices.Index(shown, p.knob)
	switch {
	case !p.focused && by > 0:
		at = 0
	case !p.focused:
		at = len(shown) - 1
	default:
		at += by
	}
	p.focused = at >= 0 && at < len(shown)
	if p.focused {
		p.knob = shown[at]
	}
	p.lay(p.at)
	return nil
}

// drop takes the keys from the knobs, and reports whether one had them.
func (p *knobPanel) drop() bool {
	had := p.focused
	p.focused = false
	p.lay(p.at)
	return had
}

// reset takes the knob that has the keys back to its default.
func (p *knobPanel) reset() tea.Cmd {
	k := p.strip.all()[p.knob]
	if k.open != nil {
		return nil
	}
	return p.set(k.standard(p.s), 0)
}

// turn moves the knob that has the keys.
func (p *knobPanel) turn(steps int64) tea.Cmd {
	k := p.strip.all()[p.knob]
	if k.open != nil {
		return k.open()
	}
	return p.set(k.turned(p.s, steps), 0)
}

// set gives the knob that has the keys a value. Values of one gesture are one
// entry of the history.
func (p *knobPanel) set(v int64, gesture int) tea.Cmd {
	k := p.strip.all()[p.knob]
	if k.open != nil {
		return nil
	}
	was := k.get(&p.s.setup)
	if v == was {
		return nil
	}
	switch {
	case k.set != nil:
	case k.name == "counter":
		return p.r.recount(k.choices[v])
	case k.name == "view":
		return p.r.review(model.View(v))
	}
	stepping := p.s.step != whole
	p.s.do(deed{k.name, k.say(was), k.say(v)}, gesture, func(u *setup) { k.set(u, v) })
	if stepping && p.s.step == whole {
		return p.r.say(draw.Dim, "the whole pass, with %s %s; %s steps through it", k.name, k.say(v), p.r.press("pass", "step"))
	}
	return nil
}

// typeValue asks for the value of the knob that has the keys.
func (p *knobPanel) typeValue() tea.Cmd {
	k := p.strip.all()[p.knob]
	if k.choice() {
		return p.turn(1)
	}
	return p.r.ask(newPrompt(k.name, "enter sets it, esc leaves it", "", func(text string) (tea.Cmd, error) {
		v, err := k.read(text)
		if err != nil {
			return nil, err
		}
		return p.set(v, 0), nil
	}))
}

// press takes hold of the knob under the pointer.
func (p *knobPanel) press(x, y int) tea.Cmd {
	i := p.strip.at(x-p.at.X, y-p.at.Y)
	if i < 0 {
		return nil
	}
	again := p.focused && p.knob == p.strip.spots[i].knob
	p.focused, p.knob = true, p.strip.spots[i].knob
	p.lay(p.at)
	k := p.strip.all()[p.knob]
	if k.choice() {
		if again {
			return p.turn(1)
		}
		return nil
	}
	sp := p.strip.of(p.knob)
	if col, cells := k.slider(p.s).Track(sp.W); cells == 0 || x < sp.X+col-1 || x > sp.X+col+cells {
		return nil
	}
	p.held, p.gesture = true, p.s.newGesture()
	return p.drag(x)
}

// drag moves the knob that is held to a column.
func (p *knobPanel) drag(x int) tea.Cmd {
	if !p.held {
		return nil
	}
	sp := p.strip.of(p.knob)
	sl := p.strip.all()[p.knob].slider(p.s)
	col, cells := sl.Track(sp.W)
	return p.set(sl.ValueAt(cells, x-p.at.X-sp.X-col), p.gesture)
}

// holding takes the motion and release that follow a press on a knob, and reports
// whether the message was such.
func (p *knobPanel) holding(m tea.MouseMsg) (cmd tea.Cmd, mine bool) {
	switch {
	case m.Action == tea.MouseActionRelease:
		cmd = p.drag(m.X)
		p.held = false
		return cmd, true
	case p.held:
		return p.drag(m.X), true
	}
	return nil, false
}

// wheel turns the knob under the pointer.
func (p *knobPanel) wheel(x, y, down int) tea.Cmd {
	i := p.strip.at(x-p.at.X, y-p.at.Y)
	if i < 0 {
		return nil
	}
	p.focused, p.knob = true, p.strip.spots[i].knob
	p.lay(p.at)
	return p.turn(int64(-down / wheelLines))
}
