package transcript

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/tidwall/gjson"
)

// stretch is a stretch of a file that starts at a record's boundary.
type stretch struct {
	data   []byte
	offset int64
	line   int  // 1-based line of its first byte
	last   bool // nothing follows
}

// note is a warning found while splitting, which the document takes over in file order.
type note struct {
	line, col int
	format    string
	args      []any
	fatal     string // what the note says when nothing else could be read, "" for the warning itself
}

// splitter cuts blocks into their top-level JSON values and reads around what is none.
type splitter struct {
	scan    scanner
	b       stretch
	records []Record
	notes   []note
	members []member // of all records

	// the line index at stands on, and where that line starts
	at, lineNo, lineStart int
}

// place gives the line and column of an index.
func (s *splitter) place(i int) (line, col int) {
	if i >= s.at {
		passed := s.b.data[s.at:i]
		if n := bytes.Count(passed, newline); n > 0 {
			s.lineNo += n
			s.lineStart = s.at + bytes.LastIndexByte(passed, '\n') + 1
		}
		s.at = i
		return s.lineNo, i - s.lineStart + 1
	}
	before := s.b.data[:i]
	return s.lineNo - bytes.Count(s.b.data[i:s.at], newline), i - bytes.LastIndexByte(before, '\n')
}

var newline = []byte("\n")

func (s *splitter) note(i int, format string, args ...any) {
	line, col := s.place(i)
	s.notes = append(s.notes, note{line: line, col: col, format: format, args: args})
}

// split reads one block.
func (s *splitter) split(b stretch) {
	s.b, s.at, s.lineStart, s.lineNo = b, 0, 0, b.line
	s.records, s.notes, s.members = nil, nil, nil
	data := b.data
	ended := -1 // the line number on which the last record ended
	for i := 0; ; {
		i = s.gap(i)
		if i >= len(data) {
			return
		}
		if c := data[i]; c != '{' && c != '[' {
			i = s.garbage(i, ended)
			continue
		}
		line, col := s.place(i)
		end, f := s.scan.value(data, i)
		if f != nil {
			i = s.broken(i, f)
			continue
		}
		if line == ended {
			s.notes = append(s.notes, note{line: line, col: col, format: "second JSON value on one line (missing newline), read as a record of its own"})
		}
		s.odd()
		s.add(i, end, line, col, true)
		ended, _ = s.place(end)
		i = end
	}
}

// add takes data[i:end] as a record. whole says that it is just what was scanned.
func (s *splitter) add(i, end, line, col int, whole bool) {
	raw := s.b.data[i:end]
	if !utf8.Valid(raw) {
		whole = false
		bad := i
		for r := raw; ; {
			c, n := utf8.DecodeRune(r)
			if c == utf8.RuneError && n == 1 {
				break
			}
			r, bad = r[n:], bad+n
		}
		s.note(bad, "invalid UTF-8, read as U+FFFD")
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	r := Record{
		Line: line, Col: col, Offset: s.b.offset + int64(i), Length: int64(end - i),
		JSON: gjson.Result{Type: gjson.JSON, Raw: unsafe.String(unsafe.SliceData(raw), len(raw))},
	}
	if whole && end <= math.MaxUint32 {
		// The scanner has just passed all members: decoders need not look for them again.
		from := len(s.members)
		s.members = append(s.members, s.scan.members...)
		for n := range s.members[from:] {
			m := &s.members[from+n]
			m.name, m.nameEnd, m.value, m.valueEnd = m.name-uint32(i), m.nameEnd-uint32(i), m.value-uint32(i), m.valueEnd-uint32(i)
		}
		r.members = s.members[from:len(s.members):len(s.members)]
	}
	s.records = append(s.records, r)
}

// odd notes what the scanner forgave in the value it has just read.
func (s *splitter) odd() {
	if s.scan.comma >= 0 {
		s.note(s.scan.comma, "trailing comma, read around")
	}
	if s.scan.nan >= 0 {
		s.note(s.scan.nan, "NaN or Infinity, which JSON does not have, read as it stands")
	}
}

// gap skips white space, byte order marks and the NUL bytes some file systems
// leave behind after a crash.
func (s *splitter) gap(i int) int {
	data := s.b.data
	for i < len(data) {
		switch {
		case data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t':
			i++
		case data[i] == 0:
			n := i
			for n < len(data) && data[n] == 0 {
				n++
			}
			s.note(i, "NUL bytes between records, ignored")
			i = n
		case bytes.HasPrefix(data[i:], bom):
			i += len(bom)
		default:
			return i
		}
	}
	return i
}

var bom = []byte("\uFEFF")

// garbage notes a line (or the rest of one) that holds no record and skips it.
func (s *splitter) garbage(i, ended int) int {
	data := s.b.data
	end := len(data)
	if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
		end = i + n
	}
	shown := strings.ToValidUTF8(clip(string(data[i:min(end, i+200)])), "\uFFFD")
	line, col := s.place(i)
	switch {
	case line == ended:
		s.note(i, "text after a record, ignored: %q", shown)
	case isConflict(data[i:end]):
		s.note(i, "git conflict marker, skipped; both sides are read")
	default:
		s.notes = append(s.notes, note{
			line: line, col: col, format: "not a JSON record, line skipped: %q", args: []any{shown},
			fatal: fmt.Sprintf("not a JSON object or list: %q", shown),
		})
	}
	return end
}

