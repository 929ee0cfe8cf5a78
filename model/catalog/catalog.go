// Package catalog knows what models can hold and what they cost, from a table
// that is part of the program. Nothing is fetched.
package catalog

import (
	"slices"
	"strings"
	"sync"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"
)

// Model is a language model. Prices are in US dollars for a million tokens, 0
// where the table has none.
type Model struct {
	ID       string // as its provider writes it
	Name     string // as people write it
	Provider string // whose numbers these are

	Window    int64 // context window, in tokens
	MaxOutput int64 // what an answer may hold unless asked otherwise, in tokens

	PriceInput      float64
	PriceOutput     float64
	PriceCacheRead  float64
	PriceCacheWrite float64
}

// longWindow is what Claude Code's suffix [1m] asks for, in tokens.
const longWindow = 1_000_000

// Lookup finds a model by a name as recordings write it: with or without a
// provider in front, a date or version behind, in Bedrock's or Vertex's words,
// with dots or dashes in its version. Where providers differ, the one named
// counts, else the model's maker. The suffix [1m] makes the window a million
// tokens, also for a model that is not in the table.
func Lookup(name string) (Model, bool) {
	provider, key, long := parse(name)
	if key == "" {
		return Model{}, false
	}
	m, ok := find(provider, key)
	if long {
		if m.Name == "" {
			m.ID, m.Name = name, name
		}
		m.Window, ok = max(m.Window, longWindow), true
	}
	return m, ok
}

// retired are the context windows of models that recordings name and the table
// has dropped, by the beginning of their key.
var retired = []struct {
	key    string
	window int64
}{
	{"claude-3-5-", 200_000}, {"claude-3-opus", 200_000}, {"claude-3-sonnet", 200_000}, {"claude-3-haiku", 200_000}, {"claude-2", 100_000},
	{"gemini-2-0-", 1_048_576}, {"gemini-1-5-pro", 2_097_152}, {"gemini-1-5-flash", 1_048_576},
	{"gpt-4-32k", 32_768}, {"gpt-3-5-turbo", 16_385}, {"o1-mini", 128_000},
}

func find(provider, key string) (Model, bool) {
	for _, k := range []string{key, reordered(key)} {
		if m, ok := current(provider, k); ok {
			return m, true
		}
	}
	for _, r := range retired {
		if strings.HasPrefix(key, r.key) {
			return Model{ID: key, Name: key, Window: r.window}, true
		}
	}
	return Model{}, false
}

// reordered is a Claude model's key with its family before its version, which some
// write behind: claude-4-5-opus.
func reordered(key string) string {
	words := strings.Split(key, "-")
	at := 1
	for at < len(words) && digits(words[at]) {
		at++
	}
	if words[0] != "claude" || at == 1 || at == len(words) {
		return key
	}
	return strings.Join(slices.Concat(words[:1], words[at:at+1], words[1:at], words[at+1:]), "-")
}

// current finds a model in the table.
func current(provider, key string) (Model, bool) {
	for {
		if entries := table()[key]; len(entries) > 0 {
			for _, m := range entries {
				if m.Provider == provider {
					return m, true
				}
			}
			return entries[0], true
		}
		shorter := trim(key)
		if shorter == key {
			return Model{}, false
		}
		key = shorter
	}
}

// variants are endings that name a way of running a model, not another model.
var variants = []string{
	"-thinking", "-think", "-nothink", "-minimal", "-low", "-medium", "-high", "-xhigh", "-max",
	"-fast", "-free", "-latest", "-preview", "-exp",
}

func trim(key string) string {
	for _, v := range variants {
		if short, ok := strings.CutSuffix(key, v); ok {
			return short
		}
	}
	return key
}

