package ui

import (
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// help lists every binding that is good where it was opened, and runs the one
// that is picked. Typing narrows the list, by key and by what a key does.
type help struct {
	draw.Help
	bindings []*binding // beside Help.Bindings
	input    textinput.Model
	page     int // lines, when last drawn
}

func newHelp(l *draw.Look, maps []*keymap) *help {
	h := &help{input: newInput("")}
	for _, m := range maps {
		for i := range m.bindings {
			b := &m.bindings[i]
			h.bindings = append(h.bindings, b)
			h.Bindings = append(h.Bindings, draw.Binding{Keys: own(l, b.spelled()), Text: own(l, b.name+": "+b.about), Group: m.title})
		}
	}
	return h
}

// update moves in the list. done says the help is to be closed, and run is what
// was picked.
func (h *help) update(k tea.KeyMsg) (run *binding, done bool) {
	switch k.String() {
	case "esc", "f1":
		return nil, true
	case "enter":
		if found := h.Matches(); h.Cursor < len(found) {
			return h.bindings[found[h.Cursor]], true
		}
	case "up", "ctrl+p":
		h.move(-1)
	case "down", "ctrl+n":
		h.move(1)
	case "pgup":
		h.move(-h.page)
	case "pgdown":
		h.move(h.page)
	default:
		h.input, _ = h.input.Update(k)
		if now := h.input.Value(); now != h.Query {
			h.Query, h.Cursor = now, 0
		}
	}
	return nil, false
}

func (h *help) move(by int) { h.Cursor = max(0, min(h.Cursor+by, len(h.Matches())-1)) }

// lines draws the help over a part of the screen.
func (h *help) lines(l *draw.Look, w, height int) []string {
	h.page = max(height-4, 1)
	f := draw.NewFrame(l, w, height)
	wide, high := h.Size()
	at := draw.Rect{W: w, H: height}.Centre(wide, high)
	f.Put(at, h.Draw(l, at.W, at.H)...)
	return f.Lines()
}

// fitLines makes lines exactly h long, by cutting or by adding empty ones.
func fitLines(l *draw.Look, lines []string, w, h int) []string {
	if len(lines) > h {
		return lines[:max(h, 0)]
	}
	for len(lines) < h {
		lines = append(lines, l.Pen(w).String())
	}
	return lines
}
