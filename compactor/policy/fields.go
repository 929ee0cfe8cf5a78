package policy

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cinch/compactor"
	"cinch/compactor/ladder"
	"cinch/model/token"
)

// common is what both engines take.
var common = []field{
	{"engine", "one of " + strings.Join(Engines, ", "), func(*binder, *node) error { return nil }},
	{"window", `a size in tokens such as 200000 or "200k", or "model"`, func(b *binder, n *node) error {
		if n.value == "model" {
			return nil
		}
		return size(n, 1, &b.policy.Window)
	}},
	{"counter", "a counter's name, such as " + strings.Join(token.Names, ", "), func(b *binder, n *node) error {
		name, ok := n.value.(string)
		if !ok {
			return errWrong
		}
		b.policy.Counter = name
		return counter(name)
	}},
}

// counter reports whether there is a counter of a name. Whether one set right by
// recorded usage can be had is the conversation's to say.
func counter(name string) error {
	under, calibrated := strings.CutPrefix(name, "calibrated")
	if calibrated && under == "" {
		return nil
	}
	if calibrated && under[0] == ':' {
		name = under[1:]
	}
	_, err := token.Parse(name)
	return err
}

// truncating is what the truncating engine takes beside that.
var truncating = []field{
	{"threshold", "a percent of the window from 1 to 100", func(b *binder, n *node) error {
		return whole(n, 1, 100, &b.policy.Truncating.Threshold)
	}},
	{"auto_compact", "true or false", func(b *binder, n *node) error {
		return truth(n, &b.policy.Truncating.AutoCompact)
	}},
	{"target_base", "one of threshold, window", func(b *binder, n *node) error {
		base, _ := n.value.(string)
		if base != string(compactor.OfThreshold) && base != string(compactor.OfWindow) {
			return errWrong
		}
		b.policy.Truncating.TargetBase = compactor.Base(base)
		return nil
	}},
	{"target_pct", "a percent from 1 to 100", func(b *binder, n *node) error {
		return whole(n, 1, 100, &b.policy.Truncating.TargetPercent)
	}},
	{"preserve_recent", "a number of messages from 1", func(b *binder, n *node) error {
		return whole(n, compactor.MinPreserveRecent, math.MaxInt32, &b.policy.Truncating.PreserveRecent)
	}},
	{"min_messages", "a number of messages from 2", func(b *binder, n *node) error {
		return whole(n, compactor.MinMinMessages, math.MaxInt32, &b.policy.Truncating.MinMessages)
	}},
	{"reserve", `a size in tokens from 0, such as 500 or "8k"`, func(b *binder, n *node) error {
		return size(n, 0, &b.policy.Truncating.Reserve)
	}},
}

// rungs is drover's compaction object; the first two are required.
var rungs = []field{
	{"strategy", "a list of " + allowed(ladder.Strategies), (*binder).strategy},
	{"preserve", "a table with firstUserTurn and recentTurns", func(b *binder, n *node) error {
		return b.fill(n, "preserve.", preserved, config)
	}},
	{"trigger", "a table with kind and value", func(b *binder, n *node) error {
		b.policy.Ladder.Trigger = &ladder.Trigger{}
		return b.fill(n, "trigger.", triggers, config)
	}},
	{"minReclaimTokens", "a number of tokens from 0", func(b *binder, n *node) error {
		return whole(n, 0, math.MaxInt64, &b.policy.Ladder.MinReclaimTokens)
	}},
	{"cooldownTurns", "a number of turns from 0", func(b *binder, n *node) error {
		return whole(n, 0, math.MaxInt32, &b.policy.Ladder.CooldownTurns)
	}},
	{"summaryPrompt", "text", func(b *binder, n *node) error { return text(n, &b.policy.Ladder.SummaryPrompt) }},
	{"summaryModel", "a model's name", func(b *binder, n *node) error { return text(n, &b.policy.Ladder.SummaryModel) }},
}

// preserved is what a pass keeps; the first two are required.
var preserved = []field{
	{"firstUserTurn", "true or false", func(b *binder, n *node) error {
		return truth(n, &b.policy.Ladder.Preserve.FirstUserTurn)
	}},
	{"recentTurns", "a number of turns from 0", func(b *binder, n *node) error {
		return whole(n, 0, math.MaxInt32, &b.policy.Ladder.Preserve.RecentTurns)
	}},
	{"pinTools", "a list of tool names", func(b *binder, n *node) error {
		items, ok := n.value.(list)
		if !ok {
			return errWrong
		}
		for i, item := range items {
			name, ok := item.value.(string)
			if !ok {
				return fail(item.offset, config(fmt.Sprintf("preserve.pinTools[%d]", i), "want a tool's name, not "+found(item)))
			}
			b.policy.Ladder.Preserve.PinTools = append(b.policy.Ladder.Preserve.PinTools, name)
		}
		return nil
	}},
}

