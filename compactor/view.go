package compactor

import (
	"slices"

	"cinch/model"
)

// View is a list of messages that the engines work on: a recording as it
// stands, or what passes made of it. It is never changed; a pass gives another
// one, so undo is keeping the earlier. What passes leave is a few messages and
// then a stretch of the recording, and so it is held: a view of 100,000 messages
// costs no more than one of ten.
type View struct {
	store  *store
	head   []int32 // numbers of the messages before the stretch
	sums   []int64 // running sums of head's weights, one longer
	lo, hi int32   // the recorded stretch after head
	own    *own    // the view's own matching, nil where the recording's holds
}

// own is the matching of a view that dropped half of a pair whose other half
// had not arrived, or that holds messages a compactor wrote.
type own struct {
	*matches
	reach rangeMin
}

// View is the recording as it stands.
func (r *Recording) View() *View {
	return newView(&store{Recording: r}, nil, 0, int32(len(r.entries)), false)
}

func newView(s *store, head []int32, lo, hi int32, broken bool) *View {
	v := &View{store: s, head: head, sums: make([]int64, len(head)+1), lo: lo, hi: hi}
	for i, n := range head {
		v.sums[i+1] = v.sums[i] + s.entry(n).weight
	}
	if broken {
		m := matchUp(v.Len(), v.entry)
		v.own = &own{m, newRangeMin(m.reach)}
	}
	return v
}

// Buffer is a list of message numbers: a few of any kind, and then a stretch of
// the recording from From up to To.
type Buffer struct {
	Head []int32 `json:"head,omitempty"`
	From int32   `json:"from"`
	To   int32   `json:"to"`
}

// Len is how many messages it lists.
func (b *Buffer) Len() int { return len(b.Head) + int(b.To-b.From) }

// Add appends a message.
func (b *Buffer) Add(n int32) { b.Join(Buffer{From: n, To: n + 1}) }

// Join appends the messages of other.
func (b *Buffer) Join(other Buffer) {
	switch {
	case other.Len() == 0:
	case b.Len() == 0:
		*b = other
	case len(other.Head) == 0 && b.From == b.To:
		b.From, b.To = other.From, other.To
	case len(other.Head) == 0 && b.To == other.From:
		b.To = other.To
	default:
		head := slices.Clip(b.Head)
		for n := b.From; n < b.To; n++ {
			head = append(head, n)
		}
		*b = Buffer{append(head, other.Head...), other.From, other.To}
	}
}

// buffer lists the view's messages.
func (v *View) buffer() Buffer { return Buffer{v.head, v.lo, v.hi} }

// Len is the number of messages.
func (v *View) Len() int { return len(v.head) + int(v.hi-v.lo) }

func (v *View) number(i int) int32 {
	if i < len(v.head) {
		return v.head[i]
	}
	return v.lo + int32(i-len(v.head))
}

func (v *View) entry(i int) *entry { return v.store.entry(v.number(i)) }

// Message is the message at position i.
func (v *View) Message(i int) *model.Message { return v.store.message(v.number(i)) }

// Recorded is the index in the recording of the message at position i, also
// when a pass removed some of its parts; -1 when a compactor wrote it.
func (v *View) Recorded(i int) int { return int(v.store.recorded(v.number(i))) }

// Position is where the recorded message stands in the view, -1 when it is not there.
func (v *View) Position(recorded int) int {
	if n := int32(recorded); n >= v.lo && n < v.hi {
		return len(v.head) + int(n-v.lo)
	}
	return slices.IndexFunc(v.head, func(n int32) bool { return int(v.store.recorded(n)) == recorded })
}

// Stretch says that all positions from here on are recorded messages in a row,
// the first of them recorded: what a list can draw without looking at each.
func (v *View) Stretch() (position, recorded int) { return len(v.head), int(v.lo) }

// Messages lists the view's messages.
func (v *View) Messages() []*model.Message {
	out := make([]*model.Message, v.Len())
	for i := range out {
		out[i] = v.Message(i)
	}
	return out
}

func (v *View) weightUpTo(n int) int64 {
	if n <= len(v.head) {
		return v.sums[n]
	}
	r := v.store.Recording.sums
	return v.sums[len(v.head)] + r[v.lo+int32(n-len(v.head))] - r[v.lo]
}

// Tokens is the estimate of the messages, without overhead.
func (v *View) Tokens() int64 { return v.TokensUpTo(v.Len()) }

