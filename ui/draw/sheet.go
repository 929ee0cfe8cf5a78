package draw

import "sync"

// Sheet is lines of one width, written one below the other into one piece of
// memory: a screenful costs as much as a line.
type Sheet struct {
	pen  Pen
	ends []int // in the pen's memory, of the lines that are finished
	open bool  // a line has been begun
}

var sheets = sync.Pool{New: func() any { return new(Sheet) }}

// Sheet starts lines of width cells, which end with [Sheet.Lines].
func (l *Look) Sheet(width int) *Sheet {
	s := sheets.Get().(*Sheet)
	s.pen.l, s.pen.max, s.pen.b = l, max(width, 0), s.pen.b[:0]
	s.ends, s.open = s.ends[:0], false
	return s
}

// Line ends the line before and begins the next. The pen is good until then.
func (s *Sheet) Line() *Pen {
	s.end()
	s.open = true
	return s.pen.begin(Base)
}

// Width is the cells of a line.
func (s *Sheet) Width() int { return s.pen.max }

// Len is how many lines have been begun.
func (s *Sheet) Len() int {
	if s.open {
		return len(s.ends) + 1
	}
	return len(s.ends)
}

func (s *Sheet) end() {
	if s.open {
		s.pen.end()
		s.ends = append(s.ends, len(s.pen.b))
		s.open = false
	}
}

// Lines are the lines, each filled with blanks up to its width. It is the last
// thing a sheet is asked: its memory goes to the next one.
func (s *Sheet) Lines() []string {
	s.end()
	text, from := string(s.pen.b), 0
	out := make([]string, len(s.ends))
	for i, end := range s.ends {
		out[i], from = text[from:end], end
	}
	s.pen.l = nil
	sheets.Put(s)
	return out
}
