package ui

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// frames of one kind: two messages sent in turn, each followed by a frame.
var frameKinds = map[string]struct {
	before      []string
	there, back tea.Msg
}{
	"a key":                     {[]string{"right"}, keyMsg("j"), keyMsg("k")},
	"a key at the end":          {[]string{"right", "G"}, keyMsg("k"), keyMsg("j")},
	"the wheel":                 {[]string{"right", "G"}, wheelMsg{10, 12, -40}, wheelMsg{10, 12, 40}},
	"the wheel over the detail": {[]string{"right"}, wheelMsg{110, 12, 3}, wheelMsg{110, 12, -3}},
	"resizing":                  {[]string{"right", "G"}, tea.WindowSizeMsg{Width: 121, Height: 40}, tea.WindowSizeMsg{Width: 120, Height: 36}},
	"resizing, folded":          {nil, tea.WindowSizeMsg{Width: 80, Height: 24}, tea.WindowSizeMsg{Width: 200, Height: 60}},
	"resizing, reading":         {[]string{"enter"}, tea.WindowSizeMsg{Width: 80, Height: 24}, tea.WindowSizeMsg{Width: 120, Height: 36}},
	"the theme":                 {nil, keyMsg("t"), keyMsg("t")},
	"help":                      {nil, keyMsg("?"), keyMsg("esc")},
}

// TestLongConversationsStayFluid: with ten times as many messages a frame takes
// about as long, and as many allocations. Frames of both conversations are drawn
// by turns and the fastest of each count, so that what else the machine does
// counts for neither.
func TestLongConversationsStayFluid(t *testing.T) {
	for what, kind := range frameKinds {
		open := func(n int) func() {
			d := talk(t, 120, 36, long(n)...)
			d.press(kind.before...)
			i := 0
			return func() {
				if i++; i%2 == 1 {
					d.Update(kind.there)
				} else {
					d.Update(kind.back)
				}
				d.View()
			}
		}
		few, many := open(1_000), open(10_000)
		fastest := [2]time.Duration{time.Hour, time.Hour}
		for range 30 {
			for i, frame := range []func(){few, many} {
				start := time.Now()
				for range 4 {
					frame()
				}
				fastest[i] = min(fastest[i], time.Since(start))
			}
		}
		if fastest[1] > 4*fastest[0] {
			t.Errorf("%s: four frames take %v with 10,000 messages, %v with 1,000", what, fastest[1], fastest[0])
		}
		if few, many := testing.AllocsPerRun(20, few), testing.AllocsPerRun(20, many); many > 1.2*few+20 {
			t.Errorf("%s: %.0f allocations with 10,000 messages, %.0f with 1,000", what, many, few)
		}
	}
}

// TestKeysComeThroughAFlood: however many turns of the wheel wait before a key,
// and whatever else they are mixed with, the model gets them as one turn and then
// the key, and two frames are drawn.
func TestKeysComeThroughAFlood(t *testing.T) {
	d := demo(t, 120, 24)
	d.press("right")
	now := time.Unix(0, 0)
	var due func()
	c := &coalescer{now: func() time.Time { return now }, later: func(_ time.Duration, f func()) { due = f }}
	c.send = func(msg tea.Msg) {
		if msg = c.filter(nil, msg); msg != nil {
			d.send(msg)
		}
	}
	x, y := d.find("what")
	drawn := d.draws
	for range 5_000 {
		c.send(tea.MouseMsg{X: x, Y: y + 2, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
		d.View()
	}
	c.send(keyMsg("?"))
	d.View()
	if d.mode != helping {
		t.Error("a key behind 5,000 turns of the wheel is not handled")
	}
	if n := d.draws - drawn; n > 2 {
		t.Errorf("%d frames are drawn before the key", n)
	}
	c.send(keyMsg("esc"))
	now = now.Add(frameTime)
	due()
	d.View()
	if last := d.pass().rows.n - d.pass().listRows(); d.pass().top != last {
		t.Errorf("the turns that were held back lead to row %d, want %d", d.pass().top, last)
	}
}

// TestNothingMovesByItself: while nothing is computed and nothing plays no clock
// runs, so that nothing is drawn: for screen readers, slow lines and batteries.
func TestNothingMovesByItself(t *testing.T) {
	d := demo(t, 120, 36)
	asked, last, now := 0, "", ""
	d.later = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { asked++; last = now; return nil }
	for _, k := range []string{"j", "tab", "l", "=", "esc", "s", "b", "r", "a", "u", "/", "f", "esc", "?", "esc", "enter", "j", "esc", "y", "esc", "2", "l", "[", "3", "1"} {
		d.said, now = nil, k
		d.press(k)
		for _, msg := range d.said {
			switch msg.(type) {
			case historyMsg, changesMsg, recordMsg, climbedMsg, sweptMsg: // what the engines have found out
			default:
				t.Errorf("%s leads to %T", k, msg)
			}
		}
	}
	if asked != 0 {
		t.Errorf("a clock was asked for %d times, last by %s", asked, last)
	}
	d.press("2", "0", " ")
	if asked == 0 {
		t.Error("play asks for no clock: the test sees nothing")
	}
}

// TestSizeThatNobodySays: until a terminal says how large it is, and where it
// never does, there is a frame all the same.
func TestSizeThatNobodySays(t *testing.T) {
	r := newRoot(t.Context(), Options{Path: "lesson:demo", Open: opener(nil)}, colours(), &frames{})
	checkFrame(t, "unasked", r.View(), 80, 24, false)
}
