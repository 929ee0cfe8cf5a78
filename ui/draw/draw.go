// Package draw turns data into lines for a terminal: gauges, sliders, list rows
// with their pair brackets, timelines, heat maps, key hints. Everything here is
// pure: the same data, size and [Look] give the same lines. A widget asked for w
// cells and h lines returns exactly h lines of exactly w cells, whatever it was
// given, and its lines hold no control bytes but the colours chosen here.
//
// Text of a conversation is hostile until cleaned. [Pen.Text] cleans whatever it
// is handed, so a widget cannot be made to pass an escape sequence on; [Clean]
// and [Line] do the same for text that is laid out elsewhere.
package draw

// blank is h empty lines of w cells.
func blank(l *Look, w, h int) []string {
	w, h = max(w, 0), max(h, 0)
	out := make([]string, h)
	if h == 0 {
		return out
	}
	line := l.Pen(w).String()
	for i := range out {
		out[i] = line
	}
	return out
}

// fit makes lines exactly h long by cutting or by adding empty ones of w cells.
func fit(l *Look, lines []string, w, h int) []string {
	w, h = max(w, 0), max(h, 0)
	if len(lines) >= h {
		return lines[:h]
	}
	return append(lines, blank(l, w, h-len(lines))...)
}

func clamp(v, lo, hi int) int { return max(lo, min(v, hi)) }
