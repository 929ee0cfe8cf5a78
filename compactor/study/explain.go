package study

import (
	"fmt"
	"slices"

	"cinch/compactor"
	"cinch/model/token"
)

// Kind is one way in which compaction goes wrong, in a word or two for programs.
type Kind string

const (
	ResultTooLarge  Kind = "result_over_window"  // what the pass keeps does not fit
	FloorOverWindow Kind = "floor_over_window"   // nor could it: overhead and first message alone are too large
	LastTooLarge    Kind = "last_over_window"    // nor could it: the last message is too large beside them
	CompactorFailed Kind = "compactor_failed"    // the compactor gave an error
	Veto            Kind = "veto"                // a pre-compact hook said no
	NoManager       Kind = "no_manager"          // nobody is there to run a pass
	ShortButFat     Kind = "short_but_fat"       // no more messages than min_messages
	CoversAll       Kind = "preserve_covers_all" // preserve_recent is the whole conversation
	PinnedByPair    Kind = "pinned_by_pair"      // a pair keeps the cut at the front
	NothingShaved   Kind = "nothing_shaved"      // the pass dropped nothing of weight
	SecondPass      Kind = "second_pass"         // the pass before it, at the same call, had helped
	DominatedByLine Kind = "threshold_dominated" // a threshold of 95 percent or more never fires
	AutoOff         Kind = "auto_compact_off"    // only the emergency line was watched
	EveryTurn       Kind = "compacts_every_turn" // the floor is over the threshold line
	NeverCompacted  Kind = "no_pass_needed"
	Compacted       Kind = "compacted"
)

// Finding is one thing that went wrong, or that is about to.
type Finding struct {
	Kind Kind
	Text string // one sentence, in the words of the screens
}

// Explanation is why a replay ended as it did.
type Explanation struct {
	Exceeded *compactor.ContextExceeded // nil when the replay completed
	Cause    compactor.Cause
	Message  int       // recorded assistant message it failed before, -1
	Main     Finding   // the cause
	Also     []Finding // what else is worth knowing
	Fix      string    // what the seed advises for the cause, in a sentence
	Events   []Event   // the last calls and passes that led there, oldest first
	Largest  []Sized   // the largest messages of the conversation that failed
	Floor    Floor     // of the conversation that failed
}

// Event is a call or a pass on the way to the failure.
type Event struct {
	Call   *compactor.Call
	Passed *compactor.Passed
}

// Sized is a message and what it weighs.
type Sized struct {
	Message int // index in the recording
	Tokens  int64
	Kept    bool // whether the failing pass keeps it
}

const (
	eventsShown  = 6
	largestShown = 5
	everyTurnRun = 3 // passes before calls in a row that make it "every turn"
)

// Explain says why a replay ended as it did. A replay that completed is
// explained too: what its passes did, and what is close to going wrong.
func Explain(t *compactor.Timeline) *Explanation {
	e := &Explanation{Exceeded: t.End.Exceeded, Cause: t.End.Cause, Message: -1}
	view := t.Recording.View()
	if e.Exceeded != nil {
		last := t.Passes[failing(t)]
		e.Message, view = t.End.Message, last.View
		e.Main, e.Fix = cause(t, &last)
		if again := helped(t, failing(t)); again != nil && e.Cause == compactor.CauseNoProgress {
			e.Also = append(e.Also, e.Main)
			e.Main = Finding{SecondPass, fmt.Sprintf("the pass before this call helped (~%s → ~%s tokens), but what it kept is still past a line, so another pass followed at once and shaved nothing off: death on the second pass", token.Format(again.Before), token.Format(again.After))}
		}
	} else if len(t.Passes) == 0 {
		e.Main = Finding{NeverCompacted, "the run never came to a line: no pass was needed"}
	} else {
		e.Main = Finding{Compacted, fmt.Sprintf("%s, and the run completed", passes(len(t.Passes)))}
	}
	e.Floor = FloorOf(view, t.Policy)
	e.Also = append(e.Also, circumstances(t, e)...)
	e.Events = lastEvents(t, e.Message)
	e.Largest = largest(view, t.Policy)
	return e
}

func passes(n int) string {
	if n == 1 {
		return "1 pass"
	}
	return fmt.Sprintf("%d passes", n)
}

// failing is the index of the pass at which the first failed run ended.
func failing(t *compactor.Timeline) int {
	for i := len(t.Passes) - 1; i >= 0; i-- {
		if t.Passes[i].Message == t.End.Message {
			return i
		}
	}
	return len(t.Passes) - 1
}

// helped is the pass right before the i-th at the same call, if it shaved something off.
func helped(t *compactor.Timeline, i int) *compactor.Passed {
	if i == 0 || t.Passes[i-1].Message != t.Passes[i].Message || t.Passes[i-1].Result != compactor.Compacted {
		return nil
	}
	return &t.Passes[i-1]
}

