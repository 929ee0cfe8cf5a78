package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"cinch/model"
	"cinch/model/token"
	"cinch/ui/draw"
)

func (a *app) countersCommand() *cobra.Command {
	k, r := newKnobs(), &report{}
	c := a.command(&cobra.Command{
		Use:   "counters [FILE]",
		Short: "The ways to count tokens; with a file, side by side on it",
		Long: `List the counters that --counter takes. With a file: what each says of it, in all and
by kind, and how far its estimates are from what the provider counted, where the file
records that. Messages are those of the context view.`,
		Example: `  cinch counters
  cinch counters session.jsonl
  cinch counters session.jsonl --json | jq '{counter, total}'`,
		Args: upToOne("file"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listCounters(r)
			}
			f, _, err := a.open(c.Context(), args[0], k)
			if err != nil {
				return err
			}
			a.warn(f)
			names := append([]string{}, token.Names...)
			if _, err := token.ParseFor(calibrated, f.Selected); err == nil {
				names = append(names, calibrated)
			}
			rows, err := token.Compare(c.Context(), f.Selected, names)
			if err != nil {
				return err
			}
			if r.json {
				for i := range rows {
					a.jsonLine(countedLine(&rows[i]))
				}
				return nil
			}
			a.say("%s  %s · %s", oneLine(f.Path), f.Selected.Format, plural(len(f.Selected.View(model.Context)), "message"))
			a.say("")
			a.countedText(rows)
			return nil
		},
	})
	addReading(c.Flags(), k)
	r.add(c, "")
	return c
}

// calibrated is the counter that a session's own usage sets right.
const calibrated = "calibrated"

// counterAbout says of each counter what it counts.
var counterAbout = map[string]string{
	"heuristic":       "characters over four, 20 characters a message; loopctl's, and the default",
	"o200k":           "exact tokens of o200k_base, 3 a message",
	"cl100k":          "exact tokens of cl100k_base, 3 a message",
	"ratio:openai":    "characters over 4.30, 4 tokens a message",
	"ratio:anthropic": "characters over 3.60, 5 tokens a message",
	"ratio:gemini":    "characters over 4.05, 4 tokens a message",
	"ratio:local":     "characters over 3.80, 4 tokens a message",
	"drover":          "UTF-16 units over four, 8 units a message; the ladder's own",
	"ratio:3.9+4":     "characters over a ratio of your own, tokens a message behind the +",
	calibrated:        "o200k, set right by the usage that the session records; calibrated:NAME for another",
}

// counterNames are the counters in the order in which they are listed.
func counterNames() []string {
	return append(append([]string{}, token.Names...), "ratio:3.9+4", calibrated)
}

type counterLine struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

func (a *app) listCounters(r *report) error {
	t := newTable()
	t.whole = true
	t.row("counter", "counts")
	for _, name := range counterNames() {
		if r.json {
			a.jsonLine(counterLine{name, counterAbout[name]})
		}
		t.row(name, counterAbout[name])
	}
	if !r.json {
		a.print(t, "")
	}
	return nil
}

type counted struct {
	Counter     string           `json:"counter"`
	Total       int64            `json:"total"`
	Overhead    int64            `json:"overhead"`
	Inferred    bool             `json:"inferred"`
	Approx      int              `json:"approximate_messages"`
	Envelope    int64            `json:"envelope"`
	Kinds       map[string]int64 `json:"kinds"`
	Calls       int              `json:"calls"`
	Error       *float64         `json:"error_percent"`
	Worst       *float64         `json:"worst_percent"`
	Calibration *calibration     `json:"calibration"`
}

type calibration struct {
	Growths int     `json:"growths"`
	Median  float64 `json:"median"`
	P10     float64 `json:"p10"`
	P90     float64 `json:"p90"`
}

func countedLine(r *token.Row) counted {
	out := counted{Counter: r.Counter, Total: r.Total, Overhead: r.Overhead, Inferred: r.Inferred, Approx: r.Approx, Envelope: r.Envelope, Kinds: map[string]int64{}, Calls: r.Calls}
	for kind, n := range r.Kinds {
		out.Kinds[model.Kind(kind).String()] = n
	}
	if r.Calls > 0 {
		out.Error, out.Worst = &r.Error, &r.Worst
	}
	if c := r.Calibration; c != nil {
		out.Calibration = &calibration{c.Calls, c.Median, c.P10, c.P90}
	}
	return out
}

func holds(n int) string {
	if n == 1 {
		return "1 message holds"
	}
	return plural(n, "message") + " hold"
}

// countedText sets the counters side by side.
func (a *app) countedText(rows []token.Row) {
	kinds := []model.Kind{model.Text, model.Thinking, model.ToolCall, model.ToolResult, model.Image, model.Document, model.Opaque}
	used := func(k model.Kind) bool {
		for i := range rows {
			if rows[i].Kinds[k] != 0 {
				return true
			}
		}
		return false
	}
	right := []bool{false, true, true}
	head := []string{"counter", "total", "overhead"}
	var shown []model.Kind
	for _, k := range kinds {
		if used(k) {
			shown, head, right = append(shown, k), append(head, k.String()), append(right, true)
		}
	}
	recorded := rows[0].Calls > 0
	if recorded {
		head, right = append(head, "against usage", "worst"), append(right, true, true)
	}
	t := newTable(right...)
	t.row(head...)
	inferred, approximate := false, 0
	for i := range rows {
		r := &rows[i]
		mark := ""
		if r.Inferred {
			mark, inferred = "*", true
		}
		total := about(r.Total)
		if r.Approx > 0 {
			total, approximate = "≈"+draw.Tokens(r.Total), max(approximate, r.Approx)
		}
		row := []string{r.Counter, total, about(r.Overhead) + mark}
		for _, k := range shown {
			row = append(row, about(r.Kinds[k]))
		}
		if recorded {
			row = append(row, fmt.Sprintf("%+.1f%%", r.Error), fmt.Sprintf("%+.1f%%", r.Worst))
		}
		t.row(row...)
	}
	a.print(t, "  ")
	a.say("")
	if inferred {
		a.say("* inferred from what the provider counted for the first call; the file holds no system prompt")
	}
	if approximate > 0 {
		a.say("≈ %s too long a piece to be counted exactly", holds(approximate))
	}
	for i := range rows {
		if k := rows[i].Calibration; k != nil && rows[i].Counter == calibrated {
			a.say("calibrated: o200k × %.2f, the median of %s of the prompt; a tenth lie below %.2f, a tenth above %.2f", k.Median, plural(k.Calls, "growth"), k.P10, k.P90)
		}
	}
	if recorded {
		a.say("against usage: the median of %s that the file records the provider's count of", plural(rows[0].Calls, "call"))
	} else {
		a.say("the file records no usage to hold the counters against")
	}
}
