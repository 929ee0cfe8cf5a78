package transcript

import (
	"context"
	"strings"
	"testing"

	"cinch/model"
)

// TestForced: a format that is asked for wins over the one a document looks like,
// as long as its reader finds no less in it.
func TestForced(t *testing.T) {
	const (
		chat     = `{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"text","text":"ho"}]}]}`
		bare     = `[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]`
		lines    = `{"role":"user","content":"hi"}` + "\n" + `{"role":"assistant","content":"ho"}` + "\n"
		calls    = `[{"role":"user","content":"hi"},{"role":"assistant","content":"ho","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}]`
		blocks   = `[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]}]`
		parts    = `[{"role":"user","parts":[{"type":"text","text":"hi"}]},{"role":"assistant","parts":[{"type":"text","text":"ho"}]}]`
		uiParts  = `[{"id":"1","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"2","role":"assistant","parts":[{"type":"text","text":"ho"}]}]`
		contents = `{"contents":[{"parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"ho"}]}]}`
		saved    = `{"system_prompt":"s","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]}`
	)
	for _, test := range []struct {
		name, text string
		looks      string
		reads      []string // formats that read it when asked to
		refuses    []string
	}{
		{"a request of texts", chat, "openai", []string{"openai", "anthropic"}, []string{"claude-code", "codex", "pi", "gemini", "native", "langchain"}},
		{"a list of texts", bare, "openai", []string{"openai", "anthropic", "openai-responses"}, []string{"claude-code", "codex", "gemini", "native"}},
		{"texts on lines", lines, "openai", []string{"openai", "anthropic", "openai-responses"}, []string{"claude-code", "pi", "gemini"}},
		{"calls in OpenAI's words", calls, "openai", []string{"openai"}, []string{"anthropic", "gemini", "native"}},
		{"calls in Anthropic's words", blocks, "anthropic", []string{"anthropic", "openai"}, []string{"gemini", "native"}},
		{"parts", parts, "native", []string{"native", "vercel-ai"}, []string{"openai", "gemini"}},
		{"parts with ids", uiParts, "vercel-ai", []string{"vercel-ai", "native"}, []string{"gemini", "anthropic"}},
		{"contents", contents, "gemini", []string{"gemini"}, []string{"openai", "native", "claude-code"}},
		{"a saved list", saved, "openai", []string{"openai", "anthropic", "cline"}, []string{"gemini"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			open := func(format string) (*File, error) {
				return Read(context.Background(), "x", strings.NewReader(test.text), Options{Format: format})
			}
			f, err := open("")
			if err != nil || f.Format != test.looks {
				t.Fatalf("detected as %v (%v), want %s", f, err, test.looks)
			}
			want := utterances(f.Selected.View(model.Context), true)
			for _, name := range test.reads {
				f, err := open(name)
				if err != nil {
					t.Errorf("as %s: %v", name, err)
					continue
				}
				if got := utterances(f.Selected.View(model.Context), true); f.Format != name || got != want {
					t.Errorf("as %s, read as %s:\n%s\nwant\n%s", name, f.Format, got, want)
				}
			}
			for _, name := range test.refuses {
				if f, err := open(name); err == nil || !strings.Contains(err.Error(), "it is not of the "+name+" format: it looks like "+test.looks) {
					t.Errorf("as %s: %v, %v", name, f, err)
				}
			}
		})
	}
}

// TestForcedSamples opens every sample as what it is, when asked for by name.
func TestForcedSamples(t *testing.T) {
	for _, format := range formats {
		for _, path := range samples(t, format.Name) {
			f, err := Open(context.Background(), path, Options{})
			if err != nil {
				continue // refused on purpose
			}
			for _, as := range []string{f.Format, format.Name} {
				forced, err := Open(context.Background(), path, Options{Format: as})
				if err != nil {
					t.Errorf("%s as %s: %v", path, as, err)
					continue
				}
				if a, b := utterances(forced.Selected.Messages, true), utterances(f.Selected.Messages, true); a != b {
					t.Errorf("%s as %s:\n%s\nwant\n%s", path, as, a, b)
				}
			}
		}
	}
}
