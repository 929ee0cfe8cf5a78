package draw

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cinch/model/token"
)

// Limits that keep hostile text from costing more than it is worth.
const (
	maxLine   = 1 << 16 // characters of one line that are shown; the rest is counted
	maxMarks  = 4       // combining marks on one character
	maxLook   = 1 << 16 // bytes a one-line preview reads at most
	tabStop   = 4
	fullPause = 32 // characters beyond what fits that a preview reads, for clusters
)

// Clean makes text of a conversation fit to be shown, over several lines: escape
// sequences are dropped, other control characters become visible pictures
// (␛ ␍), bidirectional and zero-width characters become their code (‹U+202E›),
// hidden tag characters become the text they spell, tabs become spaces, every
// line end becomes \n, invalid UTF-8 becomes U+FFFD, joined emoji fall apart
// into what every terminal measures alike, and a line of more than 65,536
// characters ends with a note of how many more there are. hidden says how many
// sequences and characters a terminal would have obeyed or not shown.
// Text that is printable ASCII is returned as it is.
func Clean(s string) (text string, hidden int) { return clean(s, false) }

// Clean is [Clean] in the characters of the glyph set.
func (g *Glyphs) Clean(s string) (text string, hidden int) { return clean(s, g.Set == ASCII) }

func clean(s string, ascii bool) (string, int) {
	if len(s) <= maxLine && isPlain(s, true) {
		return s, 0
	}
	c := cleaner{ascii: ascii}
	dst := make([]byte, 0, len(s)+len(s)/16+16)
	chars, from := 0, 0 // of the line; where the bytes since its last tab stop begin
	for i := 0; i < len(s); {
		before := len(dst)
		n, ctl := 1, byte(0)
		if b := s[i]; b >= 0x20 && b < 0x7f {
			dst = append(dst, b)
			c.prev, c.marks = rune(b), 0
		} else {
			dst, n, ctl = c.next(dst, s[i:])
		}
		i += n
		switch ctl {
		case '\n':
			dst = append(dst, '\n')
			chars, from = 0, len(dst)
			c.prev, c.marks = 0, 0
			continue
		case '\t':
			used := Width(string(dst[from:])) % tabStop
			dst = append(dst, "    "[used:]...)
			from = len(dst)
			c.prev, c.marks = ' ', 0
		}
		if len(dst) > before {
			chars++
		}
		if chars >= maxLine && i < len(s) && s[i] != '\n' {
			rest := s[i:]
			if nl := strings.IndexByte(rest, '\n'); nl >= 0 {
				rest = rest[:nl]
			}
			i += len(rest)
			dst = append(dst, c.say(" … ", " ... ")...)
			dst = token.AppendFormat(dst, int64(utf8.RuneCountInString(rest)))
			dst = append(dst, " more characters"...)
		}
	}
	return string(dst), c.hidden
}

// Line makes text of a conversation fit to be shown in one line of at most max
// cells: cleaned as by [Clean], white space folded to single spaces, and cut
// with … where it is longer. It reads no more than it needs, so a preview of a
// text of megabytes costs no more than one of a sentence.
func Line(s string, max int) string { return line(s, max, &glyphTable[UTF8]) }

// Line is [Line] in the characters of the glyph set.
func (g *Glyphs) Line(s string, max int) string { return line(s, max, g) }

func line(s string, max int, g *Glyphs) string {
	if len(s) <= max && isTight(s) {
		return s
	}
	out, _ := appendLine(make([]byte, 0, min(len(s), max+fullPause+8)), s, max, g, true)
	return string(out)
}

