package draw

import "strconv"

// Call is one model call of a replay.
type Call struct {
	Tokens    int64 // what it would have been sent, before any pass
	After     int64 // what it was sent after the passes made for it
	Passes    int
	Emergency bool // one of the passes was forced by the emergency line
	Failed    bool // the run ended here
	Skipped   bool // a pass was due but did not run
	Idle      bool // no pass was due
}

// RecordedPass is a compaction the recording itself holds.
type RecordedPass struct {
	Call          int // the first call after it
	Before, After int64
}

// Timeline is tokens over calls: filled up to what was sent, light from there to
// what stood before a pass. Where a column stands for several calls it spans
// from their lowest to their highest, so no peak is lost.
//
// The columns are worked out once for a size; calls that have been drawn do not
// change afterwards, only the cursor does.
type Timeline struct {
	Calls    []Call
	Next     bool  // the last of them is the one that would come next
	Top      int64 // the scale, most often the context window
	Limits   []Limit
	Recorded []RecordedPass
	Cursor   int // a call, −1 for none

	plotted *plotted
}

// plotted is the columns for one size, without the cursor.
type plotted struct {
	cells, rows, steps int
	cols               []plotColumn
}

// timelineLayout is where the parts of a timeline of some size go.
type timelineLayout struct {
	left, cells int // first column and number of columns of the plot
	rows        int // of the plot
	names       int // cells for the names of limits, right of the plot
	events      bool
	recorded    bool
	legend      bool
}

const maxCallWidth = 4 // columns one call takes where there is room to spare

func (t *Timeline) layout(w, h int) timelineLayout {
	at := timelineLayout{cells: w, rows: h}
	if h >= 2 {
		at.events, at.rows = true, h-1
	}
	if h >= 4 {
		at.legend, at.rows = true, h-2
	}
	if h >= 6 && len(t.Recorded) > 0 {
		at.recorded, at.rows = true, at.rows-1
	}
	if w >= 24 && h >= 2 {
		axis := max(len(Short(t.Top)), 1)
		for i := range t.Limits {
			axis = max(axis, len(Short(t.Limits[i].Tokens)))
		}
		at.left = axis + 2
		at.cells = w - at.left
	}
	if w >= 60 && h >= 3 {
		for i := range t.Limits {
			at.names = max(at.names, min(Width(t.Limits[i].Name), 16)+1)
		}
		if at.names > 0 && at.recorded {
			at.names = max(at.names, len("recorded")+1)
		}
		at.cells -= at.names
	}
	return at
}

// calls is the range of calls a column of the plot stands for. Columns beyond
// the last call stand for none.
func (t *Timeline) calls(cells, c int) (from, to int) {
	n := len(t.Calls)
	if n == 0 || c < 0 || c >= cells {
		return 0, 0
	}
	if n > cells {
		return c * n / cells, (c + 1) * n / cells
	}
	i := c / min(cells/n, maxCallWidth)
	if i >= n {
		return n, n
	}
	return i, i + 1
}

// column is the first column of the plot that stands for a call.
func (t *Timeline) column(cells, call int) int {
	n := len(t.Calls)
	if n > cells {
		return ((call+1)*cells - 1) / n
	}
	return call * min(cells/n, maxCallWidth)
}

// Column is the first column of a call on a timeline drawn w by h, and whether it has one.
func (t *Timeline) Column(w, h, call int) (int, bool) {
	at := t.layout(w, h)
	if call < 0 || call >= len(t.Calls) || at.cells <= 0 {
		return 0, false
	}
	return at.left + t.column(at.cells, call), true
}

// CallAt is the call at a column of a timeline drawn w by h: of several the
// highest one, left of the plot the first, right of it the last. It reports
// false when there are no calls.
func (t *Timeline) CallAt(w, h, col int) (int, bool) {
	at := t.layout(w, h)
	if len(t.Calls) == 0 || at.cells <= 0 {
		return 0, false
	}
	from, to := t.calls(at.cells, clamp(col-at.left, 0, at.cells-1))
	if from >= len(t.Calls) {
		return len(t.Calls) - 1, true
	}
	best := from
	for i := from; i < to; i++ {
		if t.Calls[i].Tokens > t.Calls[best].Tokens {
			best = i
		}
	}
	return best, true
}

// plotColumn is what one column shows.
type plotColumn struct {
	some             bool
	cursor           bool
	high, highPart   int // rows up to the highest, and parts of the next
	solid, solidPart int // rows up to the lowest after a pass
	passes           int
	emergency        bool
	failed, skipped  bool
	idle             bool
	beyond           bool // higher than the scale
}

