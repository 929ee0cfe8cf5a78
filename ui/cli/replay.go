package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"cinch/compactor"
	"cinch/model"
	"cinch/ui/draw"
)

func (a *app) replayCommand() *cobra.Command {
	k, r, goOn := newKnobs(), &report{}, false
	c := a.command(&cobra.Command{
		Use:   "replay FILE",
		Short: "The whole recorded run: every call, trigger, pass and failure",
		Long: `Replay a recorded conversation under a policy: what would have happened, call by
call. What recorded compactions put in place of messages is left out, since under
this policy they would not have happened; --view log and --view context say otherwise.`,
		Example: `  cinch replay session.jsonl
  cinch replay session.jsonl --window 50k --threshold 70
  cinch replay session.jsonl --json | jq 'select(.event == "compact")'
  cinch replay session.jsonl --policy ladder.toml --manual 40 --manual "80=Keep the failing test."
  cinch replay session.jsonl --exit-code --window 30k`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			in, err := a.load(c.Context(), args[0], k)
			if err != nil {
				return err
			}
			if in.settings.ladder != nil {
				return a.replayLadder(c.Context(), in, r)
			}
			how := in.driving(c.Context())
			how.GoOn = goOn
			rec, err := in.recording(c.Context())
			if err != nil {
				return err
			}
			t := compactor.Replay(rec, how)
			if err := c.Context().Err(); err != nil {
				return err
			}
			if r.json {
				a.replayJSON(t, goOn)
			} else {
				a.replayText(in, t)
			}
			if r.exitCode && t.End.Outcome == compactor.OutcomeExceeded {
				return errFailed
			}
			return nil
		},
	})
	addKnobs(c.Flags(), k, model.History)
	addRequests(c.Flags(), k)
	c.Flags().BoolVar(&goOn, "go-on", false, "go on with the next run after one failed")
	r.add(c, "exit with 1 when a run ends in ContextExceeded")
	return c
}

type callLine struct {
	Event   string `json:"event"`
	Message int    `json:"message"`
	Turn    int    `json:"turn"`
	Tokens  int64  `json:"tokens"`
}

type compactLine struct {
	Event          string           `json:"event"`
	Message        int              `json:"message"`
	Turn           int              `json:"turn"`
	Reason         compactor.Reason `json:"reason"`
	Result         compactor.Result `json:"result"`
	Before         int64            `json:"before"`
	After          int64            `json:"after"`
	MessagesBefore int              `json:"messages_before"`
	MessagesAfter  int              `json:"messages_after"`
}

type failedLine struct {
	Event   string `json:"event"`
	Message int    `json:"message"`
	Run     int    `json:"run"`
	Used    int64  `json:"used"`
	Limit   int64  `json:"limit"`
}

type endLine struct {
	Event   string          `json:"event"`
	Outcome string          `json:"outcome"`
	Cause   compactor.Cause `json:"cause"`
	Used    int64           `json:"used"`
	Limit   int64           `json:"limit"`
	Message int             `json:"message"`
	Tokens  int64           `json:"tokens"`
	Passes  int             `json:"passes"`
	Calls   int             `json:"calls"`
}

// replayJSON writes a line for each call and each pass, in the order in which
// they came, and one for the end. Runs that failed on the way have a line of
// their own where the replay was to go on after them.
func (a *app) replayJSON(t *compactor.Timeline, goOn bool) {
	passes := t.Passes
	for i, run := range t.Runs {
		end := len(t.Calls)
		if i+1 < len(t.Runs) {
			end = t.Runs[i+1].Calls
		}
		for k := run.Calls; k <= end; k++ {
			for len(passes) > 0 && passes[0].Run == i && passes[0].Call == k {
				a.jsonLine(passLine(&passes[0]))
				passes = passes[1:]
			}
			if k < end {
				a.jsonLine(callLine{"call", t.Calls[k].Message, k + 1, t.Calls[k].Tokens})
			}
		}
		if x := run.Exceeded; x != nil && goOn {
			a.jsonLine(failedLine{"failed", run.Message, i, x.Used, x.Limit})
		}
	}
	a.jsonLine(endOf(t))
}