// TokensUpTo is the estimate of the first n messages, without overhead.
func (v *View) TokensUpTo(n int) int64 { return v.store.Counter.Tokens(v.weightUpTo(n)) }

// TokensBetween is what the messages from i up to j add to the estimate: the
// difference of two running totals, so that a column of them adds up exactly.
func (v *View) TokensBetween(i, j int) int64 { return v.TokensUpTo(j) - v.TokensUpTo(i) }

// TokensOf is what message i adds to the estimate.
func (v *View) TokensOf(i int) int64 { return v.TokensBetween(i, i+1) }

// Overhead is the tokens of system prompt and tool schemas.
func (v *View) Overhead() int64 { return v.store.Overhead }

// Recording is what the view looks at.
func (v *View) Recording() *Recording { return v.store.Recording }

// Over is the same view of a recording that differs in its overhead alone.
func (v *View) Over(r *Recording) *View {
	next, s := *v, *v.store
	s.Recording = r
	next.store = &s
	return &next
}

// RoleAt is the role of the message at position i.
func (v *View) RoleAt(i int) model.Role { return v.entry(i).role }

// Mate is the position of the message that holds the other half of a tool call
// or result: part is its index in message i. It is -1 for a lone one, and for a
// part that is neither.
func (v *View) Mate(i, part int) int {
	for k, t := range v.entry(i).traffic {
		if int(t.part) == part {
			return v.mate(i, k, t)
		}
	}
	return -1
}

// mate is the position of the other half of t, the k-th traffic of message i.
func (v *View) mate(i, k int, t traffic) int {
	if v.own != nil {
		return int(v.own.mates[v.own.start[i]+int32(k)])
	}
	m := v.store.mates[t.slot]
	if m < 0 {
		return -1
	}
	return v.Position(int(m))
}

// furthest is the call that reaches back furthest among those which paired
// results from position i on need, and the result that needs it; call is not
// less than i when there is none before i.
func (v *View) furthest(i int) (call, result int) {
	call, result = i, -1
	n := v.Len()
	if i >= n {
		return
	}
	if v.own != nil {
		result = v.own.reach.smallest(i, n)
		return min(call, int(v.own.matches.reach[result])), result
	}
	for at := i; at < len(v.head); at++ {
		for k, t := range v.entry(at).traffic {
			if t.call {
				continue
			}
			if m := v.mate(at, k, t); m >= 0 && m < call {
				call, result = m, at
			}
		}
	}
	if v.lo < v.hi {
		from := max(i-len(v.head), 0)
		at := v.store.reach.smallest(int(v.lo)+from, int(v.hi))
		if need := int(v.store.reach.values[at]); need < at {
			if m := v.Position(need); m >= 0 && m < call {
				call, result = m, len(v.head)+at-int(v.lo)
			}
		}
	}
	return
}

// loneFrom lists the positions from i on that may hold a lone result.
func (v *View) loneFrom(i int) []int {
	var out []int
	if v.own != nil {
		for _, at := range v.own.lone {
			if int(at) >= i {
				out = append(out, int(at))
			}
		}
		return out
	}
	for at := i; at < len(v.head); at++ {
		out = append(out, at)
	}
	from := v.lo + int32(max(i-len(v.head), 0))
	k, _ := slices.BinarySearch(v.store.lone, from)
	for _, at := range v.store.lone[k:] {
		if at >= v.hi {
			break
		}
		out = append(out, len(v.head)+int(at-v.lo))
	}
	return out
}

// Pairing is the view's tool traffic by position and part.
func (v *View) Pairing() model.Pairing { return model.PairUp(v.Messages()) }

// Onto is the view on a recording that begins as its own does and goes on: what
// passes left of the beginning, and then all that was recorded since. Calls that
// were open may have their results there.
func (v *View) Onto(r *Recording) *View {
	was := int32(len(v.store.entries))
	shift := int32(len(r.entries)) - was
	s := &store{Recording: r}
	for i := range v.store.made {
		m := &v.store.made[i]
		n := s.add(m.message, m.from)
		for k := range m.traffic {
			s.entry(n).traffic[k].slot = m.traffic[k].slot
		}
	}
	head := slices.Clone(v.head)
	for i, n := range head {
		if n >= was {
			head[i] = n + shift
		}
	}
	lo := v.lo
	if v.lo == v.hi {
		lo = was
	}
	return newView(s, head, lo, int32(len(r.entries)), len(head) > 0)
}
