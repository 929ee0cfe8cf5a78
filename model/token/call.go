package token

import "cinch/model"

// Call is one recorded call of the model of which both are known: the messages
// that were sent, and what the provider said the prompt cost.
type Call struct {
	Answer *model.Message
	Sent   []*model.Message
	Input  int64 // tokens of the whole prompt, by the provider's count

	context bool // sent after the newest recorded compaction
}

// Calls lists them in order. Up to the first recorded compaction the history was
// sent; after the newest one, the context. What a call between two compactions
// sent is not known, so those are left out.
func Calls(conv *model.Conversation) (calls []Call) {
	before, since := stretches(conv)
	calls = appendCalls(calls, before, nil)
	if since == nil {
		return calls
	}
	return appendCalls(calls, conv.View(model.Context), since)
}

// stretches are the history up to the first recorded compaction, and what follows
// the newest one; nil where there is none.
func stretches(conv *model.Conversation) (before []*model.Message, since map[*model.Message]bool) {
	history := conv.View(model.History)
	first, last := len(history), 0
	for _, k := range conv.Compactions {
		first, last = min(first, k.History), max(last, k.History)
	}
	if len(conv.Compactions) > 0 {
		since = make(map[*model.Message]bool)
		for _, m := range history[min(last, len(history)):] {
			since[m] = true
		}
	}
	return history[:first], since
}

// Told are those of some messages whose usage still says how large the context is
// that stands before them there: all that was sent does, and unchanged. A message
// from which a pass took something is another one than the recorded.
func Told(conv *model.Conversation, messages []*model.Message) map[*model.Message]bool {
	told := map[*model.Message]bool{}
	before, since := stretches(conv)
	along := func(sent []*model.Message, counts func(*model.Message) bool) {
		for i, m := range messages {
			if i >= len(sent) {
				return
			}
			if m.Usage != nil && m.Usage == sent[i].Usage && counts(sent[i]) {
				told[m] = true
			}
			if m != sent[i] {
				return
			}
		}
	}
	along(before, func(*model.Message) bool { return true })
	along(conv.View(model.Context), func(m *model.Message) bool { return since == nil || since[m] })
	return told
}

// appendCalls adds the calls answered within list, by the messages of only unless
// that is nil. An answer may be recorded as several messages of which the last has
// the usage; none of them was sent.
func appendCalls(calls []Call, list []*model.Message, only map[*model.Message]bool) []Call {
	for i, m := range list {
		if m.Usage == nil || m.Usage.Input <= 0 || only != nil && !only[m] {
			continue
		}
		sent := i
		for sent > 0 && list[sent-1].Role == model.Assistant && list[sent-1].Usage == nil {
			sent--
		}
		calls = append(calls, Call{m, list[:sent], m.Usage.Input, only != nil})
	}
	return calls
}

// weighed is a call's prompt in a counter's units, without overhead.
type weighed struct {
	Call
	weight int64
}

// weighCalls weighs every call's messages, each message once.
func weighCalls(calls []Call, weigh func(*model.Message) int64) []weighed {
	out := make([]weighed, len(calls))
	for i, call := range calls {
		from, w := 0, int64(0)
		if i > 0 && call.grewFrom(calls[i-1]) {
			from, w = len(calls[i-1].Sent), out[i-1].weight
		}
		for _, m := range call.Sent[from:] {
			w += weigh(m)
		}
		out[i] = weighed{call, w}
	}
	return out
}

// grewFrom reports whether b's messages begin with all of a's.
func (b Call) grewFrom(a Call) bool { return a.context == b.context && len(a.Sent) <= len(b.Sent) }

// inferOverhead estimates the tokens of a system prompt and tool schemas that the
// file does not have: the first call's recorded input less the count of what it
// sent, never negative. Where the file has a first call after a compaction too, the
// smaller of the two counts, because messages that are missing from the file can
// only add. It reports false where there is no call, or where so much is left that
// the file must lack its beginning, and tells the call it goes by. count is the
// tokens of what a call sent.
func inferOverhead(calls []Call, count func(call int, sent []*model.Message) int64) (tokens int64, from int, ok bool) {
	for i, call := range calls {
		if i > 0 && call.context == calls[i-1].context {
			continue
		}
		if rest := max(0, call.Input-count(i, call.Sent)); !ok || rest < tokens {
			tokens, from, ok = rest, i, true
		}
	}
	if tokens > mostInferred {
		return 0, from, false
	}
	return tokens, from, ok
}

// mostInferred is the largest overhead in tokens that is believed. System prompt
// and tool schemas of coding agents take 10,000 to 50,000; a call that was sent
// more beside its messages was sent messages that the file no longer has.
const mostInferred = 64_000
