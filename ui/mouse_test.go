package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

func TestClickSelectsThenOpens(t *testing.T) {
	d := demo(t, 120, 36)
	x, y := d.find("edited CHANGELOG.md")
	d.click(x, y)
	if d.s.selected != 63 || d.pass().focus != onList {
		t.Fatalf("a click selects message %d", d.s.selected)
	}
	d.click(x, y)
	if d.pass().focus != onDetail {
		t.Error("a second click on the same row does not open it")
	}
	d.click(x, y)
	if d.pass().focus != onList || d.s.selected != 63 {
		t.Error("a third click does not give the keys back to the list")
	}
	fx, fy := d.find("messages, 3–42")
	d.click(fx, fy)
	d.click(fx, fy)
	if !d.pass().open {
		t.Error("a second click on a fold does not unfold it")
	}
	d.press("left", "G")
	x, y = d.find("══ cut")
	d.click(x, y)
	if d.s.selected != 68 {
		t.Error("the cut can be selected")
	}
}

func TestDragASlider(t *testing.T) {
	d := demo(t, 120, 36)
	x, y := d.find("●")
	d.mouse(x, y, tea.MouseActionPress)
	for i := 1; i <= 4; i++ {
		d.mouse(x+i, y, tea.MouseActionMotion)
	}
	at := d.s.selected
	d.mouse(x+4, 14, tea.MouseActionMotion)   // over the list
	d.mouse(x+5, y+7, tea.MouseActionRelease) // releasing elsewhere still counts
	if d.s.selected != at {
		t.Error("a knob that is dragged over the list selects a message")
	}
	if got := d.s.policy.PreserveRecent; got <= 4 {
		t.Fatalf("preserve_recent is %d after a drag to the right", got)
	}
	if at, _ := d.find("●"); at != x+5 {
		t.Errorf("the knob is at column %d, the pointer was let go at %d", at, x+5)
	}
	d.press("u")
	if got := d.s.policy.PreserveRecent; got != 4 {
		t.Errorf("one u takes back to %d, want the whole drag back to 4", got)
	}
}

// TestDragAMark: a line of the gauge goes where the pointer goes, and is drawn there.
func TestDragAMark(t *testing.T) {
	for _, c := range []struct {
		name  string
		value func(*driver) int
	}{
		{"threshold", func(d *driver) int { return d.s.policy.Threshold }},
		{"target", func(d *driver) int { return d.s.policy.TargetPercent }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := demo(t, 120, 36)
			limit := map[string]int{"target": 0, "threshold": 1}[c.name]
			column := func() int {
				x, ok := d.pass().now.Column(d.look, d.w-2, d.pass().now.Limits[limit].Tokens)
				if !ok {
					t.Fatal("the line has no column")
				}
				return x + 1
			}
			x, was := column(), c.value(d)
			d.mouse(x, headLines, tea.MouseActionPress)
			d.mouse(x-12, headLines, tea.MouseActionMotion)
			d.mouse(x-20, headLines, tea.MouseActionRelease)
			if c.value(d) >= was {
				t.Fatalf("%d%% after a drag to the left, was %d%%", c.value(d), was)
			}
			if got := column(); got < x-21 || got > x-19 {
				t.Errorf("the line is drawn at %d, the pointer was let go at %d", got, x-20)
			}
			d.press("u")
			if c.value(d) != was {
				t.Errorf("one u does not take the drag back")
			}
		})
	}
	d := demo(t, 120, 36)
	x, _ := d.find("▲ emergency")
	d.click(x, headLines)
	d.has("the emergency line stands at 95% of the window")
}

