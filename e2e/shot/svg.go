package shot

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A cell's size in the picture, and the room around the screen, in pixels.
const (
	cellWidth, cellHeight = 9, 18
	fontSize              = 15
	baseline              = 13.5
	margin                = 10
)

// Theme is the terminal's own colours.
type Theme struct{ Foreground, Background string }

// Themes of the pictures in the manual.
var (
	Dark  = Theme{"#d4d4d4", "#1e1e1e"}
	Light = Theme{"#1e1e1e", "#ffffff"}
)

// SVG draws a screen as captured, of the given size in cells. The same screen
// gives the same bytes, one element a line.
func SVG(screen string, columns, rows int, theme Theme) string {
	var b strings.Builder
	width, height := columns*cellWidth+2*margin, rows*cellHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%d">`+"\n", width, height, width, height, fontSize)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="6" fill="%s"/>`+"\n", width, height, theme.Background)
	fmt.Fprintf(&b, `<g transform="translate(%d,%d)" xml:space="preserve">`+"\n", margin, margin)
	spans := join(parse(screen))
	for _, s := range spans {
		s.background(&b, theme)
	}
	for _, s := range spans {
		s.foreground(&b, theme)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// span is neighbouring cells of one style.
type span struct {
	row, col, width int
	style           style
	cells           []cell
}

func join(cells []cell) []span {
	var out []span
	for _, c := range cells {
		if n := len(out) - 1; n >= 0 && out[n].row == c.row && out[n].col+out[n].width == c.col && out[n].style == c.style {
			out[n].width += c.width
			out[n].cells = append(out[n].cells, c)
			continue
		}
		out = append(out, span{c.row, c.col, c.width, c.style, []cell{c}})
	}
	return out
}

// colours are what the span is drawn in, its reversal carried out; the
// background is "" where it is the terminal's.
func (s span) colours(theme Theme) (fg, bg string) {
	fg, bg = s.style.fg, s.style.bg
	if fg == "" {
		fg = theme.Foreground
	}
	if s.style.reversed {
		if bg == "" {
			bg = theme.Background
		}
		return bg, fg
	}
	return fg, bg
}

func (s span) background(b *strings.Builder, theme Theme) {
	if _, bg := s.colours(theme); bg != "" {
		rect(b, float64(s.col*cellWidth), float64(s.row*cellHeight), float64(s.width*cellWidth), cellHeight, bg, 1)
	}
}

func (s span) foreground(b *strings.Builder, theme Theme) {
	fg, _ := s.colours(theme)
	opacity := 1.0
	if s.style.dim {
		opacity = 0.6
	}
	y := float64(s.row * cellHeight)
	// Letters are written word by word, so that a font whose letters are a
	// little wider or narrower than a cell cannot drift.
	var word strings.Builder
	start, length := 0, 0
	flush := func() {
		if length > 0 {
			s.write(b, word.String(), float64(start*cellWidth), y, length, fg, opacity)
		}
		word.Reset()
		length = 0
	}
	for _, c := range s.cells {
		r, _ := utf8.DecodeRuneInString(c.text)
		if c.text == " " || shape(b, r, float64(c.col*cellWidth), y, fg, opacity) {
			flush()
			continue
		}
		if length == 0 {
			start = c.col
		}
		word.WriteString(c.text)
		length += c.width
		if c.width > 1 {
			flush()
		}
	}
	flush()
	if s.style.underline {
		rect(b, float64(s.col*cellWidth), y+cellHeight-2, float64(s.width*cellWidth), 1, fg, opacity)
	}
	if s.style.struck {
		rect(b, float64(s.col*cellWidth), y+cellHeight/2, float64(s.width*cellWidth), 1, fg, opacity)
	}
}

// write puts a word of the given width in cells at x, y.
func (s span) write(b *strings.Builder, word string, x, y float64, cells int, fg string, opacity float64) {
	fmt.Fprintf(b, `<text x="%g" y="%g" textLength="%d" fill="%s"`, x, y+baseline, cells*cellWidth, fg)
	if s.style.bold {
		b.WriteString(` font-weight="bold"`)
	}
	if s.style.italic {
		b.WriteString(` font-style="italic"`)
	}
	if opacity < 1 {
		fmt.Fprintf(b, ` opacity="%g"`, opacity)
	}
	b.WriteString(">")
	_ = xml.EscapeText(b, []byte(word)) // a Builder does not fail
	b.WriteString("</text>\n")
}

func rect(b *strings.Builder, x, y, w, h float64, fill string, opacity float64) {
	fmt.Fprintf(b, `<rect x="%g" y="%g" width="%g" height="%g" fill="%s"`, x, y, w, h, fill)
	if opacity < 1 {
		fmt.Fprintf(b, ` opacity="%g"`, opacity)
	}
	b.WriteString("/>\n")
}
