package ui

import (
	"fmt"
	"strings"

	"cinch/compactor/ladder"
	"cinch/model"
	"cinch/ui/draw"
)

// ladderPlaces is where the parts are of what the screen says between the
// timeline and the list.
type ladderPlaces struct {
	state, table, cost draw.Rect
	heading, stop      bool // of the table
}

func (p *ladderScreen) places() {
	total := p.h + headLines + footLines
	chart, table, cost, knobs, rules := 3, 1, 0, 1, 0
	at := &p.said
	rungs := len(ladder.Strategies)
	if p.s.loaded() {
		rungs = len(p.s.climb.rungs)
	}
	at.heading, at.stop = false, false
	if total >= rulesFrom {
		table, cost, rules = rungs, 1, 1
	}
	if total >= legendFrom {
		chart, table, at.heading, at.stop = 5, rungs+2, true, true
	}
	if total >= knobsFrom {
		chart, knobs, cost = total/4, 2, 2
	}
	p.arrange(callsHeights{min(chart, 14), 1 + table + cost, min(cost, 1), rules, knobs})
	var rest draw.Rect
	at.state, rest = p.place.said.Top(1)
	at.table, rest = rest.Top(table)
	at.cost, _ = rest.Top(cost)
}

// lines draws the Ladder screen.
func (p *ladderScreen) lines() []string {
	l := p.r.look
	f := draw.NewFrame(l, p.w, p.h)
	switch {
	case p.run == nil:
		f.Put(draw.Rect{W: p.w, H: 1}, l.Pen(p.w).Space(1).Text(draw.Dim, own(l, "counting the recorded history …")).String())
		return f.Lines()
	case p.why != nil:
		f.Put(draw.Rect{W: p.w, H: p.h}, p.why.lines(l, p.w, p.h, p.r.press("why", "use a change"))...)
		return f.Lines()
	case p.look != nil:
		f.Put(draw.Rect{W: p.w, H: p.h}, p.look.lines(l, p.w, p.h)...)
		return f.Lines()
	case p.page:
		f.Put(draw.Rect{W: p.w, H: p.h}, p.detailLines(p.w, p.h)...)
		return f.Lines()
	}
	at := &p.said
	tone, text := p.sentence(p.w - 2)
	f.Put(at.state, l.Pen(p.w).Space(1).TextIn(tone, text, p.w-2).String())
	f.Put(at.table, p.tableLines(at.table.W, at.table.H)...)
	f.Put(at.cost, p.costLines(at.cost.W, at.cost.H)...)
	p.put(f, p.listLines, p.detailLines)
	return f.Lines()
}

// ladderColumns is where the columns of the rung table begin, in cells.
type ladderColumns struct{ name, number, head int }

func (p *ladderScreen) columns(w int) ladderColumns {
	c := ladderColumns{name: 22, number: max(len(draw.Tokens(p.out.Before)), len("reclaimed")) + 2, head: 15}
	if w < wideFrom {
		c.head = 0
	}
	if w < 72 {
		c.number = 0
	}
	return c
}

// tableLines draws which rung gave what.
func (p *ladderScreen) tableLines(w, h int) []string {
	l, at := p.r.look, &p.said
	c := p.columns(w)
	out := l.Sheet(w)
	if h < len(p.s.climb.rungs) { // no room for all: what happened, in a line
		p.stopLine(out.Line())
		return out.Lines()
	}
	if at.heading {
		pen := out.Line().Space(1).Text(draw.Dim, "rung").To(c.name)
		for _, name := range []string{"before", "after", "reclaimed"} {
			if c.number > 0 {
				pen.Right(draw.Dim, name, pen.At()+c.number)
			}
		}
		if c.head > 0 {
			pen.Space(3).Text(draw.Dim, "head")
		}
	}
	for i := range p.s.climb.rungs {
		p.rungLine(out.Line(), i, c)
	}
	if at.stop {
		p.stopLine(out.Line())
	}
	return out.Lines()
}

