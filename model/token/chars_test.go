package token

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// awkward holds text at the edges of UTF-8: shortest and longest forms of each
// length, and everything that must count byte by byte.
var awkward = []string{
	"", "a", "é", "漢", "🙂", "\u0000", "\u007f", "\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff",
	"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2a", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xe0\xa0", "\xed\xa0\x80", "\xed\xbf\xbf",
	"\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xff", "\xfe",
	"12345678", "1234567é", "12345é78", "é2345678é", "漢字漢字漢字", "🙂🙂🙂", "ab\xffcd\xfe", "日本\xe6\x9c",
}

// inUTF16 is the length of s in UTF-16 the slow way.
func inUTF16(s string) int64 { return int64(len(utf16.Encode([]rune(s)))) }

func TestCharactersAgreeWithTheStandardLibrary(t *testing.T) {
	check := func(s string) {
		t.Helper()
		if got, want := Runes(s), int64(utf8.RuneCountInString(s)); got != want {
			t.Fatalf("Runes(%q) = %d, want %d", s, got, want)
		}
		if got, want := utf16Units(s), inUTF16(s); got != want {
			t.Fatalf("utf16Units(%q) = %d, want %d", s, got, want)
		}
	}
	for _, a := range awkward {
		check(a)
		for _, b := range awkward {
			check(a + b)
			check("padding!" + a + b + "and more after it")
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(awkward[r.IntN(len(awkward))])
		}
		check(b.String())
	}
}

func FuzzCharacters(f *testing.F) {
	for _, s := range awkward {
		f.Add(s + "padding!" + s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := Runes(s), int64(utf8.RuneCountInString(s)); got != want {
			t.Errorf("Runes(%q) = %d, want %d", s, got, want)
		}
		if got, want := utf16Units(s), inUTF16(s); got != want {
			t.Errorf("utf16Units(%q) = %d, want %d", s, got, want)
		}
	})
}

// BenchmarkCharacters reports how many times faster Runes is than
// utf8.RuneCountInString over the same bytes in the same run.
func BenchmarkCharacters(b *testing.B) {
	for _, in := range []struct{ name, unit string }{
		{"ascii", "the quick brown fox jumps over the lazy dog, twice a day; "},
		{"accents", "Tout à l'heure, l'élève a été très étonné de ça. "},
		{"han", "人工智能正在改变软件开发的方式,每个人都能看到。"},
		{"emoji", "🙂🚀🎉👍🏽 ✅ "},
	} {
		s := strings.Repeat(in.unit, 1<<20/len(in.unit))
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			ratioTo(b, func() { sink = Runes(s) }, func() { sink = int64(utf8.RuneCountInString(s)) }, "x-vs-RuneCountInString")
		})
	}
}
