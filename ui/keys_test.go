package ui

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// TestKeysArrive: no binding rests on a key that terminals and what runs in them
// keep for themselves or send as another, and none of those that do not arrive
// everywhere is the only one.
func TestKeysArrive(t *testing.T) {
	never := map[string]string{
		"ctrl+s": "flow control", "ctrl+q": "flow control", "ctrl+a": "the prefix of screen", "ctrl+b": "the prefix of tmux",
		"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+h": "backspace in some terminals", "ctrl+@": "no key of many layouts",
	}
	some := func(k string) bool {
		arrow := strings.HasSuffix(k, "left") || strings.HasSuffix(k, "right") || strings.HasSuffix(k, "up") || strings.HasSuffix(k, "down")
		return strings.Contains(k, "+") && arrow || strings.HasPrefix(k, "alt+") || strings.HasPrefix(k, "f") && len(k) > 1
	}
	for where, at := range keyPlaces(t) {
		for _, m := range at.maps(at.open(t)) {
			for _, b := range m.bindings {
				for _, k := range b.keys {
					if why := never[k]; why != "" {
						t.Errorf("%s: %s is bound to %s, which is %s", where, b.name, k, why)
					}
				}
				if !slices.ContainsFunc(b.keys, func(k string) bool { return !some(k) }) {
					t.Errorf("%s: %s has only %v, which do not arrive everywhere", where, b.name, b.keys)
				}
			}
		}
	}
}

func TestBurstIsSplit(t *testing.T) {
	d := demo(t, 120, 36)
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjj")})
	if d.pass().cursor != 3 {
		t.Errorf("jjj in one read moves to row %d, want 3", d.pass().cursor)
	}
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/fair")})
	if d.mode != asking || d.prompt.input.Value() != "fair" {
		t.Error("a burst that opens a prompt does not go on in it")
	}
}

func TestPasteIsForInputsOnly(t *testing.T) {
	d := demo(t, 120, 36)
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("qa"), Paste: true}
	before := d.View()
	d.send(paste)
	if d.quit || d.View() != before {
		t.Error("pasted text runs keys")
	}
	d.press("/")
	d.send(paste)
	if got := d.prompt.input.Value(); got != "qa" {
		t.Errorf("pasted into a prompt: %q", got)
	}
}

func TestLeakedReportsAreDropped(t *testing.T) {
	for text, want := range map[string]bool{
		"[<65;40;12M": true, "<0;1;1m": true, "65;40;12M[<65;40;13M": true, "11;rgb:1e1e/1e1e/1e1e": true,
		"jjj": false, "12": false, "[[": false, ";": false, "a;b": false,
	} {
		if got := leaked(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)}); got != want {
			t.Errorf("leaked(%q) = %v", text, got)
		}
	}
	d := demo(t, 120, 36)
	d.press("/")
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("[<65;40;12M")})
	if got := d.prompt.input.Value(); got != "" {
		t.Errorf("a mouse report came through as text: %q", got)
	}
}

func TestEscNeverQuits(t *testing.T) {
	d := demo(t, 120, 36)
	d.press("s", "/", "f", "enter", "f", "c", "tab", "enter", "esc")
	for range 8 {
		d.press("esc")
	}
	if d.quit || d.pass().filter != nil || d.pass().search.query != "" || d.s.step != whole {
		t.Error("esc does not lead back to where everything began")
	}
	d.press("q")
	if !d.quit {
		t.Error("q does not quit")
	}
}

// TestQuitClosesWhatCovers: q closes a message, a help, a menu or a choice that
// covers the screen before it quits.
func TestQuitClosesWhatCovers(t *testing.T) {
	for what, keys := range map[string][]string{"a message": {"enter"}, "a message of the replay": {"2", "enter"}, "a menu": {"y"}, "the sessions": {"O"}, "the conversations": {"T"}} {
		d := demo(t, 80, 24)
		before := d.plain()
		if keys[0] == "2" {
			d.press("2")
			before = d.plain()
		}
		d.press(keys...)
		if d.plain() == before {
			t.Fatalf("%s covers nothing", what)
		}
		d.press("q")
		if d.quit || d.plain() != before {
			t.Errorf("q over %s shows\n%s", what, d.plain())
		}
		d.press("q")
		if !d.quit {
			t.Errorf("a second q over %s does not quit", what)
		}
	}
	d := demo(t, 120, 36) // where a message covers nothing
	d.press("enter", "q")
	if !d.quit {
		t.Error("q beside a message does not quit")
	}
}

func TestCtrlCQuitsFromAnywhere(t *testing.T) {
	for _, keys := range [][]string{nil, {"/"}, {"?"}, {"y"}} {
		d := demo(t, 120, 36)
		d.press(append(keys, "ctrl+c")...)
		if !d.quit {
			t.Errorf("ctrl+c does not quit after %v", keys)
		}
	}
}

func TestHelpFindsAndRuns(t *testing.T) {
	d := demo(t, 120, 36)
	d.press("?")
	d.typed("undo")
	if !strings.Contains(d.plain(), "take back the last change") {
		t.Errorf("the help does not show what was searched for:\n%s", d.plain())
	}
	d.press("esc", "?")
	d.typed("ctrl+r") // by the key
	d.has("do again what undo took back")
	d.press("esc", "m")
	d.press("?")
	d.typed("mouse")
	d.has("shift+drag (option on a Mac) selects")
	d.press("esc", "?")
	d.typed("step")
	d.press("enter")
	if d.s.step != 1 {
		t.Errorf("enter in the help did not take a step: %d", d.s.step)
	}
}

func TestKeysPageIsFresh(t *testing.T) {
	var page bytes.Buffer
	KeyTable(&page)
	have, err := os.ReadFile("../docs/keys.md")
	if err != nil || page.String() != string(have) {
		t.Errorf("docs/keys.md is not what the key table says (%v): make docs writes it", err)
	}
	for where, at := range keyPlaces(t) {
		for _, m := range at.maps(at.open(t)) {
			for _, b := range m.bindings {
				row := fmt.Sprintf("| %s | %s |\n", b.name, b.about)
				if b.name == "" || b.about == "" || !strings.Contains(page.String(), row) {
					t.Errorf("%s: %v is not explained", where, b.keys)
				}
			}
		}
	}
}
