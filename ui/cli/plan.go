package cli

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cinch/compactor"
	"cinch/compactor/ladder"
	"cinch/compactor/policy"
	"cinch/compactor/study"
	"cinch/model"
	"cinch/model/token"
	"cinch/ui"
)

// report is how an answer is asked for.
type report struct {
	json     bool
	exitCode bool
}

func (r *report) add(c *cobra.Command, exitCode string) {
	c.Flags().BoolVar(&r.json, "json", false, "print JSON for programs")
	if exitCode != "" {
		c.Flags().BoolVar(&r.exitCode, "exit-code", false, exitCode)
	}
}

const planExitCode = "exit with 1 when the run would end in ContextExceeded before its next call"

func (a *app) planCommand() *cobra.Command {
	k, r, l, export := newKnobs(), &report{}, &look{}, ""
	c := a.command(&cobra.Command{
		Use:   "plan FILE",
		Short: "One pass now: what triggers, what is kept and dropped, and why",
		Long: `Run one compaction pass over a conversation as it stands and say what it does.
The pass always runs; the report says whether the machine would have asked for it.`,
		Example: `  cinch plan session.jsonl
  cinch plan session.jsonl --window 50k --preserve-recent 8
  cinch plan session.jsonl --policy ladder.toml --summarizer extract --manual
  cinch plan lesson:demo --json | jq .tokens
  ssh host cat session.jsonl | cinch plan - --exit-code`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if export != "" {
				return a.export(c, args[0], k, export)
			}
			if !r.json { // for then nothing is drawn
				if _, err := a.settle(l); err != nil {
					return err
				}
			}
			return a.plan(c, args[0], k, r, l)
		},
	})
	addKnobs(c.Flags(), k, model.Context)
	r.add(c, planExitCode)
	c.Flags().Var(&word{&export, "form", func() []string { return policy.Formats }}, "export", "print the settings instead, as a policy file or as code: "+strings.Join(policy.Formats, ", "))
	addRequest(c.Flags(), k)
	addLook(c.Flags(), l)
	return c
}

// export prints the settings under which a file would be looked at. A window
// that follows the file's model is left to follow that of the next file.
func (a *app) export(c *cobra.Command, path string, k *knobs, form string) error {
	in, err := a.load(c.Context(), path, k)
	if err != nil {
		return err
	}
	s := in.settings
	p := policy.New(s.engine)
	p.Counter, p.Truncating = s.Counter.Name(), s.Policy
	if s.WindowFrom == fromFlag || s.WindowFrom == fromPolicy {
		p.Window = s.Policy.Window
	}
	p.Truncating.Window = p.Window
	if s.ladder != nil {
		p.Ladder = *s.ladder
	}
	text, err := policy.Export(p, form)
	if err != nil {
		return fmt.Errorf("--export %s: %w", form, err)
	}
	if s.ladder != nil && s.summarizer != nil && slices.Contains(s.ladder.Strategy, ladder.Summarize) {
		fmt.Fprintln(a.err, "cinch: --summarizer goes with it: a policy file has no place for who writes the summaries")
	}
	_, err = a.out.WriteString(text)
	return err
}

// plan answers what one pass would do.
func (a *app) plan(c *cobra.Command, path string, k *knobs, r *report, l *look) error {
	in, err := a.load(c.Context(), path, k)
	if err != nil {
		return err
	}
	if in.settings.ladder != nil {
		e, o, err := in.climb(c.Context())
		if err != nil {
			return err
		}
		if r.json {
			passJSON(newStream(a.out), ui.PassOf{Conversation: in.file.Selected, Settings: in.settings.Settings, Engine: e, Outcome: o})
		} else {
			a.planLadderText(a.drawn(l), in, e, o)
		}
		return nil
	}
	p, err := in.plan(c.Context())
	if err != nil {
		return err
	}
	ahead := study.LookAhead(p)
	if r.json {
		planJSON(newStream(a.out), in.settings.engine, in.file.Selected.Format, in.settings.Settings, p, in.kinds(p))
	} else {
		a.planText(a.drawn(l), in, p, ahead)
	}
	if r.exitCode && ahead.Exceeded != nil {
		return errFailed
	}
	return nil
}

