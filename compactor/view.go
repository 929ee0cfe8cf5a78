package compactor

import "cinch/model"

// View is a list of messages that the engines work on: a recording as it
// stands, or what passes made of it. It is never changed; a pass gives another
// one, so undo is keeping the earlier.
type View struct {
	store *store
	at    []int32
	sums  []int64 // running sums of weights, one longer than at
	match *matches
}

// View is the recording as it stands.
func (r *Recording) View() *View {
	at := make([]int32, len(r.entries))
	for i := range at {
		at[i] = int32(i)
	}
	return newView(&store{Recording: r}, at)
}

func newView(s *store, at []int32) *View {
	v := &View{store: s, at: at, sums: make([]int64, len(at)+1)}
	for i, n := range at {
		v.sums[i+1] = v.sums[i] + s.entry(n).weight
	}
	v.match = matchUp(s, at)
	return v
}

// Len is the number of messages.
func (v *View) Len() int { return len(v.at) }

// Message is the message at position i.
func (v *View) Message(i int) *model.Message { return v.store.message(v.at[i]) }

// Recorded is the index in the recording of the message at position i, also
// when a pass removed some of its parts; -1 when a compactor wrote it.
func (v *View) Recorded(i int) int { return int(v.store.recorded(v.at[i])) }

// Messages lists the view's messages.
func (v *View) Messages() []*model.Message {
	out := make([]*model.Message, len(v.at))
	for i := range out {
		out[i] = v.Message(i)
	}
	return out
}

// Tokens is the estimate of the messages, without overhead.
func (v *View) Tokens() int64 { return v.TokensUpTo(len(v.at)) }

// TokensUpTo is the estimate of the first n messages, without overhead.
func (v *View) TokensUpTo(n int) int64 { return v.store.Counter.Tokens(v.sums[n]) }

// TokensBetween is what the messages from i up to j add to the estimate: the
// difference of two running totals, so that a column of them adds up exactly.
func (v *View) TokensBetween(i, j int) int64 { return v.TokensUpTo(j) - v.TokensUpTo(i) }

// TokensOf is what message i adds to the estimate.
func (v *View) TokensOf(i int) int64 { return v.TokensBetween(i, i+1) }

// Overhead is the tokens of system prompt and tool schemas.
func (v *View) Overhead() int64 { return v.store.Overhead }

// Recording is what the view looks at.
func (v *View) Recording() *Recording { return v.store.Recording }

// Mate is the position of the message that holds the other half of a tool call
// or result: part is its index in message i. It is -1 for a lone one, and for a
// part that is neither.
func (v *View) Mate(i, part int) int {
	for k, t := range v.store.entry(v.at[i]).traffic {
		if int(t.part) == part {
			return int(v.match.mate[v.match.start[i]+int32(k)])
		}
	}
	return -1
}

// Pairing is the view's tool traffic by position and part.
func (v *View) Pairing() model.Pairing { return model.PairUp(v.Messages()) }

// matches is the tool traffic of a list of messages, by position.
type matches struct {
	start []int32 // first traffic of each position in mate; one longer than the list
	mate  []int32 // position of the other half, -1 for none
	need  []int32 // earliest call that a paired result at or after this position needs, if earlier; one longer
	pull  []int32 // position of the result that needs it
	lone  bool    // whether any result is lone
}

// matchUp pairs calls and results of a list by occurrence and notes, for every
// position, how far back a cut there would have to move.
func matchUp(s *store, at []int32) *matches {
	n := len(at)
	m := &matches{start: make([]int32, n+1), need: make([]int32, n+1), pull: make([]int32, n+1)}
	total := int32(0)
	for i, x := range at {
		m.start[i] = total
		total += int32(len(s.entry(x).traffic))
	}
	m.start[n] = total
	m.mate = make([]int32, total)
	type open struct{ at, slot int32 }
	var match model.Matcher[int32, open]
	for i, x := range at {
		m.need[i] = int32(i)
		for k, t := range s.entry(x).traffic {
			slot := m.start[i] + int32(k)
			m.mate[slot] = -1
			switch {
			case t.call && t.id >= 0:
				match.Call(t.id, open{int32(i), slot})
			case !t.call:
				call, ok := match.Result(t.id)
				if !ok {
					m.lone = true
					break
				}
				m.mate[slot], m.mate[call.slot] = call.at, int32(i)
				m.need[i] = min(m.need[i], call.at)
			}
		}
	}
	m.need[n], m.pull[n] = int32(n), -1
	for i := n - 1; i >= 0; i-- {
		m.pull[i] = int32(i)
		if m.need[i+1] < m.need[i] {
			m.need[i], m.pull[i] = m.need[i+1], m.pull[i+1]
		}
	}
	return m
}
