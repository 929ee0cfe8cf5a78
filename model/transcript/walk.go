package transcript

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/tidwall/gjson"
)

// The functions here walk JSON whose grammar the scanner has passed. They go down
// into what they read instead of looking for its end first, so that a string is
// passed over once however deep it stands. Given anything else they stay within
// bounds.

// passed is what a visitor returns for a value that it did not walk itself.
const passed = -1

// walkMembers visits the members of the object at raw[i] and returns the index
// after it. visit gets a name and where its value starts, and returns where that
// ends, or passed. What is no object is passed over.
func walkMembers(raw string, i int, visit func(name string, at int) int) int {
	data := unsafe.Slice(unsafe.StringData(raw), len(raw))
	if i >= len(data) || data[i] != '{' {
		return valueEnd(data, i)
	}
	for i = skipSpace(data, i+1); i < len(data) && data[i] == '"'; {
		end := stringEnd(data, i)
		name := raw[i+1 : max(i+1, end-1)]
		if strings.IndexByte(name, '\\') >= 0 {
			name = unquote(raw[i:end])
		}
		i = skipSpace(data, end)
		if i >= len(data) || data[i] != ':' {
			return len(data)
		}
		i = walked(data, skipSpace(data, i+1), func(at int) int { return visit(name, at) })
		if i >= len(data) || data[i] != ',' {
			break
		}
		i = skipSpace(data, i+1)
	}
	return min(i+1, len(data))
}

// walkElements visits the elements of the list at raw[i] as walkMembers does those
// of an object.
func walkElements(raw string, i int, visit func(at int) int) int {
	data := unsafe.Slice(unsafe.StringData(raw), len(raw))
	if i >= len(data) || data[i] != '[' {
		return valueEnd(data, i)
	}
	for i = skipSpace(data, i+1); i < len(data) && data[i] != ']'; {
		i = walked(data, i, visit)
		if i >= len(data) || data[i] != ',' {
			break
		}
		i = skipSpace(data, i+1)
	}
	return min(i+1, len(data))
}

// walked has the value at data[i] visited and returns what follows it.
func walked(data []byte, i int, visit func(at int) int) int {
	if i >= len(data) {
		return i
	}
	end := visit(i)
	if end == passed {
		end = valueEnd(data, i)
	}
	if end <= i { // it is no value
		return len(data)
	}
	return skipSpace(data, end)
}

// valueAt is the value at raw[i] as JSON text, and the index after it.
func valueAt(raw string, i int) (string, int) {
	end := valueEnd(unsafe.Slice(unsafe.StringData(raw), len(raw)), i)
	return raw[i:end], end
}

// valueEnd is the index after the value that starts at data[i].
func valueEnd(data []byte, i int) int {
	if i >= len(data) {
		return i
	}
	switch data[i] {
	case '"':
		return stringEnd(data, i)
	case '{', '[':
	default:
		for i < len(data) && isWord(data[i]) {
			i++
		}
		return i
	}
	for depth := 0; i < len(data); {
		switch data[i] {
		case '"':
			i = stringEnd(data, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return i
}

// stringEnd is the index after the string that starts at data[i].
func stringEnd(data []byte, i int) int {
	for i++; ; {
		i = stringStop(data, i)
		switch {
		case i >= len(data):
			return len(data)
		case data[i] == '"':
			return i + 1
		case data[i] == '\\':
			i++
		}
		i++
	}
}

// textOf is a JSON value's text, copied out of the record it stands in.
func textOf(raw string) string {
	if raw == "" {
		return ""
	}
	if raw[0] == '"' {
		return unquote(raw)
	}
	return str(gjson.Parse(raw))
}

// textOrNone is textOf, and "" for null.
func textOrNone(raw string) string {
	if raw == "null" {
		return ""
	}
	return textOf(raw)
}

// unquote is what a string literal says, in memory of its own. An escape that JSON
// does not have stays as it is written.
func unquote(raw string) string {
	if len(raw) < 2 {
		return ""
	}
	body := raw[1 : len(raw)-1]
	data := unsafe.Slice(unsafe.StringData(body), len(body))
	i := escape(data, 0)
	if i == len(body) {
		return strings.Clone(body)
	}
	out := make([]byte, 0, len(body))
	from := 0
	for i < len(body) {
		out = append(out, body[from:i]...)
		from = i + 2
		if i+1 >= len(body) {
			from = i
			break
		}
		switch c := body[i+1]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			r, n := codePoint(body[i:])
			out = utf8.AppendRune(out, r)
			from = i + n
		default:
			out = append(out, '\\', c)
		}
		i = escape(data, from)
	}
	out = append(out, body[min(from, len(body)):]...)
	return unsafe.String(unsafe.SliceData(out), len(out))
}

// escape is the index of the next backslash from i on, or the length of data.
func escape(data []byte, i int) int {
	for {
		i = stringStop(data, i)
		if i >= len(data) || data[i] == '\\' {
			return min(i, len(data))
		}
		i++
	}
}

// codePoint decodes the \uXXXX at the start of s, with its second half where it is
// a surrogate pair, and the bytes used. What is no code point is U+FFFD.
func codePoint(s string) (rune, int) {
	r, ok := hex4(s)
	if !ok {
		return utf8.RuneError, 2
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
func hex4(s string) (r rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
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
