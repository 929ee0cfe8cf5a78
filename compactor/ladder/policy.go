package ladder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"cinch/model"
)

// Strategy is one rung of the ladder.
type Strategy string

const (
	DropToolResults Strategy = "drop-tool-results" // clear old tool results, keep their calls
	Summarize       Strategy = "summarize"         // one message in place of the head
	SlidingWindow   Strategy = "sliding-window"    // delete the head
)

// Strategies lists the rungs there are, cheap to dear.
var Strategies = []Strategy{DropToolResults, Summarize, SlidingWindow}

// The kinds of trigger.
const (
	ContextFraction = "context_fraction" // value is a share of the context window, above 0 and below 1
	InputTokens     = "input_tokens"     // value is a number of tokens above 0
)

// TriggerKinds lists the kinds of trigger.
var TriggerKinds = []string{ContextFraction, InputTokens}

// Policy is drover's spec.compaction, under drover's names.
type Policy struct {
	Strategy         []Strategy `json:"strategy"`
	Preserve         Preserve   `json:"preserve"`
	Trigger          *Trigger   `json:"trigger,omitempty"`          // nil: only on request
	MinReclaimTokens int64      `json:"minReclaimTokens,omitempty"` // a rung that reclaims less commits nothing
	CooldownTurns    int        `json:"cooldownTurns,omitempty"`    // turns after a pass without an automatic one
	SummaryPrompt    string     `json:"summaryPrompt,omitempty"`
	SummaryModel     string     `json:"summaryModel,omitempty"` // "": the run's own model
}

// Preserve is what a pass leaves as it is.
type Preserve struct {
	FirstUserTurn bool     `json:"firstUserTurn"`
	RecentTurns   int      `json:"recentTurns"`        // assistant messages from the end, with what follows each
	PinTools      []string `json:"pinTools,omitempty"` // tools whose results are never cleared
}

// Trigger makes passes automatic.
type Trigger struct {
	Kind  string  `json:"kind"`
	Value float64 `json:"value"`
}

// ConfigError is a policy that cannot be run: which field, and what it takes.
type ConfigError struct {
	Field string // as in the policy file: trigger.value, strategy[1]
	Text  string
}

func (e *ConfigError) Error() string {
	return "CompactionConfigError: " + e.Field + ": " + e.Text
}

// Validate reports the first thing in the policy that cannot be run, as a *[ConfigError].
func (p *Policy) Validate() error {
	if len(p.Strategy) == 0 {
		return &ConfigError{"strategy", "at least one strategy is needed, of " + allowed(Strategies)}
	}
	for i, s := range p.Strategy {
		switch s {
		case DropToolResults, SlidingWindow:
		case Summarize:
			if strings.TrimSpace(p.SummaryPrompt) == "" {
				return &ConfigError{"summaryPrompt", `the strategy "summarize" needs a prompt that is not blank`}
			}
		default:
			return &ConfigError{fmt.Sprintf("strategy[%d]", i),
				fmt.Sprintf("there is no strategy %q: one of %s", s, allowed(Strategies))}
		}
	}
	if p.Preserve.RecentTurns < 0 {
		return &ConfigError{"preserve.recentTurns", fmt.Sprintf("%d is below 0: a number of turns from 0", p.Preserve.RecentTurns)}
	}
	if err := p.Trigger.validate(); err != nil {
		return err
	}
	if p.MinReclaimTokens < 0 {
		return &ConfigError{"minReclaimTokens", fmt.Sprintf("%d is below 0: a number of tokens from 0", p.MinReclaimTokens)}
	}
	if p.CooldownTurns < 0 {
		return &ConfigError{"cooldownTurns", fmt.Sprintf("%d is below 0: a number of turns from 0", p.CooldownTurns)}
	}
	return nil
}

func (t *Trigger) validate() error {
	if t == nil {
		return nil
	}
	switch t.Kind {
	case ContextFraction:
		if !(t.Value > 0 && t.Value < 1) {
			return &ConfigError{"trigger.value", fmt.Sprintf("a context_fraction lies above 0 and below 1, such as 0.8; not %v", t.Value)}
		}
	case InputTokens:
		if !(t.Value > 0) || math.IsInf(t.Value, 1) {
			return &ConfigError{"trigger.value", fmt.Sprintf("input_tokens is a number of tokens above 0; not %v", t.Value)}
		}
	default:
		return &ConfigError{"trigger.kind", fmt.Sprintf("there is no trigger %q: one of %s", t.Kind, allowed(TriggerKinds))}
	}
	return nil
}

func allowed[S ~string](names []S) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return strings.Join(out, ", ")
}

// Canonical is the policy as canonical JSON: members sorted, no spaces, only
// the escapes JSON demands, and nothing for a field that is not set.
func (p *Policy) Canonical() string {
	plain, err := json.Marshal(p)
	if err != nil {
		return "" // only a number that is not finite, which Validate refuses
	}
	var tree map[string]any
	in := json.NewDecoder(bytes.NewReader(plain))
	in.UseNumber()
	if err := in.Decode(&tree); err != nil {
		return ""
	}
	sorted, err := json.Marshal(tree)
	if err != nil {
		return ""
	}
	return model.CompactJSON(string(sorted))
}

// Hash is the SHA-256 of [Policy.Canonical] in lower-case hexadecimal. A run
// stored under one hash is not resumed under another.
func (p *Policy) Hash() string {
	sum := sha256.Sum256([]byte(p.Canonical()))
	return hex.EncodeToString(sum[:])
}
