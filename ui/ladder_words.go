package ui

import (
	"fmt"
	"strings"

	"cinch/compactor/ladder"
	"cinch/model"
	"cinch/ui/draw"
)

// fitting is the first of some ways to say the same, longest first, that fits
// into w cells; the last when none does.
func fitting(l *draw.Look, w int, ways ...string) string {
	for _, text := range ways {
		if text = own(l, text); draw.Width(text) <= w {
			return text
		}
	}
	return own(l, ways[len(ways)-1])
}

// sentence says what happened before the call at the cursor, and what rides on
// top of the list, in w cells.
func (p *ladderScreen) sentence(w int) (draw.Token, string) {
	l := p.r.look
	tone, ways := p.passWords()
	beside, window := p.overhead(&p.s.setup), p.s.policy.Window
	if !p.ended() || beside <= 0 {
		return tone, fitting(l, w, ways...)
	}
	if p.out.After <= window && p.out.After+beside > window { // a warning: what else is said makes room
		size, last := draw.Short(beside), len(ways)-1
		var all []string
		for _, some := range [][]string{ways[:last], ways[last:]} {
			for _, clause := range []string{
				fmt.Sprintf("; with system prompt and tools, ~%s, over the window of %s", size, draw.Short(window)),
				fmt.Sprintf("; + system prompt and tools ~%s: over the window", size),
				fmt.Sprintf("; +~%s overhead: over the window", size),
			} {
				for _, text := range some {
					all = append(all, text+clause)
				}
			}
		}
		return draw.Fault, fitting(l, w, append(all, fmt.Sprintf("with ~%s of overhead over the window of %s", size, draw.Short(window)))...)
	}
	text := fitting(l, w, ways...)
	return tone, fitting(l, w, text+"; system prompt and tools, ~"+draw.Short(beside)+", ride on top", text+"; +~"+draw.Short(beside)+" overhead", text)
}

// passWords say what became of the pass alone, in ways of which the longest that
// fits is shown.
func (p *ladderScreen) passWords() (draw.Token, []string) {
	o, n := &p.out, len(p.run.calls)
	where := fmt.Sprintf("turn %s of %s", draw.Tokens(int64(o.Turn)), draw.Tokens(int64(n-1)))
	if p.at == n-1 {
		where = "before the next call"
	}
	if p.alone {
		where += ", as recorded"
	}
	where += "  "
	usable, auto := p.engine.Usable()
	gate := &o.Steps[0]
	if o.Skip != ladder.NotSkipped {
		tone, short := draw.Text, ""
		switch o.Skip {
		case ladder.Cooldown:
			short = fmt.Sprintf(": %d of %s since the last", gate.SinceLast, count(gate.Cooldown, "turn"))
			if o.Before >= usable {
				tone = draw.Warning
			}
		case ladder.ManualOnly:
			short = ": the policy has no trigger"
		case ladder.UnderBudget:
			short = fmt.Sprintf(": ~%s of %s", draw.Tokens(o.Before), draw.Tokens(usable))
		}
		what := where + "no pass, " + skipWords[o.Skip]
		return tone, []string{what + ": " + gate.Why(), what + short, what}
	}
	text, brief := where+gate.Trigger+": "+gate.Why(), where+fmt.Sprintf("asked for at ~%s", draw.Tokens(o.Before))
	if gate.Trigger == ladder.Auto {
		text = where + fmt.Sprintf("auto: ~%s ≥ usable %s", draw.Tokens(o.Before), draw.Tokens(usable))
		brief = where + fmt.Sprintf("due at ~%s", draw.Tokens(o.Before))
	}
	if !p.ended() {
		return draw.Text, []string{text, brief}
	}
	change := fmt.Sprintf(" → ~%s (%s)", draw.Tokens(o.After), percentChange(o.Before, o.After))
	switch {
	case o.Err != nil:
		return draw.Fault, []string{text + ", and the summariser failed: the messages stay as they were", text + ": the summariser failed", where + "the summariser failed"}
	case len(o.Events) == 0:
		tone := draw.Warning
		if auto && o.After >= usable {
			tone = draw.Over
		}
		return tone, []string{text + ", and no rung commits anything", text + ": nothing committed", brief + ": nothing committed"}
	case o.Blanks() > 0:
		return draw.Warning, []string{text + change + ", but the summariser returned nothing", text + change + ", blank summary", brief + change + ", blank summary"}
	case auto && o.After >= usable:
		return draw.Over, []string{text + change + ", still due", brief + change + ", still due"}
	}
	return draw.Good, []string{text + change, brief + change}
}

