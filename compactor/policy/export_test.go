package policy

import (
	"flag"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cinch/compactor"
	"cinch/compactor/ladder"
)

var update = flag.Bool("update", false, "write the expected exports of testdata anew")

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is now\n%s", file, got)
	}
}

func TestExportsAsWritten(t *testing.T) {
	plain := New(Truncating)
	tuned := New(Truncating)
	tuned.Window, tuned.Counter = 1_000_000, "ratio:3.9+4"
	tuned.Truncating = compactor.Policy{Window: 1_000_000, Threshold: 75, TargetBase: compactor.OfWindow, TargetPercent: 60, PreserveRecent: 1000, MinMessages: 2000, Reserve: 8000}
	rungs := New(Ladder)
	rungs.Window, rungs.Counter = 131_072, "drover"
	rungs.Ladder = droverPolicy()
	rungs.Ladder.SummaryModel = "small"
	rungs.Ladder.SummaryPrompt = "Say \"what\" was done:\n- files\n- </script> & open ends\u2028"
	manual := New(Ladder)
	manual.Ladder = ladder.Policy{Strategy: []ladder.Strategy{ladder.SlidingWindow}, Preserve: ladder.Preserve{RecentTurns: 5}}
	absolute := New(Ladder)
	absolute.Ladder = manual.Ladder
	absolute.Ladder.Trigger = &ladder.Trigger{Kind: ladder.InputTokens, Value: 120_000}
	for name, p := range map[string]*Policy{"plain": plain, "tuned": tuned, "rungs": rungs, "manual": manual, "absolute": absolute} {
		for _, format := range Formats {
			out, err := Export(p, format)
			if err != nil {
				if format == "rust" && p.Engine == Ladder || format == "typescript" && p.Engine == Truncating {
					continue
				}
				t.Fatalf("%s as %s: %v", name, format, err)
			}
			golden(t, "testdata/"+name+"."+format, out)
			switch format {
			case "toml", "json":
				readBack(t, p, out)
			case "typescript":
				readBack(t, p, asJSON(t, p, out))
			}
		}
	}
	if _, err := Export(plain, "yaml"); err == nil || !strings.Contains(err.Error(), "toml, json, rust, typescript") {
		t.Errorf("an unknown form: %v", err)
	}
}

func readBack(t interface {
	Helper()
	Fatalf(string, ...any)
}, p *Policy, text string) {
	t.Helper()
	back, err := Parse("back", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got, want := same(back), same(p); !reflect.DeepEqual(got, want) {
		t.Fatalf("reads back as %+v, not %+v\n%s", got, want, text)
	}
	if p.Engine == Ladder && back.Ladder.Hash() != p.Ladder.Hash() {
		t.Fatalf("another hash\n%s", text)
	}
}

var (
	bareName = regexp.MustCompile(`([{ ])(\w+): `)
	grouped  = regexp.MustCompile(`(\d)_(\d)`)
	trailing = regexp.MustCompile(`,(\s*)}`)
)

// asJSON turns the TypeScript of a compaction object into JSON, with the window
// and the counter that drover has no place for.
func asJSON(t *testing.T, p *Policy, text string) string {
	t.Helper()
	body, ok := strings.CutPrefix(strings.TrimSuffix(text, ",\n"), "compaction: ")
	if !ok {
		t.Fatalf("not a compaction object:\n%s", text)
	}
	var lines []string
	for line := range strings.Lines(body) {
		name, rest, isText := strings.Cut(line, `: "`)
		if isText && strings.HasPrefix(name, "  summary") {
			lines = append(lines, `"`+strings.TrimSpace(name)+`": "`+rest)
			continue
		}
		line = bareName.ReplaceAllString(line, `$1"$2": `)
		lines = append(lines, grouped.ReplaceAllString(line, "$1$2"))
	}
	head := `{"engine": "ladder", "counter": "drover", "window": 131072, "compaction": `
	if p.Window == 0 {
		head = `{"compaction": `
	}
	return head + trailing.ReplaceAllString(strings.Join(lines, ""), "$1}") + "}"
}

func TestAnyPolicyReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := New(rapid.SampledFrom(Engines).Draw(t, "engine"))
		p.Window = rapid.Int64Range(0, 10_000_000).Draw(t, "window")
		p.Counter = rapid.SampledFrom([]string{"", "heuristic", "ratio:local", "drover"}).Draw(t, "counter")
		if p.Engine == Truncating {
			p.Truncating.Window = p.Window
			p.Truncating.Threshold = rapid.IntRange(1, 100).Draw(t, "threshold")
			p.Truncating.AutoCompact = rapid.Bool().Draw(t, "auto")
			p.Truncating.TargetBase = rapid.SampledFrom([]compactor.Base{compactor.OfThreshold, compactor.OfWindow}).Draw(t, "base")
			p.Truncating.TargetPercent = rapid.IntRange(1, 100).Draw(t, "target")
			p.Truncating.PreserveRecent = rapid.IntRange(1, 10_000).Draw(t, "recent")
			p.Truncating.MinMessages = rapid.IntRange(2, 10_000).Draw(t, "minimum")
			p.Truncating.Reserve = rapid.Int64Range(0, 1_000_000).Draw(t, "reserve")
		} else {
			words := rapid.String()
			p.Ladder = ladder.Policy{
				Strategy:         rapid.SliceOfN(rapid.SampledFrom(ladder.Strategies), 1, 4).Draw(t, "strategy"),
				Preserve:         ladder.Preserve{FirstUserTurn: rapid.Bool().Draw(t, "first"), RecentTurns: rapid.IntRange(0, 99).Draw(t, "recent"), PinTools: rapid.SliceOfN(words, 0, 3).Draw(t, "pins")},
				MinReclaimTokens: rapid.Int64Range(0, 1<<50).Draw(t, "min"),
				CooldownTurns:    rapid.IntRange(0, 99).Draw(t, "cooldown"),
				SummaryPrompt:    "Say: " + words.Draw(t, "prompt"),
				SummaryModel:     words.Draw(t, "model"),
			}
			switch rapid.IntRange(0, 2).Draw(t, "trigger") {
			case 1:
				p.Ladder.Trigger = &ladder.Trigger{Kind: ladder.ContextFraction, Value: rapid.Float64Range(0.001, 0.999).Draw(t, "share")}
			case 2:
				p.Ladder.Trigger = &ladder.Trigger{Kind: ladder.InputTokens, Value: rapid.Float64Range(0.5, 1e9).Draw(t, "tokens")}
			}
		}
		for _, format := range []string{"toml", "json"} {
			out, err := Export(p, format)
			if err != nil {
				t.Fatal(err)
			}
			readBack(t, p, out)
		}
	})
}
