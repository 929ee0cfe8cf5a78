package ui

import (
	"fmt"

	"cinch/ui/draw"
)

func (p *replayScreen) places() {
	total := p.h + headLines + footLines
	chart, state, knobs, rules := max(p.h/3, 3), 1, 1, 0
	if total >= rulesFrom {
		rules = 1
	}
	if total >= legendFrom && (p.w < wideFrom || p.s.loaded() && len(p.s.conv.Compactions) > 0) {
		state = 2
	}
	if total >= knobsFrom {
		knobs = 2
	}
	p.arrange(callsHeights{min(chart, 16), state, rules, rules, knobs})
}

// lines draws the Replay screen.
func (p *replayScreen) lines() []string {
	l := p.r.look
	f := draw.NewFrame(l, p.w, p.h)
	if p.t == nil {
		f.Put(draw.Rect{W: p.w, H: 1}, l.Pen(p.w).Space(1).Text(draw.Dim, own(l, "counting the recorded history …")).String())
		return f.Lines()
	}
	if p.page {
		f.Put(draw.Rect{W: p.w, H: p.h}, p.detailLines(p.w, p.h)...)
		return f.Lines()
	}
	at := &p.place
	f.Put(at.said, p.stateLines(at.said.W, at.said.H)...)
	list, detail := p.listLines, p.detailLines
	if p.card {
		detail = p.cardLines
		if !at.wide {
			list = p.cardLines
		}
	}
	p.put(f, list, detail)
	return f.Lines()
}

// stateLines draws what happened at the cursor, and what the file itself did
// there: each in a line, or what is too long for one in what there is.
func (p *replayScreen) stateLines(w, h int) []string {
	l := p.r.look
	tone, ways := p.sentence()
	recorded, itself := p.recordedSentence()
	if h < 2 && len(p.points) > 0 && len(p.points[p.at].recorded) > 0 && p.points[p.at].passes[0] == p.points[p.at].passes[1] {
		tone, ways = recorded, []string{itself}
	}
	room := h
	if h > 1 && recorded != draw.Dim {
		room-- // what the file did stays in sight
	}
	out := l.Sheet(w)
	for _, line := range inLines(l, ways, w-2, room) {
		out.Line().Space(1).TextIn(tone, line, w-2)
	}
	if out.Len() < h && itself != "" {
		out.Line().Space(1).TextIn(recorded, own(l, itself), w-2)
	}
	return out.Lines()
}

// listLines draws what the model would see at the cursor's call.
func (p *replayScreen) listLines(w, h int) []string {
	l := p.r.look
	rec := p.whole.recorded
	last := min(p.top+p.listRows(), p.rows.n)
	list := draw.List{Gutter: rec.gutter, Count: rec.view.Len(), Largest: rec.largest, Estimate: true}
	list.Dropped = func(i int) bool { f := p.fate(i); return f == draw.Dropped || f == draw.Emptied }
	out := l.Sheet(w)
	list.Header(out)
	if p.rows.n == 0 {
		out.Line().Space(2).Text(draw.Dim, "nothing was sent yet")
		return out.Lines()
	}
	list.First, list.Last = p.rows.at(p.top).first, p.rows.at(last-1).last
	for y := p.top; y < last; y++ {
		r := p.rows.at(y)
		ground := draw.Base
		if y == p.cursor {
			ground = draw.Cursor
		}
		switch r.kind {
		case cutRow:
			p.pendingLine(out.Line())
		case foldRow:
			list.Fold(out, r.first, r.last, rec.view.TokensBetween(r.first, r.last+1), draw.Dropped, ground)
		default:
			m := p.t.Recording.Messages[r.first]
			list.Row(out, &draw.Row{
				Index: r.first, Who: whoIs(m), Tokens: rec.view.TokensOf(r.first), Fate: p.fate(r.first),
				Text: rec.gist(m), Hits: p.search.marks(rec.gist(m)), Ground: ground,
			})
		}
	}
	return out.Lines()
}

// pendingLine parts what is committed from what the run has said.
func (p *replayScreen) pendingLine(pen *draw.Pen) {
	l := p.r.look
	g := l.Glyphs
	pen.Cell(draw.Accent, g.H, 3).Space(1).Text(draw.Accent, own(l, "history ↑  pending ↓")).Space(1).Cell(draw.Accent, g.H, pen.Left())
}

