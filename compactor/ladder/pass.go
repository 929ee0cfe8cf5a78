package ladder

import (
	"context"
	"iter"
	"strings"
)

// State is where a run stands: its list, and the turn of its last pass.
type State struct {
	View View
	Last int // turn of the last pass that committed something, 0 for none
}

// Start is the state of a run that has recorded the first n entries and made no pass.
func (e *Engine) Start(n int) State { return State{View: e.ViewOf(n)} }

// Grown is the state once the recording has gone on to its first n entries.
func (s State) Grown(n int) State {
	s.View = s.View.grown(n)
	return s
}

// Call is a pass that is asked for by hand.
type Call struct {
	Instructions string // in place of the summary prompt for this pass, "" to leave it
}

// Pass is one pass before the model call of a turn, step by step. A manual
// request runs whatever the trigger says; without one, nil, the trigger decides.
// A nil summariser skips the summarize rung. Ranging over the sequence runs the
// pass; breaking off after an [Ask] step sends nothing.
//
// A summariser that fails leaves the messages as they were before the pass: the
// failed step's state is the one the pass began with, and what steps before it
// committed no longer counts. [Run] says so in those steps.
func (s State) Pass(ctx context.Context, turn int, manual *Call, sum Summarizer) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		p := &pass{ctx: ctx, engine: s.View.engine, began: s, state: s, turn: turn, manual: manual, sum: sum}
		p.run(yield)
	}
}

type pass struct {
	ctx    context.Context
	engine *Engine
	began  State // what a pass that fails goes back to
	state  State
	turn   int
	manual *Call
	sum    Summarizer
	tokens int64 // of the current list
}

// run climbs the ladder; it ends early when yield has had enough.
func (p *pass) run(yield func(Step) bool) {
	p.tokens = p.state.View.Tokens()
	gate := p.gate()
	if !yield(gate) || gate.Skip != NotSkipped {
		return
	}
	for i, strategy := range p.engine.Policy.Strategy {
		step := p.step(Rung)
		step.Number, step.Strategy = i+1, strategy
		next, goOn := p.try(&step, yield)
		if !goOn {
			return
		}
		p.judge(&step, next)
		if !yield(step) {
			return
		}
		if halt := p.halt(&step); halt != "" {
			p.stop(halt, yield)
			return
		}
	}
	p.stop(Exhausted, yield)
}

// step is a step of the given kind as things stand.
func (p *pass) step(kind StepKind) Step {
	s := Step{Kind: kind, Turn: p.turn, Trigger: Auto, State: p.state, Before: p.tokens, After: p.tokens}
	if p.manual != nil {
		s.Trigger = Manual
	}
	s.Usable, _ = p.engine.Usable()
	return s
}

// gate decides whether a pass runs at all.
func (p *pass) gate() Step {
	s := p.step(Gate)
	s.Cooldown = p.engine.Policy.CooldownTurns
	if p.state.Last > 0 {
		s.SinceLast = p.turn - p.state.Last
	}
	s.Skip = p.state.skip(p.turn, p.manual, p.tokens)
	return s
}

// skip is why no pass runs before the call of a turn on a list of so many
// tokens, NotSkipped when one does.
func (s State) skip(turn int, manual *Call, tokens int64) Skip {
	e := s.View.engine
	switch {
	case manual != nil:
	case e.Policy.Trigger == nil:
		return ManualOnly
	case s.Last > 0 && turn-s.Last < e.Policy.CooldownTurns:
		return Cooldown
	case tokens < e.usable:
		return UnderBudget
	}
	return NotSkipped
}

// try is what a rung would make of the list. A rung that can make nothing of it
// gets its verdict here. It reports false when yield has had enough.
func (p *pass) try(s *Step, yield func(Step) bool) (View, bool) {
	v := p.state.View
	start, end := v.head()
	s.Head = [2]int{start, end}
	if start == end {
		s.Verdict = EmptyHead
		return v, true
	}
	switch s.Strategy {
	case DropToolResults:
		next, cleared := v.clearHead(end)
		if s.Cleared = cleared; cleared.Len() == 0 {
			s.Verdict = NothingLeft
		}
		return next, true
	case SlidingWindow:
		return v.replaceHead(start, end, nil), true
	}
	return p.summarize(s, yield)
}

