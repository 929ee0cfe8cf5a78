package model

// Ref names one part of one message of a list, both by index.
type Ref struct{ Message, Part int }

// Pair is a tool call and the tool result that answers it.
type Pair struct{ Call, Result Ref }

// Pairing is the tool traffic of a list of messages.
type Pairing struct {
	Pairs       []Pair // in the order of their results
	LoneCalls   []Ref  // calls without a result: it may still be in flight
	LoneResults []Ref  // results without an earlier call
}

// Matcher is the pairing rule: a stack of unconsumed calls for each id, of which
// a result takes the most recent one. Reused ids therefore make separate pairs.
// The zero Matcher is ready.
type Matcher[ID comparable, At any] struct{ open map[ID][]At }

// Call notes a tool call.
func (m *Matcher[ID, At]) Call(id ID, at At) {
	if m.open == nil {
		m.open = map[ID][]At{}
	}
	m.open[id] = append(m.open[id], at)
}

// Result takes the call a tool result answers, or reports that there is none.
func (m *Matcher[ID, At]) Result(id ID) (call At, ok bool) {
	stack := m.open[id]
	if len(stack) == 0 {
		return call, false
	}
	m.open[id] = stack[:len(stack)-1]
	return stack[len(stack)-1], true
}

// PairUp matches tool results to tool calls in one forward scan. The order of
// parts counts inside a message too. A call or result with an empty id pairs
// with nothing: two parts without an id have no reason to belong together.
func PairUp(messages []*Message) Pairing {
	var out Pairing
	var match Matcher[string, Ref]
	answered := map[Ref]bool{}
	each := func(visit func(*Part, Ref)) {
		for m := range messages {
			for p := range messages[m].Parts {
				visit(&messages[m].Parts[p], Ref{m, p})
			}
		}
	}
	each(func(part *Part, at Ref) {
		switch part.Kind {
		case ToolCall:
			if part.ID != "" {
				match.Call(part.ID, at)
			}
		case ToolResult:
			if call, ok := match.Result(part.ID); ok {
				answered[call] = true
				out.Pairs = append(out.Pairs, Pair{call, at})
			} else {
				out.LoneResults = append(out.LoneResults, at)
			}
		}
	})
	each(func(part *Part, at Ref) {
		if part.Kind == ToolCall && !answered[at] {
			out.LoneCalls = append(out.LoneCalls, at)
		}
	})
	return out
}
