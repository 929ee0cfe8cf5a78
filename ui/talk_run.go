package ui

import (
	"fmt"
	"strings"

	"cinch/compactor"
	"cinch/compactor/policy"
	"cinch/compactor/study"
	"cinch/model"
	"cinch/ui/draw"
)

// recording is everything the file recorded, counted as the session counts: what
// the Replay and Sweep screens look at.
func (t *talker) recording() (*compactor.Recording, bool) {
	w := t.s.weighed
	if w.conv.SameView(w.view, model.History) {
		return w.rec, true
	}
	if h := t.history; h == nil || h.conv != w.conv || h.counter().Name() != w.counter().Name() || h.overhead != w.overhead {
		whole, err := weighConversation(t.ctx, w.conv, model.History, w.counter(), w.overhead, nil)
		if err != nil {
			t.say("%v.", err)
			return nil, false
		}
		t.history = whole
	}
	return t.history.rec, true
}

// replay says which passes the run would have had under the settings, and how it ends.
func (t *talker) replay(string) {
	rec, ok := t.recording()
	if !ok {
		return
	}
	trace := compactor.Replay(rec, compactor.Driving{Policy: t.s.policy})
	t.say("The run: %s, %s, %s.", count(len(trace.Runs), "run"), count(len(trace.Calls), "call"), passes(len(trace.Passes)))
	for i, q := range trace.Passes {
		t.say("  pass %d before #%d, %s: about %s to %s tokens, %d to %d messages, %s", i+1, q.Message, q.Reason, draw.Tokens(q.Before), draw.Tokens(q.After), q.MessagesBefore, q.MessagesAfter, q.Result)
	}
	if x := trace.End.Exceeded; x != nil {
		t.say("The run fails before #%d: ContextExceeded, used %s, limit %s. explain says why.", trace.End.Message, draw.Tokens(x.Used), draw.Tokens(x.Limit))
		return
	}
	t.say("The run completes.")
}

// explain says why the run ended as it did, and the least changes that help.
func (t *talker) explain(string) {
	rec, ok := t.recording()
	if !ok {
		return
	}
	how := compactor.Driving{Policy: t.s.policy, Stop: func() bool { return t.ctx.Err() != nil }}
	e := study.Explain(compactor.Replay(rec, how))
	if x := e.Exceeded; x != nil {
		t.say("The run fails before #%d: ContextExceeded, used %s, limit %s.", e.Message, draw.Tokens(x.Used), draw.Tokens(x.Limit))
	} else {
		t.say("The run completes.")
	}
	t.say("%s.", e.Main.Text)
	for _, f := range e.Also {
		t.say("Also: %s.", f.Text)
	}
	if e.Exceeded == nil {
		return
	}
	t.say("The least changes, each by itself:")
	for _, c := range study.Changes(rec, how) {
		t.say("  %s", c.Text)
	}
	t.say("Or %s.", e.Fix)
}

// sweep says what each threshold with each preserve_recent would cost.
func (t *talker) sweep(args string) {
	measure, names := -1, make([]string, len(study.Measures))
	for i, m := range study.Measures {
		names[i] = m.Name
		if m.Name == args || args == "" && i == 0 {
			measure = i
		}
	}
	if measure < 0 {
		t.say("sweep takes one of %s, not %s.", strings.Join(names, ", "), draw.Line(args, 40))
		return
	}
	rec, ok := t.recording()
	if !ok {
		return
	}
	m, grid := study.Measures[measure], study.DefaultGrid().Around(t.s.policy)
	cells := study.Sweep(rec, t.s.policy, grid, nil, func() bool { return t.ctx.Err() != nil })
	t.say("%s, %s, by preserve_recent and threshold:", m.Name, m.About)
	for y, recent := range grid.PreserveRecent {
		said := make([]string, len(grid.Thresholds))
		for x, threshold := range grid.Thresholds {
			c := &cells[y*len(grid.Thresholds)+x]
			text := "fails"
			if c.Exceeded == nil {
				text = draw.Tokens(m.Of(c))
			}
			said[x] = fmt.Sprintf("%d%% %s", threshold, text)
		}
		t.say("  preserve_recent %d: %s", recent, strings.Join(said, "; "))
	}
	t.say("The settings are threshold %d%%, preserve_recent %d.", t.s.policy.Threshold, t.s.policy.PreserveRecent)
}

// export writes the tuned policy out, in a form that its engine has.
func (t *talker) export(args string) {
	engine := policy.Truncating
	rest, ladder := strings.CutPrefix(args, "ladder")
	if ladder {
		engine, args = policy.Ladder, strings.TrimSpace(rest)
	}
	var forms []string
	for _, f := range exportForms[engine] {
		forms = append(forms, f.form)
		if f.form == args {
			text, err := policy.Export(t.s.exported(engine), f.form)
			if err != nil {
				t.say("%v.", err)
				return
			}
			t.out.WriteString(text)
			return
		}
	}
	t.say("The %s policy can be written as %s: export %s%s.", engine, strings.Join(forms, ", "), map[bool]string{true: "ladder "}[ladder], forms[0])
}
