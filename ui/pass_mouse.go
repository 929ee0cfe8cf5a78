package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// target is what a mouse button that is held down drags.
type target uint8

const (
	nothing target = iota
	aKnob
	aLimit // a line of the gauge, set through its knob
)

// mouse takes a press, and the motion and release that follow it.
func (p *passScreen) mouse(m tea.MouseMsg) tea.Cmd {
	switch m.Action {
	case tea.MouseActionPress:
		return p.press(m.X, m.Y)
	case tea.MouseActionMotion:
		return p.drag(m.X)
	case tea.MouseActionRelease:
		cmd := p.drag(m.X)
		p.dragged = nothing
		return cmd
	}
	return nil
}

func (p *passScreen) press(x, y int) tea.Cmd {
	at := &p.place
	switch {
	case p.page:
	case at.knobs.Contains(x, y):
		return p.pressKnob(x, y-at.knobs.Y)
	case at.gauges.Contains(x, y):
		return p.pressGauge(x)
	case at.list.Contains(x, y):
		return p.pressRow(y - at.list.Y - 1)
	case at.wide && at.detail.Contains(x, y):
		p.setFocus(onDetail)
	}
	return nil
}

// pressRow selects a row; the second press on it opens it.
func (p *passScreen) pressRow(y int) tea.Cmd {
	row := p.top + y
	if y < 0 || row >= p.rows.n || p.rows.at(row).kind == cutRow {
		return nil
	}
	again := row == p.cursor && p.focus == onList
	if p.focus != onList {
		p.setFocus(onList)
	}
	if again {
		return p.enter()
	}
	p.moveTo(row)
	return nil
}

func (p *passScreen) pressKnob(x, y int) tea.Cmd {
	i := p.strip.at(x, y)
	if i < 0 {
		return nil
	}
	again := p.focus == onKnobs && p.knob == p.strip.spots[i].knob
	p.knob = p.strip.spots[i].knob
	p.setFocus(onKnobs)
	k := knobs[p.knob]
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
	p.dragged, p.gesture = aKnob, p.s.newGesture()
	return p.drag(x)
}

// of is where a knob is drawn.
func (t *strip) of(knob int) spot {
	for _, sp := range t.spots {
		if sp.knob == knob {
			return sp
		}
	}
	return spot{knob: knob}
}

// pressGauge takes hold of the line under the pointer, if it can be moved.
func (p *passScreen) pressGauge(x int) tea.Cmd {
	i, ok := p.now.LimitAt(p.r.look, p.w-2, x-1)
	if !ok {
		return nil
	}
	name := p.now.Limits[i].Name
	for k := range knobs {
		if knobs[k].name == name {
			p.knob = k
			p.setFocus(onKnobs)
			p.dragged, p.gesture = aLimit, p.s.newGesture()
			return nil
		}
	}
	return p.r.say(draw.Dim, "the emergency line stands at 95%% of the window")
}

// drag moves what is held to a column.
func (p *passScreen) drag(x int) tea.Cmd {
	k := knobs[p.knob]
	switch p.dragged {
	case aKnob:
		sp := p.strip.of(p.knob)
		sl := k.slider(p.s)
		col, cells := sl.Track(sp.W)
		return p.setKnob(sl.ValueAt(cells, x-sp.X-col), p.gesture)
	case aLimit:
		tokens, _ := p.now.Value(p.r.look, p.w-2, x-1)
		return p.setKnob(p.percentAt(k.name, tokens), p.gesture)
	}
	return nil
}

// percentAt is the percent of a knob that puts its line nearest to a number of tokens.
func (p *passScreen) percentAt(name string, tokens int64) int64 {
	pol := p.s.policy
	base := pol.Window
	if name == "target" {
		tokens += p.s.plan.Overhead
		if pol.TargetBase != "window" {
			base = pol.ThresholdLine()
		}
	}
	if base <= 0 {
		return 1
	}
	return min(max((tokens*100+base/2)/base, 1), 100)
}

// wheel scrolls what is under the pointer: a knob by its steps, the list and the
// message by lines.
func (p *passScreen) wheel(x, y, down int) tea.Cmd {
	at := &p.place
	switch {
	case p.page || at.wide && at.detail.Contains(x, y):
		p.scroll(down)
	case at.knobs.Contains(x, y):
		if i := p.strip.at(x, y-at.knobs.Y); i >= 0 {
			p.knob = p.strip.spots[i].knob
			p.setFocus(onKnobs)
			return p.turn(int64(-down / wheelLines))
		}
	case at.list.Contains(x, y):
		p.top = max(0, min(p.top+down, p.rows.n-p.listRows()))
		y := min(max(p.cursor, p.top), p.top+p.listRows()-1)
		if y != p.cursor {
			p.moveTo(p.rows.next(y, 0))
		}
	}
	return nil
}
