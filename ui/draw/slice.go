package draw

import "strings"

// slice is columns from to to of a drawn line, each style ended where it was
// left. A wide character of which only a half lies inside becomes a blank. What
// is missing at the end of a short line stays missing.
func slice(line string, from, to int) string {
	var b strings.Builder
	b.Grow(len(line))
	now, written := "", "" // the style in force, and the one written last
	put := func(s string) {
		if now != written {
			if written != "" {
				b.WriteString(reset)
			}
			b.WriteString(now)
			written = now
		}
		b.WriteString(s)
	}
	col := 0
	for i := 0; i < len(line) && col < to; {
		if line[i] == 0x1b {
			n := max(escape(line[i:]), 1)
			switch code := line[i : i+n]; {
			case code == reset || code == "\x1b[m":
				now = ""
			case strings.HasPrefix(code, "\x1b[") && code[n-1] == 'm':
				now += code
			}
			i += n
			continue
		}
		n, w := cluster(line[i:])
		switch {
		case col >= from && col+w <= to:
			put(line[i : i+n])
		case col+w > from && w > 1:
			put(strings.Repeat(" ", min(col+w, to)-max(col, from)))
		}
		i, col = i+n, col+w
	}
	if written != "" {
		b.WriteString(reset)
	}
	return b.String()
}
