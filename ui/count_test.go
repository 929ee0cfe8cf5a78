package ui

import (
	"strings"
	"testing"

	"cinch/model"
	"cinch/model/token"
)

// metered is a conversation whose answers say what their prompts cost: overhead,
// and half as much again as the heuristic's count of the messages.
func metered(overhead int64) []*model.Message {
	out := long(80)
	for i, m := range out {
		if m.Role == model.Assistant {
			sent := token.Count(token.Heuristic, out[:i])
			m.Usage = &model.Usage{Input: overhead + sent + sent/2}
		}
	}
	return out
}

// focusKnob gives a knob the keys.
func (d *driver) focusKnob(name string) {
	d.t.Helper()
	for range len(knobs) + 1 {
		d.press("tab")
		if p := d.pass().panel; p.focused && knobs[p.knob].name == name {
			return
		}
	}
	d.t.Fatalf("no knob %s can be reached", name)
}

func TestOldNumbersStayWhileCounting(t *testing.T) {
	d := talk(t, 140, 36, long(200)...)
	before := d.s.before
	d.focusKnob("counter")
	_, cmd := d.Update(keyMsg("l")) // o200k, on its way
	if d.load == nil || d.s.counter() != token.Heuristic || d.s.before != before {
		t.Fatal("the numbers went before others were there")
	}
	d.load.progress(1<<20, 4<<20)
	d.send(progressMsg{d.load.id})
	for _, text := range []string{"stale  ", "stale: counting with o200k", "counting with o200k  ███░░░░░░░░░  1.0 MB of 4.0 MB  25.0%", "esc back"} {
		d.has(text)
	}
	counting := d.load.ctx
	d.press("esc")
	if counting.Err() == nil {
		t.Error("the count goes on although it was given up")
	}
	if d.load != nil || strings.Contains(d.plain(), "stale") {
		t.Errorf("esc does not give up:\n%s", d.plain())
	}
	d.has("gave up counting with o200k")
	d.run(cmd) // what was given up comes in all the same
	if d.s.counter() != token.Heuristic {
		t.Error("a count that was given up was taken")
	}
	d.press("l")
	if d.s.counter() != token.O200k || strings.Contains(d.plain(), "stale") {
		t.Errorf("counted with %s:\n%s", d.s.counter().Name(), d.plain())
	}
	d.press("u")
	if d.s.counter() != token.Heuristic || d.s.before != before {
		t.Error("undo does not bring the old numbers back")
	}
}

func TestCalibratedShowsItsSpread(t *testing.T) {
	d := talk(t, 160, 36, metered(5000)...)
	d.focusKnob("counter")
	d.press("end")
	if name := d.s.counter().Name(); name != "calibrated" {
		t.Fatalf("the last counter is %s: %s", name, d.notice)
	}
	d.has("calibrated ×")
	d = talk(t, 120, 36, long(20)...)
	d.focusKnob("counter")
	d.press("end")
	d.has("the file records no usage to calibrate on")
	d.press("left") // around the end, past what cannot be
	if name := d.s.counter().Name(); name != "drover" {
		t.Errorf("counted with %s", name)
	}
}

func TestOverheadKnob(t *testing.T) {
	d := talk(t, 160, 36, metered(5000)...)
	if got := d.s.plan.Overhead; got < 4990 || got > 5010 {
		t.Errorf("an overhead of %d is inferred, want 5,000", got)
	}
	d.has("overhead inferred")
	d.matches(`overhead 4\.9k inferred  ■|overhead 5k inferred  ■`) // where the number stands
	d.focusKnob("overhead")
	d.press("l")
	if got := d.s.plan.Overhead; got != 0 || strings.Contains(d.plain(), "inferred ·") {
		t.Errorf("turned off, the overhead is %d:\n%s", got, d.plain())
	}
	d.press("l")
	if got := d.s.plan.Overhead; got != 500 {
		t.Errorf("one step up, the overhead is %d", got)
	}
	d.press("enter")
	d.typed("12k")
	d.press("enter", "2")
	if replay := d.screens[1].(*replayScreen); replay.t.Recording.Overhead != 12_000 {
		t.Errorf("the replay runs with %d", replay.t.Recording.Overhead)
	}
	d.press("1", "=")
	if got := d.s.plan.Overhead; got < 4990 || got > 5010 {
		t.Errorf("back at auto, the overhead is %d", got)
	}
}

func TestApproximateCountsAreMarked(t *testing.T) {
	d := talk(t, 120, 36, says(model.User, strings.Repeat("=", 200_000)), says(model.Assistant, "Yes."))
	if strings.Contains(d.plain(), "≈") {
		t.Error("the heuristic is marked")
	}
	d.focusKnob("counter")
	d.press("l")
	d.has("o200k ≈")
}
