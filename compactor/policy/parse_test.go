package policy

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"cinch/compactor"
	"cinch/compactor/ladder"
)

// drover is the example of drover's own guide as JSON.
const drover = `{
  "strategy": ["drop-tool-results", "summarize"],
  "trigger": { "kind": "context_fraction", "value": 0.8 },
  "preserve": { "firstUserTurn": true, "recentTurns": 3, "pinTools": ["remember", "recall"] },
  "minReclaimTokens": 4096,
  "cooldownTurns": 2,
  "summaryPrompt": "Summarise, <briefly> & well."
}
`

func droverPolicy() ladder.Policy {
	return ladder.Policy{
		Strategy:         []ladder.Strategy{ladder.DropToolResults, ladder.Summarize},
		Preserve:         ladder.Preserve{FirstUserTurn: true, RecentTurns: 3, PinTools: []string{"remember", "recall"}},
		Trigger:          &ladder.Trigger{Kind: ladder.ContextFraction, Value: 0.8},
		MinReclaimTokens: 4096, CooldownTurns: 2, SummaryPrompt: "Summarise, <briefly> & well.",
	}
}

func TestParseLadder(t *testing.T) {
	for name, text := range map[string]string{
		"pasted as it is":        drover,
		"with a byte-order mark": "\ufeff" + drover,
		"under its key":          `{"compaction": ` + drover + `}`,
		"with the engine":        `{"engine": "ladder", "compaction": ` + drover + `}`,
		"TOML, under its key": `
# the ladder of our agents
[compaction]
strategy = ["drop-tool-results", # cheap
            "summarize"]
minReclaimTokens = 4_096
cooldownTurns = 0x2
summaryPrompt = 'Summarise, <briefly> & well.'
preserve = { firstUserTurn = true, recentTurns = 3, pinTools = ["remember", "recall"] }
[compaction.trigger]
kind = "context_fraction"
value = 8e-1
`,
		"TOML, bare, with dotted names": `
strategy = ["drop-tool-results", "summarize"]
preserve.firstUserTurn = true
preserve.recentTurns = 3
preserve.pinTools = ["remember", "recall"]
trigger.kind = "context_fraction"
trigger.value = 0.8
minReclaimTokens = 4096
cooldownTurns = 2
summaryPrompt = "Summarise, <briefly> \u0026 well."
`,
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Parse("p", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if p.Engine != Ladder || !reflect.DeepEqual(p.Ladder, droverPolicy()) {
				t.Errorf("engine %s, policy %+v", p.Engine, p.Ladder)
			}
			if p.Given("window") || p.Window != 0 || p.Counter != "" {
				t.Errorf("window %d and counter %q come from nowhere", p.Window, p.Counter)
			}
		})
	}
}

