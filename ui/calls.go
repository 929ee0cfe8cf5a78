package ui

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// callsView is what the screens have in common that show a whole run: its calls
// on a timeline, the list at the call under the cursor beside the message under
// the list's own, and the knobs.
type callsView struct {
	r  *root
	s  *session
	of callsScreen

	w, h  int
	place callsPlaces
	panel knobPanel

	chart draw.Timeline
	at    int // call under the cursor
	play  player

	rows    rowList
	cursor  int // row of the list
	top     int
	reading bool // the detail has the keys
	page    bool // on a narrow screen it covers the list
	detail  detail

	keymaps []*keymap
}

// callsScreen is the screen that a callsView is a part of.
type callsScreen interface {
	ready() bool    // the run has been worked out
	calls() int     // how many calls are on the timeline
	seek(i int)     // put the cursor on a call, or on the nearest there is
	enter() tea.Cmd // read what is under the list's cursor
	scroll(by int)  // move what is being read, in lines
}

func newCallsView(r *root, of callsScreen) callsView {
	return callsView{r: r, s: r.s, of: of, panel: knobPanel{r: r, s: r.s}}
}

// counts are those of the recorded history, which is what is run.
func (v *callsView) counts() (messages, runs int) { return v.s.history() }

func (v *callsView) keys() []*keymap { return v.keymaps }

func (v *callsView) named(names ...string) []*binding { return namedIn(v.keymaps, names...) }

// callsPlaces is where the parts are.
type callsPlaces struct {
	chart, said, rule, list, bar, detail, rule2, knobs draw.Rect
	wide                                               bool // list and detail stand side by side
}

// callsHeights are the lines of the parts; the list and the detail have the rest.
type callsHeights struct{ chart, said, rule, rule2, knobs int }

// arrange gives each part its place.
func (v *callsView) arrange(h callsHeights) {
	at := &v.place
	rest := draw.Rect{W: v.w, H: v.h}
	at.chart, rest = rest.Top(h.chart)
	at.said, rest = rest.Top(h.said)
	at.rule, rest = rest.Top(h.rule)
	rest, at.knobs = rest.Bottom(h.knobs)
	rest, at.rule2 = rest.Bottom(h.rule2)
	at.wide = v.w >= wideFrom
	at.list, at.bar, at.detail = rest, draw.Rect{}, rest
	if at.wide {
		at.list, at.detail = rest.Right(min(max(v.w*3/8, 38), 80))
		at.bar, at.detail = at.detail.Left(1)
	}
	at.chart.X, at.chart.W = 1, max(v.w-2, 0)
	if v.s.loaded() {
		v.panel.lay(at.knobs)
	}
}

// put puts all parts into a frame but what is said: the list and the detail are
// the screen's.
func (v *callsView) put(f *draw.Frame, list, detail func(w, h int) []string) {
	l, at := v.r.look, &v.place
	f.Put(at.chart, v.chart.Draw(l, at.chart.W, at.chart.H)...)
	var join []int
	if at.wide {
		join = []int{at.bar.X}
	}
	if at.rule.H > 0 {
		f.Put(at.rule, draw.Rule(l, at.rule.W, nil, join))
	}
	if at.rule2.H > 0 {
		f.Put(at.rule2, draw.Rule(l, at.rule2.W, join, nil))
	}
	f.Put(at.list, list(at.list.W, at.list.H)...)
	if at.wide {
		f.Put(at.bar, draw.Bar(l, at.bar.H)...)
		f.Put(at.detail, detail(at.detail.W, at.detail.H)...)
	}
	f.Put(at.knobs, v.panel.lines(l)...)
}

// listRows is how many rows of the list are shown below its heading.
func (v *callsView) listRows() int { return max(v.place.list.H-1, 1) }

func (v *callsView) moveTo(y int) {
	v.cursor = min(max(y, 0), max(v.rows.n-1, 0))
	v.follow()
}

func (v *callsView) follow() {
	h := v.listRows()
	v.top = max(min(v.top, v.cursor), v.cursor-h+1)
	v.top = max(0, min(v.top, v.rows.n-h))
}

// detailText is about how many lines of text the detail shows.
func (v *callsView) detailText() int {
	if v.page {
		return max(v.h-4, 1)
	}
	return max(v.place.detail.H-4, 1)
}

// when is f where there is something to do it to.
func (v *callsView) when(f func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if !v.of.ready() {
			return nil
		}
		return f()
	}
}

func (v *callsView) do(f func()) func() tea.Cmd {
	return v.when(func() tea.Cmd { f(); return nil })
}

