package ui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/ladder"
	"cinch/model/token"
	"cinch/ui/draw"
)

// noTrigger is the choice of a policy whose passes are only asked for by hand.
const noTrigger = "none"

// fractionUnit is a trigger's share of the window in a knob's whole numbers.
const fractionUnit = 10_000

var (
	triggers = append([]string{noTrigger}, ladder.TriggerKinds...)
	noYes    = []string{"no", "yes"}
)

// ladderKnobs are the settings of the ladder, in the order in which tab goes
// through them; pick and choose open the menus of pins and summarisers.
func ladderKnobs(pick, choose func() tea.Cmd) []*knob {
	all := []*knob{
		{
			name: "trigger", about: "what makes a pass due: a share of the window, a number of tokens, or nothing", choices: triggers,
			get: func(s *setup) int64 { return int64(max(slices.Index(triggers, s.climb.trigger()), 0)) },
			set: func(s *setup, v int64) { setTrigger(s, triggers[v]) },
		},
		{
			name: "value", about: "share of the window at which a pass is due",
			min: 100, max: 9_900, most: fractionUnit - 1, fine: by(100), format: formatFraction, parse: parseFraction,
			hidden: func(s *setup) bool { return s.climb.trigger() != ladder.ContextFraction },
			get: func(s *setup) int64 {
				if s.climb.policy.Trigger == nil {
					return 0
				}
				return int64(math.Round(s.climb.policy.Trigger.Value * fractionUnit))
			},
			set: func(s *setup, v int64) { s.climb.fire(ladder.ContextFraction, float64(v)/fractionUnit) },
		},
		{
			name: "value", about: "tokens at which a pass is due",
			min: windowLo, max: windowHi, most: sizeMost, fine: bySize, log: true, format: draw.Short, parse: parseSize,
			hidden: func(s *setup) bool { return s.climb.trigger() != ladder.InputTokens },
			get: func(s *setup) int64 {
				if s.climb.policy.Trigger == nil {
					return 0
				}
				return int64(math.Ceil(min(s.climb.policy.Trigger.Value, sizeMost)))
			},
			set: func(s *setup, v int64) { s.climb.fire(ladder.InputTokens, float64(v)) },
		},
		{
			name: "recentTurns", about: "turns kept as they are at the end: an assistant message with what follows it",
			max: 32, most: listMost, fine: by(1), format: draw.Tokens, parse: parseTurns,
			get: func(s *setup) int64 { return int64(s.climb.policy.Preserve.RecentTurns) },
			set: func(s *setup, v int64) { s.climb.policy.Preserve.RecentTurns = int(v) },
		},
		{
			name: "minReclaim", about: "tokens a rung must reclaim to be committed, so that the prompt cache is not broken for little",
			max: 50_000, most: sizeMost, fine: by(256), format: draw.Short, parse: parseSize,
			get: func(s *setup) int64 { return s.climb.policy.MinReclaimTokens },
			set: func(s *setup, v int64) { s.climb.policy.MinReclaimTokens = v },
		},
		{
			name: "cooldown", about: "turns after a pass in which none runs by itself",
			max: 32, most: listMost, fine: by(1), format: draw.Tokens, parse: parseTurns,
			get: func(s *setup) int64 { return int64(s.climb.policy.CooldownTurns) },
			set: func(s *setup, v int64) { s.climb.policy.CooldownTurns = int(v) },
		},
		{
			name: "firstUserTurn", about: "whether the message that opens the list stays as it is", choices: noYes,
			get: func(s *setup) int64 { return truth(s.climb.policy.Preserve.FirstUserTurn) },
			set: func(s *setup, v int64) { s.climb.policy.Preserve.FirstUserTurn = v == 1 },
		},
		{
			name: "pins", about: "tools whose results are never cleared; enter picks them from those in the file", choices: []string{},
			text: func(s *setup) string { return shortList(s.climb.policy.Preserve.PinTools) },
			open: pick,
		},
		{
			name: "summariser", about: "who writes the summaries; enter chooses", choices: []string{},
			text: func(s *setup) string { return draw.Line(s.climb.writerName(), 24) },
			open: choose,
		},
		{
			name: "window", about: "context window in tokens",
			min: windowLo, max: windowHi, most: sizeMost, fine: bySize, log: true, format: draw.Short, parse: parseSize,
			get: func(s *setup) int64 { return s.policy.Window },
			set: func(s *setup, v int64) { s.policy.Window, s.windowFrom = v, "here" },
		},
		{
			name: "counter", about: "how the ladder estimates tokens; drover is its own way", choices: token.Names,
			get: func(s *setup) int64 { return int64(slices.Index(token.Names, s.climb.counter.Name())) },
			set: func(s *setup, v int64) {
				if c, err := token.Parse(token.Names[v]); err == nil {
					s.climb.counter = c
				}
			},
		},
	}
	for _, k := range all {
		k.cells = k.widest()
	}
	return all
}

