package token

import (
	"context"
	"slices"

	"cinch/model"
)

// Row is one counter's view of a conversation.
type Row struct {
	Counter  string
	Total    int64                   // tokens of what the model would be sent next, overhead included
	Overhead int64                   // tokens of system prompt and tool schemas
	Inferred bool                    // the overhead is inferred from the first call
	Approx   int                     // messages whose number is an estimate though the counter is exact
	Envelope int64                   // tokens of messages beside their parts
	Kinds    [model.Opaque + 1]int64 // tokens by kind of part; pictures and documents in a tool result are their own kind

	Calls int // recorded calls that were compared
	// How far the estimates of whole prompts are from what the provider counted,
	// in percent, negative where they are too low: the median call, and the one
	// that is furthest off. The call an overhead is inferred from does not count.
	Error, Worst float64

	Calibration *Calibration // nil where the file does not record enough
}

// Compare counts a conversation's context with each of the named counters, in
// their order, and holds every estimate against the usage the file records.
func Compare(ctx context.Context, conv *model.Conversation, names []string) ([]Row, error) {
	context, calls := conv.View(model.Context), Calls(conv)
	pieces, whose := byKind(context, calls)
	rows := make([]Row, 0, len(names))
	for _, name := range names {
		c, err := ParseAlong(ctx, name, conv, nil)
		if err != nil {
			return nil, err
		}
		weights, err := WeighParts(ctx, c, pieces, nil)
		if err != nil {
			return nil, err
		}
		kinds := make(map[*model.Message][model.Opaque + 1]int64, len(pieces))
		for i, list := range weights {
			var k [model.Opaque + 1]int64
			for n, w := range list {
				k[pieces[i].Parts[n].Kind] += w
			}
			kinds[whose[i]] = k
		}
		r := row(c, conv, context, calls, kinds)
		r.Approx = Approximated(c, context)
		rows = append(rows, r)
	}
	return rows, nil
}

// byKind is every message that was or would be sent, once, with the pictures and
// documents of its tool results as parts of their own.
func byKind(context []*model.Message, calls []Call) (pieces, whose []*model.Message) {
	seen := make(map[*model.Message]bool)
	add := func(list []*model.Message) {
		for _, m := range list {
			if seen[m] {
				continue
			}
			seen[m] = true
			whose = append(whose, m)
			pieces = append(pieces, &model.Message{Parts: apart(m.Parts)})
		}
	}
	add(context)
	for i, call := range calls {
		from := 0
		if i > 0 && call.grewFrom(calls[i-1]) {
			from = len(calls[i-1].Sent)
		}
		add(call.Sent[from:])
	}
	return pieces, whose
}

// apart is parts with everything that is not text taken out of tool results.
func apart(parts []model.Part) []model.Part {
	isText := func(p model.Part) bool { return p.Kind == model.Text }
	if !slices.ContainsFunc(parts, func(p model.Part) bool { return !allText(p.List) }) {
		return parts
	}
	var out []model.Part
	for _, p := range parts {
		if allText(p.List) {
			out = append(out, p)
			continue
		}
		media := slices.DeleteFunc(slices.Clone(p.List), isText)
		p.List = slices.DeleteFunc(slices.Clone(p.List), func(q model.Part) bool { return !isText(q) })
		out = append(append(out, p), media...)
	}
	return out
}

func allText(list []model.Part) bool {
	return !slices.ContainsFunc(list, func(p model.Part) bool { return p.Kind != model.Text })
}

func row(c Counter, conv *model.Conversation, context []*model.Message, calls []Call, kinds map[*model.Message][model.Opaque + 1]int64) Row {
	weight := func(m *model.Message) int64 {
		w := c.Envelope()
		for _, k := range kinds[m] {
			w += k
		}
		return w
	}
	r := Row{Counter: c.Name(), Overhead: Overhead(c, conv.System, conv.Tools)}
	known := weighCalls(calls, weight)
	compared := known
	if conv.System == "" && conv.Tools == "" {
		var from int
		r.Overhead, from, r.Inferred = inferOverhead(calls, func(call int, _ []*model.Message) int64 { return c.Tokens(known[call].weight) })
		if r.Inferred {
			compared = holdable(c, known, from, r.Overhead)
		}
	}
	r.Calls = len(compared)
	r.Error, r.Worst = errorsOf(c, r.Overhead, compared)
	if k, err := calibrate(c, conv, known); err == nil {
		r.Calibration = &k
	}
	var sums [model.Opaque + 1]int64
	var total int64
	for _, m := range context {
		for k, w := range kinds[m] {
			sums[k] += w
		}
		total += weight(m)
	}
	for k, w := range sums {
		r.Kinds[k] = c.Tokens(w)
	}
	r.Envelope = c.Tokens(int64(len(context)) * c.Envelope())
	r.Total = r.Overhead + c.Tokens(total)
	return r
}

// holdable is the calls that an inferred overhead can be held against: not the
// one it comes from, and none from a stretch whose first call carried half as much
// again beside its messages, which means messages that the file does not hold.
func holdable(c Counter, known []weighed, from int, overhead int64) (out []weighed) {
	whole := true
	for i, call := range known {
		if i == 0 || call.context != known[i-1].context {
			whole = call.Input-c.Tokens(call.weight) <= overhead+overhead/2
		}
		if whole && i != from {
			out = append(out, call)
		}
	}
	return out
}

// errorsOf is the median and the furthest error of the estimates, in percent; 0, 0
// for no calls.
func errorsOf(c Counter, overhead int64, calls []weighed) (middle, worst float64) {
	var all []float64
	for _, call := range calls {
		e := 100 * (float64(overhead+c.Tokens(call.weight)) - float64(call.Input)) / float64(call.Input)
		all = append(all, e)
		if e*e > worst*worst {
			worst = e
		}
	}
	if len(all) == 0 {
		return 0, 0
	}
	slices.Sort(all)
	return all[len(all)/2], worst
}
