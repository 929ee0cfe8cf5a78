package compactor

import (
	"fmt"
	"iter"
	"slices"

	"cinch/model"
)

// Unchanged is why a pass left the conversation as it was.
type Unchanged string

const (
	Changed       Unchanged = ""
	TooShort      Unchanged = "too_short"       // no more than min_messages
	NothingToDrop Unchanged = "nothing_to_drop" // the cut came to stand at the first message
	WouldEmpty    Unchanged = "would_empty"     // nothing would be left after sanitising
)

// Fate is what a pass does to a message, in one word.
type Fate uint8

const (
	First      Fate = iota // message 0, always kept
	Recent                 // at or after the provisional cut
	Paired                 // kept only because pair safety moved the cut back
	Reattached             // holds a result of message 0's calls, pulled back beside it
	Dropped
	Emptied // only lone halves of pairs were in it
)

func (f Fate) String() string {
	return [...]string{"first", "recent", "paired", "reattached", "dropped", "emptied"}[f]
}

// Fates lists them in the order in which screens do.
var Fates = []Fate{First, Recent, Paired, Reattached, Dropped, Emptied}

// Pass is one run of the truncating compactor over a view, as far as it has
// got. Positions are positions in the view; a cut at n keeps from n on.
type Pass struct {
	View           *View
	PreserveRecent int
	MinMessages    int

	Reason      Unchanged
	Provisional int   // the cut before pair safety, -1 when the pass never got there
	Cut         int   // the cut as it stands, -1 likewise
	Reattached  []int // positions, ascending
	Output      []int // positions kept, in order; nil until step 5
	Removed     map[int][]int
	After       int64 // estimate of the output in tokens, without overhead; set by step 8

	emptied map[int]bool
	result  *View
}

// Step is one thing a pass did: the seed's step number, what it looked at and
// decided, and where the cut stands.
type Step struct {
	N      int // 1 to 8, as loopctl's procedure numbers them
	Title  string
	Detail string
	Cut    int  // -1 while there is none
	From   int  // step 3: where the cut stood before, else Cut
	Call   int  // step 3: position of the call that moved the cut, else -1
	Result int  // step 3: position of its result, else -1
	Done   bool // the pass ends here
}

// Steps runs the truncating compactor, one step at a time: what is stepped
// through is the algorithm itself, and taking all steps is a pass. The pass
// tells the state after the step just taken. The target is not among its
// inputs: this is positional truncation.
func (p *Pass) Steps() iter.Seq[Step] {
	return func(yield func(Step) bool) {
		v, n := p.View, p.View.Len()
		p.Provisional, p.Cut, p.Output, p.Reattached, p.Removed, p.emptied, p.result = -1, -1, nil, nil, nil, nil, nil
		p.Reason = Changed
		say := func(number int, title, detail string, args ...any) bool {
			return yield(Step{N: number, Title: title, Detail: fmt.Sprintf(detail, args...), Cut: p.Cut, From: p.Cut, Call: -1, Result: -1})
		}
		unchanged := func(number int, why Unchanged, title, detail string, args ...any) {
			p.unchanged(why)
			yield(Step{N: number, Title: title, Detail: fmt.Sprintf(detail, args...), Cut: p.Cut, From: p.Cut, Call: -1, Result: -1, Done: true})
		}

		if n <= p.MinMessages {
			unchanged(1, TooShort, "too short", "%s, min_messages is %d: nothing is cut below %d", plural(n, "message"), p.MinMessages, p.MinMessages+1)
			return
		}
		if !say(1, "long enough", "%s, more than min_messages %d", plural(n, "message"), p.MinMessages) {
			return
		}

		p.Provisional = max(0, n-p.PreserveRecent)
		p.Cut = p.Provisional
		if !say(2, "provisional cut", "%d − preserve_recent %d: the cut stands at %d", n, p.PreserveRecent, p.Cut) {
			return
		}

		for {
			from := p.Cut
			call, result := int(v.match.need[from]), int(v.match.pull[from])
			if call >= from {
				break
			}
			p.Cut = call
			if !yield(Step{
				N: 3, Title: "pair safety",
				Detail: fmt.Sprintf("result #%d pairs with call #%d: the cut moves from %d to %d", result, call, from, call),
				Cut:    p.Cut, From: from, Call: call, Result: result,
			}) {
				return
			}
		}
		if !say(3, "pair safety", "no result from %d on needs an earlier call: the cut stays", p.Cut) {
			return
		}

		if p.Cut == 0 {
			unchanged(4, NothingToDrop, "nothing to drop", "%s", p.pinned())
			return
		}
		if !say(4, "something to drop", "%s before the cut, less the first", plural(p.Cut, "message")) {
			return
		}

		p.Output = append(make([]int, 0, n-p.Cut+1), 0)
		for i := p.Cut; i < n; i++ {
			p.Output = append(p.Output, i)
		}
		if !say(5, "keep first and recent", "message 0 and %d to %d are kept, %s dropped", p.Cut, n-1, plural(p.Cut-1, "message")) {
			return
		}

		p.reattach()
		detail := "message 0 has no call whose result was dropped"
		if len(p.Reattached) > 0 {
			detail = fmt.Sprintf("%s with results of message 0's calls pulled back beside it: %s", plural(len(p.Reattached), "message"), numbers(p.Reattached))
		}
		if !say(6, "reattach", "%s", detail) {
			return
		}

		p.sanitise()
		if len(p.Output) == 0 {
			unchanged(7, WouldEmpty, "would empty", "without lone halves of pairs nothing would be left: the conversation stays as it was")
			return
		}
		if !say(7, "sanitise", "%s", p.removedDetail()) {
			return
		}

		p.recount()
		before := v.Tokens()
		yield(Step{
			N: 8, Title: "re-count",
			Detail: fmt.Sprintf("%s → %s, ~%d → ~%d tokens", plural(n, "message"), plural(len(p.Output), "message"), before, p.After),
			Cut:    p.Cut, From: p.Cut, Call: -1, Result: -1, Done: true,
		})
	}
}

