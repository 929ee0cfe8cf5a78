package draw

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		hidden         int
	}{
		{"plain", "func main() {\n}", "func main() {\n}", 0},
		{"colour", "\x1b[31mred\x1b[0m", "red", 2},
		{"cursor report", "a\x1b[6nb", "ab", 1},
		{"title, BEL", "\x1b]0;owned\x07ok", "ok", 1},
		{"clipboard, ST", "\x1b]52;c;aGk=\x1b\\ok", "ok", 1},
		{"link", "\x1b]8;;https://a\x1b\\text\x1b]8;;\x1b\\", "text", 2},
		{"device control", "\x1bPtmux;\x1b\x1b[2J\x1b\\ok", "ok", 1},
		{"title never ended", "a\x1b]0;x\nnext line", "a\nnext line", 1},
		{"private string never ended", "a\x1b_x", "a", 1},
		{"terminal reset", "a\x1bcb", "ab", 1},
		{"character set", "\x1b(0lqk", "lqk", 1},
		{"escape at the end", "a\x1b", "a␛", 1},
		{"escape before a letter beyond ASCII", "\x1bé", "␛é", 1},
		{"8-bit control sequence, raw", "a\x9b2Jb", "ab", 1},
		{"8-bit control sequence, as a character", "a\u009b2Jb", "ab", 1},
		{"8-bit title, raw", "a\x9d0;x\x9cb", "ab", 1},
		{"8-bit title, as characters", "a\u009d0;x\u009cb", "ab", 1},
		{"8-bit, alone", "a\u0084b", "ab", 1},
		{"continuation byte 9b inside a character", "雛2J", "雛2J", 0},
		{"bell and backspace", "a\x07\x08", "a␇␈", 2},
		{"delete and null", "\x7f\x00", "␡␀", 2},
		{"line ends", "a\r\nb\rc\nd", "a\nb␍c\nd", 1},
		{"line separators", "a\u2028b\u2029c\u0085d", "a\nb\nc\nd", 0},
		{"tabs", "\ta\tb\n日\tc", "    a   b\n日  c", 0},
		{"right-to-left override", "a\u202eb", "a‹U+202E›b", 1},
		{"isolates and marks", "\u2066\u200e\u061c", "‹U+2066›‹U+200E›‹U+061C›", 3},
		{"zero-width spaces", "a\u200b\u200b\u200bb", "a‹U+200B ×3›b", 3},
		{"byte order mark", "\ufeffa", "‹U+FEFF›a", 1},
		{"tag characters", "a\U000e0068\U000e0069b", "a‹tags:hi›b", 2},
		{"variation selectors as a channel", "a\U000e0101\U000e0102\U000e0103", "a‹3 variation selectors›", 3},
		{"one variation selector", "❤\ufe0f", "❤", 0},
		{"joined emoji", "👨\u200d👩\u200d👧", "👨👩👧", 0},
		{"skin tone", "👍🏽", "👍", 0},
		{"flag", "🇩🇪", "DE", 0},
		{"key cap", "1\ufe0f\u20e3", "1", 0},
		{"joiner between letters", "a\u200db", "a‹U+200D›b", 1},
		{"joiner that shapes letters", "می\u200cخواهم", "میخواهم", 0},
		{"accents stay", "e\u0301", "e\u0301", 0},
		{"a tower of accents", "e" + strings.Repeat("\u0301", 9), "e" + strings.Repeat("\u0301", 4), 5},
		{"invalid UTF-8", "a\xffb\xc3", "a\ufffdb\ufffd", 0},
		{"soft hyphen", "a\u00adb", "a‹U+00AD›b", 1},
	} {
		got, hidden := Clean(c.in)
		if got != c.want || hidden != c.hidden {
			t.Errorf("%s: Clean(%q) = %q, %d; want %q, %d", c.name, c.in, got, hidden, c.want, c.hidden)
		}
	}
}

// TestNothingTurnsTextAround: every character that turns text around, or is not
// seen, is shown by its code, wherever it stands.
func TestNothingTurnsTextAround(t *testing.T) {
	var all []rune
	for _, span := range [][2]rune{{0x200b, 0x200b}, {0x200e, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x2064}, {0x2066, 0x206f}, {0x61c, 0x61c}, {0xfeff, 0xfeff}, {0xad, 0xad}, {0x180e, 0x180e}} {
		for r := span[0]; r <= span[1]; r++ {
			all = append(all, r)
		}
	}
	for _, r := range all {
		for name, in := range map[string]string{"alone": "%", "inside": "a%b", "first": "%b", "last": "a%"} {
			want := strings.Replace(in, "%", fmt.Sprintf("‹U+%04X›", r), 1)
			got, hidden := Clean(strings.Replace(in, "%", string(r), 1))
			if got != want || hidden != 1 {
				t.Errorf("%U %s: %q, %d hidden; want %q", r, name, got, hidden, want)
			}
		}
	}
}

