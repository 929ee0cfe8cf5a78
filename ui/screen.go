package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// screen answers one question about the session. The root hands it its size, the
// keys that nothing before it took, and the mouse in its own coordinates. It
// reads the session and asks it for changes; the root draws header and footer.
type screen interface {
	// name is what the footer calls the screen.
	name() string
	// resize says how large the screen is, in cells. Neither is below zero.
	resize(w, h int)
	// refresh is called when the session has changed since the screen last saw it.
	refresh()
	// shown is called when the screen comes to the front, and while it is there
	// after every change of the session: what it does not need before waits for it.
	shown() tea.Cmd
	// keys are the screen's keymaps, innermost first. The first active one that
	// knows a key gets it.
	keys() []*keymap
	// update is told of every message that is not input: what commands found out.
	update(tea.Msg) tea.Cmd
	// press, drag, release and wheel are the mouse. Down is lines, negative for up.
	mouse(tea.MouseMsg) tea.Cmd
	wheel(x, y, down int) tea.Cmd
	// back closes the innermost thing that is open, and reports whether there was one.
	back() bool
	// lines draws the screen: exactly as many lines as it is high, each exactly as wide.
	lines() []string
	// status is the line below the screen: what is going on, and what to press next.
	status() status
}

// status is a sentence on the left and keys on the right.
type status struct {
	tone  draw.Token
	text  string
	hints []*binding
}
