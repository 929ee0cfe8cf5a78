package ui

import (
	"fmt"
	"strings"

	"cinch/compactor"
	"cinch/compactor/study"
	"cinch/ui/draw"
)

// verdict is how full the window is and what comes of it, in words.
type verdict struct {
	tone  draw.Token
	state string   // the state itself
	then  []string // what follows from it, in full
	brief []string // the same for less room, the longest first: how it ends, and what would change that
	rule  string   // which rule decided
}

// words are the verdict in the longest words that take at most h lines of w
// cells. What has no room even so is cut at its end.
func (v *verdict) words(l *draw.Look, w, h int) []string {
	ways := []string{v.state + strings.Join(v.then, "")}
	for _, then := range v.brief {
		ways = append(ways, v.state+then)
	}
	return inLines(l, ways, w, h)
}

func verdictOf(s *session) verdict {
	v := verdict{tone: draw.Good}
	p, pol := s.plan, s.policy
	over := p.Before - pol.ThresholdLine()
	switch {
	case pol.Window <= 0:
		v.state = "no window: no line is ever crossed"
	case p.Decision == compactor.Emergency:
		v.tone, v.state = draw.Emergency, fmt.Sprintf("EMERGENCY, %s past the line at %s", draw.Tokens(p.Before-pol.EmergencyLine()), draw.Tokens(pol.EmergencyLine()))
		v.say(" → Compact(Emergency) before the next call")
	case p.Decision == compactor.Threshold:
		v.tone, v.state = draw.Over, "OVER THRESHOLD by "+draw.Tokens(over)
		v.say(" → Compact(ThresholdExceeded) before the next call")
	case over > 0:
		v.tone, v.state = draw.Warning, "over the threshold by "+draw.Tokens(over)+", auto-compact is off"
		v.say(": no pass before the emergency line, %s away", draw.Tokens(pol.EmergencyLine()-p.Before))
	default:
		v.state = "ok, " + draw.Tokens(-over) + " below the threshold"
		v.say("%s", nextPass(s, p.Before))
	}
	if p.Decision != compactor.None {
		v.passes(s)
	} else if why, advice := unchanged(s); why != "" {
		v.brief = []string{strings.Join(v.then, "") + "; a pass now changes nothing (" + advice + ")", "; a pass changes nothing"}
		v.say("; a pass now changes nothing: %s (%s)", why, advice)
	} else {
		v.brief = []string{"; a pass now: " + outcome(p)}
		v.say("; a pass now: %s", outcome(p))
	}
	v.rule = ruleOf(s)
	return v
}

func (v *verdict) say(format string, args ...any) {
	v.then = append(v.then, fmt.Sprintf(format, args...))
}

// passes says what the pass that is due leads to: the call, or another pass at
// once, or the end of the run.
func (v *verdict) passes(s *session) {
	ahead := study.LookAhead(s.plan)
	short := ""
	for i, p := range ahead.Passes {
		last := i == len(ahead.Passes)-1
		switch x := ahead.Exceeded; {
		case last && x != nil && ahead.Cause == compactor.CauseWindow:
			v.say(" → does not fit: ContextExceeded{used %s, limit %s} ends the run", draw.Tokens(x.Used), draw.Tokens(x.Limit))
			short += " → does not fit: ContextExceeded"
		case last && x != nil:
			v.say(" → shaves nothing: ContextExceeded{used %s, limit %s} ends the run", draw.Tokens(x.Used), draw.Tokens(x.Limit))
			short += " → ContextExceeded"
			if i == 0 {
				why, advice := unchanged(s)
				v.say("; %s (%s)", why, advice)
				v.brief = append(v.brief, fmt.Sprintf("%s{used %s, limit %s} ends the run; %s", short, draw.Tokens(x.Used), draw.Tokens(x.Limit), advice), short+"; "+advice)
			}
		case last:
			v.say(" → compacted%s", nextPass(s, p.After))
			short += " → compacted"
			v.brief = append(v.brief, short+nextPass(s, p.After))
		default:
			v.say(" → compacted, still over a line → pass %d at once", i+2)
			short += fmt.Sprintf(" → pass %d", i+2)
		}
	}
	if ahead.Exceeded != nil {
		v.brief = append(v.brief, short+" ends the run")
	}
	v.brief = append(v.brief, short)
}

func outcome(p *compactor.Plan) string {
	if p.Result == compactor.Overflow {
		return fmt.Sprintf("overflow, %s do not fit", draw.Tokens(p.After))
	}
	return fmt.Sprintf("%s → %s", count(p.Pass.View.Len(), "message"), draw.Tokens(int64(p.Pass.Kept())))
}