// summarize asks for a summary of the head.
func (p *pass) summarize(s *Step, yield func(Step) bool) (View, bool) {
	v, prompt := p.state.View, p.engine.Policy.SummaryPrompt
	if p.manual != nil && strings.TrimSpace(p.manual.Instructions) != "" {
		prompt = p.manual.Instructions
	}
	switch {
	case p.sum == nil:
		s.Verdict = NoSummarizer
		return v, true
	case strings.TrimSpace(prompt) == "":
		s.Verdict = NoPrompt
		return v, true
	}
	req := Request{
		Prompt:   prompt,
		Model:    p.engine.Policy.SummaryModel,
		Messages: v.Messages(s.Head[0], s.Head[1]),
		Tokens:   v.TokensOf(s.Head[0], s.Head[1]),
	}
	ask := *s
	ask.Kind, ask.Request = Ask, &req
	if !yield(ask) {
		return v, false
	}
	answer, err := p.sum.Summarize(p.ctx, req)
	if err != nil {
		s.Verdict, s.Err = Failed, &CompactionError{p.turn, err}
		return v, true
	}
	s.Summary = answer
	return v.replaceHead(s.Head[0], s.Head[1], p.engine.synthesise(answer)), true
}

// judge commits what a rung made of the list, or says why not.
func (p *pass) judge(s *Step, next View) {
	switch s.Verdict {
	case "":
	case Failed:
		p.state, p.tokens = p.began, p.began.View.Tokens()
		s.State, s.After = p.state, p.tokens
		return
	default:
		return
	}
	s.After = next.Tokens()
	s.MinTokens = p.engine.Policy.MinReclaimTokens
	switch {
	case s.Reclaimed() <= 0:
		s.Verdict = NoGain
		return
	case s.Reclaimed() < s.MinTokens:
		s.Verdict = BelowMinimum
		return
	}
	s.Verdict = Committed
	s.Event = &Event{
		Turn: p.turn, Trigger: s.Trigger, Strategy: s.Strategy,
		BeforeTokens: s.Before, AfterTokens: s.After,
		CollapsedRange: s.Head, Summarized: s.Strategy == Summarize,
	}
	p.state = State{View: next, Last: p.turn}
	p.tokens = s.After
	s.State = p.state
}

// halt is why the ladder stops after a rung, "" when it goes on.
func (p *pass) halt(s *Step) Halt {
	switch {
	case s.Verdict == Failed:
		return Broken
	case s.Verdict != Committed:
		return ""
	case p.engine.Policy.Trigger == nil:
		return OneIsEnough
	case p.tokens < p.engine.usable:
		return UnderTrigger
	}
	return ""
}

func (p *pass) stop(why Halt, yield func(Step) bool) {
	s := p.step(Stop)
	s.Halt = why
	yield(s)
}

// Outcome is a pass that has been run.
type Outcome struct {
	Turn   int
	State  State // the list after the pass
	Skip   Skip  // why no pass ran, "" when one did
	Before int64 // tokens before the pass
	After  int64 // tokens after it
	Steps  []Step
	Events []Event // one for each committed rung, none when a summariser failed
	Err    error   // a *[CompactionError] when a summariser failed
	Cache  Cache
}

// Reclaimed is the tokens the pass saved.
func (o *Outcome) Reclaimed() int64 { return o.Before - o.After }

// Skipped reports whether the cooldown held the pass back, or it ran and committed
// nothing although no summariser failed. A list under its budget, or a policy
// without a trigger, skips nothing: no pass was due.
func (o *Outcome) Skipped() bool {
	return o.Err == nil && len(o.Events) == 0 && (o.Skip == Cooldown || o.Skip == NotSkipped)
}

// Blanks is how many committed summaries came back with nothing in them.
func (o *Outcome) Blanks() int {
	n := 0
	for i := range o.Steps {
		if s := &o.Steps[i]; s.Verdict == Committed && s.Blank() {
			n++
		}
	}
	return n
}

// Run takes a pass to its end.
func Run(steps iter.Seq[Step]) Outcome {
	var o Outcome
	for s := range steps {
		o.add(s)
	}
	return o
}

// add takes note of a step.
func (o *Outcome) add(s Step) {
	if s.Kind == Gate {
		o.Steps = make([]Step, 0, 2+len(s.State.View.engine.Policy.Strategy))
		o.Turn, o.Skip, o.Before, o.After = s.Turn, s.Skip, s.Before, s.Before
		o.Cache = unbroken
	}
	o.Steps = append(o.Steps, s)
	o.State = s.State
	switch {
	case s.Err != nil:
		o.fail(s.Err)
	case s.Event != nil:
		o.Events = append(o.Events, *s.Event)
		o.After = s.After
		o.Cache = o.Cache.broken(&s)
	}
}

// fail takes back what the rungs so far have committed: drover gives the run its
// original messages, and emits no event for a pass that is not committed.
func (o *Outcome) fail(err error) {
	o.Err, o.Events, o.After, o.Cache = err, nil, o.Before, unbroken
	for i := range o.Steps {
		if s := &o.Steps[i]; s.Verdict == Committed {
			s.Verdict, s.Event = TakenBack, nil
		}
	}
}
