package ui

import (
	"slices"
	"strconv"

	"cinch/compactor"
	"cinch/model"
	"cinch/model/token"
)

// whole is the step of a pass that is shown from beginning to end.
const whole = -1

// setup is everything that undo takes back: the knobs, how the conversation
// stands after the passes that were applied, and how far the pass has been
// stepped through. Undo is keeping the earlier setup.
type setup struct {
	policy     compactor.Policy
	windowFrom string             // flag, model, policy, default, or here once it was moved
	weighed    *weighed           // the recording under the counter in use
	applied    []compactor.Policy // the passes applied, with the knobs each ran under
	now        *standing          // what they made of the recording
	step       int                // steps taken of the pass, or whole
	climb      climbing           // the ladder
}

// session is what the screens share: one conversation, one set of knobs, one
// history. Screens read it and ask it for changes; they keep nothing of it.
type session struct {
	opened *Opened
	conv   *model.Conversation
	era    *era

	following bool // the file is being watched

	setup
	started      compactor.Policy // the knobs the session began with
	startedClimb climbing         // likewise the ladder
	usual        setup            // what a knob is asked its default of; a frame asks many times
	past         []change
	future       []change
	gesture      int // changes of the same gesture are one entry of the history

	// Answers of the engine to the setup.
	plan   *compactor.Plan // one whole pass
	steps  int             // how many steps it takes
	shown  *compactor.Pass // the pass as far as it is shown; the plan's own when that is whole
	last   compactor.Step  // the step shown took last
	before token.Split
	after  token.Split // of what shown keeps, once that is known

	size recordedSize // of the conversation asked of last

	selected int // position of the message under the cursor
	version  int // goes up with every change of the above, the cursor apart
}

// change is one entry of the history: what was done, and the setup before it.
type change struct {
	deed
	gesture int
	setup   setup
}

// deed is what was done, in words. One that set something says what that was
// before and after.
type deed struct {
	what     string // what was done; or what was set, where from and to say how
	from, to string
}

// back says what is so once the deed is undone.
func (d deed) back() string {
	if d.from == d.to {
		return d.what
	}
	return d.what + " is " + d.from + " again (was " + d.to + ")"
}

// forth says what is so once the deed is done again.
func (d deed) forth() string { return deed{d.what, d.to, d.from}.back() }

// era tells the conversations that were taken up one after the other apart: what
// a screen remembers of one means nothing in the next.
type era struct{ _ byte }

// loaded reports whether there is a conversation to look at.
func (s *session) loaded() bool { return s.now != nil }

// begin takes up a conversation as it was recorded.
func (s *session) begin(o *Opened, w *weighed, set Settings) {
	s.opened, s.conv, s.era = o, w.conv, &era{}
	s.past, s.future = nil, nil
	s.setup = setup{policy: set.Policy.Clamped(), windowFrom: set.WindowFrom, weighed: w, now: w.recorded, step: whole, climb: startClimbing(set)}
	s.started, s.startedClimb = s.policy, s.climb
	s.selected = 0
	s.ask()
}

// change does something that undo takes back. Changes with the same gesture,
// such as those of one drag, are taken back together; gesture 0 is by itself.
func (s *session) change(what string, gesture int, do func(*setup)) {
	s.do(deed{what: what}, gesture, do)
}

// do is change, for a deed. A pass that is being stepped through is shown whole
// once it has become another one: what a knob does is seen at once.
func (s *session) do(d deed, gesture int, do func(*setup)) {
	next := s.setup
	do(&next)
	if next.policy != s.policy || next.weighed != s.weighed {
		next.step = whole
	}
	if last := len(s.past) - 1; gesture == 0 || last < 0 || s.past[last].gesture != gesture {
		s.past = append(s.past, change{d, gesture, s.setup})
	} else {
		s.past[last].to = d.to
	}
	s.future = nil
	s.setup = next
	s.ask()
}

// undo takes the last change back and says what is so now, "" when there is none.
func (s *session) undo() string { return s.travel(&s.past, &s.future).back() }

// redo does again what undo took back.
func (s *session) redo() string { return s.travel(&s.future, &s.past).forth() }

func (s *session) travel(from, to *[]change) deed {
	if len(*from) == 0 {
		return deed{}
	}
	last := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	*to = append(*to, change{last.deed, last.gesture, s.setup})
	s.setup = last.setup
	s.ask()
	return last.deed
}

