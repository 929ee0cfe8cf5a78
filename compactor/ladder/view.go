package ladder

import (
	"cinch/model"
)

// View is what the list has become at some moment: at most two messages kept or
// put in at the front, then an unbroken stretch of the record, the older part of
// which has its tool results cleared. It is a small value that is never changed;
// keeping the earlier one is undo.
type View struct {
	engine  *Engine
	front   []Item // user messages: the opener, a summary, or both
	from    int    // the stretch of the record is [from, to)
	cleared int    // clearable results of the stretch before this entry are cleared
	to      int
}

// Item is one message of a view.
type Item struct {
	Entry   int  // index in the record's entries, -1 for a summary
	Cleared bool // a tool result that passes have cleared
	synth   *synth
}

// Summary is the message that a pass has put in, nil for a recorded one.
func (it Item) Summary() *model.Message {
	if it.synth == nil {
		return nil
	}
	return it.synth.message
}

// ViewOf is the record's first n entries as recorded.
func (e *Engine) ViewOf(n int) View { return View{engine: e, to: n} }

// Len is the number of messages, tool results counting one each.
func (v View) Len() int { return len(v.front) + v.to - v.from }

// At is the message at index i.
func (v View) At(i int) Item {
	if i < len(v.front) {
		return v.front[i]
	}
	n := v.from + i - len(v.front)
	return Item{Entry: n, Cleared: n < v.cleared && v.engine.isClearable(n)}
}

// Kind is what the message at index i is.
func (v View) Kind(i int) Kind {
	if it := v.At(i); it.Entry >= 0 {
		return v.engine.rec.Entries[it.Entry].Kind
	}
	return User
}

// Tokens is the estimate of the whole list.
func (v View) Tokens() int64 { return v.TokensOf(0, v.Len()) }

// TokensOf is the estimate of the messages [a, b), rounded once.
func (v View) TokensOf(a, b int) int64 { return v.engine.rec.Counter.Tokens(v.weight(a, b)) }

// weight sums the weights of the messages [a, b).
func (v View) weight(a, b int) (w int64) {
	e, f := v.engine, len(v.front)
	for i := a; i < min(b, f); i++ {
		if s := v.front[i].synth; s != nil {
			w += s.weight
		} else {
			w += e.rec.weights[v.front[i].Entry]
		}
	}
	if b <= f {
		return w
	}
	from, to := v.from+max(a, f)-f, v.from+b-f
	mid := min(max(v.cleared, from), to)
	return w + e.clear[mid] - e.clear[from] + e.raw[to] - e.raw[mid]
}

// grown is the view once the recording has gone on to its first n entries.
func (v View) grown(n int) View {
	v.to = n
	return v
}

// entryAt is the entry at which index i >= len(front) stands.
func (v View) entryAt(i int) int { return v.from + i - len(v.front) }

// head is what a pass may touch: the messages [start, end) between the opener
// and the turns kept as they are. It is empty when start == end.
func (v View) head() (start, end int) {
	p := &v.engine.Policy.Preserve
	if p.FirstUserTurn && v.Len() > 0 && v.Kind(0) == User {
		start = 1
	}
	return start, max(start, v.tail())
}

// tail is the index at which the recent turns start: the recentTurns-th
// assistant message from the end, or the user message directly before it. It
// moves further up for a call in the head that a result in the tail answers.
func (v View) tail() int {
	rec, n := v.engine.rec, v.engine.Policy.Preserve.RecentTurns
	if n == 0 {
		return v.Len()
	}
	if n > int(rec.answered[v.to]-rec.answered[v.from]) {
		return 0
	}
	at := v.snap(int(rec.assistants[int(rec.answered[v.to])-n]))
	for i := v.to - 1; i >= max(at, v.from); i-- {
		if call := rec.Entries[i].Call; call >= v.from && call < at {
			at = v.snap(call)
		}
	}
	return len(v.front) + at - v.from
}

// snap takes the entry of an assistant message to the user message directly
// before it. Where that is the last of the front the answer is from-1.
func (v View) snap(entry int) int {
	switch {
	case entry > v.from && v.engine.rec.Entries[entry-1].Kind == User:
		return entry - 1
	case entry == v.from && len(v.front) > 0:
		return entry - 1
	}
	return entry
}

