package compactor

import (
	"fmt"

	"cinch/model/token"
)

// Fate is what a pass does to a message, in one word.
type Fate uint8

const (
	First      Fate = iota // message 0, always kept
	Recent                 // at or after the provisional cut
	Paired                 // kept only because pair safety moved the cut back
	Reattached             // holds a result of message 0's calls, pulled back beside it
	Dropped
	Emptied // only lone halves of pairs were in it
)

// Fates lists them in the order in which screens do.
var Fates = []Fate{First, Recent, Paired, Reattached, Dropped, Emptied}

func (f Fate) String() string {
	return [...]string{"first", "recent", "paired", "reattached", "dropped", "emptied"}[f]
}

// Kept reports whether the message is in what the pass returns.
func (f Fate) Kept() bool { return f != Dropped && f != Emptied }

// Fate is what the pass, as far as it has got, does to the message at i.
func (p *Pass) Fate(i int) Fate {
	switch {
	case p.emptied[i]:
		return Emptied
	case i == 0:
		return First
	case p.isReattached(i):
		return Reattached
	case p.Reason == TooShort || p.Reason == WouldEmpty || p.Provisional < 0 || i >= p.Provisional:
		return Recent
	case i >= p.Cut:
		return Paired
	}
	return Dropped
}

// Why says in one sentence what gave the message at i its fate.
func (p *Pass) Why(i int) string {
	why := p.why(i)
	if gone := p.Removed[i]; gone != nil && !p.emptied[i] {
		why += fmt.Sprintf("; %s removed, the other half is not kept", plural(len(gone), "part"))
	}
	return why
}

func (p *Pass) why(i int) string {
	switch p.Fate(i) {
	case Emptied:
		return "only lone halves of tool pairs were in it: a provider would reject them"
	case First:
		return "the first message is always kept"
	case Reattached:
		return "holds a result of message 0's call: pulled back beside it"
	case Paired:
		return fmt.Sprintf("the cut stood at %d, but %s, so it moved to %d and both stay", p.Provisional, p.bond(i), p.Cut)
	case Dropped:
		return fmt.Sprintf("before the cut at %d", p.Cut)
	}
	switch {
	case p.Reason == TooShort:
		return p.tooShort()
	case p.Reason == WouldEmpty:
		return "the pass would have left nothing: the conversation stays as it was"
	case p.Provisional < 0:
		return "as recorded: no cut yet"
	}
	return fmt.Sprintf("one of the last %d (preserve_recent)", p.View.Len()-p.Provisional)
}

// bond names the pair that keeps the message at i on this side of the cut.
func (p *Pass) bond(i int) string {
	for k, t := range p.View.entry(i).traffic {
		if mate := p.View.mate(i, k, t); t.call && mate >= p.Provisional {
			return fmt.Sprintf("result #%d answers this call", mate)
		}
	}
	for at := p.Provisional; ; {
		call, result := p.View.furthest(at)
		if call <= i || call >= at {
			return fmt.Sprintf("result #%d needs call #%d", result, call)
		}
		at = call
	}
}

// Title is the step in two or three words.
func (s Step) Title() string {
	if s.Done && s.N != 8 {
		return map[Unchanged]string{TooShort: "too short", NothingToDrop: "nothing to drop", WouldEmpty: "would empty"}[s.pass.Reason]
	}
	return [...]string{"long enough", "provisional cut", "pair safety", "something to drop", "keep first and recent", "reattach", "sanitise", "re-count"}[s.N-1]
}

