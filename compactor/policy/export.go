package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cinch/compactor"
	"cinch/compactor/ladder"
	"cinch/model/token"
)

// Formats lists what a policy can be written as.
var Formats = []string{"toml", "json", "rust", "typescript"}

// Export writes a policy as one of [Formats]. What cannot say the policy is an error.
func Export(p *Policy, format string) (string, error) {
	switch format {
	case "toml":
		return writeTOML(p)
	case "json":
		return writeJSON(p)
	case "rust":
		if p.Engine != Truncating {
			return "", fmt.Errorf("loopctl has no ladder: write this policy as toml, json or typescript")
		}
		return Rust(p), nil
	case "typescript":
		if p.Engine != Ladder {
			return "", fmt.Errorf("drover has no truncating engine: write this policy as toml, json or rust")
		}
		return TypeScript(p), nil
	}
	return "", fmt.Errorf("unknown form %q: one of %s%s", format, strings.Join(Formats, ", "), meant(format, Formats))
}

// file is a policy as its file holds it, in the order in which it is written.
type file struct {
	Engine         string      `toml:"engine" json:"engine"`
	Window         any         `toml:"window,omitempty" json:"window,omitempty"`
	Threshold      int         `toml:"threshold,omitempty" json:"threshold,omitempty"`
	AutoCompact    *bool       `toml:"auto_compact,omitempty" json:"auto_compact,omitempty"`
	TargetBase     string      `toml:"target_base,omitempty" json:"target_base,omitempty"`
	TargetPercent  int         `toml:"target_pct,omitempty" json:"target_pct,omitempty"`
	PreserveRecent int         `toml:"preserve_recent,omitempty" json:"preserve_recent,omitempty"`
	MinMessages    int         `toml:"min_messages,omitempty" json:"min_messages,omitempty"`
	Reserve        int64       `toml:"reserve,omitempty" json:"reserve,omitempty"`
	Counter        string      `toml:"counter,omitempty" json:"counter,omitempty"`
	Compaction     *compaction `toml:"compaction,omitempty" json:"compaction,omitempty"`
}

type compaction struct {
	Strategy         []ladder.Strategy `toml:"strategy" json:"strategy"`
	MinReclaimTokens int64             `toml:"minReclaimTokens,omitempty" json:"minReclaimTokens,omitempty"`
	CooldownTurns    int               `toml:"cooldownTurns,omitempty" json:"cooldownTurns,omitempty"`
	SummaryPrompt    string            `toml:"summaryPrompt,omitempty" json:"summaryPrompt,omitempty"`
	SummaryModel     string            `toml:"summaryModel,omitempty" json:"summaryModel,omitempty"`
	Preserve         preserve          `toml:"preserve" json:"preserve"`
	Trigger          *trigger          `toml:"trigger,omitempty" json:"trigger,omitempty"`
}

type preserve struct {
	FirstUserTurn bool     `toml:"firstUserTurn" json:"firstUserTurn"`
	RecentTurns   int      `toml:"recentTurns" json:"recentTurns"`
	PinTools      []string `toml:"pinTools,omitempty" json:"pinTools,omitempty"`
}

type trigger struct {
	Kind  string `toml:"kind" json:"kind"`
	Value any    `toml:"value" json:"value"`
}

// fileOf is what is written of a policy: every knob of the truncating engine,
// and of a ladder what is set, for there nothing has a default.
func fileOf(p *Policy) file {
	f := file{Engine: p.Engine, Counter: p.Counter}
	if p.Window > 0 {
		f.Window = p.Window
	}
	if p.Engine == Truncating {
		t := p.Truncating
		f.Threshold, f.AutoCompact = t.Threshold, &t.AutoCompact
		f.TargetBase, f.TargetPercent = string(t.TargetBase), t.TargetPercent
		f.PreserveRecent, f.MinMessages, f.Reserve = t.PreserveRecent, t.MinMessages, t.Reserve
		return f
	}
	l := p.Ladder
	f.Compaction = &compaction{
		Strategy: l.Strategy, MinReclaimTokens: l.MinReclaimTokens, CooldownTurns: l.CooldownTurns,
		SummaryPrompt: l.SummaryPrompt, SummaryModel: l.SummaryModel,
		Preserve: preserve{l.Preserve.FirstUserTurn, l.Preserve.RecentTurns, l.Preserve.PinTools},
	}
	if l.Trigger != nil {
		f.Compaction.Trigger = &trigger{l.Trigger.Kind, short(l.Trigger.Value)}
	}
	return f
}

