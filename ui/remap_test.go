package ui

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

func TestOwnKeysDoNotClash(t *testing.T) {
	table, err := Keys(nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, k := range table {
		name := k.Place + "." + k.Action
		if seen[name] || strings.ContainsAny(name, " \t") {
			t.Errorf("%s does not name one action", name)
		}
		seen[name] = true
		if len(k.Keys) == 0 || k.Line != 0 {
			t.Errorf("%s has the keys %q of line %d", name, k.Keys, k.Line)
		}
		for _, key := range k.Keys {
			if _, err := parseKey(key); err != nil {
				t.Errorf("%s: what the help shows cannot be written: %v", name, err)
			}
			if key == "ctrl+s" || key == "ctrl+q" {
				t.Errorf("%s is on %s, which stops and starts some terminals", name, key)
			}
		}
	}
	// What the help shows, said as a change, changes nothing.
	again, err := Keys(table)
	if err != nil || len(again) != len(table) {
		t.Fatalf("the table as changes: %v", err)
	}
	for i := range table {
		if !slices.Equal(table[i].Keys, again[i].Keys) {
			t.Errorf("%s.%s: %q became %q", table[i].Place, table[i].Action, table[i].Keys, again[i].Keys)
		}
	}
}

func TestKeyNames(t *testing.T) {
	for typed, want := range map[string]string{
		"j": "j", "J": "J", "é": "é", "+": "+", "%": "%", "space": " ", "enter": "enter", "tab": "tab", "shift+tab": "shift+tab",
		"↓": "down", "up": "up", "shift+←": "shift+left", "pgdn": "pgdown", "pgdown": "pgdown", "home": "home", "f12": "f12",
		"ctrl+d": "ctrl+d", "ctrl+space": "ctrl+@", "alt+x": "alt+x", "alt+enter": "alt+enter", "alt+space": "alt+ ", "delete": "delete",
	} {
		got, err := parseKey(typed)
		if err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", typed, got, err, want)
			continue
		}
		for _, shown := range []string{spell(got), called(got)} {
			if back, err := parseKey(shown); err != nil || back != got {
				t.Errorf("%q is shown as %q, which is read as %q, %v", got, shown, back, err)
			}
		}
	}
	for typed, says := range map[string]string{
		"": "no key that terminals send", " ": "no key that terminals send", "ctrl+i": "terminals send ctrl+i as tab: write tab",
		"ctrl+m": "write enter", "shift+a": "the capital: write A", "ctrl+shift+a": "no key that terminals send", "jj": "no key that terminals send",
		"escape": "no key that terminals send", "\x1b": "no key that terminals send", "\u202e": "no key that terminals send", "alt+esc": "in one piece", "runes": "no key that terminals send",
	} {
		if got, err := parseKey(typed); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is %q, %v; want an error with %q", typed, got, err, says)
		}
	}
}

