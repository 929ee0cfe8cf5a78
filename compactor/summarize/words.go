package summarize

import (
	"strings"
	"unicode/utf8"
)

// shorten is text in one line of at most n characters, the last of which says
// that there was more.
func shorten(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	at := 0
	for i := range text {
		if at == n-1 {
			return strings.TrimRight(text[:i], " ,;:") + "…"
		}
		at++
	}
	return text
}
