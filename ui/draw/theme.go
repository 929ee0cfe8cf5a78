package draw

import (
	"fmt"
	"strconv"
)

// ThemeName picks a palette.
type ThemeName uint8

const (
	Dark ThemeName = iota
	Light
	// HighContrast paints its own black background and keeps every text at 7:1 or more.
	HighContrast
	// Mono uses no colour, only bold, underline and reverse where the profile has them.
	Mono
)

func (t ThemeName) String() string { return [...]string{"dark", "light", "high-contrast", "mono"}[t] }

// ParseTheme reads a theme's name.
func ParseTheme(s string) (ThemeName, error) {
	for t := Dark; t <= Mono; t++ {
		if t.String() == s {
			return t, nil
		}
	}
	return 0, fmt.Errorf("unknown theme %q: one of dark, light, high-contrast, mono", s)
}

// Profile is what the terminal can show.
type Profile uint8

const (
	// Plain writes no escape code at all.
	Plain Profile = iota
	// Attributes writes bold, underline and reverse but no colour: what NO_COLOR asks for.
	Attributes
	// ANSI16 uses the sixteen named colours, which follow the user's own palette.
	ANSI16
	// ANSI256 uses the fixed 256 colours.
	ANSI256
	// TrueColour uses 24-bit colours.
	TrueColour
)

func (p Profile) String() string {
	return [...]string{"plain", "attributes", "16", "256", "truecolour"}[p]
}

// Token is what a piece of the screen means; the theme decides what it looks like.
type Token uint8

const (
	Text Token = iota
	Dim
	Strong
	Title
	Accent
	Border
	BorderFocus
	Key
	Good
	Warning
	Over      // over the threshold
	Emergency // over the emergency line
	Alarm     // the one word that must be seen
	Fault     // a run that failed, a value that was refused
	Match     // a search match
	CutLine

	KindOverhead
	KindUser
	KindAssistant
	KindThinking
	KindCalls
	KindResults
	KindImages
	KindSystem
	KindSummary
	KindDocuments
	KindSealed

	TrackCell
	GhostCell
	ReserveCell
	Mark

	FateFirst
	FateRecent
	FatePaired
	FateReattached
	FateDropped
	FateEmptied
	FateShrunk
	FateInserted

	Pair
	PairSelected
	tokens
)

// Ground is the background a piece of text stands on.
type Ground uint8

const (
	Base   Ground = iota
	Cursor        // the row under the cursor
	Picked        // rows that belong to the one under the cursor
	grounds
)

// Style is one look, ready to be written: what goes before the text and after it.
// The background of the row is part of it, so that the end of one piece never
// takes the background from the next.
type Style struct{ Prefix, Suffix string }

// Render wraps text in the style.
func (s Style) Render(text string) string {
	if s.Prefix == "" {
		return text
	}
	return s.Prefix + text + s.Suffix
}

const reset = "\x1b[0m"

// Look is how everything is drawn: a theme resolved for a colour profile, and a
// glyph set. It is read only and may be shared.
type Look struct {
	Theme   ThemeName
	Profile Profile
	Glyphs  *Glyphs

	styles   [grounds][tokens]Style
	inverse  [tokens]Style // text in the background's colour on the token's colour
	onGhost  [tokens]Style // on the colour that a cell of [GhostCell] comes to
	heat     []Style
	coloured bool // kinds are told apart by colour
}

// NewLook resolves a theme for a colour profile. Mono never uses colour, whatever the profile.
func NewLook(theme ThemeName, profile Profile, set GlyphSet) *Look {
	if theme == Mono && profile > Attributes {
		profile = Attributes
	}
	l := &Look{Theme: theme, Profile: profile, Glyphs: GlyphsOf(set)}
	l.coloured = profile >= ANSI256
	pal := palettes[theme]
	for t := Text; t < tokens; t++ {
		for g := Base; g < grounds; g++ {
			l.styles[g][t] = newStyle(pal.on(t, g, profile))
		}
		ink := pal.inks[t]
		l.onGhost[t] = newStyle(sgr(ink.fg, pal.ghost(), ink.attr, profile))
		l.inverse[t] = newStyle(sgr(ink.fg, noColour, ink.attr|reverse, profile))
	}
	for _, step := range pal.ramp {
		l.heat = append(l.heat, newStyle(sgr(step.ink, step.ground, 0, profile)))
	}
	return l
}

func newStyle(params string) Style {
	if params == "" {
		return Style{}
	}
	return Style{"\x1b[" + params + "m", reset}
}

// Style is the look of a token on the plain background.
func (l *Look) Style(t Token) Style { return l.styles[Base][t] }

// On is the look of a token on a row's background.
func (l *Look) On(t Token, g Ground) Style { return l.styles[g][t] }

type attr uint8

const (
	bold attr = 1 << iota
	underline
	reverse
)

// colour is one colour in the three ways a terminal may take it.
type colour struct {
	rgb  uint32
	c256 int16
	c16  int8 // -1: the terminal's own text colour
}

var noColour = colour{c256: -1, c16: -1}

// sgr is the parameters of a select-graphic-rendition sequence, "" for none.
func sgr(fg, bg colour, a attr, p Profile) string {
	var b []byte
	add := func(s string) {
		if len(b) > 0 {
			b = append(b, ';')
		}
		b = append(b, s...)
	}
	if p == Plain {
		return ""
	}
	if a&bold != 0 {
		add("1")
	}
	if a&underline != 0 {
		add("4")
	}
	if a&reverse != 0 {
		add("7")
	}
	if p == Attributes {
		return string(b)
	}
	for i, c := range []colour{fg, bg} {
		ground := i * 10
		switch {
		case c == noColour:
		case p == ANSI16 && c.c16 >= 8:
			add(strconv.Itoa(82 + ground + int(c.c16)))
		case p == ANSI16 && c.c16 >= 0:
			add(strconv.Itoa(30 + ground + int(c.c16)))
		case p == ANSI256:
			add(strconv.Itoa(38+ground) + ";5;" + strconv.Itoa(int(c.c256)))
		case p == TrueColour:
			add(strconv.Itoa(38+ground) + ";2;" + strconv.Itoa(int(c.rgb>>16)) + ";" +
				strconv.Itoa(int(c.rgb>>8&255)) + ";" + strconv.Itoa(int(c.rgb&255)))
		}
	}
	return string(b)
}
