package compactor

import "fmt"

// State is where a run stands.
type State string

const (
	Starting State = "start" // about to ask for a model call, or for a pass before it
	Tools    State = "tools" // waiting for tool results
	Done     State = "done"
	Failed   State = "failed"
)

// Ending is how a run that did not fail ended.
type Ending string

const (
	Completed   Ending = "completed"   // the model answered without asking for a tool
	Interrupted Ending = "interrupted" // somebody spoke while calls were unanswered
	Cancelled   Ending = "cancelled"
	TurnLimit   Ending = "turn_limit"
)

// Directive is what the machine wants done next.
type Directive struct {
	Do       Action
	Reason   Reason           // Compact: why
	Ending   Ending           // Stop
	Exceeded *ContextExceeded // Fail
}

// Action is the kind of a directive.
type Action string

const (
	CallModel Action = "call_model"
	RunTools  Action = "run_tools"
	Compact   Action = "compact"
	Stop      Action = "stop"
	Fail      Action = "fail"
)

// Machine decides when a pass is due. It is a pure state machine over message
// numbers: a driver does what NextStep asks for and feeds back what came of it.
// NextStep changes nothing and may be asked again; every field is part of the
// state, so a machine that was written out as JSON and read back goes on with
// the same decisions.
type Machine struct {
	Policy   Policy           `json:"policy"`
	MaxTurns int              `json:"max_turns,omitempty"` // 0 sets no limit
	State    State            `json:"state"`
	Turn     int              `json:"turn"`     // model calls answered in this run
	Estimate int64            `json:"estimate"` // tokens, overhead included
	History  Buffer           `json:"history"`  // committed messages
	Pending  Buffer           `json:"pending"`  // this run's messages
	Ending   Ending           `json:"ending,omitempty"`
	Exceeded *ContextExceeded `json:"exceeded,omitempty"`
	Stopping bool             `json:"stopping,omitempty"` // cancelled, to be honoured at the next step
}

// StartRun is a machine for one run: committed history, the run's input, and
// the estimate of both with the overhead.
func StartRun(policy Policy, maxTurns int, history, input Buffer, estimate int64) *Machine {
	return &Machine{Policy: policy, MaxTurns: maxTurns, State: Starting, Estimate: estimate, History: history, Pending: input}
}

// NextStep is what to do now. Before a model call the first that holds wins:
// cancelled, turn limit reached, emergency line reached, threshold line passed.
func (m *Machine) NextStep() Directive {
	switch {
	case m.State == Failed:
		return Directive{Do: Fail, Exceeded: m.Exceeded}
	case m.State == Done:
		return Directive{Do: Stop, Ending: m.Ending}
	case m.Stopping:
		return Directive{Do: Stop, Ending: Cancelled}
	case m.State == Tools:
		return Directive{Do: RunTools}
	case m.MaxTurns > 0 && m.Turn >= m.MaxTurns:
		return Directive{Do: Stop, Ending: TurnLimit}
	}
	if reason := m.Policy.Decide(m.Estimate); reason != None {
		return Directive{Do: Compact, Reason: reason}
	}
	return Directive{Do: CallModel}
}

// WrongFeed says that a driver fed what the machine had not asked for.
type WrongFeed struct {
	Feed  string
	State State
}

func (e *WrongFeed) Error() string {
	return fmt.Sprintf("%s does not fit a run in state %s", e.Feed, e.State)
}

func (m *Machine) expect(feed string, s State) error {
	if m.State != s {
		return &WrongFeed{feed, m.State}
	}
	return nil
}

// Responded feeds the model's answer. One without tool calls completes the run.
func (m *Machine) Responded(message int32, calls bool, estimate int64) error {
	if err := m.expect("a model response", Starting); err != nil {
		return err
	}
	m.Turn++
	m.Pending.Add(message)
	m.Estimate = estimate
	if calls {
		m.State = Tools
		return nil
	}
	m.End(Completed)
	return nil
}

// Ran feeds messages that arrived while tools ran; done says that no call is
// left unanswered.
func (m *Machine) Ran(messages []int32, done bool, estimate int64) error {
	if err := m.expect("tool results", Tools); err != nil {
		return err
	}
	for _, n := range messages {
		m.Pending.Add(n)
	}
	m.Estimate = estimate
	if done {
		m.State = Starting
	}
	return nil
}

// Told feeds a message that joins the run's input before the next model call.
func (m *Machine) Told(message int32, estimate int64) error {
	if err := m.expect("input", Starting); err != nil {
		return err
	}
	m.Pending.Add(message)
	m.Estimate = estimate
	return nil
}

// CompactionResult feeds a pass that replaced the conversation: history becomes
// the result, pending is cleared, and the estimate is what was measured. Numbers
// are tokens with overhead. A result no smaller than before ends the run.
func (m *Machine) CompactionResult(history Buffer, before, after int64) error {
	if err := m.expect("a compaction result", Starting); err != nil {
		return err
	}
	m.History, m.Pending, m.Estimate = history, Buffer{}, after
	m.guard(before, after)
	return nil
}

// CompactionNoop feeds a pass that changed nothing: both buffers stay.
func (m *Machine) CompactionNoop(before, after int64) error {
	if err := m.expect("a compaction no-op", Starting); err != nil {
		return err
	}
	m.Estimate = after
	m.guard(before, after)
	return nil
}

// guard ends a run whose pass shaved nothing off, which would otherwise go back
// and forth between the pass and the call for ever.
func (m *Machine) guard(before, after int64) {
	if after >= before {
		m.fail(&ContextExceeded{Used: after, Limit: before})
	}
}

// Overflowed feeds a pass that failed or whose result does not fit.
func (m *Machine) Overflowed(exceeded *ContextExceeded) error {
	if err := m.expect("an overflow", Starting); err != nil {
		return err
	}
	m.fail(exceeded)
	return nil
}

// End ends the run where it stands; what it holds is committed. A run that has
// ended stays as it ended.
func (m *Machine) End(how Ending) {
	if m.State == Done || m.State == Failed {
		return
	}
	m.History.Join(m.Pending)
	m.Pending, m.State, m.Ending = Buffer{}, Done, how
}

// Cancel ends the run at its next step.
func (m *Machine) Cancel() {
	if m.State != Done && m.State != Failed {
		m.Stopping = true
	}
}

// fail leaves no trace of the run: pending is discarded, the committed history
// stays, also one that a pass has just replaced.
func (m *Machine) fail(exceeded *ContextExceeded) {
	m.State, m.Exceeded, m.Pending = Failed, exceeded, Buffer{}
}
