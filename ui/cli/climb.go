package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"cinch/compactor"
	"cinch/compactor/ladder"
	"cinch/compactor/policy"
	"cinch/compactor/study"
	"cinch/model"
	"cinch/ui"
	"cinch/ui/draw"
)

// climber is the ladder's engine over the conversation that was picked.
func (l *loaded) climber() (*ladder.Engine, error) {
	return climberOf(l.file.Selected, l.settings)
}

// wholeClimb is the same for the whole recorded run, with the passes that are asked
// for by hand on the way.
func (l *loaded) wholeClimb() (*ladder.Engine, map[int]ladder.Call, error) {
	e, err := l.climber()
	if err != nil {
		return nil, nil, err
	}
	manual, err := l.settings.requests.of(e.Record().Turns())
	return e, manual, err
}

// overhead is the tokens of system prompt and tools, which ride every request and
// which the ladder leaves out.
func (l *loaded) overhead() int64 {
	n, _ := l.settings.Overhead.Of(l.settings.Counter, l.file.Selected, nil)
	return n
}

func climberOf(c *model.Conversation, s *settings) (*ladder.Engine, error) {
	return ladder.New(*s.ladder, s.Policy.Window, ladder.NewRecord(c.View(s.View), s.Counter))
}

// climb is one pass over the conversation as it stands, before its next call. One
// that was asked for runs whatever the trigger says.
func (l *loaded) climb(ctx context.Context) (*ladder.Engine, ladder.Outcome, error) {
	e, err := l.climber()
	if err != nil {
		return nil, ladder.Outcome{}, err
	}
	rec := e.Record()
	o := ladder.Run(e.Start(len(rec.Entries)).Pass(ctx, rec.Turns()+1, l.settings.request, l.settings.summarizer))
	return e, o, ctx.Err()
}

// needsTruncating says which commands put questions to loopctl's machine alone.
func (l *loaded) needsTruncating(command string) error {
	if l.settings.ladder == nil {
		return nil
	}
	return fmt.Errorf("`cinch %s` works with the engine truncating; for the ladder see `cinch plan` and `cinch replay`", command)
}

// ladderTokens are the numbers of a plan under a ladder. Before and after include
// the overhead, as everywhere, which is none: the ladder leaves it out, and what
// rides on top of its list stands beside.
type ladderTokens struct {
	Overhead   int64  `json:"overhead"`
	OnTop      int64  `json:"on_top"`
	Before     int64  `json:"before"`
	After      int64  `json:"after"`
	Saved      int64  `json:"saved"`
	Usable     *int64 `json:"usable"`
	Window     int64  `json:"window"`
	WindowFrom string `json:"window_from"`
}