// columns are the plot with the cursor on it.
func (t *Timeline) columns(at timelineLayout, s scale, steps int) []plotColumn {
	p := t.plotted
	if p == nil || p.cells != at.cells || p.rows != at.rows || p.steps != steps {
		p = &plotted{at.cells, at.rows, steps, t.plot(at, s, steps)}
		t.plotted = p
	}
	for c := range p.cols {
		from, to := t.calls(at.cells, c)
		p.cols[c].cursor = t.Cursor >= from && t.Cursor < to
	}
	return p.cols
}

func (t *Timeline) plot(at timelineLayout, s scale, steps int) []plotColumn {
	cols := make([]plotColumn, at.cells)
	for c := range cols {
		from, to := t.calls(at.cells, c)
		if from >= to {
			continue
		}
		k := &cols[c]
		k.some = true
		high, low := int64(0), int64(-1)
		for i := from; i < to; i++ {
			call := &t.Calls[i]
			high = max(high, call.Tokens)
			if call.Passes > 0 {
				high = max(high, call.After) // a pass may make it longer
				if low < 0 || call.After < low {
					low = call.After
				}
			}
			k.passes += call.Passes
			k.emergency = k.emergency || call.Emergency
			k.failed = k.failed || call.Failed
			k.skipped = k.skipped || call.Skipped
			k.idle = k.idle || call.Idle
		}
		k.beyond = high > t.Top
		k.high, k.highPart = s.fill(high, steps)
		k.solid, k.solidPart = k.high, k.highPart
		if low >= 0 {
			k.solid, k.solidPart = s.fill(low, steps)
		}
	}
	return cols
}

// Draw draws the timeline at any size: one line is the bare curve, two add the
// passes, four a legend, six the compactions of the recording.
func (t *Timeline) Draw(l *Look, w, h int) []string {
	w = max(w, 0)
	if h <= 0 {
		return []string{}
	}
	at := t.layout(w, h)
	if at.cells <= 0 || at.rows <= 0 {
		return blank(l, w, h)
	}
	s := newScale(at.rows, t.Top, reaches(t.Limits, t.Top)...)
	cols := t.columns(at, s, len(l.Glyphs.Lower)+1)
	sheet := l.Sheet(w)
	for row := at.rows - 1; row >= 0; row-- {
		t.row(sheet.Line(), at, s, cols, row)
	}
	if at.events {
		t.events(sheet.Line(), at, cols)
	}
	if at.recorded {
		t.recorded(sheet.Line(), at)
	}
	if at.legend {
		t.legend(sheet.Line(), at, cols)
	}
	return fit(l, sheet.Lines(), w, h)
}

// row draws one row of the plot, counted from the bottom.
func (t *Timeline) row(p *Pen, at timelineLayout, s scale, cols []plotColumn, row int) {
	g := p.l.Glyphs
	var here *Limit                          // the limit of this row
	band, partly := KindResults, KindResults // of a cell that is full, and of one that ends below the limit
	raise := func(t *Token, to Token) {
		if to == Emergency || *t == KindResults {
			*t = to
		}
	}
	for i := range t.Limits {
		c, ok := s.place(&t.Limits[i])
		if !ok {
			continue
		}
		if c == row && (here == nil || t.Limits[i].Tokens > here.Tokens) {
			here = &t.Limits[i]
		}
		if c <= row && t.Limits[i].Tone != Mark {
			raise(&band, t.Limits[i].Tone)
			if c < row {
				raise(&partly, t.Limits[i].Tone)
			}
		}
	}
	if at.left > 0 {
		label := ""
		switch {
		case here != nil:
			label = Short(here.Tokens)
		case row == at.rows-1:
			label = Short(t.Top)
		case row == 0:
			label = "0"
		}
		p.Right(Dim, label, at.left-2).To(at.left - 1)
		if label == "" {
			p.Cell(Border, g.AxisV, 1)
		} else {
			p.Cell(Border, g.TeeR, 1)
		}
	}
	for i := range cols {
		k := &cols[i]
		tone := band
		if row == k.solid {
			tone = partly
		}
		if k.cursor {
			tone = Strong
		}
		switch {
		case k.beyond && row == at.rows-1:
			p.Cell(Emergency, g.Up, 1)
		case row < k.solid:
			p.Cell(tone, g.Full, 1)
		case row == k.solid && k.solidPart > 0 && row < k.high:
			p.onGhost(tone, k.solidPart, row == 0)
		case row == k.solid && k.solidPart > 0:
			p.Cell(tone, g.Lower[k.solidPart-1], 1)
		case row < k.high:
			p.Cell(GhostCell, g.Ghost, 1)
		case row == k.high && k.highPart > 0 && here == nil:
			p.Cell(GhostCell, g.Lower[k.highPart-1], 1)
		case k.cursor && t.starts(at.cells, i):
			p.Cell(Accent, g.MarkOff, 1)
		case here != nil:
			p.Cell(here.Tone, g.Rule, 1)
		default:
			p.Space(1)
		}
	}
	if here != nil && at.names > 0 {
		p.Space(1).Text(here.Tone, here.Name)
	}
}

