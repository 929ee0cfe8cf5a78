package ui

import tea "github.com/charmbracelet/bubbletea"

// mouse selects a row; on the selected row it opens it.
func (p *picker) mouse(m tea.MouseMsg) tea.Cmd {
	if m.Action != tea.MouseActionPress {
		return nil
	}
	for i := range p.shelves {
		at := p.place.list[i]
		if !p.place.beside && i != p.at || !at.Contains(m.X, m.Y) {
			continue
		}
		s := &p.shelves[i]
		y := s.top + m.Y - at.Y - 1
		switch was := p.at; {
		case m.Y == at.Y || y >= s.len():
			p.at = i
		case i == was && y == s.cursor:
			return p.open()
		default:
			p.at = i
			s.moveTo(y)
		}
		return p.work()
	}
	return nil
}

// wheel moves in the list under the pointer.
func (p *picker) wheel(x, y, down int) tea.Cmd {
	for i := range p.shelves {
		if (p.place.beside || i == p.at) && p.place.list[i].Contains(x, y) {
			p.shelves[i].moveTo(p.shelves[i].cursor + down)
			return p.work()
		}
	}
	return nil
}
