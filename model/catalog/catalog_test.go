package catalog

import "testing"

func TestLookup(t *testing.T) {
	for _, test := range []struct {
		name     string
		window   int64
		provider string
	}{
		{"claude-opus-4-5-20251101", 200_000, "anthropic"},
		{"claude-opus-4-5", 200_000, "anthropic"},
		{"Claude-Opus-4.5", 200_000, "anthropic"},
		{"anthropic/claude-sonnet-4.5", 200_000, "anthropic"},
		{"openrouter/anthropic/claude-sonnet-4.5", 1_000_000, "openrouter"},
		{"litellm_proxy/claude-sonnet-4-20250514", 200_000, "anthropic"},
		{"claude-opus-4-6[1m]", 1_000_000, "anthropic"},
		{"claude-haiku-4-5-20251001", 200_000, "anthropic"},
		{"claude-haiku-4-5-latest", 200_000, "anthropic"},
		{"us.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000, "anthropic"},
		{"anthropic.claude-opus-4-6-v1", 200_000, "anthropic"},
		{"claude-sonnet-4-5@20250929", 200_000, "anthropic"},
		{"publishers/anthropic/models/claude-opus-4-5@20251101", 200_000, "anthropic"},
		{"gpt-4o", 128_000, "openai"},
		{"gpt-4o-2024-08-06", 128_000, "openai"},
		{"openai/gpt-4o-mini", 128_000, "openai"},
		{"gpt-5-2025-08-07", 400_000, "openai"},
		{"gpt-5.1-codex", 400_000, "openai"},
		{"gpt-5-high", 400_000, "openai"},
		{"gpt-5.3-codex-spark", 128_000, "opencode-zen"},
		{"gemini-2.5-flash", 1_048_576, "gemini"},
		{"models/gemini-3-pro-preview", 1_048_576, "gemini"},
		{"claude-4.5-opus-high-thinking", 200_000, "anthropic"},
		{"claude-4-sonnet", 200_000, "anthropic"},
		{"anthropic/claude-3-5-sonnet-20241022", 200_000, ""},
		{"claude-3-opus-20240229", 200_000, ""},
		{"gemini-2.0-flash-001", 1_048_576, ""},
		{"gemini-1.5-pro-latest", 2_097_152, ""},
		{"gpt-3.5-turbo-16k", 16_385, ""},
		{"never-heard-of[1m]", 1_000_000, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, ok := Lookup(test.name)
			if !ok || m.Window != test.window || m.Provider != test.provider {
				t.Errorf("found %+v, %v, want window %d of %q", m, ok, test.window, test.provider)
			}
		})
	}
	for _, name := range []string{"", " ", "/", "<synthetic>", "never-heard-of", "claude", "gpt"} {
		if m, ok := Lookup(name); ok {
			t.Errorf("%q found as %+v", name, m)
		}
	}
}

// Every model in the table is found under its own name, with a window.
func TestEveryModelIsFound(t *testing.T) {
	n := 0
	for _, models := range table() {
		for _, m := range models {
			n++
			found, ok := Lookup(m.Provider + "/" + m.ID)
			if !ok || found.Window <= 0 {
				t.Errorf("%s of %s: found %+v, %v", m.ID, m.Provider, found, ok)
			}
		}
	}
	if n < 500 {
		t.Errorf("%d models in the table", n)
	}
}

func TestPrices(t *testing.T) {
	m, _ := Lookup("claude-sonnet-4-5")
	if m.PriceInput <= 0 || m.PriceOutput <= m.PriceInput || m.PriceCacheRead >= m.PriceInput || m.PriceCacheWrite <= m.PriceInput {
		t.Errorf("prices %+v: reading the cache must be cheaper than input, writing it dearer, output dearest", m)
	}
}

func TestPricesWhereWritingTheCacheIsFree(t *testing.T) {
	m, _ := Lookup("gpt-5.4")
	if m.PriceCacheRead <= 0 || m.PriceCacheRead >= m.PriceInput || m.PriceCacheWrite != 0 {
		t.Errorf("prices %+v: reading the cache must be cheaper than input, writing it no charge of its own", m)
	}
}
