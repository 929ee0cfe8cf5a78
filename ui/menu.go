package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// menu offers a few things, each under one key, in place of the last lines.
type menu struct {
	title string
	items []item
}

type item struct {
	key, name string
	do        func() tea.Cmd
}

func (m *menu) find(key string) *item {
	for i := range m.items {
		if m.items[i].key == key {
			return &m.items[i]
		}
	}
	return nil
}

// lines draws the menu, and says for the mouse where each item is and, last, the
// way back. What does not fit beside each other goes to the next line.
func (m *menu) lines(l *draw.Look, w int) (lines []string, at []draw.Rect) {
	sheet := l.Sheet(w)
	p := sheet.Line().Space(1).Text(draw.Title, own(l, m.title)).Space(2)
	indent := 3
	add := func(tone draw.Token, key, name string) {
		n := draw.Width(key) + 1 + draw.Width(name)
		if n > p.Left() && p.At() > indent {
			p = sheet.Line().Space(indent)
		}
		at = append(at, draw.Rect{X: p.At(), Y: sheet.Len() - 1, W: n, H: 1})
		p.Text(draw.Key, key).Space(1).Text(tone, name).Space(3)
	}
	for _, it := range m.items {
		add(draw.Text, it.key, own(l, it.name))
	}
	add(draw.Dim, "esc", "back")
	return sheet.Lines(), at
}