// Run takes all steps.
func (p *Pass) Run() *Pass {
	for range p.Steps() {
	}
	return p
}

// Truncate is one whole pass over a view.
func Truncate(v *View, policy Policy) *Pass { return NewPass(v, policy).Run() }

// NewPass is a pass over a view, before its first step.
func NewPass(v *View, policy Policy) *Pass {
	policy = policy.Clamped()
	return &Pass{View: v, PreserveRecent: policy.PreserveRecent, MinMessages: policy.MinMessages, Provisional: -1, Cut: -1}
}

// reattach inserts the dropped messages that hold a result of message 0's calls
// right after message 0, in order (step 6).
func (p *Pass) reattach() {
	m := p.View.match
	traffic := p.View.store.entry(p.View.at[0]).traffic
	for k, t := range traffic {
		if mate := int(m.mate[m.start[0]+int32(k)]); t.call && mate > 0 && mate < p.Cut {
			p.Reattached = append(p.Reattached, mate)
		}
	}
	slices.Sort(p.Reattached)
	p.Reattached = slices.Compact(p.Reattached)
	p.Output = slices.Insert(p.Output, 1, p.Reattached...)
}

// sanitise removes from the output what must not stand alone (step 7): lone
// results everywhere; from reattached messages also lone calls, and halves whose
// mate's message is not kept. A message emptied by that goes.
func (p *Pass) sanitise() {
	if !p.View.match.lone && len(p.Reattached) == 0 {
		return
	}
	p.Output = slices.DeleteFunc(p.Output, func(i int) bool {
		return p.filter(i, p.isReattached(i))
	})
}

// filter notes the parts of message i that go, and reports whether none is left.
func (p *Pass) filter(i int, strict bool) (empty bool) {
	m, e := p.View.match, p.View.store.entry(p.View.at[i])
	var gone []int
	for k, t := range e.traffic {
		mate := int(m.mate[m.start[i]+int32(k)])
		lone := mate < 0
		if lone && (strict || !t.call) || strict && !lone && !p.keeps(mate) {
			gone = append(gone, int(t.part))
		}
	}
	if len(gone) == 0 {
		return false
	}
	if p.Removed == nil {
		p.Removed = map[int][]int{}
	}
	p.Removed[i] = gone
	if len(gone) < int(e.parts) {
		return false
	}
	if p.emptied == nil {
		p.emptied = map[int]bool{}
	}
	p.emptied[i] = true
	return true
}

// keeps reports whether the message at i is in the output before sanitising.
func (p *Pass) keeps(i int) bool { return i == 0 || i >= p.Cut || p.isReattached(i) }

func (p *Pass) isReattached(i int) bool {
	_, ok := slices.BinarySearch(p.Reattached, i)
	return ok
}

// unchanged makes the output of a pass that cuts nothing: the conversation less
// its lone results, or as received when that would leave nothing.
func (p *Pass) unchanged(why Unchanged) {
	p.Reason, p.Reattached, p.Removed, p.emptied = why, nil, nil, nil
	p.Output = make([]int, p.View.Len())
	for i := range p.Output {
		p.Output[i] = i
	}
	if p.View.match.lone {
		p.Output = slices.DeleteFunc(p.Output, func(i int) bool { return p.filter(i, false) })
	}
	if len(p.Output) == 0 {
		p.Removed, p.emptied = nil, nil
		p.Output = p.Output[:p.View.Len()]
		for i := range p.Output {
			p.Output[i] = i
		}
	}
	p.recount()
}

