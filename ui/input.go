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
// of them scrolls as far as it should and keys still get their turn. Turns that
// nothing follows are delivered when the frame is over.
type coalescer struct {
	now   func() time.Time
	later func(time.Duration, func()) // calls a function after a time
	send  func(tea.Msg)               // gives the filter a message, from any goroutine
	last  time.Time
	held  wheelMsg // turns held back
	due   bool     // the end of the frame is waited for
}

// wheelMsg is several turns of the wheel in one place.
type wheelMsg struct {
	X, Y int
	Down int // how many turns down; negative for up
}

// frameOver tells the coalescer that turns have been held back for long enough.
type frameOver struct{}

func (c *coalescer) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch m := msg.(type) {
	case frameOver:
		c.due = false
		return c.turned()
	case tea.MouseMsg:
		switch {
		case m.Button == tea.MouseButtonWheelDown:
			return c.turn(m, 1)
		case m.Button == tea.MouseButtonWheelUp:
			return c.turn(m, -1)
		case m.Action == tea.MouseActionMotion:
			if c.early() {
				return nil
			}
			c.last = c.now()
		}
	}
	return msg
}

func (c *coalescer) early() bool { return c.now().Sub(c.last) < frameTime }

// turn adds a turn of the wheel to those held back. The newest place counts.
func (c *coalescer) turn(m tea.MouseMsg, down int) tea.Msg {
	c.held.X, c.held.Y = m.X, m.Y
	c.held.Down += down
	if !c.early() {
		return c.turned()
	}
	if !c.due {
		c.due = true
		c.later(frameTime-c.now().Sub(c.last), func() { c.send(frameOver{}) })
	}
	return nil
}

// turned gives away what is held back, nil for nothing.
func (c *coalescer) turned() tea.Msg {
	w := c.held
	c.held = wheelMsg{}
	if w.Down == 0 {
		return nil
	}
	c.last = c.now()
	return w
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