// readKeys are the bindings of a text that is being read.
func (v *callsView) readKeys(title string) *keymap {
	scroll := func(by int) func() tea.Cmd { return v.do(func() { v.of.scroll(by) }) }
	return &keymap{title: title, inner: true, on: func() bool { return v.reading }, bindings: []binding{
		{[]string{"j", "down"}, "scroll down", "one line down", scroll(1)},
		{[]string{"k", "up"}, "scroll up", "one line up", scroll(-1)},
		{[]string{"ctrl+d", "pgdown"}, "page down", "one page down", v.do(func() { v.of.scroll(v.detailText()) })},
		{[]string{"ctrl+u", "pgup"}, "page up", "one page up", v.do(func() { v.of.scroll(-v.detailText()) })},
		{[]string{"g", "home"}, "top", "the beginning", scroll(-1 << 30)},
		{[]string{"G", "end"}, "end", "the end", scroll(1 << 30)},
	}}
}

// seekKeys are the bindings that move the timeline's cursor. Last says what the
// last call is.
func (v *callsView) seekKeys(last string) []binding {
	by := func(n int) func() tea.Cmd { return v.do(func() { v.of.seek(v.at + n) }) }
	return []binding{
		{[]string{"left", "h"}, "call before", "the model call before", by(-1)},
		{[]string{"right", "l"}, "next call", "the next model call", by(1)},
		{[]string{"H", "shift+left"}, "ten back", "ten calls back", by(-coarse)},
		{[]string{"L", "shift+right"}, "ten on", "ten calls on", by(coarse)},
		{[]string{"0", "home"}, "first call", "the first model call", v.do(func() { v.of.seek(0) })},
		{[]string{"$", "end"}, "last call", last, v.do(func() { v.of.seek(v.of.calls() - 1) })},
		{[]string{":"}, "go to", "go to a call by its number", v.when(v.askCall)},
		{[]string{" "}, "play", "play or pause: the cursor moves by itself", v.when(v.playPause)},
		{[]string{"+"}, "faster", "twice as many calls a second", v.do(func() { v.play.shift(1) })},
		{[]string{"-"}, "slower", "half as many", v.do(func() { v.play.shift(-1) })},
	}
}

// listKeys are the bindings that move the list's cursor.
func (v *callsView) listKeys(first, last string) []binding {
	by := func(n func() int) func() tea.Cmd {
		return v.do(func() { v.moveTo(v.rows.next(v.cursor, n())) })
	}
	return []binding{
		{[]string{"j", "down"}, "down", "the next message", by(func() int { return 1 })},
		{[]string{"k", "up"}, "up", "the message before", by(func() int { return -1 })},
		{[]string{"ctrl+d", "pgdown"}, "page down", "one page down", by(v.listRows)},
		{[]string{"ctrl+u", "pgup"}, "page up", "one page up", by(func() int { return -v.listRows() })},
		{[]string{first}, "first", "the first message", v.do(func() { v.moveTo(0) })},
		{[]string{last}, "last", "the last message before the call", v.do(func() { v.moveTo(v.rows.next(v.rows.n, -1)) })},
	}
}

func (v *callsView) askCall() tea.Cmd {
	n := v.of.calls()
	return v.r.ask(newPrompt(":", fmt.Sprintf("the number of a call, up to %d", n), "", func(text string) (tea.Cmd, error) {
		i, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || i < 1 || i > n {
			return nil, fmt.Errorf("a number from 1 to %d", n)
		}
		v.of.seek(i - 1)
		return nil, nil
	}))
}

// pointed is the mouse on the parts that every such screen has.
func (v *callsView) pointed(m tea.MouseMsg) tea.Cmd {
	if cmd, mine := v.panel.holding(m); mine {
		return cmd
	}
	at := &v.place
	switch {
	case at.chart.Contains(m.X, m.Y):
		if c, ok := v.chart.CallAt(at.chart.W, at.chart.H, m.X-at.chart.X); ok {
			v.of.seek(c)
		}
	case m.Action != tea.MouseActionPress:
	case at.knobs.Contains(m.X, m.Y):
		return v.panel.press(m.X, m.Y)
	case at.list.Contains(m.X, m.Y):
		v.reading = false
		v.panel.drop()
		if y := v.top + m.Y - at.list.Y - 1; m.Y > at.list.Y && y < v.rows.n {
			if y == v.cursor {
				return v.of.enter()
			}
			v.moveTo(y)
		}
	case at.wide && at.detail.Contains(m.X, m.Y):
		v.reading = true
	}
	return nil
}

func (v *callsView) wheel(x, y, down int) tea.Cmd {
	at := &v.place
	switch {
	case !v.of.ready():
	case v.page || at.wide && at.detail.Contains(x, y):
		v.of.scroll(down)
	case at.knobs.Contains(x, y):
		return v.panel.wheel(x, y, down)
	case at.chart.Contains(x, y):
		v.of.seek(v.at + down/wheelLines)
	case at.list.Contains(x, y):
		v.moveTo(v.rows.next(v.cursor, down))
	}
	return nil
}
