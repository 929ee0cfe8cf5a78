package study

import (
	"context"
	"fmt"
	"slices"

	"cinch/compactor/ladder"
	"cinch/model/token"
)

// What a run under a ladder comes to. A ladder ends no run: it lets calls through
// that are too large, and the provider refuses them.
const (
	OverWindow  Kind = "call_over_window"  // a call was sent that does not fit the window
	EndsOver    Kind = "ends_over_trigger" // the last call was sent at or over the trigger
	OverTrigger Kind = "over_trigger"      // some calls were, and the run came back under
	OnRequest   Kind = "manual_only"       // nothing runs by itself

	// What a ladder's estimate leaves out, beside a run.
	RidesOnTop Kind = "overhead_on_top"      // system prompt and tools ride every request
	TopsWindow Kind = "overhead_over_window" // with them some do not fit the window
)

// Climbing is a run under a ladder that is to be explained.
type Climbing struct {
	Record     *ladder.Record
	Policy     ladder.Policy
	Window     int64 // tokens
	Overhead   int64 // tokens of system prompt and tools, which the ladder leaves out
	Summarizer ladder.Summarizer
	Manual     map[int]ladder.Call

	// Spare is a summariser to try where the run has none, nil for none; SpareName
	// is what it is called.
	Spare     ladder.Summarizer
	SpareName string
}

// Climb is why a run under a ladder went as it did.
type Climb struct {
	Result *ladder.Result
	Usable int64 // tokens at which a pass is due, 0 without a trigger
	Main   Finding
	Also   []Finding
	Room   string           // how near the largest request came, "" when something is wrong
	Fix    string           // in a sentence, "" when nothing is wrong
	At     *ladder.Answered // the call that is explained, nil when nothing is wrong
	Steps  []ladder.Step    // of the pass before it
	Over   int              // calls sent at or over the trigger
	Beyond int              // calls sent that are larger than the window
}

// ExplainClimb replays a run under a ladder and says why it went as it did. An
// error is that of a policy which cannot be run, or the context's.
func ExplainClimb(ctx context.Context, c Climbing) (*Climb, error) {
	r, e, err := c.replay(ctx)
	if err != nil {
		return nil, err
	}
	out := &Climb{Result: r}
	usable, auto := e.Usable()
	out.Usable = usable
	first, beyond := -1, -1
	for i := range r.Calls {
		n := r.Calls[i].After
		if auto && n >= usable {
			out.Over++
			if first < 0 {
				first = i
			}
		}
		if c.Window > 0 && n > c.Window {
			out.Beyond++
			if beyond < 0 {
				beyond = i
			}
		}
	}
	last := len(r.Calls) - 1
	at := -1
	switch {
	case beyond >= 0:
		at = beyond
		out.Main = Finding{OverWindow, fmt.Sprintf("the call of turn %d is sent with ~%s tokens, and the window is %s: a provider would refuse it", r.Calls[at].Turn, token.Format(r.Calls[at].After), token.Format(c.Window))}
	case auto && last >= 0 && r.Calls[last].After >= usable:
		at = last
		out.Main = Finding{EndsOver, fmt.Sprintf("the last call, turn %d, is sent with ~%s tokens, at or over the trigger at %s", r.Calls[at].Turn, token.Format(r.Calls[at].After), token.Format(usable))}
	case first >= 0:
		at = first
		out.Main = Finding{OverTrigger, fmt.Sprintf("%s sent at or over the trigger at %s, first at turn %d with ~%s tokens; the run comes back under it", calls(out.Over), token.Format(usable), r.Calls[at].Turn, token.Format(r.Calls[at].After))}
	case r.Passes > 0:
		out.Main = Finding{Compacted, fmt.Sprintf("%s, and every call is sent under the trigger at %s", passes(r.Passes), token.Format(usable))}
		if !auto {
			out.Main.Text = passes(r.Passes) + " on request, and every call fits the window"
		}
	case !auto:
		out.Main = Finding{OnRequest, "the policy has no trigger, and no pass was asked for: every call fits the window"}
	default:
		out.Main = Finding{NeverCompacted, "the run never came to its trigger: no pass was needed"}
	}
	if at >= 0 {
		out.At = &r.Calls[at]
		out.Steps = out.At.Told(ctx)
		var why string
		why, out.Fix = held(out.Steps)
		out.Main.Text += "; " + why
	}
	if at < 0 {
		out.Room = room(r.Calls, usable, c.Window)
	}
	out.Also = beside(r)
	if top, ok := OnTop(r.Calls, c.Window, c.Overhead); ok {
		out.Also = append(out.Also, top)
	}
	return out, ctx.Err()
}

