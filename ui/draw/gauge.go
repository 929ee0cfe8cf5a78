package draw

import (
	"cmp"
	"slices"
)

// Segment is one part of what fills a gauge.
type Segment struct {
	Kind   Token // KindOverhead … KindSealed
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
	KindDocuments - KindOverhead: {"documents", "docs"},
	KindSealed - KindOverhead:    {"sealed", "seal"},
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
	Inferred bool  // the overhead is inferred, which the legend says
	Change   int64 // printed behind, 0 for none
	Tone     Token // of the number: Strong, Over, Emergency

	labelWidth, numberWidth, tailWidth int

	aligned   gaugeLayout // by AlignGauges, for one look and width
	alignedBy *Look
	alignedTo int
}

// AlignGauges gives gauges drawn below each other bars of the same place and
// width. A gauge that is changed afterwards has to be aligned again.
func AlignGauges(l *Look, w int, gauges ...*Gauge) {
	label, number, tail := 0, 0, 0
	for _, g := range gauges {
		g.labelWidth, g.numberWidth, g.tailWidth, g.alignedBy = 0, 0, 0, nil
		if g.Label != "" {
			label = max(label, Width(g.Label)+2)
		}
		number = max(number, g.numberCells())
	}
	for _, g := range gauges {
		g.labelWidth, g.numberWidth = label, number
		at := g.room(l, w)
		tail = max(tail, g.tailCells(l, at.tail))
	}
	for _, g := range gauges {
		g.tailWidth = tail
		g.aligned, g.alignedBy, g.alignedTo = g.layout(l, w), l, w
	}
}

// gaugeLayout is where the parts of a gauge of some width go.
type gaugeLayout struct {
	bar, cells int // first column and width of the bar; no cells: text only
	tail       int // how the numbers behind it are said
	scale      scale
}

// numberCells are the cells of the tokens in full.
func (g *Gauge) numberCells() int {
	n := tokensWidth(max(g.Tokens, -g.Tokens))
	if g.Tokens < 0 {
		n++
	}
	if g.Estimate {
		n++
	}
	return n
}

// near reports whether n, which is the tokens, a limit or the window, is to be
// written in full: where the tokens and a line they have not reached, or have
// passed, are alike in short.
func (g *Gauge) near(n int64) bool {
	if n != g.Tokens {
		return sameShort(n, g.Tokens)
	}
	for i := range g.Limits {
		if at := g.Limits[i].Tokens; at != n && sameShort(at, n) {
			return true
		}
	}
	return g.Window != n && sameShort(g.Window, n)
}

const tails = 5 // ways to say the numbers behind the bar

// tail writes the numbers behind the bar, said the i-th longest way.
func (g *Gauge) tail(p *Pen, i int) {
	tone := g.Tone
	if tone == Text {
		tone = Strong
	}
	if g.Window <= 0 || i < tails-1 {
		if i == 0 {
			p.Cell(tone, " ", g.numberWidth-g.numberCells())
		}
		if g.Estimate {
			p.Text(tone, "~")
		}
		if i == 0 {
			p.Tokens(tone, g.Tokens)
		} else {
			p.size(tone, g.Tokens, g.near(g.Tokens))
		}
	}
	if g.Window <= 0 {
		if i == 0 {
			p.Text(Dim, "  no window")
		}
		return
	}
	const cells = 6 // of a percentage, so that most stand in the same place
	switch i {
	case 0:
		p.Text(Dim, " / ").Tokens(Dim, g.Window).percent(tone, g.Tokens, g.Window, cells+1, 1)
	case 1:
		p.Text(Dim, " / ").size(Dim, g.Window, g.near(g.Window)).percent(tone, g.Tokens, g.Window, cells, 1)
	case 2, 3:
		p.percent(tone, g.Tokens, g.Window, cells, 1)
	default:
		p.percent(tone, g.Tokens, g.Window, 0, 0)
	}
	if i >= 3 {
		return
	}
	if over := g.Tokens - g.Window; over > 0 {
		p.Text(tone, "  ").Text(tone, p.l.Glyphs.Past).Text(tone, " +").Short(tone, over).Text(tone, " over")
	}
	if g.Change != 0 {
		p.Text(Dim, "  ").Signed(Dim, g.Change)
	}
}

// tailCells are the cells that tail takes.
func (g *Gauge) tailCells(l *Look, i int) int {
	p := l.Pen(measured)
	g.tail(p, i)
	return p.measure()
}

// room is the layout without the scale.
func (g *Gauge) room(l *Look, w int) gaugeLayout {
	out := gaugeLayout{bar: g.labelWidth}
	if g.Label != "" && out.bar == 0 {
		out.bar = Width(g.Label) + 2
	}
	room := 0
	for i := range tails {
		out.tail = i
		room = w - out.bar - max(g.tailCells(l, i), g.tailWidth) - 2
		if room >= max(24, w*2/5) || i >= tails-2 && room >= 12 {
			break
		}
	}
	if w >= 24 && room >= 8 && g.Window > 0 {
		out.cells = room
		return out
	}
	for i := range tails { // text only, as much as fits
		if out.tail = i; g.tailCells(l, i) <= w-out.bar {
			break
		}
	}
	return out
}

