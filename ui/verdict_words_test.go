package ui

import (
	"strings"
	"testing"
)

// TestAKnobShowsTheWholePass: what a knob does is seen at once, also in the
// middle of a pass, and undo goes back to the step.
func TestAKnobShowsTheWholePass(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string // from the second step on
		step int
	}{
		{"a slider", []string{"tab", "right"}, whole},
		{"a knob at its end", []string{"tab", "home", "left"}, whole},
		{"the least value when it is set already", []string{"tab", "="}, 2},
		{"undone", []string{"tab", "right", "u"}, 2},
		{"done again", []string{"tab", "right", "u", "ctrl+r"}, whole},
		{"another counter", []string{"shift+tab", "right"}, whole},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := demo(t, 80, 24)
			d.press("s", "s")
			d.has("after  not counted yet: the last step counts again")
			d.press(c.keys...)
			if d.s.step != c.step {
				t.Fatalf("step %d, want %d:\n%s", d.s.step, c.step, d.plain())
			}
			if waits := strings.Contains(d.plain(), "not counted yet"); waits != (c.step != whole) {
				t.Errorf("the gauge after the pass waits: %v\n%s", waits, d.plain())
			}
		})
	}
	d := demo(t, 80, 24)
	d.press("s", "s", "tab", "right")
	d.has("the whole pass, with preserve_recent 5; s steps through it")
}

// TestUndoSaysWhatIsSoNow: undo and redo tell the value there is and the one there was.
func TestUndoSaysWhatIsSoNow(t *testing.T) {
	for _, c := range []struct {
		name       string
		do         []string
		undo, redo string
	}{
		{"a knob", []string{"tab", "right"}, "undone: preserve_recent is 4 again (was 5)", "done again: preserve_recent is 5 again (was 4)"},
		{"a step", []string{"s", "s"}, "undone: the pass is at step 1 again (was at step 2)", "done again: the pass is at step 2 again (was at step 1)"},
		{"the first step", []string{"s"}, "undone: the pass is whole again (was at step 1)", "done again: the pass is at step 1 again (was whole)"},
		{"the counter", []string{"shift+tab", "right"}, "undone: counter is heuristic again (was o200k)", "done again: counter is o200k again (was heuristic)"},
		{"a pass", []string{"a"}, "undone: pass applied", "done again: pass applied"},
		{"a setting of the sweep", []string{"4", "right", "enter"}, "undone: threshold/preserve_recent is 80%/4 again (was 85%/4)", "done again: threshold/preserve_recent is 85%/4 again (was 80%/4)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := demo(t, 100, 30)
			d.press(append(c.do, "u")...)
			d.has(c.undo)
			d.press("ctrl+r")
			d.has(c.redo)
		})
	}
	t.Run("a drag", func(t *testing.T) { // of which undo takes back all
		d := demo(t, 100, 30)
		k, g := knobNamed("preserve_recent"), d.s.newGesture()
		for _, v := range []int64{5, 7, 9} {
			d.s.do(deed{k.name, k.say(k.get(&d.s.setup)), k.say(v)}, g, func(u *setup) { k.set(u, v) })
		}
		d.press("u")
		d.has("undone: preserve_recent is 4 again (was 9)")
	})
}

// TestThePointIsNotCut: on a small terminal, too, the verdicts say that a run
// fails, and what would change that.
func TestThePointIsNotCut(t *testing.T) {
	for _, c := range []struct {
		name, lesson string
		w, h         int
		keys         []string
		want         []string
	}{
		{"the run fails", "second-pass", 80, 24, []string{"2"}, []string{"ContextExceeded{used 6,450, limit 6,450}", "pass 2: no action"}},
		{"the run fails, small", "second-pass", 60, 20, []string{"2"}, []string{"run 7/7  threshold → ContextExceeded"}},
		{"a pass helps no more", "second-pass", 80, 24, []string{"a"}, []string{"→ ContextExceeded{used 6,466, limit 6,466} ends the run; min_messages 5 with preserve_recent 3 would cut"}},
		{"a pass helps no more, small", "second-pass", 60, 20, []string{"a"}, []string{"→ ContextExceeded; min_messages 5 with preserve_recent 3 would cut"}},
		{"nothing to apply", "second-pass", 80, 24, []string{"a", "a"}, []string{"the pass changes nothing; min_messages 5 with preserve_recent 3 would cut", "1 pass 2 replay"}},
		{"a pass is due, small", "demo", 60, 20, nil, []string{"→ compacted; next pass in about"}},
		{"the sweep, small", "demo", 60, 20, []string{"4"}, []string{"~2,512"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := lesson(t, c.lesson, c.w, c.h)
			d.press(c.keys...)
			text := strings.Join(strings.Fields(d.plain()), " ")
			for _, want := range c.want {
				if !strings.Contains(text, strings.Join(strings.Fields(want), " ")) {
					t.Errorf("the screen does not say %q:\n%s", want, d.plain())
				}
			}
		})
	}
}

// TestTheCardSaysThatItGoesOn: a card that has no room says so and with which
// key, all the way to its end.
func TestTheCardSaysThatItGoesOn(t *testing.T) {
	d := lesson(t, "second-pass", 80, 24)
	d.press("2")
	d.matches("↓ [0-9]+ lines more: enter reads on")
	d.press("enter")
	d.matches("↓ [0-9]+ lines more: j")
	for range 60 {
		d.press("j")
	}
	if text := d.plain(); strings.Contains(text, "lines more") || !strings.Contains(text, "largest messages") {
		t.Errorf("the end of the card:\n%s", text)
	}
}
