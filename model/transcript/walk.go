package transcript

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/tidwall/gjson"

	"cinch/model"
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
		i = pastEscapes(data, i)
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
	i := strings.IndexByte(body, '\\')
	if i < 0 {
		return strings.Clone(body)
	}
	const word = 8
	data := unsafe.Slice(unsafe.StringData(body), len(body))
	out := make([]byte, len(body)+word) // what is decoded never grows
	n := copy(out, body[:i])
	for i < len(data) {
		if i+word <= len(data) { // copied whole, kept up to the next backslash
			w := binary.LittleEndian.Uint64(data[i:])
			binary.LittleEndian.PutUint64(out[n:], w)
			k := slashAt(w)
			i, n = i+k, n+k
			if k == word {
				continue
			}
		}
		c := data[i]
		if c != '\\' || i+1 == len(data) {
			out[n] = c
			i, n = i+1, n+1
			continue
		}
		switch c = data[i+1]; c {
		case '"', '\\', '/':
			out[n] = c
		case 'n':
			out[n] = '\n'
		case 't':
			out[n] = '\t'
		case 'r':
			out[n] = '\r'
		case 'b':
			out[n] = '\b'
		case 'f':
			out[n] = '\f'
		case 'u':
			if r, used := model.Unescape(body[i:]); used > 0 {
				n += utf8.EncodeRune(out[n:], r)
				i += used
				continue
			}
			fallthrough
		default:
			out[n], out[n+1] = '\\', c
			n++
		}
		i, n = i+2, n+1
	}
	return unsafe.String(unsafe.SliceData(out), n)
}

// slashAt is the place of the first backslash among eight bytes, 8 without one.
func slashAt(w uint64) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	w ^= ones * '\\'
	return bits.TrailingZeros64((w-ones)&^w&highs) / 8
}
