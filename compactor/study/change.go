package study

import (
	"fmt"

	"cinch/compactor"
	"cinch/model/token"
)

// Change is the least that one knob would have to move for the whole replay to
// complete, found by replaying and not by guessing.
type Change struct {
	Knob     string // window, preserve_recent, threshold, min_messages, auto_compact
	From, To int64
	Possible bool   // false: no value of this knob alone does
	Text     string // one sentence
	Policy   compactor.Policy
	Tried    int // replays it took
}

// replaysPerKnob bounds how many replays one knob may cost. Only a window, or a
// preserve_recent of thousands, can reach it; the sentence then says so.
const replaysPerKnob = 2000

// Changes finds the least change of every knob under which the replay would
// complete. It is empty for one that does. A replay may be stopped by how.Stop,
// which then ends the search with what it has.
func Changes(r *compactor.Recording, how compactor.Driving) []Change {
	s := &search{r: r, how: how}
	if s.completes(how.Policy) || s.stopped() {
		return nil
	}
	return eachKnob(&s.tried, s.stopped, s.window, s.preserveRecent, s.threshold, s.minMessages, s.autoCompact)
}

// eachKnob looks for a change of one knob after the other until it is stopped, and
// leaves out those with nothing to say. tried counts the replays of each.
func eachKnob(tried *int, stopped func() bool, finds ...func() Change) []Change {
	var out []Change
	for _, find := range finds {
		*tried = 0
		c := find()
		if stopped() {
			return out
		}
		if c.Knob != "" {
			c.Tried = *tried
			out = append(out, c)
		}
	}
	return out
}

type search struct {
	r     *compactor.Recording
	how   compactor.Driving
	tried int
}

func (s *search) stopped() bool { return s.how.Stop != nil && s.how.Stop() }

func (s *search) replay(p compactor.Policy) *compactor.Timeline {
	s.tried++
	how := s.how
	how.Policy, how.GoOn = p, false
	return compactor.Replay(s.r, how)
}

func (s *search) completes(p compactor.Policy) bool {
	return s.replay(p).End.Outcome == compactor.OutcomeCompleted
}

// window walks up from one window to the next at which any decision of the
// replay would fall differently, so the first that completes is the smallest.
func (s *search) window() Change {
	p := s.how.Policy
	c := Change{Knob: "window", From: p.Window}
	exact := true
	for {
		t := s.replay(p)
		if t.End.Outcome == compactor.OutcomeCompleted {
			break
		}
		if s.stopped() {
			return c
		}
		next := nextWindow(t)
		if s.tried > replaysPerKnob { // leap to a window that is certain to do, and halve back
			exact = false
			p.Window = s.halve(p)
			break
		}
		p.Window = next
	}
	c.To, c.Policy, c.Possible = p.Window, p, true
	c.Text = fmt.Sprintf("window %s (from %s) is the smallest with which the run completes", token.Format(c.To), token.Format(c.From))
	if !exact {
		c.Text = fmt.Sprintf("window %s (from %s) lets the run complete; a smaller one may too", token.Format(c.To), token.Format(c.From))
	}
	return c
}

// nextWindow is the smallest window above a replay's at which one of its passes
// would not have been asked for, or its result would have fitted.
func nextWindow(t *compactor.Timeline) int64 {
	p, best := t.Policy, int64(0)
	for _, pass := range t.Passes {
		// Not asked for: below the emergency line, and not past the threshold line.
		quiet := ceil((pass.Before+1)*100, compactor.EmergencyPercent)
		if p.AutoCompact && p.Threshold > 0 {
			quiet = max(quiet, ceil(pass.Before*100, int64(p.Threshold)))
		}
		flips := []int64{quiet}
		if pass.Result == compactor.Overflow && pass.Failure == nil {
			flips = append(flips, pass.After)
		}
		for _, w := range flips {
			if w > p.Window && (best == 0 || w < best) {
				best = w
			}
		}
	}
	return max(best, p.Window+1)
}

func ceil(a, b int64) int64 { return (a + b - 1) / b }

