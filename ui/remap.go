package ui

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// Key says which keys an action of the key table has.
type Key struct {
	Place  string   // a heading of the help, with - for spaces: anywhere, what-the-model-sees
	Action string   // likewise: undo, step-back; "" names the place and nothing in it
	Keys   []string // by their names: j, ctrl+d, space, up; none leaves the action to help and mouse
	Line   int      // of the file that says so, from 1; 0 for the program's own
}

// KeyError is why an action cannot have its keys.
type KeyError struct {
	Key
	Text  string
	Typed string   // a name that is not there, "" where that is not the trouble
	Names []string // those that are
}

func (e *KeyError) Error() string {
	name := "keys." + e.Place
	if e.Action != "" {
		name += "." + e.Action
	}
	return name + ": " + e.Text
}

// Keys lists every action with its keys under the changes, in the order of the
// help. A change that cannot be is a *[KeyError].
func Keys(changes []Key) ([]Key, error) {
	r := newRoot(context.Background(), Options{}, draw.NewLook(draw.Dark, draw.Plain, draw.UTF8), io.Discard)
	defer r.cancel()
	lines, err := r.remap(changes)
	if err != nil {
		return nil, err
	}
	var out []Key
	seen := map[string]bool{}
	for _, m := range r.everyMap() {
		if seen[m.title] {
			continue
		}
		seen[m.title] = true
		for _, b := range m.bindings {
			k := Key{slug(m.title), slug(b.name), make([]string, len(b.keys)), lines[m.title+"."+b.name]}
			for i, key := range b.keys {
				k.Keys[i] = called(key)
			}
			out = append(out, k)
		}
	}
	return out, nil
}

// everyMap is the whole key table. The knobs' keymap occurs once a screen.
func (r *root) everyMap() []*keymap {
	out := []*keymap{r.keymap, r.file}
	for _, s := range []screen{r.picker, r.chooser} {
		out = append(out, s.keys()...)
	}
	for _, s := range r.screens {
		out = append(out, s.keys()...)
	}
	return out
}

// slug is a title or a name as one word.
func slug(name string) string { return strings.ReplaceAll(name, " ", "-") }

// back is the action whose key prompts and menus know as well.
const back = "back"

// remap gives actions other keys, and says on which line each of these was said,
// under title.name.
func (r *root) remap(changes []Key) (map[string]int, error) {
	lines := map[string]int{}
	for _, c := range changes {
		var titles, names []string
		var at []*binding
		title := ""
		for _, m := range r.everyMap() {
			if titles = append(titles, slug(m.title)); slug(m.title) != c.Place {
				continue
			}
			title, names = m.title, nil
			for i := range m.bindings {
				if names = append(names, slug(m.bindings[i].name)); names[i] == c.Action {
					at = append(at, &m.bindings[i])
				}
			}
		}
		switch {
		case title == "":
			slices.Sort(titles)
			return nil, &KeyError{Key{c.Place, "", nil, c.Line}, "there is no such place", c.Place, slices.Compact(titles)}
		case c.Action == "":
			continue
		case at == nil:
			return nil, &KeyError{c, "there is no such action", c.Action, names}
		}
		keys := make([]string, len(c.Keys))
		for i, typed := range c.Keys {
			key, err := parseKey(typed)
			switch {
			case err == nil && slices.Contains(keys[:i], key):
				err = fmt.Errorf("%q is there twice", typed)
			case key == "esc" && at[0].name != back:
				err = fmt.Errorf("esc always goes back")
			case key == "ctrl+c":
				err = fmt.Errorf("ctrl+c always quits")
			}
			if err != nil {
				return nil, &KeyError{c, err.Error(), "", nil}
			}
			keys[i] = key
		}
		if at[0].name == back && !slices.Contains(keys, "esc") {
			keys = append(keys, "esc")
		}
		for _, b := range at {
			b.keys = keys
		}
		lines[title+"."+at[0].name] = c.Line
	}
	r.before = r.frontKeys()
	return lines, r.clash(lines)
}

// together lists the keymaps that are good at the same time. An inner one takes
// keys from those around it on purpose, but not from those that are good everywhere.
func (r *root) together() [][]*keymap {
	out := [][]*keymap{append(slices.Clone(r.picker.keys()), r.before), append(slices.Clone(r.chooser.keys()), r.before)}
	for _, s := range r.screens {
		outer := []*keymap{r.keymap, r.file}
		for _, m := range s.keys() {
			if m.inner {
				out = append(out, []*keymap{r.keymap, r.file, m})
			} else {
				outer = append(outer, m)
			}
		}
		out = append(out, outer)
	}
	return out
}

// clash is the first two actions that want the same key in one place, nil when
// there are none. lines says who of them was given it where.
func (r *root) clash(lines map[string]int) error {
	type owner struct {
		title, name string
		line        int
	}
	for _, maps := range r.together() {
		owners := map[string]owner{}
		for _, m := range maps {
			for _, b := range m.bindings {
				for _, k := range b.keys {
					is := owner{m.title, b.name, lines[m.title+"."+b.name]}
					was, taken := owners[k]
					if !taken {
						owners[k] = is
						continue
					}
					if was.line > is.line {
						was, is = is, was
					}
					text := fmt.Sprintf("%s is the key of %s in %s as well", called(k), slug(was.name), slug(was.title))
					if was.line > 0 {
						text += fmt.Sprintf(", which line %d says", was.line)
					}
					return &KeyError{Key{slug(is.title), slug(is.name), nil, is.line}, text + ": give one of them another", "", nil}
				}
			}
		}
	}
	return nil
}

// press is what to press for an action in a sentence: its first key, or its name
// where it has none.
func (r *root) press(place, name string) string {
	for _, m := range r.everyMap() {
		if m.title == place {
			if b := m.named(name); len(b.keys) > 0 {
				return spell(b.keys[0])
			}
		}
	}
	return name
}

// keyNames are the keys that have a name, by Bubble Tea's names for them and by ours.
var keyNames = func() map[string]string {
	out := map[string]string{}
	for t := tea.KeyType(-128); t < 128; t++ {
		if name := t.String(); name != "" && t != tea.KeyRunes {
			out[name], out[called(name)], out[spell(name)] = name, name, name
		}
	}
	delete(out, " ")
	return out
}()

// sameKey are keys that terminals send as others.
var sameKey = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+?": "backspace"}

// parseKey is a key as Bubble Tea names it.
func parseKey(typed string) (string, error) {
	rest, alt := strings.CutPrefix(typed, "alt+")
	name, ok := keyNames[rest]
	switch r, n := utf8.DecodeRuneInString(rest); {
	case ok:
	case n > 0 && n == len(rest) && r != utf8.RuneError && r != ' ' && unicode.IsPrint(r):
		name = rest
	case sameKey[rest] != "":
		return "", fmt.Errorf("terminals send %s as %s: write %s", rest, sameKey[rest], sameKey[rest])
	case strings.HasPrefix(rest, "shift+") && utf8.RuneCountInString(rest) == len("shift+")+1:
		return "", fmt.Errorf("a letter with shift is the capital: write %s", strings.ToUpper(rest[len("shift+"):]))
	default:
		return "", fmt.Errorf("%q is no key that terminals send; a key is a character, a name such as space, enter, tab, up, pgdn, home, f5, or one with ctrl+, alt+ or shift+ before it", typed)
	}
	if alt {
		if name == "esc" {
			return "", fmt.Errorf("%q is no key that terminals send in one piece", typed)
		}
		name = "alt+" + name
	}
	return name, nil
}
