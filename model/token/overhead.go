package token

import (
	"errors"
	"strconv"
	"strings"

	"cinch/model"
)

// OverheadRule says what is taken for the tokens that ride every request beside
// the messages. The zero value counts the system prompt and the tool schemas of
// the file; where it holds neither, it takes the number it holds in their place, or
// infers one from the first recorded call.
type OverheadRule struct {
	set    bool
	tokens int64
}

// FixedOverhead takes a number of tokens, 0 for none.
func FixedOverhead(tokens int64) OverheadRule { return OverheadRule{true, max(0, tokens)} }

// Fixed is the number that was set, and whether one was.
func (o OverheadRule) Fixed() (tokens int64, set bool) { return o.tokens, o.set }

// Of is the overhead of a conversation in c's tokens, and whether it is inferred.
// weigh gives messages whose text was read already; nil reads it.
func (o OverheadRule) Of(c Counter, conv *model.Conversation, weigh func(*model.Message) int64) (tokens int64, inferred bool) {
	switch {
	case o.set:
		return o.tokens, false
	case conv.System != "" || conv.Tools != "":
		return Overhead(c, conv.System, conv.Tools), false
	case conv.Overhead > 0:
		return conv.Overhead, true
	}
	if weigh == nil {
		weigh = func(m *model.Message) int64 { return Weigh(c, m) }
	}
	tokens, _, inferred = inferOverhead(Calls(conv), func(_ int, sent []*model.Message) int64 {
		var w int64
		for _, m := range sent {
			w += weigh(m)
		}
		return c.Tokens(w)
	})
	return tokens, inferred
}

// Size is the tokens of a conversation as it stands when it is opened with nothing
// set: the context view by the heuristic counter, and the overhead. It is what lists
// of sessions say, and what the gauge then shows.
func Size(conv *model.Conversation) int64 {
	messages := conv.View(model.Context)
	known := make(map[*model.Message]int64, len(messages))
	var sum int64
	for _, m := range messages {
		known[m] = Weigh(Heuristic, m)
		sum += known[m]
	}
	overhead, _ := OverheadRule{}.Of(Heuristic, conv, func(m *model.Message) int64 {
		if w, ok := known[m]; ok {
			return w
		}
		return Weigh(Heuristic, m)
	})
	return Heuristic.Tokens(sum) + overhead
}

const autoOverhead = "auto"

// ParseOverhead reads auto or a number of tokens, such as 12000 or 12k.
func ParseOverhead(s string) (OverheadRule, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == autoOverhead {
		return OverheadRule{}, nil
	}
	digits, unit := strings.ReplaceAll(s, ",", ""), int64(1)
	if k, ok := strings.CutSuffix(digits, "k"); ok {
		digits, unit = k, 1000
	}
	const most = 1 << 40
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > most/unit {
		return OverheadRule{}, errors.New("want auto, or a number of tokens such as 12000 or 12k; 0 for none")
	}
	return FixedOverhead(n * unit), nil
}

func (o OverheadRule) String() string {
	if !o.set {
		return autoOverhead
	}
	return strconv.FormatInt(o.tokens, 10)
}