// room says how near the largest request of a run came to its limits.
func room(calls []ladder.Answered, usable, window int64) string {
	if len(calls) == 0 {
		return ""
	}
	most := &calls[0]
	for i := range calls {
		if calls[i].After > most.After {
			most = &calls[i]
		}
	}
	text := fmt.Sprintf("the largest list is sent at turn %d with ~%s tokens", most.Turn, token.Format(most.After))
	if usable > 0 {
		text += fmt.Sprintf(", ~%s under the trigger", token.Format(usable-most.After))
	}
	if window > 0 {
		text += fmt.Sprintf(", ~%s under the window of %s", token.Format(window-most.After), token.Format(window))
	}
	return text
}

// OnTop says what rides every request beside the list that a ladder estimates:
// overhead tokens of system prompt and tools. It reports false when that is nothing.
func OnTop(calls []ladder.Answered, window, overhead int64) (Finding, bool) {
	if overhead <= 0 {
		return Finding{}, false
	}
	text := fmt.Sprintf("system prompt and tools, ~%s tokens that the ladder leaves out, ride on top", token.Format(overhead))
	over, first := 0, 0
	for i := range calls {
		if window > 0 && calls[i].After+overhead > window {
			if over++; over == 1 {
				first = i
			}
		}
	}
	if over == 0 {
		return Finding{RidesOnTop, text}, true
	}
	many := "with them"
	if over > 1 {
		many = fmt.Sprintf("with them %d calls are over the window, first", over)
	}
	return Finding{TopsWindow, fmt.Sprintf("%s: %s that of turn %d comes to ~%s and the window is %s", text, many, calls[first].Turn, token.Format(calls[first].After+overhead), token.Format(window))}, true
}

func calls(n int) string {
	if n == 1 {
		return "1 call is"
	}
	return fmt.Sprintf("%d calls are", n)
}

func (c *Climbing) replay(ctx context.Context) (*ladder.Result, *ladder.Engine, error) {
	e, err := ladder.New(c.Policy, c.Window, c.Record)
	if err != nil {
		return nil, nil, err
	}
	r, err := e.Replay(ctx, ladder.Options{Summarizer: c.Summarizer, Manual: c.Manual})
	return r, e, err
}

// held says what kept a pass from getting further, and what would help.
func held(steps []ladder.Step) (why, fix string) {
	switch gate := &steps[0]; gate.Skip {
	case ladder.ManualOnly:
		return "the policy has no trigger, so no pass ran", "a trigger, or a request before it comes to that"
	case ladder.Cooldown:
		return fmt.Sprintf("the cooldown of %d turns held the pass back", gate.Cooldown), "a smaller cooldownTurns"
	case ladder.UnderBudget:
		return "no pass was due", "a lower trigger"
	}
	seen := map[ladder.Verdict]bool{}
	for i := range steps {
		seen[steps[i].Verdict] = true
	}
	switch {
	case seen[ladder.Failed]:
		return "the summariser failed, and the messages stayed as they were", "a summariser that answers"
	case seen[ladder.NoSummarizer]:
		return "the ladder has a rung that summarises, and nobody to ask", "a summariser"
	case seen[ladder.BelowMinimum]:
		return "a rung reclaimed less than minReclaimTokens and was not committed", "a smaller minReclaimTokens, or a dearer rung"
	case seen[ladder.Committed]:
		return "every rung was climbed, and what is kept is still that large", "fewer recentTurns, or a dearer rung at the end"
	case seen[ladder.EmptyHead]:
		return "what is preserved is all there is", "fewer recentTurns"
	}
	return "no rung found anything to reclaim", "a dearer rung at the end"
}

// beside are what else is worth knowing of a run.
func beside(r *ladder.Result) (out []Finding) {
	failed, blanks, inARow, longest := 0, 0, 0, 0
	for i := range r.Calls {
		c := &r.Calls[i]
		blanks += c.Blanks()
		if c.Err != nil {
			failed++
		}
		if len(c.Events) == 0 {
			inARow = 0
			continue
		}
		inARow++
		longest = max(longest, inARow)
	}
	add := func(kind Kind, format string, args ...any) {
		out = append(out, Finding{kind, fmt.Sprintf(format, args...)})
	}
	if failed > 0 {
		add("summariser_failed", "the summariser failed in %s, whose messages stay as they were", passes(failed))
	}
	if blanks > 0 {
		add("blank_summary", "%s committed with a summary that came back blank", passes(blanks))
	}
	if longest >= everyTurnRun {
		add(EveryTurn, "%d calls in a row had a pass before them, each of which breaks the prompt cache: a larger minReclaimTokens or cooldownTurns would make them fewer", longest)
	}
	if r.Reread > r.Reclaimed && r.Passes > 0 {
		add("cache_over_gain", "the passes make ~%s tokens be read again for ~%s reclaimed", token.Format(r.Reread), token.Format(r.Reclaimed))
	}
	return out
}

