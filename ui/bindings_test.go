package ui

import (
	"fmt"
	"maps"
	"slices"
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

// Message 0 of the demo, read.
var messageCases = map[string]keyCase{
	"message/scroll down": {[]string{"enter"}, scrolled(1)},
	"message/scroll up":   {[]string{"enter", "j", "j"}, scrolled(1)},
	"message/page down":   {[]string{"enter"}, func(d *driver) bool { return d.pass().detail.top > 1 }},
	"message/page up":     {[]string{"enter", "G"}, func(d *driver) bool { return d.pass().detail.top < longEnd(d) }},
	"message/top":         {[]string{"enter", "G"}, scrolled(0)},
	"message/end":         {[]string{"enter"}, func(d *driver) bool { return d.pass().detail.top == longEnd(d) }},
}

// The way from a conversation with subagents to others.
var fileCases = map[string]keyCase{
	"file/sessions":      {nil, func(d *driver) bool { return d.front == d.picker }},
	"file/conversations": {nil, func(d *driver) bool { return d.front == d.chooser }},
	"file/branches":      {nil, shows("it has no branches")},
	"file/into":          {[]string{"j"}, func(d *driver) bool { return d.s.conv.ID == "outer" }},
	"file/out":           {[]string{"j", "i"}, func(d *driver) bool { return d.s.conv.ID == "main" }},
}

// The knobs of the truncating engine, the first of which is preserve_recent.
var knobCases = map[string]keyCase{
	"knob/less":      {[]string{"tab"}, preserves(3)},
	"knob/more":      {[]string{"tab"}, preserves(5)},
	"knob/much less": {[]string{"tab", "L", "L"}, preserves(14)},
	"knob/much more": {[]string{"tab"}, preserves(14)},
	"knob/least":     {[]string{"tab"}, preserves(1)},
	"knob/most":      {[]string{"tab"}, preserves(64)},
	"knob/default":   {[]string{"tab", "L"}, preserves(4)},
	"knob/type":      {[]string{"tab"}, func(d *driver) bool { return d.mode == asking && d.prompt.label == "preserve_recent" }},
}

// The demo: message 0 calls, 43 is its result; 2 calls three tools; the cut
// moves from 65 to 62; nine steps. Row 0 is message 0, row 1 is 43, row 2 is 1.
var keyCases = map[string]keyCase{
	"messages/down":           {nil, selects(43)},
	"messages/up":             {[]string{"j", "j"}, selects(43)},
	"messages/half down":      {nil, cursorAt(10)},
	"messages/half up":        {[]string{"G"}, cursorAt(10)},
	"messages/page down":      {nil, cursorAt(20)},
	"messages/page up":        {[]string{"G"}, cursorAt(0)},
	"messages/first":          {[]string{"G"}, selects(0)},
	"messages/last":           {nil, selects(68)},
	"messages/previous run":   {[]string{"G"}, selects(61)},
	"messages/next run":       {nil, selects(1)},
	"messages/mate":           {nil, selects(43)},
	"messages/open":           {nil, func(d *driver) bool { return d.pass().focus == onDetail }},
	"messages/unfold":         {nil, func(d *driver) bool { return d.pass().rows.n == 70 }},
	"messages/fold":           {[]string{"right"}, func(d *driver) bool { return d.pass().rows.n == 21 }},
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
	"anywhere/editor":  {nil, func(d *driver) bool { return len(d.said) == 1 || strings.Contains(d.notice, "set VISUAL or EDITOR") }},
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

// longEnd is the first line of the last page of the message that is open.
func longEnd(d *driver) int { return len(d.pass().detail.lines) - d.pass().detailText() }

func both(a, b map[string]keyCase) map[string]keyCase {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// caseOn is a keyCase for a screen of one type.
type caseOn[S screen] struct {
	before []string
	good   func(*driver, S) bool
}

// on makes the cases of a screen keyCases.
func on[S screen](table map[string]caseOn[S]) map[string]keyCase {
	out := make(map[string]keyCase, len(table))
	for name, c := range table {
		out[name] = keyCase{c.before, func(d *driver) bool {
			for _, s := range append([]screen{d.picker, d.chooser}, d.screens...) {
				if p, ok := s.(S); ok {
					return c.good(d, p)
				}
			}
			return false
		}}
	}
	return out
}

// keyPlace is where bindings are tested: how it is come by, the keymaps that belong
// to it, and a case for each binding, by the keymap's title and its own name.
type keyPlace struct {
	open  func(testing.TB) *driver
	maps  func(*driver) []*keymap
	cases map[string]keyCase
}

func screenKeys(d *driver) []*keymap { return d.screen().keys() }

// keyPlaces are all of them; together they have every binding there is.
func keyPlaces(t testing.TB) map[string]keyPlace {
	sessions := fewSessions(t)
	return map[string]keyPlace{
		"message": {
			func(t testing.TB) *driver { return demo(t, 120, 24) },
			func(d *driver) []*keymap { return d.screen().keys()[:1] }, messageCases,
		},
		"pass": {
			func(t testing.TB) *driver { return demo(t, 120, 36) },
			func(d *driver) []*keymap { return append(d.screen().keys()[1:], d.keymap) }, both(keyCases, knobCases),
		},
		"file": {
			func(t testing.TB) *driver { return wood(t, 120, 36, "1") },
			func(d *driver) []*keymap { return []*keymap{d.file} }, fileCases,
		},
		"replay":        {func(t testing.TB) *driver { d, _ := replaying(t, "demo", 120, 24); return d }, screenKeys, on(replayCases)},
		"ladder":        {func(t testing.TB) *driver { d, _ := laddering(t, "demo", 120, 24); return d }, screenKeys, on(ladderCases)},
		"sweep":         {func(t testing.TB) *driver { d, _ := sweeping(t, "demo", 120, 36); return d }, screenKeys, both(on(sweepCases), knobCases)},
		"sessions":      {func(t testing.TB) *driver { return picking(t, 120, 36, sessions, sessions[0].Path) }, screenKeys, pickerCases},
		"conversations": {func(t testing.TB) *driver { return wood(t, 120, 36, "") }, screenKeys, chooserCases},
	}
}

// TestEveryBinding presses every key of every binding in a situation in which
// what it says does not hold yet, and looks whether it holds then. It fails for a
// binding that no case looks at, and for one that the help of that situation
// leaves out.
func TestEveryBinding(t *testing.T) {
	for where, at := range keyPlaces(t) {
		seen := map[string]bool{}
		for i, m := range at.maps(at.open(t)) {
			for _, b := range m.bindings {
				name := m.title + "/" + b.name
				seen[name] = true
				c, ok := at.cases[name]
				if !ok {
					t.Errorf("%s: no case tests %s", where, name)
					continue
				}
				for _, k := range b.keys {
					t.Run(where+"/"+name+"/"+k, func(t *testing.T) {
						d := at.open(t)
						for _, before := range c.before {
							d.View() // as a person would, who reads before the next key
							d.press(before)
							d.settle()
						}
						d.View()
						if c.good(d) {
							t.Fatalf("what %s says holds already after %v", k, c.before)
						}
						if !slices.Contains(d.maps(), at.maps(d)[i]) {
							t.Fatalf("after %v the keys of %s are not good", c.before, m.title)
						}
						if h := newHelp(d.look, d.maps()); !slices.ContainsFunc(h.bindings, func(h *binding) bool { return h.name == b.name && h.about == b.about }) {
							t.Errorf("the help does not show %s", name)
						}
						d.said = nil
						d.press(k)
						d.settle()
						if !c.good(d) {
							t.Errorf("%s after %v does not do what it says: cursor %d, message %d, step %d, notice %q\n%s",
								k, c.before, d.pass().cursor, d.s.selected, d.s.step, d.notice, d.plain())
						}
					})
				}
			}
		}
		for name := range at.cases {
			if !seen[name] {
				t.Errorf("%s: a case tests %s, which is not bound", where, name)
			}
		}
	}
}