// setTrigger changes the kind of trigger, and keeps where it fires as far as it can.
func setTrigger(s *setup, kind string) {
	c, window := &s.climb, float64(max(s.policy.Window, 1))
	share := recipes[0].policy.Trigger.Value
	switch c.trigger() {
	case ladder.ContextFraction:
		share = c.policy.Trigger.Value
	case ladder.InputTokens:
		share = min(max(c.policy.Trigger.Value/window, 0.01), 0.99)
	}
	switch kind {
	case noTrigger:
		c.policy.Trigger = nil
	case ladder.ContextFraction:
		c.fire(kind, math.Round(share*fractionUnit)/fractionUnit)
	case ladder.InputTokens:
		c.fire(kind, max(math.Floor(share*window), 1))
	}
}

func formatFraction(v int64) string {
	return strconv.FormatFloat(float64(v)/fractionUnit, 'f', max(2, decimals(v)), 64)
}

// decimals is how many places a fraction needs.
func decimals(v int64) int {
	for n := 4; n > 2; n-- {
		if v%10 != 0 {
			return n
		}
		v /= 10
	}
	return 2
}

// parseFraction reads a share of the window: 0.8, or 80%.
func parseFraction(s string) (int64, error) {
	text, unit := strings.TrimSpace(s), 1.0
	if strings.HasSuffix(text, "%") {
		text, unit = strings.TrimSuffix(text, "%"), 100
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v/unit > 0 && v/unit < 1) {
		return 0, fmt.Errorf("above 0 and below 1, such as 0.8")
	}
	return max(int64(math.Round(v/unit*fractionUnit)), 1), nil
}

func parseTurns(s string) (int64, error) {
	v, err := strconv.ParseInt(strings.ReplaceAll(s, ",", ""), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("a whole number of turns")
	}
	return v, nil
}

// shortList names the first few of a list.
func shortList(names []string) string {
	const most = 2
	switch n := len(names); {
	case n == 0:
		return "none"
	case n > most:
		return fmt.Sprintf("%s +%d", draw.Line(strings.Join(names[:most], ", "), 24), n-most)
	}
	return draw.Line(strings.Join(names, ", "), 24)
}

// pinMenu offers the tools of the file; each can be pinned or let go.
func (p *ladderScreen) pinMenu() tea.Cmd {
	if p.rec == nil {
		return nil
	}
	pinned := p.s.climb.policy.Preserve.PinTools
	tools := p.rec.Tools()
	for _, name := range pinned {
		if !slices.Contains(tools, name) {
			tools = append(tools, name)
		}
	}
	m := &menu{title: "pin"}
	for i, name := range tools {
		if i == len(menuKeys) {
			break
		}
		shown := draw.Line(name, 24)
		if slices.Contains(pinned, name) {
			shown = "[x] " + shown
		} else {
			shown = "[ ] " + shown
		}
		m.items = append(m.items, item{string(menuKeys[i]), shown, func() tea.Cmd {
			p.s.change("pin "+draw.Line(name, 24), 0, func(u *setup) { u.climb.pin(name) })
			return p.pinMenu()
		}})
	}
	if len(m.items) == 0 {
		return p.r.say(draw.Dim, "no tool has a result in this file")
	}
	return p.r.choose(m)
}

// menuKeys are the keys of a menu whose items have no letters of their own.
const menuKeys = "123456789abcdefghijklmnoprstuvwxyz"