// Changes finds the least change of every knob that mends what Main says,
// each by running the ladder over the recording again. It is empty for a run with
// nothing to mend. When the context ends, so does the search, with what it has.
func (e *Climb) Changes(ctx context.Context, c Climbing) []Change {
	if e.At == nil {
		return nil
	}
	s := &climbSearch{ctx: ctx, c: c, kind: e.Main.Kind, failing: e.At.Err != nil}
	stopped := func() bool { return ctx.Err() != nil }
	return eachKnob(&s.tried, stopped, s.spare, s.recentTurns, s.minReclaim, s.cooldown, s.pins, s.trigger, s.summarize, s.slide, s.window)
}

type climbSearch struct {
	ctx   context.Context
	c     Climbing
	kind  Kind
	tried int

	failing bool // the summariser failed at the call that is explained
}

// goal is what a change has to bring about, after "with which".
func (s *climbSearch) goal() string {
	switch s.kind {
	case OverWindow:
		return "every call fits the window"
	case EndsOver:
		return "the run ends under its trigger"
	}
	return "every call is sent under the trigger"
}

// mends replays with what set changes, and reports whether the goal is reached.
func (s *climbSearch) mends(set func(*Climbing)) (*ladder.Result, bool) {
	s.tried++
	c := s.c
	set(&c)
	r, e, err := c.replay(s.ctx)
	if err != nil {
		return nil, false
	}
	usable, _ := e.Usable()
	for i := range r.Calls {
		n := r.Calls[i].After
		switch {
		case s.kind == OverWindow && n > c.Window,
			s.kind == EndsOver && i == len(r.Calls)-1 && n >= usable,
			s.kind == OverTrigger && n >= usable:
			return r, false
		}
	}
	return r, true
}

// turned is a change that has no more than on and off.
func (s *climbSearch) turned(knob, does string, set func(*Climbing)) Change {
	_, ok := s.mends(set)
	c := Change{Knob: knob, To: 1, Possible: ok, Text: does + ": " + s.goal()}
	if !ok {
		c.Text = does + " is not enough"
	}
	return c
}

// lowered is the largest value below from, down to least, that mends the run.
// Values of top and more all do what from does.
func (s *climbSearch) lowered(knob string, from, top, least int64, set func(*Climbing, int64)) Change {
	c := Change{Knob: knob, From: from}
	for v := min(from, top) - 1; v >= least && s.ctx.Err() == nil && s.tried < replaysPerKnob; v-- {
		if _, ok := s.mends(func(c *Climbing) { set(c, v) }); ok {
			c.To, c.Possible = v, true
			c.Text = fmt.Sprintf("%s %s (from %s) is the largest with which %s", knob, token.Format(v), token.Format(from), s.goal())
			return c
		}
	}
	c.Text = fmt.Sprintf("%s: no value below %s is enough", knob, token.Format(from))
	if from <= least {
		c.Text = fmt.Sprintf("%s is %s already", knob, token.Format(from))
	}
	return c
}

func (s *climbSearch) recentTurns() Change {
	from, top := s.c.Policy.Preserve.RecentTurns, s.c.Record.Turns()+1
	return s.lowered("recentTurns", int64(from), int64(top), 0, func(c *Climbing, v int64) { c.Policy.Preserve.RecentTurns = int(v) })
}

func (s *climbSearch) cooldown() Change {
	from, top := int64(s.c.Policy.CooldownTurns), int64(s.c.Record.Turns())
	if from == 0 {
		return Change{}
	}
	return s.lowered("cooldownTurns", from, top, 0, func(c *Climbing, v int64) { c.Policy.CooldownTurns = int(v) })
}

// minReclaim goes down from one amount that a rung was refused for to the next:
// between two of them every minimum does the same.
func (s *climbSearch) minReclaim() Change {
	from := s.c.Policy.MinReclaimTokens
	if from == 0 {
		return Change{}
	}
	c := Change{Knob: "minReclaimTokens", From: from}
	for v := from; s.ctx.Err() == nil && s.tried < replaysPerKnob; {
		r, ok := s.mends(func(c *Climbing) { c.Policy.MinReclaimTokens = v })
		if ok && v < from {
			c.To, c.Possible = v, true
			c.Text = fmt.Sprintf("minReclaimTokens %s (from %s) is the largest with which %s", token.Format(v), token.Format(from), s.goal())
			return c
		}
		if v == 0 || r == nil {
			break
		}
		v = refused(r)
	}
	c.Text = fmt.Sprintf("minReclaimTokens: no value below %s is enough", token.Format(from))
	return c
}

