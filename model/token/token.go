// Package token counts. A counter gives each message a weight once; every total
// shown anywhere is a sum of weights that the same counter finishes with one
// rounding. Nothing else in the project turns text into numbers.
package token

import (
	"fmt"
	"strconv"
	"strings"

	"cinch/model"
)

// Counter estimates tokens. Implementations are safe for concurrent use.
type Counter interface {
	// Name is what --counter takes and every screen shows beside its numbers.
	Name() string
	// Envelope is the weight a message has before its parts, in the counter's own units.
	Envelope() int64
	// Part is one part's weight, in the counter's own units.
	Part(*model.Part) int64
	// Tokens finishes a sum of weights: the one rounding.
	Tokens(weight int64) int64
}

// Weigh is a message's weight in c's units.
func Weigh(c Counter, m *model.Message) int64 {
	w := c.Envelope()
	for i := range m.Parts {
		w += c.Part(&m.Parts[i])
	}
	return w
}

// Count is the tokens of a list of messages, rounded once over the whole list.
func Count(c Counter, messages []*model.Message) int64 {
	var w int64
	for _, m := range messages {
		w += Weigh(c, m)
	}
	return c.Tokens(w)
}

// Overhead is the tokens of what rides every request beside the messages: the
// system prompt and the tool schemas (compact JSON), each as one user message of text.
func Overhead(c Counter, system, tools string) int64 {
	var w int64
	for _, text := range []string{system, tools} {
		if text != "" {
			w += c.Envelope() + c.Part(&model.Part{Kind: model.Text, Text: text})
		}
	}
	return c.Tokens(w)
}

// Names lists what Parse takes, for help and completion.
var Names = []string{"heuristic", "o200k", "cl100k", "ratio:openai", "ratio:anthropic", "ratio:gemini", "ratio:local", "drover"}

// Parse makes the counter a name stands for. Behind any name, ",image:RULE" counts
// pictures by a provider's rule.
func Parse(name string) (Counter, error) {
	if inner, rule, ok := strings.Cut(name, ",image:"); ok {
		c, err := Parse(inner)
		if err != nil {
			return nil, err
		}
		return WithImages(c, rule)
	}
	switch {
	case name == "" || name == "heuristic":
		return Heuristic, nil
	case name == "o200k":
		return O200k, nil
	case name == "cl100k":
		return Cl100k, nil
	case name == "drover":
		return Drover, nil
	case strings.HasPrefix(name, "ratio:"):
		return parseRatio(name)
	case name == "calibrated" || strings.HasPrefix(name, "calibrated:"):
		return nil, fmt.Errorf("counter %q needs a conversation with recorded usage", name)
	}
	return nil, fmt.Errorf("unknown counter %q: one of %s, or ratio:CHARS+TOKENS such as ratio:3.9+4", name, strings.Join(Names, ", "))
}

// presets are loopctl's ratio counters: characters a token, tokens a message.
var presets = map[string]string{"openai": "4.30+4", "anthropic": "3.60+5", "gemini": "4.05+4", "local": "3.80+4"}

func parseRatio(name string) (Counter, error) {
	spec := strings.TrimPrefix(name, "ratio:")
	if p, ok := presets[spec]; ok {
		spec = p
	}
	chars, each, found := strings.Cut(spec, "+")
	num, den, err := decimal(chars)
	if err != nil {
		return nil, fmt.Errorf("counter %q: characters per token must be a positive number below 1000 with at most 6 decimals, such as 3.9", name)
	}
	perMessage := uint64(0)
	if found {
		if perMessage, err = strconv.ParseUint(each, 10, 32); err != nil || perMessage > 9999 {
			return nil, fmt.Errorf("counter %q: tokens per message must be a whole number from 0 to 9999, such as +4", name)
		}
	}
	return ratio{name, num, den, int64(perMessage)}, nil
}

// decimal reads a positive decimal number as an exact fraction. Its bounds keep
// every weight of a conversation far inside 64 bits.
func decimal(s string) (num, den int64, err error) {
	whole, frac, point := strings.Cut(s, ".")
	if len(whole) > 3 || len(frac) > 6 || point && frac == "" {
		return 0, 0, strconv.ErrRange
	}
	den = 1
	for range frac {
		den *= 10
	}
	n, err := strconv.ParseUint(whole+frac, 10, 63)
	if err != nil || n == 0 {
		return 0, 0, strconv.ErrSyntax
	}
	return int64(n), den, nil
}
