package ui

import (
	"strings"
	"testing"

	"cinch/ui/draw"
)

// TestHelpFinds: a key is found by what it does, in the words people ask with.
func TestHelpFinds(t *testing.T) {
	for query, want := range map[string]string{
		"flags": "copy", "json": "copy", "json file": "export", "rust": "export", "slider": "next knob",
		"mate": "mate", "/mate": "mate", "/ mate": "mate", "%": "mate", "/": "search", "DEFAULT": "default",
	} {
		d := demo(t, 120, 36)
		d.press("tab", "?")
		d.typed(query)
		var names []string
		for _, i := range d.help.Matches() {
			names = append(names, d.help.bindings[i].name)
		}
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+want+" ") {
			t.Errorf("%q finds %q, not %s", query, names, want)
		}
		if query == "/mate" && len(names) != 1 {
			t.Errorf("%q finds %q", query, names)
		}
	}
}

// TestHelpIsReadWhole: what a row cuts stands below the list in full, at every width.
func TestHelpIsReadWhole(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 36}} {
		d := demo(t, size[0], size[1])
		d.press("?")
		for range d.help.Matches() {
			b := d.help.bindings[d.help.Matches()[d.help.Cursor]]
			var text []string
			for _, line := range strings.Split(d.plain(), "\n") {
				text = append(text, strings.Trim(strings.TrimSpace(line), "│ "))
			}
			if !strings.Contains(strings.Join(text, " "), b.name+": "+draw.Line(b.about, 1000)) {
				t.Fatalf("%v: %q is not on the screen whole:\n%s", size, b.about, d.plain())
			}
			d.press("down")
		}
	}
}