// recount sums what is kept (step 8).
func (p *Pass) recount() {
	v := p.View
	var w int64
	for _, i := range p.Output {
		w += v.store.entry(v.at[i]).weight
	}
	for i, parts := range p.Removed {
		if p.emptied[i] {
			continue
		}
		m := v.Message(i)
		for _, part := range parts {
			w -= v.store.Counter.Part(&m.Parts[part])
		}
	}
	p.After = v.store.Counter.Tokens(w)
}

// Result is the conversation after the pass: what the next pass would run on.
func (p *Pass) Result() *View {
	if p.result == nil {
		p.result = newView(p.View.store, p.resultAt())
	}
	return p.result
}

func (p *Pass) resultAt() []int32 {
	at := make([]int32, len(p.Output))
	for k, i := range p.Output {
		at[k] = p.View.at[i]
		if gone := p.Removed[i]; gone != nil {
			at[k] = p.View.store.without(at[k], gone)
		}
	}
	return at
}

// Fate is what the pass, as far as it has got, does to the message at i.
func (p *Pass) Fate(i int) Fate {
	switch {
	case p.emptied[i]:
		return Emptied
	case i == 0:
		return First
	case p.isReattached(i):
		return Reattached
	case p.Reason == TooShort || p.Reason == WouldEmpty || p.Provisional < 0 || i >= p.Provisional:
		return Recent
	case i >= p.Cut:
		return Paired
	}
	return Dropped
}

// Why says in one sentence what gave the message at i its fate.
func (p *Pass) Why(i int) string {
	removed := ""
	if gone := p.Removed[i]; gone != nil && !p.emptied[i] {
		removed = fmt.Sprintf("; %s removed: no mate is kept", plural(len(gone), "part"))
	}
	switch p.Fate(i) {
	case Emptied:
		return "only lone halves of tool pairs were in it: a provider would reject them"
	case First:
		return "the first message is always kept" + removed
	case Reattached:
		return "holds a result of message 0's call: pulled back beside it" + removed
	case Paired:
		return fmt.Sprintf("the cut stood at %d, but %s, so it moved to %d and both stay", p.Provisional, p.bond(i), p.Cut) + removed
	case Dropped:
		return fmt.Sprintf("before the cut at %d", p.Cut)
	}
	switch {
	case p.Reason == TooShort:
		return fmt.Sprintf("%s, min_messages is %d: nothing is cut below %d", plural(p.View.Len(), "message"), p.MinMessages, p.MinMessages+1) + removed
	case p.Reason == WouldEmpty:
		return "the pass would have left nothing: the conversation stays as it was"
	case p.Provisional < 0:
		return "as recorded: no cut yet"
	}
	return fmt.Sprintf("one of the last %d (preserve_recent)", p.View.Len()-p.Provisional) + removed
}

// bond names the pair that keeps the message at i on this side of the cut.
func (p *Pass) bond(i int) string {
	m := p.View.match
	for k, t := range p.View.store.entry(p.View.at[i]).traffic {
		mate := int(m.mate[m.start[i]+int32(k)])
		if t.call && mate >= p.Provisional {
			return fmt.Sprintf("result #%d answers this call", mate)
		}
	}
	for at := p.Provisional; m.need[at] < int32(at); {
		call, result := int(m.need[at]), int(m.pull[at])
		if call <= i {
			return fmt.Sprintf("result #%d needs call #%d", result, call)
		}
		at = call
	}
	return "a pair needs it"
}

// pinned says why the cut came to stand at the first message.
func (p *Pass) pinned() string {
	if p.Provisional == 0 {
		return fmt.Sprintf("preserve_recent %d covers all %s: lower it to cut", p.PreserveRecent, plural(p.View.Len(), "message"))
	}
	m := p.View.match
	for at := p.Provisional; at > 0; {
		call, result := int(m.need[at]), int(m.pull[at])
		if call == 0 {
			return fmt.Sprintf("result #%d pairs with call #0: the cut cannot pass it, and nothing is before it", result)
		}
		at = call
	}
	return "nothing stands before the cut"
}

func (p *Pass) removedDetail() string {
	parts, messages := 0, len(p.emptied)
	for _, gone := range p.Removed {
		parts += len(gone)
	}
	switch {
	case parts == 0:
		return "no lone halves of pairs in what is kept"
	case messages == 0:
		return plural(parts, "lone part") + " removed"
	}
	return fmt.Sprintf("%s removed, and %s emptied by it", plural(parts, "lone part"), plural(messages, "message"))
}

// RoleAt is the role of the message at position i.
func (v *View) RoleAt(i int) model.Role { return v.store.entry(v.at[i]).role }

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// numbers lists positions as #1, #4 and 3 more.
func numbers(at []int) string {
	s := ""
	for k, i := range at {
		if k == 5 {
			return fmt.Sprintf("%s and %d more", s, len(at)-k)
		}
		if k > 0 {
			s += ", "
		}
		s += fmt.Sprintf("#%d", i)
	}
	return s
}
