package draw

import (
	"strconv"
	"strings"
)

// Binding is a key and what it does.
type Binding struct {
	Keys  string // as a person says it: ctrl+d, j/↓
	Text  string
	Group string // heading in the help
}

// Hint is where a footer shows a binding.
type Hint struct {
	Binding Binding
	X, W    int
}

// Footer draws key hints in one line, some at the left end and some at the
// right. Where there is no room for all, the last of the left ones go first and
// then the first of the right ones, whole ones only. The hints say where each
// is, so that a click can run it.
func Footer(l *Look, w int, left, right []Binding) (string, []Hint) {
	width := func(b Binding) int { return Width(b.Keys) + 1 + Width(b.Text) }
	total := func(list []Binding) int {
		n := 0
		for i, b := range list {
			if n += width(b); i > 0 {
				n += 2
			}
		}
		return n
	}
	gap := func() int {
		if len(left) > 0 && len(right) > 0 {
			return 3
		}
		return 0
	}
	for len(left) > 0 && total(left)+gap()+total(right) > w {
		left = left[:len(left)-1]
	}
	for len(right) > 0 && total(right) > w {
		right = right[1:]
	}
	p := l.Pen(w)
	hints := make([]Hint, 0, len(left)+len(right))
	put := func(list []Binding) {
		for i, b := range list {
			if i > 0 {
				p.Space(2)
			}
			from := p.At()
			p.Text(Key, b.Keys).Space(1).Text(Dim, b.Text)
			hints = append(hints, Hint{b, from, p.At() - from})
		}
	}
	put(left)
	p.To(w - total(right))
	put(right)
	return p.String(), hints
}

// Help is a searchable list of bindings.
type Help struct {
	Bindings []Binding
	Query    string // words, all of which must occur in a binding's keys, text or group; a / before them is none
	Cursor   int    // among the matches
}

// Matches are the indices of the bindings the query finds.
func (h *Help) Matches() []int {
	query := strings.ToLower(h.Query)
	if rest := strings.TrimPrefix(query, "/"); strings.TrimSpace(rest) != "" { // as it begins a search elsewhere
		query = rest
	}
	words := strings.Fields(query)
	var out []int
next:
	for i, b := range h.Bindings {
		text := strings.ToLower(b.Keys + " " + b.Text + " " + b.Group)
		for _, w := range words {
			if !strings.Contains(text, w) {
				continue next
			}
		}
		out = append(out, i)
	}
	return out
}

// Size is the cells the help would like to have, with its border.
func (h *Help) Size() (w, height int) {
	w, height = 40, 4
	group := ""
	for i, b := range h.Bindings {
		w = max(w, h.keysWidth()+Width(b.Text)+8)
		if height++; i == 0 || b.Group != group {
			group = b.Group
			height++
		}
	}
	return w, height
}

func (h *Help) keysWidth() int {
	n := 0
	for _, b := range h.Bindings {
		n = max(n, Width(b.Keys))
	}
	return min(n, 20)
}

// said is how many lines the text of the chosen binding has below the list: as
// many as the longest takes, none where all texts fit their rows.
func (h *Help) said(inner int) int {
	cut, n := false, 0
	for i := range h.Bindings {
		text := h.Bindings[i].Text
		cut = cut || 2+h.keysWidth()+2+Width(text) > inner
		n = max(n, len(Wrap(text, max(inner-2, 1))))
	}
	if !cut {
		return 0
	}
	return n
}

// Draw draws the help in a box: the query, then the matches under their
// headings, scrolled so that the cursor is seen. Where rows cut their texts, the
// text of the chosen one stands below them in full.
func (h *Help) Draw(l *Look, w, height int) []string {
	w, height = max(w, 0), max(height, 0)
	inner, rows := w-2, height-2
	if w < 3 || height < 3 {
		inner, rows = w, height
	}
	matches := h.Matches()
	cursor := clamp(h.Cursor, 0, max(len(matches)-1, 0))
	sheet := l.Sheet(inner)
	p := sheet.Line().Space(1).Text(Dim, "search: ").Text(Strong, h.Query).Cell(Accent, l.Glyphs.V, 1)
	count := strconv.Itoa(len(matches)) + " of " + strconv.Itoa(len(h.Bindings))
	if p.Left() > Width(count)+2 {
		p.Right(Dim, count, inner-1)
	}
	at, group := 0, ""
	keys := h.keysWidth()
	for i, m := range matches {
		b := &h.Bindings[m]
		if i == 0 || b.Group != group {
			group = b.Group
			sheet.Line().Space(1).Text(Title, group)
		}
		if i == cursor {
			at = sheet.Len()
			p = sheet.Line().On(Cursor).Cell(Accent, l.Glyphs.Cursor, 1)
		} else {
			p = sheet.Line().Space(1)
		}
		p.Space(1).TextIn(Key, b.Keys, keys).To(2+keys+2).Text(Text, b.Text)
	}
	if len(matches) == 0 {
		sheet.Line().Space(1).Text(Dim, "no key does that")
	}
	said := h.said(inner)
	if rows-1-said < 4 { // the list is worth more than that
		said = 0
	}
	list := sheet.Len()
	for range said {
		sheet.Line()
	}
	lines := sheet.Lines()
	if said > 0 && len(matches) > 0 {
		for i, text := range Wrap(h.Bindings[matches[cursor]].Text, max(inner-2, 1)) {
			lines[list+i] = l.Pen(inner).Space(1).Text(Strong, text).String()
		}
	}
	head, body, foot := lines[:1:1], lines[1:list], lines[list:]
	room := max(rows-1-said, 0)
	from := clamp(at-1-room/2, 0, max(len(body)-room, 0))
	body = body[from:min(len(body), from+room)]
	out := append(head, body...)
	for range room - len(body) {
		out = append(out, l.Pen(inner).String())
	}
	return Box(l, w, height, "keys", append(out, foot...))
}