var skipWords = map[ladder.Skip]string{
	ladder.ManualOnly: "manual only", ladder.Cooldown: "cooldown", ladder.UnderBudget: "under budget",
}

// isBlank reports whether a message stands for a summary that came back blank.
func isBlank(m *model.Message) bool {
	return len(m.Parts) == 1 && m.Parts[0].Text == ladder.SummaryPrefix+ladder.NoSummary
}

// verdict says in words what became of a rung, in ways of which the longest that
// fits is shown.
func (p *ladderScreen) verdict(s *ladder.Step) (draw.Token, []string) {
	head := count(s.Head[1]-s.Head[0], "message")
	switch s.Verdict {
	case ladder.Committed:
		switch {
		case s.Strategy == ladder.DropToolResults:
			did := count(s.Cleared.Len(), "result") + " cleared"
			return draw.Good, []string{"committed: " + did, did}
		case s.Blank():
			return draw.Warning, []string{"committed, but the summariser returned nothing for " + head, "committed: blank summary", "blank summary"}
		case s.Strategy == ladder.Summarize:
			return draw.Good, []string{"committed: one summary for " + head, "one for " + head}
		}
		return draw.Good, []string{"committed: " + head + " deleted", head + " deleted"}
	case ladder.TakenBack:
		return draw.Warning, []string{"taken back: a later rung's summariser failed", "taken back"}
	case ladder.NoSummarizer:
		switch {
		case p.work != nil:
			return draw.Dim, []string{"being written"}
		case p.unasked:
			return draw.Warning, []string{"skipped: not asked about this list, only about the run's", "not asked"}
		case p.waiting:
			ask := p.r.press("ladder", "ask")
			return draw.Warning, []string{"skipped: not asked yet, " + ask + " asks " + draw.Line(p.s.climb.writerName(), 40), "skipped: not asked yet, " + ask + " asks", "not asked yet: " + ask}
		}
		choose := p.r.press("ladder", "summariser")
		return draw.Warning, []string{"skipped: no summariser, " + choose + " chooses one", "no summariser: " + choose}
	case ladder.NoPrompt:
		return draw.Warning, []string{s.Why(), "no summaryPrompt"}
	case ladder.Failed:
		return draw.Fault, []string{s.Why(), "the summariser failed", "failed"}
	case ladder.BelowMinimum:
		return draw.Warning, []string{
			fmt.Sprintf("below min reclaim: ~%s of %s", draw.Tokens(s.Reclaimed()), draw.Tokens(s.MinTokens)),
			"under min reclaim " + draw.Short(s.MinTokens), "under minimum",
		}
	case ladder.NoGain:
		return draw.Warning, []string{s.Why(), "nothing reclaimed", "no gain"}
	case ladder.NothingLeft:
		return draw.Dim, []string{s.Why(), "nothing left to clear", "none to clear"}
	}
	return draw.Dim, []string{s.Why(), "empty head"}
}

// stopLine says why the ladder stopped, or why it was not climbed; of the rung
// that has the keys it says all there is to say.
func (p *ladderScreen) stopLine(pen *draw.Pen) {
	w := pen.Left() - 2
	tone, ways := p.stopWords(w + 2)
	pen.Space(1).TextIn(tone, fitting(p.r.look, w, ways...), w)
}