func TestWheelScrollsWhatIsUnderThePointer(t *testing.T) {
	d := demo(t, 120, 24)
	d.press("right") // unfold
	x, y := d.find("what")
	d.send(wheelMsg{x, y + 2, 2})
	if d.pass().top != 6 {
		t.Errorf("two turns over the list show row %d first, want 6", d.pass().top)
	}
	kx, ky := d.find("preserve_recent")
	d.send(wheelMsg{kx, ky, -1})
	if d.s.policy.PreserveRecent != 5 {
		t.Errorf("one turn up over a knob makes it %d", d.s.policy.PreserveRecent)
	}
	d = demo(t, 120, 24)
	x, y = d.find("~61 tokens")
	d.send(wheelMsg{x, y + 3, 1})
	if d.pass().detail.top != 3 || d.s.selected != 0 || d.pass().focus != onList {
		t.Errorf("one turn over the message shows line %d first, with the keys of %d", d.pass().detail.top, d.pass().focus)
	}
	d.press("enter")
	d.send(wheelMsg{10, 14, 1})
	if d.pass().detail.top != 3 || d.pass().focus != onDetail {
		t.Error("a turn over the list scrolls the message that has the keys")
	}
}

// TestMotionAloneDoesNothing: the pointer passing by, and what follows a press
// outside everything, change nothing.
func TestMotionAloneDoesNothing(t *testing.T) {
	d := demo(t, 120, 36)
	before := d.View()
	for y := range 36 {
		d.mouse(60, y, tea.MouseActionMotion)
		d.mouse(60, y, tea.MouseActionRelease)
		d.send(tea.MouseMsg{X: 60, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonRight})
		d.send(tea.MouseMsg{X: 60, Y: y, Action: tea.MouseActionRelease, Button: tea.MouseButtonRight})
	}
	d.click(500, 500)
	d.click(-1, -1)
	if d.View() != before {
		t.Errorf("the pointer alone changes the screen:\n%s", d.plain())
	}
}

// TestFarColumns: nothing ends at column 223, where the oldest mouse reports do.
func TestFarColumns(t *testing.T) {
	d := demo(t, 300, 50)
	x, y := d.find("q quit")
	if x < 224 {
		t.Fatalf("q quit is at column %d", x)
	}
	d.click(x, y)
	if !d.quit {
		t.Error("a click at column 290 does nothing")
	}
}

// TestHintsCanBeClicked: a click on any word of the last lines does what its key does.
func TestHintsCanBeClicked(t *testing.T) {
	for _, w := range []int{40, 80, 120, 200} {
		for what, before := range map[string][]string{"list": nil, "stepped": {"s", "s"}, "knob": {"tab"}, "message": {"enter"}, "search": {"/", "f", "enter"}, "copy": {"y"}, "filter": {"f"}} {
			open := func() *driver {
				d := demo(t, w, 36)
				d.press(before...)
				d.View()
				return d
			}
			zones := slices.Clone(open().zones)
			if d := open(); d.mode == browsing {
				d.has("? help  q quit")
			}
			if len(zones) < 2 || w >= 120 && len(zones) < 4 {
				t.Errorf("%s: only %d words can be clicked", what, len(zones))
			}
			for i := range zones {
				d, want := open(), open()
				at := d.zones[i].Rect
				line := strings.Split(d.plain(), "\n")[at.Y]
				key := strings.Fields(ansi.Cut(line, at.X, at.X+at.W))[0]
				if k, ok := map[string]string{"space": " ", "←": "left", "→": "right", "↑": "up", "↓": "down", "pgdn": "pgdown"}[key]; ok {
					key = k
				}
				d.click(at.X+at.W-1, at.Y)
				want.press(key)
				if d.plain() != want.plain() || d.quit != want.quit {
					t.Errorf("%s: a click on %q shows\n%s\nand its key\n%s", what, ansi.Cut(line, at.X, at.X+at.W), d.plain(), want.plain())
				}
			}
		}
	}
	d := demo(t, 120, 36)
	x, y := d.find("y copy")
	d.click(x, y)
	x, y = d.find("f command line")
	d.click(x, y)
	if d.mode != browsing || !strings.Contains(d.out.String(), "\x1b]52;c;") {
		t.Error("clicking a choice does not run it")
	}
}

