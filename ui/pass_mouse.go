package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
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
		p.pulled, p.panel.held = false, false
		return cmd
	}
	return nil
}

func (p *passScreen) press(x, y int) tea.Cmd {
	at := &p.place
	switch {
	case p.page:
	case at.knobs.Contains(x, y):
		p.focus = onList
		return p.panel.press(x, y)
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
	again := row == p.cursor && p.focus == onList && !p.panel.focused
	p.setFocus(onList)
	if again {
		return p.enter()
	}
	p.moveTo(row)
	return nil
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
			p.focus, p.pulled = onList, true
			p.panel.focused, p.panel.knob, p.panel.gesture = true, k, p.s.newGesture()
			p.panel.lay(p.place.knobs)
			return nil
		}
	}
	return p.r.say(draw.Dim, "the emergency line stands at 95%% of the window")
}

// drag moves what is held to a column.
func (p *passScreen) drag(x int) tea.Cmd {
	if !p.pulled {
		return p.panel.drag(x)
	}
	tokens, _ := p.now.Value(p.r.look, p.w-2, x-1)
	return p.panel.set(p.percentAt(knobs[p.panel.knob].name, tokens), p.panel.gesture)
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
		p.focus = onList
		return p.panel.wheel(x, y, down)
	case at.list.Contains(x, y):
		p.top = max(0, min(p.top+down, p.rows.n-p.listRows()))
		y := min(max(p.cursor, p.top), p.top+p.listRows()-1)
		if y != p.cursor {
			p.moveTo(p.rows.next(y, 0))
		}
	}
	return nil
}
