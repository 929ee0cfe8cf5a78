package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// entry is one thing that a TOML file says.
type entry struct {
	path  []string // the names of the tables it is in, and its own
	line  int      // from 1
	value any      // string, bool, digits, []any of these; tomlTable for its header; misfit for everything else
}

type (
	digits    string // as it was written
	tomlTable struct{}
	misfit    string // what it is, in words
)

// misplaced is an error with its line.
type misplaced struct {
	line int
	err  error
}

func (m *misplaced) Error() string { return m.err.Error() }

func at(line int, format string, args ...any) error {
	return &misplaced{line, fmt.Errorf(format, args...)}
}

// readTOML lists what a TOML file says, in its order. The file is decoded once
// for its validity, which the parser alone does not settle.
func readTOML(raw []byte) ([]entry, error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	var valid map[string]any
	if err := toml.Unmarshal(raw, &valid); err != nil {
		line := 1
		if broken := (*toml.DecodeError)(nil); errors.As(err, &broken) {
			line, _ = broken.Position()
		}
		return nil, at(line, "not valid TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	r := &tomlEntries{raw: raw}
	var p unstable.Parser
	p.Reset(raw)
	var under []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			path, line := r.names(nil, e)
			under = path
			if e.Kind == unstable.Table {
				r.entries = append(r.entries, entry{path, line, tomlTable{}})
			} else {
				r.entries = append(r.entries, entry{path, line, misfit("a list of tables")})
			}
		case unstable.KeyValue:
			r.add(under, e)
		}
	}
	return r.entries, p.Error()
}

type tomlEntries struct {
	raw     []byte
	entries []entry
}

// names is the path of a key under another, and its line.
func (r *tomlEntries) names(under []string, e *unstable.Node) (path []string, line int) {
	path = append(path, under...)
	for keys := e.Key(); keys.Next(); {
		k := keys.Node()
		path = append(path, string(k.Data))
		line = bytes.Count(r.raw[:k.Raw.Offset], []byte("\n")) + 1
	}
	return path, line
}

// add adds a key with its value; an inline table is as many as it holds.
func (r *tomlEntries) add(under []string, e *unstable.Node) {
	path, line := r.names(under, e)
	v := e.Value()
	if v.Kind != unstable.InlineTable {
		r.entries = append(r.entries, entry{path, line, valueOf(v)})
		return
	}
	r.entries = append(r.entries, entry{path, line, tomlTable{}})
	for each := v.Children(); each.Next(); {
		if each.Node().Kind == unstable.KeyValue {
			r.add(path, each.Node())
		}
	}
}

func valueOf(v *unstable.Node) any {
	switch v.Kind {
	case unstable.String:
		return string(v.Data)
	case unstable.Bool:
		return string(v.Data) == "true"
	case unstable.Integer, unstable.Float:
		return digits(v.Data)
	case unstable.Array:
		out := []any{}
		for each := v.Children(); each.Next(); {
			if each.Node().Kind != unstable.Comment {
				out = append(out, valueOf(each.Node()))
			}
		}
		return out
	case unstable.InlineTable:
		return tomlTable{}
	}
	return misfit("a date")
}

// inWords is a value for an error that says what it should be.
func inWords(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", oneLine(v))
	case bool:
		return fmt.Sprint(v)
	case digits:
		return oneLine(string(v))
	case []any:
		return "a list"
	case misfit:
		return string(v)
	}
	return "a table"
}
