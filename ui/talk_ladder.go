package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cinch/compactor/ladder"
	"cinch/compactor/study"
	"cinch/compactor/summarize"
	"cinch/model"
	"cinch/ui/draw"
)

// talkedLadder is the ladder's run that is talked about, and what it answers.
type talkedLadder struct {
	climber
	of      recordOf // what its record was made of
	version int      // the session's that the run answers
}

// ladderKnobs are the ladder's knobs that take a value and are none of the Pass
// screen's too.
func (t *talker) ladderKnobs() []*knob {
	var out []*knob
	for _, k := range ladderKnobs(nil, nil) {
		other := slices.ContainsFunc(knobs, func(o *knob) bool { return o.name == k.name })
		if k.set != nil && !other && (k.hidden == nil || !k.hidden(&t.s.setup)) {
			out = append(out, k)
		}
	}
	return out
}

// climber is the ladder's run under the setup as it is, nil where that cannot be
// run, which has been said then.
func (t *talker) climber() *climber {
	c, k := &t.ladder, &t.s.climb
	if of := (recordOf{t.s.conv, k.counter.Name()}); c.of != of {
		c.of, c.run = of, nil
		c.rec = ladder.NewRecord(t.s.conv.View(model.History), k.counter)
		c.beside = besideOf(t.s.conv, k.counter)
	}
	if c.run != nil && c.version == t.s.version {
		return &c.climber
	}
	run, err := c.climb(t.ctx, &t.s.setup)
	if err != nil {
		t.say("%v.", err)
		return nil
	}
	c.run, c.version = run, t.s.version
	return &c.climber
}

// climb tells of the policy and of the run under it.
func (t *talker) climb(string) {
	c := t.climber()
	if c == nil {
		return
	}
	k, p := &t.s.climb, &t.s.climb.policy
	t.say("Ladder of %s, policy %s, counter %s, window %s from %s.", draw.Line(k.from, 60), p.Hash()[:12], k.counter.Name(), draw.Tokens(t.s.policy.Window), t.s.windowFrom)
	if usable, ok := c.engine.Usable(); ok {
		t.say("A pass is due at %s tokens, %s %v.", draw.Tokens(usable), p.Trigger.Kind, p.Trigger.Value)
	} else {
		t.say("There is no trigger: a pass runs only when compact asks for it.")
	}
	for i, s := range p.Strategy {
		t.say("  rung %d %s: %s", i+1, s, strategyWords[s])
	}
	pins := "nothing"
	if len(p.Preserve.PinTools) > 0 {
		pins = draw.Line(strings.Join(p.Preserve.PinTools, ", "), 200)
	}
	first := "with"
	if !p.Preserve.FirstUserTurn {
		first = "without"
	}
	t.say("Kept: the last %s, %s the message that opens the list; pinned: %s. Least reclaim %s tokens, cooldown %s.",
		count(p.Preserve.RecentTurns, "turn"), first, pins, draw.Tokens(p.MinReclaimTokens), count(p.CooldownTurns, "turn"))
	t.say("Summaries by %s.", draw.Line(k.writerName(), 60))
	t.unasked(c)
	t.say("%s.", c.cost(draw.Tokens)[0])
	if top, ok := study.OnTop(c.run.sums.Calls, t.s.policy.Window, c.overhead(&t.s.setup)); ok {
		t.say("%s.", top.Text)
	}
}

// unasked says what a summariser that sends has not been asked.
func (t *talker) unasked(c *climber) {
	if !c.waiting {
		return
	}
	k := &t.s.climb
	t.say("About %s to be written by %s: nothing has been sent, and their rungs are skipped until then.", summariesWord(c.about), draw.Line(k.writerName(), 60))
	if c.first != nil {
		t.say("The first request: %s; %s. request shows it, ask sends.", t.s.sizeOf(c.first), t.s.goesTo())
	}
}

// turn reads the number of a turn as a call of the run. Without one it is the
// last with a pass, else the call that would come next.
func (t *talker) turn(args string) (call int, ok bool) {
	c, last := &t.ladder.climber, len(t.ladder.run.calls)
	if args = strings.TrimSpace(args); args == "" {
		for i := last - 1; i >= 0; i-- {
			if len(c.run.calls[i].Events) > 0 {
				return i, true
			}
		}
		return last - 1, true
	}
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > last {
		t.say("A turn has a number from 1 to %d, which is the one that would come next.", last)
		return 0, false
	}
	return n - 1, true
}

