package ui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cinch/model"
	"cinch/ui/draw"
)

// detail is the full text of one message, wrapped as far as it has been looked
// at: a message of megabytes opens as fast as a short one.
type detail struct {
	message *model.Message
	width   int
	glyphs  *draw.Glyphs

	lines  []styled
	hidden int    // characters made visible or left out
	todo   []text // what is not wrapped yet
	top    int    // first line shown
}

type styled struct {
	tone draw.Token
	text string
}

type text struct {
	tone draw.Token
	raw  string
}

// wrapAtOnce is how much text is cleaned and wrapped in one go, in bytes.
const wrapAtOnce = 16 << 10

// show opens a message, keeping the place when it is the one that is open.
func (d *detail) show(m *model.Message, width int, g *draw.Glyphs) {
	if d.message == m && d.width == width && d.glyphs == g {
		return
	}
	top := 0
	if d.message == m {
		top = d.top
	}
	*d = detail{message: m, width: max(width, 1), glyphs: g, top: top}
	for i := range m.Parts {
		if i > 0 {
			d.todo = append(d.todo, text{draw.Dim, ""})
		}
		d.todo = append(d.todo, partTexts(&m.Parts[i], len(m.Parts) > 1)...)
	}
}

// partTexts is a part for reading, under a heading where it needs one.
func partTexts(p *model.Part, several bool) []text {
	var out []text
	head := func(format string, args ...any) {
		out = append(out, text{draw.Accent, fmt.Sprintf(format, args...)})
	}
	switch p.Kind {
	case model.ToolCall:
		head("call %s", p.Name)
		return append(out, text{draw.Text, indented(p.Text)})
	case model.ToolResult:
		name := p.Name
		if p.IsError {
			name += " error"
		}
		head("%s", strings.TrimSpace("result "+name))
		for i := range p.List {
			if p.List[i].Kind != model.Text {
				out = append(out, partTexts(&p.List[i], true)...)
			}
		}
		return append(out, text{draw.Text, p.Output()})
	case model.Thinking:
		head("thinking")
		return append(out, text{draw.Dim, p.Text})
	case model.Image, model.Document:
		head("%s", mediaGist(p.Kind.String(), p.Media))
		if p.Media != nil {
			out = append(out, text{draw.Dim, fmt.Sprintf("%s of %s", count(len(p.Media.Data), "character"), p.Media.Encoding)})
		}
		if p.Text != "" {
			out = append(out, text{draw.Text, p.Text})
		}
		return out
	case model.Opaque:
		head("sealed: only the provider can read it")
		return out
	}
	if several {
		head("text")
	}
	return append(out, text{draw.Text, p.Text})
}

// reach wraps until there are n lines, or no more text.
func (d *detail) reach(n int) {
	for len(d.lines) < n && len(d.todo) > 0 {
		t := &d.todo[0]
		chunk, rest := bite(t.raw)
		clean, hidden := d.glyphs.Clean(chunk)
		d.hidden += hidden
		for _, line := range draw.Wrap(clean, d.width) {
			d.lines = append(d.lines, styled{t.tone, line})
		}
		if rest == "" {
			d.todo = d.todo[1:]
		} else {
			t.raw = rest
		}
	}
}

// bite takes some text off the front: whole lines where there are any.
func bite(s string) (chunk, rest string) {
	if len(s) <= wrapAtOnce {
		return s, ""
	}
	if i := strings.LastIndexByte(s[:wrapAtOnce], '\n'); i >= 0 {
		return s[:i], s[i+1:]
	}
	i := wrapAtOnce
	for i > wrapAtOnce-utf8.UTFMax && !utf8.RuneStart(s[i]) {
		i--
	}
	return s[:i], s[i:]
}

// scroll moves the view by lines, of which height are shown.
func (d *detail) scroll(by, height int) { d.scrollTo(d.top+by, height) }

func (d *detail) scrollTo(top, height int) {
	d.reach(top + height)
	d.top = max(0, min(top, len(d.lines)-height))
}

// draw writes a message below what is on the sheet, from the line shown first on
// and down to h lines in all.
func (d *detail) draw(l *draw.Look, m *model.Message, out *draw.Sheet, h int) {
	d.show(m, out.Width()-2, l.Glyphs)
	room := max(h-out.Len(), 0)
	d.scrollTo(d.top, room)
	for _, line := range d.lines[d.top:min(d.top+room, len(d.lines))] {
		out.Line().Space(1).Text(line.tone, line.text)
	}
}

// end goes to the last line.
func (d *detail) end(height int) {
	for len(d.todo) > 0 {
		d.reach(len(d.lines) + 1<<12)
	}
	d.scrollTo(len(d.lines), height)
}
