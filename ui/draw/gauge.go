package draw

import (
	"cmp"
	"slices"
	"strings"
)

// Segment is one part of what fills a gauge.
type Segment struct {
	Kind   Token // KindOverhead … KindSummary
	Tokens int64
}

// kinds is what the legend calls a segment, and what it calls it for short.
var kinds = [...]struct{ name, short string }{
	KindOverhead - KindOverhead:  {"overhead", "ovhd"},
	KindUser - KindOverhead:      {"user", "user"},
	KindAssistant - KindOverhead: {"assistant", "asst"},
	KindThinking - KindOverhead:  {"thinking", "think"},
	KindCalls - KindOverhead:     {"calls", "calls"},
	KindResults - KindOverhead:   {"results", "res"},
	KindImages - KindOverhead:    {"images", "img"},
	KindSystem - KindOverhead:    {"system", "sys"},
	KindSummary - KindOverhead:   {"summary", "sum"},
}

func kindName(k Token) string  { return kinds[int(k-KindOverhead)%len(kinds)].name }
func kindShort(k Token) string { return kinds[int(k-KindOverhead)%len(kinds)].short }

// Limit is a line across a gauge or a timeline.
type Limit struct {
	Name   string // target, threshold, emergency
	Tokens int64
	Tone   Token // Mark, Over, Emergency …
	Above  bool  // only more than Tokens crosses it, not Tokens itself
}

// reach is the smallest number of tokens that crosses the limit.
func (m *Limit) reach() int64 {
	if m.Above {
		return m.Tokens + 1
	}
	return m.Tokens
}

// place puts a limit on a scale of the top it was made for, and says whether it has a cell.
func (s scale) place(m *Limit) (int, bool) {
	if m.reach() <= 0 {
		return 0, false
	}
	return s.column(min(m.reach(), s.top))
}

// reaches are the tokens that cross each limit, for newScale.
func reaches(limits []Limit, top int64) []int64 {
	out := make([]int64, len(limits))
	for i := range limits {
		out[i] = limits[i].reach()
		if limits[i].Tokens <= top {
			out[i] = min(out[i], top)
		}
	}
	return out
}

// Gauge is how full a context window is. Its lines are the bar, the limits under
// it, and the legend; less height leaves out the last ones.
type Gauge struct {
	Label    string // now, after
	Tokens   int64  // what the bar shows; segments only divide it
	Window   int64  // 0: no window, and so no bar
	Segments []Segment
	Limits   []Limit
	Ghost    int64 // a value to compare with, 0 for none
	Reserve  int64 // tokens at the right end that are kept free
	Estimate bool  // the numbers are estimates: ~
	Change   int64 // printed behind, 0 for none
	Tone     Token // of the number: Strong, Over, Emergency

	labelWidth, numberWidth, tailWidth int

	aligned   *gaugeLayout // by AlignGauges, for one look and width
	alignedBy *Look
	alignedTo int
}

// AlignGauges gives gauges drawn below each other bars of the same place and
// width. A gauge that is changed afterwards has to be aligned again.
func AlignGauges(l *Look, w int, gauges ...*Gauge) {
	label, number, tail := 0, 0, 0
	for _, g := range gauges {
		g.labelWidth, g.numberWidth, g.tailWidth, g.aligned = 0, 0, 0, nil
		if g.Label != "" {
			label = max(label, Width(g.Label)+2)
		}
		number = max(number, len(g.number(0)))
	}
	for _, g := range gauges {
		g.labelWidth, g.numberWidth = label, number
		tail = max(tail, g.layout(l, w).tailWidth())
	}
	for _, g := range gauges {
		g.tailWidth = tail
		at := g.layout(l, w)
		g.aligned, g.alignedBy, g.alignedTo = &at, l, w
	}
}

// gaugeLayout is where the parts of a gauge of some width go.
type gaugeLayout struct {
	bar, cells int    // first column and width of the bar; no cells: text only
	tail       []span // the numbers behind it
	scale      scale
}

type span struct {
	tone Token
	text string
}

func (g gaugeLayout) tailWidth() int { return spansWidth(g.tail) }

func spansWidth(s []span) int {
	n := 0
	for i := range s {
		n += Width(s[i].text)
	}
	return n
}

// number is the tokens as the i-th tail says them.
func (g *Gauge) number(i int) string {
	number := Short(g.Tokens)
	if i == 0 {
		number = Tokens(g.Tokens)
	}
	if g.Estimate {
		return "~" + number
	}
	return number
}

const tails = 5 // ways to say the numbers behind the bar

