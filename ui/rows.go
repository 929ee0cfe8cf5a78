package ui

import (
	"slices"
	"sort"

	"cinch/compactor"
)

// rowKind is what one line of the message list shows.
type rowKind uint8

const (
	messageRow rowKind = iota
	foldRow            // a run of dropped messages
	cutRow             // where the pass cuts
	summaryRow         // a message that a pass has put in, by its number among such
)

// row is one line of the list: the message at first, or the run up to last.
type row struct {
	kind        rowKind
	first, last int
}

// block is a stretch of rows of one kind.
type block struct {
	kind   rowKind
	first  int   // message of its first row; for a fold, of the run
	last   int   // likewise the last
	picked []int // the messages, when they are not a stretch
	start  int   // the row it begins at
}

func (b *block) rows() int {
	switch {
	case b.kind != messageRow:
		return 1
	case b.picked != nil:
		return len(b.picked)
	}
	return b.last - b.first + 1
}

// rowList is the list as a few blocks, so that a conversation of any length costs
// what is on the screen.
type rowList struct {
	blocks []block
	n      int
}

// A run of dropped messages this long is folded, but for its beginning and for
// what there is room for.
const (
	foldFrom = 8
	foldLead = 2
)

func (l *rowList) add(b block) {
	b.start = l.n
	l.blocks = append(l.blocks, b)
	l.n += b.rows()
}

func (l *rowList) stretch(first, last int) {
	if first <= last {
		l.add(block{kind: messageRow, first: first, last: last})
	}
}

// dropped is a run of dropped messages, and how many more of them are shown than
// a fold shows at least.
type dropped struct{ first, last, more int }

// hidden is how many messages of the run can be folded away at most. One is not
// worth a line of its own.
func (d *dropped) hidden() int {
	if n := d.last - d.first + 1; n >= foldFrom {
		return n - foldLead
	}
	return 0
}

// add puts the run into a list: its beginning, a fold, and its end.
func (d *dropped) add(l *rowList) {
	if d.hidden()-d.more <= 1 {
		l.stretch(d.first, d.last)
		return
	}
	lead, tail := foldLead+d.more/2, d.more-d.more/2
	l.stretch(d.first, d.first+lead-1)
	l.add(block{kind: foldRow, first: d.first + lead, last: d.last - tail})
	l.stretch(d.last-tail+1, d.last)
}

// dropped adds a run of dropped messages, folded when it is long.
func (l *rowList) dropped(first, last int, open bool) {
	d := dropped{first: first, last: last}
	if open {
		d.more = d.hidden()
	}
	d.add(l)
}

// layRows lays out the list for a pass as far as it is shown: messages it has
// pulled back stand beside the first, what it drops is folded unless all is to be
// open, and the cut is a line of its own. Where the list is shorter than room,
// folds show more, the last one first: what stands before the cut says most.
func layRows(p *compactor.Pass, open bool, room int) rowList {
	var l rowList
	n := p.View.Len()
	cut := p.Cut
	if cut < 0 || cut > n {
		l.stretch(0, n-1)
		return l
	}
	var runs []dropped
	from, rows := 1, n-cut+1
	for _, i := range append(slices.Clone(p.Reattached), cut) {
		if d := (dropped{first: from, last: i - 1}); from < i {
			if open {
				d.more = d.hidden()
			}
			runs = append(runs, d)
			rows += i - from - max(d.hidden()-d.more-1, 0)
		}
		from = i + 1
	}
	if cut > 0 {
		rows += 1 + len(p.Reattached)
		l.stretch(0, 0)
	}
	for i := len(runs) - 1; i >= 0; i-- {
		d := &runs[i]
		if give := min(room-rows, d.hidden()-d.more-1); give > 0 {
			d.more += give
			rows += give
		}
	}
	for _, i := range p.Reattached {
		l.stretch(i, i)
	}
	for i := range runs {
		runs[i].add(&l)
	}
	l.add(block{kind: cutRow, first: cut, last: cut})
	l.stretch(cut, n-1)
	return l
}

// pickRows lays out the messages that a filter leaves.
func pickRows(p *compactor.Pass, match func(int) bool) rowList {
	picked := []int{}
	for i := range p.View.Len() {
		if match(i) {
			picked = append(picked, i)
		}
	}
	var l rowList
	if p.Cut < 0 || len(picked) == 0 {
		l.add(block{picked: picked})
		return l
	}
	k := sort.SearchInts(picked, p.Cut)
	l.add(block{picked: picked[:k:k]})
	l.add(block{kind: cutRow, first: p.Cut, last: p.Cut})
	l.add(block{picked: picked[k:]})
	return l
}

// at is the row at position y, from 0.
func (l *rowList) at(y int) row {
	i := sort.Search(len(l.blocks), func(i int) bool { return l.blocks[i].start+l.blocks[i].rows() > y })
	b := &l.blocks[i]
	switch {
	case b.kind != messageRow:
		return row{b.kind, b.first, b.last}
	case b.picked != nil:
		m := b.picked[y-b.start]
		return row{messageRow, m, m}
	}
	m := b.first + y - b.start
	return row{messageRow, m, m}
}

// find is the row that shows a message, or the nearest before it that is left.
func (l *rowList) find(message int) int {
	best, near := 0, -1
	for i := range l.blocks {
		b := &l.blocks[i]
		switch {
		case b.kind == cutRow, b.kind == summaryRow:
		case b.picked != nil:
			k, ok := slices.BinarySearch(b.picked, message)
			if ok {
				return b.start + k
			}
			if k > 0 && b.picked[k-1] > near {
				best, near = b.start+k-1, b.picked[k-1]
			}
		case message >= b.first && message <= b.last:
			if b.kind == foldRow {
				return b.start
			}
			return b.start + message - b.first
		case b.last < message && b.last > near:
			best, near = b.start+b.rows()-1, b.last
		}
	}
	return best
}

// next is the row a step from y leads to, over the cut.
func (l *rowList) next(y, by int) int {
	y = min(max(y+by, 0), max(l.n-1, 0))
	if l.n == 0 || l.at(y).kind != cutRow {
		return y
	}
	if by < 0 && y > 0 || y == l.n-1 {
		return y - 1
	}
	return y + 1
}
