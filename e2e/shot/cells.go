// Package shot turns what a terminal shows into a picture: SVG, every cell on a
// grid, block and line characters drawn as shapes so that no font decides how
// the picture looks.
package shot

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// style is how a cell is drawn. Colours are #rrggbb, "" for the terminal's own.
type style struct {
	fg, bg                                 string
	bold, dim, italic, underline, reversed bool
	struck                                 bool
}

// cell is one character with its place; wide characters take two columns.
type cell struct {
	row, col, width int
	text            string
	style           style
}

// parse reads a screen as `tmux capture-pane -e -p` prints it: lines of text
// with escape codes for colour. Escape codes of other kinds are left out.
func parse(screen string) []cell {
	var cells []cell
	var st style
	for row, line := range strings.Split(strings.TrimRight(screen, "\n"), "\n") {
		col := 0
		var state byte
		for len(line) > 0 {
			seq, width, n, next := ansi.DecodeSequence(line, state, nil)
			line, state = line[n:], next
			switch {
			case width > 0:
				cells = append(cells, cell{row, col, width, seq, st})
				col += width
			case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
				st = st.apply(seq[2 : len(seq)-1])
			}
		}
	}
	return cells
}

// apply changes a style by the parameters of one SGR sequence.
func (s style) apply(params string) style {
	fields := strings.FieldsFunc(params, func(r rune) bool { return r == ';' || r == ':' })
	if len(fields) == 0 {
		return style{}
	}
	codes := make([]int, len(fields))
	for i, f := range fields {
		codes[i], _ = strconv.Atoi(f)
	}
	for i := 0; i < len(codes); i++ {
		switch n := codes[i]; {
		case n == 0:
			s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 3:
			s.italic = true
		case n == 4:
			s.underline = true
		case n == 7:
			s.reversed = true
		case n == 9:
			s.struck = true
		case n == 22:
			s.bold, s.dim = false, false
		case n == 23:
			s.italic = false
		case n == 24:
			s.underline = false
		case n == 27:
			s.reversed = false
		case n == 29:
			s.struck = false
		case n >= 30 && n <= 37:
			s.fg = palette(n - 30)
		case n >= 90 && n <= 97:
			s.fg = palette(n - 90 + 8)
		case n >= 40 && n <= 47:
			s.bg = palette(n - 40)
		case n >= 100 && n <= 107:
			s.bg = palette(n - 100 + 8)
		case n == 39:
			s.fg = ""
		case n == 49:
			s.bg = ""
		case n == 38 || n == 48:
			colour, used := extended(codes[i+1:])
			i += used
			if n == 38 {
				s.fg = colour
			} else {
				s.bg = colour
			}
		}
	}
	return s
}

// extended reads what follows 38 or 48: an index, or red, green and blue. It
// returns how many codes that took.
func extended(codes []int) (colour string, used int) {
	switch {
	case len(codes) >= 2 && codes[0] == 5:
		return palette(codes[1]), 2
	case len(codes) >= 4 && codes[0] == 2:
		return fmt.Sprintf("#%02x%02x%02x", codes[1]&255, codes[2]&255, codes[3]&255), 4
	}
	return "", len(codes)
}

// palette is xterm's 256 colours: sixteen names, a cube, a ramp of greys.
func palette(n int) string {
	names := [...]string{
		"#1e1e1e", "#cd3131", "#0dbc79", "#c7a500", "#2472c8", "#bc3fbc", "#11a8cd", "#d0d0d0",
		"#808080", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
	}
	switch {
	case n < 0 || n > 255:
		return ""
	case n < 16:
		return names[n]
	case n < 232:
		level := func(v int) int {
			if v == 0 {
				return 0
			}
			return 55 + 40*v
		}
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	}
	v := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", v, v, v)
}
