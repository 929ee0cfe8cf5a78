package ui

import (
	"strings"
	"testing"
)

func TestTypedValues(t *testing.T) {
	for _, c := range []struct {
		knob, text string
		want       int64
		err        string
	}{
		{"preserve_recent", "12", 12, ""},
		{"preserve_recent", "1,000", 1000, ""},
		{"preserve_recent", "0", 0, "from 1"},
		{"preserve_recent", "x", 0, "a whole number of messages"},
		{"threshold", "72%", 72, ""},
		{"threshold", "72", 72, ""},
		{"threshold", "101", 0, "from 1% to 100%"},
		{"threshold", "", 0, "a whole percent, such as 80"},
		{"min_messages", "1", 0, "from 2"},
		{"window", "200k", 200_000, ""},
		{"window", "1m", 1_000_000, ""},
		{"window", "1.5M", 1_500_000, ""},
		{"window", "131072", 131_072, ""},
		{"window", "10", 0, "from 1k"},
		{"window", "nan", 0, "a size in tokens, such as 200k, 1m or 131072"},
		{"window", "9e99m", 0, "a size in tokens"},
		{"reserve", "8k", 8_000, ""},
		{"reserve", "0", 0, ""},
		{"reserve", "-1", 0, "a size in tokens"},
		{"target", "50", 50, ""},
	} {
		k := knobNamed(c.knob)
		got, err := k.read(c.text)
		switch {
		case c.err == "" && (err != nil || got != c.want):
			t.Errorf("%s %q: %d, %v", c.knob, c.text, got, err)
		case c.err != "" && (err == nil || !strings.HasPrefix(err.Error(), c.err)):
			t.Errorf("%s %q: %v, want %s", c.knob, c.text, err, c.err)
		}
	}
	d := demo(t, 120, 36)
	d.press("tab", "tab", "enter")
	d.typed("101")
	d.press("enter")
	d.has("from 1% to 100%")
	d.press("backspace", "backspace", "backspace")
	d.typed("60")
	d.press("enter")
	if d.s.policy.Threshold != 60 || d.mode != browsing {
		t.Errorf("typed 60, the threshold is %d", d.s.policy.Threshold)
	}
}

func knobNamed(name string) *knob {
	for _, k := range knobs {
		if k.name == name {
			return k
		}
	}
	return nil
}

// TestEveryKnobMoves: each knob can be moved by a key, stays within its limits,
// shows its value, and moves something.
func TestEveryKnobMoves(t *testing.T) {
	d := demo(t, 160, 36)
	for _, i := range shownKnobs(d.s) {
		k := knobs[i]
		d.press("tab")
		if d.pass().panel.knob != i || !d.pass().panel.focused {
			t.Fatalf("tab leads to knob %d, want %s", d.pass().panel.knob, k.name)
		}
		was := k.get(&d.s.setup)
		d.press("right")
		if k.get(&d.s.setup) == was {
			d.press("left")
		}
		if k.get(&d.s.setup) == was {
			t.Errorf("%s does not move", k.name)
		}
		d.has(k.name)
		d.has(k.say(k.get(&d.s.setup)))
		d.has(k.about)
		if k.choice() {
			continue
		}
		d.press("home", "left", "H")
		if v := k.get(&d.s.setup); v != k.min {
			t.Errorf("%s at its least is %d", k.name, v)
		}
		d.press("end", "right", "L")
		if v := k.get(&d.s.setup); v != k.max {
			t.Errorf("%s at its most is %d", k.name, v)
		}
		d.press("=")
		if v := k.get(&d.s.setup); v != k.standard(d.s) {
			t.Errorf("%s by default is %d", k.name, v)
		}
	}
	d.press("tab")
	if d.pass().panel.focused {
		t.Error("tab after the last knob does not lead back to the list")
	}
}

// TestThereAndBack: a step up and a step down again lead back, also across a
// change of unit.
func TestThereAndBack(t *testing.T) {
	for _, k := range knobs {
		if k.choice() {
			continue
		}
		for v := k.min; v < k.max; v = k.moved(v, 1) {
			if next := k.moved(v, 1); next <= v || k.moved(next, -1) != v {
				t.Fatalf("%s: from %d up to %d and down to %d", k.name, v, next, k.moved(next, -1))
			}
		}
	}
}
