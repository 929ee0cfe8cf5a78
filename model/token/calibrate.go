package token

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"cinch/model"
)

// Calibration is how many of the provider's tokens one token of a counter is
// worth, over one recorded session.
type Calibration struct {
	Under  Counter
	Calls  int     // growths of the prompt that were compared
	Median float64 // provider's tokens for one of ours
	P10    float64 // a tenth of the growths are below
	P90    float64 // a tenth are above

	num, den int64 // the median growth, in the provider's tokens and our units
}

// minGrowth is how far a prompt must have grown, in tokens of the counter, before
// its growth says something about the counter.
const minGrowth = 1000

var errNoUsage = errors.New("the file records no usage to calibrate on: choose another counter, such as o200k")

// Calibrate compares the growth of the prompt from the first call on, as the
// provider counted it, with c's count of the messages that made it grow. A system
// prompt and tool schemas, which the file may not have, drop out of a difference.
// Where the context was cut without a record of it, a new growth begins. A single
// call counts whole, where the file has the system prompt or the tools. It counts
// on all cores and tells its progress as [WeighParts] does.
func Calibrate(ctx context.Context, c Counter, conv *model.Conversation, progress func(done, total int64)) (Calibration, error) {
	calls := Calls(conv)
	if len(calls) == 0 {
		return Calibration{}, errNoUsage
	}
	messages := sentOnce(calls)
	list, err := WeighAll(ctx, c, messages, progress)
	if err != nil {
		return Calibration{}, err
	}
	weights := make(map[*model.Message]int64, len(messages))
	for i, m := range messages {
		weights[m] = list[i]
	}
	return calibrate(c, conv, weighCalls(calls, func(m *model.Message) int64 { return weights[m] }))
}

// sentOnce is every message that was sent with some call, once.
func sentOnce(calls []Call) (out []*model.Message) {
	seen := make(map[*model.Message]bool)
	for i, call := range calls {
		from := 0
		if i > 0 && call.grewFrom(calls[i-1]) {
			from = len(calls[i-1].Sent)
		}
		for _, m := range call.Sent[from:] {
			if !seen[m] {
				seen[m] = true
				out = append(out, m)
			}
		}
	}
	return out
}

func calibrate(c Counter, conv *model.Conversation, calls []weighed) (Calibration, error) {
	if len(calls) == 0 {
		return Calibration{}, errNoUsage
	}
	type growth struct{ theirs, ours int64 }
	var seen []growth
	first := calls[0]
	for i, call := range calls[1:] {
		before := calls[i]
		if !call.grewFrom(before.Call) || call.Input < before.Input-before.Input/10 {
			first = call
			continue
		}
		g := growth{call.Input - first.Input, call.weight - first.weight}
		if g.theirs > 0 && c.Tokens(g.ours) >= minGrowth {
			seen = append(seen, g)
		}
	}
	if len(seen) == 0 && (conv.System != "" || conv.Tools != "") {
		overhead := int64(0)
		for _, text := range []string{conv.System, conv.Tools} {
			if text != "" {
				overhead += c.Envelope() + c.Part(&model.Part{Text: text})
			}
		}
		seen = append(seen, growth{first.Input, overhead + first.weight})
	}
	if len(seen) == 0 {
		return Calibration{}, fmt.Errorf("the recorded calls grow by less than %d tokens: too little to calibrate on, choose another counter", minGrowth)
	}
	const many = 1 << 40
	each := many / float64(c.Tokens(many)) // our units a token
	value := func(g growth) float64 { return float64(g.theirs) * each / float64(g.ours) }
	slices.SortFunc(seen, func(a, b growth) int { return cmp.Compare(value(a), value(b)) })
	at := func(percent int) growth { return seen[(len(seen)-1)*percent/100] }
	middle := at(50)
	return Calibration{
		Under: c, Calls: len(seen), Median: value(middle), P10: value(at(10)), P90: value(at(90)),
		num: middle.theirs, den: middle.ours,
	}, nil
}

// Counter counts like the counter beneath, times the median: one exact fraction,
// applied to the whole sum, rounded down once.
func (k Calibration) Counter() Counter { return calibrated{k.Under, k.num, k.den, k} }

// CalibrationOf is what a calibrated counter was set right by; false for any other.
func CalibrationOf(c Counter) (Calibration, bool) {
	k, ok := c.(calibrated)
	return k.by, ok
}

type calibrated struct {
	Counter
	num, den int64
	by       Calibration
}

func (c calibrated) Name() string {
	if c.Counter == O200k {
		return "calibrated"
	}
	return "calibrated:" + c.Counter.Name()
}

func (c calibrated) base() Counter { return c.Counter }

func (c calibrated) Tokens(weight int64) int64 {
	hi, lo := bits.Mul64(uint64(max(0, weight)), uint64(c.num))
	if hi >= uint64(c.den) {
		return 1<<63 - 1
	}
	tokens, _ := bits.Div64(hi, lo, uint64(c.den))
	return int64(tokens)
}

// ParseFor is [Parse], and for a conversation with recorded usage also knows
// "calibrated", which is o200k set right by it, and "calibrated:" in front of any
// other counter.
func ParseFor(name string, conv *model.Conversation) (Counter, error) {
	return ParseAlong(context.Background(), name, conv, nil)
}

// ParseAlong is [ParseFor] for the background: calibrating a long session takes
// time, tells its progress in bytes of text and stops when ctx ends.
func ParseAlong(ctx context.Context, name string, conv *model.Conversation, progress func(done, total int64)) (Counter, error) {
	under, ok := strings.CutPrefix(name, "calibrated")
	if !ok {
		return Parse(name)
	}
	switch {
	case under == "":
		under = "o200k"
	case under[0] == ':':
		under = under[1:]
	default:
		return Parse(name)
	}
	c, err := Parse(under)
	if err != nil {
		return nil, err
	}
	k, err := Calibrate(ctx, c, conv, progress)
	if err != nil {
		return nil, err
	}
	return k.Counter(), nil
}
