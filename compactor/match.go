package compactor

import (
	"math/bits"

	"cinch/model"
)

// matches is the tool traffic of a list of messages, by position.
type matches struct {
	start []int32 // first traffic of each position in mates; one longer than the list
	mates []int32 // position of the other half of each call or result, -1 for none
	reach []int32 // earliest call that a paired result at this position needs, or the position itself
	lone  []int32 // positions that hold a lone result, ascending
}

// matchUp pairs the calls and results of a list of n messages by occurrence.
func matchUp(n int, at func(int) *entry) *matches {
	m := &matches{start: make([]int32, n+1), reach: make([]int32, n)}
	for i := range n {
		m.start[i+1] = m.start[i] + int32(len(at(i).traffic))
	}
	m.mates = make([]int32, m.start[n])
	type open struct{ at, slot int32 }
	var match model.Matcher[int32, open]
	for i := range n {
		m.reach[i] = int32(i)
		for k, t := range at(i).traffic {
			slot := m.start[i] + int32(k)
			m.mates[slot] = -1
			if t.call {
				if t.id >= 0 {
					match.Call(t.id, open{int32(i), slot})
				}
				continue
			}
			call, ok := match.Result(t.id)
			if !ok {
				if len(m.lone) == 0 || m.lone[len(m.lone)-1] != int32(i) {
					m.lone = append(m.lone, int32(i))
				}
				continue
			}
			m.mates[slot], m.mates[call.slot] = call.at, int32(i)
			m.reach[i] = min(m.reach[i], call.at)
		}
	}
	return m
}

// rangeMin answers where the smallest of a stretch of numbers stands, in a
// constant number of looks: which result of a range reaches back furthest.
type rangeMin struct {
	values []int32
	level  [][]int32 // level[k][i] is the index of the smallest of values[i : i+2^k], the last of equals
}

func newRangeMin(values []int32) rangeMin {
	r := rangeMin{values: values}
	if len(values) == 0 {
		return r
	}
	first := make([]int32, len(values))
	for i := range first {
		first[i] = int32(i)
	}
	r.level = append(r.level, first)
	for width := 2; width <= len(values); width *= 2 {
		below := r.level[len(r.level)-1]
		row := make([]int32, len(values)-width+1)
		for i := range row {
			row[i] = r.better(below[i], below[i+width/2])
		}
		r.level = append(r.level, row)
	}
	return r
}

func (r *rangeMin) better(a, b int32) int32 {
	if r.values[a] < r.values[b] {
		return a
	}
	return b
}

// smallest is the index of the smallest value from i up to j, which must be more than i.
func (r *rangeMin) smallest(i, j int) int {
	k := bits.Len(uint(j-i)) - 1
	row := r.level[k]
	return int(r.better(row[i], row[j-1<<k]))
}
