package model

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// CompactJSON rewrites valid JSON without spaces between tokens and with only
// the escapes JSON demands (the quotation mark, the backslash and control
// characters), so that "é" and its \u form count as the same one character.
// Numbers and the order of members stay as written. A lone surrogate becomes
// U+FFFD. Given something that is not JSON it returns text of no use, but never fails.
func CompactJSON(raw string) string {
	if isCompact(raw) {
		return raw
	}
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '"':
			i = compactString(&b, raw, i)
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// isCompact reports whether nothing in raw needs rewriting, so that the common
// case costs no copy.
func isCompact(raw string) bool {
	inString := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			inString = !inString
		case c == '\\':
			if i++; i < len(raw) && (raw[i] == 'u' || raw[i] == '/') {
				return false
			}
		case !inString && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			return false
		}
	}
	return true
}

// compactString writes the string literal that starts at raw[i] and returns the index after it.
func compactString(b *strings.Builder, raw string, i int) int {
	b.WriteByte('"')
	i++
	for i < len(raw) {
		c := raw[i]
		if c == '"' {
			b.WriteByte('"')
			return i + 1
		}
		if c != '\\' || i+1 >= len(raw) {
			b.WriteByte(c)
			i++
			continue
		}
		switch e := raw[i+1]; e {
		case '/':
			b.WriteByte('/')
			i += 2
		case 'u':
			r, n := Unescape(raw[i:])
			if n == 0 {
				r, n = utf8.RuneError, min(len(raw)-i, 6)
			}
			writeEscaped(b, r)
			i += n
		default:
			b.WriteByte('\\')
			b.WriteByte(e)
			i += 2
		}
	}
	return i
}

// Unescape decodes the \uXXXX at the start of s, with its second half where it is
// a surrogate pair, and returns the bytes used; 0 where there is none. A lone half
// is U+FFFD.
func Unescape(s string) (rune, int) {
	r, ok := hex4(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := hex4(s[6:]); ok {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, 12
		}
	}
	return utf8.RuneError, 6
}

// hex4 reads \uXXXX at the start of s.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s[2:6]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// QuoteJSON is s as a JSON string with only the escapes JSON demands: what a
// tool call whose input is free text counts as.
func QuoteJSON(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for _, r := range s {
		writeEscaped(&b, r)
	}
	b.WriteByte('"')
	return b.String()
}

// writeEscaped writes one character of a string literal.
func writeEscaped(b *strings.Builder, r rune) {
	const digits = "0123456789abcdef"
	switch {
	case r == '"' || r == '\\':
		b.WriteByte('\\')
		b.WriteByte(byte(r))
	case r >= 0x20:
		b.WriteRune(r)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r == '\b':
		b.WriteString(`\b`)
	case r == '\f':
		b.WriteString(`\f`)
	default:
		b.WriteString(`\u00`)
		b.WriteByte(digits[r>>4])
		b.WriteByte(digits[r&15])
	}
}
