package draw

import (
	"strconv"
	"sync"
	"unicode/utf8"

	"cinch/model/token"
)

// Pen writes one line of cells from left to right and never past its width.
type Pen struct {
	l      *Look
	ground Ground
	max, w int
	b      []byte
	now    string // the prefix in force
}

// Pen starts a line of width cells.
func (l *Look) Pen(width int) *Pen {
	width = max(width, 0)
	return &Pen{l: l, max: width, b: make([]byte, 0, width*2+32)}
}

var pens = sync.Pool{New: func() any { return new(Pen) }}

// borrow is Pen for lines that end in finish, which keeps the memory for the next.
func (l *Look) borrow(width int) *Pen {
	p := pens.Get().(*Pen)
	p.l, p.max = l, max(width, 0)
	return p.Start(Base)
}

// finish is String, after which the pen is no longer the caller's.
func (p *Pen) finish() string {
	s := p.String()
	p.free()
	return s
}

// free gives the pen back without a line.
func (p *Pen) free() { pens.Put(p) }

// Start begins a new line on a background, keeping the pen's memory.
func (p *Pen) Start(g Ground) *Pen {
	p.ground, p.w, p.now, p.b = g, 0, "", p.b[:0]
	return p
}

// Left is how many cells are still free.
func (p *Pen) Left() int { return p.max - p.w }

// At is the column the next cell goes to.
func (p *Pen) At() int { return p.w }

func (p *Pen) style(s Style) {
	if s.Prefix == p.now {
		return
	}
	if p.now != "" {
		p.b = append(p.b, reset...)
	}
	p.b = append(p.b, s.Prefix...)
	p.now = s.Prefix
}

// Text writes text, cleaned and cut with … where it does not fit.
func (p *Pen) Text(t Token, s string) *Pen { return p.text(t, s, p.Left(), false) }

// TextIn writes text in at most width cells.
func (p *Pen) TextIn(t Token, s string, width int) *Pen { return p.text(t, s, width, false) }

// Preview writes text as [Line] makes it, in at most width cells.
func (p *Pen) Preview(t Token, s string, width int) *Pen { return p.text(t, s, width, true) }

func (p *Pen) text(t Token, s string, width int, tight bool) *Pen {
	width = min(width, p.Left())
	if width <= 0 || s == "" {
		return p
	}
	p.style(p.l.styles[p.ground][t])
	return p.append(s, width, tight)
}

// styled writes text in a style that is no token's.
func (p *Pen) styled(style Style, s string, width int) *Pen {
	if width = min(width, p.Left()); width <= 0 || s == "" {
		return p
	}
	p.style(style)
	return p.append(s, width, false)
}

func (p *Pen) append(s string, width int, tight bool) *Pen {
	var w int
	p.b, w = appendLine(p.b, s, width, p.l.Glyphs, tight)
	p.w += w
	return p
}

// Cell writes glyph n times. The glyph is one of ours: it is not cleaned. A glyph
// of several characters is written whole or not at all.
func (p *Pen) Cell(t Token, glyph string, n int) *Pen {
	return p.cell(p.l.styles[p.ground][t], glyph, n)
}

// Inverse writes a glyph in the background's colour on the token's colour.
func (p *Pen) Inverse(t Token, glyph string) *Pen { return p.cell(p.l.inverse[t], glyph, 1) }

func (p *Pen) cell(s Style, glyph string, n int) *Pen {
	w := 1
	if _, size := utf8.DecodeRuneInString(glyph); size != len(glyph) {
		w = Width(glyph)
	}
	if glyph == "" || n <= 0 || w > p.Left() {
		return p
	}
	p.style(s)
	for ; n > 0 && w <= p.Left(); n-- {
		p.b = append(p.b, glyph...)
		p.w += w
	}
	return p
}

// Space writes n blank cells.
func (p *Pen) Space(n int) *Pen { return p.cell(p.l.styles[p.ground][Text], " ", n) }

// To writes blank cells up to column col.
func (p *Pen) To(col int) *Pen { return p.Space(col - p.w) }

// Right writes text so that it ends at column end, cut where it does not fit.
func (p *Pen) Right(t Token, s string, end int) *Pen {
	end = min(end, p.max)
	w := min(Width(s), end-p.w)
	return p.To(end-w).TextIn(t, s, w)
}

// number writes n with thousands separators, or without, so that it ends at column end.
func (p *Pen) number(t Token, n int64, end int, grouped bool) *Pen {
	var tmp [32]byte
	b := tmp[:0]
	if grouped {
		b = token.AppendFormat(b, n)
	} else {
		b = strconv.AppendInt(b, n, 10)
	}
	end = min(end, p.max)
	if p.w+len(b) > end {
		return p.Right(t, string(b), end)
	}
	p.To(end - len(b))
	p.style(p.l.styles[p.ground][t])
	p.b, p.w = append(p.b, b...), end
	return p
}

// String fills the line with blanks up to its width and ends it.
func (p *Pen) String() string {
	p.close()
	return string(p.b)
}

func (p *Pen) close() {
	p.Space(p.Left())
	if p.now != "" {
		p.b = append(p.b, reset...)
		p.now = ""
	}
}
