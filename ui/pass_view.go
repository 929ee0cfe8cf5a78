package ui

import (
	"fmt"
	"strings"

	"cinch/compactor"
	"cinch/model"
	"cinch/model/token"
	"cinch/ui/draw"
)

// lines draws the Pass screen.
func (p *passScreen) lines() []string {
	l := p.r.look
	f := draw.NewFrame(l, p.w, p.h)
	if p.page {
		f.Put(draw.Rect{W: p.w, H: p.h}, p.detailLines(p.w, p.h)...)
		return f.Lines()
	}
	at := &p.place
	version := 4 * p.s.version
	p.now.Label = "now"
	switch {
	case p.s.opened.part > 0:
		version, p.now.Label = version+1, "so far"
	case p.r.counting():
		version, p.now.Label = version+2, "stale"
	}
	_, bars := at.gauges.Left(1)
	bars, _ = bars.Left(p.w - 2)
	f.Put(bars, p.gauged.get(version, p.w, at.gauges.H, l, func() []string { return p.gaugeLines(at.gauges.H) })...)
	f.Put(at.state, p.said.get(p.s.version, p.w, at.state.H, l, func() []string { return p.stateLines(at.state.W, at.state.H) })...)
	if at.rule.H > 0 {
		var join []int
		if at.wide {
			join = []int{at.bar.X}
		}
		f.Put(at.rule, draw.Rule(l, at.rule.W, nil, join))
		f.Put(at.rule2, draw.Rule(l, at.rule2.W, join, nil))
	}
	f.Put(at.list, p.listLines(at.list.W, at.list.H)...)
	if at.wide {
		f.Put(at.bar, draw.Bar(l, at.bar.H)...)
		f.Put(at.detail, p.detailLines(at.detail.W, at.detail.H)...)
	}
	f.Put(at.knobs, p.panel.lines(l)...)
	return f.Lines()
}

// gaugeLines draws the gauge before the pass with its lines, and the one after.
func (p *passScreen) gaugeLines(h int) []string {
	l, w := p.r.look, p.w-2
	lines := p.now.Draw(l, w, h-1)
	if p.s.counted() {
		return append(lines, p.after.Draw(l, w, 1)...)
	}
	return append(lines, l.Pen(w).Text(draw.Text, "after").Space(2).
		Text(draw.Dim, "not counted yet: the last step counts again").String())
}

// stateLines draws the verdict: the state stands out, what follows is wrapped,
// and a line that is left says which rule decided.
func (p *passScreen) stateLines(w, h int) []string {
	l := p.r.look
	v := verdictOf(p.s)
	state := own(l, v.state)
	out := l.Sheet(w)
	for i, line := range v.words(l, w-2, h) {
		pen := out.Line().Space(1)
		if i == 0 && strings.HasPrefix(line, state) {
			pen.Text(v.tone, state)
			line = line[len(state):]
		}
		pen.TextIn(draw.Text, line, pen.Left()-1)
	}
	if out.Len() < h {
		out.Line().Space(1).TextIn(draw.Dim, own(l, v.rule), w-2)
	}
	return out.Lines()
}

// listLines draws the rows that can be seen.
func (p *passScreen) listLines(w, h int) []string {
	l, s := p.r.look, p.s
	last := min(p.top+p.listRows(), p.rows.n)
	list := draw.List{Gutter: s.now.gutter, Count: s.now.view.Len(), Largest: s.now.largest, Estimate: true}
	list.Dropped = func(i int) bool { return p.s.fated() && !s.shown.Fate(i).Kept() }
	if p.filter == nil {
		list.Moved = s.shown.Reattached
	}
	mates := p.mates()
	if len(mates) > 0 {
		list.Selected = draw.Span{Call: min(s.selected, mates[0]), Result: max(s.selected, mates[0])}
	}
	out := l.Sheet(w)
	list.Header(out)
	if p.rows.n == 0 {
		text := "no message"
		if p.filter != nil {
			text = "no message is " + p.filter.name + "; esc shows all"
		}
		out.Line().Space(2).Text(draw.Dim, text)
		return out.Lines()
	}
	list.First, list.Last = p.rows.at(p.top).first, p.rows.at(last-1).last
	for y := p.top; y < last; y++ {
		p.rowLine(out, &list, y, mates)
	}
	return out.Lines()
}

