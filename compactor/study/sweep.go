package study

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"cinch/compactor"
)

// Grid is the settings a sweep tries: every threshold with every preserve_recent.
type Grid struct {
	Thresholds     []int // percent
	PreserveRecent []int // messages
}

// DefaultGrid spans what people tune: thresholds from 50 to 95 percent, and
// preserve_recent from 1 to 64.
func DefaultGrid() Grid {
	return Grid{
		Thresholds:     []int{50, 55, 60, 65, 70, 75, 80, 85, 90, 95},
		PreserveRecent: []int{1, 2, 4, 8, 16, 32, 64},
	}
}

// Len is the number of settings.
func (g Grid) Len() int { return len(g.Thresholds) * len(g.PreserveRecent) }

// Policy is the i-th setting, row by row of preserve_recent.
func (g Grid) Policy(base compactor.Policy, i int) compactor.Policy {
	base.PreserveRecent = g.PreserveRecent[i/len(g.Thresholds)]
	base.Threshold = g.Thresholds[i%len(g.Thresholds)]
	return base
}

// Cell is what one setting would cost and lose over the whole recording.
// Tokens include the overhead.
type Cell struct {
	Policy   compactor.Policy
	Done     bool // false while a sweep is under way, or was stopped before it
	Outcome  string
	Cause    compactor.Cause
	Exceeded *compactor.ContextExceeded
	Passes   int
	Reclaim  int64 // tokens taken out by all passes together
	Dropped  int   // messages taken out by all passes together
	Peak     int64 // the largest request sent
	Sent     int64 // tokens of all requests together
	End      int64 // estimate at the end
}

// Measure is one number of a cell that a grid can show.
type Measure struct {
	Name, About string
	Of          func(*Cell) int64
}

// Measures are all of them, the most asked for first.
var Measures = []Measure{
	{"passes", "passes over the run", func(c *Cell) int64 { return int64(c.Passes) }},
	{"dropped", "messages taken out by all passes together", func(c *Cell) int64 { return int64(c.Dropped) }},
	{"reclaimed", "tokens taken out by all passes together", func(c *Cell) int64 { return c.Reclaim }},
	{"peak", "tokens of the largest request", func(c *Cell) int64 { return c.Peak }},
	{"sent", "tokens of all requests together", func(c *Cell) int64 { return c.Sent }},
	{"end", "tokens at the end of the run", func(c *Cell) int64 { return c.End }},
}

// Around is the grid with the settings of a policy among its own.
func (g Grid) Around(p compactor.Policy) Grid {
	return Grid{with(g.Thresholds, p.Threshold), with(g.PreserveRecent, p.PreserveRecent)}
}

func with(values []int, v int) []int {
	i, ok := slices.BinarySearch(values, v)
	if ok {
		return values
	}
	return slices.Insert(slices.Clone(values), i, v)
}

// CellOf replays a recording under one setting.
func CellOf(r *compactor.Recording, policy compactor.Policy, stop func() bool) Cell {
	t := compactor.Replay(r, compactor.Driving{Policy: policy, Stop: stop})
	c := Cell{Policy: policy, Done: t.End.Outcome != compactor.OutcomeStopped, Outcome: t.End.Outcome, Cause: t.End.Cause, Exceeded: t.End.Exceeded, Passes: len(t.Passes), End: t.End.Tokens}
	for _, call := range t.Calls {
		c.Peak = max(c.Peak, call.Tokens)
		c.Sent += call.Tokens
	}
	for _, p := range t.Passes {
		if p.Result == compactor.Compacted {
			c.Reclaim += p.Before - p.After
			c.Dropped += p.MessagesBefore - p.MessagesAfter
		}
	}
	return c
}

// Sweep replays a recording under every setting of a grid on all cores. Each
// finished cell is handed to done (from one goroutine at a time), if that is not
// nil; stop may end the sweep early, cells not reached then are not Done.
func Sweep(r *compactor.Recording, base compactor.Policy, g Grid, done func(i int, c Cell), stop func() bool) []Cell {
	cells := make([]Cell, g.Len())
	var next atomic.Int64
	var told sync.Mutex
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(cells)) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(cells) || stop != nil && stop() {
					return
				}
				cells[i] = CellOf(r, g.Policy(base, i), stop)
				if done != nil && cells[i].Done {
					told.Lock()
					done(i, cells[i])
					told.Unlock()
				}
			}
		})
	}
	all.Wait()
	return cells
}