// short is a number without a fraction that is zero.
func short(f float64) any {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int64(f)
	}
	return f
}

func writeTOML(p *Policy) (string, error) {
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(fileOf(p)); err != nil {
		return "", err
	}
	return b.String(), nil
}

func writeJSON(p *Policy) (string, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(fileOf(p)); err != nil {
		return "", err
	}
	return b.String(), nil
}

// Rust is the truncating engine's policy as calls of loopctl's builders. What
// loopctl is told elsewhere, or not at all, is said in comments.
func Rust(p *Policy) string {
	t := p.Truncating
	var b strings.Builder
	b.WriteString("ContextManager::new(Arc::new(\n    TruncatingCompactor::default()\n")
	fmt.Fprintf(&b, "        .with_preserve_recent(%s)\n", digits(int64(t.PreserveRecent)))
	fmt.Fprintf(&b, "        .with_min_messages(%s),\n))\n", digits(int64(t.MinMessages)))
	if p.Window > 0 {
		fmt.Fprintf(&b, ".with_context_window(%s)\n", digits(p.Window))
	} else {
		b.WriteString("// .with_context_window(…): that of the model\n")
	}
	fmt.Fprintf(&b, ".with_threshold(%d)\n.with_auto_compact(%t)\n", t.Threshold, t.AutoCompact)
	base := "Threshold"
	if t.TargetBase == compactor.OfWindow {
		base = "Context"
	}
	fmt.Fprintf(&b, ".with_compact_target(CompactBase::%s)\n.with_compact_target_pct(%d)\n", base, t.TargetPercent)
	if p.Counter == "" || p.Counter == token.Heuristic.Name() {
		b.WriteString(".with_token_counter(Arc::new(HeuristicTokenCounter))\n")
	} else {
		fmt.Fprintf(&b, "// .with_token_counter(…): tuned with the counter %s\n", p.Counter)
	}
	if t.Reserve > 0 {
		fmt.Fprintf(&b, "// tuned with %s tokens that ride every request\n", digits(t.Reserve))
	}
	return b.String()
}

// TypeScript is a ladder as the compaction object of a drover agent.
func TypeScript(p *Policy) string {
	l := p.Ladder
	var b strings.Builder
	b.WriteString("compaction: {\n")
	fmt.Fprintf(&b, "  strategy: %s,\n", literal(l.Strategy))
	fmt.Fprintf(&b, "  preserve: { firstUserTurn: %t, recentTurns: %s", l.Preserve.FirstUserTurn, digits(int64(l.Preserve.RecentTurns)))
	if len(l.Preserve.PinTools) > 0 {
		fmt.Fprintf(&b, ", pinTools: %s", literal(l.Preserve.PinTools))
	}
	b.WriteString(" },\n")
	if t := l.Trigger; t != nil {
		value := literal(t.Value)
		if whole, ok := short(t.Value).(int64); ok {
			value = digits(whole)
		}
		fmt.Fprintf(&b, "  trigger: { kind: %s, value: %s },\n", literal(t.Kind), value)
	}
	if l.MinReclaimTokens > 0 {
		fmt.Fprintf(&b, "  minReclaimTokens: %s,\n", digits(l.MinReclaimTokens))
	}
	if l.CooldownTurns > 0 {
		fmt.Fprintf(&b, "  cooldownTurns: %s,\n", digits(int64(l.CooldownTurns)))
	}
	if l.SummaryPrompt != "" {
		fmt.Fprintf(&b, "  summaryPrompt: %s,\n", literal(l.SummaryPrompt))
	}
	if l.SummaryModel != "" {
		fmt.Fprintf(&b, "  summaryModel: %s,\n", literal(l.SummaryModel))
	}
	b.WriteString("},\n")
	return b.String()
}

// literal is a value as JSON in one line, which TypeScript reads too.
func literal(v any) string {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(v); err != nil {
		return "null" // only a number that is not finite, which no policy holds
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), `","`, `", "`)
}

// digits is n with an underscore before every third digit from the end, as both
// languages read it.
func digits(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "_" + s[i:]
	}
	return s
}