func (p *passScreen) rowLine(out *draw.Sheet, list *draw.List, y int, mates []int) {
	s, r := p.s, p.rows.at(y)
	ground := draw.Base
	switch {
	case r.kind == cutRow:
		list.Cut(out, max(s.shown.Provisional, s.shown.Cut), s.shown.Cut)
		return
	case y == p.cursor:
		ground = draw.Cursor
	case r.kind == messageRow && contains(mates, r.first):
		ground = draw.Picked
	}
	if r.kind == foldRow {
		list.Fold(out, r.first, r.last, s.now.view.TokensBetween(r.first, r.last+1), p.fate(r.first), ground)
		return
	}
	m := s.now.view.Message(r.first)
	text := s.now.gist(m)
	list.Row(out, &draw.Row{
		Index: r.first, Who: whoIs(m), Tokens: s.now.view.TokensOf(r.first), Fate: p.fate(r.first),
		Note: pairNote(s.now.view, r.first), Text: text, Hits: p.search.marks(text), Ground: ground,
	})
}

func contains(list []int, n int) bool {
	for _, v := range list {
		if v == n {
			return true
		}
	}
	return false
}

func (p *passScreen) fate(i int) draw.Fate {
	if !p.s.fated() {
		return draw.NoFate
	}
	return drawnFate[p.s.shown.Fate(i)]
}

// mates are the messages that hold the other halves of the selected message's
// calls and results, the one % would go to first.
func (p *passScreen) mates() []int {
	var out []int
	v := p.s.now.view
	if v.Len() == 0 {
		return nil
	}
	for k := range v.Message(p.s.selected).Parts {
		if m := v.Mate(p.s.selected, k); m >= 0 && m != p.s.selected && !contains(out, m) {
			out = append(out, m)
		}
	}
	if i := indexOf(out, p.mated); i > 0 {
		out[0], out[i] = out[i], out[0]
	}
	return out
}

func indexOf(list []int, n int) int {
	for i, v := range list {
		if v == n {
			return i
		}
	}
	return -1
}

// detailLines draws the message under the cursor: what it is, and its text.
func (p *passScreen) detailLines(w, h int) []string {
	l := p.r.look
	r, ok := p.row()
	if !ok {
		return nil
	}
	if r.kind == foldRow {
		return p.foldLines(r, w, h)
	}
	out := l.Sheet(w)
	p.detailHead(out)
	p.detail.draw(l, p.message(), out, h)
	return out.Lines()
}

// detailText is how many lines of text the detail shows.
func (p *passScreen) detailText() int {
	w, h := p.place.detail.W, p.place.detail.H
	if p.page {
		w, h = p.w, p.h
	}
	if p.message() == nil {
		return h
	}
	out := p.r.look.Sheet(w)
	p.detailHead(out)
	return max(h-len(out.Lines()), 0)
}

// detailHead writes what is said of a message before its text: what it is, why
// it has its fate, and where it stands in the file.
func (p *passScreen) detailHead(out *draw.Sheet) {
	l, s := p.r.look, p.s
	i, m := s.selected, p.message()
	pen := out.Line()
	title := draw.Title
	if p.focus == onDetail {
		title = draw.Accent
		pen.Cell(draw.Accent, l.Glyphs.Cursor, 1)
	} else {
		pen.Space(1)
	}
	pen.Text(title, fmt.Sprintf("#%d %s", i, whoWords(m))).Space(2)
	pen.Text(draw.Dim, own(l, "~"+draw.Tokens(s.now.view.TokensOf(i))+" tokens"))
	add := func(t draw.Token, text string) { wrapped(l, out, t, text) }
	if p.s.fated() {
		add(draw.Text, s.shown.Fate(i).String()+": "+s.shown.Why(i))
	} else {
		add(draw.Text, "as recorded: no cut yet")
	}
	for _, text := range pairWords(s.now.view, i) {
		add(draw.Text, text)
	}
	for _, agent := range agentsOf(s.conv, m) {
		add(draw.Accent, "a subagent, "+count(len(agent.View(model.Context)), "message")+": "+own(l, p.r.press("file", "into"))+" goes into it")
	}
	var where []string
	if at := place(s.conv, m); at != "" {
		where = append(where, at)
	}
	if n := s.now.view.Recorded(i); n != i && n >= 0 {
		where = append(where, fmt.Sprintf("recorded as #%d", n))
	}
	if m.ID != "" {
		where = append(where, "id "+m.ID)
	}
	if len(where) > 0 {
		out.Line().Space(1).Preview(draw.Dim, own(l, strings.Join(where, " · ")), out.Width()-2)
	}
	d := &p.detail
	d.show(m, out.Width()-2, l.Glyphs)
	d.reach(d.top + p.h)
	if d.hidden > 0 {
		add(draw.Warning, count(d.hidden, "control or invisible character")+" made visible or left out")
	}
	out.Line()
}

