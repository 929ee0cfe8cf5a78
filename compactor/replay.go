package compactor

import (
	"slices"

	"cinch/model"
)

// Driving says how a recording is to be replayed. The zero value but for the
// policy is loopctl's default: the truncating compactor, no hooks, to the first failure.
type Driving struct {
	Policy    Policy
	MaxTurns  int         // model calls a run may make, 0 for no limit
	Compactor Compactor   // nil for the truncating one
	NoManager bool        // every pass is a no-op, as when none is configured
	Hooks     Hooks       // told and asked as in a live run
	GoOn      bool        // continue with the next run after one failed
	Stop      func() bool // asked before every call; true ends the replay there
}

// Call is a model call that the recording made: Message is the index of the
// recorded assistant message it stands before, Tokens the estimate of what was
// sent, overhead included.
type Call struct {
	Message int
	Run     int
	Tokens  int64
}

// Passed is one pass of a replay. Token numbers include the overhead.
type Passed struct {
	Message        int // index of the recorded assistant message it stands before
	Call           int // index of the call it stands before; the number of calls when the run failed
	Turn           int // 1 for the first recorded model call
	Run            int
	Reason         Reason
	Result         Result
	Before, After  int64
	MessagesBefore int
	MessagesAfter  int
	Target         int64
	Vetoed         bool
	NoManager      bool
	Hint           *Outcome // what a compactor of one's own said of itself; its numbers leave the overhead out
	Failure        error
	View           *View // what the pass ran on: NewPass(View, policy) steps through it again
}

// Run is a stretch of the recording from a user's message to the answer.
type Run struct {
	Start    int // index of its first message
	Calls    int // index of its first call
	Ending   Ending
	Exceeded *ContextExceeded // when it failed
	Message  int              // when it failed: the recorded assistant message it failed before
}

// Outcome of a whole replay.
const (
	OutcomeCompleted = "completed"
	OutcomeExceeded  = "context_exceeded"
	OutcomeStopped   = "stopped"
)

// Cause says which rule a ContextExceeded came from.
type Cause string

const (
	CauseNone       Cause = ""
	CauseWindow     Cause = "window"      // the result of a pass does not fit, or the compactor failed
	CauseNoProgress Cause = "no_progress" // a pass shaved nothing off
)

// End is how a replay ended. With GoOn it tells of the first failure.
type End struct {
	Outcome  string
	Cause    Cause
	Exceeded *ContextExceeded
	Message  int   // recorded assistant message it failed before, else the recording's length
	Tokens   int64 // estimate at the end, overhead included
	Messages int   // in the conversation at the end
}

// Timeline is a replayed recording.
type Timeline struct {
	Recording *Recording
	Policy    Policy
	Calls     []Call
	Passes    []Passed
	Runs      []Run
	End       End

	moments []moment
	store   *store
}

// moment is the conversation where it is not just the last one grown: after a
// pass, and where the replay goes on after a run that ended early.
type moment struct {
	message int // the recorded messages from here on join it
	Buffer
	broken bool
}

// Runs are the positions in a view at which its runs start: those that a replay
// drives when no pass comes between, so that there is one rule for what a run is.
// No text is read.
func Runs(v *View) []int {
	rec := v.Recording()
	if v.own != nil || len(v.head) > 0 || v.lo > 0 || int(v.hi) < len(rec.Messages) { // no longer the whole recording
		rec = Prepare(v.Messages(), rec.Counter, make([]int64, v.Len()))
	}
	t := Replay(rec, Driving{})
	starts := make([]int, len(t.Runs))
	for i, r := range t.Runs {
		starts[i] = r.Start
	}
	return starts
}

// driver is the hands of a replay.
type driver struct {
	Driving
	t        *Timeline
	machine  *Machine
	run      int // index of the open run
	history  Buffer
	weight   int64 // of history and pending
	overhead int64
	open     int  // calls that wait for their results
	broken   bool // the recording's pairs no longer hold
	skipping bool // the run ended early: waiting for the next one
}

// Replay drives a recording under a policy: what would have happened, call by call.
func Replay(r *Recording, how Driving) *Timeline {
	t := &Timeline{Recording: r, Policy: how.Policy, store: &store{Recording: r}}
	t.End = End{Outcome: OutcomeCompleted, Message: len(r.entries)}
	answers := 0
	for i := range r.entries {
		if r.entries[i].role == model.Assistant {
			answers++
		}
	}
	t.Calls = make([]Call, 0, answers)
	d := &driver{Driving: how, t: t, overhead: r.Overhead + how.Policy.Reserve}
	for i := range r.entries {
		if !d.step(i) {
			break
		}
	}
	if d.machine != nil {
		d.history = d.machine.History
		d.history.Join(d.machine.Pending)
		t.Runs[d.run].Ending = d.machine.Ending
	}
	t.End.Tokens, t.End.Messages = d.estimate(), d.history.Len()
	return t
}