// tail is the numbers behind the bar, said the i-th longest way.
func (g *Gauge) tail(l *Look, i int) []span {
	tone := g.Tone
	if tone == Text {
		tone = Strong
	}
	number := g.number(i)
	if i == 0 {
		number = padLeft(number, g.numberWidth)
	}
	if g.Window <= 0 {
		if i == 0 {
			return []span{{tone, number}, {Dim, "  no window"}}
		}
		return []span{{tone, number}}
	}
	percent := Percent(g.Tokens, g.Window)
	for len(percent) < 6 {
		percent = " " + percent
	}
	parted := percent
	if parted[0] != ' ' {
		parted = " " + parted
	}
	out := make([]span, 0, 5)
	switch i {
	case 0:
		out = append(out, span{tone, number}, span{Dim, " / " + Tokens(g.Window)}, span{tone, " " + percent})
	case 1:
		out = append(out, span{tone, number}, span{Dim, " / " + Short(g.Window)}, span{tone, parted})
	case 2, 3:
		out = append(out, span{tone, number}, span{tone, parted})
	default:
		return append(out, span{tone, strings.TrimSpace(percent)})
	}
	if over := g.Tokens - g.Window; over > 0 && i < 3 {
		out = append(out, span{tone, "  " + l.Glyphs.Past + " +" + Short(over) + " over"})
	}
	if g.Change != 0 && i < 3 {
		out = append(out, span{Dim, "  " + l.Signed(g.Change)})
	}
	return out
}

func (g *Gauge) layout(l *Look, w int) gaugeLayout {
	if g.aligned != nil && g.alignedBy == l && g.alignedTo == w {
		return *g.aligned
	}
	out := gaugeLayout{bar: g.labelWidth}
	if g.Label != "" && out.bar == 0 {
		out.bar = Width(g.Label) + 2
	}
	room := 0
	for i := range tails {
		out.tail = g.tail(l, i)
		room = w - out.bar - max(spansWidth(out.tail), g.tailWidth) - 2
		if room >= max(24, w*2/5) || i >= tails-2 && room >= 12 {
			break
		}
	}
	if w >= 24 && room >= 8 && g.Window > 0 {
		out.cells = room
		out.scale = newScale(room, g.Window, reaches(g.Limits, g.Window)...)
		return out
	}
	for i := range tails { // text only, as much as fits
		if out.tail = g.tail(l, i); spansWidth(out.tail) <= w-out.bar {
			break
		}
	}
	return out
}

// Column is the column of a value on a gauge drawn w cells wide, and whether it has one.
func (g *Gauge) Column(l *Look, w int, tokens int64) (int, bool) {
	at := g.layout(l, w)
	c, ok := at.scale.column(tokens)
	return at.bar + c, ok
}

// Value is the value at a column of a gauge drawn w cells wide, and whether the
// column is on the bar. A limit dragged to the column and given this value is
// drawn there.
func (g *Gauge) Value(l *Look, w, col int) (int64, bool) {
	at := g.layout(l, w)
	if at.cells == 0 {
		return 0, false
	}
	return at.scale.value(col - at.bar), col >= at.bar && col < at.bar+at.cells
}

// LimitAt is the limit drawn nearest to a column, at most one cell away.
func (g *Gauge) LimitAt(l *Look, w, col int) (index int, ok bool) {
	at := g.layout(l, w)
	best := 2
	for i := range g.Limits {
		if c, on := at.scale.place(&g.Limits[i]); on {
			if d := abs(at.bar + c - col); d < best {
				best, index, ok = d, i, true
			}
		}
	}
	return index, ok
}

func abs(n int) int { return max(n, -n) }

// Draw draws the gauge: one line is the bar, two add the limits, three the legend.
func (g *Gauge) Draw(l *Look, w, h int) []string {
	w = max(w, 0)
	if h <= 0 {
		return []string{}
	}
	at := g.layout(l, w)
	p := l.borrow(w)
	defer p.free()
	lines := append(make([]string, 0, h), g.bar(p, at))
	if at.cells > 0 {
		if h > 1 {
			lines = append(lines, g.limits(p.Start(Base), at))
		}
		if h > 2 {
			lines = append(lines, g.legend(p.Start(Base), at))
		}
	}
	return fit(l, lines, w, h)
}

func (g *Gauge) bar(p *Pen, at gaugeLayout) string {
	p.TextIn(Text, g.Label, at.bar-1).To(at.bar)
	if at.cells > 0 {
		g.cells(p, at)
		p.Space(2)
	}
	for _, s := range at.tail {
		p.Text(s.tone, s.text)
	}
	return p.String()
}

