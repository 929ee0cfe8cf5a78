package ladder

import (
	"fmt"
	"strings"

	"cinch/model/token"
)

// StepKind is what a step of a pass is.
type StepKind uint8

const (
	Gate StepKind = iota // does a pass run at all
	Ask                  // a summariser is about to be asked; nothing has been sent yet
	Rung                 // one rung has been tried
	Stop                 // the ladder stops, the last step of a pass that ran
)

func (k StepKind) String() string { return [...]string{"gate", "ask", "rung", "stop"}[k] }

// Skip is why no pass runs before a call.
type Skip string

const (
	NotSkipped  Skip = ""
	ManualOnly  Skip = "manual_only"  // the policy has no trigger
	Cooldown    Skip = "cooldown"     // too few turns since the last pass
	UnderBudget Skip = "under_budget" // the estimate is below the trigger
)

// Verdict is what became of a rung.
type Verdict string

const (
	Committed    Verdict = "committed"
	EmptyHead    Verdict = "empty_head"
	NothingLeft  Verdict = "nothing_to_clear"
	NoSummarizer Verdict = "no_summarizer"
	NoPrompt     Verdict = "no_prompt"
	NoGain       Verdict = "no_gain"
	BelowMinimum Verdict = "below_min_reclaim"
	Failed       Verdict = "failed"
	TakenBack    Verdict = "taken_back" // committed, until a later rung's summariser failed
)

// Halt is why a ladder stops.
type Halt string

const (
	UnderTrigger Halt = "under_trigger" // back below the trigger
	OneIsEnough  Halt = "one_is_enough" // no trigger to get under: one committed rung ends the pass
	Exhausted    Halt = "exhausted"     // no rung left
	Broken       Halt = "error"         // a summariser failed
)

// The two ways in which a pass comes about.
const (
	Auto   = "auto"
	Manual = "manual"
)

// Event is what drover emits for a committed rung. Tokens are estimates, and
// CollapsedRange is the head [start, end) in the list at that moment.
type Event struct {
	Turn           int      `json:"turn"`
	Trigger        string   `json:"trigger"`
	Strategy       Strategy `json:"strategy"`
	BeforeTokens   int64    `json:"beforeTokens"`
	AfterTokens    int64    `json:"afterTokens"`
	CollapsedRange [2]int   `json:"collapsedRange"`
	Summarized     bool     `json:"summarized"`
}

// Step is one step of a pass: what was looked at, what was decided, and why.
type Step struct {
	Kind    StepKind
	Turn    int
	Trigger string // Auto or Manual
	State   State  // the list after the step

	Skip      Skip  // gate: why nothing runs
	Usable    int64 // tokens at which the trigger fires, 0 without one
	SinceLast int   // gate: turns since the last pass, 0 when there was none

	Number    int // rung: its place in the policy, from 1
	Strategy  Strategy
	Verdict   Verdict
	Head      [2]int   // the head [start, end) of the list before the step
	Before    int64    // tokens of the list before the step
	After     int64    // tokens of what the rung made of it, committed or not; failed: of the list before the pass
	Cleared   Clearing // drop-tool-results: what it cleared, or would have
	Request   *Request // ask: what the summariser is about to get
	Summary   string   // summarize: the answer, as it came
	Event     *Event   // a committed rung's event
	Err       error    // a *[CompactionError]
	Halt      Halt     // stop: why
	MinTokens int64    // rung: the policy's minReclaimTokens
	Cooldown  int      // gate: the policy's cooldownTurns
}

// Reclaimed is the tokens that a rung saves, or would have saved.
func (s *Step) Reclaimed() int64 { return s.Before - s.After }

// Tried reports whether a rung has made something of the list, committed or not,
// so that Before and After say how large it is.
func (s *Step) Tried() bool {
	switch s.Verdict {
	case Committed, TakenBack, NoGain, BelowMinimum:
		return true
	}
	return false
}

// Blank reports whether a rung's summariser answered with nothing, so that
// [NoSummary] is what stands in place of the head.
func (s *Step) Blank() bool {
	return s.Tried() && s.Strategy == Summarize && strings.TrimSpace(s.Summary) == ""
}

// Title names the step in a few words.
func (s *Step) Title() string {
	switch s.Kind {
	case Gate:
		return "trigger"
	case Ask:
		return "summary request"
	case Stop:
		return "stop"
	}
	return fmt.Sprintf("%d %s", s.Number, s.Strategy)
}

