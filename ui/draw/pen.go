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

var pens = sync.Pool{New: func() any { return new(Pen) }}

// Pen starts a line of width cells, which ends with [Pen.String]. For several
// lines there is [Look.Sheet].
func (l *Look) Pen(width int) *Pen {
	p := pens.Get().(*Pen)
	p.l, p.max, p.b = l, max(width, 0), p.b[:0]
	return p.begin(Base)
}

// begin starts a line behind what is written.
func (p *Pen) begin(g Ground) *Pen {
	p.ground, p.w, p.now = g, 0, ""
	return p
}

// On takes a background for what is written from here on.
func (p *Pen) On(g Ground) *Pen {
	p.ground = g
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
	p.plain()
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

// onGhost writes a cell that is filled to some part of its height and ghost above.
// Without colours for that it is the one or the other whole; the lowest cell of a
// column stays filled, so that what is there is seen.
func (p *Pen) onGhost(t Token, part int, lowest bool) *Pen {
	g := p.l.Glyphs
	switch {
	case p.l.coloured:
		return p.cell(p.l.onGhost[t], g.Lower[part-1], 1)
	case lowest || 2*part > len(g.Lower):
		return p.Cell(t, g.Full, 1)
	}
	return p.Cell(GhostCell, g.Ghost, 1)
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

// Tokens writes a number of tokens, or any other count, as [Tokens] does.
func (p *Pen) Tokens(t Token, n int64) *Pen {
	var room [numberRoom]byte
	return p.digits(t, token.AppendFormat(room[:0], n))
}

// Short writes a number of tokens as [Short] does.
func (p *Pen) Short(t Token, n int64) *Pen {
	var room [numberRoom]byte
	return p.digits(t, appendShort(room[:0], n))
}

// size writes a number of tokens in short or, where that would hide something, in full.
func (p *Pen) size(t Token, n int64, full bool) *Pen {
	if full {
		return p.Tokens(t, n)
	}
	return p.Short(t, n)
}

// Signed writes a change with its sign, as [Look.Signed] does.
func (p *Pen) Signed(t Token, n int64) *Pen {
	switch {
	case n > 0:
		p.Text(t, "+")
	case n < 0:
		p.Text(t, p.l.Glyphs.Minus)
		n = -n
	}
	return p.Tokens(t, n)
}

// percent writes the share part has of whole, as [Percent] does, in at least cells
// cells of which the first gap are blank.
func (p *Pen) percent(t Token, part, whole int64, cells, gap int) *Pen {
	var room [numberRoom]byte
	b := appendPercent(room[:0], part, whole)
	return p.Cell(t, " ", max(cells-len(b), gap)).digits(t, b)
}

// number writes n with thousands separators, or without, so that it ends at column end.
func (p *Pen) number(t Token, n int64, end int, grouped bool) *Pen {
	var room [numberRoom]byte
	b := room[:0]
	if grouped {
		b = token.AppendFormat(b, n)
	} else {
		b = strconv.AppendInt(b, n, 10)
	}
	end = min(end, p.max)
	if p.w+len(b) > end {
		return p.Right(t, string(b), end)
	}
	return p.To(end-len(b)).digits(t, b)
}

func (p *Pen) digits(t Token, b []byte) *Pen {
	if len(b) > p.Left() {
		return p.Text(t, string(b))
	}
	p.style(p.l.styles[p.ground][t])
	p.b, p.w = append(p.b, b...), p.w+len(b)
	return p
}

// drawn writes a line that was drawn before, width cells of it.
func (p *Pen) drawn(line string, width int) *Pen {
	p.plain()
	p.b, p.w = append(p.b, line...), p.w+width
	return p
}

// plain ends the style in force.
func (p *Pen) plain() {
	if p.now != "" {
		p.b = append(p.b, reset...)
		p.now = ""
	}
}

// end fills the line with blanks up to its width.
func (p *Pen) end() {
	p.Space(p.Left())
	p.plain()
}

// measured is a width that nothing which is only measured exceeds.
const measured = 1 << 16

// measure is how many cells were written. Like String it is the last thing a pen
// is asked.
func (p *Pen) measure() int {
	p.l = nil
	pens.Put(p)
	return p.w
}

// String is the line, filled with blanks up to its width. It is the last thing a
// pen is asked: its memory goes to the next one.
func (p *Pen) String() string {
	p.end()
	s := string(p.b)
	p.l = nil
	pens.Put(p)
	return s
}
