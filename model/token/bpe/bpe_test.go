package bpe

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// alphabet holds what the split patterns tell apart: every class of letter, marks,
// numbers, all white space, contractions, symbols of one to four bytes, and bytes
// that are not UTF-8.
var alphabet = []string{
	"a", "b", "z", "s", "t", "l", "e", "v", "A", "B", "Z", "S", "É", "é", "ß", "ſ", "ж", "Ж", "ǅ", "ʰ", "ª", "漢", "字", "あ", "ア", "ก", "ה", "ا",
	"\u0301", "\u0e34", "\u20dd", "\u0903", "1", "2", "9", "٣", "½", "Ⅷ", "²", " ", " ", "  ", "\t", "\n", "\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u00a0",
	"\u2003", "\u2028", "\u3000", "\u200b", "\ufeff", "'", "'s", "'T", "'re", "'VE", "'ll", "'LL", "'m", "'d", "'x", "’s", "/", "//", ".", ",", "!", "?", "-", "_", "=", "(", "{", "\"", "\\",
	"<|endoftext|>", "<|fim_prefix|>", "€", "─", "🙂", "👩‍👩‍👧", "🇩🇪", "𝒜", "𐐀", "𐐨", "\x00", "\x7f", "\x80", "\xff", "\xe2\x82", "\xf0\x9f", "\xc3", "the", " the", "Hello", "JSON", "camelCase",
}

func TestCountsWhatTheLibraryCounts(t *testing.T) {
	for _, s := range []string{
		"", "a", "Hello, world!", "It's HE'S we'Re they'LL I'd 'section 'S", "camelCaseWordsAndHTTPServers", "ABCdef ABC DEF\u0301 \u0301ABC \u0301abc \u0301'sA",
		"12 123 1234 12345678 ٣٣٣٣ ½½½½", " \n \n", "\n \n", "a \n b", "a  b", "a   \t b", "  lead", "trail  ", "tab\tb", "\u00a0x \u3000x", "x\r\n\r\ny", "!\n\n/x", "//\n/ x", "!!\u0301\u0301",
		"<|endoftext|><|fim_prefix|> <|endofprompt|>", "a\x7fb", "\x00\x00", "bad \xff\xfe utf\xe2\x82 end\xf0\x9f", "naïve café Ünïcode ﬁ", "日本語のテキストと漢字、カナ。", "ภาษาไทยไม่มีช่องว่าง", "שלום עולם مرحبا بالعالم", "हिन्दी में पाठ",
		"👩‍👩‍👧 🇩🇪 👍🏽 🙂🙂🙂", "func main() {\n\tfmt.Println(\"hi\")\n}\n", `{"path":"a/b","n":[1,2.5,null],"s":"\u00e9\n"}`, "ǅungla ʰa ªb ßẞ",
	} {
		agree(t, s)
	}
}

func TestRandomTextCountsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 6000 {
		var b strings.Builder
		for range r.IntN(20) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		agree(t, b.String())
	}
}

func FuzzCount(f *testing.F) {
	for i := range alphabet {
		f.Add(strings.Join(alphabet[i:min(i+7, len(alphabet))], ""))
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) <= 600 { // the library is quadratic in long pieces
			agree(t, s)
		}
	})
}

// TestGoldenCounts holds counts made with another implementation, the WebAssembly
// build of OpenAI's own tiktoken.
func TestGoldenCounts(t *testing.T) {
	repeat := strings.Repeat
	for _, tc := range []struct {
		name, text    string
		o200k, cl100k int64
	}{
		{"prose", "The context window fills up, and something has to give: the oldest tool results go first.\n\nIt's what we'd expect; they're the ones that won't be read again.", 33, 37},
		{"code", "func (h *heap) down(k int) {\n\tfor 2*k+1 < len(h.queue) {\n\t\tk = 2*k + 1 // left child\n\t}\n}\n", 39, 39},
		{"JSON", `{"type":"tool_use","id":"toolu_01ABC","name":"Read","input":{"file_path":"/srv/app/main.go","limit":200}}` + "\n", 33, 32},
		{"Han", "人工智能正在改变软件开发的方式,每个人都能看到。", 15, 23},
		{"Japanese", "トークンを数えるのは難しくない。でも、速く数えるのは難しい。", 22, 31},
		{"Thai", "การนับโทเค็นไม่ใช่เรื่องยาก", 13, 23},
		{"Arabic", "عدّ الرموز ليس صعبًا، لكن عدّها بسرعة صعب.", 17, 35},
		{"Russian", "Считать токены нетрудно, трудно считать их быстро.", 13, 24},
		{"emoji", "🙂🚀🎉👍🏽 👩‍👩‍👧 🇩🇪 ✅", 21, 34},
		{"capitals", "HTTPServer XMLHttpRequest ABC'S iOS eBPF ÉCOLE ǅungla", 19, 17},
		{"white space", "a  b\t\tc \n \n  d\r\n\r\n\te   ", 11, 11},
		{"numbers", "3.14159 1000000 2026-11-30 0x7f ½ ٣٤٥", 26, 29},
		{"special tokens", "<|endoftext|> and <|fim_prefix|>, just text", 16, 16},
		{"control characters", "a\x00b\x7fc\x01", 6, 6},
		{"contractions", "I'M you'RE he'LL 'tis 'section can't'd've", 15, 16},
		{"marks", "e\u0301 A\u0301BC \u0301x\u0301 'n\u0303s", 13, 14},
		{"one letter", repeat("a", 6000), 750, 750},
		{"spaces", repeat(" ", 6000), 48, 48},
		{"line ends", repeat("\n", 6000), 375, 188},
		{"equals signs", repeat("=", 6000), 94, 94},
		{"box drawing", repeat("─", 2000), 125, 250},
		{"changing case", repeat("aAbB", 1500), 3001, 3001},
		{"CRLF", repeat("\r\n", 3000), 750, 750},
		{"one Thai letter", repeat("ก", 2000), 2000, 2000},
		{"combining marks", repeat("\u0301", 3000), 3000, 3000},
		{"mixed white space", repeat(" \n\t\r\n", 1200), 2400, 2400},
		{"zero width", repeat("\u200b", 2000), 500, 1000},
		{"digits", repeat("1234567890", 600), 2000, 2000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := O200k.Count(tc.text); got != tc.o200k {
				t.Errorf("o200k: %d tokens, want %d", got, tc.o200k)
			}
			if got := Cl100k.Count(tc.text); got != tc.cl100k {
				t.Errorf("cl100k: %d tokens, want %d", got, tc.cl100k)
			}
		})
	}
}

