package ui

import (
	"errors"
	"os"
	"os/exec"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/model"
	"cinch/ui/draw"
)

// editedMsg says that the editor has given the screen back.
type editedMsg struct{ err error }

// pointed is the message under the cursor, nil for none.
func (r *root) pointed() *model.Message {
	if front, ok := r.screen().(pointing); ok {
		if m := front.message(); m != nil {
			return m
		}
	}
	if !r.s.loaded() || r.s.now.view.Len() == 0 {
		return nil
	}
	return r.s.now.view.Message(r.s.selected)
}

// edit opens the message under the cursor in the user's editor. It is a copy:
// what is changed there changes nothing here.
func (r *root) edit() tea.Cmd {
	m := r.pointed()
	if m == nil {
		return r.say(draw.Dim, "no message to read")
	}
	name := editorOf(os.Getenv)
	if name == "" {
		return r.say(draw.Warning, "no editor is named: set VISUAL or EDITOR")
	}
	path, err := copyOf(fullText(m))
	if err != nil {
		return r.say(draw.Fault, "no copy for the editor: %v", err)
	}
	// The shell takes a name with arguments apart, as git and others do.
	c := exec.Command("sh", "-c", name+` "$1"`, name, path)
	if r.opts.Out != nil { // the file itself, not the writer around it: an editor wants a terminal
		c.Stdout = r.opts.Out
	}
	return tea.ExecProcess(c, func(err error) tea.Msg {
		os.Remove(path)
		return editedMsg{err}
	})
}

// edited takes the screen back from the editor.
func (r *root) edited(m editedMsg) tea.Cmd {
	r.stale = true
	if m.err != nil {
		r.say(draw.Fault, "the editor: %v", m.err)
	}
	return r.restoreMouse()
}

// editorOf is the command line of the user's editor.
func editorOf(getenv func(string) string) string {
	if name := getenv("VISUAL"); name != "" {
		return name
	}
	return getenv("EDITOR")
}

// copyOf writes text into a file of its own, which only the user can read.
func copyOf(text string) (path string, err error) {
	f, err := os.CreateTemp("", "cinch-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}
