package ui

import (
	"cinch/compactor/ladder"
	"cinch/model"
	"cinch/ui/draw"
)

// span is a view of the ladder's list as the few pieces it is made of, so that
// laying it out costs what is in front and not its length.
type span struct {
	view  ladder.View
	front []ladder.Item // in front of the stretch
	from  int           // the stretch of entries is [from, to)
	to    int
}

func spanOf(v ladder.View) span {
	n := v.Len()
	s := span{view: v}
	if n == 0 {
		return s
	}
	last := v.At(n - 1)
	if last.Entry >= 0 {
		s.to = last.Entry + 1
	}
	for i := 0; i < n; i++ {
		it := v.At(i)
		if it.Entry >= 0 && last.Entry-it.Entry == n-1-i {
			s.from = it.Entry
			return s
		}
		s.front = append(s.front, it)
	}
	s.from = s.to
	return s
}

// position is where an entry stands in the list, -1 when it is not in it.
func (s *span) position(entry int) int {
	if entry >= s.from && entry < s.to {
		return len(s.front) + entry - s.from
	}
	for i, it := range s.front {
		if it.Entry == entry {
			return i
		}
	}
	return -1
}

// has reports whether a summary is in the list.
func (s *span) has(m *model.Message) bool {
	for _, it := range s.front {
		if it.Summary() == m {
			return true
		}
	}
	return false
}

// summary is a message that a pass has put in, as a row.
type summary struct {
	message *model.Message
	tokens  int64
	fate    draw.Fate
	note    string
}

// layList lays out the list as it was before the pass, with what the steps shown
// made of each message: what earlier passes took away is folded, and so is what
// this one does.
func (p *ladderScreen) layList() {
	p.rows, p.sums = rowList{}, nil
	b, a := &p.before, &p.after
	added := false
	insert := func() {
		if added {
			return
		}
		added = true
		for i, it := range a.front {
			if m := it.Summary(); m != nil && !b.has(m) {
				p.addSummary(m, a.view.TokensOf(i, i+1), draw.Inserted)
			}
		}
	}
	at := 0 // entry that comes next
	for i, it := range b.front {
		if m := it.Summary(); m != nil {
			fate := draw.NoFate
			if !a.has(m) {
				insert()
				fate = p.goneFate()
			}
			p.addSummary(m, b.view.TokensOf(i, i+1), fate)
			continue
		}
		p.gone(at, it.Entry)
		p.layEntries(it.Entry, it.Entry, insert)
		at = it.Entry + 1
	}
	p.gone(at, b.from)
	p.layEntries(b.from, b.to-1, insert)
	insert()
}

func (p *ladderScreen) addSummary(m *model.Message, tokens int64, fate draw.Fate) {
	i := len(p.sums)
	s := summary{message: m, tokens: tokens, fate: fate}
	if fate == draw.Inserted {
		if n, gone := p.replaced(); n > 0 {
			s.note = "for " + count(n, "message") + ", ~" + draw.Tokens(gone)
		}
	}
	p.sums = append(p.sums, s)
	p.rows.add(block{kind: summaryRow, first: i, last: i})
}

// replaced is how many messages the steps shown took away, and their tokens.
func (p *ladderScreen) replaced() (n int, tokens int64) {
	for _, s := range p.steps() {
		if s.Event != nil && s.Strategy == ladder.Summarize {
			n = s.Head[1] - s.Head[0]
		}
		if s.Kind == ladder.Ask {
			tokens = s.Request.Tokens
		}
	}
	return n, tokens
}

// gone folds the entries [from, to) that earlier passes took away.
func (p *ladderScreen) gone(from, to int) {
	if from < to {
		p.rows.add(block{kind: foldRow, first: from, last: to - 1})
	}
}

// layEntries lays out the entries from first to last, all in the list before the pass.
func (p *ladderScreen) layEntries(first, last int, insert func()) {
	for e := first; e <= last; {
		switch {
		case p.after.position(e) < 0:
			insert()
			end := min(last, p.after.from-1)
			p.rows.dropped(e, end, p.open)
			e = end + 1
		case e < p.after.from: // in front of what follows
			p.rows.stretch(e, e)
			e++
		case p.tail > e && p.tail <= last:
			p.rows.stretch(e, p.tail-1)
			p.rows.add(block{kind: cutRow, first: p.tail, last: p.tail})
			p.rows.stretch(p.tail, last)
			e = last + 1
		default:
			if e == p.tail {
				p.rows.add(block{kind: cutRow, first: e, last: e})
			}
			p.rows.stretch(e, last)
			e = last + 1
		}
	}
}

