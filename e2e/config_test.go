//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestConfiguration: the file in its usual place gives a key to an action, which
// footer and help show and the keyboard obeys; one that cannot be is refused
// before the screen is taken.
func TestConfiguration(t *testing.T) {
	s := terminal(t, 120, 36)
	file := filepath.Join(s.Home(), ".config", "cinch", "config.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("mouse = false\n[keys.anywhere]\nundo = \"z\"\n[keys.pass]\napply = [\"f5\", \"ctrl+a\"]\n")
	s.Command("cinch lesson:demo")
	s.Wait(drawn)
	s.Wait(`f5 apply  z undo`)
	if s.Is("mouse_any_flag") {
		t.Error("the mouse is taken though the file leaves it to the terminal")
	}
	s.Keys("F5")
	s.Wait(`z takes it back`)
	s.Wait(`\b9 messages`)
	s.Type("u")
	s.Keys("z")
	s.Wait(`69 messages`)
	s.Keys("C-a")
	s.Wait(`\b9 messages`)
	s.Keys("?")
	s.Type("make what the pass leaves")
	s.Wait(`f5 ctrl\+a +apply:`)
	s.Keys("Escape")
	s.WaitGone(`search:`)
	s.Keys("q")
	closed(t, s)

	write("[keys.anywhere]\nundo = \"s\"\n")
	s.Command("cinch lesson:demo")
	s.Wait(`config.toml:2: keys.anywhere.undo: s is the key of step in pass`)
	s.Wait(`^\[2\]\$`)
	if s.Is("alternate_on") {
		t.Error("the screen was taken")
	}
}
