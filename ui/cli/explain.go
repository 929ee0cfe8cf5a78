package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"cinch/compactor"
	"cinch/compactor/study"
	"cinch/model"
	"cinch/model/transcript"
	"cinch/ui"
	"cinch/ui/draw"
)

// longestMessage is how much of an error message is read, in bytes.
const longestMessage = 1 << 20

// numbers are those of a ContextExceeded, as flags give them.
type numbers struct{ used, limit, before int64 }

func (a *app) explainCommand() *cobra.Command {
	k, r, n := newKnobs(), &report{}, &numbers{}
	c := a.command(&cobra.Command{
		Use:   "explain [FILE]",
		Short: "Why a run ends and the least change that saves it, or what an error message means",
		Long: `With a file: replay it, say why it failed, what led there, and the least change of
each knob with which the run would have finished. Under a ladder: whether a call was
sent over the window or over the trigger, which rungs could not help it, and what
would have. With --used and --limit: what these
numbers of a ContextExceeded mean. With neither: read the error message of loopctl or
of a provider from standard input.`,
		Example: `  cinch explain session.jsonl --window 50k
  cinch explain session.jsonl --policy ladder.toml --window 60k
  cinch explain --used 6466 --limit 6466
  cinch explain --used 9578 --limit 8000 --window 8k
  echo 'prompt is too long: 213462 tokens > 200000 maximum' | cinch explain`,
		Args: upToOne("file"),
		RunE: func(c *cobra.Command, args []string) error {
			told := c.Flags().Changed("used") || c.Flags().Changed("limit") || c.Flags().Changed("before")
			switch {
			case told && len(args) > 0:
				return errors.New("--used, --limit and --before explain numbers, not a file: give the one or the other")
			case told:
				return a.explainNumbers(c, k, r, n)
			case len(args) > 0:
				return a.explainFile(c, args[0], k, r)
			}
			return a.explainMessage(c.Context(), k, r)
		},
	})
	addKnobs(c.Flags(), k, model.History)
	group(c.Flags(), "Numbers of a ContextExceeded", func() {
		want := "a size in tokens such as 6466 or 6.4k"
		c.Flags().Var(&number{n: &n.used, size: true, want: want}, "used", "its used, in tokens")
		c.Flags().Var(&number{n: &n.limit, size: true, want: want}, "limit", "its limit, in tokens")
		c.Flags().Var(&number{n: &n.before, size: true, want: want}, "before", "tokens before the pass, where known")
	})
	r.add(c, "")
	return c
}

func (a *app) explainNumbers(c *cobra.Command, k *knobs, r *report, n *numbers) error {
	if !c.Flags().Changed("used") || !c.Flags().Changed("limit") {
		return errors.New("--used and --limit are needed both, as ContextExceeded{used, limit} has them")
	}
	a.tellReading(study.ReadNumbers(n.used, n.limit, k.givenWindow(), n.before), r)
	return nil
}

// givenWindow is the window that a flag names, 0 for none: there is no file to
// take one from.
func (k *knobs) givenWindow() int64 {
	n, from := k.windowOf(&model.Conversation{})
	if from == fromDefault {
		return 0
	}
	return n
}

func (a *app) explainMessage(ctx context.Context, k *knobs, r *report) error {
	if f, ok := a.in.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return errors.New("`cinch explain` needs a file, or --used and --limit, or an error message on standard input")
	}
	text, err := io.ReadAll(io.LimitReader(until(ctx, a.in), longestMessage))
	if err != nil {
		return fmt.Errorf("standard input: %w", transcript.WithoutPath(err))
	}
	reading, ok := study.ReadMessage(string(text), k.givenWindow())
	if !ok {
		if strings.TrimSpace(string(text)) == "" {
			return errors.New("standard input is empty: pass the error message, or name a file")
		}
		return fmt.Errorf("not a message that loopctl or a provider is known to send: %q; with the numbers, try --used and --limit", draw.Line(string(text), 80))
	}
	a.tellReading(reading, r)
	return nil
}

type readingLine struct {
	Provider string     `json:"provider"`
	Kind     study.Kind `json:"kind"`
	Text     string     `json:"text"`
	Rule     string     `json:"rule"`
	Advice   string     `json:"advice"`
	Used     int64      `json:"used"`
	Limit    int64      `json:"limit"`
	IDs      []string   `json:"ids"`
}

func (a *app) tellReading(r study.Reading, how *report) {
	if how.json {
		a.jsonLine(readingLine{r.Provider, r.Kind, r.Text, r.Rule, r.Advice, r.Used, r.Limit, append([]string{}, r.IDs...)})
		return
	}
	a.wrap("", oneLine(r.Text)+".")
	if r.Rule != "" {
		a.wrap("", "rule: "+r.Rule+".")
	}
	if r.Advice != "" {
		a.wrap("", "try: "+r.Advice+".")
	}
}

