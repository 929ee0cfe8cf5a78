package ui

import (
	"strings"
	"testing"
)

// converse gives commands and returns what is answered.
func converse(t *testing.T, lines ...string) string {
	t.Helper()
	var out strings.Builder
	o := Options{Path: "lesson:demo", Open: opener(nil), PlanJSON: func(of PlanOf) string { return "{}\n" }}
	if err := Talk(t.Context(), o, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTalk(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  []string
	}{
		{nil, []string{"69 messages", "Now about 9,382 of 10,000 tokens, 93.8%", "OVER THRESHOLD by 1,382 -> Compact(ThresholdExceeded) before the next call -> compacted; next pass in about 23 turns.", "Type help"}},
		{[]string{"help"}, []string{"set KNOB VALUE: give a setting a value"}},
		{[]string{"reset", "step", "step", "step"}, []string{"Step 0 of 9", "Step 3 of 9: pair safety: result #65 pairs with call #62 -> the cut moves from 65 to 62."}},
		{[]string{"back", "run", "step"}, []string{"Step 8 of 9", "Step 9 of 9", "The pass has taken its last step."}},
		{[]string{"set threshold 97"}, []string{"a threshold of 97% never fires first"}},
		{[]string{"set threshold 0", "set auto maybe", "set nosuch 1"}, []string{"threshold takes from 1% to 100%.", "auto takes one of off, on.", "There is no knob nosuch"}},
		{[]string{"set auto off"}, []string{"auto-compact is off"}},
		{[]string{"set counter drover", "undo"}, []string{"counter drover", "Undone: counter heuristic -> drover."}},
		{[]string{"list reattached"}, []string{"43, result soak, 68 tokens, reattached, answers call #0:", "1 message."}},
		{[]string{"list kept 0 62", "list blue"}, []string{"3 messages.", "not blue."}},
		{[]string{"show 62", "show 99"}, []string{"Why: the cut stood at 65", "All three at once.", "A message has a number from 0 to 68."}},
		{[]string{"find watcher"}, []string{"watcher"}},
		{[]string{"apply", "apply", "undo", "redo", "undo", "undo"}, []string{"9 messages of native", "The pass changes nothing: all that stands before the cut is kept as well (preserve_recent 3 would cut).", "Undone: pass applied.", "nothing to take back"}},
		{[]string{"set preserve_recent 8", "flags", "json", "knobs"}, []string{"--preserve-recent 8", "{}", "preserve_recent 8: messages kept at the end"}},
		{[]string{"re", "dance"}, []string{"re could be reset or redo.", "There is no command dance"}},
		{[]string{"quit", "state"}, []string{"> "}},
	} {
		got := converse(t, c.lines...)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%v does not answer %q:\n%s", c.lines, want, got)
			}
		}
		for _, r := range got {
			if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x2500 && r < 0x2900 { // controls, boxes, braille
				t.Errorf("%v answers with %q", c.lines, r)
				break
			}
		}
	}
	if got := converse(t, "quit", "state"); strings.Count(got, "Now about") != 1 {
		t.Error("quit does not quit")
	}
}

// TestEveryOrder: each command does something, also without what it needs.
func TestEveryOrder(t *testing.T) {
	silent := converse(t, "quit")
	for _, o := range orders {
		if o.name == "quit" {
			continue
		}
		if got := converse(t, o.name, "quit"); len(got) <= len(silent)+2 {
			t.Errorf("%s answers nothing", o.name)
		}
	}
}
