package ui

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// frameTime is how often the pointer is asked where it is.
const frameTime = 16 * time.Millisecond

// coalescer thins out what the mouse sends before it reaches the model. Motion
// that comes faster than frames are drawn is dropped: the release carries the
// place where a drag ends. Turns of the wheel are added up instead, so a flood
// of them scrolls as far as it should and keys still get their turn.
type coalescer struct {
	now    func() time.Time
	last   time.Time
	wheels int // turns held back
	button tea.MouseButton
}

// wheelMsg is several turns of the wheel in one place.
type wheelMsg struct {
	X, Y int
	Down int // how many turns down; negative for up
}

func (c *coalescer) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	m, ok := msg.(tea.MouseMsg)
	if !ok {
		return msg
	}
	now := c.now()
	early := now.Sub(c.last) < frameTime
	switch {
	case m.Button == tea.MouseButtonWheelUp || m.Button == tea.MouseButtonWheelDown:
		if m.Button != c.button || now.Sub(c.last) > 10*frameTime {
			c.wheels, c.button = 0, m.Button
		}
		c.wheels++
		if early {
			return nil
		}
		w := wheelMsg{m.X, m.Y, c.wheels}
		if m.Button == tea.MouseButtonWheelUp {
			w.Down = -c.wheels
		}
		c.last, c.wheels = now, 0
		return w
	case m.Action == tea.MouseActionMotion:
		if early {
			return nil
		}
		c.last = now
	}
	return msg
}

// leaked reports whether a burst of characters is a terminal's report that was
// cut in two on its way in, and not something anybody typed: the rest of a mouse
// report, or of the answer to a question about colours.
func leaked(k tea.KeyMsg) bool {
	if k.Type != tea.KeyRunes || k.Paste || len(k.Runes) < 2 {
		return false
	}
	s := string(k.Runes)
	if strings.ContainsAny(s, ";<") && strings.Trim(s, "[<;Mm0123456789") == "" {
		return true
	}
	return strings.Contains(s, ";rgb:") || strings.Contains(s, ";rgba:")
}

// apart splits a burst of characters, which the terminal may deliver as one
// message, into the keys that were pressed.
func apart(k tea.KeyMsg) []tea.KeyMsg {
	if k.Type != tea.KeyRunes || len(k.Runes) < 2 || k.Paste {
		return []tea.KeyMsg{k}
	}
	out := make([]tea.KeyMsg, len(k.Runes))
	for i, r := range k.Runes {
		out[i] = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: k.Alt && i == 0}
		if r == ' ' {
			out[i].Type = tea.KeySpace
		}
	}
	return out
}
