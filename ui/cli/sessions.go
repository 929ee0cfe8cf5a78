package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"cinch/model"
	"cinch/model/token"
	"cinch/ui"
	"cinch/ui/draw"
)

func (a *app) sessionsCommand() *cobra.Command {
	k, r := newKnobs(), &report{}
	c := a.command(&cobra.Command{
		Use:   "sessions [FILE]",
		Short: "The sessions on this machine, or the conversations and branches of a file",
		Long: `Without FILE list the sessions that agents have recorded on this machine, newest
first, from the places where they usually keep them. With FILE list the
conversations that it holds, with the subagents they started and the branches of
those that are trees: what --session and --branch take. Messages and tokens are
those of the context view, by the heuristic counter and with the overhead, as the
gauge shows them where nothing else is set; passes are compactions that the
recording holds.`,
		Example: `  cinch sessions
  cinch sessions --json | jq -r 'select(.compactions > 0) | .path'
  cinch sessions sessions.jsonl
  cinch plan sessions.jsonl --session 2
  cinch sessions store.db --json | jq -r .id`,
		Args: upToOne("file"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.machine(c.Context(), r)
			}
			f, _, err := a.open(c.Context(), args[0], k)
			if err != nil {
				return err
			}
			a.warn(f)
			t := newTable(true, false, true, true)
			t.row("", "session", "messages", "tokens", "")
			for i, conversation := range f.Conversations {
				a.session(t, r, conversation, i+1, "")
			}
			if !r.json {
				a.print(t, "")
			}
			return nil
		},
	})
	addReading(c.Flags(), k)
	r.add(c, "")
	return c
}

type sessionLine struct {
	Number      *int         `json:"number"`
	ID          string       `json:"id"`
	Parent      string       `json:"parent"`
	CallID      string       `json:"call_id"`
	Title       string       `json:"title"`
	Format      string       `json:"format"`
	Model       string       `json:"model"`
	Dir         string       `json:"dir"`
	Messages    int          `json:"messages"`
	Tokens      int64        `json:"tokens"`
	Compactions int          `json:"compactions"`
	Branches    []branchLine `json:"branches"`
}

type branchLine struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Messages int    `json:"messages"`
	Active   bool   `json:"active"`
}

// session lists one conversation, what it branches into, and whom it started.
func (a *app) session(t *table, r *report, c *model.Conversation, number int, indent string) {
	messages := c.View(model.Context)
	tokens := token.Size(c)
	if r.json {
		a.jsonLine(sessionLine{
			ordinal(number), c.ID, c.Parent, c.CallID, c.Title, c.Format, c.Model, c.Dir, len(messages), tokens, len(c.Compactions),
			mapSlice(c.Branches, func(b model.Branch) branchLine { return branchLine{b.ID, b.Title, b.Messages, b.Active} }),
		})
	} else {
		about := c.Title
		if about == "" && len(messages) > 0 {
			about = ui.Gist(messages[0])
		}
		if n := len(c.Compactions); n > 0 {
			about = plural(n, "compaction") + " · " + about
		}
		first := ""
		if number > 0 {
			first = strconv.Itoa(number)
		}
		t.row(first, indent+orDash(c.ID), draw.Tokens(int64(len(messages))), draw.Short(tokens), oneLine(about))
		for _, b := range c.Branches {
			mark := "branch"
			if b.Active {
				mark = "branch, active"
			}
			t.row("", indent+"  --branch "+oneLine(b.ID), draw.Tokens(int64(b.Messages)), "", mark+" · "+oneLine(b.Title))
		}
	}
	for _, child := range c.Children {
		a.session(t, r, child, 0, indent+"  ")
	}
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return oneLine(s)
}

// ordinal is a place in the file as JSON has it: null for what has none of its own.
func ordinal(n int) *int {
	if n < 1 {
		return nil
	}
	return &n
}
