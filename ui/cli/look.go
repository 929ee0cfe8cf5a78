package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"cinch/ui"
	"cinch/ui/draw"
)

// look is how output is drawn: as it was asked for, and once it is settled as it
// is to be.
type look struct {
	color      string
	glyphs     string
	ascii      bool
	config     string // a file, "" for the usual one
	theme      string
	noMouse    bool
	accessible bool
	noRecent   bool
	follow     bool
	plain      bool
	print      bool // the settings, and nothing else

	changed func(flag string) bool // whether a flag was given
	settled []settled
	keys    []ui.Key
}

// The first of each is the default.
var (
	colors    = []string{"auto", "always", "never"}
	glyphSets = []string{"auto", draw.UTF8.String(), draw.Safe.String(), draw.ASCII.String(), draw.Braille.String()}
)

// addLook gives a command the flags that say how it draws.
func addLook(fs *pflag.FlagSet, l *look) {
	l.color, l.glyphs, l.changed = colors[0], glyphSets[0], fs.Changed
	group(fs, "Drawing", func() {
		fs.Var(&word{&l.color, "when", func() []string { return colors }}, "color", "colours and other escape codes: "+strings.Join(colors, ", "))
		fs.Var(&word{&l.glyphs, "set", func() []string { return glyphSets }}, "glyphs", "characters to draw with: "+strings.Join(glyphSets, ", "))
		fs.BoolVar(&l.ascii, "ascii", false, "draw with ASCII characters only: --glyphs ascii")
		fs.StringVar(&l.config, "config", "", "the configuration `file` (default ~/.config/cinch/config.toml)")
	})
}

// addScreen gives a command the flags that say how the inspector is shown.
func addScreen(fs *pflag.FlagSet, l *look) {
	l.theme = ui.Themes[0]
	group(fs, "The inspector", func() {
		fs.Var(&word{&l.theme, "name", func() []string { return ui.Themes }}, "theme", "colours: "+strings.Join(ui.Themes, ", "))
		fs.BoolVar(&l.noMouse, "no-mouse", false, "leave the mouse to the terminal, for selecting text")
		fs.BoolVar(&l.noRecent, "no-recent", false, "neither show nor keep the list of files opened last (also CINCH_NO_RECENT=1)")
		fs.BoolVar(&l.follow, "follow", false, "watch a session that is being written; where stdout is no terminal, print a line for each change")
		fs.BoolVar(&l.accessible, "accessible", false, "lines of plain words in place of a screen, for screen readers and scripts (also ACCESSIBLE=1)")
		fs.BoolVar(&l.plain, "plain", false, "print the answer, as where stdout is no terminal")
	})
}

// profile is what may be written to stdout beside text; plain is what is meant
// by no colour. The look has to be settled.
func (a *app) profile(l *look, plain draw.Profile) draw.Profile {
	kind, term := a.getenv("COLORTERM"), a.getenv("TERM")
	switch {
	case l.color == "never", l.color == "auto" && (!a.terminal || term == "dumb"):
		return plain
	case term == "linux": // the console says it takes more than it can show
		return draw.ANSI16
	case kind == "truecolor" || kind == "24bit":
		return draw.TrueColour
	case strings.Contains(term, "256color"):
		return draw.ANSI256
	}
	return draw.ANSI16
}

// set is the characters to draw with: where nobody says, what a terminal's
// locale and kind can show, and all of them where the text goes to a file or
// another program.
func (a *app) set(l *look) draw.GlyphSet {
	if set, err := draw.ParseGlyphs(l.glyphs); err == nil {
		return set
	}
	switch {
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
	return draw.NewLook(draw.Dark, a.profile(l, draw.Plain), a.set(l))
}
