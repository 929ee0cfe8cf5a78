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

// lines draws the menu, and says where each item is for the mouse. Items that
// do not fit beside each other go to the next line.
func (m *menu) lines(l *draw.Look, w int) (lines []string, at []draw.Rect) {
	sheet := l.Sheet(w)
	p := sheet.Line().Space(1).Text(draw.Title, m.title).Space(2)
	indent := 3
	for _, it := range m.items {
		n := draw.Width(it.key) + 1 + draw.Width(it.name)
		if n > p.Left() && p.At() > indent {
			p = sheet.Line().Space(indent)
		}
		at = append(at, draw.Rect{X: p.At(), Y: sheet.Len() - 1, W: n, H: 1})
		p.Text(draw.Key, it.key).Space(1).Text(draw.Text, it.name).Space(3)
	}
	p.Text(draw.Key, "esc").Text(draw.Dim, " back")
	return sheet.Lines(), at
}
