package study

import (
	"strings"
	"sync/atomic"
	"testing"

	"cinch/compactor"
)

func session(t testing.TB, turns int) *compactor.Recording {
	t.Helper()
	return recording(t, "U~50 "+strings.Repeat("A(a)~30 R(a)~120 ", turns)+"A~30")
}

func TestSweepIsTheReplays(t *testing.T) {
	r := session(t, 60)
	grid := Grid{[]int{50, 80, 95}, []int{1, 4, 12, 200}}
	told := 0
	cells := Sweep(r, thousand(), grid, func(i int, c Cell) { told++ }, nil)
	if told != grid.Len() || len(cells) != 12 {
		t.Fatalf("told of %d of %d cells", told, grid.Len())
	}
	failed := 0
	for i, c := range cells {
		want := compactor.Replay(r, compactor.Driving{Policy: grid.Policy(thousand(), i)})
		if !c.Done || c.Outcome != want.End.Outcome || c.Passes != len(want.Passes) || c.End != want.End.Tokens {
			t.Errorf("cell %d: %+v, replay %+v", i, c, want.End)
		}
		if c.Peak > thousand().Window {
			t.Errorf("cell %d sent %d tokens", i, c.Peak)
		}
		if c.Exceeded != nil {
			failed++
		}
	}
	if failed == 0 || failed == len(cells) {
		t.Errorf("%d of %d cells fail: the grid shows nothing", failed, len(cells))
	}
}

func TestSweepStops(t *testing.T) {
	r := session(t, 60)
	var asked atomic.Int64
	cells := Sweep(r, thousand(), DefaultGrid(), nil, func() bool { return asked.Add(1) > 200 })
	done := 0
	for _, c := range cells {
		if c.Done {
			done++
		}
	}
	if done == 0 || done == len(cells) {
		t.Errorf("%d of %d cells done after a stop in the middle", done, len(cells))
	}
}

func BenchmarkSweep(b *testing.B) {
	for name, messages := range map[string]int{"1k": 1_000, "10k": 10_000, "100k": 100_000} {
		r := session(b, messages/2)
		policy := compactor.DefaultPolicy()
		b.Run("replay-"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				compactor.Replay(r, compactor.Driving{Policy: policy})
			}
		})
	}
	r := session(b, 5_000)
	b.Run("2000-replays-10k", func(b *testing.B) {
		grid := Grid{PreserveRecent: make([]int, 40), Thresholds: make([]int, 50)}
		for i := range grid.PreserveRecent {
			grid.PreserveRecent[i] = 1 + i
		}
		for i := range grid.Thresholds {
			grid.Thresholds[i] = 45 + i
		}
		for b.Loop() {
			Sweep(r, compactor.DefaultPolicy(), grid, nil, nil)
		}
	})
}