// goneFate is what became of the messages that the steps shown took away.
func (p *ladderScreen) goneFate() draw.Fate {
	fate := draw.Dropped
	for _, s := range p.steps() {
		if s.Event != nil && s.Strategy != ladder.DropToolResults {
			fate = draw.Dropped
			if s.Strategy == ladder.Summarize {
				fate = draw.Summarised
			}
		}
	}
	return fate
}

// entryRow says what the steps shown made of an entry.
func (p *ladderScreen) entryRow(entry int) (fate draw.Fate, tokens int64, note string) {
	b, a := p.before.position(entry), p.after.position(entry)
	if b < 0 {
		return draw.Dropped, p.original(entry), ""
	}
	tokens = p.before.view.TokensOf(b, b+1)
	switch {
	case a < 0:
		return p.goneFate(), tokens, ""
	case p.after.view.At(a).Cleared && !p.before.view.At(b).Cleared:
		return draw.Cleared, tokens, own(p.r.look, "→ "+draw.Tokens(p.after.view.TokensOf(a, a+1)))
	case p.after.view.At(a).Cleared:
		return draw.Cleared, tokens, "earlier"
	case p.wouldClear(b):
		return draw.NoFate, tokens, "not committed"
	case p.tail >= 0 && entry >= p.tail:
		return draw.Recent, tokens, ""
	case p.tail >= 0 && b == 0 && p.engine.Policy.Preserve.FirstUserTurn && p.before.view.Kind(0) == ladder.User:
		return draw.First, tokens, ""
	case p.tail >= 0 && p.pinned(entry):
		return draw.NoFate, tokens, "pinned"
	}
	return draw.NoFate, tokens, ""
}

// wouldClear reports whether a rung among the steps shown tried to clear message
// i of the list before the pass, and what it made of the list was not committed.
func (p *ladderScreen) wouldClear(i int) bool {
	for _, s := range p.steps() {
		if s.Event != nil { // the list is another one from here on
			return false
		}
		if s.Kind == ladder.Rung && s.Cleared.Has(i) {
			return true
		}
	}
	return false
}

func (p *ladderScreen) pinned(entry int) bool {
	e := &p.rec.Entries[entry]
	if e.Kind != ladder.ToolResult {
		return false
	}
	for _, name := range p.s.climb.policy.Preserve.PinTools {
		if name == e.Tool {
			return true
		}
	}
	return false
}

// original is the tokens of an entry as recorded.
func (p *ladderScreen) original(entry int) int64 {
	return p.engine.ViewOf(len(p.rec.Entries)).TokensOf(entry, entry+1)
}

// recorded is an entry as a message of its own, as it was recorded.
func (p *ladderScreen) recorded(entry int) *model.Message {
	return p.engine.ViewOf(len(p.rec.Entries)).Messages(entry, entry+1)[0]
}

// recordedOnce is recorded, the same message again while it is asked for the same entry.
func (p *ladderScreen) recordedOnce(entry int) *model.Message {
	if p.one.message == nil || p.one.entry != entry {
		p.one.entry, p.one.message = entry, p.recorded(entry)
	}
	return p.one.message
}

// gist is an entry in one line, remembered while it is likely to be drawn again.
func (p *ladderScreen) gist(entry int) string {
	line, ok := p.gists[entry]
	if !ok {
		if len(p.gists) >= gistsKept {
			clear(p.gists)
		}
		line = gist(p.recorded(entry))
		p.gists[entry] = line
	}
	return line
}

// weigh takes a record, with what is asked of it at every change but does not change.
func (p *ladderScreen) weigh(rec *ladder.Record) {
	p.rec, p.gists, p.largest, p.one.message = rec, map[int]string{}, 0, nil
	var pairs []draw.Span
	var lone []int
	for i := range rec.Entries {
		switch e := &rec.Entries[i]; {
		case e.Call >= 0:
			pairs = append(pairs, draw.Span{Call: e.Call, Result: i})
		case e.Kind == ladder.ToolResult:
			lone = append(lone, i)
		}
	}
	p.gutter = draw.NewGutter(pairs, nil, lone)
	probe, err := ladder.New(recipes[1].policy, windowHi, rec)
	if err != nil {
		return
	}
	v := probe.ViewOf(len(rec.Entries))
	for i := range rec.Entries {
		p.largest = max(p.largest, v.TokensOf(i, i+1))
	}
}