// parse takes a name apart: the provider it names, the key it is found under,
// and whether it asks for the long window.
func parse(name string) (provider, key string, long bool) {
	key = strings.ToLower(strings.TrimSpace(name))
	key, long = strings.CutSuffix(key, "[1m]")
	if i := strings.LastIndexByte(key, '/'); i >= 0 {
		provider, _, _ = strings.Cut(key, "/")
		key = key[i+1:]
	}
	// Bedrock: us.anthropic.claude-…-v1:0
	for _, region := range []string{"us.", "eu.", "apac.", "jp.", "au.", "ca.", "us-gov.", "global."} {
		if rest, ok := strings.CutPrefix(key, region); ok {
			key = rest
			break
		}
	}
	for _, maker := range []string{"anthropic.", "amazon.", "meta.", "mistral.", "cohere.", "deepseek.", "openai.", "qwen."} {
		if rest, ok := strings.CutPrefix(key, maker); ok {
			key = rest
			break
		}
	}
	key, _, _ = strings.Cut(key, ":")
	key = version(key)
	key = strings.ReplaceAll(key, "@", "-") // Vertex: claude-…@20250929
	return provider, strings.ReplaceAll(undated(key), ".", "-"), long
}

// version takes Bedrock's own version, -v1, off a name.
func version(key string) string {
	if i := strings.LastIndex(key, "-v"); i > 0 && digits(key[i+2:]) && len(key)-i == 3 && strings.HasPrefix(key, "claude") {
		return key[:i]
	}
	return key
}

// undated takes a date at the end off a name: -20250929 or -2025-08-07.
func undated(key string) string {
	if n := len(key) - 9; n > 0 && key[n] == '-' && digits(key[n+1:]) && strings.HasPrefix(key[n+1:], "20") {
		return key[:n]
	}
	if n := len(key) - 11; n > 0 && key[n] == '-' && key[n+5] == '-' && key[n+8] == '-' &&
		digits(key[n+1:n+5]+key[n+6:n+8]+key[n+9:]) && strings.HasPrefix(key[n+1:], "20") {
		return key[:n]
	}
	return key
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// makers are asked first for the models they make, then those that pass models
// on under their maker's terms. All others follow in the table's order.
var makers = []catwalk.InferenceProvider{
	catwalk.InferenceProviderAnthropic, catwalk.InferenceProviderOpenAI, catwalk.InferenceProviderGemini,
	catwalk.InferenceProviderXAI, catwalk.InferenceProviderDeepSeek, catwalk.InferenceProviderZAI,
	catwalk.InferenceProviderMoonshot, catwalk.InferenceProviderMiniMax,
	catwalk.InferenceProviderBedrock, catwalk.InferenceProviderVertexAI, catwalk.InferenceProviderAzure,
	catwalk.InferenceProviderOpenRouter, catwalk.InferenceProviderVercel,
}

// table is the models by key, the maker's numbers first.
var table = sync.OnceValue(func() map[string][]Model {
	rank := func(p catwalk.InferenceProvider) int {
		if i := slices.Index(makers, p); i >= 0 {
			return i
		}
		return len(makers)
	}
	providers := slices.Clone(embedded.GetAll())
	slices.SortStableFunc(providers, func(a, b catwalk.Provider) int { return rank(a.ID) - rank(b.ID) })
	out := map[string][]Model{}
	for _, p := range providers {
		for _, m := range p.Models {
			_, key, _ := parse(m.ID)
			if m.ContextWindow <= 0 || key == "" {
				continue
			}
			entry := Model{
				ID: m.ID, Name: m.Name, Provider: string(p.ID),
				Window: m.ContextWindow, MaxOutput: m.DefaultMaxTokens,
				PriceInput: m.CostPer1MIn, PriceOutput: m.CostPer1MOut,
			}
			// The table calls what is written to the cache "in cached" and what
			// is read from it "out cached", unless writing costs nothing extra:
			// then "in cached" is the price of reading.
			if m.CostPer1MOutCached == 0 && m.CostPer1MInCached < m.CostPer1MIn {
				entry.PriceCacheRead = m.CostPer1MInCached
			} else {
				entry.PriceCacheRead, entry.PriceCacheWrite = m.CostPer1MOutCached, m.CostPer1MInCached
			}
			out[key] = append(out[key], entry)
		}
	}
	return out
})
