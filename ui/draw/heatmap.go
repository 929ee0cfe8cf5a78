package draw

// HeatState is what is known of a cell of a heat map.
type HeatState uint8

const (
	HeatPending HeatState = iota // not computed yet
	HeatValue
	HeatNever // no such setting can work
)

// HeatCell is one combination of two settings.
type HeatCell struct {
	State HeatState
	Value float64 // what the colour follows
	Text  string  // what is printed, most often a short number
}

// At is a place on a heat map: a column and a row. The zero value is its first
// cell; use None for no place.
type At struct{ X, Y int }

// None is no place.
var None = At{-1, -1}

// HeatMap shows one answer over two settings.
type HeatMap struct {
	XName, YName string
	X, Y         []string     // the settings' values
	Cells        [][]HeatCell // by row, then column; missing ones are pending
	Unit         string       // of the numbers, for the legend
	Never        string       // what × means, for the legend
	Cursor       At           // drawn [ ], kept in view
	Current      At           // the settings in force, drawn ◆
}

// heatLayout is where the cells of a heat map go.
type heatLayout struct {
	left, cell   int // columns of the row labels, and of each cell
	x, y         int // first setting shown in each direction
	cols, rows   int // how many are shown
	head, legend bool
}

func (m *HeatMap) cell(x, y int) HeatCell {
	if y < len(m.Cells) && x < len(m.Cells[y]) {
		return m.Cells[y][x]
	}
	return HeatCell{}
}

func (m *HeatMap) layout(w, h int) heatLayout {
	at := heatLayout{cell: 4, left: min(Width(m.YName), 16)}
	for _, y := range m.Y {
		at.left = max(at.left, min(Width(y), 16))
	}
	at.left += 2
	for _, x := range m.X {
		at.cell = max(at.cell, min(Width(x), 8)+1)
	}
	for y := range m.Cells {
		for x := range m.Cells[y] {
			at.cell = max(at.cell, min(Width(m.Cells[y][x].Text), 8)+2)
		}
	}
	rows := h
	if rows >= 3 {
		at.head, rows = true, rows-1
	}
	if rows >= 3 {
		at.legend, rows = true, rows-1
	}
	at.cols, at.rows = clamp((w-at.left)/at.cell, 0, len(m.X)), clamp(rows, 0, len(m.Y))
	at.x = scroll(m.Cursor.X, at.cols, len(m.X))
	at.y = scroll(m.Cursor.Y, at.rows, len(m.Y))
	return at
}

// scroll is the first of n things of which room are shown so that one is seen.
func scroll(one, room, n int) int { return clamp(one-room/2, 0, max(n-room, 0)) }

// CellAt is the place at a cell of a heat map drawn w by h.
func (m *HeatMap) CellAt(w, h, col, row int) (At, bool) {
	at := m.layout(w, h)
	if at.head {
		row--
	}
	if col < at.left || row < 0 || row >= at.rows || (col-at.left)/at.cell >= at.cols {
		return None, false
	}
	return At{at.x + (col-at.left)/at.cell, at.y + row}, true
}

// span is the lowest and highest value.
func (m *HeatMap) span() (lo, hi HeatCell, ok bool) {
	for y := range m.Cells {
		for _, c := range m.Cells[y] {
			if c.State != HeatValue {
				continue
			}
			if !ok || c.Value < lo.Value {
				lo = c
			}
			if !ok || c.Value > hi.Value {
				hi = c
			}
			ok = true
		}
	}
	return lo, hi, ok
}

// Draw draws the map: a heading of the columns' settings, a line for each row's,
// and a legend.
func (m *HeatMap) Draw(l *Look, w, h int) []string {
	w = max(w, 0)
	if h <= 0 {
		return []string{}
	}
	at := m.layout(w, h)
	sheet := l.Sheet(w)
	lo, hi, some := m.span()
	if at.head {
		p := sheet.Line().Right(Dim, m.YName, at.left-2).To(at.left)
		for x := at.x; x < at.x+at.cols; x++ {
			p.Right(Dim, m.X[x], p.At()+at.cell-1).Space(1)
		}
		p.Space(1).Text(Dim, m.XName)
	}
	for y := at.y; y < at.y+at.rows; y++ {
		p := sheet.Line().Right(Dim, m.Y[y], at.left-2).To(at.left)
		for x := at.x; x < at.x+at.cols; x++ {
			m.draw(p, at.cell, x, y, lo, hi)
		}
	}
	if at.legend {
		m.legend(sheet.Line(), at, lo, hi, some)
	}
	return fit(l, sheet.Lines(), w, h)
}