func (p *ladderScreen) stopWords(w int) (draw.Token, []string) {
	steps := p.steps()
	if s := p.pointedRung(); s != nil {
		tone, ways := p.verdict(s)
		return tone, []string{s.Title() + "  " + s.Why(), s.Title() + "  " + ways[0], s.Title() + "  " + ways[len(ways)-1]}
	}
	switch {
	case len(steps) == 0:
		return draw.Dim, []string{"as it stood before the pass"}
	case p.out.Skip != ladder.NotSkipped:
		return draw.Dim, p.limits()
	}
	if failed := p.failure(w); failed != nil {
		return draw.Fault, failed[:1]
	}
	s := &steps[len(steps)-1]
	switch s.Kind {
	case ladder.Stop:
		tone, short := draw.Text, ""
		switch s.Halt {
		case ladder.UnderTrigger:
			short = "under the trigger at " + draw.Tokens(s.Usable)
		case ladder.OneIsEnough:
			short = "one committed rung is enough without a trigger"
		case ladder.Broken:
			tone, short = draw.Fault, "the messages are as they were before the pass"
		default:
			short = "no rung is left"
			if s.Usable > 0 && s.After >= s.Usable {
				tone, short = draw.Over, "no rung is left, still at or above the trigger at "+draw.Tokens(s.Usable)
			}
		}
		return tone, []string{"stop  " + s.Why(), "stop  " + short}
	case ladder.Rung:
		tone, ways := p.verdict(s)
		return tone, []string{s.Title() + "  " + s.Why(), s.Title() + "  " + ways[0], s.Title() + "  " + ways[len(ways)-1]}
	}
	brief := s.Title()
	if s.Kind == ladder.Ask {
		brief += fmt.Sprintf("  ~%s tokens of %s", draw.Tokens(s.Request.Tokens), count(s.Head[1]-s.Head[0], "message"))
	}
	return draw.Text, []string{s.Title() + "  " + s.Why(), brief}
}

// pointedRung is the step shown of the rung that has the keys, nil for none.
func (p *ladderScreen) pointedRung() *ladder.Step {
	if p.rung < 0 || !p.s.climb.rungs[p.rung].on {
		return nil
	}
	s, _ := p.rungStep(p.number(p.rung))
	return s
}

// limits says what stands between this call and a pass.
func (p *ladderScreen) limits() []string {
	pol := &p.s.climb.policy
	var long, short []string
	if usable, ok := p.engine.Usable(); ok {
		long = append(long, fmt.Sprintf("%s %v → usable %s", pol.Trigger.Kind, pol.Trigger.Value, draw.Tokens(usable)))
		short = append(short, "usable "+draw.Tokens(usable))
	}
	last := ""
	if turn := p.out.State.Last; turn > 0 {
		last = fmt.Sprintf(" (last pass turn %s)", draw.Tokens(int64(turn)))
	}
	compact := p.r.press("ladder", "compact now")
	long = append(long, "min reclaim "+draw.Tokens(pol.MinReclaimTokens), "cooldown "+count(pol.CooldownTurns, "turn")+last, compact+" compacts now")
	short = append(short, "min reclaim "+draw.Tokens(pol.MinReclaimTokens), fmt.Sprintf("cooldown %d%s", pol.CooldownTurns, last), compact+" compacts")
	return []string{strings.Join(long, "   "), strings.Join(short, "   "), strings.Join(short, "  ")}
}

