package study

import (
	"testing"

	"cinch/compactor"
)

func TestTurnsLeft(t *testing.T) {
	set := func(change func(*compactor.Policy)) compactor.Policy {
		p := thousand() // the threshold stands at 800, the emergency line at 950
		if change != nil {
			change(&p)
		}
		return p
	}
	pace := Pace{Tokens: 300, Turns: 3}
	tests := []struct {
		name   string
		policy compactor.Policy
		tokens int64
		pace   Pace
		turns  int64
		ok     bool
	}{
		{"from nothing", set(nil), 0, pace, 9, true}, // 900 > 800
		{"the threshold itself is not past it", set(nil), 700, pace, 2, true},
		{"on the threshold", set(nil), 800, pace, 1, true},
		{"past the threshold", set(nil), 801, pace, 0, false},
		{"without auto-compact the emergency line counts", set(func(p *compactor.Policy) { p.AutoCompact = false }), 850, pace, 1, true}, // 950 ≥ 950
		{"just past a turn short of it", set(func(p *compactor.Policy) { p.AutoCompact = false }), 849, pace, 2, true},
		{"a threshold over the emergency line never fires first", set(func(p *compactor.Policy) { p.Threshold = 100 }), 850, pace, 1, true},
		{"no window", set(func(p *compactor.Policy) { p.Window = 0 }), 0, pace, 0, false},
		{"no turn to go by", set(nil), 0, Pace{Tokens: 300}, 0, false},
		{"no growth to go by", set(nil), 0, Pace{Turns: 3}, 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			turns, ok := TurnsLeft(test.policy, test.tokens, test.pace)
			if turns != test.turns || ok != test.ok {
				t.Errorf("%d turns, %v; want %d, %v", turns, ok, test.turns, test.ok)
			}
		})
	}
}
