package ui

import (
	"cinch/compactor/ladder"
	"cinch/compactor/summarize"
)

// recipe is a ladder policy to begin with, since a ladder has no defaults.
type recipe struct {
	name   string
	about  string
	policy ladder.Policy
}

// recipes are the three policies that drover's guide sets up.
var recipes = []recipe{
	{
		"clear, then summarise", "at 80% of the window clear old tool results, and summarise when that is not enough",
		ladder.Policy{
			Strategy:         []ladder.Strategy{ladder.DropToolResults, ladder.Summarize},
			Preserve:         ladder.Preserve{FirstUserTurn: true, RecentTurns: 3, PinTools: []string{"remember", "recall"}},
			Trigger:          &ladder.Trigger{Kind: ladder.ContextFraction, Value: 0.8},
			MinReclaimTokens: 4096, CooldownTurns: 2, SummaryPrompt: summarize.DefaultPrompt,
		},
	},
	{
		"clear only", "at 85% of the window clear old tool results; no model is ever asked",
		ladder.Policy{
			Strategy:         []ladder.Strategy{ladder.DropToolResults},
			Preserve:         ladder.Preserve{FirstUserTurn: true, RecentTurns: 4},
			Trigger:          &ladder.Trigger{Kind: ladder.ContextFraction, Value: 0.85},
			MinReclaimTokens: 2048,
		},
	},
	{
		"on request", "no trigger: a pass runs only when it is asked for",
		ladder.Policy{
			Strategy:      []ladder.Strategy{ladder.DropToolResults, ladder.Summarize},
			Preserve:      ladder.Preserve{FirstUserTurn: true, RecentTurns: 5},
			SummaryPrompt: summarize.DefaultPrompt,
		},
	},
}