func (g *Gauge) layout(l *Look, w int) gaugeLayout {
	if g.alignedBy == l && g.alignedTo == w {
		return g.aligned
	}
	out := g.room(l, w)
	if out.cells > 0 {
		out.scale = newScale(out.cells, g.Window, reaches(g.Limits, g.Window)...)
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
	sheet := l.Sheet(w)
	g.bar(sheet.Line(), at)
	if at.cells > 0 {
		if h > 1 {
			g.limits(sheet.Line(), at)
		}
		if h > 2 {
			g.legend(sheet.Line(), at)
		}
	}
	return fit(l, sheet.Lines(), w, h)
}

func (g *Gauge) bar(p *Pen, at gaugeLayout) {
	p.TextIn(Text, g.Label, at.bar-1).To(at.bar)
	if at.cells > 0 {
		g.cells(p, at)
		p.Space(2)
	}
	g.tail(p, at.tail)
}

// cells draws the bar itself.
func (g *Gauge) cells(p *Pen, at gaugeLayout) {
	l := p.l
	full, part := at.scale.fill(g.Tokens, len(l.Glyphs.Left)+1)
	weights := make([]int64, 0, len(kinds))
	for i := range g.Segments {
		weights = append(weights, g.Segments[i].Tokens)
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
	if len(weights) > 0 && full == 0 { // of a part of a cell the largest kind
		kind = g.Segments[slices.Index(weights, slices.Max(weights))].Kind
	}
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
	alike := kind == KindSummary || kind == KindSealed || kind == KindDocuments // in colour to thinking and images
	if l.Profile < ANSI16 {
		return l.Glyphs.Fills[int(kind-KindOverhead)%len(l.Glyphs.Fills)]
	}
	if l.coloured && l.Glyphs.Set != ASCII && !alike {
		return l.Glyphs.Full
	}
	return l.Glyphs.Shades[int(kind-KindOverhead)%len(l.Glyphs.Shades)]
}

// swatch is shade for a legend: where colour alone tells, not as high as the bars
// above and below, into which it would run.
func (l *Look) swatch(kind Token) string {
	if glyph := l.shade(kind); glyph != l.Glyphs.Full || !l.coloured {
		return glyph
	}
	return l.Glyphs.Swatch
}

// usualLimits is how many limits a gauge has at most, but for odd ones.
const usualLimits = 4

// limits draws a pointer under each limit, with its name and value where there is room.
func (g *Gauge) limits(p *Pen, at gaugeLayout) {
	type piece struct {
		col, end int
		limit    *Limit
		name     string
		value    bool // said as well; else it is the pointer
	}
	placed := make([]piece, 0, 2*usualLimits)
	for i := range g.Limits {
		if c, ok := at.scale.place(&g.Limits[i]); ok {
			placed = append(placed, piece{col: at.bar + c, end: at.bar + c + 1, limit: &g.Limits[i]})
		}
	}
	points := placed
	try := func(point, said piece, col int) bool {
		said.col, said.end = col, col+said.end
		if said.col < 0 || said.end > p.max {
			return false
		}
		for _, o := range placed {
			if o.col != point.col && said.col < o.end+1 && said.end+1 > o.col {
				return false
			}
		}
		placed = append(placed, said)
		return true
	}
	// The lines that decide something are named first.
	rank := func(p piece) int { return slices.Index([]Token{Over, Emergency}, p.limit.Tone) }
	slices.SortStableFunc(points, func(a, b piece) int { return cmp.Compare(rank(b), rank(a)) })
	for _, point := range points {
		short := piece{limit: point.limit, value: true, end: sizeWidth(point.limit.Tokens, g.near(point.limit.Tokens))}
		long := short
		long.name = p.l.Glyphs.Line(point.limit.Name, 16)
		long.end += Width(long.name) + 1
		_ = try(point, long, point.col-1-long.end) || try(point, long, point.col+2) ||
			try(point, short, point.col-1-short.end) || try(point, short, point.col+2)
	}
	slices.SortFunc(placed, func(a, b piece) int { return cmp.Compare(a.col, b.col) })
	for i := range placed {
		s := &placed[i]
		tone := s.limit.Tone
		switch {
		case s.col < p.At(): // two limits in one cell
		case !s.value:
			p.To(s.col).Cell(tone, p.l.Glyphs.MarkUp, 1)
		case s.name != "":
			p.To(s.col).Text(tone, s.name).Text(tone, " ").size(tone, s.limit.Tokens, g.near(s.limit.Tokens))
		default:
			p.To(s.col).size(tone, s.limit.Tokens, g.near(s.limit.Tokens))
		}
	}
}

// legend names the segments with their tokens, in full words where they fit. The
// smallest are left out where not even short ones do.
func (g *Gauge) legend(p *Pen, at gaugeLayout) {
	name, inferred, from, gap := kindName, " inferred", at.bar, 2
	need := func(s Segment) int {
		n := gap + 2 + len(name(s.Kind)) + 1 + shortWidth(s.Tokens)
		if s.Kind == KindOverhead && g.Inferred {
			n += len(inferred)
		}
		return n
	}
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
		name, inferred = kindShort, " infd"
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
		p.Cell(s.Kind, p.l.swatch(s.Kind), 1).Space(1).Text(Dim, name(s.Kind)).Space(1).Short(Text, s.Tokens)
		if s.Kind == KindOverhead && g.Inferred {
			p.Text(Dim, inferred)
		}
	}
}
