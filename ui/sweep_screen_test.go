package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/study"
	"cinch/ui/draw"
)

// sweeping opens a lesson on the Sweep screen, with the sweep done.
func sweeping(t testing.TB, lesson string, w, h int) (*driver, *sweepScreen) {
	t.Helper()
	d, _ := replaying(t, lesson, w, h)
	for i, s := range d.screens {
		if p, ok := s.(*sweepScreen); ok {
			d.press(string(rune('1' + i)))
			d.sweptUp()
			if p.cells == nil || p.cells.done != p.grid.Len() {
				t.Fatal("the sweep did not finish")
			}
			return d, p
		}
	}
	t.Fatal("there is no Sweep screen")
	return nil, nil
}

// sweptUp hands the screens what their background work has said.
func (d *driver) sweptUp() {
	for _, msg := range d.said {
		if m, ok := msg.(sweptMsg); ok {
			d.send(m)
		}
	}
	d.said = nil
}

func TestSweepShowsWhatTheEngineSays(t *testing.T) {
	d, p := sweeping(t, "second-pass", 160, 40)
	want := study.Sweep(p.of.rec, d.s.policy, p.grid, nil, nil)
	failing := 0
	for i, c := range want {
		x, y := i%len(p.grid.Thresholds), i/len(p.grid.Thresholds)
		p.heat.Cursor = draw.At{X: x, Y: y}
		d.stale = true
		d.has(fmt.Sprintf("threshold %d%%, preserve_recent %d", c.Policy.Threshold, c.Policy.PreserveRecent))
		if c.Exceeded != nil {
			failing++
			d.has(fmt.Sprintf("ContextExceeded{used %s", commas(c.Exceeded.Used)))
			continue
		}
		d.has(fmt.Sprintf("all requests ~%s", commas(c.Sent)))
	}
	if failing == 0 || failing == len(want) {
		t.Errorf("%d of %d settings fail: the map shows nothing", failing, len(want))
	}
	d.has("ends in ContextExceeded")
}

func TestSweepSetsTheKnobs(t *testing.T) {
	d, p := sweeping(t, "demo", 160, 40)
	before := d.s.policy
	d.press("l", "j", "enter")
	got := d.s.policy
	if got.Threshold <= before.Threshold || got.PreserveRecent <= before.PreserveRecent {
		t.Errorf("from %+v to %+v", before, got)
	}
	if p.stop != nil {
		t.Error("setting a cell of the grid replays the grid again")
	}
	d.press("u")
	if d.s.policy != before {
		t.Errorf("undo gives %+v", d.s.policy)
	}
}

func TestSweepBeginsAnew(t *testing.T) {
	d, p := sweeping(t, "demo", 160, 40)
	old := p.cells
	d.press("tab", "tab", "tab", "l") // min_messages is no part of the grid
	if p.cells == old {
		t.Error("another min_messages does not replay the grid")
	}
	d.sweptUp()
	p.id++ // what an older sweep says is not listened to
	d.send(sweptMsg{p.id - 1})
}

var sweepCases = map[string]caseOn[*sweepScreen]{
	"sweep/lower threshold":  {nil, func(d *driver, p *sweepScreen) bool { return p.grid.Thresholds[p.heat.Cursor.X] == 75 }},
	"sweep/higher threshold": {nil, func(d *driver, p *sweepScreen) bool { return p.grid.Thresholds[p.heat.Cursor.X] == 85 }},
	"sweep/fewer recent":     {nil, func(d *driver, p *sweepScreen) bool { return p.grid.PreserveRecent[p.heat.Cursor.Y] == 2 }},
	"sweep/more recent":      {nil, func(d *driver, p *sweepScreen) bool { return p.grid.PreserveRecent[p.heat.Cursor.Y] == 8 }},
	"sweep/current":          {[]string{"l", "l", "j"}, func(d *driver, p *sweepScreen) bool { return p.heat.Cursor == p.current() }},
	"sweep/next number":      {nil, func(d *driver, p *sweepScreen) bool { return strings.Contains(d.plain(), study.Measures[1].About) }},
	"sweep/number before": {nil, func(d *driver, p *sweepScreen) bool {
		return strings.Contains(d.plain(), "tokens at the end of the run")
	}},
	"sweep/set":           {[]string{"l"}, func(d *driver, p *sweepScreen) bool { return d.s.policy.Threshold == 85 }},
	"sweep/next knob":     {nil, func(d *driver, p *sweepScreen) bool { return p.panel.focused && p.panel.knob == 0 }},
	"sweep/previous knob": {nil, func(d *driver, p *sweepScreen) bool { return p.panel.focused && p.panel.knob != 0 }},
}

func TestSweepByMouse(t *testing.T) {
	d, p := sweeping(t, "demo", 120, 36)
	at := p.at.heat
	for x := at.X; x < at.X+at.W; x++ {
		if cell, ok := p.heat.CellAt(at.W, at.H, x-at.X, 2); ok && cell != p.heat.Cursor {
			d.click(x, headLines+at.Y+2)
			if p.heat.Cursor != cell {
				t.Fatalf("a click on %v selects %v", cell, p.heat.Cursor)
			}
			d.click(x, headLines+at.Y+2)
			if p.current() != cell {
				t.Fatalf("a second click on %v sets %v", cell, p.current())
			}
			return
		}
	}
	t.Fatal("no cell was found")
}

func TestSweepEverySizeIsDrawn(t *testing.T) {
	d, _ := sweeping(t, "demo", 120, 36)
	for w := 0; w <= 140; w += 3 {
		for _, h := range []int{0, 3, 12, 17, 24, 36, 60} {
			d.send(tea.WindowSizeMsg{Width: w, Height: h})
			checkFrame(t, "sweep", d.View(), w, h, false)
		}
	}
}
