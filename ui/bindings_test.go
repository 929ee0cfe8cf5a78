package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// keyCase is what a binding is tested with: keys pressed before it, and what
// must hold after.
type keyCase struct {
	before []string
	good   func(*driver) bool
}

func cursorAt(n int) func(*driver) bool { return func(d *driver) bool { return d.pass().cursor == n } }
func selects(n int) func(*driver) bool  { return func(d *driver) bool { return d.s.selected == n } }
func steps(n int) func(*driver) bool    { return func(d *driver) bool { return d.s.step == n } }
func shows(text string) func(*driver) bool {
	return func(d *driver) bool { return strings.Contains(d.plain(), text) }
}
func preserves(n int) func(*driver) bool {
	return func(d *driver) bool { return d.s.policy.PreserveRecent == n }
}
func scrolled(n int) func(*driver) bool {
	return func(d *driver) bool { return d.pass().detail.top == n }
}
func said[T tea.Msg](d *driver) bool {
	want := fmt.Sprintf("%T", *new(T))
	for _, m := range d.said {
		if fmt.Sprintf("%T", m) == want {
			return true
		}
	}
	return false
}

// The demo: message 0 calls, 43 is its result; 2 calls three tools; the cut
// moves from 65 to 62; nine steps. Row 0 is message 0, row 1 is 43, row 2 is 1.
var keyCases = map[string]keyCase{
	"message/scroll down": {[]string{"enter"}, scrolled(1)},
	"message/scroll up":   {[]string{"enter", "j", "j"}, scrolled(1)},
	"message/page down":   {[]string{"enter"}, func(d *driver) bool { return d.pass().detail.top > 1 }},
	"message/page up":     {[]string{"enter", "G"}, func(d *driver) bool { return d.pass().detail.top < longEnd(d) }},
	"message/top":         {[]string{"enter", "G"}, scrolled(0)},
	"message/end":         {[]string{"enter"}, func(d *driver) bool { return d.pass().detail.top == longEnd(d) }},

	"knob/less":      {[]string{"tab"}, preserves(3)},
	"knob/more":      {[]string{"tab"}, preserves(5)},
	"knob/much less": {[]string{"tab", "L", "L"}, preserves(14)},
	"knob/much more": {[]string{"tab"}, preserves(14)},
	"knob/least":     {[]string{"tab"}, preserves(1)},
	"knob/most":      {[]string{"tab"}, preserves(64)},
	"knob/default":   {[]string{"tab", "L"}, preserves(4)},
	"knob/type":      {[]string{"tab"}, func(d *driver) bool { return d.mode == asking && d.prompt.label == "preserve_recent" }},

	"messages/down":           {nil, selects(43)},
	"messages/up":             {[]string{"j", "j"}, selects(43)},
	"messages/half down":      {nil, cursorAt(11)},
	"messages/half up":        {[]string{"G"}, cursorAt(4)},
	"messages/page down":      {nil, cursorAt(15)},
	"messages/page up":        {[]string{"G"}, cursorAt(0)},
	"messages/first":          {[]string{"G"}, selects(0)},
	"messages/last":           {nil, selects(68)},
	"messages/previous run":   {[]string{"G", "["}, func(d *driver) bool { return d.s.selected < 68 && startsRun(d) }},
	"messages/next run":       {nil, func(d *driver) bool { return d.s.selected > 0 && startsRun(d) }},
	"messages/mate":           {nil, selects(43)},
	"messages/open":           {nil, func(d *driver) bool { return d.pass().focus == onDetail }},
	"messages/unfold":         {nil, func(d *driver) bool { return d.pass().rows.n == 70 }},
	"messages/fold":           {[]string{"right"}, func(d *driver) bool { return d.pass().rows.n == 16 }},
	"messages/go to":          {nil, func(d *driver) bool { return d.mode == asking && d.prompt.label == ":" }},
	"messages/search":         {nil, func(d *driver) bool { return d.mode == asking && d.prompt.label == "/" }},
	"messages/next match":     {[]string{"/", "w", "a", "t", "c", "h", "e", "r", "enter"}, shows("/watcher  2/")},
	"messages/previous match": {[]string{"/", "w", "a", "t", "c", "h", "e", "r", "enter", "n"}, shows("/watcher  1/")},
	"messages/filter":         {nil, func(d *driver) bool { return d.mode == choosing && d.menu.title == "only" }},

	"pass/step":          {nil, steps(1)},
	"pass/step back":     {nil, steps(8)},
	"pass/run":           {[]string{"s"}, steps(9)},
	"pass/reset":         {nil, steps(0)},
	"pass/apply":         {nil, func(d *driver) bool { return len(d.s.applied) == 1 && d.s.now.view.Len() < 69 }},
	"pass/next knob":     {nil, func(d *driver) bool { return d.pass().panel.focused && d.pass().panel.knob == 0 }},
	"pass/previous knob": {nil, func(d *driver) bool { return knobs[d.pass().panel.knob].name == "counter" }},

	"anywhere/help":    {nil, func(d *driver) bool { return d.mode == helping }},
	"anywhere/undo":    {[]string{"tab", "l"}, preserves(4)},
	"anywhere/redo":    {[]string{"tab", "l", "u"}, preserves(5)},
	"anywhere/copy":    {nil, func(d *driver) bool { return d.mode == choosing && d.menu.title == "copy" }},
	"anywhere/keep":    {nil, func(d *driver) bool { return d.mode == choosing && d.menu.title == "keep" }},
	"anywhere/theme":   {nil, func(d *driver) bool { return d.look.Theme == draw.Light }},
	"anywhere/mouse":   {nil, func(d *driver) bool { return !d.mouseOn && len(d.said) == 1 }},
	"anywhere/redraw":  {nil, func(d *driver) bool { return len(d.said) == 1 }},
	"anywhere/suspend": {nil, said[tea.SuspendMsg]},
	"anywhere/back":    {[]string{"tab"}, func(d *driver) bool { return !d.pass().panel.focused }},
	"anywhere/pass":    {[]string{"2"}, func(d *driver) bool { return d.at == 0 }},
	"anywhere/replay":  {nil, func(d *driver) bool { return d.at == 1 }},
	"anywhere/ladder":  {nil, func(d *driver) bool { return d.at == 2 }},
	"anywhere/export":  {nil, func(d *driver) bool { return d.mode == choosing && strings.Contains(d.menu.title, "export") }},
	"anywhere/sweep":   {nil, func(d *driver) bool { return d.screen().name() == "sweep" }},
	"anywhere/quit":    {nil, func(d *driver) bool { return d.quit }},
}

