package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"cinch/ui"
	"cinch/ui/draw"
)

// look is how output is drawn, as it was asked for.
type look struct {
	color      string
	ascii      bool
	theme      string
	noMouse    bool
	accessible bool
	noRecent   bool
	follow     bool
}

var colors = []string{"auto", "always", "never"}

// addLook gives a command the flags that say how it draws.
func addLook(fs *pflag.FlagSet, l *look) {
	l.color = colors[0]
	fs.Var(&word{&l.color, "when", func() []string { return colors }}, "color", "colours and other escape codes: auto, always, never")
	fs.BoolVar(&l.ascii, "ascii", false, "draw with ASCII characters only")
}

// addScreen gives a command the flags that say how the inspector is shown.
func addScreen(fs *pflag.FlagSet, l *look) {
	l.theme = ui.Themes[0]
	fs.Var(&word{&l.theme, "name", func() []string { return ui.Themes }}, "theme", "colours of the inspector: "+strings.Join(ui.Themes, ", "))
	fs.BoolVar(&l.noMouse, "no-mouse", false, "leave the mouse to the terminal, for selecting text")
	fs.BoolVar(&l.accessible, "accessible", false, "the inspector in lines of plain words, for screen readers and scripts; also ACCESSIBLE=1")
	fs.BoolVar(&l.follow, "follow", false, "watch a session that is being written; where stdout is no terminal, a line for each change")
	fs.BoolVar(&l.noRecent, "no-recent", false, "neither show nor keep the list of files opened last (also CINCH_NO_RECENT)")
}

// profile is what may be written to stdout beside text; plain is what is meant
// by no colour. What was asked for on
// the command line wins over NO_COLOR, that over CLICOLOR_FORCE and CLICOLOR,
// and those over whether stdout is a terminal.
func (a *app) profile(l *look, plain draw.Profile) draw.Profile {
	best := func() draw.Profile {
		switch kind, term := a.getenv("COLORTERM"), a.getenv("TERM"); {
		case kind == "truecolor" || kind == "24bit":
			return draw.TrueColour
		case strings.Contains(term, "256color"):
			return draw.ANSI256
		}
		return draw.ANSI16
	}
	force := a.getenv("CLICOLOR_FORCE")
	switch {
	case l.color == "always":
		return best()
	case l.color == "never":
		return plain
	case a.getenv("NO_COLOR") != "":
		return plain
	case force != "" && force != "0":
		return best()
	case a.getenv("CLICOLOR") == "0", !a.terminal, a.getenv("TERM") == "dumb":
		return plain
	}
	return best()
}

// glyphs are the characters to draw with: what a terminal's locale and kind can
// show, and all of them where the text goes to a file or another program.
func (a *app) glyphs(l *look) draw.GlyphSet {
	switch {
	case l.ascii:
		return draw.ASCII
	case !a.terminal:
		return draw.UTF8
	case a.getenv("TERM") == "linux":
		return draw.Safe
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(a.getenv(name)); v != "" {
			if strings.Contains(v, "utf-8") || strings.Contains(v, "utf8") {
				return draw.UTF8
			}
			return draw.ASCII
		}
	}
	return draw.ASCII
}

// drawn is the look of a report.
func (a *app) drawn(l *look) *draw.Look {
	set := a.glyphs(l)
	a.ascii = set == draw.ASCII
	return draw.NewLook(draw.Dark, a.profile(l, draw.Plain), set)
}
