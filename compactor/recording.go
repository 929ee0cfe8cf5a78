package compactor

import (
	"cinch/model"
	"cinch/model/token"
)

// Recording is a conversation prepared for the engines: each message's weight
// taken once, its tool traffic listed, its ids made small numbers. It does not
// change, and may serve any number of views and replays at the same time.
type Recording struct {
	Messages []*model.Message
	Counter  token.Counter
	Overhead int64 // tokens of system prompt and tool schemas
	Inferred bool  // the overhead is inferred from recorded usage, the file has neither

	entries []entry
	ids     map[string]int32
	sums    []int64  // running sums of weights, one longer than entries
	mates   []int32  // for each traffic slot the message of its other half, -1 for none
	lone    []int32  // messages that hold a lone result, ascending
	reach   rangeMin // for each message the earliest call its paired results need
}

// entry is what the engines know of a message.
type entry struct {
	weight  int64
	role    model.Role
	parts   int32
	traffic []traffic
}

// traffic is one tool call or tool result of a message, in part order. An id of
// -1 is an empty id, which pairs with nothing. The slot is where the recording
// keeps its mate, -1 for the traffic of a message that a compactor wrote.
type traffic struct {
	id   int32
	part int32
	slot int32
	call bool
}

// Prepare weighs messages with c. Weights may be given when they were taken
// already, one a message; nil takes them now.
func Prepare(messages []*model.Message, c token.Counter, weights []int64) *Recording {
	r := &Recording{Messages: messages, Counter: c, entries: make([]entry, len(messages)), ids: map[string]int32{}}
	number := func(id string) int32 {
		n, ok := r.ids[id]
		if !ok {
			n = int32(len(r.ids))
			r.ids[id] = n
		}
		return n
	}
	for i, m := range messages {
		w := int64(0)
		if weights != nil {
			w = weights[i]
		} else {
			w = token.Weigh(c, m)
		}
		r.entries[i] = enter(m, w, number)
	}
	r.match()
	return r
}

// match pairs the recording's calls and results once. Every view that only ever
// dropped whole pairs agrees with it.
func (r *Recording) match() {
	n := len(r.entries)
	r.sums = make([]int64, n+1)
	slots := int32(0)
	for i := range r.entries {
		e := &r.entries[i]
		r.sums[i+1] = r.sums[i] + e.weight
		for k := range e.traffic {
			e.traffic[k].slot = slots
			slots++
		}
	}
	m := matchUp(n, func(i int) *entry { return &r.entries[i] })
	r.mates, r.lone = m.mates, m.lone
	r.reach = newRangeMin(m.reach)
}

func enter(m *model.Message, weight int64, number func(id string) int32) entry {
	e := entry{weight: weight, role: m.Role, parts: int32(len(m.Parts))}
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind != model.ToolCall && p.Kind != model.ToolResult {
			continue
		}
		id := int32(-1)
		if p.ID != "" {
			id = number(p.ID)
		}
		e.traffic = append(e.traffic, traffic{id, int32(i), -1, p.Kind == model.ToolCall})
	}
	return e
}

// store is a recording and the few messages that passes made: one with parts
// removed, or one a compactor wrote. Numbers below len(entries) are recorded
// messages. It only grows, so the views on it keep their meaning.
type store struct {
	*Recording
	made []made
	own  map[string]int32
}

type made struct {
	entry
	message *model.Message
	from    int32 // the recorded message it was filtered from, -1 for none
}

func (s *store) entry(n int32) *entry {
	if int(n) < len(s.entries) {
		return &s.entries[n]
	}
	return &s.made[int(n)-len(s.entries)].entry
}

func (s *store) message(n int32) *model.Message {
	if int(n) < len(s.entries) {
		return s.Messages[n]
	}
	return s.made[int(n)-len(s.entries)].message
}

// recorded is the recorded message that n is or was filtered from, -1 for one a
// compactor wrote.
func (s *store) recorded(n int32) int32 {
	if int(n) < len(s.entries) {
		return n
	}
	return s.made[int(n)-len(s.entries)].from
}

// add takes in a message that a pass made.
func (s *store) add(m *model.Message, from int32) int32 {
	s.made = append(s.made, made{enter(m, token.Weigh(s.Counter, m), s.number), m, from})
	return int32(len(s.entries) + len(s.made) - 1)
}

// number is an id's number without touching the shared recording: ids that only
// made messages carry get numbers past the recorded ones.
func (s *store) number(id string) int32 {
	if n, ok := s.ids[id]; ok {
		return n
	}
	n, ok := s.own[id]
	if !ok {
		if s.own == nil {
			s.own = map[string]int32{}
		}
		n = int32(len(s.ids) + len(s.own))
		s.own[id] = n
	}
	return n
}

// without is message n less the parts that drop names, in ascending order. What
// stays keeps its slots, and with them its mates.
func (s *store) without(n int32, drop []int) int32 {
	old, e := s.message(n), s.entry(n)
	m := *old
	m.Parts = make([]model.Part, 0, len(old.Parts)-len(drop))
	slots := make(map[int32]int32, len(e.traffic))
	for _, t := range e.traffic {
		slots[t.part] = t.slot
	}
	var kept []int32
	for i := range old.Parts {
		if len(drop) > 0 && drop[0] == i {
			drop = drop[1:]
			continue
		}
		m.Parts = append(m.Parts, old.Parts[i])
		if slot, ok := slots[int32(i)]; ok {
			kept = append(kept, slot)
		}
	}
	out := s.add(&m, s.recorded(n))
	for k := range kept {
		s.entry(out).traffic[k].slot = kept[k]
	}
	return out
}