func isConflict(line []byte) bool {
	for _, mark := range []string{"<<<<<<<", "=======", ">>>>>>>", "|||||||"} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}

// broken notes a value that could not be scanned and returns the index where
// reading goes on: at the next line that starts a record, since a newline inside a
// record is never followed by a bracket in the first column unless it is
// pretty-printed with no indent.
func (s *splitter) broken(i int, f *fault) int {
	data := s.b.data
	whole, closers := s.scan.whole, s.scan.closers() // before anything else is scanned
	if next, ok := s.restarted(i, f); ok {
		return next
	}
	next := nextRecord(data, i)
	if next < len(data) || !s.b.last {
		if f.cut || f.at >= next {
			s.note(i, "not valid JSON, record skipped: it is not closed before the next one starts")
		} else {
			s.note(f.at, "not valid JSON, record skipped: %s", f.text)
		}
		return next
	}
	end := len(bytes.TrimRight(data, "\x00 \t\r\n"))
	line, col := s.place(i)
	alone := s.b.offset == 0 && len(s.records) == 0
	switch {
	case !f.cut && f.at < end-utf8.UTFMax:
		s.note(f.at, "not valid JSON, record skipped: %s", f.text)
	case whole > 0 && (alone || bytes.IndexByte(data[i:end], '\n') >= 0):
		s.note(whole, "the document is cut off here, read as far as it goes (ignored the last %d bytes)", end-whole)
		s.add(i, whole, line, col, false)
		s.records[len(s.records)-1].JSON.Raw += closers
	default:
		s.notes = append(s.notes, note{
			line: line, col: col,
			format: "truncated last line (session still being written?), ignored %d bytes", args: []any{end - i},
			fatal: "the file is cut off in its first record",
		})
	}
	return next
}

// nextRecord is the start of the next line whose first byte opens a value.
func nextRecord(data []byte, i int) int {
	for {
		n := bytes.IndexByte(data[i:], '\n')
		if n < 0 {
			return len(data)
		}
		i += n + 1
		if i < len(data) && (data[i] == '{' || data[i] == '[') {
			return i
		}
	}
}

// restarted looks for a record that begins in the middle of a half-written one
// on the same line, as a writer leaves it that was killed and started again: it
// has the same first member's name.
func (s *splitter) restarted(i int, f *fault) (int, bool) {
	data := s.b.data
	colon := bytes.IndexByte(data[i:min(len(data), i+64)], ':')
	if colon < 0 || data[i] != '{' {
		return 0, false
	}
	head := data[i : i+colon+1]
	end := len(data)
	if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
		end = i + n
	}
	at := i
	for try := 0; try < 16; try++ {
		n := bytes.Index(data[at+1:end], head)
		if n < 0 {
			return 0, false
		}
		at += 1 + n
		if stop, f := s.scan.value(data[:end], at); f == nil && skipSpace(data[:end], stop) == end {
			s.note(i, "half-written record, ignored %d bytes before the next one on its line", at-i)
			return at, true
		}
	}
	return 0, false
}