func startsRun(d *driver) bool {
	return contains(d.s.now.runs, d.s.selected)
}

// longEnd is the first line of the last page of the message that is open.
func longEnd(d *driver) int { return len(d.pass().detail.lines) - d.pass().detailText() }

// TestEveryBinding presses every key of every binding, and fails for a binding
// that no case looks at.
func TestEveryBinding(t *testing.T) {
	d := demo(t, 120, 24)
	seen := map[string]bool{}
	for _, m := range append(d.screen().keys(), d.keymap) {
		for _, b := range m.bindings {
			name := m.title + "/" + b.name
			seen[name] = true
			c, ok := keyCases[name]
			if !ok {
				t.Errorf("no case tests %s", name)
				continue
			}
			for _, k := range b.keys {
				t.Run(name+"/"+k, func(t *testing.T) {
					d := demo(t, 120, 36)
					if m.title == "message" {
						d.resize(120, 24)
					}
					d.press(c.before...)
					d.said = nil
					d.press(k)
					if !c.good(d) {
						t.Errorf("%s after %v does not do what it says: cursor %d, message %d, step %d, notice %q\n%s",
							k, c.before, d.pass().cursor, d.s.selected, d.s.step, d.notice, d.plain())
					}
				})
			}
		}
	}
	for name := range keyCases {
		if !seen[name] {
			t.Errorf("a case tests %s, which is not bound", name)
		}
	}
}
