package bpe

// shortPiece is the longest piece, in bytes, whose cheapest pair is looked for by
// looking at every pair; beyond, a heap is faster.
const shortPiece = 64

// part is a part of a piece: where it starts, and the rank of the token it would
// make together with the next part.
type part struct{ start, rank uint32 }

// merge is the number of tokens of s[i:j]: starting from single bytes, the pair
// of neighbours whose token has the lowest rank, the leftmost of them, becomes one
// part, until no pair is a token.
func (w *worker) merge(v *vocabulary, s string, i, j int) int64 {
	if j-i > shortPiece {
		return w.long.merge(v, s[i:j])
	}
	n := j - i
	parts := w.short[:n+1]
	for k := range n - 1 {
		parts[k] = part{uint32(k), v.pairs[uint(s[i+k])|uint(s[i+k+1])<<8]}
	}
	parts[n-1] = part{uint32(n - 1), none}
	parts[n] = part{uint32(n), none}
	for {
		at, best := 0, uint32(none)
		for k := range n {
			if parts[k].rank < best {
				at, best = k, parts[k].rank
			}
		}
		if best == none {
			return int64(n)
		}
		copy(parts[at+1:], parts[at+2:n+1])
		n--
		// Both new pairs are hashed before either is looked up, so that the
		// processor fetches both slots at once.
		start, end := i+int(parts[at].start), i+int(parts[at+1].start)
		before, after := start, end
		var left, right uint64
		if at > 0 {
			before = i + int(parts[at-1].start)
			left = hash(s, before, end)
		}
		if at+1 < n {
			after = i + int(parts[at+2].start)
			right = hash(s, start, after)
		}
		wasLeft, wasRight := v.first(left), v.first(right)
		parts[at].rank = none
		if after > end && wasRight != 0 {
			parts[at].rank = v.rank(s, start, after, right)
		}
		if before < start {
			parts[at-1].rank = none
			if wasLeft != 0 {
				parts[at-1].rank = v.rank(s, before, end, left)
			}
		}
	}
}
