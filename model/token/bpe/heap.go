package bpe

// heap merges long pieces: pairs wait in a binary heap by rank, then position,
// and a pair that has changed since it was pushed is skipped when it comes up.
type heap struct {
	queue      []uint64 // rank << 32 | position
	rank       []uint32 // by position of the left part: the pair's rank now
	next, prev []int32
	steps      int64 // pairs moved in the queue since the worker was made
}

func (h *heap) merge(v *vocabulary, s string) int64 {
	n := len(s)
	h.grow(n)
	for k := range n - 1 {
		h.next[k], h.prev[k] = int32(k+1), int32(k-1)
		h.rank[k] = v.pairs[uint(s[k])|uint(s[k+1])<<8]
		if h.rank[k] != none {
			h.queue = append(h.queue, uint64(h.rank[k])<<32|uint64(k))
		}
	}
	h.next[n-1], h.prev[n-1], h.rank[n-1] = int32(n), int32(n-2), none
	h.next[n], h.prev[n] = int32(n), int32(n-1)
	for k := len(h.queue)/2 - 1; k >= 0; k-- {
		h.down(k)
	}
	tokens := int64(n)
	for len(h.queue) > 0 {
		top := h.queue[0]
		last := len(h.queue) - 1
		h.queue[0] = h.queue[last]
		h.queue = h.queue[:last]
		h.down(0)
		left := int32(uint32(top))
		if h.rank[left] != uint32(top>>32) {
			continue
		}
		tokens--
		right := h.next[left]
		after := h.next[right]
		h.rank[right] = none
		h.next[left] = after
		h.prev[after] = left
		h.pair(v, s, left)
		if before := h.prev[left]; before >= 0 {
			h.pair(v, s, before)
		}
	}
	return tokens
}

// pair ranks the pair whose left part starts at k anew and queues it.
func (h *heap) pair(v *vocabulary, s string, k int32) {
	right := h.next[k]
	if int(right) == len(s) {
		h.rank[k] = none
		return
	}
	rank := v.join(s, int(k), int(h.next[right]))
	h.rank[k] = rank
	if rank != none {
		h.queue = append(h.queue, uint64(rank)<<32|uint64(k))
		h.up(len(h.queue) - 1)
	}
}

// grow makes room for a piece of n bytes.
func (h *heap) grow(n int) {
	if cap(h.rank) <= n {
		h.rank = make([]uint32, n+1)
		h.next = make([]int32, n+1)
		h.prev = make([]int32, n+1)
		h.queue = make([]uint64, 0, 3*n)
	}
	h.rank, h.next, h.prev = h.rank[:n+1], h.next[:n+1], h.prev[:n+1]
	h.queue = h.queue[:0]
}

func (h *heap) up(k int) {
	q := h.queue
	x := q[k]
	for k > 0 {
		parent := (k - 1) / 2
		if q[parent] <= x {
			break
		}
		q[k] = q[parent]
		k = parent
		h.steps++
	}
	q[k] = x
}

func (h *heap) down(k int) {
	q := h.queue
	if k >= len(q) {
		return
	}
	x := q[k]
	for {
		child := 2*k + 1
		if child >= len(q) {
			break
		}
		if child+1 < len(q) && q[child+1] < q[child] {
			child++
		}
		if q[child] >= x {
			break
		}
		q[k] = q[child]
		k = child
		h.steps++
	}
	q[k] = x
}