func passLine(p *compactor.Passed) compactLine {
	return compactLine{"compact", p.Message, p.Turn, p.Reason, p.Result, p.Before, p.After, p.MessagesBefore, p.MessagesAfter}
}

func endOf(t *compactor.Timeline) endLine {
	e := endLine{Event: "end", Outcome: t.End.Outcome, Cause: t.End.Cause, Message: t.End.Message, Tokens: t.End.Tokens, Passes: len(t.Passes), Calls: len(t.Calls)}
	if x := t.End.Exceeded; x != nil {
		e.Used, e.Limit = x.Used, x.Limit
	}
	return e
}

// replayText tells people how the run went: its passes one by one, and its end.
func (a *app) replayText(in *loaded, t *compactor.Timeline) {
	s := in.settings
	a.heading(in, len(t.Recording.Messages))
	a.say("lines  threshold %s · emergency %s · overhead %s", draw.Tokens(s.Policy.ThresholdLine()), draw.Tokens(s.Policy.EmergencyLine()), riding(t.Recording, s.Policy))
	a.say("")
	passes := newTable(true, true, true, false, true, true, false, true)
	passes.row("pass", "call", "before #", "reason", "tokens before", "after", "", "messages", "result")
	for i, p := range t.Passes {
		change := ""
		if p.Before > 0 {
			change = fmt.Sprintf("%+d%%", (p.After-p.Before)*100/p.Before)
		}
		passes.row(strconv.Itoa(i+1), draw.Tokens(int64(p.Turn)), draw.Tokens(int64(p.Message)), string(p.Reason),
			about(p.Before), about(p.After), change, fmt.Sprintf("%d → %d", p.MessagesBefore, p.MessagesAfter), string(p.Result))
	}
	if len(t.Passes) > 0 {
		a.print(passes, "  ")
		a.say("")
	}
	a.recorded(in.file.Selected)
	a.wrap("", ending(t))
}

// recorded lists the compactions that the file holds, to be held against the simulated ones.
func (a *app) recorded(c *model.Conversation) {
	if len(c.Compactions) == 0 {
		return
	}
	a.say("recorded in the file, and not part of this replay:")
	t := newTable(true, false, false, true, true)
	t.row("before #", "kind", "trigger", "tokens before", "after")
	size := func(n int64) string {
		if n == 0 {
			return "–"
		}
		return draw.Tokens(n)
	}
	for _, r := range c.Compactions {
		trigger := r.Trigger
		if trigger == "" {
			trigger = "–"
		}
		t.row(draw.Tokens(int64(r.History)), oneLine(r.Kind), oneLine(trigger), size(r.Before), size(r.After))
	}
	a.print(t, "  ")
	a.say("")
}

// ending says in a sentence how a replay ended.
func ending(t *compactor.Timeline) string {
	sum := fmt.Sprintf("%s, %s", plural(len(t.Calls), "call"), passCount(len(t.Passes)))
	failed := 0
	for _, r := range t.Runs {
		if r.Exceeded != nil {
			failed++
		}
	}
	e := t.End
	if e.Exceeded == nil {
		return fmt.Sprintf("completed: %s, %s tokens in %s at the end.", sum, about(e.Tokens), plural(e.Messages, "message"))
	}
	why := "a pass shaved nothing off"
	if e.Cause == compactor.CauseWindow {
		why = "what a pass left does not fit the window"
	}
	s := fmt.Sprintf("%v before message #%d: %s (%s).", e.Exceeded, e.Message, why, sum)
	if failed > 1 {
		s += fmt.Sprintf(" %s of %d failed; this was the first.", plural(failed, "run"), len(compactor.Runs(t.Recording.View())))
	}
	return s
}

func passCount(n int) string {
	if n == 1 {
		return "1 pass"
	}
	return draw.Tokens(int64(n)) + " passes"
}