// foldLines says what a folded run holds.
func (p *passScreen) foldLines(r row, w, h int) []string {
	l, s := p.r.look, p.s
	out := l.Sheet(w)
	out.Line().Space(1).Text(draw.Title, own(l, fmt.Sprintf("#%d–%d", r.first, r.last))).Space(2).
		Text(draw.Dim, count(r.last-r.first+1, "message"))
	out.Line().Space(1).Text(draw.Text, own(l, fmt.Sprintf("%s: %s", s.shown.Fate(r.first), s.shown.Why(r.first))))
	out.Line()
	for k, n := range s.now.splitRange(r.first, r.last+1) {
		if n == 0 {
			continue
		}
		out.Line().Space(1).Cell(drawnKind[k], l.Glyphs.Full, 1).Space(1).Text(draw.Text, token.Kind(k).String()).Right(draw.Text, draw.Tokens(n), 24)
	}
	out.Line()
	out.Line().Space(1).Text(draw.Key, own(l, p.r.press("messages", "open"))).Text(draw.Dim, " unfolds them")
	lines := out.Lines()
	return lines[:min(len(lines), h)]
}

// whoWords is who a message is from, with the tools it calls or answers.
func whoWords(m *model.Message) string {
	who := m.Role.String()
	switch whoIs(m) {
	case draw.WhoCall:
		who = "call"
	case draw.WhoResult:
		who = "result"
	case draw.WhoSummary:
		who = "summary"
	}
	if names := toolNames(m); len(names) > 0 {
		who += " " + draw.Line(strings.Join(names, ", "), 60)
	}
	return who
}

// pairWords says of a message's calls and results where their other halves are.
func pairWords(v *compactor.View, i int) []string {
	var results, calls []int
	var open, lone int
	m := v.Message(i)
	for k := range m.Parts {
		mate := v.Mate(i, k)
		switch m.Parts[k].Kind {
		case model.ToolCall:
			if mate < 0 {
				open++
			} else if !contains(results, mate) {
				results = append(results, mate)
			}
		case model.ToolResult:
			if mate < 0 {
				lone++
			} else if !contains(calls, mate) {
				calls = append(calls, mate)
			}
		}
	}
	var out []string
	if len(results) > 0 {
		out = append(out, "answered by "+listed("result", results))
	}
	if open > 0 {
		out = append(out, fmt.Sprintf("open: %s without a result so far", count(open, "call")))
	}
	if len(calls) > 0 {
		out = append(out, "answers "+listed("call", calls))
	}
	if lone > 0 {
		out = append(out, fmt.Sprintf("lone: %s without an earlier call", count(lone, "result")))
	}
	return out
}

// mostListed is how many positions are listed one by one.
const mostListed = 6

// listed writes result #3, or results #3, #4 and 2 more.
func listed(what string, at []int) string {
	if len(at) > 1 {
		what += "s"
	}
	for k, i := range at {
		if k == mostListed {
			return fmt.Sprintf("%s and %d more", what, len(at)-k)
		}
		if k > 0 {
			what += ","
		}
		what += fmt.Sprintf(" #%d", i)
	}
	return what
}