// costLines draw what the passes break of the prompt cache against what they
// reclaim: the pass at the cursor, and the run. A failure takes the lines it needs.
func (p *ladderScreen) costLines(w, h int) []string {
	l := p.r.look
	line := func(t draw.Token, ways ...string) string {
		return l.Pen(w).Space(1).TextIn(t, fitting(l, w-2, ways...), w-2).String()
	}
	if h < 1 {
		return nil
	}
	if failed := p.failure(w); failed != nil {
		if p.said.stop { // the first is there
			failed = failed[1:]
		}
		out := make([]string, 0, h)
		for _, text := range failed[:min(len(failed), h)] {
			out = append(out, line(draw.Fault, text))
		}
		if len(out) < h {
			out = append(out, line(draw.Dim, p.runCost()...))
		}
		return out
	}
	this := cost(&p.out)
	if !p.ended() {
		this = nil
	}
	switch {
	case h == 1 && this == nil:
		return []string{line(draw.Dim, p.runCost()...)}
	case h == 1:
		return []string{line(draw.Dim, this...)}
	case p.ended() && this == nil:
		this = []string{"prompt cache untouched before this call"}
	case this == nil:
		this = []string{""}
	}
	return []string{line(draw.Dim, this...), line(draw.Dim, p.runCost()...)}
}

// failure is why the pass at the cursor failed, in the lines of the stop and the
// costs; nil when it did not.
func (p *ladderScreen) failure(w int) []string {
	if p.out.Err == nil || !p.ended() {
		return nil
	}
	lines, room := draw.Wrap(own(p.r.look, p.out.Err.Error()), max(w-2, 1)), max(p.said.cost.H, 1)
	if p.said.stop {
		room++
	}
	if len(lines) > room {
		lines = append(lines[:room-1], strings.Join(lines[room-1:], " "))
	}
	return lines
}

// cost says what a pass breaks of the prompt cache, nil when that is nothing.
func cost(o *ladder.Outcome) []string {
	if o.Cache.FirstChanged < 0 {
		return nil
	}
	from := "the end" // everything that changed is gone
	if i := o.Cache.FirstChanged; i < o.State.View.Len() {
		from = "the summary"
		if entry := o.State.View.At(i).Entry; entry >= 0 {
			from = fmt.Sprintf("#%d", entry)
		}
	}
	return []string{
		fmt.Sprintf("prompt cache broken from %s on: ~%s read again for ~%s reclaimed", from, draw.Tokens(o.Cache.Reread), draw.Tokens(o.Reclaimed())),
		fmt.Sprintf("cache broken from %s on: ~%s read again for ~%s reclaimed", from, draw.Short(o.Cache.Reread), draw.Short(o.Reclaimed())),
		fmt.Sprintf("cache broken: ~%s read again for ~%s", draw.Short(o.Cache.Reread), draw.Short(o.Reclaimed())),
	}
}

// cost says what all passes of the run come to, with numbers written by n, in
// three ways: all there is to say, without the tokens of the calls, and the least.
func (c *climber) cost(n func(int64) string) [3]string {
	r := c.run.sums
	least := count(len(c.run.calls)-1, "call") + ", no pass"
	sent := fmt.Sprintf("; ~%s sent in all", n(r.Sent))
	if r.Passes > 0 {
		least = fmt.Sprintf("%s, %s, ~%s reclaimed for ~%s read again", count(len(c.run.calls)-1, "call"), passes(r.Passes), n(r.Reclaimed), n(r.Reread))
		sent += fmt.Sprintf(", ~%s without passes", n(r.Unaltered))
	}
	most := least
	if odd := c.run.oddities(); odd != "" {
		most += "; " + odd
	}
	return [3]string{most + sent, most, least}
}

// runCost is that in ways of which the longest that fits is shown.
func (p *ladderScreen) runCost() []string {
	full, short := p.cost(draw.Tokens), p.cost(draw.Short)
	return []string{full[0], short[0], full[1], short[1], full[2], short[2]}
}

// oddities says what did not go as a policy means it to, "" when all did.
func (c *climbed) oddities() string {
	var parts []string
	if skipped := c.odd.String(); skipped != "" {
		parts = append(parts, skipped)
	}
	if n := c.odd.Failed; n > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", n))
	}
	if n := c.odd.Blanks; n > 0 {
		parts = append(parts, fmt.Sprintf("%d with a blank summary", n))
	}
	return strings.Join(parts, "; ")
}
