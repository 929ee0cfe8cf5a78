package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is how many cells s takes, colours not counted. It is the one measure
// of this package: grapheme clusters, emoji two cells, as x/ansi has it, only
// faster where most text is.
func Width(s string) int {
	w := 0
	for i := 0; i < len(s); {
		switch b := s[i]; {
		case b >= 0x20 && b < 0x7f:
			w++
			i++
		case b == 0x1b:
			i += max(escape(s[i:]), 1)
		case b < 0x20 || b == 0x7f:
			i++
		default:
			n, cw := cluster(s[i:])
			i, w = i+n, w+cw
		}
	}
	return w
}

// cluster is the first unit of s that may not be split, its length in bytes and
// its cells. Zero-width clusters are separate units that belong to the one before.
func cluster[S string | []byte](s S) (n, w int) {
	if s[0] < utf8.RuneSelf {
		return 1, 1
	}
	r, size := decode(s)
	if w := simple(r); w > 0 {
		if size == len(s) || s[size] < utf8.RuneSelf {
			return size, w
		}
		if next, _ := decode(s[size:]); simple(next) > 0 {
			return size, w
		}
	}
	c, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return max(len(c), 1), w
}

// decode is utf8.DecodeRune for the three-byte characters it is asked about most.
func decode[S string | []byte](s S) (rune, int) {
	if len(s) >= 3 && s[0]&0xf0 == 0xe0 && s[1]&0xc0 == 0x80 && s[2]&0xc0 == 0x80 {
		if r := rune(s[0]&15)<<12 | rune(s[1]&63)<<6 | rune(s[2]&63); r >= 0x800 && (r < 0xd800 || r > 0xdfff) {
			return r, 3
		}
	}
	return utf8.DecodeRuneInString(string(s[:min(len(s), utf8.UTFMax)]))
}

// simple is the cells of the most common characters beyond ASCII that stand for
// themselves: none joins another of them, every terminal agrees on their width,
// and cleaning leaves them alone. It is 0 for all other characters.
func simple(r rune) int {
	switch {
	case r >= 0x4e00 && r <= 0x9fff, r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa,
		r == 0x3001, r == 0x3002, r >= 0xff01 && r <= 0xff5e:
		return 2
	case r >= 0xa1 && r < 0x300 && r != 0xa9 && r != 0xad && r != 0xae, r >= 0x391 && r <= 0x3a1, r >= 0x3a3 && r <= 0x3c9,
		r >= 0x410 && r <= 0x44f, r >= 0x2013 && r <= 0x2026,
		r >= 0x2500 && r <= 0x25a9, r >= 0x25ac && r <= 0x25b5, r >= 0x25b7 && r <= 0x25bf, r >= 0x25c1 && r <= 0x25fa:
		return 1
	}
	return 0
}

// cut shortens the clean text from dst[start:] to max cells, with the ellipsis
// when it was longer or when more says that it went on, and returns its cells.
func cut(dst []byte, start, max int, more bool, ellipsis string) ([]byte, int) {
	room := max - 1 // with an ellipsis
	keep, kept := start, 0
	w := 0
	for i := start; i < len(dst); {
		n, cw := cluster(dst[i:])
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

// Truncate shortens clean text to max cells with …, never splitting a wide
// character. Text that fits is returned as it is.
func Truncate(s string, max int) string {
	if max <= 0 {
		return ""
	}
	if Width(s) <= max {
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