func (d *driver) estimate() int64 { return d.t.Recording.Counter.Tokens(d.weight) + d.overhead }

// step takes in the recorded message i; false ends the replay.
func (d *driver) step(i int) bool {
	e := &d.t.Recording.entries[i]
	results := false
	for _, t := range e.traffic {
		results = results || !t.call
	}
	starts := e.role == model.User && !results
	if d.skipping {
		if !starts {
			return true
		}
		d.skipping = false
		d.t.moments = append(d.t.moments, moment{i, d.history, d.broken})
	}
	switch {
	case e.role == model.Assistant:
		return d.call(i, e)
	case starts:
		d.spoken(i, e)
	case d.machine == nil:
		d.weight += e.weight
		d.history.Add(int32(i))
	default:
		d.weight += e.weight
		d.answer(e)
		if d.machine.State == Tools {
			d.must(d.machine.Ran([]int32{int32(i)}, d.open <= 0, d.estimate()))
		} else {
			d.must(d.machine.Told(int32(i), d.estimate()))
		}
	}
	return true
}

// answer counts the calls that a message's results answer.
func (d *driver) answer(e *entry) {
	for _, t := range e.traffic {
		if !t.call && d.t.Recording.mates[t.slot] >= 0 {
			d.open--
		}
	}
}

// spoken takes in a user message without tool results: it joins a run that has
// not called the model yet, and otherwise starts one.
func (d *driver) spoken(i int, e *entry) {
	d.weight += e.weight
	if d.machine != nil && d.machine.State == Starting && d.machine.Turn == 0 {
		d.must(d.machine.Told(int32(i), d.estimate()))
		return
	}
	d.close(Interrupted)
	d.begin(i, Buffer{From: int32(i), To: int32(i) + 1})
}

func (d *driver) begin(i int, input Buffer) {
	d.run = len(d.t.Runs)
	d.t.Runs = append(d.t.Runs, Run{Start: i, Calls: len(d.t.Calls), Message: -1})
	d.machine = StartRun(d.Policy, d.MaxTurns, d.history, input, d.estimate())
	d.open = 0
}

// close ends the open run, if there is one, and takes over what it committed.
func (d *driver) close(how Ending) {
	if d.machine == nil {
		return
	}
	d.machine.End(how)
	d.t.Runs[d.run].Ending, d.t.Runs[d.run].Exceeded = d.machine.Ending, d.machine.Exceeded
	d.history, d.machine = d.machine.History, nil
}

// call asks the machine before the recorded assistant message i until it calls
// the model or ends the run.
func (d *driver) call(i int, e *entry) bool {
	if d.Stop != nil && d.Stop() {
		d.t.End.Outcome, d.t.End.Message = OutcomeStopped, i
		return false
	}
	if d.machine == nil {
		d.begin(i, Buffer{})
	}
	if d.machine.State == Tools { // the recording went on without waiting for a result
		d.must(d.machine.Ran(nil, true, d.estimate()))
	}
	for {
		switch next := d.machine.NextStep(); next.Do {
		case Compact:
			d.pass(i, next.Reason)
			continue
		case Fail:
			return d.fail(i, next.Exceeded)
		case Stop:
			d.close(next.Ending)
			d.skipping, d.broken = true, true
			return true
		}
		break
	}
	d.t.Calls = append(d.t.Calls, Call{i, d.run, d.estimate()})
	d.weight += e.weight
	calls := false
	for _, t := range e.traffic {
		if t.call {
			calls = true
			d.open++
		}
	}
	d.answer(e) // a provider-run tool's result stands in the assistant message itself
	d.must(d.machine.Responded(int32(i), calls, d.estimate()))
	if calls && d.open <= 0 {
		d.must(d.machine.Ran(nil, true, d.estimate()))
	}
	if !calls {
		d.close(Completed)
	}
	return true
}

// fail notes that the run failed before the recorded assistant message i. Its
// pending messages are discarded; what was committed stays.
func (d *driver) fail(i int, exceeded *ContextExceeded) bool {
	run := d.run
	d.close(Completed)
	d.t.Runs[run].Message = i
	if d.t.End.Exceeded == nil {
		cause := CauseNoProgress
		if last := d.t.Passes[len(d.t.Passes)-1]; last.Result == Overflow {
			cause = CauseWindow
		}
		d.t.End.Outcome, d.t.End.Cause, d.t.End.Exceeded, d.t.End.Message = OutcomeExceeded, cause, exceeded, i
	}
	v := d.t.view(d.history, false)
	d.weight = v.weightUpTo(v.Len())
	d.skipping, d.broken = true, true
	return d.GoOn
}

