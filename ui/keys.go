package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// binding is something a key does. Footer, help, the manual's table and the
// tests all read the same bindings.
type binding struct {
	keys  []string // as Bubble Tea names them: j, down, ctrl+d, shift+tab
	name  string   // a word or two: what the footer says
	about string   // a sentence: what the help says
	do    func() tea.Cmd
}

// keymap is the bindings that are good in one place.
type keymap struct {
	title    string
	bindings []binding
	on       func() bool // whether that place has the keys now; nil is always
	inner    bool        // it takes keys from the places around it while it has them
}

func (m *keymap) active() bool { return m.on == nil || m.on() }

// find is the binding of a key, nil for none.
func (m *keymap) find(key string) *binding {
	for i := range m.bindings {
		for _, k := range m.bindings[i].keys {
			if k == key {
				return &m.bindings[i]
			}
		}
	}
	return nil
}

// named is the binding with a name, for footers and clicks. It must exist.
func (m *keymap) named(name string) *binding {
	for i := range m.bindings {
		if m.bindings[i].name == name {
			return &m.bindings[i]
		}
	}
	panic(fmt.Sprintf("no key is bound to %q in %q", name, m.title))
}

// called is a key by the name that people write.
func called(key string) string {
	switch plain, space := strings.CutSuffix(key, " "); {
	case space:
		return plain + "space"
	case key == "ctrl+@":
		return "ctrl+space"
	case key == "pgdown":
		return "pgdn"
	}
	return key
}

var arrows = map[string]string{
	"up": "↑", "down": "↓", "left": "←", "right": "→", "shift+left": "shift+←", "shift+right": "shift+→",
}

// spell is a key as screens show it, with arrows for the arrow keys.
func spell(key string) string {
	if arrow, ok := arrows[key]; ok {
		return arrow
	}
	return called(key)
}

// first is the key that footers show, "" where the binding has none.
func (b *binding) first() string {
	if len(b.keys) == 0 {
		return ""
	}
	return spell(b.keys[0])
}

// keys writes the keys of a binding.
func (b *binding) spelled() string {
	out := make([]string, len(b.keys))
	for i, k := range b.keys {
		out[i] = spell(k)
	}
	return strings.Join(out, " ")
}

// namedIn are the bindings with these names, each in the innermost place that
// has one: for hints.
func namedIn(maps []*keymap, names ...string) []*binding {
	var out []*binding
	for _, name := range names {
		for _, m := range maps {
			if i := slices.IndexFunc(m.bindings, func(b binding) bool { return b.name == name }); i >= 0 {
				out = append(out, &m.bindings[i])
				break
			}
		}
	}
	return out
}