// halve finds a window that completes between p's, which does not, and one
// that never needs a pass.
func (s *search) halve(p compactor.Policy) int64 {
	low, high := p.Window, p.Window*2
	for {
		p.Window = high
		if s.completes(p) || s.stopped() {
			break
		}
		high *= 2
	}
	for low+1 < high && !s.stopped() {
		p.Window = low + (high-low)/2
		if s.completes(p) {
			high = p.Window
		} else {
			low = p.Window
		}
	}
	return high
}

// nearest walks from one value towards a limit to the first that completes.
func (s *search) nearest(from, limit, step int, set func(*compactor.Policy, int)) (int, compactor.Policy, bool) {
	for value := from + step; (limit-value)*step >= 0; value += step {
		p := s.how.Policy
		if set(&p, value); s.completes(p) {
			return value, p, true
		}
		if s.stopped() || s.tried > replaysPerKnob {
			break
		}
	}
	return 0, s.how.Policy, false
}

func (s *search) preserveRecent() Change {
	return s.lower("preserve_recent", s.how.Policy.Clamped().PreserveRecent, compactor.MinPreserveRecent,
		func(p *compactor.Policy, v int) { p.PreserveRecent = v })
}

func (s *search) minMessages() Change {
	return s.lower("min_messages", s.how.Policy.Clamped().MinMessages, compactor.MinMinMessages,
		func(p *compactor.Policy, v int) { p.MinMessages = v })
}

// lower finds the largest value of a number of messages below the one that is
// set; values beyond the conversation's length all do the same.
func (s *search) lower(knob string, now, least int, set func(*compactor.Policy, int)) Change {
	to, policy, ok := s.nearest(min(now, len(s.r.Messages)+1), least, -1, set)
	c := Change{Knob: knob, From: int64(now), To: int64(to), Policy: policy, Possible: ok}
	switch {
	case ok:
		c.Text = fmt.Sprintf("%s %d (from %d) is the largest with which the run completes", knob, to, now)
	case now == least:
		c.Text = fmt.Sprintf("%s is %d already: it cannot be smaller", knob, least)
	case s.tried > replaysPerKnob:
		c.Text = fmt.Sprintf("%s: none of the %d values tried below %d lets the run complete", knob, s.tried, now)
	default:
		c.Text = fmt.Sprintf("%s: no value below %d lets the run complete", knob, now)
	}
	return c
}

func (s *search) threshold() Change {
	p := s.how.Policy
	c := Change{Knob: "threshold", From: int64(p.Threshold), Policy: p}
	set := func(p *compactor.Policy, v int) { p.Threshold = v }
	if !p.AutoCompact {
		c.Text = "threshold: auto-compact is off, so it is not watched"
		return c
	}
	down, lower, okDown := s.nearest(p.Threshold, 1, -1, set)
	up, higher, okUp := s.nearest(p.Threshold, 100, 1, set)
	switch {
	case okDown && okUp:
		c.To, c.Policy = int64(down), lower
		if up-p.Threshold < p.Threshold-down {
			c.To, c.Policy = int64(up), higher
		}
		c.Text = fmt.Sprintf("threshold %d%% at the highest, or %d%% at the lowest above it (from %d%%), lets the run complete", down, up, p.Threshold)
	case okDown:
		c.To, c.Policy = int64(down), lower
		c.Text = fmt.Sprintf("threshold %d%% (from %d%%) is the highest with which the run completes", down, p.Threshold)
	case okUp:
		c.To, c.Policy = int64(up), higher
		c.Text = fmt.Sprintf("threshold %d%% (from %d%%) is the lowest with which the run completes", up, p.Threshold)
	default:
		c.Text = "threshold: no value from 1 to 100% lets the run complete"
	}
	c.Possible = okDown || okUp
	return c
}

// autoCompact is only a change where it is off.
func (s *search) autoCompact() Change {
	p := s.how.Policy
	if p.AutoCompact {
		return Change{}
	}
	p.AutoCompact = true
	c := Change{Knob: "auto_compact", To: 1, Policy: p, Possible: s.completes(p)}
	c.Text = fmt.Sprintf("auto_compact on, with the threshold at %d%%, lets the run complete", p.Threshold)
	if !c.Possible {
		c.Text = "auto_compact: turning it on does not let the run complete either"
	}
	return c
}
