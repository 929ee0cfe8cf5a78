package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is how many cells s takes, colours not counted. It is the one measure
// of this package: grapheme clusters, emoji two cells.
func Width(s string) int {
	if isPlain(s, false) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// cluster is the first unit of s that may not be split, its length in bytes and
// its cells. Zero-width clusters are separate units that belong to the one before.
func cluster(s string) (n, w int) {
	if b := s[0]; b < utf8.RuneSelf {
		return 1, 1
	}
	c, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return max(len(c), 1), w
}

// cut shortens the clean text from dst[start:] to max cells, with the ellipsis
// when it was longer or when more says that it went on, and returns its cells.
func cut(dst []byte, start, max int, more bool, ellipsis string) ([]byte, int) {
	room := max - 1 // with an ellipsis
	keep, kept := start, 0
	w := 0
	for i := start; i < len(dst); {
		n, cw := clusterBytes(dst[i:])
		if w+cw > max {
			more = true
			break
		}
		w += cw
		i += n
		if w <= room {
			keep, kept = i, w
		}
	}
	if !more {
		return dst, w
	}
	for keep > start && dst[keep-1] == ' ' {
		keep, kept = keep-1, kept-1
	}
	return append(dst[:keep], ellipsis...), kept + 1
}

func clusterBytes(b []byte) (n, w int) {
	if b[0] < utf8.RuneSelf {
		return 1, 1
	}
	c, w := ansi.FirstGraphemeCluster(b, ansi.GraphemeWidth)
	return max(len(c), 1), w
}

// Truncate shortens clean text to max cells with …, never splitting a wide
// character. Text that fits is returned as it is.
func Truncate(s string, max int) string {
	if max <= 0 {
		return ""
	}
	if len(s) <= max && isPlain(s, false) || Width(s) <= max {
		return s
	}
	out, _ := cut([]byte(s), 0, max, false, glyphTable[UTF8].Ellipsis)
	return string(out)
}

// Wrap breaks clean text, as [Clean] leaves it, into lines of at most width
// cells. It breaks at spaces, and inside a word only when the word alone is
// longer than a line. Indentation is kept. A width below one gives no lines.
func Wrap(s string, width int) []string {
	if width < 1 {
		return nil
	}
	out := make([]string, 0, strings.Count(s, "\n")+1+len(s)/width)
	for {
		one, rest, more := strings.Cut(s, "\n")
		out = wrapLine(out, one, width)
		if !more {
			return out
		}
		s = rest
	}
}

// wrapLine appends one line of text in pieces of at most width cells.
func wrapLine(out []string, s string, width int) []string {
	if len(s) <= width && isPlain(s, false) {
		return append(out, s)
	}
	start, w := 0, 0 // the piece so far and its cells
	for i := 0; i < len(s); {
		gap := i
		for i < len(s) && s[i] == ' ' {
			i++
		}
		if i == len(s) { // spaces at the end of the line show nothing
			return append(out, s[start:gap])
		}
		word, spaces := i, i-gap
		wide := 0
		for i < len(s) && s[i] != ' ' {
			n, cw := cluster(s[i:])
			i, wide = i+n, wide+cw
		}
		if w+spaces+wide <= width {
			w += spaces + wide
			continue
		}
		if w > 0 {
			out = append(out, s[start:gap])
		}
		if w > 0 || spaces >= width || wide <= width {
			start, w = word, 0
		} else {
			w = spaces // a long word goes on behind its indentation
		}
		for at := word; at < i; {
			n, cw := cluster(s[at:])
			if w+cw > width && at > start {
				out = append(out, s[start:at])
				start, w = at, 0
			}
			at, w = at+n, w+cw
		}
	}
	return append(out, s[start:])
}