// rungLine draws a rung: what it was given, what it made of it, and why.
func (p *ladderScreen) rungLine(pen *draw.Pen, row int, c ladderColumns) {
	l := p.r.look
	r := p.s.climb.rungs[row]
	name := draw.Strong
	if !r.on {
		name = draw.Dim
	}
	if row == p.rung {
		pen.Cell(draw.Accent, l.Glyphs.Cursor, 1)
		name = draw.Accent
	} else {
		pen.Space(1)
	}
	number := p.number(row)
	if r.on {
		pen.Text(name, fmt.Sprint(number)).Space(1)
	} else {
		pen.Text(name, "- ")
	}
	pen.Text(name, string(r.strategy)).To(c.name)
	say := func(t draw.Token, ways ...string) {
		pen.To(c.name + 3*c.number)
		if c.head > 0 {
			pen.To(c.name + 3*c.number + 3 + c.head)
		} else {
			pen.Space(2)
		}
		pen.TextIn(t, fitting(l, pen.Left()-1, ways...), pen.Left()-1)
	}
	if !r.on {
		say(draw.Dim, "off")
		return
	}
	s, asked := p.rungStep(number)
	switch {
	case asked:
		say(draw.Text, "about to ask for a summary", "about to ask")
		return
	case s == nil && p.out.Skip == ladder.NotSkipped && p.step != whole && p.step < len(p.out.Steps):
		return
	case s == nil && p.out.Skip != ladder.NotSkipped:
		say(draw.Dim, "no pass")
		return
	case s == nil:
		say(draw.Dim, "not reached")
		return
	}
	if c.number > 0 && s.Tried() {
		given, reclaimed := draw.Text, draw.Strong
		if s.Verdict != ladder.Committed {
			given, reclaimed = draw.Dim, draw.Dim
		}
		gave := draw.Tokens(s.Reclaimed())
		if s.Reclaimed() < 0 {
			gave = l.Signed(s.Reclaimed())
		}
		pen.Right(given, draw.Tokens(s.Before), pen.At()+c.number).Right(given, draw.Tokens(s.After), pen.At()+c.number)
		pen.Right(reclaimed, gave, pen.At()+c.number)
	}
	if c.head > 0 && s.Head[1] > s.Head[0] {
		pen.To(c.name+3*c.number+3).TextIn(draw.Dim, fmt.Sprintf("[%d,%d)", s.Head[0], s.Head[1]), c.head-1)
	}
	tone, ways := p.verdict(s)
	say(tone, ways...)
}

// number is what a rung that is on is in the policy, from 1.
func (p *ladderScreen) number(row int) int {
	n := 0
	for _, r := range p.s.climb.rungs[:row+1] {
		if r.on {
			n++
		}
	}
	return n
}

// rungStep is the step of a rung among those shown, and whether its summary is
// about to be asked for.
func (p *ladderScreen) rungStep(number int) (s *ladder.Step, asked bool) {
	steps := p.steps()
	for i := range steps {
		if steps[i].Number != number {
			continue
		}
		if steps[i].Kind == ladder.Rung {
			return &steps[i], false
		}
		asked = steps[i].Kind == ladder.Ask
	}
	return nil, asked
}

// listLines draws the list with what the pass made of each message.
func (p *ladderScreen) listLines(w, h int) []string {
	l := p.r.look
	if h <= 0 {
		return nil
	}
	list := draw.List{Gutter: p.gutter, Count: len(p.rec.Entries), Largest: p.largest, Estimate: true}
	list.Dropped = func(i int) bool { return p.after.position(i) < 0 }
	out := l.Sheet(w)
	list.Header(out)
	if p.rows.n == 0 {
		out.Line().Space(2).Text(draw.Dim, "nothing was sent yet")
		return out.Lines()
	}
	last := min(p.top+p.listRows(), p.rows.n)
	list.First, list.Last = p.edge(p.top, 1), p.edge(last-1, -1)
	for y := p.top; y < last; y++ {
		r := p.rows.at(y)
		ground := draw.Base
		if y == p.cursor {
			ground = draw.Cursor
		}
		switch r.kind {
		case cutRow:
			p.tailLine(out.Line())
		case foldRow:
			fate := draw.Dropped
			if p.before.position(r.first) >= 0 {
				fate = p.goneFate()
			}
			list.Fold(out, r.first, r.last, p.tokensOf(r.first, r.last+1), fate, ground)
		case summaryRow:
			s := &p.sums[r.first] // it has no number: it is in no recording
			list.Row(out, &draw.Row{
				Index: -1, Who: draw.WhoSummary, Tokens: s.tokens, Fate: s.fate, Note: s.note,
				Text: gist(s.message), Ground: ground,
			})
		default:
			fate, tokens, note := p.entryRow(r.first)
			list.Row(out, &draw.Row{
				Index: r.first, Who: whoIs(p.recorded(r.first)), Tokens: tokens, Fate: fate, Note: note,
				Text: p.gist(r.first), Ground: ground,
			})
		}
	}
	return out.Lines()
}

// edge is the entry of the first row from y on that shows one.
func (p *ladderScreen) edge(y, by int) int {
	for ; y >= 0 && y < p.rows.n; y += by {
		switch r := p.rows.at(y); {
		case r.kind == summaryRow:
		case by < 0:
			return r.last
		default:
			return r.first
		}
	}
	return 0
}

// tokensOf is the entries [a, b) as recorded.
func (p *ladderScreen) tokensOf(a, b int) int64 {
	return p.engine.ViewOf(len(p.rec.Entries)).TokensOf(a, b)
}

