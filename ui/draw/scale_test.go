package draw

import (
	"math/rand/v2"
	"testing"
)

// TestTruth: a bar covers a limit's cell exactly when the tokens reach the limit.
func TestTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		top := 1 + rng.Int64N(1<<uint(1+rng.IntN(24)))
		cells := 1 + rng.IntN(140)
		var limits []int64
		for range rng.IntN(4) {
			limits = append(limits, 1+rng.Int64N(top))
		}
		s := newScale(cells, top, limits...)
		var values []int64
		for _, m := range limits {
			values = append(values, m-1, m, m+1)
		}
		values = append(values, 0, 1, top-1, top, top+1, rng.Int64N(top+1))
		for _, v := range values {
			full, part := s.fill(v, 8)
			if full < 0 || full > cells || part < 0 || part > 7 || full == cells && part > 0 {
				t.Fatalf("fill(%d) of %d in %d cells = %d and %d", v, top, cells, full, part)
			}
			if (full == cells) != (v >= top) && len(limits) == 0 {
				t.Fatalf("fill(%d) of %d in %d cells = %d", v, top, cells, full)
			}
			for i, m := range s.limits {
				if (full > s.at[i]) != (v >= m) {
					t.Fatalf("%d of %d in %d cells fills %d; limit %d (of %v) is at %d", v, top, cells, full, m, s.limits, s.at[i])
				}
			}
		}
		for i, c := range s.at {
			if c < 0 || c >= cells || i > 0 && c <= s.at[i-1] {
				t.Fatalf("limits %v of %d in %d cells are at %v", s.limits, top, cells, s.at)
			}
		}
		if top >= int64(cells) {
			c := rng.IntN(cells)
			if back, ok := newScale(cells, top, s.value(c)).column(s.value(c)); !ok || back != c {
				t.Fatalf("cell %d of %d has value %d of %d, which is drawn at %d", c, cells, s.value(c), top, back)
			}
		}
	}
}

// TestShare: the parts add up, and nothing that is there goes without a cell while there are enough.
func TestShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		weights := make([]int64, rng.IntN(9))
		var some int
		for i := range weights {
			if rng.IntN(3) > 0 {
				weights[i] = rng.Int64N(1 << uint(1+rng.IntN(40)))
			}
			if weights[i] > 0 {
				some++
			}
		}
		cells := rng.IntN(100)
		sum := 0
		for i, n := range share(cells, weights) {
			sum += n
			if n < 0 || n > 0 && weights[i] == 0 || n == 0 && weights[i] > 0 && cells >= some {
				t.Fatalf("share(%d, %v)[%d] = %d", cells, weights, i, n)
			}
		}
		if some > 0 && sum != cells {
			t.Fatalf("share(%d, %v) adds up to %d", cells, weights, sum)
		}
	}
}