// Detail is what the step looked at and decided, in one sentence.
func (s Step) Detail() string {
	p := s.pass
	n := p.View.Len()
	switch {
	case s.N == 1 && s.Done:
		return p.tooShort()
	case s.N == 1:
		return fmt.Sprintf("%s, more than min_messages %d", plural(n, "message"), p.MinMessages)
	case s.N == 2:
		return fmt.Sprintf("%s − preserve_recent %d: the cut stands at %d", plural(n, "message"), p.PreserveRecent, p.Provisional)
	case s.N == 3 && s.Call >= 0:
		return fmt.Sprintf("result #%d pairs with call #%d → the cut moves from %d to %d", s.Result, s.Call, s.From, s.Cut)
	case s.N == 3:
		return fmt.Sprintf("no result from %d on needs an earlier call: the cut stays", s.Cut)
	case s.N == 4 && s.Done:
		return p.pinned()
	case s.N == 4:
		return fmt.Sprintf("%s before the cut, the first of them stays", plural(p.Cut, "message"))
	case s.N == 5:
		return fmt.Sprintf("message 0 and #%d to #%d are kept, %s dropped", p.Cut, n-1, plural(p.Cut-1, "message"))
	case s.N == 6 && len(p.Reattached) == 0:
		return "message 0 has no call whose result was dropped"
	case s.N == 6:
		return fmt.Sprintf("%s with results of message 0's calls pulled back beside it: %s", plural(len(p.Reattached), "message"), numbers(p.Reattached))
	case s.N == 7 && s.Done:
		return "without lone halves of pairs nothing would be left: the conversation stays as it was"
	case s.N == 7:
		return p.removed()
	}
	of := "tokens"
	if p.overhead > 0 { // which the gauge counts too
		of = "with overhead " + token.Format(p.overhead)
	}
	return fmt.Sprintf("%s → %s, ~%s → ~%s %s", plural(n, "message"), plural(p.Kept(), "message"), token.Format(p.View.Tokens()+p.overhead), token.Format(p.After+p.overhead), of)
}

func (p *Pass) tooShort() string {
	return fmt.Sprintf("%s, min_messages is %d: nothing is cut below %d", plural(p.View.Len(), "message"), p.MinMessages, p.MinMessages+1)
}

// pinned says why the cut came to stand at the first message.
func (p *Pass) pinned() string {
	if p.Provisional == 0 {
		return fmt.Sprintf("preserve_recent %d covers all %s: nothing is before the cut", p.PreserveRecent, plural(p.View.Len(), "message"))
	}
	for at := p.Provisional; ; {
		call, result := p.View.furthest(at)
		if call == 0 || call >= at {
			return fmt.Sprintf("result #%d pairs with call #%d in the first message: the cut moves to 0 and nothing is before it", result, call)
		}
		at = call
	}
}

func (p *Pass) removed() string {
	parts, messages := 0, 0
	for i, gone := range p.Removed {
		parts += len(gone)
		if p.emptied[i] {
			messages++
		}
	}
	switch {
	case parts == 0:
		return "no lone halves of pairs in what is kept"
	case messages == 0:
		return plural(parts, "lone part") + " removed"
	}
	return fmt.Sprintf("%s removed, %s emptied by it", plural(parts, "lone part"), plural(messages, "message"))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// numbers lists positions as #1, #4 and 3 more.
func numbers(at []int) string {
	s := ""
	for k, i := range at {
		if k == 5 {
			return fmt.Sprintf("%s and %d more", s, len(at)-k)
		}
		if k > 0 {
			s += ", "
		}
		s += fmt.Sprintf("#%d", i)
	}
	return s
}

// Outcome says in one sentence what the whole pass came to, and where it left
// everything as it was, which setting would change that.
func (p *Pass) Outcome() string {
	switch p.Reason {
	case TooShort:
		return p.tooShort()
	case NothingToDrop:
		return p.pinned()
	case WouldEmpty:
		return "without lone halves of pairs nothing would be left: the conversation stays as it was"
	}
	if p.Cut < p.Provisional {
		call, result := p.View.furthest(p.Provisional)
		return fmt.Sprintf("%s dropped; result #%d pairs with call #%d, so the cut moved from %d to %d", plural(p.View.Len()-p.Kept(), "message"), result, call, p.Provisional, p.Cut)
	}
	return fmt.Sprintf("%s dropped, %d kept", plural(p.View.Len()-p.Kept(), "message"), p.Kept())
}
