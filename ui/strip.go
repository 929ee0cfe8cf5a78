package ui

import (
	"strings"

	"cinch/model"
	"cinch/ui/draw"
)

// strip is the knobs in one or a few lines. Sliders get tracks as far as there is
// room, the one that has the keys first; what does not fit at all is left out at
// the ends, never the one with the keys.
type strip struct {
	own   []*knob // the screen's own knobs; nil for those of the truncating engine
	w, h  int
	spots []spot
	more  [][2]bool // by line: whether knobs are left out before and behind
	seen  []pictured
}

// spot is where a knob is drawn.
type spot struct {
	draw.Rect
	knob int
}

const (
	knobGap  = 3
	leastBar = 10 // cells a track adds to a knob
	mostBar  = 26 // likewise
	inLine   = 4  // knobs in each line but the last
)

// shown are the knobs that a session has a use for.
func shownKnobs(s *session) []int {
	out := make([]int, 0, len(knobs))
	for i, k := range knobs {
		if k.name == "view" && s.conv.SameView(model.Context, model.History) && s.conv.SameView(model.History, model.Log) {
			continue
		}
		out = append(out, i)
	}
	return out
}

// all are the knobs the strip can show.
func (t *strip) all() []*knob {
	if t.own != nil {
		return t.own
	}
	return knobs
}

// shown are those that a session has a use for, as indices into all.
func (t *strip) shown(s *session) []int {
	if t.own == nil {
		return shownKnobs(s)
	}
	out := make([]int, 0, len(t.own))
	for i, k := range t.own {
		if k.hidden == nil || !k.hidden(&s.setup) {
			out = append(out, i)
		}
	}
	return out
}

// lay places the knobs. focus is the one with the keys, -1 for none.
func (t *strip) lay(s *session, w, h, focus int) {
	*t = strip{own: t.own, w: w, h: h, spots: t.spots[:0], more: t.more[:0], seen: t.seen}
	all := t.shown(s)
	for y := range max(h, 1) {
		line := all
		if y < h-1 {
			line = all[:min(inLine, len(all))]
		}
		t.line(s, line, y, focus)
		all = all[len(line):]
	}
}

func (t *strip) line(s *session, line []int, y, focus int) {
	room := t.w - 2
	width := func(i int) int { return compact(s, t.all()[i]) }
	first, last := 0, len(line)
	total := -knobGap
	at := 0
	for k, i := range line {
		total += width(i) + knobGap
		if i == focus {
			at = k
		}
	}
	if total > room { // as many as fit around the one with the keys
		room -= 4
		first, last, total = at, at+1, width(line[at])
		for grown := true; grown; {
			grown = false
			if last < len(line) && total+knobGap+width(line[last]) <= room {
				total += knobGap + width(line[last])
				last, grown = last+1, true
			}
			if first > 0 && total+knobGap+width(line[first-1]) <= room {
				first--
				total, grown = total+knobGap+width(line[first]), true
			}
		}
	}
	t.more = append(t.more, [2]bool{first > 0, last < len(line)})
	line = line[first:last]
	bars := make([]int, len(line))
	give := func(k int) {
		if t.all()[line[k]].choice() || bars[k] > 0 || room-total < leastBar {
			return
		}
		bars[k] = leastBar
		total += leastBar
	}
	for k, i := range line {
		if i == focus {
			give(k)
		}
	}
	for k := range line {
		give(k)
	}
	for grown := true; grown; {
		grown = false
		for k := range bars {
			if bars[k] > 0 && bars[k] < mostBar && total < room {
				bars[k]++
				total++
				grown = true
			}
		}
	}
	x := 1
	if first > 0 {
		x = 3
	}
	for k, i := range line {
		n := width(i) + bars[k]
		t.spots = append(t.spots, spot{draw.Rect{X: x, Y: y, W: n, H: 1}, i})
		x += n + knobGap
	}
}

// compact is the cells of a knob without its track: name, arrows, value.
func compact(s *session, k *knob) int {
	return draw.Width(k.name) + 3 + max(draw.Width(k.shown(&s.setup)), k.cells)
}

// at is the knob under a cell, -1 for none.
func (t *strip) at(x, y int) int {
	for i := range t.spots {
		if t.spots[i].Contains(x, y) {
			return i
		}
	}
	return -1
}

// of is where a knob is drawn.
func (t *strip) of(knob int) spot {
	for _, sp := range t.spots {
		if sp.knob == knob {
			return sp
		}
	}
	return spot{knob: knob}
}

// lines draws the strip.
func (t *strip) lines(l *draw.Look, s *session, focus int) []string {
	out := make([]string, t.h)
	var b strings.Builder
	for y := range out {
		b.Reset()
		b.Grow(4 * t.w)
		x := 0
		space := func(to int) {
			b.WriteString(l.Style(draw.Text).Render(blanks[:max(min(to-x, len(blanks)), 0)])) // a theme may paint the page
			x = max(x, to)
		}
		if y < len(t.more) && t.more[y][0] {
			space(1)
			b.WriteString(l.Style(draw.Dim).Render(l.Glyphs.Less))
			x++
		}
		for i := range t.spots {
			if sp := &t.spots[i]; sp.Y == y {
				space(sp.X)
				b.WriteString(t.knob(l, s, sp, sp.knob == focus))
				x += sp.W
			}
		}
		if y < len(t.more) && t.more[y][1] {
			space(x + 1)
			b.WriteString(l.Style(draw.Dim).Render(l.Glyphs.More))
		}
		out[y] = b.String()
	}
	return out
}

const blanks = "        " // more than any gap between knobs

// pictured is a knob as it was drawn last.
type pictured struct {
	look     *draw.Look
	value    int64
	standard int64
	w        int
	focused  bool
	text     string // of one that opens a menu
	line     string
}

// knob draws one knob, unless it still looks as it did.
func (t *strip) knob(l *draw.Look, s *session, sp *spot, focused bool) string {
	k := t.all()[sp.knob]
	if t.seen == nil {
		t.seen = make([]pictured, len(t.all()))
	}
	now := pictured{look: l, w: sp.W, focused: focused}
	if k.text != nil {
		now.text = k.text(&s.setup)
	} else {
		now.value, now.standard = k.get(&s.setup), k.standard(s)
	}
	was := &t.seen[sp.knob]
	now.line = was.line
	if *was != now || now.line == "" {
		now.line = drawKnob(l, s, k, sp.W, focused)
		*was = now
	}
	return now.line
}

func drawKnob(l *draw.Look, s *session, k *knob, w int, focused bool) string {
	if !k.choice() {
		sl := k.slider(s)
		sl.Focused = focused
		return sl.Draw(l, w)
	}
	name, value := draw.Text, draw.Strong
	left, right := " ", " "
	if focused {
		name, value = draw.Accent, draw.Accent
		left, right = l.Glyphs.KnobLeft, l.Glyphs.KnobRight
	}
	return l.Pen(w).Text(name, k.name).Space(1).Cell(draw.Accent, left, 1).
		Text(value, k.shown(&s.setup)).Cell(draw.Accent, right, 1).String()
}
