package ui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cinch/compactor"
	"cinch/compactor/ladder"
	"cinch/compactor/study"
	"cinch/model"
	"cinch/model/token"
)

// givenUp is a conversation of which some answers were given up: the history has
// them, the context does not. No compaction is recorded.
func givenUp(seed uint64, n, answers int) *model.Conversation {
	at := rand.New(rand.NewPCG(seed, 1))
	history := long(n)
	context := slices.Clone(history)
	for range answers {
		k := at.IntN(n - 8)
		history = slices.Insert(history, k, says(model.Assistant, fmt.Sprint("I will begin with ", k)))
	}
	c := &model.Conversation{Format: "pi", Path: "talk.jsonl", Messages: history}
	c.SetViews(history, context)
	return c
}

// TestScreensReplayTheHistory: Replay, Ladder and Sweep look at the history, as the
// commands do, also where it differs from the context without a compaction; and the
// header counts what they look at.
func TestScreensReplayTheHistory(t *testing.T) {
	for seed, answers := range []int{1, 2, 5, 9} {
		c := givenUp(uint64(seed), 120, answers)
		d := drive(t, Options{Path: "talk", Open: opener(map[string]*model.Conversation{"talk": c})}, 160, 40, colours())
		d.s.change("window", 0, func(u *setup) { u.policy.Window = 1500 })
		d.has(fmt.Sprintf("120 messages · %d runs", len(d.s.now.runs)))

		rec := compactor.Prepare(c.View(model.History), token.Heuristic, nil)
		want := compactor.Replay(rec, compactor.Driving{Policy: d.s.policy})
		head := fmt.Sprintf("%d messages · %d runs", 120+answers, len(compactor.Runs(rec.View())))
		d.press("2")
		d.pump()
		p := d.screens[1].(*replayScreen)
		if len(p.t.Calls) != len(want.Calls) || len(p.t.Passes) != len(want.Passes) || p.t.End != want.End {
			t.Errorf("%d given up: Replay has %d calls and %d passes, the history %d and %d", answers, len(p.t.Calls), len(p.t.Passes), len(want.Calls), len(want.Passes))
		}
		d.has(head)
		d.has(fmt.Sprintf("run %d/%[1]d", len(compactor.Runs(rec.View()))))

		d.press("3")
		for _, msg := range d.said {
			if m, ok := msg.(recordMsg); ok {
				d.send(m)
			}
		}
		climbed := d.screens[2].(*ladderScreen)
		if got := ladder.NewRecord(c.View(model.History), d.s.climb.counter); climbed.rec == nil || len(climbed.rec.Entries) != len(got.Entries) {
			t.Errorf("%d given up: Ladder does not look at the history", answers)
		}
		d.has(head)

		d.press("4")
		d.sweptUp()
		swept := d.screens[3].(*sweepScreen)
		cells := study.Sweep(rec, d.s.policy, swept.grid, nil, nil)
		for i := range cells {
			if got := swept.cells.cells[i]; got.Passes != cells[i].Passes || got.Sent != cells[i].Sent || got.End != cells[i].End {
				t.Errorf("%d given up: a setting of Sweep sends %d in all, over the history %d", answers, got.Sent, cells[i].Sent)
				break
			}
		}
		d.has(head)
		d.press("1")
		d.has("120 messages")
	}
}

// TestTheCommandSaysWhatItLeavesOut: what was applied here is not in a command's
// answer, which the menu says; Replay never shows what was applied.
func TestTheCommandSaysWhatItLeavesOut(t *testing.T) {
	t.Setenv("TMUX", "")
	d := demo(t, 120, 36)
	d.press("y")
	d.has("f command line  ")
	d.press("esc", "a", "y")
	d.has("f command line (without the 1 pass applied here)")
	d.press("f")
	d.has("command line (without the 1 pass applied here) sent")
	d.press("2", "y")
	d.has("f command line  ")
	d.press("esc")

	d.s.change("view", 0, func(u *setup) {
		w := *u.weighed
		w.view = model.Log
		u.weighed = &w
	})
	for screen, want := range map[string]string{"pass": " --view log", "replay": "", "sweep": ""} {
		if got, line := asksOf(screen), d.s.commandLine(screen); line != map[string]string{"plan": "cinch plan lesson:demo", "replay": "cinch replay lesson:demo", "sweep": "cinch sweep lesson:demo"}[got]+want {
			t.Errorf("%s copies %q", screen, line)
		}
	}
}

// TestOneSize: what lists say of a conversation is what its gauge shows, also where
// the overhead is inferred.
func TestOneSize(t *testing.T) {
	inferred := long(40)
	for i, m := range inferred {
		if m.Role == model.Assistant {
			m.Usage = &model.Usage{Input: int64(9_000 + 100*i)}
		}
	}
	for name, c := range map[string]*model.Conversation{
		"no overhead":   {Path: "t", Messages: long(40)},
		"system prompt": {Path: "t", System: "You are a careful agent.", Messages: long(40)},
		"recorded":      {Path: "t", Overhead: 1234, Messages: long(40)},
		"inferred":      {Path: "t", Messages: inferred},
	} {
		d := drive(t, Options{Path: "talk", Open: opener(map[string]*model.Conversation{"talk": c})}, 120, 36, colours())
		if got := token.Size(c); got != d.s.plan.Before {
			t.Errorf("%s: a list says %d, the gauge %d", name, got, d.s.plan.Before)
		}
	}
	if _, guessed := (token.OverheadRule{}).Of(token.Heuristic, &model.Conversation{Messages: inferred}, nil); !guessed {
		t.Error("no overhead was inferred: the test shows nothing")
	}
}

// TestLastStepAgreesWithTheGauge: the re-count says the gauge's numbers.
func TestLastStepAgreesWithTheGauge(t *testing.T) {
	d := demo(t, 200, 36)
	d.press("S")
	if d.s.plan.Overhead == 0 {
		t.Fatal("no overhead: the test shows nothing")
	}
	d.has(fmt.Sprintf("~%s → ~%s with overhead %s", commas(d.s.plan.Before), commas(d.s.plan.After), commas(d.s.plan.Overhead)))
	d.has("step 8 re-count (9 of 9): ")
}

// TestOnePace: a summary that stands in the context is not growth, and the screen
// says the same number of turns whether the file is followed or not.
func TestOnePace(t *testing.T) {
	all := long(80)
	all[0] = says(model.User, "The story so far. "+strings.Repeat("It went well. ", 3000))
	d := talk(t, 200, 36, all...)
	turns, ok := study.TurnsLeft(d.s.policy, d.s.plan.Before, study.PaceOf(d.s.now.view, study.PaceTurns))
	if !ok {
		t.Fatal("no pace")
	}
	d.has(fmt.Sprintf("next pass in about %s turns", commas(turns)))
	d.s.following = true
	if got := nextPass(d.s, d.s.plan.Before); !strings.Contains(got, fmt.Sprintf("about %s turns at the present", commas(turns))) {
		t.Errorf("followed, it says %q, else about %d turns", got, turns)
	}
}