type ladderStep struct {
	Step   int    `json:"step"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
}

type ladderCache struct {
	FirstChanged *int  `json:"first_changed"`
	Reread       int64 `json:"reread"`
}

// passJSON writes a pass up the ladder as the manual's contract has it.
func passJSON(w *stream, of ui.PassOf) {
	e, o := of.Engine, of.Outcome
	w.field("engine", policy.Ladder)
	w.field("counter", of.Settings.Counter.Name())
	w.field("format", of.Conversation.Format)
	w.field("messages", o.Steps[0].State.View.Len())
	w.field("skipped", o.Skip)
	list(w, "events", slices.Values(o.Events))
	w.field("output_messages", o.State.View.Len())
	onTop, _ := of.Settings.Overhead.Of(of.Settings.Counter, of.Conversation, nil)
	tokens := ladderTokens{OnTop: onTop, Before: o.Before, After: o.After, Saved: o.Reclaimed(), Window: of.Settings.Policy.Window, WindowFrom: of.Settings.WindowFrom}
	if usable, ok := e.Usable(); ok {
		tokens.Usable = &usable
	}
	w.field("tokens", tokens)
	w.field("cache", ladderCache{position(o.Cache.FirstChanged), o.Cache.Reread})
	w.field("error", failure(o.Err))
	list(w, "steps", func(yield func(ladderStep) bool) {
		for i, s := range o.Steps {
			if !yield(ladderStep{i + 1, s.Title(), s.Why()}) {
				return
			}
		}
	})
	w.end()
}

func failure(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (a *app) planLadderText(l *draw.Look, in *loaded, e *ladder.Engine, o ladder.Outcome) {
	a.heading(in, len(e.Record().Entries))
	a.say("policy %.12s · %s", e.Policy.Hash(), trigger(e))
	a.say("")
	window := in.settings.Policy.Window
	var limits []draw.Limit
	if usable, ok := e.Usable(); ok {
		limits = append(limits, draw.Limit{Name: "trigger", Tokens: usable, Tone: draw.Over})
	}
	now := &draw.Gauge{Label: "now", Tokens: o.Before, Window: window, Limits: limits, Estimate: true}
	after := &draw.Gauge{Label: "after", Tokens: o.After, Window: window, Limits: limits, Estimate: true, Change: o.After - o.Before}
	width := min(a.width, widestGauge)
	draw.AlignGauges(l, width, now, after)
	a.lines(append(now.Draw(l, width, 2), after.Draw(l, width, 1)...))
	a.say("")
	t := newTable(false, true, true, true, false)
	t.row("rung", "before", "after", "reclaimed", "")
	for _, s := range o.Steps {
		switch {
		case s.Kind == ladder.Rung && s.Verdict == ladder.Committed:
			t.row(s.Title(), about(s.Before), about(s.After), draw.Tokens(s.Reclaimed()), s.Why())
		case s.Kind != ladder.Ask:
			t.row(s.Title(), "", "", "", oneLine(s.Why()))
		}
	}
	t.whole = true
	a.print(t, "  ")
	if o.Cache.FirstChanged >= 0 {
		a.say("")
		a.say("prompt cache: broken from #%d on, %s tokens to be read again", o.Cache.FirstChanged, about(o.Cache.Reread))
	}
	if top, ok := study.OnTop([]ladder.Answered{{Outcome: o}}, window, in.overhead()); ok {
		a.say("")
		a.wrap("", top.Text)
	}
}

// trigger says when the ladder's passes come.
func trigger(e *ladder.Engine) string {
	usable, ok := e.Usable()
	if !ok {
		return "no trigger, a pass runs only on request"
	}
	return fmt.Sprintf("%s %v → usable %s", e.Policy.Trigger.Kind, e.Policy.Trigger.Value, draw.Tokens(usable))
}

type ladderLine struct {
	compactLine
	Trigger      string          `json:"trigger"`
	Strategy     ladder.Strategy `json:"strategy"`
	BeforeTokens int64           `json:"beforeTokens"`
	AfterTokens  int64           `json:"afterTokens"`
	Collapsed    [2]int          `json:"collapsedRange"`
	Summarized   bool            `json:"summarized"`
}

type errorLine struct {
	Event   string `json:"event"`
	Message int    `json:"message"`
	Turn    int    `json:"turn"`
	Error   string `json:"error"`
}

// committed hands over the rungs that a pass committed, each as a line.
func committed(c *ladder.Answered, each func(ladderLine, *ladder.Step)) {
	messages := 0
	for i := range c.Steps {
		s := &c.Steps[i]
		if ev := s.Event; ev != nil {
			each(ladderLine{
				compactLine{"compact", c.Message, ev.Turn, compactor.Reason(ev.Trigger), compactor.Compacted, ev.BeforeTokens, ev.AfterTokens, messages, s.State.View.Len()},
				ev.Trigger, ev.Strategy, ev.BeforeTokens, ev.AfterTokens, ev.CollapsedRange, ev.Summarized,
			}, s)
		}
		messages = s.State.View.Len()
	}
}

func (a *app) replayLadder(ctx context.Context, in *loaded, r *report) error {
	e, manual, err := in.wholeClimb()
	if err != nil {
		return err
	}
	res, err := e.Replay(ctx, ladder.Options{Summarizer: in.settings.summarizer, Manual: manual})
	if err != nil {
		return err
	}
	if r.json {
		for i := range res.Calls {
			c := &res.Calls[i]
			committed(c, func(l ladderLine, _ *ladder.Step) { a.jsonLine(l) })
			if c.Err != nil {
				a.jsonLine(errorLine{"error", c.Message, c.Turn, c.Err.Error()})
			}
			a.jsonLine(callLine{"call", c.Message, c.Turn, c.After})
		}
		a.jsonLine(endLine{Event: "end", Outcome: compactor.OutcomeCompleted, Message: len(e.Record().Messages), Tokens: res.Final.View.Tokens(), Passes: res.Passes, Calls: len(res.Calls)})
		return nil
	}
	a.heading(in, len(e.Record().Messages))
	a.say("policy %.12s · %s", res.Hash, trigger(e))
	a.say("")
	t := newTable(true, true, false, true, true, true, false, true)
	t.row("turn", "before #", "rung", "tokens before", "after", "", "head", "read again")
	manualOnly := 0
	for i := range res.Calls {
		c := &res.Calls[i]
		if c.Skip == ladder.ManualOnly {
			manualOnly++
		}
		last := len(c.Events)
		committed(c, func(l ladderLine, s *ladder.Step) {
			last--
			again := ""
			if last == 0 {
				again = about(c.Cache.Reread)
			}
			t.row(draw.Tokens(int64(l.Turn)), strconv.Itoa(l.Message), s.Title(), about(l.Before), about(l.After),
				fmt.Sprintf("%+d%%", (l.After-l.Before)*100/max(l.Before, 1)), fmt.Sprintf("[%d,%d)", l.Collapsed[0], l.Collapsed[1]), again)
		})
		if c.Err != nil {
			t.row(draw.Tokens(int64(c.Turn)), strconv.Itoa(c.Message), oneLine(c.Err.Error()))
		}
	}
	if res.Passes > 0 || len(t.rows) > 1 {
		a.print(t, "  ")
		a.say("")
	}
	a.recorded(in.file.Selected)
	a.say("%s, %s, %s tokens in %s at the end", plural(len(res.Calls), "call"), passCount(res.Passes), about(res.Final.View.Tokens()), plural(res.Final.View.Len(), "message"))
	a.say("reclaimed %s by passes, %s read again for it; %s sent in all, %s without compaction", about(res.Reclaimed), about(res.Reread), about(res.Sent), about(res.Unaltered))
	odd := ladder.Oddities(res.Calls)
	if odd.Blanks > 0 {
		a.say("the summariser returned nothing %s: %s stands for what it took away", plural(odd.Blanks, "time"), ladder.NoSummary)
	}
	if skipped := odd.String(); skipped != "" {
		a.say("%s", skipped)
	}
	if manualOnly > 0 {
		a.say("no pass before %s: %s", plural(manualOnly, "call"), ladder.ManualOnly)
	}
	if top, ok := study.OnTop(res.Calls, in.settings.Policy.Window, in.overhead()); ok {
		a.wrap("", top.Text)
	}
	return nil
}

// checkLadder is what came of a conversation under a ladder: it never fails a
// run, but it must not break a pair either.
func checkLadder(ctx context.Context, c *model.Conversation, s *settings) (checked, error) {
	e, err := climberOf(c, s)
	if err != nil {
		return checked{}, err
	}
	res, err := e.Replay(ctx, ladder.Options{Summarizer: s.summarizer})
	if err != nil {
		return checked{}, err
	}
	out := checked{
		ID: c.ID, Format: c.Format, Messages: len(e.Record().Messages), Calls: len(res.Calls), Passes: res.Passes, Window: s.Policy.Window,
		Outcome: compactor.OutcomeCompleted, Message: len(e.Record().Messages), Broken: []brokenHalf{},
	}
	pass := 0
	for i := range res.Calls {
		if len(res.Calls[i].Events) == 0 {
			continue
		}
		pass++
		before, after := res.Calls[i].Steps[0].State.View, res.Calls[i].State.View
		for _, h := range study.Broken(before.Messages(0, before.Len()), after.Messages(0, after.Len())) {
			out.Broken = append(out.Broken, brokenHalf{h.Kind.String(), h.ID, pass})
		}
	}
	out.OK = len(out.Broken) == 0
	return out, nil
}
