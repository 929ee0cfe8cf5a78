// Package study puts questions to the engines: what happens next, what a
// provider would reject, why a run failed. It is pure, as they are.
package study

import "cinch/compactor"

// Outlook is what happens between now and the next model call: the passes that
// run one after the other, and how that ends.
type Outlook struct {
	Passes   []*compactor.Plan          // none when the model is called at once
	Exceeded *compactor.ContextExceeded // nil when the model gets called
	Cause    compactor.Cause
}

// LookAhead runs the passes that the machine asks for before the next call, for
// a plan made of the conversation as it stands. After a pass the machine asks
// again, so one that leaves the conversation above a line is followed by another
// at once; every pass but the last makes the conversation smaller.
func LookAhead(p *compactor.Plan) Outlook {
	var o Outlook
	for p.Decision != compactor.None {
		o.Passes = append(o.Passes, p)
		switch {
		case p.Result == compactor.Overflow:
			o.Cause, o.Exceeded = compactor.CauseWindow, &compactor.ContextExceeded{Used: p.After, Limit: p.Policy.Window}
			return o
		case p.After >= p.Before:
			o.Cause, o.Exceeded = compactor.CauseNoProgress, &compactor.ContextExceeded{Used: p.After, Limit: p.Before}
			return o
		}
		p = compactor.MakePlan(p.Pass.Result(), p.Policy)
	}
	return o
}

// Pace is how fast a conversation grew: its tokens, and the turns (assistant
// messages) in which it came to them.
type Pace struct {
	Tokens int64
	Turns  int
}

// TurnsLeft is after how many turns at a pace a conversation of some tokens is
// past the line that fires first. It reports false when it is past it already,
// and where there is no line or no pace to go by.
func TurnsLeft(p compactor.Policy, tokens int64, pace Pace) (turns int64, ok bool) {
	line := NextLine(p)
	if pace.Turns <= 0 || pace.Tokens <= 0 || p.Window <= 0 || tokens > line {
		return 0, false
	}
	// The first number of turns after which tokens + turns × pace > line.
	return (line-tokens)*int64(pace.Turns)/pace.Tokens + 1, true
}
