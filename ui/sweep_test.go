package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"cinch/model"
	"cinch/ui/draw"
)

// checkFrame states what every frame is: exactly as high as the terminal, each
// line exactly as wide, no control bytes but colours, no character that hides or
// turns others around, and each line back to plain at its end.
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
		if n := ansi.StringWidth(line); n != w {
			t.Fatalf("%s: %d×%d line %d is %d wide: %q", what, w, h, y, n, line)
		}
		bare, last := uncolour(line)
		if last != "" && last != "\x1b[0m" {
			t.Fatalf("%s: %d×%d line %d does not end its colour: %q", what, w, h, y, line)
		}
		for _, r := range bare {
			if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || ascii && r >= 0x80 || hides(r) {
				t.Fatalf("%s: %d×%d line %d holds %q: %q", what, w, h, y, r, line)
			}
		}
	}
}

// hides reports whether a character turns others around, hides or is hidden.
func hides(r rune) bool {
	return r >= 0xad && (r == 0xad || r == 0x61c || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f ||
		r >= 0xfe00 && r <= 0xfe0f || r == 0xfeff || r >= 0xe0000)
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
	"whole":    nil,
	"stepped":  {"s", "s", "s"},
	"knob":     {"tab", "tab"},
	"typed":    {"tab", "tab", "enter", "1", "0", "1", "enter"},
	"reading":  {"j", "enter"},
	"help":     {"?"},
	"search":   {"/", "f", "l"},
	"found":    {"/", "w", "a", "t", "c", "h", "enter", "n"},
	"copy":     {"y"},
	"filters":  {"f"},
	"filter":   {"f", "r"},
	"none":     {"f", "e"},
	"unfolded": {"right", "j", "j", "j"},
	"applied":  {"a"},
	"last":     {"G"},
}

// looks are one of every theme, profile and glyph set, not all combinations.
var looks = []*draw.Look{
	draw.NewLook(draw.Dark, draw.ANSI256, draw.UTF8),
	draw.NewLook(draw.Mono, draw.Attributes, draw.ASCII),
	draw.NewLook(draw.Dark, draw.ANSI16, draw.Safe), // what TERM=linux gets
	draw.NewLook(draw.Light, draw.TrueColour, draw.UTF8),
	draw.NewLook(draw.HighContrast, draw.Plain, draw.Braille),
}

// TestEverySizeIsDrawn draws the Pass screen in every situation and look. Each
// takes the sizes at which the layout changes and a share of those from 0×0 to
// 140×50; together they take every one of these.
func TestEverySizeIsDrawn(t *testing.T) {
	const share = 71
	turn := 0
	for _, look := range looks {
		for what, keys := range situations {
			d := demo(t, 120, 36)
			d.look = look
			d.press(keys...)
			check := func(w, h int) {
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
				checkFrame(t, what, d.View(), w, h, look.Glyphs.Set == draw.ASCII)
			}
			for w := 0; w <= 140; w++ {
				for h := 0; h <= 50; h++ {
					if (w+5*h+turn)%share == 0 {
						check(w, h)
					}
				}
			}
			for _, w := range []int{leastWidth, wideFrom - 1, wideFrom} {
				for _, h := range []int{leastHeight, rulesFrom - 1, rulesFrom, legendFrom - 1, legendFrom, knobsFrom - 1, knobsFrom} {
					check(w, h)
				}
			}
			check(leastWidth-1, leastHeight)
			check(leastWidth, leastHeight-1)
			check(200, 60)
			check(300, 100)
			turn++
		}
	}
	if turn < share {
		t.Errorf("%d turns leave sizes out", turn)
	}
}

// TestAnyConversationIsDrawn: conversations in which something is missing can be
// looked at, stepped through, filtered and searched like any other.
func TestAnyConversationIsDrawn(t *testing.T) {
	for name, messages := range map[string][]*model.Message{
		"none":               {},
		"one message":        {says(model.User, "Hello?")},
		"one answer":         {says(model.Assistant, "Hello.")},
		"one of nothing":     {{Role: model.User}},
		"system only":        {says(model.System, "Be brief.")},
		"no assistant":       {says(model.User, "one"), says(model.User, "two"), says(model.User, "three"), says(model.User, "four"), says(model.User, "five"), says(model.User, "six"), says(model.User, "seven"), says(model.User, "eight")},
		"an open call":       {says(model.User, "go"), calls("a", "b")},
		"lone results only":  {results("a"), results("b", "c")},
		"call and result":    {calls("a"), results("a")},
		"empty after filter": long(3),
	} {
		t.Run(name, func(t *testing.T) {
			c := &model.Conversation{Format: "native", Path: "talk.json", Messages: messages}
			if name == "system only" {
				c.System = "Be brief, and be kind."
			}
			d := drive(t, Options{Path: "talk", Open: opener(map[string]*model.Conversation{"talk": c}), Profile: draw.ANSI256}, 120, 36, colours())
			for _, keys := range [][]string{
				nil, {"G", "g", "j", "k", "]", "["}, {"s", "s", "s", "S", "b", "r"}, {"a"}, {"u"}, {"%"}, {"n"}, {"y"}, {"esc", "Y"}, {"esc", "enter", "G", "g"},
				{"esc", "f", "e"}, {"G", "enter", "%", "n"}, {"esc", "f", "o"}, {"G", "s", "a"}, {"esc", "f", "t"}, {"esc", "/", "z", "enter"}, {"n", "N"}, {"tab", "L", "end", "home"}, {"2"}, {"3"}, {"4"}, {"1"},
			} {
				d.press(keys...)
				d.settle()
				for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 12}} {
					d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					checkFrame(t, fmt.Sprint(keys), d.View(), size[0], size[1], false)
				}
			}
		})
	}
	d := talk(t, 120, 36, long(3)...)
	d.press("f", "e")
	d.has("no message is emptied; esc shows all")
}
