package draw

import "slices"

// scale lays a range of tokens, 0 to top, on a number of cells. Fill is rounded
// down and limits are rounded up to the end of their cell, and every limit has a
// cell of its own, so that a bar covers a limit's cell exactly when the tokens
// reach the limit.
type scale struct {
	cells  int
	top    int64
	limits []int64 // ascending, each once
	at     []int   // the cell of each limit
}

const maxTokens = 1 << 48 // beyond this, cells × tokens would overflow

func clampTokens(n int64) int64 { return max(min(n, maxTokens), 0) }

// newScale places the limits. Those outside (0, top] have no cell; where there
// are fewer cells than limits the highest are kept.
func newScale(cells int, top int64, limits ...int64) scale {
	s := scale{cells: max(cells, 0), top: clampTokens(top)}
	if s.cells == 0 || top <= 0 {
		return s
	}
	s.limits = make([]int64, 0, len(limits))
	for _, v := range limits {
		if v > 0 && v <= s.top {
			s.limits = append(s.limits, v)
		}
	}
	slices.Sort(s.limits)
	s.limits = slices.Compact(s.limits)
	if n := len(s.limits) - s.cells; n > 0 {
		s.limits = s.limits[n:]
	}
	s.at = make([]int, len(s.limits))
	next := s.cells
	for i := len(s.limits) - 1; i >= 0; i-- {
		s.at[i] = min(s.natural(s.limits[i]), next-1)
		next = s.at[i]
	}
	for i := range s.at { // what was pushed off the left end moves back in
		s.at[i] = max(s.at[i], i)
		if i > 0 {
			s.at[i] = max(s.at[i], s.at[i-1]+1)
		}
	}
	return s
}

// natural is the cell v ends in.
func (s scale) natural(v int64) int {
	v = min(v, s.top)
	return max(int((v*int64(s.cells)+s.top-1)/s.top)-1, 0)
}

// column is the cell of a value: its own for a limit, else the one it ends in.
func (s scale) column(v int64) (int, bool) {
	if s.cells == 0 || s.top <= 0 || v < 0 || v > s.top {
		return 0, false
	}
	if i, ok := slices.BinarySearch(s.limits, v); ok {
		return s.at[i], true
	}
	return s.natural(v), true
}

// value is the largest value that ends in a cell.
func (s scale) value(cell int) int64 {
	if s.cells == 0 || s.top <= 0 {
		return 0
	}
	return int64(clamp(cell, 0, s.cells-1)+1) * s.top / int64(s.cells)
}

// fill is how many cells v covers whole, and how many of steps parts of the next.
func (s scale) fill(v int64, steps int) (full, part int) {
	if s.cells == 0 || s.top <= 0 || v <= 0 {
		return 0, 0
	}
	if v >= s.top {
		return s.cells, 0
	}
	parts := v * int64(s.cells) * int64(steps) / s.top
	full, part = int(parts/int64(steps)), int(parts%int64(steps))
	for i, limit := range s.limits {
		switch {
		case v >= limit && full <= s.at[i]:
			full, part = s.at[i]+1, 0
		case v < limit && full > s.at[i]:
			return s.at[i], steps - 1
		}
	}
	return full, part
}

// share splits cells among weights in proportion, by largest remainder: the
// parts add up to cells, and no weight above zero goes without while there are
// enough cells for all.
func share(cells int, weights []int64) []int {
	out := make([]int, len(weights))
	var sum int64
	some := 0
	for _, w := range weights {
		if w > 0 {
			sum += min(w, maxTokens)
			some++
		}
	}
	if sum == 0 || cells <= 0 {
		return out
	}
	rest := make([]float64, len(weights))
	left := cells
	for i, w := range weights {
		if w <= 0 {
			rest[i] = -1
			continue
		}
		exact := float64(min(w, maxTokens)) * float64(cells) / float64(sum)
		out[i] = int(exact)
		rest[i] = exact - float64(out[i])
		left -= out[i]
	}
	for ; left > 0; left-- {
		best := 0
		for i := range rest {
			if rest[i] > rest[best] {
				best = i
			}
		}
		out[best]++
		rest[best] -= 1
	}
	if cells < some {
		return out
	}
	for i, w := range weights {
		if w > 0 && out[i] == 0 {
			out[i]++
			out[slices.Index(out, slices.Max(out))]--
		}
	}
	return out
}