// tailLine parts what a pass may touch from what is kept as it is.
func (p *ladderScreen) tailLine(pen *draw.Pen) {
	l := p.r.look
	g := l.Glyphs
	text := fmt.Sprintf("head ↑  the last %s as they are ↓", count(p.s.climb.policy.Preserve.RecentTurns, "turn"))
	pen.Cell(draw.CutLine, g.H, 3).Space(1).Text(draw.CutLine, own(l, text)).Space(1).Cell(draw.CutLine, g.H, pen.Left())
}

// message is the message under the cursor, as it was before the pass; nil for none.
func (p *ladderScreen) message() *model.Message {
	if p.cursor >= p.rows.n {
		return nil
	}
	switch r := p.rows.at(p.cursor); r.kind {
	case summaryRow:
		return p.sums[r.first].message
	case messageRow:
		return p.recordedOnce(r.first)
	}
	return nil
}

// detailLines draws the message under the cursor, and what became of it.
func (p *ladderScreen) detailLines(w, h int) []string {
	l := p.r.look
	out := l.Sheet(w)
	pen := out.Line()
	if p.reading {
		pen.Cell(draw.Accent, l.Glyphs.Cursor, 1)
	} else {
		pen.Space(1)
	}
	var about []string
	m := p.message()
	if m == nil {
		if p.cursor < p.rows.n && p.rows.at(p.cursor).kind == foldRow {
			r := p.rows.at(p.cursor)
			pen.Text(draw.Title, count(r.last-r.first+1, "message"))
			text := "taken away by earlier passes"
			if p.before.position(r.first) >= 0 {
				text = p.goneFate().String() + " by this pass; " + p.r.press("the list", "unfold") + " shows them one by one"
			}
			wrapped(l, out, draw.Text, text)
			return out.Lines()
		}
		return nil
	}
	r := p.rows.at(p.cursor)
	if r.kind == summaryRow {
		s := &p.sums[r.first]
		pen.Text(draw.Title, "summary").Space(2).Text(draw.Dim, own(l, "~"+draw.Tokens(s.tokens)+" tokens"))
		switch s.fate {
		case draw.Inserted:
			about = append(about, "put in by this pass "+s.note)
		case draw.NoFate:
			about = append(about, "put in by an earlier pass")
		default:
			about = append(about, "put in by an earlier pass, "+s.fate.String()+" by this one")
		}
		if isBlank(m) {
			about = append(about, "the summariser returned nothing: this is all that is left of what it stands for")
		}
	} else {
		fate, tokens, note := p.entryRow(r.first)
		who := whoWords(m)
		if e := &p.rec.Entries[r.first]; e.Tool != "" && len(toolNames(m)) == 0 { // named by its call
			who += " " + draw.Line(e.Tool, 60)
		}
		pen.Text(draw.Title, fmt.Sprintf("#%d %s", r.first, who)).Space(2)
		size := own(l, strings.TrimSpace("~"+draw.Tokens(tokens)+" tokens "+note))
		if draw.Width(size) <= pen.Left() {
			pen.Text(draw.Dim, size)
		} else {
			about = append(about, size)
		}
		about = append(about, p.fateWords(r.first, fate, note))
		if at := p.before.position(r.first); at >= 0 && at != r.first {
			about = append(about, fmt.Sprintf("message %d of the list before the pass", at))
		}
		if at := place(p.s.conv, p.rec.Messages[p.rec.Entries[r.first].Message]); at != "" {
			about = append(about, at)
		}
	}
	for i, text := range about {
		tone := draw.Text
		if i > 0 {
			tone = draw.Dim
		}
		wrapped(l, out, tone, text)
	}
	out.Line()
	p.detail.draw(l, m, out, h)
	return out.Lines()
}

// fateWords says what became of an entry and why.
func (p *ladderScreen) fateWords(entry int, fate draw.Fate, note string) string {
	switch fate {
	case draw.Cleared:
		if note == "earlier" {
			return "cleared by an earlier pass: the model is sent " + ladder.Marker
		}
		return "cleared by this pass: the model is sent " + ladder.Marker + " in place of what follows"
	case draw.Summarised:
		return "summarised: the summary stands for it"
	case draw.Dropped:
		return "deleted: it is not sent any more"
	case draw.Recent:
		return fmt.Sprintf("kept: it belongs to the last %s", count(p.s.climb.policy.Preserve.RecentTurns, "turn"))
	case draw.First:
		return "kept: firstUserTurn keeps the message that opens the list"
	}
	switch note {
	case "pinned":
		return "kept: results of " + draw.Line(p.rec.Entries[entry].Tool, 40) + " are pinned"
	case "not committed":
		return "it would have been cleared; the rung committed nothing"
	}
	if p.tail >= 0 {
		return "in the head, and left as it is"
	}
	return "sent as it was recorded"
}