// appendLine appends s as one line of at most max cells and returns the cells
// used. With tight, white space is folded to single spaces and none is left at the ends.
func appendLine(dst []byte, s string, max int, g *Glyphs, tight bool) ([]byte, int) {
	if max <= 0 || s == "" {
		return dst, 0
	}
	if len(s) <= max && (isTight(s) || !tight && isPlain(s, false)) {
		return append(dst, s...), len(s)
	}
	start := len(dst)
	space := func() {
		if !tight || len(dst) > start && dst[len(dst)-1] != ' ' {
			dst = append(dst, ' ')
		}
	}
	c := cleaner{ascii: g.Set == ASCII}
	chars, simple := 0, true
	i := 0
	for i < len(s) && i < maxLook && chars <= max+fullPause {
		b := s[i]
		if b > 0x20 && b < 0x7f {
			dst = append(dst, b)
			c.prev, c.marks = rune(b), 0
			chars++
			i++
			if simple && len(dst)-start > max {
				break
			}
			continue
		}
		if b == ' ' {
			i++
			space()
			c.prev, c.marks = ' ', 0
			chars++
			continue
		}
		before := len(dst)
		var n int
		var ctl byte
		dst, n, ctl = c.next(dst, s[i:])
		i += n
		if ctl != 0 {
			space()
			c.prev, c.marks = ' ', 0
		} else if len(dst) > before {
			if r, size := utf8.DecodeRune(dst[before:]); tight && unicode.Is(unicode.Zs, r) && size == len(dst)-before {
				dst = dst[:before]
				space()
			} else {
				simple = false
			}
		}
		if len(dst) > before && c.marks == 0 {
			chars++
		}
	}
	for tight && len(dst) > start && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	rest := s[i:min(len(s), i+maxLook)]
	more := rest != "" && (!tight || strings.TrimSpace(rest) != "")
	if simple && len(dst)-start <= max && !more {
		return dst, len(dst) - start
	}
	return cut(dst, start, max, more, g.Ellipsis)
}

// isPlain reports whether s is printable ASCII, with line ends if allowed.
func isPlain(s string, lines bool) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i]; (b < 0x20 || b > 0x7e) && !(lines && b == '\n') {
			return false
		}
	}
	return true
}

// isTight reports whether s is printable ASCII in which [Line] would fold nothing.
func isTight(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		b := s[i]
		if b < 0x20 || b > 0x7e || b == ' ' && space {
			return false
		}
		space = b == ' '
	}
	return !space || s == ""
}

// cleaner carries what the treatment of one character depends on.
type cleaner struct {
	ascii  bool
	hidden int
	prev   rune // the last character shown, 0 at the start of a line
	marks  int  // combining marks since
}

func (c *cleaner) say(utf, ascii string) string {
	if c.ascii {
		return ascii
	}
	return utf
}

