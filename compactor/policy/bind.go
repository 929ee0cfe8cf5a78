package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cinch/compactor/ladder"
)

// field is one name a policy may hold.
type field struct {
	name string
	want string // what it takes, as the end of "want …"
	set  func(b *binder, n *node) error
}

// binder turns a file's values into a policy.
type binder struct {
	policy *Policy
	places map[string]int // where the ladder's fields stand, under the names its own errors use
}

// bind reads a policy from a file's root.
func bind(root *node) (*Policy, error) {
	top := root.value.(*table)
	engine, err := engineOf(top)
	if err != nil {
		return nil, err
	}
	b := &binder{New(engine), map[string]int{}}
	compaction := top.get("compaction")
	switch {
	case engine == Truncating:
		err = b.fill(root, "", slices.Concat(common, truncating), plain)
	case compaction != nil:
		err = b.fill(root, "", append(slices.Clone(common), field{"compaction", "a table", (*binder).ladder}), plain)
	default:
		own := &table{}
		rest := &node{offset: root.offset, value: &table{}}
		for _, m := range top.members {
			into := own
			if isOf(common, m.name) {
				into = rest.value.(*table)
			}
			into.members = append(into.members, m)
		}
		if err = b.fill(rest, "", common, plain); err == nil {
			err = b.ladder(&node{offset: root.offset, value: own})
		}
	}
	if err != nil {
		return nil, err
	}
	if engine == Truncating {
		b.policy.Truncating.Window = b.policy.Window
	}
	return b.policy, nil
}

// engineOf is the engine that a file names, or whose fields it holds.
func engineOf(top *table) (string, error) {
	if n := top.get("engine"); n != nil {
		name, ok := n.value.(string)
		if !ok || !slices.Contains(Engines, name) {
			return "", fail(n.offset, fmt.Errorf("engine: want one of %s, not %s%s", strings.Join(Engines, ", "), found(n), meant(name, Engines)))
		}
		if c := top.get("compaction"); c != nil && name != Ladder {
			return "", fail(n.offset, errors.New(`engine: a compaction object is for the engine "ladder"`))
		}
		return name, nil
	}
	for _, m := range top.members {
		if m.name == "compaction" || isOf(rungs, m.name) {
			return Ladder, nil
		}
	}
	return Truncating, nil
}

func isOf(fields []field, name string) bool {
	return slices.ContainsFunc(fields, func(f field) bool { return f.name == name })
}

// wrap makes the error about a field.
type wrap func(field, text string) error

func plain(field, text string) error { return fmt.Errorf("%s: %s", field, text) }

func config(field, text string) error { return &ladder.ConfigError{Field: field, Text: text} }

// fill sets a table's fields; under is the table's own name, "" for the root.
func (b *binder) fill(n *node, under string, fields []field, w wrap) error {
	t, ok := n.value.(*table)
	if !ok {
		return fail(n.offset, w(under, "want a table, not "+found(n)))
	}
	for _, m := range t.members {
		name := under + m.name
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == m.name })
		if at < 0 {
			return fail(m.offset, w(name, noField(m.name, namesOf(fields))))
		}
		b.places[name] = m.value.offset
		b.policy.given[name] = true
		if err := fields[at].set(b, m.value); err != nil {
			var placed *fault
			if errors.As(err, &placed) {
				return err
			}
			text := "want " + fields[at].want + ", not " + found(m.value)
			if err != errWrong {
				text = err.Error()
			}
			return fail(m.value.offset, w(name, text))
		}
	}
	return nil
}

// noField says that there is no field of a name, and which there are.
func noField(name string, names []string) string {
	text := "there is no such field; the fields here are "
	if near := meant(name, names); near != "" {
		text = "there is no such field" + near + " The fields here are "
	}
	return text + strings.Join(names, ", ")
}

// errWrong is a value that is not what its field takes.
var errWrong = errors.New("wrong")

func namesOf(fields []field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.name
	}
	return out
}

// ladder reads a drover compaction object.
func (b *binder) ladder(n *node) error {
	if err := b.fill(n, "", rungs, config); err != nil {
		return err
	}
	t := n.value.(*table)
	for _, f := range rungs[:2] {
		if t.get(f.name) == nil {
			return fail(n.offset, config(f.name, "is required: "+f.want))
		}
	}
	keep := t.get("preserve")
	for _, f := range preserved[:2] {
		if keep.value.(*table).get(f.name) == nil {
			return fail(keep.offset, config("preserve."+f.name, "is required: "+f.want))
		}
	}
	if on := t.get("trigger"); on != nil {
		for _, f := range triggers {
			if on.value.(*table).get(f.name) == nil {
				return fail(on.offset, config("trigger."+f.name, "is required: "+f.want))
			}
		}
	}
	if err := b.policy.Ladder.Validate(); err != nil {
		at := n.offset
		var bad *ladder.ConfigError
		if errors.As(err, &bad) {
			if place, ok := b.places[bad.Field]; ok {
				at = place
			} else if bad.Field == "summaryPrompt" {
				at = b.places["strategy"] // what asks for the prompt that is not there
			}
		}
		return fail(at, err)
	}
	return nil
}
