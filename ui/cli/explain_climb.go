package cli

import (
	"context"

	"cinch/compactor/policy"
	"cinch/compactor/study"
	"cinch/compactor/summarize"
	"cinch/ui/draw"
)

// explainClimb says why a run under a ladder went as it did, and what would have
// helped it. A summariser that sends the conversation somewhere is asked for the
// run itself and not for every change that could be tried.
func (a *app) explainClimb(ctx context.Context, in *loaded, r *report) error {
	e, manual, err := in.wholeClimb()
	if err != nil {
		return err
	}
	c := study.Climbing{
		Record: e.Record(), Policy: *in.settings.ladder, Window: in.settings.Policy.Window,
		Summarizer: in.settings.summarizer, Manual: manual, Overhead: in.overhead(),
		Spare: summarize.Extract{}, SpareName: summarize.Extract{}.String(),
	}
	why, err := study.ExplainClimb(ctx, c)
	if err != nil {
		return err
	}
	sum, ok := in.settings.summarizer.(summarize.Summarizer)
	sends := ok && sum.Receiver() != ""
	var changes []study.Change
	if !sends {
		changes = why.Changes(ctx, c)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.json {
		explainClimbJSON(newStream(a.out), in, why, changes)
		return nil
	}
	a.heading(in, len(e.Record().Messages))
	a.say("policy %.12s · %s", why.Result.Hash, trigger(e))
	a.say("")
	a.wrap("", oneLine(why.Main.Text)+".")
	if why.Room != "" {
		a.wrap("", why.Room+".")
	}
	for _, f := range why.Also {
		a.wrap("", "also: "+oneLine(f.Text)+".")
	}
	if why.Fix != "" {
		a.wrap("", "try: "+why.Fix+".")
	}
	if why.At != nil {
		a.say("")
		a.say("the pass before turn %d", why.At.Turn)
		t := newTable(false, false)
		for i := range why.Steps {
			t.row(why.Steps[i].Title(), oneLine(why.Steps[i].Why()))
		}
		t.whole = true
		a.print(t, "  ")
	}
	a.changes("the least change that would have mended it", changes)
	if sends && why.At != nil {
		a.say("")
		a.wrap("", "what would have helped is only looked for with summaries by extract, text or nobody: each try would ask "+draw.Line(sum.Receiver(), 60)+" again.")
	}
	return nil
}

func explainClimbJSON(w *stream, in *loaded, why *study.Climb, changes []study.Change) {
	w.field("engine", policy.Ladder)
	w.field("kind", why.Main.Kind)
	w.field("text", why.Main.Text)
	w.field("fix", why.Fix)
	w.field("also", mapSlice(why.Also, func(f study.Finding) foundLine { return foundLine{f.Kind, f.Text} }))
	var message, turn *int
	var tokens *int64
	if why.At != nil {
		message, turn, tokens = &why.At.Message, &why.At.Turn, &why.At.After
	}
	w.field("message", message)
	w.field("turn", turn)
	w.field("tokens", tokens)
	var usable *int64
	if why.Usable > 0 {
		usable = &why.Usable
	}
	w.field("usable", usable)
	w.field("window", in.settings.Policy.Window)
	w.field("calls", len(why.Result.Calls))
	w.field("passes", why.Result.Passes)
	w.field("over_trigger", why.Over)
	w.field("over_window", why.Beyond)
	steps := make([]ladderStep, len(why.Steps))
	for i := range why.Steps {
		steps[i] = ladderStep{i + 1, why.Steps[i].Title(), why.Steps[i].Why()}
	}
	w.field("steps", steps)
	w.field("changes", mapSlice(changes, lineOfChange))
	w.end()
}