func TestChangedKeys(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes []Key
		says    string // the error, "" for none
		line    int
	}{
		{"one", []Key{{"anywhere", "undo", []string{"z"}, 1}}, "", 0},
		{"two actions that swap", []Key{{"pass", "step", []string{"b"}, 1}, {"pass", "step-back", []string{"s"}, 2}}, "", 0},
		{"none", []Key{{"anywhere", "suspend", nil, 1}}, "", 0},
		{"back has more than esc", []Key{{"anywhere", "back", []string{"backspace"}, 1}}, "", 0},
		{"back keeps esc", []Key{{"anywhere", "back", []string{"esc"}, 1}}, "", 0},
		{"an inner place over the one around it", []Key{{"knob", "less", []string{"s"}, 1}}, "", 0},
		{"the same key on different screens", []Key{{"sweep", "set", []string{"s"}, 1}}, "", 0},
		{"a place of its own", []Key{{"anywhere", "", nil, 1}}, "", 0},

		{"no such place", []Key{{"mesages", "search", []string{"f"}, 3}}, "keys.mesages: there is no such place", 3},
		{"no such empty place", []Key{{"mesages", "", nil, 3}}, "keys.mesages: there is no such place", 3},
		{"no such action", []Key{{"messages", "serch", []string{"f"}, 4}}, "keys.messages.serch: there is no such action", 4},
		{"no such key", []Key{{"messages", "search", []string{"ctrl+f", "hyper+f"}, 5}}, `keys.messages.search: "hyper+f" is no key that terminals send`, 5},
		{"twice in one list", []Key{{"messages", "search", []string{"↓", "down"}, 5}}, `keys.messages.search: "down" is there twice`, 5},
		{"esc", []Key{{"anywhere", "quit", []string{"esc"}, 6}}, "keys.anywhere.quit: esc always goes back", 6},
		{"ctrl+c", []Key{{"anywhere", "copy", []string{"ctrl+c"}, 6}}, "keys.anywhere.copy: ctrl+c always quits", 6},

		{"taken in the same place", []Key{{"messages", "search", []string{"f"}, 7}}, "keys.messages.search: f is the key of filter in messages as well: give one of them another", 7},
		{"taken beside it", []Key{{"messages", "search", []string{"s"}, 7}}, "keys.messages.search: s is the key of step in pass as well: give one of them another", 7},
		{"taken everywhere", []Key{{"messages", "search", []string{"u"}, 7}}, "keys.messages.search: u is the key of undo in anywhere as well: give one of them another", 7},
		{"taken by a screen", []Key{{"anywhere", "undo", []string{"s"}, 7}}, "keys.anywhere.undo: s is the key of step in pass as well: give one of them another", 7},
		{"an inner place over what is good everywhere", []Key{{"knob", "less", []string{"u"}, 7}}, "keys.knob.less: u is the key of undo in anywhere as well: give one of them another", 7},
		{"before a conversation", []Key{{"sessions", "search", []string{"q"}, 7}}, "keys.sessions.search: q is the key of quit in anywhere as well: give one of them another", 7},
		{"both from the file", []Key{{"messages", "search", []string{"F"}, 8}, {"messages", "filter", []string{"F"}, 9}}, "keys.messages.filter: F is the key of search in messages as well, which line 8 says: give one of them another", 9},
		{"both from the file, in another order", []Key{{"pass", "apply", []string{"z"}, 8}, {"anywhere", "undo", []string{"z"}, 2}}, "keys.pass.apply: z is the key of undo in anywhere as well, which line 2 says: give one of them another", 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Keys(c.changes)
			if c.says == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var bad *KeyError
			if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), c.says) || bad.Line != c.line {
				t.Fatalf("%v (line %v), want line %d: %s", err, bad, c.line, c.says)
			}
		})
	}
}

// changed opens the demo with other keys.
func changed(t *testing.T, w, h int, changes ...Key) *driver {
	t.Helper()
	return driveWith(t, Options{Path: "lesson:demo", Open: opener(nil)}, w, h, colours(), func(r *root) {
		if _, err := r.remap(changes); err != nil {
			t.Fatal(err)
		}
	})
}

// TestChangedKeyWorks: the new key does it, the old one no longer does, and
// everything that names the key names the new one.
func TestChangedKeyWorks(t *testing.T) {
	d := changed(t, 120, 36,
		Key{"anywhere", "undo", []string{"z", "alt+u"}, 1}, Key{"anywhere", "help", []string{"f1"}, 1}, Key{"anywhere", "replay", []string{"f2"}, 1},
		Key{"pass", "step", []string{"x"}, 1}, Key{"anywhere", "suspend", nil, 1}, Key{"knob", "more", []string{"."}, 1},
		Key{"anywhere", "mouse", []string{"ctrl+@"}, 1})
	d.has("x goes through them one by one")
	d.has("1 pass  f2 replay")
	d.has("z undo")
	d.has("f1 help")
	d.press("s")
	if d.s.step != whole {
		t.Error("the old key still steps")
	}
	d.press("x")
	if d.s.step != 1 {
		t.Error("the new key does not step")
	}
	d.press("u")
	if d.s.step != 1 {
		t.Error("the old key still undoes")
	}
	d.press("a")
	d.has("z takes it back")
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("u"), Alt: true})
	if len(d.s.applied) != 0 {
		t.Error("alt+u does not undo")
	}
	d.press("tab", ".")
	if d.s.policy.PreserveRecent != 5 {
		t.Error("the new key does not turn the knob")
	}
	d.press("esc", "f1")
	d.typed("take back the last change")
	d.matches(`z alt\+u\s+undo: take back`)
	d.press("esc", "f1")
	d.typed("suspend")
	d.matches(`\s{3,}suspend: go to the shell`)
	d.press("enter")
	if !said[tea.SuspendMsg](d) {
		t.Error("an action without a key cannot be run from the help")
	}
	d.press("f2")
	if d.screen().name() != "replay" {
		t.Error("the new key does not go to the Replay screen")
	}
	x, y := d.find("1 pass")
	d.click(x, y)
	x, y = d.find("f2 replay")
	d.click(x+len("f2 repla"), y)
	if d.screen().name() != "replay" {
		t.Error("a screen's name beside a longer key cannot be clicked")
	}
}

