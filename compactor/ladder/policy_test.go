package ladder

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

func good() Policy {
	return Policy{
		Strategy:      []Strategy{DropToolResults, Summarize},
		Preserve:      Preserve{FirstUserTurn: true, RecentTurns: 3, PinTools: []string{"remember"}},
		Trigger:       &Trigger{ContextFraction, 0.8},
		SummaryPrompt: "Summarise.",
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name, field, says string
		spoil             func(*Policy)
	}{
		{"no strategy", "strategy", "drop-tool-results, summarize, sliding-window", func(p *Policy) { p.Strategy = nil }},
		{"unknown strategy", "strategy[1]", `"sumarize"`, func(p *Policy) { p.Strategy[1] = "sumarize" }},
		{"summarize without a prompt", "summaryPrompt", "summarize", func(p *Policy) { p.SummaryPrompt = "" }},
		{"blank prompt", "summaryPrompt", "blank", func(p *Policy) { p.SummaryPrompt = " \n\t" }},
		{"fraction of nothing", "trigger.value", "not 0", func(p *Policy) { p.Trigger.Value = 0 }},
		{"the whole window", "trigger.value", "not 1", func(p *Policy) { p.Trigger.Value = 1 }},
		{"fraction that is no number", "trigger.value", "NaN", func(p *Policy) { p.Trigger.Value = math.NaN() }},
		{"no tokens", "trigger.value", "above 0", func(p *Policy) { p.Trigger = &Trigger{InputTokens, 0} }},
		{"endless tokens", "trigger.value", "Inf", func(p *Policy) { p.Trigger = &Trigger{InputTokens, math.Inf(1)} }},
		{"unknown trigger", "trigger.kind", "context_fraction, input_tokens", func(p *Policy) { p.Trigger.Kind = "turns" }},
		{"negative recentTurns", "preserve.recentTurns", "-1", func(p *Policy) { p.Preserve.RecentTurns = -1 }},
		{"negative cooldown", "cooldownTurns", "-2", func(p *Policy) { p.CooldownTurns = -2 }},
		{"negative minimum", "minReclaimTokens", "-3", func(p *Policy) { p.MinReclaimTokens = -3 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := good()
			c.spoil(&p)
			_, err := New(p, 200_000, NewRecord(nil, nil))
			var bad *ConfigError
			if !errors.As(err, &bad) || bad.Field != c.field {
				t.Fatalf("got %v, want an error about %s", err, c.field)
			}
			if !strings.HasPrefix(err.Error(), "CompactionConfigError: "+c.field) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
	p := good()
	if err := p.Validate(); err != nil {
		t.Errorf("a good policy is refused: %v", err)
	}
}

func TestHash(t *testing.T) {
	p := good()
	const canonical = `{"preserve":{"firstUserTurn":true,"pinTools":["remember"],"recentTurns":3},"strategy":["drop-tool-results","summarize"],"summaryPrompt":"Summarise.","trigger":{"kind":"context_fraction","value":0.8}}`
	if got := p.Canonical(); got != canonical {
		t.Errorf("canonical form\n got %s\nwant %s", got, canonical)
	}
	seen := map[string]string{p.Hash(): "as it is"}
	for name, change := range map[string]func(*Policy){
		"order":         func(p *Policy) { p.Strategy[0], p.Strategy[1] = p.Strategy[1], p.Strategy[0] },
		"rung":          func(p *Policy) { p.Strategy = p.Strategy[:1] },
		"opener":        func(p *Policy) { p.Preserve.FirstUserTurn = false },
		"recent":        func(p *Policy) { p.Preserve.RecentTurns = 4 },
		"pins":          func(p *Policy) { p.Preserve.PinTools = nil },
		"kind":          func(p *Policy) { p.Trigger.Kind = InputTokens },
		"value":         func(p *Policy) { p.Trigger.Value = 0.81 },
		"no trigger":    func(p *Policy) { p.Trigger = nil },
		"minimum":       func(p *Policy) { p.MinReclaimTokens = 1 },
		"cooldown":      func(p *Policy) { p.CooldownTurns = 1 },
		"prompt":        func(p *Policy) { p.SummaryPrompt = "Summarise <b> & \u2028." },
		"summary model": func(p *Policy) { p.SummaryModel = "small" },
	} {
		changed := good()
		change(&changed)
		if other, ok := seen[changed.Hash()]; ok {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[changed.Hash()] = name
		var back Policy
		if err := json.Unmarshal([]byte(changed.Canonical()), &back); err != nil || back.Hash() != changed.Hash() {
			t.Errorf("%s: read back it hashes differently (%v)", name, err)
		}
	}
	if strings.Contains((&Policy{SummaryPrompt: "<b> & \u2028"}).Canonical(), `\u`) {
		t.Error("the canonical form escapes what JSON does not ask to be escaped")
	}
}

func TestUsable(t *testing.T) {
	for _, c := range []struct {
		trigger Trigger
		window  int64
		want    int64
	}{
		{Trigger{ContextFraction, 0.8}, 200_000, 160_000},
		{Trigger{ContextFraction, 0.8}, 101, 80},
		{Trigger{ContextFraction, 0.29}, 100, 28}, // 28.999… as JavaScript multiplies
		{Trigger{InputTokens, 120_000}, 0, 120_000},
		{Trigger{InputTokens, 10.5}, 0, 11},
	} {
		p := good()
		p.Trigger = &c.trigger
		e, err := New(p, c.window, NewRecord(nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := e.Usable(); !ok || got != c.want {
			t.Errorf("%v of %d: usable %d, want %d", c.trigger, c.window, got, c.want)
		}
	}
}
