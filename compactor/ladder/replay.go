package ladder

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"cinch/model/token"
)

// Options say how a recording is replayed. The zero value replays all of it
// with automatic passes only and no summariser.
type Options struct {
	Summarizer Summarizer
	Manual     map[int]Call   // passes asked for by hand, by turn
	From       *Checkpoint    // where to go on, nil for the start
	Watch      func(turn int) // told of each turn before its pass; nil for nobody
}

// Answered is one recorded assistant message and the pass that stood before the
// call that made it. A pass that was skipped has no steps here: its one step,
// with the reason in words, is what State.Pass gives.
type Answered struct {
	Outcome
	Message int // index of the recorded message
	Entry   int // the entry it is
}

// Told is the steps of the pass. Of one that was skipped a replay keeps none: its
// one step says why.
func (a *Answered) Told(ctx context.Context) []Step {
	if len(a.Steps) == 0 {
		for s := range a.State.Pass(ctx, a.Turn, nil, nil) {
			return []Step{s}
		}
	}
	return a.Steps
}

// Result is a replay that has reached the end of its recording, or was stopped.
type Result struct {
	Calls []Answered
	Final State  // the list at the end, with what followed the last pass
	Hash  string // of the policy

	Passes    int   // calls before which a pass committed something
	Reclaimed int64 // tokens saved by the passes, each once
	Reread    int64 // tokens that the passes made the provider read again
	Sent      int64 // tokens of all calls
	Unaltered int64 // what those calls would have been without compaction
}

// Replay runs the policy over the whole recording, a pass before each recorded
// assistant message. Its only error is that of the context, with what was
// reached so far, or a checkpoint of another policy.
func (e *Engine) Replay(ctx context.Context, opt Options) (*Result, error) {
	r := &Result{Hash: e.Policy.Hash()}
	r.Final = e.Start(0)
	if opt.From != nil {
		if opt.From.Hash != r.Hash {
			return nil, &HashError{Stored: opt.From.Hash, Policy: r.Hash}
		}
		r.Final = opt.From.State.rebind(e)
	}
	r.Calls = make([]Answered, 0, e.rec.Turns())
	for call := range e.Calls(ctx, opt) {
		r.add(e, call)
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	r.Final = r.Final.Grown(len(e.rec.Entries))
	return r, nil
}

// Calls is a replay call by call, for a caller that shows progress or stops early.
func (e *Engine) Calls(ctx context.Context, opt Options) iter.Seq[Answered] {
	return func(yield func(Answered) bool) {
		state, turn := e.Start(0), 1
		if opt.From != nil {
			state, turn = opt.From.State.rebind(e), opt.From.Turn+1
		}
		for ; turn <= e.rec.Turns() && ctx.Err() == nil; turn++ {
			if opt.Watch != nil {
				opt.Watch(turn)
			}
			entry := e.rec.Before(turn)
			var manual *Call
			if c, ok := opt.Manual[turn]; ok {
				manual = &c
			}
			state = state.Grown(entry)
			tokens := state.View.Tokens()
			out := Outcome{Turn: turn, State: state, Before: tokens, After: tokens, Cache: unbroken}
			if out.Skip = state.skip(turn, manual, tokens); out.Skip == NotSkipped {
				out = Run(state.Pass(ctx, turn, manual, opt.Summarizer))
			}
			state = out.State
			if !yield(Answered{out, e.rec.Entries[entry].Message, entry}) {
				return
			}
		}
	}
}

// add takes note of a call.
func (r *Result) add(e *Engine, c Answered) {
	r.Calls = append(r.Calls, c)
	r.Final = c.State
	r.Sent += c.After
	r.Unaltered += e.rec.Counter.Tokens(e.raw[c.Entry])
	if len(c.Events) > 0 {
		r.Passes++
		r.Reclaimed += c.Reclaimed()
		r.Reread += c.Cache.Reread
	}
}

// Odd is how often calls did not go as a policy means them to.
type Odd struct {
	Cooldown int // passes that the cooldown held back, due or not: it is asked first
	Idle     int // passes that ran and committed nothing
	Failed   int // passes whose summariser failed
	Blanks   int // committed summaries that came back with nothing in them
}

// Oddities counts what did not go as a policy means it to.
func Oddities(calls []Answered) (n Odd) {
	for i := range calls {
		c := &calls[i]
		n.Blanks += c.Blanks()
		switch {
		case c.Err != nil:
			n.Failed++
		case !c.Skipped():
		case c.Skip == Cooldown:
			n.Cooldown++
		default:
			n.Idle++
		}
	}
	return n
}

// String says which passes were skipped, "" for none. What failed and what came
// back blank is for the caller to say.
func (n Odd) String() string {
	var parts []string
	if n.Cooldown > 0 {
		parts = append(parts, fmt.Sprintf("%s in cooldown", token.Format(int64(n.Cooldown))))
	}
	if n.Idle > 0 {
		parts = append(parts, fmt.Sprintf("%s without a commit", token.Format(int64(n.Idle))))
	}
	if parts == nil {
		return ""
	}
	return "skipped: " + strings.Join(parts, ", ")
}

// Events are the events of all passes, in order.
func (r *Result) Events() []Event {
	var out []Event
	for i := range r.Calls {
		out = append(out, r.Calls[i].Events...)
	}
	return out
}

// Checkpoint is what drover stores beside a run after the call of a turn: the
// compacted list, under the hash of the policy that made it.
type Checkpoint struct {
	Hash  string
	Turn  int   // the last turn that has been called
	State State // the list as the model was sent it at that turn
}

// Checkpoint is the one stored at a call of the replay, by its index in Calls.
func (r *Result) Checkpoint(call int) Checkpoint {
	c := &r.Calls[call]
	return Checkpoint{Hash: r.Hash, Turn: c.Turn, State: c.State}
}

// HashError is a checkpoint made under another policy: it cannot be resumed,
// for the list in it is not what this policy would have kept.
type HashError struct{ Stored, Policy string }

func (e *HashError) Error() string {
	return fmt.Sprintf("the checkpoint was stored under policy %.12s and this policy is %.12s: changing the policy needs a new run", e.Stored, e.Policy)
}

// rebind is the state for another engine of the same policy, such as one whose
// recording has grown since or is counted by another counter.
func (s State) rebind(e *Engine) State {
	front := make([]Item, len(s.View.front))
	for i, it := range s.View.front {
		if it.synth != nil {
			it.synth = &synth{it.synth.message, token.Weigh(e.rec.Counter, it.synth.message)}
		}
		front[i] = it
	}
	s.View.engine, s.View.front = e, front
	return s
}
