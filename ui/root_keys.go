package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// keys are the bindings that are good everywhere.
func (r *root) keys() *keymap {
	m := &keymap{title: "anywhere", bindings: []binding{
		{[]string{"?", "f1"}, "help", "every key that is good here; it can be searched, and runs what you pick", r.openHelp},
		{[]string{"u"}, "undo", "take back the last change of a knob, step or applied pass", r.undo},
		{[]string{"ctrl+r"}, "redo", "do again what undo took back", r.redo},
		{[]string{"y"}, "copy", "copy the message, its id, the command line with its flags, the settings, or the plan as JSON", r.copyMenu},
		{[]string{"Y"}, "keep", "keep the same things, to be printed when the inspector closes", r.keepMenu},
		{[]string{"e"}, "export", "write the tuned policy as a file (TOML, JSON) or as code (Rust, TypeScript), or the compacted conversation", r.exportMenu},
		{[]string{"E"}, "editor", "read a copy of the message in $VISUAL or $EDITOR", r.edit},
		{[]string{"t"}, "theme", "the next theme: dark, light, high contrast, mono", r.nextTheme},
		{[]string{"m"}, "mouse", "leave it to the terminal or take it back; shift+drag (option on a Mac) selects", r.toggleMouse},
		{[]string{"ctrl+l"}, "redraw", "draw the screen anew", func() tea.Cmd { return tea.ClearScreen }},
		{[]string{"ctrl+z"}, "suspend", "go to the shell; fg comes back", func() tea.Cmd { return tea.Suspend }},
		{[]string{"esc"}, "back", "close the innermost thing that is open; never quits", r.back},
		{[]string{"q"}, "quit", "close what covers the screen, else leave; ctrl+c leaves from anywhere", r.quit},
	}}
	for i, s := range r.screens {
		if i < 9 && len(r.screens) > 1 {
			m.bindings = append(m.bindings, binding{[]string{string(rune('1' + i))}, s.name(), "go to the " + s.name() + " screen", func() tea.Cmd { return r.show(i) }})
		}
	}
	return m
}

// footHints are the bindings the footer names, the most useful first.
func (r *root) footHints() []*binding {
	var out []*binding
	if r.front == nil && r.s.loaded() {
		for _, m := range r.screen().keys() {
			for _, name := range []string{"search", "filter", "mate", "apply"} {
				for i := range m.bindings {
					if m.bindings[i].name == name && m.active() {
						out = append(out, &m.bindings[i])
					}
				}
			}
		}
		out = append(out, r.keymap.named("undo"), r.keymap.named("copy"))
	}
	return append(out, r.keymap.named("help"), r.keymap.named("quit"))
}

func (r *root) openHelp() tea.Cmd {
	r.mode, r.help = helping, newHelp(r.look, r.maps())
	return nil
}

func (r *root) undo() tea.Cmd {
	if now := r.s.undo(); now != "" {
		r.say(draw.Dim, "undone: %s", now)
		return r.catchUp()
	}
	return r.say(draw.Dim, "nothing to undo")
}

func (r *root) redo() tea.Cmd {
	if now := r.s.redo(); now != "" {
		r.say(draw.Dim, "done again: %s", now)
		return r.catchUp()
	}
	return r.say(draw.Dim, "nothing to redo")
}

func (r *root) nextTheme() tea.Cmd {
	next := (r.look.Theme + 1) % (draw.Mono + 1)
	r.look = draw.NewLook(next, r.opts.Profile, r.opts.Glyphs)
	return r.say(draw.Dim, "theme %s", next)
}

func (r *root) toggleMouse() tea.Cmd {
	r.mouseOn = !r.mouseOn
	if r.mouseOn {
		r.say(draw.Dim, "the mouse is ours again; hold shift (option on a Mac) to select text")
		return tea.EnableMouseCellMotion
	}
	r.say(draw.Dim, "the mouse is the terminal's: select text as usual, %s takes it back", r.press("anywhere", "mouse"))
	return tea.DisableMouse
}

// covered is a screen that something of its own can cover: a message on a narrow one.
type covered interface{ covered() bool }

func (p *passScreen) covered() bool   { return p.page }
func (p *replayScreen) covered() bool { return p.page }
func (p *ladderScreen) covered() bool { return p.page }

// quit leaves, unless something covers the conversation: then that is closed.
func (r *root) quit() tea.Cmd {
	s, ok := r.screen().(covered)
	switch {
	case r.load != nil || r.small() || !r.live():
	case r.front != nil && r.s.loaded():
		r.unface()
		return nil
	case ok && s.covered():
		return r.back()
	}
	return tea.Quit
}

// back closes the innermost thing. Waiting for a file is one, and what is open of
// its beginning is inside of that.
func (r *root) back() tea.Cmd {
	switch {
	case r.front != nil && (r.load == nil || r.reading()):
		if !r.front.back() && r.s.loaded() {
			r.unface()
		}
	case r.reading() && r.screen().back():
	case r.load != nil:
		what := r.load.what
		r.stopLoading()
		return r.say(draw.Warning, "gave up %s", what)
	case r.s.loaded():
		if !r.screen().back() && len(r.up) > 0 {
			return r.ascend()
		}
	}
	return nil
}
