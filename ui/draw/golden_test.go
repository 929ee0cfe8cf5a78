package draw

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what is drawn to testdata, to be looked at before it is committed")

// TestGolden compares a screen of every widget with what was looked at and
// found good, over sizes and over themes, profiles and glyph sets. Escape is
// written as \e, and a bar ends each line.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		w       int
		theme   ThemeName
		profile Profile
		set     GlyphSet
	}{
		{30, Dark, Plain, UTF8}, {40, Dark, Plain, UTF8}, {80, Dark, Plain, UTF8}, {120, Dark, Plain, UTF8}, {200, Dark, Plain, UTF8},
		{80, Dark, Plain, Safe}, {80, Dark, Plain, ASCII}, {80, Dark, Plain, Braille},
		{80, Mono, Attributes, UTF8}, {80, Dark, ANSI16, UTF8}, {80, Light, ANSI16, UTF8}, {80, Dark, ANSI256, UTF8}, {80, Light, ANSI256, UTF8},
		{80, HighContrast, ANSI256, UTF8}, {80, Dark, TrueColour, UTF8}, {80, Light, TrueColour, UTF8},
	} {
		name := fmt.Sprintf("%d-%v-%v-%v.golden", c.w, c.theme, c.profile, c.set)
		lines := show(NewLook(c.theme, c.profile, c.set), c.w, 0)
		got := strings.ReplaceAll(strings.Join(lines, "|\n")+"|\n", "\x1b", `\e`)
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got == string(want) {
			continue
		}
		g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range min(len(g), len(w)) {
			if g[i] != w[i] {
				t.Errorf("%s:%d\n%s\nwant\n%s", name, i+1, g[i], w[i])
				break
			}
		}
		if len(g) != len(w) {
			t.Errorf("%s: %d lines, want %d", name, len(g), len(w))
		}
	}
}
