package study

import (
	"fmt"

	"cinch/compactor"
	"cinch/model/token"
)

// Role is who acts in a pass.
type Role string

const (
	TheMachine   Role = "machine"   // decides when
	TheDriver    Role = "driver"    // measures and runs
	TheCompactor Role = "compactor" // decides how
	TheManager   Role = "manager"   // judges
)

// Chapter is one thing that happened in a pass of a replay.
type Chapter struct {
	Role Role
	Text string // one sentence
	Step int    // steps the compactor has taken when it happened, 0 before it began
	Cut  int    // where its cut stood, -1 for none
}

// Story tells the i-th pass of a replay role by role: who asked, what was
// measured, the compactor's own steps, the verdict, what the machine does next.
// The steps are taken again by running the pass, so they are what happened.
func Story(t *compactor.Timeline, i int) []Chapter {
	p := &t.Passes[i]
	out := []Chapter{{TheMachine, asked(t.Policy, p), 0, -1}}
	add := func(r Role, format string, args ...any) {
		last := out[len(out)-1]
		out = append(out, Chapter{r, fmt.Sprintf(format, args...), last.Step, last.Cut})
	}
	overhead := p.Before - p.View.Tokens()
	add(TheDriver, "measures ~%s tokens before: %d messages with ~%s, overhead and reserve ~%s", token.Format(p.Before), p.MessagesBefore, token.Format(p.Before-overhead), token.Format(overhead))
	switch {
	case p.NoManager:
		add(TheDriver, "no context manager is configured: nothing changes")
	case p.Vetoed:
		add(TheDriver, "a pre-compact hook vetoes the pass: nothing changes")
	default:
		add(TheManager, "asks the compactor for ~%s tokens: %d%% of the %s, less what rides along", token.Format(p.Target), t.Policy.Clamped().TargetPercent, base(t.Policy))
		if p.Hint == nil {
			taken := 0
			for step := range compactor.NewPass(p.View, t.Policy).Steps() {
				taken++
				out = append(out, Chapter{TheCompactor, fmt.Sprintf("%d %s: %s", step.N, step.Title(), step.Detail()), taken, step.Cut})
			}
		} else if p.Failure != nil {
			add(TheCompactor, "fails: %v", p.Failure)
		} else {
			add(TheCompactor, "gives back %d messages and says ~%s → ~%s tokens of its own", p.MessagesAfter, token.Format(p.Hint.Before), token.Format(p.Hint.After))
		}
		add(TheManager, "%s", judged(t.Policy, p, overhead))
	}
	return append(out, Chapter{TheMachine, next(t, i), out[len(out)-1].Step, out[len(out)-1].Cut})
}

func base(p compactor.Policy) string {
	if p.TargetBase == compactor.OfWindow {
		return "window"
	}
	return "threshold line"
}

func asked(policy compactor.Policy, p *compactor.Passed) string {
	if p.Reason == compactor.Emergency {
		return fmt.Sprintf("~%s tokens have reached the emergency line at %s: Compact(Emergency)", token.Format(p.Before), token.Format(policy.EmergencyLine()))
	}
	return fmt.Sprintf("~%s tokens are past the threshold line at %s: Compact(ThresholdExceeded)", token.Format(p.Before), token.Format(policy.ThresholdLine()))
}

func judged(policy compactor.Policy, p *compactor.Passed, overhead int64) string {
	counted := fmt.Sprintf("counts ~%s tokens in %d messages", token.Format(p.After), p.MessagesAfter)
	switch {
	case p.Result == compactor.Overflow && p.Failure != nil:
		return "the compactor failed: overflow"
	case p.Result == compactor.Overflow:
		return fmt.Sprintf("%s: more than the window of %s, overflow", counted, token.Format(policy.Window))
	case p.Result == compactor.NoAction:
		return fmt.Sprintf("%s: as many messages and no fewer tokens, no action", counted)
	}
	return fmt.Sprintf("%s, ~%s fewer: compacted", counted, token.Format(p.Before-p.After))
}

// next is what the machine makes of the i-th pass.
func next(t *compactor.Timeline, i int) string {
	p := &t.Passes[i]
	switch {
	case p.Result == compactor.Overflow:
		return fmt.Sprintf("the run fails: ContextExceeded{used: %d, limit: %d}, pending is discarded", p.After, t.Policy.Window)
	case p.After >= p.Before:
		return fmt.Sprintf("nothing was shaved off: ContextExceeded{used: %d, limit: %d}, pending is discarded", p.After, p.Before)
	}
	then := "and calls the model"
	if i+1 < len(t.Passes) && t.Passes[i+1].Message == p.Message {
		then = "but it is still past a line: another pass at once"
	}
	if p.Result == compactor.NoAction {
		return "history and pending stay as they are, " + then
	}
	return fmt.Sprintf("history is the %d messages that are left, pending is empty, %s", p.MessagesAfter, then)
}