// pass runs one pass over history and pending, has it judged, and feeds the machine.
func (d *driver) pass(i int, reason Reason) {
	m := d.machine
	at := m.History
	at.Join(m.Pending)
	v := d.t.view(at, d.broken)
	p := Passed{
		Message: i, Call: len(d.t.Calls), Turn: len(d.t.Calls) + 1, Run: d.run, Reason: reason, View: v,
		Before: d.estimate(), MessagesBefore: v.Len(), Target: d.Policy.Target(d.overhead),
	}
	p.Result, p.After, p.MessagesAfter = NoAction, p.Before, p.MessagesBefore
	var steer Steering
	if d.Hooks.PreCompact != nil {
		steer = d.Hooks.PreCompact(PreCompact{reason, p.Turn, p.Before})
	}
	var after *View
	switch {
	case d.NoManager:
		p.NoManager = true
	case steer.Veto:
		p.Vetoed = true
	default:
		after = d.shrink(&p, steer)
	}
	d.t.Passes = append(d.t.Passes, p)
	switch {
	case p.Result == Overflow:
		used := p.After
		d.must(m.Overflowed(&ContextExceeded{used, d.Policy.Window}))
	case p.Result == Compacted:
		d.broken = after.own != nil
		d.weight = after.weightUpTo(after.Len())
		d.t.moments = append(d.t.moments, moment{i, after.buffer(), d.broken})
		d.must(m.CompactionResult(after.buffer(), p.Before, p.After))
		if d.Hooks.OnCompaction != nil {
			d.Hooks.OnCompaction(Compaction{reason, p.Turn, p.Before, p.After, p.MessagesBefore, p.MessagesAfter})
		}
	default:
		d.must(m.CompactionNoop(p.Before, p.After))
	}
}

// shrink runs the compactor and the manager's rule on it, and returns the
// conversation to go on with.
func (d *driver) shrink(p *Passed, steer Steering) *View {
	v := p.View
	if d.Compactor == nil {
		pass := Truncate(v, d.Policy)
		p.MessagesAfter, p.After = pass.Kept(), pass.After+d.overhead
		p.Result = Classify(d.Policy.Window, d.overhead, v.Len(), pass.Kept(), v.Tokens(), pass.After)
		if p.Result != Compacted {
			return nil
		}
		return pass.Result()
	}
	manager := Manager{Policy: d.Policy, Compactor: d.Compactor, Counter: d.t.Recording.Counter}
	messages := v.Messages()
	verdict := manager.CompactWithReason(messages, p.Reason, p.Turn, steer, d.overhead)
	p.Result, p.Hint, p.Failure = verdict.Result, &verdict.Hint, verdict.Failure
	p.After = verdict.After + d.overhead
	p.MessagesAfter = len(verdict.Messages)
	if verdict.Result != Compacted {
		return nil
	}
	numbers := make(map[*model.Message]int32, len(messages))
	for k, m := range messages {
		numbers[m] = v.number(k)
	}
	head := make([]int32, len(verdict.Messages))
	for k, m := range verdict.Messages {
		n, ok := numbers[m]
		if !ok {
			n = v.store.add(m, -1)
		}
		head[k] = n
	}
	return newView(v.store, head, v.hi, v.hi, true)
}

// must holds the driver to the machine's contract: a wrong feed is a bug of the driver.
func (d *driver) must(err error) {
	if err != nil {
		panic(err)
	}
}

func (t *Timeline) view(b Buffer, broken bool) *View {
	return newView(t.store, b.Head, b.From, b.To, broken)
}

// Moment is the conversation as a model call saw it.
type Moment struct {
	View    *View
	Pending int // messages from this position on belong to the run; those before are committed
}

// At is the conversation that the k-th call sent.
func (t *Timeline) At(k int) Moment {
	call := t.Calls[k]
	at, _ := slices.BinarySearchFunc(t.moments, call.Message+1, func(m moment, message int) int { return m.message - message })
	last := moment{}
	if at > 0 {
		last = t.moments[at-1]
	}
	b := last.Buffer
	b.Join(Buffer{From: int32(last.message), To: int32(call.Message)})
	v := t.view(b, last.broken)
	return Moment{v, v.Len() - (call.Message - max(last.message, t.Runs[call.Run].Start))}
}
