package compactor

import (
	"errors"
	"fmt"

	"cinch/model"
	"cinch/model/token"
)

// Compactor is how a conversation is made smaller: one method. Truncating is
// the one that comes with the engine.
type Compactor interface {
	// Compact returns the messages to go on with. It may keep the pointers it
	// was given (those are still recorded messages), and add its own; it must
	// not change a message. An error, or a result that does not fit, ends the
	// run with ContextExceeded.
	Compact(Input) (Outcome, error)
}

// Input is what a compactor is told.
type Input struct {
	Messages     []*model.Message
	Target       int64 // tokens to get down to, overhead already taken off
	Before       int64 // tokens of Messages by Counter
	Reason       Reason
	Window       int64 // tokens
	Turn         int
	Counter      token.Counter // for self-reports: the unit everything is judged in
	Instructions string        // from a pre-compact hook
	Context      string        // likewise, more to know
}

// Outcome is what a compactor gives back. Its numbers are hints: the manager
// counts for itself, and where the two differ both are shown.
type Outcome struct {
	Messages []*model.Message
	Before   int64
	After    int64
}

// Result is the manager's verdict on a pass.
type Result string

const (
	Compacted Result = "compacted" // the conversation was replaced
	NoAction  Result = "no_action" // as many messages as before, and no fewer tokens
	Overflow  Result = "overflow"  // the compactor failed, or its result does not fit
)

// ContextExceeded ends a run. Both numbers are tokens and include the overhead.
// Limit is the window when the result of a pass did not fit, and the size before
// the pass when the pass shaved nothing off.
type ContextExceeded struct {
	Used  int64 `json:"used"`
	Limit int64 `json:"limit"`
}

func (e *ContextExceeded) Error() string {
	return fmt.Sprintf("ContextExceeded{used: %d, limit: %d}", e.Used, e.Limit)
}

// Verdict is a judged pass. Before and After are the manager's own counts in
// tokens, without overhead.
type Verdict struct {
	Result   Result
	Before   int64
	After    int64
	Target   int64
	Reserved int64
	Messages []*model.Message // what to go on with; the conversation as it was unless Compacted
	Hint     Outcome          // what the compactor said of itself
	Exceeded *ContextExceeded // for Overflow
	Failure  error            // what the compactor failed with
}

// Classify is the manager's rule. Counts are tokens without overhead; reserved is the overhead.
func Classify(window, reserved int64, messagesBefore, messagesAfter int, before, after int64) Result {
	switch {
	case after > max(0, window-reserved):
		return Overflow
	case messagesAfter == messagesBefore && after >= before:
		return NoAction
	}
	return Compacted
}

// Manager owns the policy and the compactor, and judges what the compactor did.
type Manager struct {
	Policy    Policy
	Compactor Compactor
	Counter   token.Counter
	Hooks     Hooks
}

// Hooks watch and steer passes. Nil members are not called.
type Hooks struct {
	// PreCompact may veto a pass, or add instructions for the compactor.
	PreCompact func(PreCompact) Steering
	// OnCompaction is told of real compactions only: never of a veto, of a pass
	// that changed nothing, or of one that failed.
	OnCompaction func(Compaction)
}

// PreCompact is what a pre-compact hook is told.
type PreCompact struct {
	Reason Reason
	Turn   int
	Tokens int64 // estimate, overhead included
}

// Steering is what a pre-compact hook says.
type Steering struct {
	Veto         bool
	Instructions string
	Context      string
}

// Compaction is what observers are told.
type Compaction struct {
	Reason         Reason
	Turn           int
	Before, After  int64 // tokens, overhead included
	MessagesBefore int
	MessagesAfter  int
}

// EnsureContextFits is for hosts without the machine: it runs a pass when the
// manager's own threshold test says so, and otherwise returns nil.
func (m *Manager) EnsureContextFits(messages []*model.Message, turn int) *Verdict {
	reason := m.Policy.ShouldCompact(token.Count(m.Counter, messages))
	if reason == None {
		return nil
	}
	return m.steered(messages, reason, turn)
}

// CompactManual runs a pass whatever the size.
func (m *Manager) CompactManual(messages []*model.Message, turn int) *Verdict {
	return m.steered(messages, Manual, turn)
}

// steered asks the pre-compact hook and tells observers; a veto gives NoAction.
func (m *Manager) steered(messages []*model.Message, reason Reason, turn int) *Verdict {
	before := token.Count(m.Counter, messages)
	var steer Steering
	if m.Hooks.PreCompact != nil {
		steer = m.Hooks.PreCompact(PreCompact{reason, turn, before})
	}
	if steer.Veto {
		return &Verdict{Result: NoAction, Before: before, After: before, Target: m.Policy.Target(0), Messages: messages}
	}
	v := m.CompactWithReason(messages, reason, turn, steer, 0)
	if v.Result == Compacted && m.Hooks.OnCompaction != nil {
		m.Hooks.OnCompaction(Compaction{reason, turn, v.Before, v.After, len(messages), len(v.Messages)})
	}
	return v
}

// CompactWithReason is the engine's path: one pass with reserved tokens kept
// free, counted again by the manager and classified. Hooks are the caller's.
func (m *Manager) CompactWithReason(messages []*model.Message, reason Reason, turn int, steer Steering, reserved int64) *Verdict {
	v := &Verdict{Before: token.Count(m.Counter, messages), Target: m.Policy.Target(reserved), Reserved: reserved, Messages: messages}
	out, err := m.Compactor.Compact(Input{
		Messages: messages, Target: v.Target, Before: v.Before, Reason: reason, Window: m.Policy.Window,
		Turn: turn, Counter: m.Counter, Instructions: steer.Instructions, Context: steer.Context,
	})
	v.Hint = out
	if err != nil {
		v.fail(m.Policy.Window, err)
		return v
	}
	v.After = token.Count(m.Counter, out.Messages)
	v.Result = Classify(m.Policy.Window, reserved, len(messages), len(out.Messages), v.Before, v.After)
	switch v.Result {
	case Overflow:
		v.Exceeded = &ContextExceeded{v.After + reserved, m.Policy.Window}
	case Compacted:
		v.Messages = out.Messages
	}
	return v
}

// fail marks a pass whose compactor gave up: what is used is what there was.
func (v *Verdict) fail(window int64, err error) {
	v.Result, v.After, v.Failure = Overflow, v.Before, err
	v.Exceeded = &ContextExceeded{v.Before + v.Reserved, window}
}

// Truncating is loopctl's default compactor.
type Truncating struct{ PreserveRecent, MinMessages int }

// Compact drops the middle of the conversation, never splitting a pair.
func (t Truncating) Compact(in Input) (Outcome, error) {
	if in.Counter == nil {
		return Outcome{}, errors.New("truncating: no counter given")
	}
	v := Prepare(in.Messages, in.Counter, nil).View()
	p := Truncate(v, Policy{PreserveRecent: t.PreserveRecent, MinMessages: t.MinMessages})
	return Outcome{p.Result().Messages(), v.Tokens(), p.After}, nil
}