// TestFloodOfTheWheel: motion is thinned out and turns are added up, none is
// lost, and a release always gets through.
func TestFloodOfTheWheel(t *testing.T) {
	now := time.Unix(0, 0)
	var due func()
	var dueAt time.Time
	passed, turns := 0, 0
	c := &coalescer{now: func() time.Time { return now }}
	take := func(msg tea.Msg) {
		switch m := msg.(type) {
		case wheelMsg:
			passed++
			turns += m.Down
		case nil:
		default:
			t.Fatalf("a turn of the wheel became %T", m)
		}
	}
	c.later = func(d time.Duration, f func()) {
		if due != nil {
			t.Fatal("the end of one frame is waited for twice")
		}
		due, dueAt = f, now.Add(d)
	}
	c.send = func(msg tea.Msg) { take(c.filter(nil, msg)) }
	pass := func(d time.Duration) { // time, with what falls due in it
		for end := now.Add(d); now.Before(end); now = now.Add(time.Millisecond) {
			if due != nil && !now.Before(dueAt) {
				f := due
				due = nil
				f()
			}
		}
	}
	wheel := func(b tea.MouseButton) {
		take(c.filter(nil, tea.MouseMsg{Button: b, Action: tea.MouseActionPress}))
	}
	for range 1000 {
		pass(time.Millisecond)
		wheel(tea.MouseButtonWheelDown)
	}
	pass(frameTime + time.Millisecond)
	if passed > 1000/16+2 || turns != 1000 {
		t.Errorf("%d messages of %d turns for 1000 turns in a second", passed, turns)
	}
	passed, turns = 0, 0
	pass(time.Second)
	wheel(tea.MouseButtonWheelDown) // at once
	wheel(tea.MouseButtonWheelDown)
	wheel(tea.MouseButtonWheelDown)
	if passed != 1 || turns != 1 {
		t.Errorf("the first turn comes in %d messages of %d turns, want it at once", passed, turns)
	}
	pass(frameTime + time.Millisecond)
	if turns != 3 {
		t.Errorf("%d of 3 turns have come when the frame is over and nothing followed", turns)
	}
	turns = 0
	wheel(tea.MouseButtonWheelUp)
	wheel(tea.MouseButtonWheelDown)
	pass(time.Second)
	if turns != 0 {
		t.Errorf("a turn up and one down come to %d", turns)
	}
	moved := 0
	for range 100 {
		now = now.Add(time.Millisecond)
		if c.filter(nil, tea.MouseMsg{Action: tea.MouseActionMotion}) != nil {
			moved++
		}
		if c.filter(nil, tea.MouseMsg{Action: tea.MouseActionRelease}) == nil {
			t.Fatal("a release was dropped")
		}
		if c.filter(nil, keyMsg("j")) == nil {
			t.Fatal("a key was dropped")
		}
	}
	if moved > 100/16+1 {
		t.Errorf("%d of 100 motions in a tenth of a second", moved)
	}
}

func TestMouseComesBackAfterSuspend(t *testing.T) {
	d := demo(t, 120, 36)
	d.send(tea.ResumeMsg{})
	if len(d.said) != 1 || d.said[0] != tea.EnableMouseCellMotion() {
		t.Errorf("after a resume the terminal is told %v", d.said)
	}
	d.press("m")
	d.said = nil
	d.send(tea.ResumeMsg{})
	if len(d.said) != 0 {
		t.Error("after a resume the mouse is taken although it was given away")
	}
}

// TestMouseIsLeftAlone: with the mouse left to the terminal it is never asked
// for, and m takes it.
func TestMouseIsLeftAlone(t *testing.T) {
	d := drive(t, Options{Path: "lesson:demo", Open: opener(nil), NoMouse: true}, 120, 36, colours())
	d.send(tea.ResumeMsg{})
	if len(d.said) != 0 {
		t.Errorf("the terminal is told %v", d.said)
	}
	d.press("m")
	if len(d.said) != 1 || d.said[0] != tea.EnableMouseCellMotion() {
		t.Errorf("m tells the terminal %v", d.said)
	}
}
