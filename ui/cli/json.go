package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// stream writes one JSON object member by member, so that a long conversation
// is never held as text. Members come in the order in which they are written;
// beside what JSON demands, what a terminal would act on is escaped: DEL, the
// control characters from U+0080 on, and those that turn the direction of text.
type stream struct {
	w     *bufio.Writer
	buf   bytes.Buffer
	enc   *json.Encoder
	comma bool
}

func newStream(w *bufio.Writer) *stream {
	s := &stream{w: w}
	s.enc = json.NewEncoder(&s.buf)
	s.enc.SetEscapeHTML(false)
	w.WriteByte('{')
	return s
}

// streamed is an object as text, for where it is short.
func streamed(write func(*stream)) string {
	var b strings.Builder
	w := bufio.NewWriter(&b)
	write(newStream(w))
	w.Flush()
	return b.String()
}

// field writes one member.
func (s *stream) field(name string, value any) {
	s.name(name)
	s.value(value)
}

// list writes a member that is an array, one element at a time.
func list[T any](s *stream, name string, elements iter.Seq[T]) {
	s.name(name)
	s.w.WriteByte('[')
	first := true
	for e := range elements {
		if !first {
			s.w.WriteByte(',')
		}
		first = false
		s.value(e)
	}
	s.w.WriteByte(']')
}

// end closes the object and its line.
func (s *stream) end() { s.w.WriteString("}\n") }

func (s *stream) name(name string) {
	if s.comma {
		s.w.WriteByte(',')
	}
	s.comma = true
	s.value(name)
	s.w.WriteByte(':')
}

func (s *stream) value(v any) {
	s.buf.Reset()
	if err := s.enc.Encode(v); err != nil {
		panic(err) // every value here is a plain struct, number or string
	}
	text := bytes.TrimSuffix(s.buf.Bytes(), []byte("\n"))
	for {
		at := bytes.IndexFunc(text, unprintable)
		if at < 0 {
			break
		}
		r, size := utf8.DecodeRune(text[at:])
		s.w.Write(text[:at])
		fmt.Fprintf(s.w, `\u%04x`, r)
		text = text[at+size:]
	}
	s.w.Write(text)
}

// unprintable reports what JSON lets stand though a terminal acts on it.
func unprintable(r rune) bool {
	return r >= 0x7f && (r < 0xa0 || unicode.Is(unicode.Bidi_Control, r))
}

// jsonLine writes a value as one line of JSON.
func (a *app) jsonLine(v any) {
	s := &stream{w: a.out}
	s.enc = json.NewEncoder(&s.buf)
	s.enc.SetEscapeHTML(false)
	s.value(v)
	a.out.WriteByte('\n')
}