// planJSON writes the plan as the manual's contract has it.
func planJSON(w *stream, engine, format string, s ui.Settings, p *compactor.Plan, kinds planKinds) {
	pass, view := p.Pass, p.Pass.View
	w.field("engine", engine)
	w.field("counter", s.Counter.Name())
	w.field("format", format)
	w.field("messages", view.Len())
	w.field("decision", p.Decision)
	w.field("result", p.Result)
	w.field("reason", pass.Reason)
	w.field("tokens", planTokens{
		Overhead: p.Overhead, Inferred: view.Recording().Inferred, Before: p.Before, After: p.After, Saved: p.Saved(), Target: p.Target,
		Threshold: p.Policy.ThresholdLine(), Emergency: p.Policy.EmergencyLine(),
		Window: p.Policy.Window, WindowFrom: s.WindowFrom,
	})
	w.field("kinds", kinds)
	w.field("split", planSplit{position(pass.Provisional), position(pass.Cut)})
	output := pass.Output()
	list(w, "output", slices.Values(output))
	list(w, "output_parts", mapped(slices.Values(output), pass.Parts))
	list(w, "fates", fates(pass))
	pairing := view.Pairing()
	list(w, "pairs", mapped(slices.Values(pairing.Pairs), func(pair model.Pair) planPair {
		return planPair{view.Message(pair.Call.Message).Parts[pair.Call.Part].ID, partRef(pair.Call), partRef(pair.Result)}
	}))
	list(w, "lone", lone(view, pairing))
	list(w, "steps", mapped(compactor.NewPass(view, p.Policy).Steps(), func(s compactor.Step) planStep {
		return planStep{s.N, s.Title(), s.Detail(), position(s.Cut)}
	}))
	w.end()
}

type planTokens struct {
	Overhead   int64  `json:"overhead"`
	Inferred   bool   `json:"overhead_inferred,omitempty"`
	Before     int64  `json:"before"`
	After      int64  `json:"after"`
	Saved      int64  `json:"saved"`
	Target     int64  `json:"target"`
	Threshold  int64  `json:"threshold"`
	Emergency  int64  `json:"emergency"`
	Window     int64  `json:"window"`
	WindowFrom string `json:"window_from"`
}

// planKinds is the tokens before and after by kind, each of which is named.
type planKinds struct {
	Before namedSplit `json:"before"`
	After  namedSplit `json:"after"`
}

type namedSplit token.Split

// MarshalJSON writes the kinds in the order in which a gauge shows them.
func (s namedSplit) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for k, n := range s {
		if k > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), token.Kind(k).String()...), `":`...)
		b = strconv.AppendInt(b, n, 10)
	}
	return append(b, '}'), nil
}

type planSplit struct {
	Provisional *int `json:"provisional"`
	Final       *int `json:"final"`
}

type planFate struct {
	Index   int    `json:"index"`
	Role    string `json:"role"`
	Tokens  int64  `json:"tokens"`
	Fate    string `json:"fate"`
	Why     string `json:"why"`
	Removed []int  `json:"removed_parts"`
}

type partRef struct {
	Message int `json:"message"`
	Part    int `json:"part"`
}

type planPair struct {
	ID     string  `json:"id"`
	Call   partRef `json:"call"`
	Result partRef `json:"result"`
}

type planLone struct {
	ID   string  `json:"id"`
	Kind string  `json:"kind"`
	At   partRef `json:"at"`
}

type planStep struct {
	Step   int    `json:"step"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Split  *int   `json:"split"`
}

// position is a split as the contract has it: null when the pass never got there.
func position(at int) *int {
	if at < 0 {
		return nil
	}
	return &at
}

func fates(p *compactor.Pass) iter.Seq[planFate] {
	return func(yield func(planFate) bool) {
		for i := range p.View.Len() {
			removed := p.Removed[i]
			if removed == nil {
				removed = []int{}
			}
			if !yield(planFate{i, p.View.RoleAt(i).String(), p.View.TokensOf(i), p.Fate(i).String(), p.Why(i), removed}) {
				return
			}
		}
	}
}

func lone(v *compactor.View, p model.Pairing) iter.Seq[planLone] {
	return func(yield func(planLone) bool) {
		for _, half := range []struct {
			kind string
			refs []model.Ref
		}{{"call", p.LoneCalls}, {"result", p.LoneResults}} {
			for _, ref := range half.refs {
				id := v.Message(ref.Message).Parts[ref.Part].ID
				if !yield(planLone{id, half.kind, partRef(ref)}) {
					return
				}
			}
		}
	}
}

// mapped is a sequence with a function applied to each element.
func mapped[A, B any](of iter.Seq[A], f func(A) B) iter.Seq[B] {
	return func(yield func(B) bool) {
		for a := range of {
			if !yield(f(a)) {
				return
			}
		}
	}
}