func TestParseTruncating(t *testing.T) {
	p, err := Parse("p.toml", []byte("engine = 'truncating'\nwindow = '131,072'\nthreshold = 75.0\nauto_compact = false\n"+
		"target_base = 'window'\ntarget_pct = 60\npreserve_recent = 8\nmin_messages = 9\nreserve = '1.5k'\ncounter = 'ratio:3.9+4'\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := compactor.Policy{
		Window: 131_072, Threshold: 75, TargetBase: compactor.OfWindow, TargetPercent: 60,
		PreserveRecent: 8, MinMessages: 9, Reserve: 1500,
	}
	if p.Engine != Truncating || p.Truncating != want || p.Window != want.Window || p.Counter != "ratio:3.9+4" {
		t.Errorf("got %+v", p)
	}
	for _, name := range []string{"engine", "window", "threshold", "auto_compact", "target_base", "target_pct", "preserve_recent", "min_messages", "reserve", "counter"} {
		if !p.Given(name) {
			t.Errorf("%s was given", name)
		}
	}
}

func TestParseCounter(t *testing.T) {
	for name, good := range map[string]bool{
		"heuristic": true, "o200k": true, "ratio:3.9+4": true, "calibrated": true, "calibrated:o200k": true,
		"calibrated:": true, "calibrated:tiktoken": false, "calibrate": false, "ratio:0": false,
	} {
		p, err := Parse("p", []byte(`counter = "`+name+`"`))
		if (err == nil) != good || err == nil && p.Counter != name {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestParseNothing(t *testing.T) {
	for _, text := range []string{"", "{}", " \n# only this\n", `{"window": "model"}`} {
		p, err := Parse("p", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		want := compactor.DefaultPolicy()
		want.Window = 0
		if p.Engine != Truncating || p.Truncating != want || p.Given("threshold") {
			t.Errorf("%q is %+v", text, p)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown field", "{\n  \"treshold\": 80\n}", `p:2:3: treshold: there is no such field; did you mean threshold? The fields here are engine, window, counter, threshold, auto_compact, target_base, target_pct, preserve_recent, min_messages, reserve`},
		{"unknown field, TOML", "window = 1000\n\nkeep = 3\n", `p:3:1: keep: there is no such field; the fields here are engine,`},
		{"percent too large", "{\"threshold\": 120}", `p:1:15: threshold: want a percent of the window from 1 to 100, not 120`},
		{"percent that is text", "threshold = \"80%\"", `p:1:13: threshold: want a percent of the window from 1 to 100, not "80%"`},
		{"percent that is no whole number", "{\"target_pct\": 70.5}", `p:1:16: target_pct: want a percent from 1 to 100, not 70.5`},
		{"null", "{\"auto_compact\": null}", `p:1:18: auto_compact: want true or false, not null`},
		{"a date", "min_messages = 2026-01-01", `p:1:16: min_messages: want a number of messages from 2, not a date`},
		{"too few messages", "min_messages = 1", `p:1:16: min_messages: want a number of messages from 2, not 1`},
		{"no window", "window = 0", `p:1:10: window: want a size in tokens such as 200000 or "200k", or "model", not 0`},
		{"window in words", "window = 'large'", `not "large"`},
		{"other base", "target_base = 'context'", `p:1:15: target_base: want one of threshold, window, not "context"`},
		{"unknown counter", "counter = 'tiktoken'", `p:1:11: counter: unknown counter "tiktoken": one of heuristic`},
		{"unknown engine", "{\"engine\": \"lader\"}", `p:1:12: engine: want one of truncating, ladder, not "lader"; did you mean ladder?`},
		{"two engines", "{\"engine\": \"truncating\", \"compaction\": {}}", `p:1:12: engine: a compaction object is for the engine "ladder"`},
		{"set twice", "{\"threshold\": 1,\n \"threshold\": 2}", `p:2:2: "threshold" is set twice`},
		{"set twice, TOML", "threshold = 1\nthreshold = 2", `p:2:1: not valid TOML:`},
		{"broken JSON", "{\n  \"window\": 20k\n}", `p:2:15: not valid JSON: invalid character 'k'`},
		{"JSON that breaks off", "{\"window\": 20", `p:1:14: not valid JSON: the file ends before the policy does`},
		{"two objects", "{} {}", `p:1:4: there is something after the policy's last brace`},
		{"broken TOML", "window = 20k\n", `p:1:12: not valid TOML:`},
		{"columns are characters", "{\"summaryPrompt\": \"漢字é\", \"coolDown\": 1}", `p:1:26: CompactionConfigError: coolDown: there is no such field`},
		{"no strategy", "{\"preserve\": {\"firstUserTurn\": true, \"recentTurns\": 1}}", `p:1:1: CompactionConfigError: strategy: is required: a list of drop-tool-results, summarize, sliding-window`},
		{"no preserve", "[compaction]\nstrategy = ['sliding-window']", `p:1:2: CompactionConfigError: preserve: is required`},
		{"half of preserve", "{\"strategy\": [\"sliding-window\"],\n\"preserve\": {\"recentTurns\": 1}}", `p:2:13: CompactionConfigError: preserve.firstUserTurn: is required: true or false`},
		{"half a trigger", "{\"strategy\": [\"sliding-window\"],\n\"preserve\": {\"recentTurns\": 1, \"firstUserTurn\": true}, \"trigger\": {\"value\": 1}}", `CompactionConfigError: trigger.kind: is required`},
		{"empty strategy", "{\"strategy\": [], \"preserve\": {\"firstUserTurn\": true, \"recentTurns\": 1}}", `p:1:14: CompactionConfigError: strategy: at least one strategy is needed`},
		{"misspelt strategy", "strategy = [\n  \"sliding-window\",\n  \"sumarize\"]", `p:3:3: CompactionConfigError: strategy[1]: want one of drop-tool-results, summarize, sliding-window, not "sumarize"; did you mean summarize?`},
		{"no prompt", "{\n\"strategy\": [\"summarize\"], \"preserve\": {\"firstUserTurn\": true, \"recentTurns\": 1}}", `p:2:13: CompactionConfigError: summaryPrompt: the strategy "summarize" needs a prompt`},
		{"fraction in percent", "trigger = { kind = 'context_fraction', value = 80 }\nstrategy = ['sliding-window']\npreserve = { firstUserTurn = true, recentTurns = 1 }", `p:1:48: CompactionConfigError: trigger.value: a context_fraction lies above 0 and below 1`},
		{"unknown trigger", "trigger.kind = 'tokens'", `p:1:16: CompactionConfigError: trigger.kind: want one of context_fraction, input_tokens, not "tokens"`},
		{"negative turns", "{\"preserve\": {\"recentTurns\": -1}}", `p:1:30: CompactionConfigError: preserve.recentTurns: want a number of turns from 0, not -1`},
		{"a pin that is no name", "{\"preserve\": {\"pinTools\": [\"a\", 7]}}", `p:1:33: CompactionConfigError: preserve.pinTools[1]: want a tool's name, not 7`},
		{"unknown in preserve", "{\"preserve\": {\"recentTurn\": 1}}", `p:1:15: CompactionConfigError: preserve.recentTurn: there is no such field; did you mean recentTurns? The fields here are firstUserTurn, recentTurns, pinTools`},
		{"threshold of a ladder", "engine = 'ladder'\nthreshold = 80", `p:2:1: CompactionConfigError: threshold: there is no such field`},
		{"beside compaction", "{\"compaction\": {}, \"threshold\": 80}", `CompactionConfigError: strategy: is required`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("p", []byte(c.text))
			var bad *Error
			if !errors.As(err, &bad) {
				t.Fatalf("got %v, want an error with a place", err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("not one line: %q", err)
			}
		})
	}
}

func TestNestingIsBounded(t *testing.T) {
	for _, text := range []string{
		`{"window": ` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}",
		"window = " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
	} {
		if _, err := Parse("p", []byte(text)); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
			t.Errorf("got %v", err)
		}
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.json")
	if _, err := Load(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(path, []byte(drover), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := Load(path); err != nil || p.Engine != Ladder {
		t.Errorf("%+v, %v", p, err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("#"), most+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.HasPrefix(err.Error(), path+": more than 1 MiB") {
		t.Errorf("a file without an end: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(drover))
	f.Add([]byte("[compaction]\nstrategy = ['x']\npreserve.recentTurns = 1"))
	f.Add([]byte("[[a.b]]\nc = {d = [1, 2e3, inf]}\n[a]\n"))
	f.Add([]byte(`{"window": "200k", "counter": "ratio:3.9+4"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := Parse("p", raw)
		if err != nil {
			var bad *Error
			if !errors.As(err, &bad) || bad.Line < 1 || bad.Col < 1 {
				t.Fatalf("%v has no place", err)
			}
			return
		}
		for _, format := range []string{"toml", "json"} {
			out, err := Export(p, format)
			if err != nil {
				t.Fatalf("cannot be written as %s: %v", format, err)
			}
			back, err := Parse("back", []byte(out))
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got, want := same(back), same(p); !reflect.DeepEqual(got, want) {
				t.Fatalf("as %s it reads back as %+v, not %+v\n%s", format, got, want, out)
			}
		}
	})
}

// same is a policy without what a file need not say: which fields were given,
// and an empty list of pins.
func same(p *Policy) Policy {
	q := *p
	q.given = nil
	if len(q.Ladder.Preserve.PinTools) == 0 {
		q.Ladder.Preserve.PinTools = nil
	}
	return q
}
