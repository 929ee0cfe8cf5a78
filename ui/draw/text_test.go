package draw

import (
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// TestSimpleCharacters holds the short way of measuring against the long one.
func TestSimpleCharacters(t *testing.T) {
	n := 0
	for r := rune(0x80); r < 0x30000; r++ {
		w := simple(r)
		if w == 0 {
			continue
		}
		n++
		s := string(r)
		if got := ansi.StringWidth(s); got != w {
			t.Errorf("%U: %d cells, want %d", r, w, got)
		}
		for _, next := range []rune{'日', 'é', '─', 'カ', 'я', r} {
			if c, _ := ansi.FirstGraphemeCluster(s+string(next), ansi.GraphemeWidth); c != s {
				t.Errorf("%U joins %U", r, next)
			}
		}
		if got, hidden := Clean(s); got != s || hidden != 0 {
			t.Errorf("%U: cleaned to %q", r, got)
		}
		if unicode.In(r, unicode.M, unicode.C) {
			t.Errorf("%U is a mark or a control", r)
		}
	}
	if n < 20000 {
		t.Errorf("only %d simple characters", n)
	}
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "plain": 5, "日本": 4, "e\u0301": 1, "👨‍👩‍👧": 2, "❤️": 2, "🇩🇪": 2, "\x1b[1;31mred\x1b[0m": 3, "│ ▁▂ …": 6, "한국": 4, "क्षि": 1,
	} {
		if got := Width(s); got != want || ansi.StringWidth(s) != want {
			t.Errorf("Width(%q) = %d, want %d (x/ansi: %d)", s, got, want, ansi.StringWidth(s))
		}
	}
}

func FuzzWidth(f *testing.F) {
	for _, s := range []string{"plain", "日本\u0301", "👨‍👩‍👧é", "ᄀ각", "\u0600a", "─\u0301", "한\u11a8", "～ﾞ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
			return
		}
		if got, want := Width(s), ansi.StringWidth(s); got != want {
			t.Fatalf("Width(%q) = %d, x/ansi says %d", s, got, want)
		}
	})
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"threshold", 9, "threshold"}, {"threshold", 8, "thresho…"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"abc", 0, ""}, {"a b", 2, "a…"},
	} {
		if got := Truncate(c.in, c.max); got != c.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, in string
		width    int
		want     []string
	}{
		{"empty", "", 5, []string{""}},
		{"fits", "abc de", 6, []string{"abc de"}},
		{"at a space", "abc de", 5, []string{"abc", "de"}},
		{"at the last space that fits", "a b c d", 3, []string{"a b", "c d"}},
		{"long word", "abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"long word after a short one", "a bcdefg", 3, []string{"a", "bcd", "efg"}},
		{"lines of its own", "a\n\nb", 5, []string{"a", "", "b"}},
		{"indentation", "  return nil", 9, []string{"  return", "nil"}},
		{"indentation before a long word", "  abcdefgh", 5, []string{"  abc", "defgh"}},
		{"indentation wider than the line", "        a", 4, []string{"a"}},
		{"double spaces", "a  b", 9, []string{"a  b"}},
		{"spaces at the end", "abc   ", 3, []string{"abc"}},
		{"wide", "日本語", 4, []string{"日本", "語"}},
		{"wide in a line of one", "日本", 1, []string{"日", "本"}},
		{"accents stay", "e\u0301e\u0301", 1, []string{"e\u0301", "e\u0301"}},
		{"no width", "abc", 0, nil},
	} {
		if got := Wrap(c.in, c.width); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: Wrap(%q, %d) = %q, want %q", c.name, c.in, c.width, got, c.want)
		}
	}
}

func TestSlice(t *testing.T) {
	red, blue := "\x1b[31m", "\x1b[44m"
	for _, c := range []struct {
		name, in string
		from, to int
		want     string
	}{
		{"plain", "abcdef", 2, 4, "cd"},
		{"inside a style", red + "abcdef" + reset, 2, 4, red + "cd" + reset},
		{"two styles", red + "ab" + reset + blue + "cd" + reset, 1, 3, red + "b" + reset + blue + "c" + reset},
		{"styles outside leave nothing", red + "ab" + reset + "cd" + blue + "ef" + reset, 2, 4, "cd"},
		{"styles add up", red + blue + "ab", 1, 9, red + blue + "b" + reset},
		{"half a wide character", "日本語", 1, 5, " 本 "},
		{"other sequences are dropped", "a\x1b[2Jb", 0, 2, "ab"},
		{"short line", "ab", 1, 9, "b"},
	} {
		if got := slice(c.in, c.from, c.to); got != c.want {
			t.Errorf("%s: slice(%q, %d, %d) = %q, want %q", c.name, c.in, c.from, c.to, got, c.want)
		}
	}
}
