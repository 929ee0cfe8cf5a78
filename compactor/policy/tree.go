package policy

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// node is a value of a policy file and where it stands.
type node struct {
	offset int // bytes from the start of the file
	value  any // string, bool, number, list, *table; nil for null and for what has no place in a policy
	kind   string
}

// number is a number as it was written, without TOML's underscores.
type number string

type list []*node

// table is a set of named values in the order of the file.
type table struct{ members []member }

type member struct {
	name   string
	offset int // of the name
	value  *node
}

// get is the member of a name, nil when there is none.
func (t *table) get(name string) *node {
	for i := range t.members {
		if t.members[i].name == name {
			return t.members[i].value
		}
	}
	return nil
}

// put adds a member; a name that is there already is an error.
func (t *table) put(name string, offset int, value *node) error {
	if t.get(name) != nil {
		return fail(offset, fmt.Errorf("%q is set twice", name))
	}
	t.members = append(t.members, member{name, offset, value})
	return nil
}

// fault is an error with its place in the file.
type fault struct {
	offset int
	err    error
}

func (f *fault) Error() string { return f.err.Error() }

func fail(offset int, err error) error { return &fault{offset, err} }

// isJSON reports whether a file's first character that is not a space opens an
// object, which no TOML document does.
func isJSON(raw []byte) bool {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == '{'
}

// position is the line and the column of an offset, both from 1, the column in characters.
func position(raw []byte, offset int) (line, col int) {
	before := raw[:min(max(offset, 0), len(raw))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// found names what a value is, for an error that says what it should be.
func found(n *node) string {
	switch v := n.value.(type) {
	case string:
		if utf8.RuneCountInString(v) > 40 {
			v = string([]rune(v)[:39]) + "…"
		}
		return fmt.Sprintf("%q", v)
	case bool:
		return fmt.Sprint(v)
	case number:
		return string(v)
	case list:
		return "a list"
	case *table:
		return "a table"
	}
	return n.kind
}
