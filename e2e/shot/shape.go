package shot

import "strings"

// arms says which of the four half lines a line character is made of: left,
// right, up, down; capitals are heavy.
var arms = map[rune]string{
	'─': "lr", '━': "LR", '═': "LR", '│': "ud", '┃': "UD",
	'┌': "rd", '╭': "rd", '┐': "ld", '╮': "ld", '└': "ru", '╰': "ru", '┘': "lu", '╯': "lu",
	'├': "udr", '┤': "udl", '┬': "lrd", '┴': "lru", '┼': "lrud",
	'┏': "RD", '┓': "LD", '┗': "RU", '┛': "LU", '┣': "UDR", '┫': "UDL",
	'╴': "l", '╶': "r", '╵': "u", '╷': "d", '╸': "L", '╺': "R",
}

// shape draws block and line characters as rectangles, and reports whether r is one.
func shape(b *strings.Builder, r rune, x, y float64, fill string, opacity float64) bool {
	const w, h = cellWidth, cellHeight
	box := func(dx, dy, width, height float64) { rect(b, x+dx, y+dy, width, height, fill, opacity) }
	switch {
	case r == '█':
		box(0, 0, w, h)
	case r >= '▁' && r <= '▇': // eighths from below
		part := h * float64(r-'▁'+1) / 8
		box(0, h-part, w, part)
	case r >= '▉' && r <= '▏': // eighths from the left
		box(0, 0, w*float64('▏'-r+1)/8, h)
	case r == '▀':
		box(0, 0, w, h/2)
	case r == '▐':
		box(w/2.0, 0, w/2.0, h)
	case r == '░' || r == '▒' || r == '▓':
		rect(b, x, y, w, h, fill, opacity*float64(r-'░'+1)/4)
	case r == '╌' || r == '┄' || r == '┈':
		box(1, h/2-0.6, w/2.0-1.5, 1.2)
		box(w/2.0+0.5, h/2-0.6, w/2.0-1.5, 1.2)
	case r == '┊' || r == '┆' || r == '╎':
		for k := range 4 {
			box(w/2.0-0.6, float64(k)*h/4+1, 1.2, h/4.0-2.5)
		}
	default:
		lines, known := arms[r]
		if !known {
			return false
		}
		for _, a := range lines {
			line(box, a)
		}
	}
	return true
}

// line draws one half line, from the middle of the cell outwards.
func line(box func(x, y, w, h float64), arm rune) {
	const w, h = cellWidth, cellHeight
	t := 1.2
	if arm < 'a' {
		t = 2.6
	}
	switch arm | 0x20 {
	case 'l':
		box(0, (h-t)/2, (w+t)/2, t)
	case 'r':
		box((w-t)/2, (h-t)/2, (w+t)/2, t)
	case 'u':
		box((w-t)/2, 0, t, (h+t)/2)
	case 'd':
		box((w-t)/2, (h-t)/2, t, (h+t)/2)
	}
}