// passes tells of every call before which a pass ran, failed, or was skipped.
func (t *talker) passes(string) {
	c := t.climber()
	if c == nil {
		return
	}
	n := 0
	for i := range c.run.calls {
		a := &c.run.calls[i]
		switch {
		case a.Skip == ladder.NotSkipped && a.Err != nil:
			t.say("Turn %d: about %s tokens, failed: %v", a.Turn, draw.Tokens(a.Before), a.Err)
		case len(a.Events) > 0:
			t.say("Turn %d: %s, about %s → %s tokens, %s", a.Turn, a.Events[0].Trigger, draw.Tokens(a.Before), draw.Tokens(a.After), cost(&a.Outcome)[0])
		case a.Skip == ladder.NotSkipped:
			t.say("Turn %d: about %s tokens, due, and no rung committed anything", a.Turn, draw.Tokens(a.Before))
		case a.Skipped():
			out := c.outcome(t.ctx, i)
			t.say("Turn %d: about %s tokens, skipped: %s", a.Turn, draw.Tokens(a.Before), out.Steps[0].Why())
		default:
			continue
		}
		n++
	}
	if n == 0 {
		t.say("No pass ran, and none was due.")
	}
}

// before is the run, the call that a turn names and the pass before it; a nil
// run where there is none, which has been said then.
func (t *talker) before(turn string) (c *climber, call int, o ladder.Outcome) {
	if c = t.climber(); c == nil {
		return nil, 0, o
	}
	call, ok := t.turn(turn)
	if !ok {
		return nil, 0, o
	}
	return c, call, c.outcome(t.ctx, call)
}

// rungs tells of one pass, step by step.
func (t *talker) rungs(args string) {
	c, i, o := t.before(args)
	if c == nil {
		return
	}
	if i == len(c.run.calls)-1 {
		t.say("Before the next call, turn %d.", o.Turn)
	} else {
		t.say("Before turn %d of %d.", o.Turn, len(c.run.calls)-1)
	}
	for k := range o.Steps {
		s := &o.Steps[k]
		if s.Verdict == ladder.NoSummarizer && c.waiting {
			t.say("%s: the summariser has not been asked yet, so the rung is skipped; ask sends", s.Title())
			continue
		}
		t.say("%s: %s", s.Title(), s.Why())
	}
	switch broken := cost(&o); {
	case broken != nil:
		t.say("%s.", broken[0])
	default:
		t.say("The prompt cache is untouched before this call.")
	}
	after := spanOf(o.State.View)
	for _, it := range after.front {
		if m := it.Summary(); m != nil {
			t.say("%s", m.Parts[0].Text)
		}
	}
}

// why explains the run, and says what would have helped.
func (t *talker) why(string) {
	c := t.climber()
	if c == nil {
		return
	}
	how, asks := c.question(&t.s.setup)
	e, err := study.ExplainClimb(t.ctx, how)
	if err != nil {
		t.say("%v.", err)
		return
	}
	t.say("%s.", e.Main.Text)
	if e.Room != "" {
		t.say("%s.", e.Room)
	}
	for _, f := range e.Also {
		t.say("Also: %s.", f.Text)
	}
	if e.At == nil {
		return
	}
	for i := range e.Steps {
		t.say("  %s: %s", e.Steps[i].Title(), e.Steps[i].Why())
	}
	t.say("Try %s.", e.Fix)
	if asks != "" {
		t.say("The least changes are %s.", onlyLocal(asks))
		return
	}
	for _, change := range e.Changes(t.ctx, how) {
		t.say("  %s", change.Text)
	}
}

// compact asks for a pass before a turn, or takes the request back.
func (t *talker) compact(args string) {
	c := t.climber()
	if c == nil {
		return
	}
	number, instructions, _ := strings.Cut(args, " ")
	i := len(c.run.calls) - 1
	if number != "" {
		var ok bool
		if i, ok = t.turn(number); !ok {
			return
		}
	}
	turn := c.run.calls[i].Turn
	call, said := &ladder.Call{Instructions: strings.TrimSpace(instructions)}, "asked for"
	if _, asked := t.s.climb.manual[turn]; asked && call.Instructions == "" {
		call, said = nil, "no longer asked for"
	}
	t.s.change(fmt.Sprintf("request at turn %d", turn), 0, func(u *setup) { u.climb.request(turn, call) })
	t.say("A pass before turn %d is %s.", turn, said)
	t.rungs(strconv.Itoa(turn))
}

