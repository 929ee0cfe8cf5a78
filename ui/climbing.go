package ui

import (
	"maps"
	"slices"
	"strings"

	"cinch/compactor/ladder"
	"cinch/compactor/summarize"
	"cinch/model/token"
	"cinch/ui/draw"
)

// climbing is the ladder's share of the setup. Its parts are never changed in
// place, so that undo can keep the earlier ones.
type climbing struct {
	policy  ladder.Policy
	from    string // what the policy began as: a recipe, a policy file, a lesson
	file    string // path of that policy file, "" for none
	lesson  bool   // the conversation brings the policy along
	rungs   []rung
	manual  map[int]ladder.Call // passes asked for by hand, by turn
	writer  summarize.Summarizer
	counter token.Counter
}

// rung is a strategy with its place in the ladder, whether it is used or not.
type rung struct {
	strategy ladder.Strategy
	on       bool
}

// startClimbing is the ladder a session begins with: the policy that came with
// the file, else the first recipe.
func startClimbing(set Settings) climbing {
	c := climbing{counter: set.LadderCounter, writer: set.Summarizer}
	if c.counter == nil {
		c.counter = token.Drover
	}
	if set.Ladder != nil {
		c.take(*set.Ladder, set.LadderFrom)
		c.file, c.lesson = set.LadderFile, set.LadderFile == ""
	} else {
		c.take(recipes[0].policy, recipes[0].name)
	}
	return c
}

// take uses another policy. Rungs it does not have stand below its own, turned off.
func (c *climbing) take(p ladder.Policy, from string) {
	c.policy, c.from, c.file, c.rungs = p, from, "", nil
	for _, s := range p.Strategy {
		c.rungs = append(c.rungs, rung{s, true})
	}
	for _, s := range ladder.Strategies {
		if !slices.Contains(p.Strategy, s) {
			c.rungs = append(c.rungs, rung{s, false})
		}
	}
}

// climb uses other rungs. A summary needs a prompt, so the first one that is
// turned on brings one along.
func (c *climbing) climb(rungs []rung) {
	c.rungs, c.policy.Strategy = rungs, nil
	for _, r := range rungs {
		if !r.on {
			continue
		}
		c.policy.Strategy = append(c.policy.Strategy, r.strategy)
		if r.strategy == ladder.Summarize && strings.TrimSpace(c.policy.SummaryPrompt) == "" {
			c.policy.SummaryPrompt = summarize.DefaultPrompt
		}
	}
}

// request asks for a pass before the call of a turn, or takes that back: nil.
func (c *climbing) request(turn int, call *ladder.Call) {
	manual := maps.Clone(c.manual)
	if manual == nil {
		manual = map[int]ladder.Call{}
	}
	delete(manual, turn)
	if call != nil {
		manual[turn] = *call
	}
	c.manual = manual
}

// pin adds a tool to those whose results are never cleared, or takes it off.
func (c *climbing) pin(tool string) {
	pins := slices.Clone(c.policy.Preserve.PinTools)
	if i := slices.Index(pins, tool); i >= 0 {
		pins = slices.Delete(pins, i, i+1)
	} else {
		pins = append(pins, tool)
	}
	c.policy.Preserve.PinTools = pins
}

// trigger is the kind of the trigger, "" for none.
func (c *climbing) trigger() string {
	if c.policy.Trigger == nil {
		return ""
	}
	return c.policy.Trigger.Kind
}

// fire sets the trigger.
func (c *climbing) fire(kind string, value float64) {
	c.policy.Trigger = &ladder.Trigger{Kind: kind, Value: value}
}

// summarises reports whether a rung asks for summaries.
func (c *climbing) summarises() bool { return slices.Contains(c.policy.Strategy, ladder.Summarize) }

// sends reports whether the conversation leaves the program for its summaries.
func (c *climbing) sends() bool { return c.writer != nil && c.writer.Receiver() != "" }

// beside is the flag that a policy needs beside its file, which has no place for
// who writes the summaries; "" for none.
func (c *climbing) beside() string {
	if c.writer == nil || !c.summarises() {
		return ""
	}
	return "--summarizer " + quoted(c.writer.String())
}

// goesAlong says so of a policy that is taken out.
func (c *climbing) goesAlong() string {
	if flag := c.beside(); flag != "" {
		return draw.Line(flag, 60) + " goes with it"
	}
	return ""
}

// writerName is what the summariser is called in a few cells.
func (c *climbing) writerName() string {
	if c.writer == nil {
		return "none"
	}
	return c.writer.String()
}
