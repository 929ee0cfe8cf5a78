package transcript

import (
	"fmt"

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
	JSON   gjson.Result
}

// Span says where the record stands, under the name the decoder gives it.
func (r Record) Span(name string) model.Span {
	return model.Span{Line: r.Line, Offset: r.Offset, Length: int64(len(r.JSON.Raw)), Record: name}
}

// Document is an opened file: its records, and what was odd about it.
type Document struct {
	Path     string
	Warnings []model.Warning

	records []Record
}

// Each hands over the records in file order until visit fails.
func (d *Document) Each(visit func(Record) error) error {
	for _, r := range d.records {
		if err := visit(r); err != nil {
			return err
		}
	}
	return nil
}

// Warn notes something odd that was read around. Line and column are 1-based, 0 when unknown.
func (d *Document) Warn(line, col int, format string, args ...any) {
	d.Warnings = append(d.Warnings, model.Warning{Line: line, Col: col, Text: fmt.Sprintf(format, args...), N: 1})
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
