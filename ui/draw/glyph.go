package draw

import "fmt"

// GlyphSet names the characters that may be drawn with.
type GlyphSet uint8

const (
	// UTF8 draws with eighth blocks and rounded corners.
	UTF8 GlyphSet = iota
	// Safe draws with the 256 characters of the oldest fonts (code page 437): no
	// eighth blocks, no rounded corners.
	Safe
	// ASCII draws nothing but ASCII, and shows other characters of a
	// conversation as question marks.
	ASCII
	// Braille is UTF8 with charts in braille dots. Only on request: a braille
	// display reads them as letters, and many fonts draw them unevenly.
	Braille
)

func (s GlyphSet) String() string {
	return [...]string{"utf8", "utf8-safe", "ascii", "braille"}[s]
}

// ParseGlyphs reads a glyph set's name.
func ParseGlyphs(s string) (GlyphSet, error) {
	for g := UTF8; g <= Braille; g++ {
		if g.String() == s {
			return g, nil
		}
	}
	return 0, fmt.Errorf("unknown glyphs %q: one of utf8, utf8-safe, ascii, braille", s)
}

// Glyphs are the characters of one set, one cell each unless said otherwise.
type Glyphs struct {
	Set GlyphSet

	Full    string   // a filled cell
	Left    []string // a cell filled from the left, in equal steps below Full
	Lower   []string // a cell filled from below, in equal steps below Full
	Track   string   // an empty cell of a bar
	Ghost   string   // where a value was, or would be
	Reserve string   // room kept free
	Swatch  string   // a colour in a legend
	Shades  []string // fills told apart without colour, one for each kind
	Fills   []string // the same for a screen without any colour: no two alike
	Heat    []string // five shades from low to high

	MarkOff, MarkOn, MarkUp string // a limit on an empty cell, on a filled one, the pointer below it
	Rule                    string // a limit drawn as a horizontal line
	Past                    string // beyond the end of the bar

	Cursor, Ellipsis, Fold, Minus, Times, Arrow string
	Dash, Caret                                 string // from–to; where typed text goes
	More, Less, Down, Up                        string // off screen to the right, left, below, above

	H, V, TL, TR, BL, BR, TeeR, TeeT, TeeB, Cross string // borders
	Heavy                                         string // the cut line
	AxisV, AxisH, AxisCorner                      string

	PairTop, PairMid, PairEnd                string // brackets of a tool call and its result
	PairTopSel, PairMidSel, PairEndSel       string // the same, selected
	PairDropped                              string // the middle of a pair that was dropped
	LoneLead, LoneDash, LoneTail, LoneMark   string // ╶ ─ ╴ ?
	Kept, Dropped, Shrunk, Inserted, Guarded string // fates
	Emptied                                  string
	Pass, Emergency, Failed, Here, Recorded  string // the rows under a timeline
	Skipped                                  string // a pass that did not run
	TrackEnd, TrackLine, TrackTick           string // a slider: its ends, its line, its default
	TrackStart, Knob, KnobLeft, KnobRight    string
}

// GlyphsOf returns the characters of a set.
func GlyphsOf(set GlyphSet) *Glyphs {
	g := glyphTable[min(int(set), len(glyphTable)-1)]
	return &g
}

