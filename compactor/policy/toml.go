package policy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// readTOML reads a TOML document with the places of its values. The document is
// decoded once for its validity, which the parser alone does not settle.
func readTOML(raw []byte) (*node, error) {
	var valid map[string]any
	if err := toml.Unmarshal(raw, &valid); err != nil {
		var broken *toml.DecodeError
		if errors.As(err, &broken) {
			line, col := broken.Position()
			return nil, fail(offsetOf(raw, line, col), fmt.Errorf("not valid TOML: %s", strings.TrimPrefix(broken.Error(), "toml: ")))
		}
		return nil, fmt.Errorf("not valid TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	r := &tomlReader{}
	r.parser.Reset(raw)
	root := &node{value: &table{}}
	into := root
	for r.parser.NextExpression() {
		var err error
		switch e := r.parser.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			into, err = r.open(root, e)
		case unstable.KeyValue:
			err = r.set(into, e, 0)
		}
		if err != nil {
			return nil, err
		}
	}
	return root, r.parser.Error()
}

type tomlReader struct{ parser unstable.Parser }

// offsetOf is the offset of a line and column as the decoder counts them, in bytes.
func offsetOf(raw []byte, line, col int) int {
	at := 0
	for ; line > 1; line-- {
		n := strings.IndexByte(string(raw[at:]), '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return at + col - 1
}

// open goes to the table that a header names, and makes it when there is none.
func (r *tomlReader) open(root *node, header *unstable.Node) (*node, error) {
	into := root
	for keys := header.Key(); keys.Next(); {
		var err error
		if into, err = r.child(into, keys.Node()); err != nil {
			return nil, err
		}
	}
	return into, nil
}

// child is the table of a name in another.
func (r *tomlReader) child(in *node, key *unstable.Node) (*node, error) {
	name, at := string(key.Data), int(key.Raw.Offset)
	t, ok := in.value.(*table)
	if !ok {
		return nil, fail(at, fmt.Errorf("%q is not a table", name))
	}
	if n := t.get(name); n != nil {
		return n, nil
	}
	n := &node{offset: at, value: &table{}}
	return n, t.put(name, at, n)
}

// set puts a key and its value into a table.
func (r *tomlReader) set(into *node, e *unstable.Node, depth int) error {
	keys := e.Key()
	for keys.Next() {
		key := keys.Node()
		if !keys.IsLast() {
			var err error
			if into, err = r.child(into, key); err != nil {
				return err
			}
			continue
		}
		at := int(key.Raw.Offset)
		v, err := r.value(e.Value(), at, depth+1)
		if err != nil {
			return err
		}
		t, ok := into.value.(*table)
		if !ok {
			return fail(at, errors.New("a value and a table share a name"))
		}
		return t.put(string(key.Data), at, v)
	}
	return nil
}

// value reads a value; near is where its key stands, for the kinds of which the
// parser does not tell the place.
func (r *tomlReader) value(v *unstable.Node, near, depth int) (*node, error) {
	n := &node{offset: int(v.Raw.Offset)}
	if v.Raw.Length == 0 {
		n.offset = near
	}
	if depth > maxDepth {
		return nil, fail(n.offset, errors.New("values are nested too deeply for a policy"))
	}
	switch v.Kind {
	case unstable.String:
		n.value = string(v.Data)
	case unstable.Bool:
		n.value = string(v.Data) == "true"
	case unstable.Integer, unstable.Float:
		n.value = number(strings.ReplaceAll(string(v.Data), "_", ""))
	case unstable.Array:
		out := list{}
		for each := v.Children(); each.Next(); {
			if each.Node().Kind == unstable.Comment {
				continue
			}
			item, err := r.value(each.Node(), n.offset, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, item)
		}
		n.value = out
	case unstable.InlineTable:
		n.value = &table{}
		for each := v.Children(); each.Next(); {
			if each.Node().Kind == unstable.Comment {
				continue
			}
			if err := r.set(n, each.Node(), depth+1); err != nil {
				return nil, err
			}
		}
	default:
		n.kind = "a date"
	}
	return n, nil
}
