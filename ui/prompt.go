package ui

import (
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// prompt asks for one line of text in place of the footer.
type prompt struct {
	label  string
	hint   string
	input  textinput.Model
	change func(text string) tea.Cmd          // at every change; nil for none
	accept func(text string) (tea.Cmd, error) // on enter; an error keeps the prompt open
	cancel func() tea.Cmd                     // on esc; nil for none
	keys   map[string]func() tea.Cmd          // what other keys do while typing
	err    error
}

func newPrompt(label, hint, text string, accept func(string) (tea.Cmd, error)) *prompt {
	return &prompt{label: label, hint: hint, input: newInput(text), accept: accept}
}

// newInput is an editor for one line of text. It edits only: the cursor is drawn
// by us, and the clipboard is never read.
func newInput(text string) textinput.Model {
	in := textinput.New()
	in.KeyMap.Paste.SetEnabled(false)
	in.SetValue(text)
	in.CursorEnd()
	in.Focus()
	return in
}

// update edits the text. done reports that the prompt is to be closed.
func (p *prompt) update(k tea.KeyMsg) (cmd tea.Cmd, done bool) {
	if do := p.keys[k.String()]; do != nil {
		return do(), false
	}
	switch k.String() {
	case "esc":
		if p.cancel != nil {
			cmd = p.cancel()
		}
		return cmd, true
	case "enter":
		cmd, p.err = p.accept(p.input.Value())
		return cmd, p.err == nil
	}
	was := p.input.Value()
	p.input, _ = p.input.Update(k) // its commands only blink a cursor that is not drawn
	if now := p.input.Value(); now != was {
		p.err = nil
		if p.change != nil {
			cmd = p.change(now)
		}
	}
	return cmd, false
}

// line draws the prompt with its cursor.
func (p *prompt) line(l *draw.Look, w int) string {
	pen := l.Pen(w)
	pen.Space(1).Text(draw.Accent, p.label).Space(1)
	drawInput(pen, l, &p.input, pen.Left()-1)
	pen.Space(2)
	if p.err != nil {
		pen.Text(draw.Fault, p.err.Error())
	} else {
		pen.Text(draw.Dim, p.hint)
	}
	return pen.String()
}

// drawInput writes an input's text with its cursor in at most w cells. What
// does not fit is left out at the beginning, where the cursor is not.
func drawInput(pen *draw.Pen, l *draw.Look, in *textinput.Model, w int) {
	runes := []rune(in.Value())
	at := min(in.Position(), len(runes))
	from := max(0, at-max(w-2, 0))
	pen.Text(draw.Strong, string(runes[from:at]))
	pen.Cell(draw.Accent, l.Glyphs.Caret, 1)
	pen.Text(draw.Strong, string(runes[at:]))
}
