package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cinch/compactor/study"
	"cinch/model"
)

func (a *app) lintCommand() *cobra.Command {
	k, r, only := newKnobs(), &report{}, []string{}
	c := a.command(&cobra.Command{
		Use:   "lint FILE",
		Short: "What each provider would reject, before and after a pass",
		Long: `Hold a conversation against the rules by which providers refuse requests, before and
after one pass. What is only there after it was caused by the pass and fails the
check; what was there before is inherited,
or repaired by the pass. Calls at the very end that have no result
yet are in flight, and no defect.`,
		Example: `  cinch lint session.jsonl
  cinch lint session.jsonl --provider anthropic --provider bedrock
  cinch lint session.jsonl --json | jq 'select(.caused != [])'`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			in, err := a.load(c.Context(), args[0], k)
			if err != nil {
				return err
			}
			all, did, err := lintPass(c.Context(), in)
			if err != nil {
				return err
			}
			refusals := slices.DeleteFunc(all, func(r study.Refusal) bool {
				return len(only) > 0 && !slices.Contains(only, r.Provider.Name)
			})
			if r.json {
				for _, r := range refusals {
					a.jsonLine(lintLine{r.Provider.Name, len(r.Before), len(r.Caused) + len(r.Inherited), defects(r.Caused), defects(r.Inherited), defects(r.Repaired)})
				}
			} else {
				a.heading(in, len(in.file.Selected.View(in.settings.View)))
				a.wrap("", "one pass: "+did)
				a.say("")
				a.lintText(refusals)
			}
			if slices.ContainsFunc(refusals, func(r study.Refusal) bool { return len(r.Caused) > 0 }) {
				return errFailed
			}
			return nil
		},
	})
	addKnobs(c.Flags(), k, model.Context)
	c.Flags().Var(&words{&only, "name", providerNames}, "provider", "only the rules of this one; may be repeated: "+strings.Join(providerNames(), ", "))
	r.add(c, "")
	return c
}

// lintPass runs one pass of the engine and holds it against all rules; it says
// also what the pass did.
func lintPass(ctx context.Context, in *loaded) ([]study.Refusal, string, error) {
	left, err := in.pass(ctx)
	if err != nil {
		return nil, "", err
	}
	return study.LintLists(in.file.Selected.View(in.settings.View), left.messages, left.numbers), left.did, nil
}

func providerNames() []string {
	var names []string
	for _, p := range study.Providers {
		names = append(names, p.Name)
	}
	return names
}

type lintLine struct {
	Provider  string       `json:"provider"`
	Before    int          `json:"before"`
	After     int          `json:"after"`
	Caused    []lintDefect `json:"caused"`
	Inherited []lintDefect `json:"inherited"`
	Repaired  []lintDefect `json:"repaired"`
}

type lintDefect struct {
	Rule    string `json:"rule"`
	Message *int   `json:"message"`
	ID      string `json:"id"`
	Text    string `json:"text"`
}

func defects(of []study.Defect) []lintDefect {
	out := make([]lintDefect, len(of))
	for i, d := range of {
		out[i] = lintDefect{d.Rule, position(d.Message), d.ID, d.Text}
	}
	return out
}

// mostDefects is how many defects of a kind are told one by one.
const mostDefects = 8

// lintText tells people the verdict of each provider, and why.
func (a *app) lintText(refusals []study.Refusal) {
	t := newTable(false, false, false)
	t.row("provider", "before", "after", "")
	verdict := func(n int) string {
		if n == 0 {
			return "accepts"
		}
		return "rejects"
	}
	for _, r := range refusals {
		var why []string
		if n := len(r.Caused); n > 0 {
			why = append(why, plural(n, "defect")+" caused by the pass")
		}
		if n := len(r.Inherited); n > 0 {
			why = append(why, plural(n, "defect")+" inherited")
		}
		if n := len(r.Repaired); n > 0 {
			why = append(why, plural(n, "defect")+" repaired by the pass")
		}
		t.row(r.Provider.Name, verdict(len(r.Before)), verdict(len(r.Caused)+len(r.Inherited)), strings.Join(why, ", "))
	}
	a.print(t, "  ")
	a.defectText("caused by the pass", refusals, func(r study.Refusal) []study.Defect { return r.Caused })
	a.defectText("inherited, there before the pass as after it", refusals, func(r study.Refusal) []study.Defect { return r.Inherited })
	a.defectText("repaired by the pass, which dropped or mended what they are of", refusals, func(r study.Refusal) []study.Defect { return r.Repaired })
}

// defectText lists defects of one kind, each with the providers that mind it.
func (a *app) defectText(title string, refusals []study.Refusal, of func(study.Refusal) []study.Defect) {
	var order []string
	minds := map[string][]string{}
	for _, r := range refusals {
		for _, d := range of(r) {
			if minds[d.Text] == nil {
				order = append(order, d.Text)
			}
			minds[d.Text] = append(minds[d.Text], r.Provider.Name)
		}
	}
	if order == nil {
		return
	}
	a.say("")
	a.say("%s:", title)
	for i, text := range order {
		if i == mostDefects {
			a.say("  … and %s; --json has them all", plural(len(order)-i, "more defect"))
			return
		}
		a.say("  %s (%s)", oneLine(text), strings.Join(minds[text], ", "))
	}
}