// TestRealTextCountsTheSame goes through code, prose and a session in slices, some
// of which cut a character in two.
func TestRealTextCountsTheSame(t *testing.T) {
	for _, s := range inputs() {
		for i := 0; i+3001 < len(s); i += 90_000 {
			agree(t, s[i:i+3001])
		}
	}
}

func TestRandomBytesCountTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		b := make([]byte, r.IntN(500))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		agree(t, string(b))
	}
}

// TestWordsOfEveryLength sends words through each way a piece is counted: by its
// own bytes, by a hash, with and without being remembered, over the short merge
// and the heap.
func TestWordsOfEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := 1; n < 300; n++ {
		b := make([]byte, n)
		for i := range b {
			b[i] = 'a' + byte(r.IntN(26))
		}
		agree(t, string(b))
		agree(t, "Ü"+string(b)) // the same word once more, known by now
	}
}

// TestRememberedPiecesStayRight counts far more different pieces than are
// remembered, so that the ring goes round, and then the first ones again.
func TestRememberedPiecesStayRight(t *testing.T) {
	texts := make([]string, 9000)
	r := rand.New(rand.NewPCG(11, 12))
	for i := range texts {
		b := make([]byte, 17+r.IntN(240))
		for k := range b {
			b[k] = 'a' + byte(r.IntN(26))
		}
		texts[i] = string(b)
	}
	O200k.Load()
	w := newWorker(O200k)
	want := make([]int64, len(texts))
	for i, s := range texts {
		want[i] = w.merge(w.vocab, s, 0, len(s))
	}
	for round := range 2 {
		for i, s := range texts {
			if got := w.count(s); got != want[i] {
				t.Fatalf("round %d: %q: %d tokens, want %d", round, s, got, want[i])
			}
		}
	}
	if w.known.head <= ringSize {
		t.Fatal("the ring never went round")
	}
}

func TestCutAddsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for name, e := range encodings {
		check := func(s string, near int) {
			t.Helper()
			cut := Cut(s, near)
			if cut < near {
				t.Fatalf("cut at %d, before %d", cut, near)
			}
			if got, want := e.Count(s[:cut])+e.Count(s[cut:]), e.Count(s); got != want {
				t.Fatalf("%s: %q and %q are %d tokens, together %d", name, s[:cut], s[cut:], got, want)
			}
		}
		for range 20000 {
			var b strings.Builder
			for range r.IntN(14) {
				b.WriteString(alphabet[r.IntN(len(alphabet))])
			}
			check(b.String(), r.IntN(b.Len()+1))
		}
		for _, s := range inputs() {
			var sum int64
			rest := s[:200_000]
			for len(rest) > 0 {
				n := Cut(rest, 37)
				sum, rest = sum+e.Count(rest[:n]), rest[n:]
			}
			if want := e.Count(s[:200_000]); sum != want {
				t.Errorf("%s: the parts are %d tokens, the whole %d", name, sum, want)
			}
		}
	}
}

func TestLongPiecesAreMergedInChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	random := make([]byte, 3*MaxPiece)
	for i := range random {
		random[i] = 'a' + byte(r.IntN(26))
	}
	for name, e := range encodings {
		for _, s := range []string{string(random), strings.Repeat("─", MaxPiece), strings.Repeat("字", MaxPiece)} {
			if !e.Approximate("short " + s) {
				t.Errorf("%s: %d bytes in one piece are not called approximate", name, len(s))
			}
			w := newWorker(e)
			exact, got := w.long.merge(e.vocab, s), e.Count(s)
			if got < exact || float64(got-exact) > 0.005*float64(exact) {
				t.Errorf("%s: %d tokens in chunks, %d in one", name, got, exact)
			}
		}
		whole := strings.Repeat("a", MaxPiece)
		if e.Approximate(whole) || e.Approximate(strings.Repeat("words and more ", 20_000)) {
			t.Errorf("%s: a count is called approximate that is exact", name)
		}
	}
}

func TestCountAllocatesNothingWhenWarm(t *testing.T) {
	for name, e := range encodings {
		for kind, s := range map[string]string{
			"session": inputs()["session"][:200_000], "one letter": strings.Repeat("a", 100_000), "invalid UTF-8": strings.Repeat("ab\xff ", 1000),
		} {
			e.Count(s)
			if n := testing.AllocsPerRun(5, func() { e.Count(s) }); n != 0 {
				t.Errorf("%s, %s: %v allocations a count", name, kind, n)
			}
		}
	}
}

func TestCountFromManyGoroutines(t *testing.T) {
	s := inputs()["session"][:100_000]
	want := O200k.Count(s)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 3 {
				if got := O200k.Count(s); got != want {
					t.Errorf("%d tokens, want %d", got, want)
				}
			}
		})
	}
	all.Wait()
}