// newGesture is a number that no other gesture has.
func (s *session) newGesture() int {
	s.gesture++
	return s.gesture
}

// ask puts the setup to the engine again. It reads no text.
func (s *session) ask() {
	s.version++
	s.plan = compactor.MakePlan(s.now.view, s.policy)
	s.steps = 0
	for range compactor.NewPass(s.now.view, s.policy).Steps() {
		s.steps++
	}
	s.shown, s.last = s.plan.Pass, compactor.Step{}
	if s.step != whole {
		s.step = min(s.step, s.steps)
		s.shown, s.last = passAt(s.now.view, s.policy, s.step)
	}
	s.before = s.now.splitAll(s.plan.Overhead)
	s.after = token.Split{}
	if s.counted() {
		s.after = s.now.splitKept(s.shown, s.plan.Overhead)
	}
	s.selected = min(max(s.selected, 0), max(s.now.view.Len()-1, 0))
}

// passAt is a pass over a view that has taken its first n steps, and the last of them.
func passAt(v *compactor.View, policy compactor.Policy, n int) (p *compactor.Pass, last compactor.Step) {
	p = compactor.NewPass(v, policy)
	if n == 0 {
		return p, last
	}
	for last = range p.Steps() {
		if n--; n == 0 {
			break
		}
	}
	return p, last
}

// counted reports whether the pass, as far as it is shown, has counted what is left.
func (s *session) counted() bool { return s.step == whole || s.last.Done }

// fated reports whether the pass, as far as it is shown, has said anything of
// what becomes of the messages.
func (s *session) fated() bool { return s.shown.Provisional >= 0 || s.counted() }

// stepTo shows the pass after n steps; whole shows all of it.
func (s *session) stepTo(n int) {
	if n != whole {
		n = min(max(n, 0), s.steps)
	}
	if n == s.step {
		return
	}
	s.do(deed{"the pass", stepName(s.step), stepName(n)}, 0, func(u *setup) { u.step = n })
}

// stepName says how far a pass is shown.
func stepName(n int) string {
	if n == whole {
		return "whole"
	}
	return "at step " + strconv.Itoa(n)
}

// apply makes the result of the pass the conversation, on which the next pass
// can be tried. The pass is the one that is shown, taken to its end.
func (s *session) apply() {
	p := s.plan.Pass
	at := s.selected
	s.change("pass applied", 0, func(u *setup) {
		u.applied = append(slices.Clip(u.applied), u.policy)
		u.now = u.weighed.stand(p.Result())
		u.step = whole
	})
	s.selected = 0
	for k, i := range p.Output() {
		if i <= at && k < s.now.view.Len() {
			s.selected = max(s.selected, k)
		}
	}
}

// reweigh puts other weights under the conversation. With another counter the
// same passes are applied again, since where they cut does not depend on it;
// another view of the recording begins without passes.
func (s *session) reweigh(d deed, w *weighed) {
	if o := s.weighed.overhead; o != w.overhead { // it was set while the count went on
		w = w.under(o)
	}
	s.do(d, 0, func(u *setup) {
		if w.view != u.weighed.view {
			u.applied, u.step = nil, whole
		}
		u.weighed, u.now = w, w.recorded
		for _, p := range u.applied {
			u.now = w.stand(compactor.Truncate(u.now.view, p).Result())
		}
	})
}

// recordedSize is how large a conversation's recorded history is.
type recordedSize struct {
	conv           *model.Conversation
	messages, runs int
}

// history is how many messages and runs the recorded history holds, which the
// screens that replay it look at whatever was applied.
func (s *session) history() (messages, runs int) {
	if s.size.conv != s.conv {
		all := s.conv.View(model.History)
		rec := compactor.Prepare(all, s.counter(), make([]int64, len(all))) // its runs have nothing to do with tokens
		s.size = recordedSize{s.conv, len(all), len(compactor.Runs(rec.View()))}
	}
	return s.size.messages, s.size.runs
}

// counter is what everything on the screen is counted with.
func (s *session) counter() token.Counter { return s.weighed.counter() }

// planOf is the whole pass, for what is printed of it.
func (s *session) planOf() PlanOf {
	return PlanOf{
		Conversation: s.conv, Plan: s.plan,
		Settings: Settings{Policy: s.policy, WindowFrom: s.windowFrom, Counter: s.counter(), Overhead: s.weighed.overhead, View: s.weighed.view},
		Before:   s.before, After: s.now.splitKept(s.plan.Pass, s.plan.Overhead),
	}
}
