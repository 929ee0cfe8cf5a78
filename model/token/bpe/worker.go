package bpe

import "unicode/utf8"

// worker counts one text at a time with memory of its own.
type worker struct {
	*Encoding
	recent [1 << recentBits]recent
	known  cache
	short  [shortPiece + 1]part
	long   heap
	valid  []byte // the text with its invalid bytes replaced
}

func newWorker(e *Encoding) *worker { return &worker{Encoding: e} }

// count is the tokens of valid UTF-8.
func (w *worker) count(s string) (tokens int64) {
	v := w.vocab
	for i := 0; i < len(s); {
		j := w.split(w.classes, s, i)
		switch n := j - i; {
		case n == 1:
			tokens++
		case n <= MaxPiece:
			tokens += w.piece(v, s, i, j)
		default:
			tokens += w.chunks(v, s, i, j)
		}
		i = j
	}
	return tokens
}

// recent is a piece of up to 16 bytes that was counted not long ago: its first
// bytes, its last, and its length say which.
type recent struct {
	first, last  uint64
	size, tokens uint32
}

// recentBits makes 16,384 pieces, 384 KB, which a processor keeps close.
const recentBits = 14

// piece is the tokens of the piece s[i:j].
func (w *worker) piece(v *vocabulary, s string, i, j int) int64 {
	n := j - i
	if n > 16 {
		return w.longer(v, s, i, j, hash(s, i, j))
	}
	key := recent{size: uint32(n)}
	h := uint64(n) * mixer
	if n <= 8 {
		key.last = tail(s, i, j)
		h = fold(h ^ key.last)
	} else {
		key.first, key.last = load(s, i), load(s, j-8)
		h = fold(fold(h^key.first) ^ key.last)
	}
	r := &w.recent[h>>(64-recentBits)]
	if r.first != key.first || r.last != key.last || r.size != key.size {
		key.tokens = uint32(w.longer(v, s, i, j, h))
		*r = key
	}
	return int64(r.tokens)
}

// longer is the tokens of s[i:j], whose hash is h.
func (w *worker) longer(v *vocabulary, s string, i, j int, h uint64) int64 {
	if v.rank(s, i, j, h) != none {
		return 1
	}
	if j-i > maxKey {
		return w.merge(v, s, i, j)
	}
	if n, ok := w.known.get(s, i, j, h); ok {
		return n
	}
	n := w.merge(v, s, i, j)
	w.known.put(s, i, j, h, n)
	return n
}

// chunks is about the tokens of a piece that is too long to be merged in one go.
func (w *worker) chunks(v *vocabulary, s string, i, j int) (tokens int64) {
	for j-i > MaxPiece {
		cut := i + MaxPiece
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		tokens += w.merge(v, s, i, cut)
		i = cut
	}
	return tokens + w.merge(v, s, i, j)
}

// repair is s with every invalid byte replaced by U+FFFD, in the worker's memory.
func (w *worker) repair(s string) string {
	w.valid = w.valid[:0]
	for _, r := range s {
		w.valid = utf8.AppendRune(w.valid, r)
	}
	return textOf(w.valid)
}