var glyphTable = func() [4]Glyphs {
	full := Glyphs{
		Set:  UTF8,
		Full: "█", Swatch: "■", Track: "·", Ghost: "░", Reserve: "╱",
		Left:    []string{"▏", "▎", "▍", "▌", "▋", "▊", "▉"},
		Lower:   []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇"},
		Shades:  []string{"█", "▓", "▒", "█", "▓", "▒", "█", "▓", "▒", "▓", "▒"},
		Fills:   []string{"█", "▒", "▓", "▚", "▌", "▙", "▀", "▄", "▛", "▐", "▟"},
		Heat:    []string{" ", "░", "▒", "▓", "█"},
		MarkOff: "┊", MarkOn: "┃", MarkUp: "▲", Rule: "╌", Past: "▶",
		Cursor: "▸", Ellipsis: "…", Fold: "⋯", Minus: "−", Times: "×", Arrow: "→",
		Dash: "–", Caret: "▏",
		More: "›", Less: "‹", Down: "↓", Up: "↑",
		H: "─", V: "│", TL: "╭", TR: "╮", BL: "╰", BR: "╯",
		TeeR: "┤", TeeT: "┬", TeeB: "┴", Cross: "┼",
		Heavy: "═", AxisV: "│", AxisH: "─", AxisCorner: "└",
		PairTop: "┌", PairMid: "│", PairEnd: "└",
		PairTopSel: "┏", PairMidSel: "┃", PairEndSel: "┗", PairDropped: "┆",
		LoneLead: "╶", LoneDash: "─", LoneTail: "╴", LoneMark: "?",
		Kept: "·", Dropped: "✗", Shrunk: "~", Inserted: "+", Guarded: "!", Emptied: "○",
		Pass: "▼", Emergency: "!", Failed: "✖", Here: "◆", Recorded: "▽", Skipped: "▿",
		TrackStart: "├", TrackEnd: "┤", TrackLine: "─", TrackTick: "┼", Knob: "●",
		KnobLeft: "◀", KnobRight: "▶",
	}
	safe := full
	safe.Set = Safe
	safe.Left = []string{"▌"}
	safe.Lower = []string{"▄"}
	safe.Fills = []string{"█", "▒", "▓", "▐", "C", "▌", "▀", "▄", "S", "d", "x"}
	safe.TL, safe.TR, safe.BL, safe.BR = "┌", "┐", "└", "┘"
	safe.MarkOff, safe.MarkOn = "│", "║"
	safe.Rule, safe.Reserve = "-", "/"
	safe.PairTopSel, safe.PairMidSel, safe.PairEndSel, safe.PairDropped = "╔", "║", "╚", ":"
	safe.LoneLead, safe.LoneTail = "─", "─"
	safe.Cursor, safe.Ellipsis, safe.Fold, safe.Minus, safe.Times = "►", "~", "~", "-", "x"
	safe.Dash, safe.Caret, safe.More, safe.Less = "-", "│", "»", "«"
	safe.Dropped, safe.Emptied = "x", "o"
	safe.Pass, safe.Failed, safe.Here, safe.Recorded = "▼", "x", "♦", "v"
	safe.Skipped = "'"
	safe.Knob, safe.KnobLeft, safe.KnobRight, safe.Past = "o", "◄", "►", "►"

	plain := Glyphs{
		Set:  ASCII,
		Full: "#", Swatch: "#", Track: ".", Ghost: ":", Reserve: "/",
		Shades:  []string{"o", "U", "A", "t", "C", "R", "i", "s", "S", "d", "x"},
		Fills:   []string{"o", "U", "A", "t", "C", "R", "i", "s", "S", "d", "x"},
		Heat:    []string{" ", ".", ":", "=", "#"},
		MarkOff: "|", MarkOn: "!", MarkUp: "^", Rule: "-", Past: ">",
		Cursor: ">", Ellipsis: "~", Fold: "...", Minus: "-", Times: "x", Arrow: "->",
		Dash: "-", Caret: "_",
		More: ">", Less: "<", Down: "v", Up: "^",
		H: "-", V: "|", TL: "+", TR: "+", BL: "+", BR: "+",
		TeeR: "+", TeeT: "+", TeeB: "+", Cross: "+",
		Heavy: "=", AxisV: "|", AxisH: "-", AxisCorner: "+",
		PairTop: ",", PairMid: "|", PairEnd: "'",
		PairTopSel: "*", PairMidSel: "*", PairEndSel: "*", PairDropped: ":",
		LoneLead: "-", LoneDash: "-", LoneTail: "-", LoneMark: "?",
		Kept: ".", Dropped: "x", Shrunk: "~", Inserted: "+", Guarded: "!", Emptied: "o",
		Pass: "v", Emergency: "!", Failed: "X", Here: "^", Recorded: "r", Skipped: ",",
		TrackStart: "[", TrackEnd: "]", TrackLine: "-", TrackTick: "+", Knob: "O",
		KnobLeft: "<", KnobRight: ">",
	}
	dots := full
	dots.Set = Braille
	dots.Full, dots.Lower = "⣿", []string{"⣀", "⣤", "⣶"}
	dots.Left = []string{"⡇"}
	return [4]Glyphs{full, safe, plain, dots}
}()