// next appends what stands for the first character or sequence of s, which is
// not printable ASCII, and returns the bytes it used. Line ends and tabs are
// returned as '\n' and '\t' for the caller to lay out.
func (c *cleaner) next(dst []byte, s string) (out []byte, n int, ctl byte) {
	b := s[0]
	switch {
	case b == '\n':
		return dst, 1, '\n'
	case b == '\r':
		if len(s) > 1 && s[1] == '\n' {
			return dst, 2, '\n'
		}
		return c.picture(dst, '\r'), 1, 0
	case b == '\t':
		return dst, 1, '\t'
	case b == 0x1b:
		if n := escape(s); n > 0 {
			c.hidden++
			return dst, n, 0
		}
		return c.picture(dst, 0x1b), 1, 0
	case b < 0x20 || b == 0x7f:
		return c.picture(dst, rune(b)), 1, 0
	case b < 0x7f:
		c.prev, c.marks = rune(b), 0
		return append(dst, b), 1, 0
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size <= 1 {
		if b < 0xa0 {
			c.hidden++
			return dst, control8(rune(b), s, 1), 0
		}
		return c.show(dst, utf8.RuneError), 1, 0
	}
	switch {
	case r == 0x85 || r == 0x2028 || r == 0x2029:
		return dst, size, '\n'
	case r < 0xa0:
		c.hidden++
		return dst, control8(r, s, size), 0
	}
	return c.rune(dst, s, r, size)
}

// rune treats one character beyond the control characters.
func (c *cleaner) rune(dst []byte, s string, r rune, size int) ([]byte, int, byte) {
	if r < 0x300 && r != 0xad || simple(r) > 0 {
		return c.show(dst, r), size, 0
	}
	switch {
	case r == 0x200d && pictorial(c.prev):
		return dst, size, 0 // the parts of a joined emoji are shown side by side
	case (r == 0x200c || r == 0x200d) && c.prev >= 0x600 && (unicode.IsLetter(c.prev) || unicode.IsMark(c.prev)):
		return dst, size, 0 // shapes Arabic and Indic letters; the letters stay readable
	case variation(r):
		return c.variations(dst, s, r)
	case r >= 0xe0000 && r <= 0xe007f:
		return c.tags(dst, s)
	case invisible(r):
		n, count := size, 1
		for n < len(s) && strings.HasPrefix(s[n:], s[:size]) {
			n, count = n+size, count+1
		}
		c.hidden += count
		return c.code(dst, r, count), n, 0
	case r >= 0x1f3fb && r <= 0x1f3ff && pictorial(c.prev):
		return dst, size, 0 // skin tones: half the terminals give them cells of their own
	case r >= 0x1f1e6 && r <= 0x1f1ff: // flags, as the country code they spell
		return c.show(dst, 'A'+r-0x1f1e6), size, 0
	case r == 0x20e3:
		return dst, size, 0 // the box around a key cap
	case unicode.Is(unicode.M, r):
		if c.marks++; c.marks > maxMarks {
			c.hidden++
			return dst, size, 0
		}
		if c.ascii {
			return dst, size, 0
		}
		// A mark with nothing to stand on would join the cell before it.
		if c.prev <= ' ' || c.prev < utf8.RuneSelf && unicode.Is(unicode.Mc, r) {
			c.prev = '◌'
			dst = append(dst, "◌"...)
		}
		return append(dst, s[:size]...), size, 0
	}
	return c.show(dst, r), size, 0
}

// show appends a character that may be shown.
func (c *cleaner) show(dst []byte, r rune) []byte {
	c.prev, c.marks = r, 0
	if c.ascii && r >= utf8.RuneSelf {
		if Width(string(r)) == 2 {
			return append(dst, "??"...)
		}
		return append(dst, '?')
	}
	return utf8.AppendRune(dst, r)
}

// picture appends the visible stand-in for a control character.
func (c *cleaner) picture(dst []byte, r rune) []byte {
	c.hidden++
	c.marks = 0
	if c.ascii {
		const digits = "0123456789abcdef"
		c.prev = 'x'
		return append(dst, '\\', 'x', digits[r>>4], digits[r&15])
	}
	if r == 0x7f {
		r = 0x21
	}
	c.prev = 0x2400 + r
	return utf8.AppendRune(dst, c.prev)
}

// code appends a hidden character's code: ‹U+202E›, ‹U+200B ×12›.
func (c *cleaner) code(dst []byte, r rune, count int) []byte {
	hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	dst = append(dst, c.say("‹U+", "<U+")...)
	for i := len(hex); i < 4; i++ {
		dst = append(dst, '0')
	}
	dst = append(dst, hex...)
	if count > 1 {
		dst = append(dst, c.say(" ×", " x")...)
		dst = token.AppendFormat(dst, int64(count))
	}
	c.prev, c.marks = ' ', 0
	return append(dst, c.say("›", ">")...)
}

// variations treats a run of variation selectors. One after a character only
// picks its shape; more than one, or one after nothing, can carry hidden bytes.
func (c *cleaner) variations(dst []byte, s string, r rune) ([]byte, int, byte) {
	n, count := 0, 0
	for n < len(s) {
		q, size := utf8.DecodeRuneInString(s[n:])
		if !variation(q) {
			break
		}
		n, count = n+size, count+1
	}
	if count == 1 && c.prev > ' ' {
		return dst, n, 0
	}
	c.hidden += count
	if count == 1 {
		return c.code(dst, r, 1), n, 0
	}
	dst = append(dst, c.say("‹", "<")...)
	dst = token.AppendFormat(dst, int64(count))
	dst = append(dst, " variation selectors"...)
	c.prev, c.marks = ' ', 0
	return append(dst, c.say("›", ">")...), n, 0
}

// tags shows a run of tag characters, which no terminal draws, as the ASCII it spells.
func (c *cleaner) tags(dst []byte, s string) ([]byte, int, byte) {
	n := 0
	dst = append(dst, c.say("‹tags:", "<tags:")...)
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if r < 0xe0000 || r > 0xe007f {
			break
		}
		if a := byte(r); a >= 0x20 && a < 0x7f {
			dst = append(dst, a)
		}
		c.hidden++
		n += size
	}
	c.prev, c.marks = ' ', 0
	return append(dst, c.say("›", ">")...), n, 0
}

