package compactor

import (
	"iter"
	"slices"
)

// Unchanged is why a pass left the conversation as it was.
type Unchanged string

const (
	Changed       Unchanged = ""
	TooShort      Unchanged = "too_short"       // no more than min_messages
	NothingToDrop Unchanged = "nothing_to_drop" // the cut came to stand at the first message
	WouldEmpty    Unchanged = "would_empty"     // nothing would be left after sanitising
)

// Pass is one run of the truncating compactor over a view, as far as it has
// got. Positions are positions in the view; a cut at n keeps from n on.
type Pass struct {
	View           *View
	PreserveRecent int
	MinMessages    int

	Reason      Unchanged
	Provisional int           // the cut before pair safety, -1 when the pass never got there
	Cut         int           // the cut as it stands, -1 likewise
	Reattached  []int         // positions, ascending
	Removed     map[int][]int // indices of the parts that sanitising took, by position
	After       int64         // estimate of what is kept in tokens, without overhead; set when the pass ends

	overhead int64 // what rides every request beside the view, in tokens

	kept    []int // positions kept before tail, in order
	tail    int   // all positions from here on are kept; -1 until step 5
	emptied map[int]bool
	result  *View
}

// Step is one thing a pass did: the seed's step number and where the cut
// stands. What it says is read off the pass it belongs to.
type Step struct {
	N      int // 1 to 8, as loopctl's procedure numbers them
	Cut    int // -1 while there is none
	From   int // step 3: where the cut stood before, else Cut
	Call   int // step 3: position of the call that moved the cut, else -1
	Result int // step 3: position of the result that pairs with it, else -1
	Done   bool
	pass   *Pass
}

// NewPass is a pass over a view, before its first step.
func NewPass(v *View, policy Policy) *Pass {
	policy = policy.Clamped()
	return &Pass{View: v, PreserveRecent: policy.PreserveRecent, MinMessages: policy.MinMessages, overhead: v.Overhead() + policy.Reserve, Provisional: -1, Cut: -1, tail: -1}
}

// Truncate is one whole pass over a view.
func Truncate(v *View, policy Policy) *Pass {
	p := NewPass(v, policy)
	for range p.Steps() {
	}
	return p
}

// Steps runs the truncating compactor, one step at a time: what is stepped
// through is the algorithm itself, and taking all steps is a pass. After each
// step the pass tells how things stand. It can be run once. The target is not
// among its inputs: this is positional truncation.
func (p *Pass) Steps() iter.Seq[Step] {
	return func(yield func(Step) bool) {
		n := p.View.Len()
		step := func(number int) bool {
			return yield(Step{N: number, Cut: p.Cut, From: p.Cut, Call: -1, Result: -1, Done: number == 8, pass: p})
		}
		unchanged := func(number int, why Unchanged) {
			p.unchanged(why)
			yield(Step{N: number, Cut: p.Cut, From: p.Cut, Call: -1, Result: -1, Done: true, pass: p})
		}

		if n <= p.MinMessages {
			unchanged(1, TooShort)
			return
		}
		if !step(1) {
			return
		}

		p.Provisional = max(0, n-p.PreserveRecent)
		p.Cut = p.Provisional
		if !step(2) {
			return
		}

		for {
			from := p.Cut
			call, result := p.View.furthest(from)
			if call >= from {
				break
			}
			p.Cut = call
			if !yield(Step{N: 3, Cut: call, From: from, Call: call, Result: result, pass: p}) {
				return
			}
		}
		if !step(3) {
			return
		}

		if p.Cut == 0 {
			unchanged(4, NothingToDrop)
			return
		}
		if !step(4) {
			return
		}

		p.kept, p.tail = []int{0}, p.Cut
		if !step(5) {
			return
		}

		p.reattach()
		if !step(6) {
			return
		}

		p.sanitise()
		if len(p.kept) == 0 && p.tail == n {
			unchanged(7, WouldEmpty)
			return
		}
		if !step(7) {
			return
		}

		p.recount()
		step(8)
	}
}

// reattach inserts the dropped messages that hold a result of message 0's calls
// right after message 0, in order (step 6).
func (p *Pass) reattach() {
	for k, t := range p.View.entry(0).traffic {
		if !t.call {
			continue
		}
		if mate := p.View.mate(0, k, t); mate > 0 && mate < p.Cut {
			p.Reattached = append(p.Reattached, mate)
		}
	}
	slices.Sort(p.Reattached)
	p.Reattached = slices.Compact(p.Reattached)
	p.kept = append(p.kept, p.Reattached...)
}

// sanitise removes from what is kept the parts that must not stand alone (step
// 7): lone results everywhere; from reattached messages also lone calls, and
// halves whose mate's message is not kept. A message emptied by that goes.
func (p *Pass) sanitise() {
	for _, i := range p.kept {
		p.filter(i, p.isReattached(i))
	}
	for _, i := range p.View.loneFrom(p.tail) {
		p.filter(i, false)
	}
	p.settle()
}

