package transcript

import (
	"math"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// str is a JSON value's text, copied out of the record it stands in. A string
// with escapes has been decoded into memory of its own already.
func str(v gjson.Result) string {
	if v.Type == gjson.String && len(v.Raw) != len(v.Str)+2 {
		return v.Str
	}
	return strings.Clone(v.String())
}

// compact is a JSON value as compact JSON, copied out of its record; "" when there is none.
func compact(v gjson.Result) string {
	s := model.CompactJSON(v.Raw)
	if len(s) == len(v.Raw) {
		return strings.Clone(s)
	}
	return s
}

// input is what a tool was called with, as compact JSON. A string is what it
// holds when it holds JSON, and a JSON string when it is free text.
func input(v gjson.Result) string {
	switch {
	case v.Type != gjson.String:
		return compact(v)
	case holdsJSON(v.Str):
		s := model.CompactJSON(v.Str)
		if len(s) == len(v.Str) {
			return strings.Clone(s)
		}
		return s
	}
	return model.QuoteJSON(v.Str)
}

// maxDepth is how deeply JSON inside a string may nest and still be read as
// JSON. The check itself recurses, so it must not be handed more.
const maxDepth = 10_000

// holdsJSON reports whether a string is JSON text of its own.
func holdsJSON(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return false
			}
		case '}', ']':
			depth--
		}
	}
	return gjson.Valid(s)
}

// moment reads a time: RFC 3339, or a number of seconds or milliseconds since
// 1970. Anything else is the zero time.
func moment(v gjson.Result) time.Time {
	switch v.Type {
	case gjson.String:
		t, err := time.Parse(time.RFC3339Nano, v.Str)
		if err != nil {
			t, _ = time.Parse("2006-01-02T15:04:05.999999999", v.Str)
		}
		return t
	case gjson.Number:
		return unix(v.Num)
	}
	return time.Time{}
}

// unix is a time given in seconds or milliseconds since 1970.
func unix(n float64) time.Time {
	if math.IsNaN(n) || n <= 0 || n > 1e15 {
		return time.Time{}
	}
	if n < 1e11 {
		n *= 1000
	}
	return time.UnixMilli(int64(n)).UTC()
}

// inside tells where the values inside one record stand in the file. It counts
// lines forwards, so it is cheapest asked in file order.
type inside struct {
	rec  Record
	pos  int // bytes of the record behind
	line int // line breaks among them
}

// in starts at the beginning of a record.
func in(rec Record) *inside { return &inside{rec: rec} }

// lineOf is the 1-based line on which a value of the record starts.
func (p *inside) lineOf(v gjson.Result) int {
	at := p.offset(v)
	if at < p.pos {
		p.pos, p.line = 0, 0
	}
	p.line += strings.Count(p.rec.JSON.Raw[p.pos:at], "\n")
	p.pos = at
	return p.rec.Line + p.line
}

// place is the 1-based line and byte column of a value of the record.
func (p *inside) place(v gjson.Result) (line, col int) {
	line = p.lineOf(v)
	before := p.rec.JSON.Raw[:p.pos]
	if n := strings.LastIndexByte(before, '\n'); n >= 0 {
		return line, p.pos - n
	}
	return line, p.rec.Col + p.pos
}

// span says where a value of the record stands, under the name given.
func (p *inside) span(v gjson.Result, name string) model.Span {
	return model.Span{
		Line:   p.lineOf(v),
		Offset: p.rec.Offset + int64(p.offset(v)),
		Length: int64(len(v.Raw)),
		Record: name,
	}
}

// offset is the byte at which a value starts, counted from the record's start.
func (p *inside) offset(v gjson.Result) int {
	return max(0, min(v.Index-p.rec.JSON.Index, len(p.rec.JSON.Raw)))
}