// events draws the axis with the passes on it.
func (t *Timeline) events(p *Pen, at timelineLayout, cols []plotColumn) {
	g := p.l.Glyphs
	if at.left > 0 {
		p.To(at.left-1).Cell(Border, g.AxisCorner, 1)
	}
	for i := range cols {
		k := &cols[i]
		again := !t.starts(at.cells, i) // a call of several columns is marked on its first
		tone, glyph := Border, g.AxisH
		switch {
		case again:
		case k.failed:
			tone, glyph = Fault, g.Failed
		case k.emergency:
			tone, glyph = Emergency, g.Emergency
		case k.passes > 9:
			tone, glyph = Accent, "+"
		case k.passes > 1:
			tone, glyph = Accent, strconv.Itoa(k.passes)
		case k.passes == 1:
			tone, glyph = Accent, g.Pass
		case k.skipped:
			tone, glyph = Dim, g.Skipped
		case k.idle:
			tone, glyph = Dim, g.Kept
		}
		switch {
		case k.cursor && !again && (glyph == g.AxisH || glyph == g.Kept):
			p.Cell(Strong, g.Here, 1)
		case k.cursor && !again:
			p.Inverse(tone, glyph)
		default:
			p.Cell(tone, glyph, 1)
		}
	}
}

// starts reports whether a column is the first of its calls.
func (t *Timeline) starts(cells, c int) bool {
	if c == 0 {
		return true
	}
	before, _ := t.calls(cells, c-1)
	from, _ := t.calls(cells, c)
	return before != from
}

// recorded draws the compactions of the recording in a row of their own.
func (t *Timeline) recorded(p *Pen, at timelineLayout) {
	marks := make([]bool, at.cells)
	for _, r := range t.Recorded {
		if n := len(t.Calls); n > 0 {
			marks[min(t.column(at.cells, clamp(r.Call, 0, n-1)), at.cells-1)] = true
		}
	}
	p.To(at.left)
	for _, on := range marks {
		if on {
			p.Cell(KindSummary, p.l.Glyphs.Recorded, 1)
		} else {
			p.Space(1)
		}
	}
	if at.names > 0 {
		p.Space(1).Text(Dim, "recorded")
	}
}

// legend says where the cursor is and what the signs mean, those that occur.
func (t *Timeline) legend(p *Pen, at timelineLayout, cols []plotColumn) {
	g := p.l.Glyphs
	p.To(at.left)
	if t.Cursor >= 0 && t.Cursor < len(t.Calls) {
		n := len(t.Calls)
		if t.Next {
			n--
		}
		if t.Cursor < n {
			p.Text(Strong, "call "+strconv.Itoa(t.Cursor+1)).Text(Dim, "/"+strconv.Itoa(n))
		} else {
			p.Text(Strong, "next call").Text(Dim, " after "+strconv.Itoa(n))
		}
	} else {
		p.Text(Dim, strconv.Itoa(len(t.Calls))+" calls")
	}
	var pass, emergency, failed, skipped, idle bool
	for i := range cols {
		k := &cols[i]
		pass = pass || k.passes > 0 && !k.emergency
		emergency, failed, skipped = emergency || k.emergency, failed || k.failed, skipped || k.skipped
		idle = idle || k.idle
	}
	for _, e := range []struct {
		on          bool
		tone        Token
		glyph, text string
	}{
		{pass, Accent, g.Pass, "pass"}, {emergency, Emergency, g.Emergency, "emergency"}, {failed, Fault, g.Failed, "failed"},
		{skipped, Dim, g.Skipped, "skipped"}, {idle, Dim, g.Kept, "not due"}, {at.recorded, KindSummary, g.Recorded, "recorded"},
	} {
		if e.on && p.Left() > len(e.text)+5 {
			p.Space(3).Cell(e.tone, e.glyph, 1).Space(1).Text(Dim, e.text)
		}
	}
}