func TestCleanASCII(t *testing.T) {
	g := GlyphsOf(ASCII)
	for in, want := range map[string]string{
		"a\x1b\x07": `a\x1b\x07`, "caf\u00e9": "caf?", "日本": "????", "a\u202eb": "a<U+202E>b", "e\u0301": "e",
		"a\u200b\u200b": "a<U+200B x2>", "\U000e0068": "<tags:h>",
	} {
		if got, _ := g.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCleanCapsALine(t *testing.T) {
	got, _ := Clean(strings.Repeat("x", maxLine+1200) + "\nnext")
	if want := " … 1,200 more characters\nnext"; !strings.HasSuffix(got, want) || len(got) != maxLine+len(want) {
		t.Errorf("ends in %q after %d bytes", got[len(got)-40:], len(got))
	}
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		name, in string
		max      int
		want     string
	}{
		{"fits", "3 matches", 9, "3 matches"},
		{"cut", "3 matches", 8, "3 match…"},
		{"cut at a space", "3 matches", 3, "3…"},
		{"white space", "  a\n\n\tb\u00a0 c  ", 9, "a b c"},
		{"only white space", " \n ", 9, ""},
		{"white space after what fits", "abc   \n", 3, "abc"},
		{"wide", "日本語", 6, "日本語"},
		{"wide, cut", "日本語", 5, "日本…"},
		{"wide, never split", "日本語", 4, "日…"},
		{"one cell", "日本語", 1, "…"},
		{"no cell", "abc", 0, ""},
		{"accent kept with its letter", "abe\u0301d", 4, "abe\u0301d"},
		{"escapes do not count", "\x1b[31mabc\x1b[0m", 3, "abc"},
		{"code of a hidden character", "\u202eab", 5, "‹U+2…"},
	} {
		if got := Line(c.in, c.max); got != c.want {
			t.Errorf("%s: Line(%q, %d) = %q, want %q", c.name, c.in, c.max, got, c.want)
		}
	}
}

func TestLineReadsOnlyWhatItNeeds(t *testing.T) {
	long := "日" + strings.Repeat("abc ", 1<<20)
	if n := testing.AllocsPerRun(5, func() { Line(long, 80) }); n > 8 {
		t.Errorf("%v allocations for a preview of 4 MB", n)
	}
	if n := testing.AllocsPerRun(5, func() { Line("already clean", 80); Clean("already\nclean") }); n != 0 {
		t.Errorf("%v allocations for clean ASCII", n)
	}
}

// checkClean holds shown text against what a terminal may be sent.
func checkClean(t *testing.T, in, out string, lines bool) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Fatalf("invalid UTF-8 from %q: %q", in, out)
	}
	for _, r := range out {
		switch {
		case r == '\n' && lines:
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x2028 && r <= 0x202e, r >= 0xfe00 && r <= 0xfe0f,
			r >= 0xe0000 && r <= 0xe0fff, unicode.Is(unicode.Cf, r):
			t.Fatalf("%U from %q: %q", r, in, out)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{
		"plain", "\x1b[31mred", "\x1b]0;t\x07", "a\r\nb\tc", "\u202e\u200b", "\U000e0041", "e\u0301\u0302", "👨‍👩‍👧🏽🇩🇪", "\x9b2J\xc2\x9b",
		"\x1bP\x1b\\", "\ufe0f\U000e0101", "\u0600a", "\u0d4e ", "ᄀ각", "\u1160\u3164", "क्षि", "\xff\xfe", "…",
	} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, in string, n int) {
		for _, set := range []GlyphSet{UTF8, ASCII} {
			g := GlyphsOf(set)
			out, hidden := g.Clean(in)
			checkClean(t, in, out, true)
			if again, more := g.Clean(out); again != out || more != 0 && len(in) < maxLine {
				t.Fatalf("cleaning %q twice: %q, then %q", in, out, again)
			}
			if hidden < 0 || set == ASCII && !isPlain(out, true) {
				t.Fatalf("Clean(%q) = %q, %d", in, out, hidden)
			}
			n = clamp(n, 0, 200)
			one := g.Line(in, n)
			checkClean(t, in, one, false)
			if w := Width(one); w > n || Width("│"+one+"│") != w+2 || Width(" "+one+" ") != w+2 {
				t.Fatalf("Line(%q, %d) = %q takes %d cells", in, n, one, w)
			}
			for _, l := range Wrap(out, n) {
				if w := Width(l); w > max(n, 2) {
					t.Fatalf("Wrap(%q, %d) has %q of %d cells", out, n, l, w)
				}
			}
			if n > 0 && strings.Join(strings.Fields(strings.Join(Wrap(out, n), "")), "") != strings.Join(strings.Fields(out), "") {
				t.Fatalf("Wrap(%q, %d) lost text", out, n)
			}
		}
	})
}
