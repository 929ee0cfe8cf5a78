package transcript

import (
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// Record is one top-level JSON value of a file. What JSON points to is only
// good during the call that hands it over: decoders copy what they keep
// (strings.Clone), so that a long line is not held for a short word in it.
type Record struct {
	Line   int // 1-based line on which it starts
	Col    int // 1-based byte column
	Offset int64
	Length int64 // bytes in the file; JSON may be longer where it was mended
	JSON   gjson.Result

	members []member // where known
}

// eachMember visits the record's members, when it is an object: the name, and
// the value as JSON text.
func (r Record) eachMember(visit func(name, raw string)) {
	if r.members == nil {
		r.JSON.ForEach(func(k, v gjson.Result) bool {
			if k.Type == gjson.String {
				visit(k.Str, v.Raw)
			}
			return true
		})
		return
	}
	for _, m := range r.members {
		name := r.JSON.Raw[m.name:m.nameEnd]
		if strings.IndexByte(name, '\\') >= 0 {
			name = gjson.Parse(`"` + name + `"`).Str
		}
		visit(name, r.JSON.Raw[m.value:m.valueEnd])
	}
}

// Span says where the record stands, under the name the decoder gives it.
func (r Record) Span(name string) model.Span {
	return model.Span{Line: r.Line, Offset: r.Offset, Length: r.Length, Record: name}
}

// Document is an opened file: its records, and what was odd about it.
type Document struct {
	Path     string
	Branch   string // the branch asked for, "" for the active one
	Warnings []model.Warning

	src     *source
	whole   bool     // records holds all there is
	slurped bool     // records are the elements of the one list in the file
	records []Record // the first ones, or all
	folded  map[string]int
	taken   int // blocks whose notes are in Warnings already
}

// maxWarnings is how many different warnings are kept; the rest is counted in the last.
const maxWarnings = 200

// Warn notes something odd that was read around. Line and column are 1-based, 0
// when unknown. Warnings with the same text are folded into their first.
func (d *Document) Warn(line, col int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if d.folded == nil {
		d.folded = map[string]int{}
	}
	if i, ok := d.folded[text]; ok {
		d.Warnings[i].N++
		return
	}
	if len(d.Warnings) == maxWarnings {
		d.Warnings = append(d.Warnings, model.Warning{Line: line, Col: col, Text: "more warnings of other kinds, from here on"})
	}
	if len(d.Warnings) > maxWarnings {
		d.Warnings[maxWarnings].N++
		return
	}
	d.folded[text] = len(d.Warnings)
	d.Warnings = append(d.Warnings, model.Warning{Line: line, Col: col, Text: text, N: 1})
}

// beside opens another file that belongs to this one, under the same limits.
func (d *Document) beside(path string) (*Document, error) {
	src, err := newSource(d.src.ctx, path, Options{Limits: d.src.limits})
	if err != nil {
		return nil, err
	}
	return &Document{Path: path, src: src}, nil
}

// take turns what splitting the n-th block noted into warnings, once however
// often the document is read.
func (d *Document) take(n int, notes []note) {
	if n < d.taken {
		return
	}
	d.taken = n + 1
	for _, n := range notes {
		d.Warn(n.line, n.col, n.format, n.args...)
	}
}

// takeCut warns that compressed data ended early, after n blocks.
func (d *Document) takeCut(n int) {
	if n >= d.taken {
		d.Warn(0, 0, "the compressed data ends early, read as far as it goes")
		d.taken = n + 1
	}
}

// Error is what a user is told about a file that cannot be read, in one sentence.
type Error struct {
	Path      string
	Line, Col int // 1-based, 0 when unknown
	Text      string
}

func (e *Error) Error() string {
	switch {
	case e.Line > 0 && e.Col > 0:
		return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Col, e.Text)
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Text)
	}
	return fmt.Sprintf("%s: %s", e.Path, e.Text)
}

// Fail makes the error for a place in this document.
func (d *Document) Fail(line, col int, format string, args ...any) error {
	return &Error{d.Path, line, col, fmt.Sprintf(format, args...)}
}

// Text reads the whole file, decompressed and as UTF-8, for formats that are not JSON.
func (d *Document) Text() (string, error) {
	r, err := d.src.reader()
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err
}