// escape is the length of the escape sequence s begins with, 0 when ESC stands alone.
func escape(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch b := s[1]; {
	case b == '[':
		return csi(s, 2)
	case b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_':
		return stringSequence(s, 2)
	case b >= 0x30 && b < 0x7f:
		return 2
	case b >= 0x20 && b < 0x30:
		i := 2
		for i < len(s) && s[i] >= 0x20 && s[i] < 0x30 {
			i++
		}
		if i < len(s) && s[i] >= 0x30 && s[i] < 0x7f {
			i++
		}
		return i
	}
	return 0
}

// control8 is the length of the 8-bit control c of size bytes at the start of s,
// with the sequence it begins.
func control8(c rune, s string, size int) int {
	switch c {
	case 0x9b:
		return csi(s, size)
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		return stringSequence(s, size)
	}
	return size
}

// csi is where a control sequence whose introducer ends at i ends. A byte that
// belongs in none ends it.
func csi(s string, i int) int {
	for i < len(s) && s[i] >= 0x20 && s[i] < 0x40 {
		i++
	}
	if i < len(s) && s[i] >= 0x40 && s[i] < 0x7f {
		i++
	}
	return i
}

// stringSequence is where a string whose introducer ends at i ends: after BEL or
// a string terminator, before the end of the line or the next escape sequence.
func stringSequence(s string, i int) int {
	for i < len(s) {
		switch b := s[i]; {
		case b == 0x07 || b == 0x18 || b == 0x1a:
			return i + 1
		case b == 0x1b:
			switch {
			case i+1 < len(s) && s[i+1] == '\\':
				return i + 2
			case i+1 < len(s) && s[i+1] == 0x1b: // doubled inside a sequence passed through
				i += 2
			default:
				return i
			}
		case b == '\n' || b == '\r':
			return i
		case b == 0x9c:
			return i + 1
		case b == 0xc2 && i+1 < len(s) && s[i+1] == 0x9c:
			return i + 2
		case b >= 0xc0:
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
		default:
			i++
		}
	}
	return i
}

// pictorial reports whether r may carry a joiner or a skin tone.
func pictorial(r rune) bool {
	return r >= 0x1f000 && r < 0x20000 || r >= 0x2100 && r < 0x2c00 && unicode.Is(unicode.So, r)
}

func variation(r rune) bool {
	return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef
}

// invisible reports characters that show nothing of themselves, or change how
// others are shown: format characters, fillers, and the few letters that glue
// themselves to the next cell.
func invisible(r rune) bool {
	if unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point) {
		return true
	}
	switch r {
	case 0x180b, 0x180c, 0x180d, 0x180f, // Mongolian variation selectors
		0xd4e, 0x111c2, 0x111c3, 0x113d1, 0x1193f, 0x11941, 0x11a3a, 0x11f02, 0x11d46:
		return true
	}
	return r >= 0x11a84 && r <= 0x11a89
}
