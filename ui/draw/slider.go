package draw

import (
	"math"
	"strconv"
)

// Slider is one knob: ├──●────┼───┤ 72%.
type Slider struct {
	Name              string
	Min, Max, Value   int64
	Default           int64
	Log               bool                 // equal steps multiply: for a context window
	Format            func(v int64) string // nil: the number
	Focused           bool
	Disabled          string // why it cannot be moved, "" when it can
	Stale             bool   // what it governs is still being computed
	NameWidth, Values int    // cells of the name and the value, 0 for their own
}

const (
	minTrack = 5
	maxTrack = 40
)

func (s *Slider) format(v int64) string {
	if s.Format != nil {
		return s.Format(v)
	}
	return strconv.FormatInt(v, 10)
}

// Track is where the track of a slider drawn w cells wide lies. No cells: there
// is no room for one.
func (s *Slider) Track(w int) (col, cells int) {
	name := s.NameWidth
	if name == 0 {
		name = Width(s.Name)
	}
	value := s.Values
	if value == 0 {
		value = max(Width(s.format(s.Min)), Width(s.format(s.Max)), Width(s.format(s.Value)))
	}
	col = name + 2                       // a space, and the arrow of the focused one
	cells = min(w-col-value-3, maxTrack) // behind it the other arrow, a space, and a mark when stale
	if cells < minTrack {
		return col, 0
	}
	return col, cells
}

// Column is the cell of the track, from 0, a value is drawn at.
func (s *Slider) Column(cells int, v int64) int {
	if cells <= 1 || s.Max <= s.Min {
		return 0
	}
	v = min(max(v, s.Min), s.Max)
	return int(math.Round(s.position(v) * float64(cells-1)))
}

// ValueAt is the value at a cell of the track. Cells beyond its ends give the ends.
func (s *Slider) ValueAt(cells, cell int) int64 {
	if cells <= 1 || cell <= 0 || s.Max <= s.Min {
		return s.Min
	}
	if cell >= cells-1 {
		return s.Max
	}
	f := float64(cell) / float64(cells-1)
	lo, hi := float64(s.Min), float64(s.Max)
	if s.Log && s.Min > 0 {
		return s.round(lo * math.Pow(hi/lo, f))
	}
	return int64(math.Round(lo + (hi-lo)*f))
}

// round gives a dragged value on a log scale two figures: 128,393 is 130,000.
func (s *Slider) round(v float64) int64 {
	unit := math.Pow(10, max(math.Floor(math.Log10(v))-1, 0))
	return min(max(int64(math.Round(v/unit)*unit), s.Min), s.Max)
}

func (s *Slider) position(v int64) float64 {
	if s.Log && s.Min > 0 {
		return math.Log(float64(v)/float64(s.Min)) / math.Log(float64(s.Max)/float64(s.Min))
	}
	return (float64(v) - float64(s.Min)) / (float64(s.Max) - float64(s.Min))
}

// Draw draws the slider in one line.
func (s *Slider) Draw(l *Look, w int) string {
	p := l.Pen(w)
	g := l.Glyphs
	col, cells := s.Track(w)
	name, line, knob := Text, Border, Strong
	switch {
	case s.Disabled != "":
		name, knob = Dim, Dim
	case s.Focused:
		name, line, knob = Accent, Accent, Accent
	}
	p.TextIn(name, s.Name, max(col-2, 0)).To(col - 1)
	if cells == 0 {
		if s.Focused {
			p.Cell(Accent, g.KnobLeft, 1).Text(knob, s.format(s.Value)).Cell(Accent, g.KnobRight, 1)
		} else {
			p.Space(1).Text(knob, s.format(s.Value))
		}
		return p.String()
	}
	at, tick := s.Column(cells, s.Value), s.Column(cells, s.Default)
	if s.Focused {
		p.Cell(Accent, g.KnobLeft, 1)
	} else {
		p.Space(1)
	}
	for c := range cells {
		switch {
		case c == at:
			p.Cell(knob, g.Knob, 1)
		case c == 0:
			p.Cell(line, g.TrackStart, 1)
		case c == cells-1:
			p.Cell(line, g.TrackEnd, 1)
		case c == tick:
			p.Cell(line, g.TrackTick, 1)
		default:
			p.Cell(line, g.TrackLine, 1)
		}
	}
	if s.Focused {
		p.Cell(Accent, g.KnobRight, 1)
	} else {
		p.Space(1)
	}
	p.Space(1).Text(knob, s.format(s.Value))
	if s.Stale {
		p.Cell(Dim, g.Ellipsis, 1)
	}
	if s.Disabled != "" {
		p.Space(1).Text(Dim, s.Disabled)
	}
	return p.String()
}
