package draw

import (
	"cmp"
	"slices"
)

// Span is one tool call and its result, by the index of their messages.
type Span struct{ Call, Result int }

const maxLanes = 3

// Gutter is the brackets that join tool calls to their results, computed once
// for a conversation. A row of it costs a binary search in each lane, however
// long the conversation.
type Gutter struct {
	lanes                [][]Span // each ascending, without overlap
	moreStart, moreEnd   []int    // of the spans that found no lane
	loneCall, loneResult map[int]bool
}

// NewGutter gives every pair the leftmost lane that is free. Pairs between the
// same two messages share one bracket; pairs inside one message have none. Calls
// without a result and results without a call are given by message.
func NewGutter(pairs []Span, loneCalls, loneResults []int) *Gutter {
	g := &Gutter{loneCall: map[int]bool{}, loneResult: map[int]bool{}}
	for _, m := range loneCalls {
		g.loneCall[m] = true
	}
	for _, m := range loneResults {
		g.loneResult[m] = true
	}
	all := make([]Span, 0, len(pairs))
	for _, p := range pairs {
		if p.Call < p.Result {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(b.Result, a.Result))
	})
	all = slices.Compact(all)
next:
	for _, p := range all {
		for i, lane := range g.lanes {
			if lane[len(lane)-1].Result < p.Call {
				g.lanes[i] = append(lane, p)
				continue next
			}
		}
		if len(g.lanes) < maxLanes {
			g.lanes = append(g.lanes, []Span{p})
			continue
		}
		g.moreStart = append(g.moreStart, p.Call)
		g.moreEnd = append(g.moreEnd, p.Result)
	}
	slices.Sort(g.moreEnd)
	return g
}

// Width is the cells the gutter takes in every row.
func (g *Gutter) Width() int {
	w := max(len(g.lanes), 1)
	if len(g.moreStart) > 0 {
		w += 2
	}
	return w
}

// at is the span of a lane that covers message m.
func (g *Gutter) at(lane, m int) (Span, bool) {
	spans := g.lanes[lane]
	i, _ := slices.BinarySearchFunc(spans, m, func(s Span, m int) int { return cmp.Compare(s.Result, m) })
	if i < len(spans) && spans[i].Call <= m {
		return spans[i], true
	}
	return Span{}, false
}

// hidden is how many pairs without a lane cover message m.
func (g *Gutter) hidden(m int) int {
	begun, _ := slices.BinarySearch(g.moreStart, m+1)
	ended, _ := slices.BinarySearch(g.moreEnd, m)
	return begun - ended
}

// Brackets is how a gutter is drawn for the rows that are visible.
type Brackets struct {
	Selected    Span // the pair drawn heavy; the zero Span for none
	First, Last int  // the messages of the first and last visible row
	Dropped     func(message int) bool
	Moved       []int // messages drawn right after message 0 and not in their place, ascending
}

// passes reports whether span s is drawn in the row of message m: a bracket from
// message 0 to a moved one ends there, and moved messages stand in the way of no
// other.
func (b *Brackets) passes(s Span, m int) bool {
	if len(b.Moved) == 0 || m == 0 {
		return true
	}
	moved := func(m int) bool {
		_, ok := slices.BinarySearch(b.Moved, m)
		return ok
	}
	if moved(m) {
		return s.Call == 0 && (s.Result >= m || !moved(s.Result))
	}
	return s.Call > 0 || !moved(s.Result)
}

// mark is what a gutter has in a cell.
type mark struct {
	tone Token
	text string
}

// draw writes the gutter of message m, and the cell behind it.
func (g *Gutter) draw(p *Pen, m int, b *Brackets) {
	gl := p.l.Glyphs
	end := p.At() + g.Width() + 1
	var cells [maxLanes + 1]mark
	n := max(len(g.lanes), 1)
	free := n // where the empty lanes at the right begin
	for i := range g.lanes {
		s, ok := g.at(i, m)
		if !ok || !b.passes(s, m) {
			continue
		}
		free = i + 1
		cells[i] = g.bracket(gl, s, m, b)
	}
	if len(g.lanes) == 0 || free == n && cells[n-1].text == "" {
		free = 0
	}
	for free > 0 && cells[free-1].text == "" {
		free--
	}
	if call := g.loneCall[m]; call || g.loneResult[m] {
		glyphs := []string{gl.LoneLead, gl.LoneDash, gl.LoneMark}
		if !call {
			glyphs = []string{gl.LoneMark, gl.LoneDash, gl.LoneTail}
		}
		switch n - free {
		case 0:
			free, glyphs = n, []string{gl.LoneMark}
		case 1:
			glyphs = []string{gl.LoneMark}
		case 2:
			glyphs = []string{glyphs[0], glyphs[2]}
		}
		for i, glyph := range glyphs {
			cells[free+i] = mark{Warning, glyph}
		}
	}
	for i, c := range cells[:n+1] {
		switch {
		case c.text != "":
			p.Cell(c.tone, c.text, 1)
		case i < n:
			p.Space(1)
		}
	}
	if more := g.hidden(m); more > 0 && p.At() < end {
		p.TextIn(Dim, "+"+Short(int64(min(more, 9))), end-p.At())
	}
	p.To(end)
}

// bracket is what span s looks like in the row of message m.
func (g *Gutter) bracket(gl *Glyphs, s Span, m int, b *Brackets) mark {
	if s == b.Selected {
		switch {
		case s.Call == m:
			return mark{PairSelected, gl.PairTopSel}
		case s.Result == m:
			return mark{PairSelected, gl.PairEndSel}
		case m == b.First:
			return mark{PairSelected, gl.Up}
		case m == b.Last:
			return mark{PairSelected, gl.Down}
		}
		return mark{PairSelected, gl.PairMidSel}
	}
	switch {
	case s.Call == m:
		return mark{Pair, gl.PairTop}
	case s.Result == m:
		return mark{Pair, gl.PairEnd}
	case b.Dropped != nil && b.Dropped(m):
		return mark{Pair, gl.PairDropped}
	}
	return mark{Pair, gl.PairMid}
}

// drawFold writes the gutter of a run of messages lo to hi that is drawn as one
// row: only what passes all of it.
func (g *Gutter) drawFold(p *Pen, lo, hi int, b *Brackets) {
	end := p.At() + g.Width() + 1
	for i := range g.lanes {
		s, ok := g.at(i, lo)
		ok = ok && b.passes(s, lo)
		switch {
		case ok && s.Call < lo && s.Result > hi && s == b.Selected:
			p.Cell(PairSelected, p.l.Glyphs.PairMidSel, 1)
		case ok && s.Call < lo && s.Result > hi:
			p.Cell(Pair, p.l.Glyphs.PairDropped, 1)
		default:
			p.Space(1)
		}
	}
	p.To(end)
}