// cells draws the bar itself.
func (g *Gauge) cells(p *Pen, at gaugeLayout) {
	l := p.l
	full, part := at.scale.fill(g.Tokens, len(l.Glyphs.Left)+1)
	weights := make([]int64, len(g.Segments))
	for i := range g.Segments {
		weights[i] = g.Segments[i].Tokens
	}
	cells := share(full, weights)
	ghost, _ := at.scale.fill(g.Ghost, 1)
	reserve := at.cells
	if g.Reserve > 0 {
		reserve, _ = at.scale.fill(g.Window-g.Reserve, 1)
	}
	limitAt := make(map[int]Token, len(g.Limits))
	for i := range g.Limits {
		if c, ok := at.scale.place(&g.Limits[i]); ok {
			limitAt[c] = g.Limits[i].Tone
		}
	}
	kind := KindUser
	seg, until := -1, 0
	for c := 0; c < at.cells; c++ {
		for c >= until && seg+1 < len(cells) && c < full {
			seg++
			until += cells[seg]
			kind = g.Segments[seg].Kind
		}
		tone, marked := limitAt[c]
		switch {
		case marked && c < full && l.coloured:
			p.Inverse(kind, l.Glyphs.MarkOn)
		case marked && c < full:
			p.Cell(tone, l.Glyphs.MarkOn, 1)
		case marked:
			p.Cell(tone, l.Glyphs.MarkOff, 1)
		case c < full && c == ghost && g.Ghost > 0 && l.coloured:
			p.Inverse(kind, l.Glyphs.MarkOff)
		case c < full && c == ghost && g.Ghost > 0:
			p.Cell(GhostCell, l.Glyphs.MarkOff, 1)
		case c < full:
			p.Cell(kind, l.shade(kind), 1)
		case c == full && part > 0:
			p.Cell(kind, l.Glyphs.Left[part-1], 1)
		case c < ghost:
			p.Cell(GhostCell, l.Glyphs.Ghost, 1)
		case c >= reserve:
			p.Cell(ReserveCell, l.Glyphs.Reserve, 1)
		default:
			p.Cell(TrackCell, l.Glyphs.Track, 1)
		}
	}
}

// shade is what a kind is filled with.
func (l *Look) shade(kind Token) string {
	if l.coloured && l.Glyphs.Set != ASCII && kind != KindSummary { // whose colour is near that of thinking
		return l.Glyphs.Full
	}
	return l.Glyphs.Shades[int(kind-KindOverhead)%len(l.Glyphs.Shades)]
}

// limits draws a pointer under each limit, with its name and value where there is room.
func (g *Gauge) limits(p *Pen, at gaugeLayout) string {
	type piece struct {
		col, end int
		tone     Token
		text     string
	}
	var placed []piece
	type pointer struct {
		col int
		lim *Limit
	}
	var points []pointer
	for i := range g.Limits {
		if c, ok := at.scale.place(&g.Limits[i]); ok {
			points = append(points, pointer{at.bar + c, &g.Limits[i]})
			placed = append(placed, piece{at.bar + c, at.bar + c + 1, g.Limits[i].Tone, p.l.Glyphs.MarkUp})
		}
	}
	// The lines that decide something are named first.
	rank := func(t Token) int { return slices.Index([]Token{Over, Emergency}, t) }
	slices.SortStableFunc(points, func(a, b pointer) int { return cmp.Compare(rank(b.lim.Tone), rank(a.lim.Tone)) })
	try := func(pt pointer, col int, text string) bool {
		end := col + Width(text)
		if col < 0 || end > p.max {
			return false
		}
		for _, o := range placed {
			if o.col != pt.col && col < o.end+1 && end+1 > o.col {
				return false
			}
		}
		placed = append(placed, piece{col, end, pt.lim.Tone, text})
		return true
	}
	for _, pt := range points {
		value := Short(pt.lim.Tokens)
		long := p.l.Glyphs.Line(pt.lim.Name, 16) + " " + value
		_ = try(pt, pt.col-1-Width(long), long) || try(pt, pt.col+2, long) ||
			try(pt, pt.col-1-Width(value), value) || try(pt, pt.col+2, value)
	}
	slices.SortFunc(placed, func(a, b piece) int { return cmp.Compare(a.col, b.col) })
	for _, s := range placed {
		if s.col < p.At() { // two limits in one cell
			continue
		}
		if s.text == p.l.Glyphs.MarkUp {
			p.To(s.col).Cell(s.tone, s.text, 1)
		} else {
			p.To(s.col).Text(s.tone, s.text)
		}
	}
	return p.String()
}

// legend names the segments with their tokens, in full words where they fit. The
// smallest are left out where not even short ones do.
func (g *Gauge) legend(p *Pen, at gaugeLayout) string {
	name, from, gap := kindName, at.bar, 2
	need := func(s Segment) int { return gap + 2 + len(name(s.Kind)) + 1 + len(Short(s.Tokens)) }
	var room [len(kinds)]Segment
	shown := room[:0]
	total := func() int {
		n := -gap
		for _, s := range shown {
			n += need(s)
		}
		return n
	}
	for _, s := range g.Segments {
		if s.Tokens > 0 {
			shown = append(shown, s)
		}
	}
	if from+total() > p.Left() {
		name = kindShort
	}
	if from+total() > p.Left() {
		from, gap = 0, 1
	}
	for len(shown) > 0 && total() > p.Left() { // the smallest go first: a colour without its name says nothing
		least := 0
		for i := range shown {
			if shown[i].Tokens < shown[least].Tokens {
				least = i
			}
		}
		shown = slices.Delete(shown, least, least+1)
	}
	p.To(from)
	for i, s := range shown {
		if i > 0 {
			p.Space(gap)
		}
		p.Cell(s.Kind, p.l.shade(s.Kind), 1).Space(1).Text(Dim, name(s.Kind)).Space(1).Text(Text, Short(s.Tokens))
	}
	return p.String()
}
