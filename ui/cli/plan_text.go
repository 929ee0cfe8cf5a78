package cli

import (
	"fmt"
	"strconv"

	"cinch/compactor"
	"cinch/compactor/study"
	"cinch/model/token"
	"cinch/model/transcript"
	"cinch/ui"
	"cinch/ui/draw"
)

// planText tells people what one pass does.
func (a *app) planText(l *draw.Look, in *loaded, p *compactor.Plan, ahead study.Outlook) {
	a.heading(in, p.Pass.View.Len())
	a.say("")
	a.gauges(l, p)
	a.say("")
	a.wrap("", verdict(p, ahead))
	a.say("")
	a.fateTable(p)
	a.say("")
	steps := newTable(true)
	for step := range compactor.NewPass(p.Pass.View, p.Policy).Steps() {
		steps.row(strconv.Itoa(step.N), step.Title(), step.Detail())
	}
	a.print(steps, "  ")
}

// heading says what is looked at, and how.
func (a *app) heading(in *loaded, messages int) {
	f, s, c := in.file, in.settings, in.file.Selected
	several := ""
	if n := len(f.Conversations); n > 1 {
		several = fmt.Sprintf(" · conversation %d of %d", index(f)+1, n)
	}
	model := ""
	if c.Model != "" {
		model = " · " + oneLine(c.Model)
	}
	a.say("%s  %s · %s%s%s", oneLine(f.Path), c.Format, plural(messages, "message"), model, several)
	if n := token.Approximated(s.Counter, c.View(s.View)); n > 0 {
		defer a.say("≈ %s too long a piece to be counted exactly", holds(n))
	}
	a.say("engine %s · counter %s · view %s · window %s (%s)", s.engine, counterText(s.Counter), s.View, draw.Tokens(s.Policy.Window), s.WindowFrom)
}

// counterText names a counter, a calibrated one with its spread.
func counterText(c token.Counter) string {
	k, ok := token.CalibrationOf(c)
	if !ok {
		return c.Name()
	}
	return fmt.Sprintf("%s (×%.2f, spread %.2f–%.2f over %s)", c.Name(), k.Median, k.P10, k.P90, plural(k.Calls, "growth"))
}

// index is the place of the selected conversation in its file, -1 for a subagent's.
func index(f *transcript.File) int {
	for i, c := range f.Conversations {
		if c == f.Selected {
			return i
		}
	}
	return -1
}

// gauges are the window before and after the pass, with the lines that it is
// judged by.
func (a *app) gauges(l *draw.Look, p *compactor.Plan) {
	limits := []draw.Limit{
		{Name: "target", Tokens: p.Target, Tone: draw.Dim},
		{Name: "threshold", Tokens: p.Policy.ThresholdLine(), Tone: draw.Over},
		{Name: "emergency", Tokens: p.Policy.EmergencyLine(), Tone: draw.Emergency},
	}
	now := &draw.Gauge{Label: "now", Tokens: p.Before, Window: p.Policy.Window, Limits: limits, Estimate: true, Tone: tone(p.Decision)}
	after := &draw.Gauge{Label: "after", Tokens: p.After, Window: p.Policy.Window, Limits: limits, Estimate: true, Tone: tone(p.Next()), Change: p.After - p.Before}
	w := min(a.width, widestGauge)
	draw.AlignGauges(l, w, now, after)
	a.lines(append(now.Draw(l, w, 2), after.Draw(l, w, 1)...))
	a.say("target %s · threshold %s · emergency %s · overhead %s",
		draw.Tokens(p.Target), draw.Tokens(p.Policy.ThresholdLine()), draw.Tokens(p.Policy.EmergencyLine()), riding(p.Pass.View.Recording(), p.Policy))
}

// riding is the overhead, with the reserve, as a line of text says it.
func riding(r *compactor.Recording, p compactor.Policy) string {
	text := about(r.Overhead + p.Reserve)
	if r.Inferred {
		text += " (inferred from the first recorded call; --overhead sets it)"
	}
	return text
}

// widestGauge is as long as a bar is worth reading, in cells.
const widestGauge = 120

func tone(r compactor.Reason) draw.Token {
	switch r {
	case compactor.Emergency:
		return draw.Emergency
	case compactor.Threshold:
		return draw.Over
	}
	return draw.Text
}