// legend says what the marks mean that can be seen, in short words where there
// is no room for long ones.
func (m *HeatMap) legend(p *Pen, at heatLayout, lo, hi HeatCell, some bool) {
	never, here := false, false
	for y := at.y; y < at.y+at.rows; y++ {
		for x := at.x; x < at.x+at.cols; x++ {
			never = never || m.cell(x, y).State == HeatNever
			here = here || m.Current == At{x, y} && m.Cursor != m.Current
		}
	}
	marks := func(p *Pen, name string) {
		if never && m.Never != "" && p.Left() >= Width(name)+5 {
			p.Space(3).Text(Warning, p.l.Glyphs.Times).Text(Dim, " "+name)
		}
		if here && p.Left() >= 12 {
			p.Space(3).Cell(Strong, p.l.Glyphs.Here, 1).Text(Dim, " current")
		}
	}
	width := func(draw func(*Pen)) int {
		q := p.l.Pen(measured)
		draw(q)
		return q.measure()
	}
	scale := func(p *Pen) {
		if some {
			m.scale(p, lo, hi)
		}
	}
	steps, name := width(scale), m.Never
	if rest := width(func(p *Pen) { marks(p, name) }); at.left+steps+rest > p.max {
		name = "fails"
	}
	from := at.left
	if from+steps+width(func(p *Pen) { marks(p, name) }) > p.max {
		from = 1
	}
	p.To(from)
	scale(p)
	marks(p, name)
}

// step is which of n steps from the lowest to the highest value a cell is on.
func (c HeatCell) step(lo, hi HeatCell, n int) int {
	level := 0.0
	if hi.Value > lo.Value {
		level = (c.Value - lo.Value) / (hi.Value - lo.Value)
	}
	return clamp(int(level*float64(n)), 0, n-1)
}

// draw draws one cell of the map.
func (m *HeatMap) draw(p *Pen, width, x, y int, lo, hi HeatCell) {
	g := p.l.Glyphs
	c := m.cell(x, y)
	end := p.At() + width
	open, shut := " ", " "
	if m.Cursor == (At{x, y}) {
		open, shut = "[", "]"
	} else if m.Current == (At{x, y}) {
		open = g.Here
	}
	style, text := p.l.styles[Base][Dim], c.Text
	switch c.State {
	case HeatPending:
		text = g.Track
	case HeatNever:
		style, text = p.l.styles[Base][Warning], g.Times
	default:
		if n := len(p.l.heat); n > 0 && p.l.Profile >= ANSI16 {
			style = p.l.heat[c.step(lo, hi, n)]
		} else if open == " " {
			style = p.l.styles[Base][Text]
			open = g.Heat[c.step(lo, hi, len(g.Heat))]
		}
	}
	p.styled(style, open+padLeft(p.l.Glyphs.Line(text, width-2), width-2)+shut, end-p.At())
}

// scale draws the ramp from the lowest to the highest value, less the steps that
// no cell is on.
func (m *HeatMap) scale(p *Pen, lo, hi HeatCell) {
	coloured := p.l.Profile >= ANSI16
	n := len(p.l.Glyphs.Heat)
	if coloured {
		n = len(p.l.heat)
	}
	on := make([]bool, n)
	for _, row := range m.Cells {
		for _, c := range row {
			if c.State == HeatValue && n > 0 {
				on[c.step(lo, hi, n)] = true
			}
		}
	}
	p.Text(Dim, lo.Text).Space(1)
	for i := range on {
		switch {
		case !on[i]:
		case coloured:
			p.cell(p.l.heat[i], " ", 2)
		default:
			p.Cell(Text, p.l.Glyphs.Heat[i], 2)
		}
	}
	if hi.Text != lo.Text {
		p.Space(1).Text(Dim, hi.Text)
	}
	if m.Unit != "" {
		p.Space(1).Text(Dim, m.Unit)
	}
}

func padLeft(s string, w int) string {
	for n := w - Width(s); n > 0; n-- {
		s = " " + s
	}
	return s
}