// Why says in one sentence what was looked at and what was decided.
func (s *Step) Why() string {
	switch s.Kind {
	case Gate:
		return s.gate()
	case Ask:
		return fmt.Sprintf("the %s, ~%s tokens, is about to be summarised", head(s.Head), token.Format(s.Request.Tokens))
	case Stop:
		return s.stop()
	}
	return s.rung()
}

func (s *Step) gate() string {
	switch {
	case s.Skip == ManualOnly:
		return "the policy has no trigger: a pass runs only on request"
	case s.Skip == Cooldown:
		return fmt.Sprintf("%s since the last pass, cooldownTurns is %d: no automatic pass yet", turns(s.SinceLast), s.Cooldown)
	case s.Skip == UnderBudget:
		return fmt.Sprintf("~%s tokens are below the trigger at %s", token.Format(s.Before), token.Format(s.Usable))
	case s.Trigger == Manual:
		return fmt.Sprintf("a pass was asked for at ~%s tokens", token.Format(s.Before))
	}
	return fmt.Sprintf("~%s tokens have reached the trigger at %s", token.Format(s.Before), token.Format(s.Usable))
}

func (s *Step) rung() string {
	switch s.Verdict {
	case EmptyHead:
		return "the head is empty: what is preserved is all there is; fewer recentTurns would open it"
	case NothingLeft:
		return fmt.Sprintf("the %s has no tool result left to clear", head(s.Head))
	case NoSummarizer:
		return "no summariser was given: the rung is skipped"
	case NoPrompt:
		return "summaryPrompt is blank: the rung is skipped"
	case NoGain:
		if s.After == s.Before {
			return fmt.Sprintf("%s: still ~%s tokens, nothing is committed", s.did(), token.Format(s.After))
		}
		return fmt.Sprintf("%s: ~%s tokens would become ~%s, nothing is committed", s.did(), token.Format(s.Before), token.Format(s.After))
	case BelowMinimum:
		return fmt.Sprintf("%s would reclaim ~%s tokens, minReclaimTokens is %s: nothing is committed", s.did(), token.Format(s.Reclaimed()), token.Format(s.MinTokens))
	case Failed:
		return fmt.Sprintf("the summariser failed: %v", s.Err.(*CompactionError).Err)
	case TakenBack:
		return fmt.Sprintf("taken back because a summariser failed: %s, ~%s → ~%s tokens", s.did(), token.Format(s.Before), token.Format(s.After))
	}
	return fmt.Sprintf("%s: ~%s → ~%s tokens, ~%s reclaimed", s.did(), token.Format(s.Before), token.Format(s.After), token.Format(s.Reclaimed()))
}

// did is what the rung does to its head.
func (s *Step) did() string {
	switch s.Strategy {
	case DropToolResults:
		if s.Cleared.Len() == 1 {
			return fmt.Sprintf("clearing 1 tool result in the %s", head(s.Head))
		}
		return fmt.Sprintf("clearing %d tool results in the %s", s.Cleared.Len(), head(s.Head))
	case Summarize:
		if s.Blank() {
			return fmt.Sprintf("the summariser returned nothing, so %s is all that stands for the %s", NoSummary, head(s.Head))
		}
		return fmt.Sprintf("one summary in place of the %s", head(s.Head))
	}
	return fmt.Sprintf("deleting the %s", head(s.Head))
}

func (s *Step) stop() string {
	switch s.Halt {
	case UnderTrigger:
		return fmt.Sprintf("~%s tokens are under the trigger at %s: the ladder stops", token.Format(s.After), token.Format(s.Usable))
	case OneIsEnough:
		return "one committed rung is enough without a trigger to get under: the ladder stops"
	case Broken:
		return "the pass ends here: the run goes on with the messages as they were before it"
	}
	if s.Usable > 0 && s.After >= s.Usable {
		return fmt.Sprintf("no rung is left and ~%s tokens are still at or above the trigger at %s", token.Format(s.After), token.Format(s.Usable))
	}
	return "no rung is left"
}

// head names the messages [start, end).
func head(h [2]int) string {
	if h[1]-h[0] == 1 {
		return fmt.Sprintf("head [%d,%d) of 1 message", h[0], h[1])
	}
	return fmt.Sprintf("head [%d,%d) of %s messages", h[0], h[1], token.Format(int64(h[1]-h[0])))
}

func turns(n int) string {
	if n == 1 {
		return "1 turn"
	}
	return fmt.Sprintf("%d turns", n)
}
