package transcript

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// fault says why a JSON value could not be scanned.
type fault struct {
	at   int    // index of the byte that does not belong
	text string // what is wrong there
	cut  bool   // the data ended before the value did
}

// scanner finds the ends of JSON values. It checks the grammar, so that a
// half-written record is noticed at the first byte that cannot belong to it,
// and forgives what common writers get wrong: trailing commas, NaN and
// Infinity, control characters other than the newline inside strings.
type scanner struct {
	maxDepth int
	stack    []byte // the open brackets
	comma    int    // index of the first trailing comma of the last value, -1 without
	nan      int    // index of the first NaN or Infinity of the last value, -1 without
	// whole is the end of the last complete element, and open how many of
	// stack's brackets were open there: what a document cut at its end still holds.
	whole, open int
	// members are those of the last value, when that is an object.
	members []member
}

// member is a member of an object, by indices into the scanned data: its name
// without the quotes, and its value.
type member struct{ name, nameEnd, value, valueEnd uint32 }

// value scans the JSON value that starts at data[i] and returns the index after it.
func (s *scanner) value(data []byte, i int) (int, *fault) {
	s.stack, s.comma, s.nan, s.whole, s.open = s.stack[:0], -1, -1, -1, 0
	s.members = s.members[:0]
value:
	i = skipSpace(data, i)
	if i >= len(data) {
		return i, cutAt(i)
	}
	switch c := data[i]; {
	case c == '{' || c == '[':
		if len(s.stack) >= s.maxDepth {
			return i, &fault{at: i, text: fmt.Sprintf("nested more than %d levels deep (the limit; --max-depth raises it)", s.maxDepth)}
		}
		s.stack = append(s.stack, c+2) // '}' is '{'+2 and ']' is '['+2
		i = skipSpace(data, i+1)
		if i >= len(data) {
			return i, cutAt(i)
		}
		if data[i] == c+2 {
			goto closing
		}
		if c == '{' {
			goto key
		}
		goto value
	case c == '"':
		end, f := scanString(data, i)
		if f != nil {
			return i, f
		}
		i = end
	default:
		end, f := s.literal(data, i)
		if f != nil {
			return i, f
		}
		i = end
	}
after:
	if len(s.stack) == 0 {
		return i, nil
	}
	s.whole, s.open = i, len(s.stack)
	if n := len(s.members); n > 0 && len(s.stack) == 1 {
		s.members[n-1].valueEnd = uint32(i)
	}
	i = skipSpace(data, i)
	if i >= len(data) {
		return i, cutAt(i)
	}
	switch c := data[i]; {
	case c == ',':
		at := i
		i = skipSpace(data, i+1)
		if i >= len(data) {
			return i, cutAt(i)
		}
		top := s.stack[len(s.stack)-1]
		if data[i] == top {
			if s.comma < 0 {
				s.comma = at
			}
			goto closing
		}
		if top == '}' {
			goto key
		}
		goto value
	case c == s.stack[len(s.stack)-1]:
		goto closing
	default:
		return i, &fault{at: i, text: fmt.Sprintf("%s where a comma or %q was expected", quoteByte(c), s.stack[len(s.stack)-1])}
	}
closing:
	s.stack = s.stack[:len(s.stack)-1]
	i++
	goto after
key:
	if data[i] != '"' {
		return i, &fault{at: i, text: fmt.Sprintf("%s where a member's name in quotes was expected", quoteByte(data[i]))}
	}
	end, f := scanString(data, i)
	if f != nil {
		return i, f
	}
	name := i + 1
	i = skipSpace(data, end)
	if i >= len(data) {
		return i, cutAt(i)
	}
	if data[i] != ':' {
		return i, &fault{at: i, text: fmt.Sprintf("%s where a colon was expected", quoteByte(data[i]))}
	}
	i++
	if len(s.stack) == 1 {
		s.members = append(s.members, member{uint32(name), uint32(end - 1), uint32(skipSpace(data, i)), 0})
	}
	goto value
}

// closers are the brackets that the value is short of after its last complete element.
func (s *scanner) closers() string {
	out := make([]byte, 0, s.open)
	for i := s.open - 1; i >= 0; i-- {
		out = append(out, s.stack[i])
	}
	return string(out)
}

func cutAt(i int) *fault { return &fault{at: i, text: "it ends in the middle", cut: true} }

// scanString returns the index after the string literal that starts at data[i].
func scanString(data []byte, i int) (int, *fault) {
	start := i
	i++
	for {
		if i = pastEscapes(data, i); i >= len(data) {
			return i, &fault{at: len(data), text: "it ends in the middle of a string", cut: true}
		}
		switch data[i] {
		case '"':
			return i + 1, nil
		case '\\': // near the end of the data, or before a newline
			if i+1 < len(data) && data[i+1] == '\n' {
				i++
				continue
			}
			i += 2
		default:
			return start, &fault{at: i, text: "a string is not closed at the end of the line"}
		}
	}
}

// pastEscapes finds the next quotation mark or newline from i on that no backslash
// stands before, eight bytes at a time. It may stop early, at a backslash.
func pastEscapes(data []byte, i int) int {
	for i+9 <= len(data) {
		hit := stops(binary.LittleEndian.Uint64(data[i:]))
		if hit == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(hit) / 8
		if data[i] != '\\' || data[i+1] == '\n' {
			return i
		}
		i += 2
	}
	return stringStop(data, i)
}

// stops has the high bit of a byte set where that is a quotation mark, a backslash
// or a newline. Only the lowest of them is sure.
func stops(w uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quote, slash, line := w^(ones*'"'), w^(ones*'\\'), w^(ones*'\n')
	return (((quote - ones) &^ quote) | ((slash - ones) &^ slash) | ((line - ones) &^ line)) & highs
}

// stringStop finds the next quotation mark, backslash or newline, eight bytes at a time.
func stringStop(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		if hit := stops(binary.LittleEndian.Uint64(data[i:])); hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c == '"' || c == '\\' || c == '\n' {
			return i
		}
	}
	return i
}

// literal scans a number, true, false, null, NaN or Infinity.
func (s *scanner) literal(data []byte, i int) (int, *fault) {
	end := i
	for end < len(data) && isWord(data[end]) {
		end++
	}
	if end == i {
		return i, &fault{at: i, text: fmt.Sprintf("%s where a value was expected", quoteByte(data[i]))}
	}
	switch word := string(data[i:end]); word {
	case "true", "false", "null":
	case "NaN", "Infinity", "-Infinity":
		if s.nan < 0 {
			s.nan = i
		}
	default:
		if c := data[i]; c != '-' && (c < '0' || c > '9') {
			if end == len(data) {
				return i, cutAt(end)
			}
			return i, &fault{at: i, text: fmt.Sprintf("%q is not a JSON value", clip(word))}
		}
		for _, c := range data[i:end] {
			if (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
				return i, &fault{at: i, text: fmt.Sprintf("%q is not a number", clip(word))}
			}
		}
	}
	return end, nil
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

func skipSpace(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t') {
		i++
	}
	return i
}

func quoteByte(c byte) string {
	if c < 0x20 || c >= 0x7f {
		return fmt.Sprintf("byte 0x%02x", c)
	}
	return fmt.Sprintf("%q", rune(c))
}

// clip shortens what an error quotes.
func clip(s string) string {
	const most = 24
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
