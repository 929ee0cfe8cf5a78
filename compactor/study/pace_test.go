package study

import (
	"strings"
	"testing"

	"cinch/compactor"
	"cinch/model"
	"cinch/model/token"
)

func TestPace(t *testing.T) {
	var messages []*model.Message
	say := func(role model.Role, tokens int) {
		messages = append(messages, &model.Message{Role: role, Parts: []model.Part{{Kind: model.Text, Text: strings.Repeat("four", tokens)}}})
	}
	pace := func(turns int) Pace {
		return PaceOf(compactor.Prepare(messages, token.Heuristic, nil).View(), turns)
	}
	policy := compactor.DefaultPolicy()
	policy.Window = 1250 // the threshold stands at 1,000
	if _, ok := TurnsLeft(policy, 0, pace(8)); ok {
		t.Error("an empty conversation has a pace")
	}
	say(model.User, 1000)
	if p := pace(8); p.Turns != 0 || p.Turn() != 0 {
		t.Errorf("without a turn: %+v", p)
	}
	for range 10 { // slow, then fast
		say(model.User, 10)
		say(model.Assistant, 10)
	}
	for range 4 {
		say(model.User, 100)
		say(model.Assistant, 100)
	}
	slow, fast := pace(14), pace(4)
	if fast.Turns != 4 || fast.Turn() < 200 || fast.Turn() > 220 {
		t.Errorf("the last four turns: %+v, %d a turn", fast, fast.Turn())
	}
	if slow.Turns != 14 || slow.Turn() >= fast.Turn() {
		t.Errorf("all turns: %+v, %d a turn", slow, slow.Turn())
	}
	for tokens := int64(0); tokens <= 1000; tokens += 7 {
		n, ok := TurnsLeft(policy, tokens, fast)
		past := func(n int64) bool { return tokens*int64(fast.Turns)+n*fast.Tokens > 1000*int64(fast.Turns) }
		if !ok || !past(n) || past(n-1) {
			t.Fatalf("from %d it takes %d turns", tokens, n)
		}
	}
	if _, ok := TurnsLeft(policy, 1001, fast); ok {
		t.Error("a line that is crossed lies ahead")
	}
}

func TestNextLine(t *testing.T) {
	p := compactor.DefaultPolicy()
	p.Window = 1000
	if got := NextLine(p); got != 800 {
		t.Errorf("the threshold: %d", got)
	}
	p.AutoCompact = false
	if got := NextLine(p); p.Decide(got) != compactor.None || p.Decide(got+1) == compactor.None {
		t.Errorf("the emergency line: %d", got)
	}
	p.AutoCompact, p.Threshold = true, 99
	if got := NextLine(p); p.Decide(got) != compactor.None || p.Decide(got+1) == compactor.None {
		t.Errorf("a threshold above the emergency line: %d", got)
	}
}