// triggers is what makes passes automatic; both are required.
var triggers = []field{
	{"kind", "one of " + strings.Join(ladder.TriggerKinds, ", "), func(b *binder, n *node) error {
		kind, ok := n.value.(string)
		if !ok || !slices.Contains(ladder.TriggerKinds, kind) {
			return fmt.Errorf("want one of %s, not %s%s", strings.Join(ladder.TriggerKinds, ", "), found(n), meant(kind, ladder.TriggerKinds))
		}
		b.policy.Ladder.Trigger.Kind = kind
		return nil
	}},
	{"value", "a share of the window such as 0.8, or a number of tokens", func(b *binder, n *node) error {
		v, ok := n.value.(number)
		if !ok {
			return errWrong
		}
		f, err := real(v)
		if err != nil {
			return errWrong
		}
		b.policy.Ladder.Trigger.Value = f
		return nil
	}},
}

func (b *binder) strategy(n *node) error {
	items, ok := n.value.(list)
	if !ok {
		return errWrong
	}
	for i, item := range items {
		name, ok := item.value.(string)
		if !ok || !slices.Contains(ladder.Strategies, ladder.Strategy(name)) {
			at := fmt.Sprintf("strategy[%d]", i)
			all := make([]string, len(ladder.Strategies))
			for i, s := range ladder.Strategies {
				all[i] = string(s)
			}
			return fail(item.offset, config(at, fmt.Sprintf("want one of %s, not %s%s", strings.Join(all, ", "), found(item), meant(name, all))))
		}
		b.policy.Ladder.Strategy = append(b.policy.Ladder.Strategy, ladder.Strategy(name))
	}
	return nil
}

func allowed(strategies []ladder.Strategy) string {
	out := make([]string, len(strategies))
	for i, s := range strategies {
		out[i] = string(s)
	}
	return strings.Join(out, ", ")
}

func truth(n *node, to *bool) error {
	v, ok := n.value.(bool)
	if !ok {
		return errWrong
	}
	*to = v
	return nil
}

func text(n *node, to *string) error {
	v, ok := n.value.(string)
	if !ok {
		return errWrong
	}
	*to = v
	return nil
}

// whole reads a whole number within limits; 4096.0 and 4e3 are whole too.
func whole[I int | int64](n *node, least, most int64, to *I) error {
	v, ok := n.value.(number)
	if !ok {
		return errWrong
	}
	i, err := strconv.ParseInt(string(v), 0, 64)
	if err != nil {
		f, err := real(v)
		if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
			return errWrong
		}
		i = int64(f)
	}
	if i < least || i > most {
		return errWrong
	}
	*to = I(i)
	return nil
}

// real reads any number: JSON's, and TOML's with its bases, inf and nan.
func real(v number) (float64, error) {
	if i, err := strconv.ParseInt(string(v), 0, 64); err == nil {
		return float64(i), nil
	}
	return strconv.ParseFloat(string(v), 64)
}

// size reads a number of tokens, also as text: 200k.
func size(n *node, least int64, to *int64) error {
	s, ok := n.value.(string)
	if !ok {
		return whole(n, least, 1<<53, to)
	}
	v, err := parseSize(s)
	if err != nil || v < least {
		return errWrong
	}
	*to = v
	return nil
}

// parseSize reads 131072, 131,072, 200k, 1m, 1.5m.
func parseSize(s string) (int64, error) {
	digits, unit := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(s), ",", "")), 1.0
	if rest, ok := strings.CutSuffix(digits, "k"); ok {
		digits, unit = rest, 1e3
	} else if rest, ok := strings.CutSuffix(digits, "m"); ok {
		digits, unit = rest, 1e6
	}
	if strings.Trim(digits, "0123456789.") != "" {
		return 0, errors.New("not a size")
	}
	f, err := strconv.ParseFloat(digits, 64)
	v := math.Round(f * unit)
	if err != nil || math.Abs(f*unit-v) > 1e-6 || v > 1<<53 {
		return 0, errors.New("not a size")
	}
	return int64(v), nil
}