// detailLines draws the message under the cursor.
func (p *replayScreen) detailLines(w, h int) []string {
	l := p.r.look
	m := p.message()
	if m == nil {
		return nil
	}
	n := p.selected()
	out := l.Sheet(w)
	pen := out.Line()
	if p.reading {
		pen.Cell(draw.Accent, l.Glyphs.Cursor, 1)
	} else {
		pen.Space(1)
	}
	pen.Text(draw.Title, fmt.Sprintf("#%d %s", n, whoWords(m))).Space(2)
	pen.Text(draw.Dim, own(l, "~"+draw.Tokens(p.whole.recorded.view.TokensOf(n))+" tokens"))
	add := func(t draw.Token, text string) { wrapped(l, out, t, text) }
	at := p.now.Position(n)
	switch {
	case at < 0:
		add(draw.Text, "no longer sent: an earlier pass dropped it")
	case p.pass != nil && p.pass.Provisional >= 0:
		add(draw.Text, p.pass.Fate(at).String()+": "+p.pass.Why(at))
	case n >= p.pending:
		add(draw.Text, "pending: said in this run")
	default:
		add(draw.Text, "history: committed before this run, or kept by a pass")
	}
	if at := place(p.s.conv, m); at != "" {
		out.Line().Space(1).Preview(draw.Dim, own(l, at), w-2)
	}
	out.Line()
	p.detail.draw(l, m, out, h)
	return out.Lines()
}

// cardLines draws why the run ended as it did.
func (p *replayScreen) cardLines(w, h int) []string {
	l, e := p.r.look, p.why
	out := l.Sheet(w)
	add := func(t draw.Token, text string) { wrapped(l, out, t, text) }
	head := func(text string) { out.Line(); add(draw.Title, text) }
	if e.Exceeded != nil {
		add(draw.Fault, fmt.Sprintf("%s ContextExceeded{used %s, limit %s} before #%d", l.Glyphs.Failed, draw.Tokens(e.Exceeded.Used), draw.Tokens(e.Exceeded.Limit), e.Message))
	} else {
		add(draw.Good, "the run completes")
	}
	add(draw.Text, e.Main.Text)
	for _, f := range e.Also {
		add(draw.Warning, f.Text)
	}
	if e.Exceeded != nil {
		head("least change")
		switch {
		case p.changing:
			add(draw.Dim, "replaying to find it …")
		default:
			for _, c := range p.changes {
				tone := draw.Dim
				if c.Possible {
					tone = draw.Good
				}
				add(tone, c.Text)
			}
			add(draw.Dim, p.r.press("replay", "use a change")+" sets one; or "+e.Fix)
		}
	}
	if len(e.Events) > 0 {
		head("what led there")
		for _, ev := range e.Events {
			switch {
			case ev.Call != nil:
				add(draw.Text, fmt.Sprintf("#%d call, ~%s sent", ev.Call.Message, draw.Tokens(ev.Call.Tokens)))
			default:
				q := ev.Passed
				add(draw.Text, fmt.Sprintf("#%d Compact(%s): ~%s → ~%s, %d → %d messages, %s", q.Message, reasonWord(q.Reason), draw.Tokens(q.Before), draw.Tokens(q.After), q.MessagesBefore, q.MessagesAfter, q.Result))
			}
		}
	}
	head("floor")
	add(draw.Text, fmt.Sprintf("~%s cannot be dropped: overhead %s, first message %s, the last %d with their pairs %s", draw.Tokens(e.Floor.Total), draw.Tokens(e.Floor.Overhead), draw.Tokens(e.Floor.First), e.Floor.Messages, draw.Tokens(e.Floor.Tail)))
	if len(e.Largest) > 0 {
		head("largest messages")
		for _, m := range e.Largest {
			kept := "dropped"
			if m.Kept {
				kept = "kept"
			}
			add(draw.Text, fmt.Sprintf("#%d ~%s, %s", m.Message, draw.Tokens(m.Tokens), kept))
		}
	}
	all := out.Lines()
	p.cardTop = max(0, min(p.cardTop, len(all)-h))
	all = all[p.cardTop:]
	if len(all) <= h || h < 2 {
		return all[:min(len(all), h)]
	}
	text := fmt.Sprintf("↓ %s more", count(len(all)-h+1, "line"))
	if key := p.r.press("what the model sees", "open"); p.reading {
		text += ": " + p.r.press("message", "scroll down")
	} else {
		text += ": " + key + " reads on"
	}
	return append(all[:h-1:h-1], l.Pen(w).Space(1).Text(draw.Key, own(l, text)).String())
}
