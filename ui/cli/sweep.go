package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cinch/compactor"
	"cinch/compactor/study"
	"cinch/model"
	"cinch/ui/draw"
)

func measureNames() []string {
	names := make([]string, len(study.Measures))
	for i, m := range study.Measures {
		names[i] = m.Name
	}
	return names
}

func (a *app) sweepCommand() *cobra.Command {
	k, r, grid, show := newKnobs(), &report{}, study.DefaultGrid(), study.Measures[0].Name
	c := a.command(&cobra.Command{
		Use:   "sweep FILE…",
		Short: "A grid of settings: what each would cost and lose",
		Long: `Replay the conversations under every threshold with every preserve_recent and show
what each setting would cost and lose: × where the run would end in ContextExceeded,
brackets around the setting that the knobs give.`,
		Example: `  cinch sweep session.jsonl --window 50k
  cinch sweep session.jsonl --show sent --thresholds 60,70,80 --recents 2,4,8
  cinch sweep *.jsonl --json > grid.jsonl`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("`cinch sweep` needs a file")
			}
			return named(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			for i, path := range args {
				in, err := a.load(c.Context(), path, k)
				if err != nil {
					return err
				}
				if err := in.needsTruncating("sweep"); err != nil {
					return err
				}
				ctx := c.Context()
				rec, err := in.recording(ctx)
				if err != nil {
					return err
				}
				cells := study.Sweep(rec, in.settings.Policy, grid, nil, func() bool { return ctx.Err() != nil })
				if err := ctx.Err(); err != nil {
					return err
				}
				if r.json {
					for _, cell := range cells {
						a.jsonLine(cellLine(in.file.Path, &cell))
					}
					continue
				}
				if i > 0 {
					a.say("")
				}
				a.sweepText(in, grid, cells, show)
			}
			return nil
		},
	})
	addKnobs(c.Flags(), k, model.History)
	c.Flags().Var(&numbersList{&grid.Thresholds, 1, 100, "percents from 1 to 100 with commas between, such as 60,70,80"}, "thresholds", "thresholds to try")
	c.Flags().Var(&numbersList{&grid.PreserveRecent, compactor.MinPreserveRecent, mostMessages, "numbers from 1 with commas between, such as 2,4,8"}, "recents", "values of preserve_recent to try")
	c.Flags().Var(&word{&show, "measure", measureNames}, "show", "what to show: "+strings.Join(measureNames(), ", "))
	r.add(c, "")
	return c
}

// numbersList is a flag that takes whole numbers with commas between them.
type numbersList struct {
	n        *[]int
	min, max int
	want     string
}

func (v *numbersList) Set(s string) error {
	var out []int
	for _, one := range strings.Split(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(one))
		if err != nil || n < v.min || n > v.max {
			return errors.New("want " + v.want)
		}
		out = append(out, n)
	}
	slices.Sort(out)
	*v.n = slices.Compact(out)
	return nil
}

func (v *numbersList) String() string {
	if v.n == nil {
		return ""
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(*v.n), " ", ","), "[]")
}

func (v *numbersList) Type() string  { return "n,…" }
func (v *numbersList) Wants() string { return v.want }

type sweepLine struct {
	File      string          `json:"file"`
	Threshold int             `json:"threshold"`
	Recent    int             `json:"preserve_recent"`
	Outcome   string          `json:"outcome"`
	Cause     compactor.Cause `json:"cause"`
	Used      int64           `json:"used"`
	Limit     int64           `json:"limit"`
	Passes    int             `json:"passes"`
	Dropped   int             `json:"dropped"`
	Reclaimed int64           `json:"reclaimed"`
	Peak      int64           `json:"peak"`
	Sent      int64           `json:"sent"`
	End       int64           `json:"end"`
}

func cellLine(file string, c *study.Cell) sweepLine {
	out := sweepLine{
		File: file, Threshold: c.Policy.Threshold, Recent: c.Policy.PreserveRecent, Outcome: c.Outcome, Cause: c.Cause,
		Passes: c.Passes, Dropped: c.Dropped, Reclaimed: c.Reclaim, Peak: c.Peak, Sent: c.Sent, End: c.End,
	}
	if c.Exceeded != nil {
		out.Used, out.Limit = c.Exceeded.Used, c.Exceeded.Limit
	}
	return out
}

// sweepText shows one measure over the grid.
func (a *app) sweepText(in *loaded, g study.Grid, cells []study.Cell, show string) {
	a.heading(in, len(in.file.Selected.View(in.settings.View)))
	i := slices.Index(measureNames(), show)
	a.say("%s", study.Measures[i].About)
	a.say("")
	t := newTable(slices.Repeat([]bool{true}, len(g.Thresholds)+1)...)
	head := []string{"preserve_recent"}
	for _, percent := range g.Thresholds {
		head = append(head, strconv.Itoa(percent)+"% ")
	}
	t.row(head...)
	failed := 0
	for r, recent := range g.PreserveRecent {
		row := []string{strconv.Itoa(recent)}
		for c, percent := range g.Thresholds {
			cell := &cells[r*len(g.Thresholds)+c]
			text := draw.Short(study.Measures[i].Of(cell))
			if cell.Exceeded != nil {
				text = "×"
				failed++
			}
			if p := in.settings.Policy; p.Threshold == percent && p.PreserveRecent == recent {
				text = "[" + text + "]"
			} else {
				text += " "
			}
			row = append(row, text)
		}
		t.row(row...)
	}
	a.print(t, "  ")
	if failed > 0 {
		a.say("")
		a.say("× %d of %s end in ContextExceeded", failed, plural(len(cells), "setting"))
	}
}