func (t *talker) recipe(args string) {
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > len(recipes) {
		for i, r := range recipes {
			t.say("%d %s: %s", i+1, r.name, r.about)
		}
		return
	}
	r := recipes[n-1]
	t.s.change("recipe "+r.name, 0, func(u *setup) { u.climb.take(r.policy, r.name) })
	t.climb("")
}

func (t *talker) strategy(args string) {
	var rungs []rung
	for _, name := range strings.Fields(args) {
		if !slices.Contains(ladder.Strategies, ladder.Strategy(name)) {
			t.say("There is no rung %s: %s.", name, joined(ladder.Strategies))
			return
		}
		rungs = append(rungs, rung{ladder.Strategy(name), true})
	}
	if len(rungs) == 0 {
		t.say("The rungs are %s, of %s.", joined(t.s.climb.policy.Strategy), joined(ladder.Strategies))
		return
	}
	for _, s := range ladder.Strategies {
		if !slices.ContainsFunc(rungs, func(r rung) bool { return r.strategy == s }) {
			rungs = append(rungs, rung{s, false})
		}
	}
	t.s.change("strategy", 0, func(u *setup) { u.climb.climb(rungs) })
	t.climb("")
}

func joined(names []ladder.Strategy) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return strings.Join(out, ", ")
}

func (t *talker) pin(args string) {
	c := t.climber()
	if c == nil {
		return
	}
	tools, pinned := c.rec.Tools(), t.s.climb.policy.Preserve.PinTools
	if !slices.Contains(tools, args) && !slices.Contains(pinned, args) {
		t.say("Tools with results: %s. Pinned: %s.", draw.Line(strings.Join(tools, ", "), 400), draw.Line(strings.Join(pinned, ", "), 400))
		return
	}
	t.s.change("pin "+draw.Line(args, 24), 0, func(u *setup) { u.climb.pin(args) })
	t.climb("")
}

func (t *talker) summariser(args string) {
	if args == "" {
		t.say("Summaries by %s; summariser takes none, %s.", draw.Line(t.s.climb.writerName(), 60), strings.Join(summarize.Specs, ", "))
		return
	}
	var w summarize.Summarizer
	if args != "none" {
		var err error
		if w, err = summarize.Parse(args); err != nil {
			t.say("%v.", err)
			return
		}
	}
	t.s.change("summaries by "+draw.Line(args, 40), 0, func(u *setup) { u.climb.writer = w })
	t.climb("")
}

func (t *talker) prompt(args string) {
	if args == "" {
		t.say("%s", t.s.climb.policy.SummaryPrompt)
		return
	}
	t.s.change("summaryPrompt", 0, func(u *setup) { u.climb.policy.SummaryPrompt = unfolded(args) })
	t.climb("")
}

// request shows what a summariser would be sent.
func (t *talker) request(args string) {
	c, _, o := t.before(args)
	if c == nil {
		return
	}
	var manual *ladder.Call
	if call, asked := t.s.climb.manual[o.Turn]; asked {
		manual = &call
	}
	req := c.request(t.ctx, &o, manual)
	if req == nil {
		t.say("The pass before turn %d does not get to a summary: an earlier rung is enough, or its head is empty.", o.Turn)
		return
	}
	t.say("Before turn %d: %s; %s.", o.Turn, t.s.sizeOf(req), t.s.goesTo())
	text := asText(*req)
	if k := &t.s.climb; k.sends() {
		text = k.writer.Payload(*req)
	}
	t.say("%s", text)
}

// ask sends what the summariser has not been asked yet, and waits for it.
func (t *talker) ask(string) {
	c := t.climber()
	switch {
	case c == nil:
		return
	case !c.waiting:
		t.say("Nothing has to be sent.")
		return
	}
	n := 0
	sum := c.asking(&t.s.climb, func(req ladder.Request) {
		n++
		t.say("Request %d of about %d, %s tokens of messages, is sent.", n, c.about, draw.Tokens(req.Tokens))
		t.out.Flush()
	})
	run, err := climbAll(t.ctx, c.engine, t.s.climb.manual, sum, nil)
	if err != nil {
		t.say("%v.", err)
		return
	}
	c.run, c.waiting = run, false
	t.climb("")
}