// cause names the rule that ended the run at its last pass.
func cause(t *compactor.Timeline, p *compactor.Passed) (Finding, string) {
	w := t.Policy.Window
	switch {
	case p.Failure != nil:
		return Finding{CompactorFailed, fmt.Sprintf("the compactor failed: %v", p.Failure)},
			"mend the compactor, or use one that cannot fail"
	case p.NoManager:
		return Finding{NoManager, "a pass was due, but no context manager is configured: nothing was shaved off"},
			"configure a context manager"
	case p.Vetoed:
		return Finding{Veto, "a pre-compact hook vetoed the pass: over the threshold a veto is a decision to stop"},
			"let the hook steer the pass with instructions instead of refusing it"
	}
	pass := compactor.Truncate(p.View, t.Policy)
	if p.Hint != nil { // a compactor of one's own: only its numbers are known
		if p.Result == compactor.Overflow {
			return Finding{ResultTooLarge, fmt.Sprintf("the compacted result, ~%s tokens, does not fit the window of %s", token.Format(p.After), token.Format(w))},
				"a larger window, or a compactor that shrinks harder"
		}
		return Finding{NothingShaved, "the compactor gave back as much as it was given"}, "a compactor that shrinks harder"
	}
	why := pass.Outcome()
	switch {
	case p.Result == compactor.Overflow && floorOver(p.View, t.Policy):
		f := FloorOf(p.View, least(t.Policy))
		if f.Overhead+f.First > w {
			return Finding{FloorOverWindow, fmt.Sprintf("overhead ~%s and first message ~%s alone are more than the window of %s: no setting of the truncating compactor can save this run", token.Format(f.Overhead), token.Format(f.First), token.Format(w))},
				"a larger window, or a shorter system prompt, tool list or first message"
		}
		return Finding{LastTooLarge, fmt.Sprintf("the last message, with its pairs ~%s tokens, does not fit beside overhead ~%s and first message ~%s in a window of %s: no setting of the truncating compactor can save this run", token.Format(f.Tail), token.Format(f.Overhead), token.Format(f.First), token.Format(w))},
			"a larger window, or a limit on how much a tool may return"
	case p.Result == compactor.Overflow:
		return Finding{ResultTooLarge, fmt.Sprintf("what the pass keeps, ~%s tokens, does not fit the window of %s: %s", token.Format(p.After), token.Format(w), why)},
			"a larger window, or a compactor that shrinks harder, such as one that summarises"
	case pass.Reason == compactor.TooShort:
		return Finding{ShortButFat, "short but fat: " + why},
			"a compactor that summarises, a larger window, or smaller messages"
	case pass.Reason == compactor.NothingToDrop && pass.Provisional == 0:
		return Finding{CoversAll, why}, "a smaller preserve_recent"
	case pass.Reason == compactor.NothingToDrop || pass.Cut < pass.Provisional:
		return Finding{PinnedByPair, "pinned by a pair: " + why},
			"a compactor that summarises, or results that arrive sooner after their calls"
	}
	return Finding{NothingShaved, "the pass shaved nothing off: " + why}, "a compactor that summarises, or a larger window"
}

// least is the policy with which the truncating compactor keeps the least.
func least(p compactor.Policy) compactor.Policy {
	p.PreserveRecent, p.MinMessages = compactor.MinPreserveRecent, compactor.MinMinMessages
	return p
}

// floorOver reports whether even the smallest pass would not fit the window.
func floorOver(v *compactor.View, p compactor.Policy) bool {
	return compactor.MakePlan(v, least(p)).Result == compactor.Overflow
}

// circumstances are the settings that made it worse, and what is close to going wrong.
func circumstances(t *compactor.Timeline, e *Explanation) (out []Finding) {
	p := t.Policy
	add := func(kind Kind, format string, args ...any) {
		out = append(out, Finding{kind, fmt.Sprintf(format, args...)})
	}
	if p.AutoCompact && p.Dominated() {
		add(DominatedByLine, "a threshold of %d%% never fires: the emergency line at 95%% (%s tokens) comes first", p.Threshold, token.Format(p.EmergencyLine()))
	}
	if !p.AutoCompact && e.Exceeded != nil {
		add(AutoOff, "auto-compact is off: the threshold at %s tokens was not watched, only the emergency line at %s", token.Format(p.ThresholdLine()), token.Format(p.EmergencyLine()))
	}
	if n := everyTurn(t); n >= everyTurnRun {
		add(EveryTurn, "what a pass leaves and one turn together are past the threshold line of %s tokens: %d calls in a row had a pass before them, each of which breaks the prompt cache", token.Format(p.ThresholdLine()), n)
	}
	return out
}

// everyTurn is the longest stretch of calls in a row that each had a pass before them.
func everyTurn(t *compactor.Timeline) (longest int) {
	run, before := 0, -2
	for _, p := range t.Passes {
		switch p.Call {
		case before:
			continue
		case before + 1:
			run++
		default:
			run = 1
		}
		before = p.Call
		longest = max(longest, run)
	}
	return longest
}

// lastEvents are the last calls and passes up to the recorded message at, or up
// to the end when at is -1, oldest first.
func lastEvents(t *compactor.Timeline, at int) (out []Event) {
	if at < 0 {
		at = t.End.Message
	}
	c := len(t.Calls) - 1
	for c >= 0 && t.Calls[c].Message > at {
		c--
	}
	p := len(t.Passes) - 1
	for p >= 0 && t.Passes[p].Message > at {
		p--
	}
	for len(out) < eventsShown && (c >= 0 || p >= 0) {
		if p < 0 || c >= 0 && t.Calls[c].Message >= t.Passes[p].Message {
			out = append(out, Event{Call: &t.Calls[c]})
			c--
		} else {
			out = append(out, Event{Passed: &t.Passes[p]})
			p--
		}
	}
	slices.Reverse(out)
	return out
}

// largest are the heaviest messages of a view, heaviest first.
func largest(v *compactor.View, policy compactor.Policy) []Sized {
	at := make([]int, 0, largestShown+1) // positions, of equals the earlier one first
	for i := range v.Len() {
		n := v.TokensOf(i)
		k := len(at)
		for k > 0 && n > v.TokensOf(at[k-1]) {
			k--
		}
		if k < largestShown {
			at = slices.Insert(at, k, i)
			at = at[:min(len(at), largestShown)]
		}
	}
	pass := compactor.Truncate(v, policy)
	out := make([]Sized, len(at))
	for k, i := range at {
		out[k] = Sized{v.Recorded(i), v.TokensOf(i), pass.Fate(i).Kept()}
	}
	return out
}
