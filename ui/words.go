package ui

import (
	"strings"

	"cinch/ui/draw"
)

var plainWords = strings.NewReplacer("·", "-", "→", "->", "−", "-", "–", "-", "…", "~", "↑", "up", "↓", "down", "←", "left", "→", "right", "×", "x", "≥", ">=")

// own writes our own words in the characters of the glyph set. Text of the
// conversation is left to the pen.
func own(l *draw.Look, s string) string {
	if l.Glyphs.Set == draw.ASCII {
		return plainWords.Replace(s)
	}
	return s
}