// refused is the most that a rung of a run would have reclaimed and was refused for.
func refused(r *ladder.Result) (most int64) {
	for i := range r.Calls {
		for k := range r.Calls[i].Steps {
			if s := &r.Calls[i].Steps[k]; s.Verdict == ladder.BelowMinimum {
				most = max(most, s.Reclaimed())
			}
		}
	}
	return most
}

func (s *climbSearch) pins() Change {
	n := len(s.c.Policy.Preserve.PinTools)
	if n == 0 {
		return Change{}
	}
	c := s.turned("pinTools", "pinning no tools", func(c *Climbing) { c.Policy.Preserve.PinTools = nil })
	c.From, c.To = int64(n), 0
	return c
}

// trigger comes earlier by whole percent. Where the trigger itself is what the run
// is over, moving it mends nothing.
func (s *climbSearch) trigger() Change {
	t := s.c.Policy.Trigger
	switch {
	case s.kind != OverWindow:
		return Change{}
	case t == nil:
		c := s.turned("trigger", "a trigger at 80% of the window", func(c *Climbing) {
			c.Policy.Trigger = &ladder.Trigger{Kind: ladder.ContextFraction, Value: 0.8}
		})
		c.To = 80
		return c
	}
	share := t.Value * 100
	if t.Kind == ladder.InputTokens {
		share = t.Value * 100 / float64(s.c.Window)
	}
	c := s.lowered("trigger", int64(share), 100, 1, func(c *Climbing, v int64) {
		c.Policy.Trigger = &ladder.Trigger{Kind: ladder.ContextFraction, Value: float64(v) / 100}
	})
	c.Text = "trigger: no earlier one is enough"
	if c.Possible {
		c.Text = fmt.Sprintf("a trigger at %d%% of the window (from %d%%) is the latest with which %s", c.To, c.From, s.goal())
	}
	return c
}

// spare is somebody to ask, for a ladder that summarises and has nobody, or
// somebody who fails.
func (s *climbSearch) spare() Change {
	if s.c.Summarizer != nil && !s.failing || s.c.Spare == nil || !slices.Contains(s.c.Policy.Strategy, ladder.Summarize) {
		return Change{}
	}
	return s.turned("summariser", "summaries by "+s.c.SpareName, func(c *Climbing) { c.Summarizer = c.Spare })
}

// summarize is that rung below the others, for a ladder without it.
func (s *climbSearch) summarize() Change {
	who, name := s.c.Summarizer, ""
	if who == nil {
		who, name = s.c.Spare, " by "+s.c.SpareName
	}
	if who == nil || slices.Contains(s.c.Policy.Strategy, ladder.Summarize) {
		return Change{}
	}
	return s.turned(string(ladder.Summarize), "summarize as the last rung"+name, func(c *Climbing) {
		c.Policy.Strategy = longer(c.Policy.Strategy, ladder.Summarize)
		c.Policy.SummaryPrompt = "Summarise."
		c.Summarizer = who
	})
}

func (s *climbSearch) slide() Change {
	if slices.Contains(s.c.Policy.Strategy, ladder.SlidingWindow) {
		return Change{}
	}
	return s.turned(string(ladder.SlidingWindow), "sliding-window as the last rung", func(c *Climbing) {
		c.Policy.Strategy = longer(c.Policy.Strategy, ladder.SlidingWindow)
	})
}

func longer(ladderOf []ladder.Strategy, one ladder.Strategy) []ladder.Strategy {
	return append(slices.Clone(ladderOf), one)
}

// window is the smallest larger one. With a trigger in tokens passes come as they
// did, so it is the largest call; with a share of the window it is looked for by
// halving, between one that does not do and one that does.
func (s *climbSearch) window() Change {
	t, from := s.c.Policy.Trigger, s.c.Window
	if s.kind != OverWindow && (t == nil || t.Kind == ladder.InputTokens) {
		return Change{}
	}
	does := func(w int64) bool {
		_, ok := s.mends(func(c *Climbing) { c.Window = w })
		return ok
	}
	low, high := from, from*2
	for !does(high) {
		if s.ctx.Err() != nil || high > 1<<40 {
			return Change{Knob: "window", From: from, Text: "window: none is large enough"}
		}
		low, high = high, high*2
	}
	for low+1 < high && s.ctx.Err() == nil {
		if mid := low + (high-low)/2; does(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return Change{Knob: "window", From: from, To: high, Possible: true,
		Text: fmt.Sprintf("window %s (from %s) is enough, and %s is not", token.Format(high), token.Format(from), token.Format(low))}
}