// filter notes the parts of message i that go.
func (p *Pass) filter(i int, strict bool) {
	e := p.View.entry(i)
	var gone []int
	for k, t := range e.traffic {
		mate := p.View.mate(i, k, t)
		lone := mate < 0
		if lone && (strict || !t.call) || strict && !lone && !p.keeps(mate) {
			gone = append(gone, int(t.part))
		}
	}
	if len(gone) == 0 {
		return
	}
	if p.Removed == nil {
		p.Removed, p.emptied = map[int][]int{}, map[int]bool{}
	}
	p.Removed[i] = gone
	p.emptied[i] = len(gone) == int(e.parts)
}

// settle takes emptied messages out, and writes those that changed, and all
// before them, into the list before the tail.
func (p *Pass) settle() {
	last := p.tail
	for i := range p.Removed {
		last = max(last, i+1)
	}
	for ; p.tail < last; p.tail++ {
		p.kept = append(p.kept, p.tail)
	}
	if len(p.emptied) > 0 {
		p.kept = slices.DeleteFunc(p.kept, func(i int) bool { return p.emptied[i] })
	}
}

// keeps reports whether the message at i is kept before sanitising.
func (p *Pass) keeps(i int) bool { return i == 0 || i >= p.Cut || p.isReattached(i) }

func (p *Pass) isReattached(i int) bool {
	_, ok := slices.BinarySearch(p.Reattached, i)
	return ok
}

// unchanged ends a pass that cuts nothing: the conversation less its lone
// results, or as received when that would leave nothing.
func (p *Pass) unchanged(why Unchanged) {
	p.Reason, p.Reattached, p.Removed, p.emptied = why, nil, nil, nil
	p.kept, p.tail = nil, 0
	for _, i := range p.View.loneFrom(0) {
		p.filter(i, false)
	}
	if p.settle(); len(p.kept) == 0 && p.tail == p.View.Len() {
		p.Removed, p.emptied, p.tail = nil, nil, 0
	}
	p.recount()
}

// recount sums what is kept (step 8).
func (p *Pass) recount() {
	v := p.View
	w := v.weightUpTo(v.Len()) - v.weightUpTo(p.tail)
	for _, i := range p.kept {
		w += v.entry(i).weight
		for _, part := range p.Removed[i] {
			w -= v.store.Counter.Part(&v.Message(i).Parts[part])
		}
	}
	p.After = v.store.Counter.Tokens(w)
}

// Kept is how many messages the pass keeps.
func (p *Pass) Kept() int { return len(p.kept) + p.View.Len() - p.tail }

// Output lists the positions that the pass keeps, in order; nil before step 5.
func (p *Pass) Output() []int {
	if p.tail < 0 {
		return nil
	}
	out := append(make([]int, 0, p.Kept()), p.kept...)
	for i := p.tail; i < p.View.Len(); i++ {
		out = append(out, i)
	}
	return out
}

// FirstChange is the first position at which what is kept differs from what the
// pass was given: from there on a provider's prompt cache no longer matches. It
// is the view's length when nothing differs.
func (p *Pass) FirstChange() int {
	for k, i := range p.kept {
		if i != k || p.Removed[i] != nil {
			return k
		}
	}
	if p.tail != len(p.kept) {
		return len(p.kept)
	}
	return p.View.Len()
}

// Parts is how many parts are left of the message at i, which the pass keeps.
func (p *Pass) Parts(i int) int { return int(p.View.entry(i).parts) - len(p.Removed[i]) }

// Result is the conversation after the pass: what the next pass would run on.
func (p *Pass) Result() *View {
	if p.result != nil {
		return p.result
	}
	v, tail := p.View, p.tail
	head := make([]int32, 0, len(p.kept))
	for _, i := range p.kept {
		n := v.number(i)
		if gone := p.Removed[i]; gone != nil {
			n = v.store.without(n, gone)
		}
		head = append(head, n)
	}
	for ; tail < len(v.head); tail++ {
		head = append(head, v.head[tail])
	}
	p.result = newView(v.store, head, v.lo+int32(tail-len(v.head)), v.hi, v.own != nil || p.severs())
	return p.result
}

// severs reports whether a call is dropped whose result the recording still
// holds after the view's end: the recording's pairs no longer hold then.
func (p *Pass) severs() bool {
	v := p.View
	if int(v.hi) == len(v.store.entries) || p.Reason != Changed {
		return false
	}
	late := func(i int, gone []int) bool {
		for _, t := range v.entry(i).traffic {
			if t.call && v.store.mates[t.slot] >= v.hi && (gone == nil || slices.Contains(gone, int(t.part))) {
				return true
			}
		}
		return false
	}
	for i := 1; i < p.Cut; i++ {
		if !p.isReattached(i) && late(i, nil) {
			return true
		}
	}
	for i, gone := range p.Removed {
		if late(i, gone) {
			return true
		}
	}
	return false
}
