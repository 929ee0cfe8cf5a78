package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"cinch/ui/draw"
)

// checkFrame states what every frame is: exactly as high as the terminal, no
// line wider than it, no control bytes but colours, and each line back to plain
// at its end.
func checkFrame(t *testing.T, what string, frame string, w, h int, ascii bool) {
	t.Helper()
	if w == 0 || h == 0 {
		if frame != "" {
			t.Errorf("%s: %d×%d drew something", what, w, h)
		}
		return
	}
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		t.Fatalf("%s: %d×%d has %d lines", what, w, h, len(lines))
	}
	for y, line := range lines {
		if n := ansi.StringWidth(line); n > w {
			t.Fatalf("%s: %d×%d line %d is %d wide: %q", what, w, h, y, n, line)
		}
		bare, last := uncolour(line)
		if last != "" && last != "\x1b[0m" {
			t.Fatalf("%s: %d×%d line %d does not end its colour: %q", what, w, h, y, line)
		}
		for _, r := range bare {
			if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || ascii && r >= 0x80 {
				t.Fatalf("%s: %d×%d line %d holds %q: %q", what, w, h, y, r, line)
			}
		}
	}
}

// uncolour takes the colour codes out of a line, and gives the last of them.
func uncolour(line string) (bare, last string) {
	var b strings.Builder
	for {
		i := strings.Index(line, "\x1b[")
		if i < 0 {
			return b.String() + line, last
		}
		b.WriteString(line[:i])
		n := strings.IndexFunc(line[i+2:], func(r rune) bool { return r != ';' && (r < '0' || r > '9') })
		if n < 0 || line[i+2+n] != 'm' {
			return b.String() + line[i:], last
		}
		last = line[i : i+3+n]
		line = line[i+3+n:]
	}
}

// situations are ways the inspector can be in.
var situations = map[string][]string{
	"whole":   nil,
	"stepped": {"s", "s", "s"},
	"knob":    {"tab", "tab"},
	"reading": {"j", "enter"},
	"help":    {"?"},
	"search":  {"/", "f", "l"},
	"copy":    {"y"},
	"filter":  {"f", "r"},
	"applied": {"a"},
	"last":    {"G"},
}

func TestEverySizeIsDrawn(t *testing.T) {
	for _, look := range []*draw.Look{
		draw.NewLook(draw.Dark, draw.ANSI256, draw.UTF8),
		draw.NewLook(draw.Mono, draw.Attributes, draw.ASCII),
	} {
		for what, keys := range situations {
			d := demo(t, 120, 36)
			d.look = look
			d.press(keys...)
			check := func(w, h int) {
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
				checkFrame(t, what, d.View(), w, h, look.Glyphs.Set == draw.ASCII)
			}
			for w := 0; w <= 140; w++ {
				check(w, 12)
				check(w, 30)
			}
			for h := 0; h <= 50; h++ {
				check(39, h)
				check(40, h)
				check(101, h)
			}
			check(300, 100)
		}
	}
}
