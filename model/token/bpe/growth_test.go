package bpe

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// hostile makes n bytes of each text that brings a tokenizer to its knees: runs
// that the split patterns do not bound, and text that splits or merges badly.
var hostile = map[string]func(n int) string{
	"one letter":        fill("a"),
	"spaces":            fill(" "),
	"line ends":         fill("\n"),
	"tabs":              fill("\t"),
	"CRLF":              fill("\r\n"),
	"mixed white space": fill(" \n\t\r\n"),
	"spaces and a word": fill(strings.Repeat(" ", 1000) + "x"),
	"equals signs":      fill("="),
	"apostrophes":       fill("'"),
	"apostrophe words":  fill("'s'll'x"),
	"slashes":           fill("//\n/"),
	"box drawing":       fill("─"),
	"zero width":        fill("\u200b"),
	"changing case":     fill("aAbB"),
	"capitals":          fill("ABCDEFG"),
	"capitals, one ª":   func(n int) string { return "ª" + fill("Q")(n) },
	"marks":             fill("\u0301"),
	"Han":               random(3, func(r *rand.Rand) string { return string(rune(0x4e00 + r.IntN(20000))) }),
	"one Thai letter":   fill("ก"),
	"random letters":    random(1, func(r *rand.Rand) string { return string(rune('a' + r.IntN(26))) }),
	"hexadecimal":       random(1, func(r *rand.Rand) string { return "0123456789abcdef"[r.IntN(16):][:1] }),
	"digits":            fill("1234567890"),
	"base64":            random(1, func(r *rand.Rand) string { return base64Digits[r.IntN(64):][:1] }),
	"random bytes":      random(1, func(r *rand.Rand) string { return string([]byte{byte(r.IntN(256))}) }),
	"emoji":             fill("👩‍👩‍👧🙂"),
	"special tokens":    fill("<|endoftext|>"),
	"bad UTF-8":         fill("\xf0\x9f"),
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

func fill(unit string) func(int) string {
	return func(n int) string { return strings.Repeat(unit, n/len(unit)) }
}

func random(size int, next func(*rand.Rand) string) func(int) string {
	return func(n int) string {
		r := rand.New(rand.NewPCG(17, 18))
		var b strings.Builder
		for range n / size {
			b.WriteString(next(r))
		}
		return b.String()
	}
}

// TestWorkGrowsWithTheText counts ten times as much of every hostile text and
// holds the moves in the heap, which do not depend on the machine, to about ten
// times as many: a heap's ten times and its one more level or three.
func TestWorkGrowsWithTheText(t *testing.T) {
	for name, e := range encodings {
		e.Load()
		w := newWorker(e)
		for kind, make := range hostile {
			few, many := moves(w, make(5_000)), moves(w, make(50_000))
			if many > 14*few+1000 {
				t.Errorf("%s, %s: %d moves in the heap, and %d for ten times the text", name, kind, few, many)
			}
		}
	}
}

func moves(w *worker, s string) int64 {
	w.forget()
	w.count(w.repair(s))
	return w.long.steps
}

// forget makes w as it was at first, but keeps its memory.
func (w *worker) forget() {
	w.recent = [1 << recentBits]recent{}
	clear(w.known.places)
	w.long.steps = 0
}