// nextPass predicts how many turns a size leaves before the next pass, at the present pace.
func nextPass(s *session, tokens int64) string {
	if s.following {
		return nextAtPace(s, tokens)
	}
	turns, ok := study.TurnsLeft(s.policy, tokens, s.pace())
	switch {
	case !ok:
		return ""
	case turns == 1:
		return "; next pass in about 1 turn"
	}
	return fmt.Sprintf("; next pass in about %s turns", draw.Tokens(turns))
}

// nextAtPace predicts the next pass of a session that is being followed, from
// how fast it grows at present.
func nextAtPace(s *session, tokens int64) string {
	line := study.NextLine(s.policy)
	if s.policy.Window <= 0 || tokens > line {
		return ""
	}
	text := "; next pass in ~" + draw.Tokens(line-tokens+1) + " tokens"
	pace := s.pace()
	if turns, ok := study.TurnsLeft(s.policy, tokens, pace); ok {
		text += fmt.Sprintf(", about %s at the present ~%s a turn", count(int(turns), "turn"), draw.Tokens(pace.Turn()))
	}
	return text
}

// unchanged is why a pass changes nothing, and what setting would change that;
// "" and "" for a pass that changes something.
func unchanged(s *session) (why, advice string) {
	p := s.plan
	if p.Pass.Kept() < p.Pass.View.Len() || p.After < p.Before {
		return "", ""
	}
	why = "all that stands before the cut is kept as well"
	for step := range compactor.NewPass(p.Pass.View, s.policy).Steps() {
		if step.Done && p.Pass.Reason != compactor.Changed {
			why = step.Detail()
		}
	}
	return why, advise(p.Pass.View, s.policy)
}

// mostAdvice is how many settings are tried for one that changes something.
const mostAdvice = 256

// advise finds the smallest change of a knob under which a pass would change
// the conversation.
func advise(v *compactor.View, p compactor.Policy) string {
	cuts := func(p compactor.Policy) bool {
		pass := compactor.Truncate(v, p)
		return pass.Reason == compactor.Changed && pass.Kept() < v.Len()
	}
	short := p
	short.MinMessages = max(min(p.MinMessages, v.Len()-1), compactor.MinMinMessages)
	less := ""
	if short.MinMessages < p.MinMessages {
		less = fmt.Sprintf("min_messages %d", short.MinMessages)
		if cuts(short) {
			return less + " would cut"
		}
		less += " with "
	}
	try := short
	for try.PreserveRecent = min(p.PreserveRecent-1, v.Len()-1); try.PreserveRecent >= max(compactor.MinPreserveRecent, p.PreserveRecent-mostAdvice); try.PreserveRecent-- {
		if cuts(try) {
			return fmt.Sprintf("%spreserve_recent %d would cut", less, try.PreserveRecent)
		}
	}
	return "no setting would change that"
}

// ruleOf says which rule decided, and where the manager and the machine differ.
func ruleOf(s *session) string {
	p, pol := s.plan, s.policy
	n := draw.Tokens(p.Before)
	text := ""
	switch {
	case pol.Window <= 0:
		return "the machine asks for nothing without a window"
	case p.Decision == compactor.Emergency:
		text = fmt.Sprintf("machine: %s ≥ %s, 95%% of the window, whatever auto-compact says", n, draw.Tokens(pol.EmergencyLine()))
	case p.Decision == compactor.Threshold:
		text = fmt.Sprintf("machine: %s > %s, the threshold", n, draw.Tokens(pol.ThresholdLine()))
	case !pol.AutoCompact:
		text = "machine: auto-compact is off, only the emergency line counts"
	default:
		text = fmt.Sprintf("machine: %s ≤ %s, the threshold", n, draw.Tokens(pol.ThresholdLine()))
	}
	if p.Manager != p.Decision {
		text += fmt.Sprintf("; the manager's should_compact would say %s, the machine decides", p.Manager)
	}
	if pol.AutoCompact && pol.Dominated() {
		text += fmt.Sprintf("; a threshold of %d%% never fires first: the emergency line does", pol.Threshold)
	}
	if note := s.passesNote(); note != "" {
		text += "; " + note
	}
	return text
}

// passesNote says that what is looked at is no longer what was recorded.
func (s *session) passesNote() string {
	if n := len(s.applied); n > 0 {
		return fmt.Sprintf("%s applied", count(n, "pass"))
	}
	return ""
}