func (a *app) explainFile(c *cobra.Command, path string, k *knobs, r *report) error {
	in, err := a.load(c.Context(), path, k)
	if err != nil {
		return err
	}
	if in.settings.ladder != nil {
		return a.explainClimb(c.Context(), in, r)
	}
	rec, err := in.recording(c.Context())
	if err != nil {
		return err
	}
	how := in.driving(c.Context())
	t := compactor.Replay(rec, how)
	e := study.Explain(t)
	changes := study.Changes(rec, how)
	if err := c.Context().Err(); err != nil {
		return err
	}
	if r.json {
		explainJSON(newStream(a.out), t, e, changes)
	} else {
		a.explainText(in, t, e, changes)
	}
	return nil
}

type foundLine struct {
	Kind study.Kind `json:"kind"`
	Text string     `json:"text"`
}

type sizedLine struct {
	Message int   `json:"message"`
	Tokens  int64 `json:"tokens"`
	Kept    bool  `json:"kept"`
}

type floorLine struct {
	Overhead int64 `json:"overhead"`
	First    int64 `json:"first"`
	Tail     int64 `json:"tail"`
	Total    int64 `json:"total"`
	Largest  int64 `json:"largest"`
	Message  *int  `json:"message"`
}

type changeLine struct {
	Knob     string `json:"knob"`
	From     int64  `json:"from"`
	To       *int64 `json:"to"`
	Possible bool   `json:"possible"`
	Text     string `json:"text"`
}

func lineOfChange(c study.Change) changeLine {
	out := changeLine{c.Knob, c.From, &c.To, c.Possible, c.Text}
	if !c.Possible {
		out.To = nil
	}
	return out
}

func explainJSON(w *stream, t *compactor.Timeline, e *study.Explanation, changes []study.Change) {
	end := endOf(t)
	w.field("outcome", end.Outcome)
	w.field("cause", end.Cause)
	w.field("used", end.Used)
	w.field("limit", end.Limit)
	w.field("message", position(e.Message))
	w.field("kind", e.Main.Kind)
	w.field("text", e.Main.Text)
	w.field("fix", e.Fix)
	w.field("also", mapSlice(e.Also, func(f study.Finding) foundLine { return foundLine{f.Kind, f.Text} }))
	w.field("events", mapSlice(e.Events, func(ev study.Event) any {
		if ev.Call != nil {
			return callLine{"call", ev.Call.Message, turnOf(t, ev.Call), ev.Call.Tokens}
		}
		return passLine(ev.Passed)
	}))
	w.field("largest", mapSlice(e.Largest, func(s study.Sized) sizedLine { return sizedLine{s.Message, s.Tokens, s.Kept} }))
	f := e.Floor
	w.field("floor", floorLine{f.Overhead, f.First, f.Tail, f.Total, f.Largest, position(f.At)})
	w.field("changes", mapSlice(changes, lineOfChange))
	w.end()
}

// turnOf is the number of a call, 1 for the first.
func turnOf(t *compactor.Timeline, c *compactor.Call) int {
	for i := range t.Calls {
		if &t.Calls[i] == c {
			return i + 1
		}
	}
	return 0
}

func mapSlice[A, B any](of []A, f func(A) B) []B {
	out := make([]B, len(of))
	for i := range of {
		out[i] = f(of[i])
	}
	return out
}

// explainText tells people what the failure card of the inspector shows.
func (a *app) explainText(in *loaded, t *compactor.Timeline, e *study.Explanation, changes []study.Change) {
	a.heading(in, len(t.Recording.Messages))
	a.say("")
	if e.Exceeded != nil {
		a.say("%v before message #%d", e.Exceeded, e.Message)
	}
	a.wrap("", oneLine(e.Main.Text)+".")
	for _, f := range e.Also {
		a.wrap("", "also: "+oneLine(f.Text)+".")
	}
	if e.Fix != "" {
		a.wrap("", "try: "+e.Fix+".")
	}
	if len(e.Events) > 0 {
		a.say("")
		a.say("what led there")
		events := newTable(true, true, false)
		for _, ev := range e.Events {
			if c := ev.Call; c != nil {
				events.row("#"+draw.Tokens(int64(c.Message)), about(c.Tokens), "call")
				continue
			}
			p := ev.Passed
			events.row("#"+draw.Tokens(int64(p.Message)), about(p.Before), fmt.Sprintf("pass (%s) → %s, %s", p.Reason, about(p.After), p.Result))
		}
		a.print(events, "  ")
	}
	f := e.Floor
	a.say("")
	a.say("floor %s: overhead %s, first %s, tail %s", about(f.Total), about(f.Overhead), about(f.First), about(f.Tail))
	largest := newTable(true, true, false)
	for _, s := range e.Largest {
		fate := "dropped"
		if s.Kept {
			fate = "kept"
		}
		number, gist := "own", ""
		if s.Message >= 0 {
			number, gist = "#"+draw.Tokens(int64(s.Message)), ui.Gist(t.Recording.Messages[s.Message])
		}
		largest.row(number, about(s.Tokens), fate, gist)
	}
	a.say("largest messages")
	a.print(largest, "  ")
	a.changes("the least change with which the run would have finished", changes)
}

// changes tells people what would have helped, each with its knob.
func (a *app) changes(title string, changes []study.Change) {
	if len(changes) == 0 {
		return
	}
	a.say("")
	a.say("%s", title)
	for _, c := range changes {
		a.say("  %s", oneLine(c.Text))
	}
}
