package draw

// Rect is a rectangle of cells. The sizes of its parts are never negative.
type Rect struct{ X, Y, W, H int }

// Contains reports whether a cell lies in the rectangle.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Top splits off the upper n lines, as far as there are so many.
func (r Rect) Top(n int) (top, rest Rect) {
	n = clamp(n, 0, max(r.H, 0))
	return Rect{r.X, r.Y, r.W, n}, Rect{r.X, r.Y + n, r.W, r.H - n}
}

// Bottom splits off the lower n lines.
func (r Rect) Bottom(n int) (rest, bottom Rect) { return r.Top(r.H - clamp(n, 0, max(r.H, 0))) }

// Left splits off the left n columns.
func (r Rect) Left(n int) (left, rest Rect) {
	n = clamp(n, 0, max(r.W, 0))
	return Rect{r.X, r.Y, n, r.H}, Rect{r.X + n, r.Y, r.W - n, r.H}
}

// Right splits off the right n columns.
func (r Rect) Right(n int) (rest, right Rect) { return r.Left(r.W - clamp(n, 0, max(r.W, 0))) }

// Centre is a rectangle of at most w by h cells in the middle of r.
func (r Rect) Centre(w, h int) Rect {
	w, h = clamp(w, 0, max(r.W, 0)), clamp(h, 0, max(r.H, 0))
	return Rect{r.X + (r.W-w)/2, r.Y + (r.H-h)/2, w, h}
}

// Zones says what lies where, for the mouse. A later zone lies over an earlier one.
type Zones[ID any] struct {
	rects []Rect
	ids   []ID
}

// Add names a rectangle. Empty ones are never found.
func (z *Zones[ID]) Add(r Rect, id ID) { z.rects, z.ids = append(z.rects, r), append(z.ids, id) }

// At is the uppermost zone at a cell.
func (z *Zones[ID]) At(x, y int) (id ID, r Rect, ok bool) {
	for i := len(z.rects) - 1; i >= 0; i-- {
		if z.rects[i].Contains(x, y) {
			return z.ids[i], z.rects[i], true
		}
	}
	return id, r, false
}

// Reset forgets all zones and keeps the memory.
func (z *Zones[ID]) Reset() { z.rects, z.ids = z.rects[:0], z.ids[:0] }

// Frame puts panes together into a screen of exactly h lines of w cells.
type Frame struct {
	l     *Look
	w, h  int
	panes []pane
}

type pane struct {
	at    Rect
	lines []string
	over  bool
}

// NewFrame starts an empty screen.
func NewFrame(l *Look, w, h int) *Frame {
	return &Frame{l: l, w: max(w, 0), h: max(h, 0), panes: make([]pane, 0, 8)}
}

// Put places lines drawn r.W cells wide in a rectangle that no earlier pane
// covers. Missing lines are blank; lines beyond r.H are left out.
func (f *Frame) Put(r Rect, lines ...string) { f.panes = append(f.panes, pane{at: r, lines: lines}) }

// Over places lines in a rectangle over what lies there.
func (f *Frame) Over(r Rect, lines ...string) {
	f.panes = append(f.panes, pane{at: r, lines: lines, over: true})
}

// Lines are the lines of the screen.
func (f *Frame) Lines() []string {
	sheet := f.l.Sheet(f.w)
	for y := range f.h {
		f.line(sheet.Line(), y)
	}
	out := sheet.Lines()
	for i := range f.panes {
		if f.panes[i].over {
			f.lay(out, &f.panes[i])
		}
	}
	return out
}

// line writes line y of the panes that lie beside each other.
func (f *Frame) line(p *Pen, y int) {
	for next := f.nextPane(y, 0); next != nil; next = f.nextPane(y, p.At()) {
		p.To(next.at.X).plain()
		line := ""
		if i := y - next.at.Y; i < len(next.lines) {
			line = next.lines[i]
		}
		exact(p, line, min(next.at.W, p.Left()))
	}
}

// nextPane is the pane of line y that begins first at or behind column col.
func (f *Frame) nextPane(y, col int) *pane {
	var best *pane
	for i := range f.panes {
		p := &f.panes[i]
		if p.over || p.at.X < col || p.at.X >= f.w || p.at.W <= 0 || y < p.at.Y || y >= p.at.Y+p.at.H {
			continue
		}
		if best == nil || p.at.X < best.at.X {
			best = p
		}
	}
	return best
}

// exact writes a drawn line in w cells. Lines that are so wide already are the rule.
func exact(p *Pen, line string, w int) {
	have := Width(line)
	if have > w {
		line = slice(line, 0, w)
		have = Width(line)
	}
	p.drawn(line, have).Space(w - have).plain()
}

// lay draws a pane over finished lines.
func (f *Frame) lay(out []string, over *pane) {
	r := over.at
	if r.X < 0 || r.X >= f.w {
		return
	}
	w := min(r.W, f.w-r.X)
	for i := 0; i < r.H; i++ {
		y := r.Y + i
		if y < 0 || y >= f.h {
			continue
		}
		line := ""
		if i < len(over.lines) {
			line = over.lines[i]
		}
		p := f.l.Pen(f.w).drawn(slice(out[y], 0, r.X), r.X)
		exact(p, line, w)
		out[y] = p.drawn(slice(out[y], r.X+w, f.w), p.Left()).String()
	}
}

// Rule draws a horizontal line of w cells. Vertical lines meet it from above at
// the columns in up, from below at those in down.
func Rule(l *Look, w int, up, down []int) string {
	p, g := l.Pen(w), l.Glyphs
	meets := func(cols []int, c int) bool {
		for _, at := range cols {
			if at == c {
				return true
			}
		}
		return false
	}
	for c := range max(w, 0) {
		switch a, b := meets(up, c), meets(down, c); {
		case a && b:
			p.Cell(Border, g.Cross, 1)
		case a:
			p.Cell(Border, g.TeeB, 1)
		case b:
			p.Cell(Border, g.TeeT, 1)
		default:
			p.Cell(Border, g.H, 1)
		}
	}
	return p.String()
}

// Bar draws a vertical line of h cells, one a line.
func Bar(l *Look, h int) []string {
	out := make([]string, max(h, 0))
	if len(out) > 0 {
		line := l.Pen(1).Cell(Border, l.Glyphs.V, 1).String()
		for i := range out {
			out[i] = line
		}
	}
	return out
}

// Box draws a border of w by h cells with a title around lines drawn w−2 cells
// wide. Too small for a border, it draws the lines alone.
func Box(l *Look, w, h int, title string, lines []string) []string {
	w, h = max(w, 0), max(h, 0)
	if w < 3 || h < 3 {
		f := NewFrame(l, w, h)
		f.Put(Rect{0, 0, w, h}, lines...)
		return f.Lines()
	}
	g := l.Glyphs
	p := l.Pen(w).Cell(Border, g.TL, 1)
	if title != "" && w > 6 {
		p.Cell(Border, g.H, 1).Space(1).TextIn(Title, title, w-6).Space(1)
	}
	p.Cell(Border, g.H, w-1-p.At()).Cell(Border, g.TR, 1)
	out := make([]string, 0, h)
	out = append(out, p.String())
	side := l.Pen(1).Cell(Border, g.V, 1).String()
	inner := NewFrame(l, w-2, h-2)
	inner.Put(Rect{0, 0, w - 2, h - 2}, lines...)
	for _, line := range inner.Lines() {
		out = append(out, side+line+side)
	}
	return append(out, l.Pen(w).Cell(Border, g.BL, 1).Cell(Border, g.H, w-2).Cell(Border, g.BR, 1).String())
}
