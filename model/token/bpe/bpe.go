// Package bpe counts the tokens of OpenAI's o200k_base and cl100k_base encodings,
// exactly, without making them. Text is split into pieces by a scanner written by
// hand for the encoding's split pattern, a piece is looked up whole, and only what
// is no token is merged pair by pair. The ranks are those that the module
// tiktoken-go-loader embeds; nothing is ever fetched. Against tiktoken-go's
// EncodeOrdinary the counts are equal, at a small fraction of its time, and a long
// piece costs linearithmic instead of quadratic time.
package bpe

import (
	"runtime"
	"sync"
	"unicode/utf8"
)

// MaxPiece is the longest piece, in bytes, that is merged in one go. A longer one
// is merged in chunks of this size, which bounds the memory of a merge to about
// 3 MB and may count a few tokens too many (at most 0.12 percent was seen).
const MaxPiece = 64 << 10

// Encoding is one of the two vocabularies. Its ranks are read on first use; it is
// safe for concurrent use.
type Encoding struct {
	file  string // of the embedded ranks
	split func(c *classes, s string, i int) int

	load    sync.Once
	vocab   *vocabulary
	classes *classes

	mu   sync.Mutex
	idle []*worker
}

var (
	O200k  = &Encoding{file: "o200k_base.tiktoken", split: (*classes).o200k}
	Cl100k = &Encoding{file: "cl100k_base.tiktoken", split: (*classes).cl100k}
)

// Load reads the ranks, which takes tens of milliseconds the first time. Count
// does so by itself; a caller who knows that it will count can start early.
func (e *Encoding) Load() {
	e.load.Do(func() {
		e.vocab = newVocabulary(e.file)
		e.classes = newClasses()
	})
}

// Count is the number of tokens of s. Text that looks like a special token is
// ordinary text, and a byte that is not UTF-8 counts as U+FFFD. Once caches and
// scratch memory have grown it allocates nothing.
func (e *Encoding) Count(s string) int64 {
	if len(s) == 0 {
		return 0
	}
	e.Load()
	w := e.take()
	defer e.give(w)
	if !utf8.ValidString(s) {
		s = w.repair(s)
	}
	return w.count(s)
}

// Approximate reports whether s holds a piece longer than [MaxPiece], which makes
// its count an upper estimate.
func (e *Encoding) Approximate(s string) bool {
	if len(s) <= MaxPiece/len("\ufffd") {
		return false
	}
	e.Load()
	if !utf8.ValidString(s) {
		s = (&worker{}).repair(s)
	}
	for i := 0; i < len(s); {
		j := e.split(e.classes, s, i)
		if j-i > MaxPiece {
			return true
		}
		i = j
	}
	return false
}

// take lends a worker; as many are kept as can run at once.
func (e *Encoding) take() *worker {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.idle); n > 0 {
		w := e.idle[n-1]
		e.idle = e.idle[:n-1]
		return w
	}
	return newWorker(e)
}

func (e *Encoding) give(w *worker) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.idle) < runtime.GOMAXPROCS(0) {
		e.idle = append(e.idle, w)
	}
}