// clearHead is the view with the tool results of its head cleared, and which
// were not before.
func (v View) clearHead(end int) (View, Clearing) {
	if end <= len(v.front) {
		return v, Clearing{}
	}
	c := Clearing{view: v, from: max(v.cleared, v.from), to: v.entryAt(end)}
	if c.Len() == 0 {
		return v, Clearing{}
	}
	v.cleared = c.to
	return v, c
}

// Clearing is the tool results that a rung clears, or would have, as indices
// into the list before it. It costs nothing until it is asked.
type Clearing struct {
	view     View
	from, to int // entries
}

// Len is how many there are.
func (c Clearing) Len() int {
	if c.to <= c.from {
		return 0
	}
	return int(c.view.engine.clearable[c.to] - c.view.engine.clearable[c.from])
}

// Has reports whether the message at index i is one of them.
func (c Clearing) Has(i int) bool {
	n := i - len(c.view.front) + c.view.from
	return i >= len(c.view.front) && n >= c.from && n < c.to && c.view.engine.isClearable(n)
}

// First is the index of the first, -1 when there is none.
func (c Clearing) First() int {
	for n := c.from; n < c.to; n++ {
		if c.view.engine.isClearable(n) {
			return len(c.view.front) + n - c.view.from
		}
	}
	return -1
}

// replaceHead is the view with the messages [start, end) gone, and a summary in
// their place where there is one.
func (v View) replaceHead(start, end int, s *synth) View {
	front := make([]Item, 0, 2)
	for i := range start {
		front = append(front, v.At(i))
	}
	if s != nil {
		front = append(front, Item{Entry: -1, synth: s})
	}
	v.from = v.entryAt(end)
	v.front = front
	return v
}

// Output is one message of a compacted conversation.
type Output struct {
	Message   *model.Message // the recorded message itself where nothing of it changed
	Source    int            // index of the recorded message, -1 for a summary
	Rewritten bool           // results cleared, or some of its parts left out
}

// Output is the view as messages, ready to be written: what a checkpoint
// stores. Entries of one recorded message that are still side by side are one
// message again, and the system messages that stand before the list are in front.
func (v View) Output() []Output {
	out := make([]Output, 0, len(v.engine.rec.lead)+v.Len())
	for _, i := range v.engine.rec.lead {
		out = append(out, Output{Message: v.engine.rec.Messages[i], Source: i})
	}
	return append(out, v.outputOf(0, v.Len())...)
}

// Messages are the messages [a, b) of the view, written like [View.Output].
func (v View) Messages(a, b int) []*model.Message {
	parts := v.outputOf(a, b)
	out := make([]*model.Message, len(parts))
	for i := range parts {
		out[i] = parts[i].Message
	}
	return out
}

func (v View) outputOf(a, b int) []Output {
	var out []Output
	rec := v.engine.rec
	for i := a; i < b; {
		it := v.At(i)
		if it.synth != nil {
			out = append(out, Output{Message: it.synth.message, Source: -1})
			i++
			continue
		}
		source, from := rec.Entries[it.Entry].Message, i
		parts, changed := 0, false
		for ; i < b; i++ {
			it := v.At(i)
			if it.synth != nil || rec.Entries[it.Entry].Message != source {
				break
			}
			parts += rec.Entries[it.Entry].To - rec.Entries[it.Entry].From
			changed = changed || it.Cleared
		}
		m := rec.Messages[source]
		if changed = changed || parts != len(m.Parts); changed {
			m = v.rewrite(m, from, i, parts)
		}
		out = append(out, Output{m, source, changed})
	}
	return out
}

// rewrite is recorded message m with only the parts of the view's messages [a, b).
func (v View) rewrite(m *model.Message, a, b, parts int) *model.Message {
	c := *m
	c.Parts = make([]model.Part, 0, parts)
	for i := a; i < b; i++ {
		it := v.At(i)
		e := &v.engine.rec.Entries[it.Entry]
		if it.Cleared {
			c.Mark = model.Cleared
			c.Parts = append(c.Parts, clearedPart(m.Parts[e.From]))
			continue
		}
		c.Parts = append(c.Parts, m.Parts[e.From:e.To]...)
	}
	return &c
}
