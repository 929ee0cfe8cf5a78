package ui

import (
	"strings"

	"cinch/ui/draw"
)

var plainWords = strings.NewReplacer("·", "-", "→", "->", "−", "-", "–", "-", "…", "~", "↑", "up", "↓", "down", "←", "left", "→", "right", "×", "x", "≥", ">=")

// safeWords leaves what the oldest fonts hold.
var safeWords = strings.NewReplacer("−", "-", "–", "-", "…", "~", "×", "x")

// own writes our own words in the characters of the glyph set. Text of the
// conversation is left to the pen.
func own(l *draw.Look, s string) string {
	switch l.Glyphs.Set {
	case draw.ASCII:
		return plainWords.Replace(s)
	case draw.Safe:
		return safeWords.Replace(s)
	}
	return s
}

// wrapped writes text of ours below what is on the sheet, a blank at either end.
func wrapped(l *draw.Look, out *draw.Sheet, t draw.Token, text string) {
	for _, line := range draw.Wrap(own(l, text), max(out.Width()-2, 1)) {
		out.Line().Space(1).Text(t, line)
	}
}

// inLines wraps the first of some ways to say a thing, the longest first, that
// takes at most h lines of w cells. The last one is cut where it does not either.
func inLines(l *draw.Look, ways []string, w, h int) []string {
	var lines []string
	for _, text := range ways {
		if lines = draw.Wrap(own(l, text), max(w, 1)); len(lines) <= h {
			return lines
		}
	}
	h = max(h, 1)
	return append(lines[:h-1], lines[h-1]+" "+l.Glyphs.Ellipsis)
}
