package ui

import (
	"fmt"
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"
)

// Panic is a fault of the program, caught so that the terminal could be put
// back in order before it is told.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("a fault in cinch: %v", p.Value) }

// guard keeps a panic anywhere in the model, or in a command it started, from
// being printed into a screen that is gone a moment later: it ends the program
// and keeps the panic with its stack.
type guard struct {
	tea.Model
	caught *Panic
	quit   func() // ends the program from outside its loop
}

// fault carries a command's panic to the model.
type fault struct{ *Panic }

func (g *guard) catch() {
	if v := recover(); v != nil && g.caught == nil {
		g.caught = &Panic{v, debug.Stack()}
	}
}

func (g *guard) Init() tea.Cmd { return safe(g.Model.Init()) }

func (g *guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if g.caught != nil {
			next, cmd = g, tea.Quit
		}
	}()
	defer g.catch()
	if f, ok := msg.(fault); ok {
		g.caught = f.Panic
		return g, tea.Quit
	}
	_, cmd = g.Model.Update(msg)
	return g, safe(cmd)
}

func (g *guard) View() (view string) {
	if g.caught != nil {
		return ""
	}
	defer func() {
		if g.caught != nil {
			go g.quit()
		}
	}()
	defer g.catch()
	return g.Model.View()
}

// safe makes a command's panic a message. The commands of a batch are run by
// Bubble Tea, so each is made safe by itself.
func safe(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				msg = fault{&Panic{v, debug.Stack()}}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = safe(batch[i])
			}
		}
		return msg
	}
}