// verdict says in a few sentences how full the window is and what comes of it.
func verdict(p *compactor.Plan, ahead study.Outlook) string {
	pol, s := p.Policy, ""
	switch past := p.Before - pol.ThresholdLine(); {
	case p.Decision == compactor.Emergency:
		s = fmt.Sprintf("EMERGENCY, %s past the line at %s → Compact(Emergency) before the next call", draw.Tokens(p.Before-pol.EmergencyLine()), draw.Tokens(pol.EmergencyLine()))
	case p.Decision == compactor.Threshold:
		s = fmt.Sprintf("OVER THRESHOLD by %s → Compact(ThresholdExceeded) before the next call", draw.Tokens(past))
	case past > 0:
		s = fmt.Sprintf("over the threshold by %s, but auto-compact is off: no pass before the emergency line, %s away", draw.Tokens(past), draw.Tokens(pol.EmergencyLine()-p.Before))
	default:
		s = fmt.Sprintf("ok, %s below the threshold: no pass is due", draw.Tokens(-past)) + nextPass(p, ahead)
	}
	if p.Decision == compactor.None {
		s += "; one now would be " + outcome(p)
	}
	for i, pass := range ahead.Passes {
		if i > 0 {
			s += fmt.Sprintf("; still over a line, so pass %d follows at once", i+1)
		}
		s += " → " + outcome(pass)
	}
	switch {
	case ahead.Exceeded == nil && p.Decision == compactor.None:
		s += "."
	case ahead.Exceeded == nil:
		s += nextPass(p, ahead) + "."
	case ahead.Cause == compactor.CauseWindow:
		s += fmt.Sprintf(". The run ends with %v: what the pass leaves does not fit the window.", ahead.Exceeded)
	default:
		s += fmt.Sprintf(". The run ends with %v: the pass shaved nothing off.", ahead.Exceeded)
	}
	if p.Manager != p.Decision {
		s += fmt.Sprintf(" The manager's should_compact says %s here, the machine %s: the machine decides.", p.Manager, p.Decision)
	}
	if pol.AutoCompact && pol.Dominated() {
		s += fmt.Sprintf(" A threshold of %s never fires: the emergency line comes first.", percent(pol.Threshold))
	}
	return s
}

// nextPass says when the next pass comes after those that are due, at the present pace.
func nextPass(p *compactor.Plan, ahead study.Outlook) string {
	v, left := p.Pass.View, p.Before
	if n := len(ahead.Passes); n > 0 {
		left = ahead.Passes[n-1].After
	}
	turns, ok := study.TurnsLeft(p.Policy, left, study.PaceOf(v, study.PaceTurns))
	if !ok {
		return ""
	}
	return "; next pass in about " + plural(int(turns), "turn")
}

// outcome says what a pass came to.
func outcome(p *compactor.Plan) string {
	switch p.Result {
	case compactor.Overflow:
		return fmt.Sprintf("overflow, %s left", about(p.After))
	case compactor.NoAction:
		return "no action (" + p.Pass.Outcome() + ")"
	}
	return fmt.Sprintf("compacted, %s → %s, %s tokens", plural(p.Pass.View.Len(), "message"), draw.Tokens(int64(p.Pass.Kept())), signed(p.After-p.Before))
}

// foldFrom is how many messages of one fate in a row are folded into a line,
// but for the first and the last of them.
const foldFrom = 6

// fateTable lists the messages with what becomes of them, long runs of one fate folded.
func (a *app) fateTable(p *compactor.Plan) {
	pass, n := p.Pass, p.Pass.View.Len()
	t := newTable(true, false, true)
	t.row("#", "who", "tokens", "fate", "what")
	one := func(i int) {
		t.row(strconv.Itoa(i), ui.Who(pass.View.Message(i)), draw.Tokens(pass.View.TokensOf(i)), pass.Fate(i).String(), ui.Gist(pass.View.Message(i)))
	}
	for i := 0; i < n; {
		end := i + 1
		for end < n && pass.Fate(end) == pass.Fate(i) {
			end++
		}
		if end-i < foldFrom {
			for ; i < end; i++ {
				one(i)
			}
			continue
		}
		one(i)
		t.row(fmt.Sprintf("%d–%d", i+1, end-2), "⋯", draw.Tokens(pass.View.TokensBetween(i+1, end-1)), pass.Fate(i).String(), plural(end-i-2, "message"))
		one(end - 1)
		i = end
	}
	a.print(t, "  ")
}
