package compactor

import "cinch/model"

// TokenSplitter finds the boundary between old and recent messages for
// compactors that summarise: at a real turn transition, never inside a pair.
type TokenSplitter struct{ PreserveRecent, MinMessages int }

// NewTokenSplitter has the default knobs.
func NewTokenSplitter() TokenSplitter {
	p := DefaultPolicy()
	return TokenSplitter{p.PreserveRecent, p.MinMessages}
}

// Split parts messages into those to compact and those to preserve. The first
// list is empty when there is no good boundary.
func (t TokenSplitter) Split(messages []*model.Message) (old, recent []*model.Message) {
	i := t.Index(messages)
	return messages[:i], messages[i:]
}

// Index is the largest i up to len − PreserveRecent at which an assistant
// message is followed by a user message and no paired result from i on has its
// call before i; 0 when there is none, or when the list is no longer than
// MinMessages.
func (t TokenSplitter) Index(messages []*model.Message) int {
	p := Policy{PreserveRecent: t.PreserveRecent, MinMessages: t.MinMessages}.Clamped()
	n := len(messages)
	if n <= p.MinMessages {
		return 0
	}
	earliest := make([]int, n+1) // earliest call that any result at or after a position needs
	for i := range earliest {
		earliest[i] = i
	}
	for _, pair := range model.PairUp(messages).Pairs {
		at := pair.Result.Message
		earliest[at] = min(earliest[at], pair.Call.Message)
	}
	for i := n - 1; i >= 0; i-- {
		earliest[i] = min(earliest[i], earliest[i+1])
	}
	for i := n - p.PreserveRecent; i > 0; i-- {
		if messages[i-1].Role == model.Assistant && messages[i].Role == model.User && earliest[i] == i {
			return i
		}
	}
	return 0
}