// everyKeyChanged is a change for each action of the table, to keys that occur in
// no sentence.
func everyKeyChanged(t *testing.T) []Key {
	t.Helper()
	table, err := Keys(nil)
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]int{}
	for i := range table {
		n := places[table[i].Place]
		places[table[i].Place]++
		table[i].Keys = []string{string(rune(0x2460 + 40*len(places) + n))}
	}
	return table
}

// TestEveryKeyChanges: every action of every place can have another key, and
// then has only that.
func TestEveryKeyChanges(t *testing.T) {
	r := changed(t, 120, 36, everyKeyChanged(t)...)
	for _, m := range r.everyMap() {
		for i := range m.bindings {
			b := &m.bindings[i]
			if m.find(b.keys[0]) != b || m.find("j") != nil || m.find("?") != nil {
				t.Errorf("%s/%s has the keys %q", m.title, b.name, b.keys)
			}
		}
	}
}

// oldKey is a sentence that says what a key does, and the footer's words for screens.
var oldKey = regexp.MustCompile(`(?m)([;:,(] |^ )([b-zA-Z%?/]|tab|space|enter|shift\+tab|ctrl\+[a-z]) ([a-z]+s|to [a-z ]+s) |a applies |\d (pass|replay|ladder|sweep)  `)

// TestSentencesNameTheKeysThereAre does everything that can be done on each
// screen while no action has the key it has by default: nothing that is said
// names one of those.
func TestSentencesNameTheKeysThereAre(t *testing.T) {
	keys := everyKeyChanged(t)
	for _, proof := range []string{"the whole pass; s goes through them", "undone; u takes it back ", " 1 pass  2 replay", "skipped: no summariser, w chooses one", "no rung; tab to the rungs turns one on"} {
		if !oldKey.MatchString(proof) {
			t.Errorf("%q is not found to name a key", proof)
		}
	}
	for at, name := range []string{"pass", "replay", "ladder", "sweep"} {
		start := func() *driver {
			d := changed(t, 160, 40, keys...)
			d.run(d.show(at))
			return d
		}
		d := start()
		if d.screen().name() != name {
			t.Fatalf("screen %d is %s", at, d.screen().name())
		}
		for i, m := range d.maps() {
			for j := range m.bindings {
				d := start()
				b := d.maps()[i].bindings[j]
				for range 2 {
					d.press(b.keys[0])
					if said := oldKey.FindString(d.plain()); said != "" && d.mode == browsing { // a prompt keeps its keys
						t.Errorf("%s, %s/%s: %q names an old key:\n%s", name, m.title, b.name, said, d.plain())
					}
				}
			}
		}
	}
}

// TestLongKeysFit: keys with long names never make a line too long, nor a screen.
func TestLongKeysFit(t *testing.T) {
	long := []string{"ctrl+shift+right", "ctrl+shift+left", "ctrl+shift+up", "ctrl+shift+down", "ctrl+shift+home", "ctrl+shift+end", "alt+ctrl+shift+end", "alt+shift+tab"}
	var changes []Key
	for i, action := range []string{"pass", "replay", "ladder", "sweep", "help", "quit", "undo", "copy"} {
		changes = append(changes, Key{"anywhere", action, long[i : i+1], i})
	}
	d := changed(t, 80, 24, changes...)
	for w := leastWidth; w <= 200; w += 7 {
		d.send(tea.WindowSizeMsg{Width: w, Height: 24})
		lines := strings.Split(d.View(), "\n")
		if len(lines) != 24 {
			t.Fatalf("%d lines at %d×24", len(lines), w)
		}
		for y, line := range lines {
			if n := ansi.StringWidth(line); n != w {
				t.Errorf("line %d is %d cells wide at %d: %q", y, n, w, ansi.Strip(line))
			}
		}
	}
	d.has("alt+ctrl+shift+end undo")
}
