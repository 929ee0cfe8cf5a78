package ui

import (
	"context"

	"cinch/compactor"
	"cinch/model"
	"cinch/model/token"
	"cinch/ui/draw"
)

// kind is what a gauge tells apart.
type kind uint8

const (
	overheadKind kind = iota
	systemKind
	summaryKind
	userKind
	assistantKind
	thinkingKind
	callKind
	resultKind
	imageKind
	kinds
)

// token is how a kind is drawn.
func (k kind) token() draw.Token {
	return [...]draw.Token{
		draw.KindOverhead, draw.KindSystem, draw.KindSummary, draw.KindUser, draw.KindAssistant,
		draw.KindThinking, draw.KindCalls, draw.KindResults, draw.KindImages,
	}[k]
}

// weights is a message's weight by kind, or a running sum of such, in the counter's units.
type weights [kinds]int64

func (w *weights) add(o *weights, times int64) {
	for k := range w {
		w[k] += times * o[k]
	}
}

// kindOf is what a part of a message counts as.
func kindOf(m *model.Message, p *model.Part) kind {
	switch p.Kind {
	case model.ToolCall:
		return callKind
	case model.ToolResult:
		return resultKind
	case model.Thinking, model.Opaque:
		return thinkingKind
	case model.Image, model.Document:
		return imageKind
	}
	return kindOfText(m)
}

func kindOfText(m *model.Message) kind {
	switch {
	case m.Mark == model.Summary:
		return summaryKind
	case m.Role == model.Assistant:
		return assistantKind
	case m.Role == model.System:
		return systemKind
	}
	return userKind
}

// weigh splits a message's weight by kind, given that of each part. What a
// message weighs beside its parts goes to the kind of the first.
func weigh(c token.Counter, m *model.Message, part func(i int) int64) weights {
	var w weights
	envelope := kindOfText(m)
	for i := range m.Parts {
		k := kindOf(m, &m.Parts[i])
		if i == 0 {
			envelope = k
		}
		w[k] += part(i)
	}
	w[envelope] += c.Envelope()
	return w
}

func (w *weights) sum() (n int64) {
	for _, k := range w {
		n += k
	}
	return n
}

// weighed is one view of a conversation whose text has been read by a counter.
// After this nothing reads text to count.
type weighed struct {
	conv     *model.Conversation
	view     model.View
	rec      *compactor.Recording
	each     []weights // one a recorded message
	recorded *standing
	approx   int // messages whose number is an estimate although the counter is exact

	overhead token.OverheadRule
	auto     int64 // tokens of overhead as long as none is set
	inferred bool  // whether those are inferred
}

func (w *weighed) counter() token.Counter { return w.rec.Counter }

// weighConversation counts a view of a conversation on all cores. It can take
// seconds with a tokenizer, so it tells its progress in bytes of text and stops
// when ctx ends.
func weighConversation(ctx context.Context, conv *model.Conversation, view model.View, c token.Counter, overhead token.OverheadRule, progress func(done, total int64)) (*weighed, error) {
	messages := conv.View(view)
	parts, err := token.WeighParts(ctx, c, messages, progress)
	if err != nil {
		return nil, err
	}
	w := &weighed{conv: conv, view: view, each: make([]weights, len(messages))}
	sums := make([]int64, len(messages))
	known := make(map[*model.Message]int64, len(messages))
	for i, m := range messages {
		w.each[i] = weigh(c, m, func(k int) int64 { return parts[i][k] })
		sums[i] = w.each[i].sum()
		known[m] = sums[i]
	}
	w.approx = token.Approximated(c, messages)
	w.rec = compactor.Prepare(messages, c, sums)
	w.auto, w.inferred = token.OverheadRule{}.Of(c, conv, func(m *model.Message) int64 {
		if n, ok := known[m]; ok {
			return n
		}
		return token.Weigh(c, m)
	})
	w.rec.Overhead, w.rec.Inferred = w.auto, w.inferred
	w.recorded = w.stand(w.rec.View())
	if _, set := overhead.Fixed(); set {
		w = w.under(overhead)
	}
	return w, nil
}

// under is the same with another overhead. Nothing is counted again.
func (w *weighed) under(o token.OverheadRule) *weighed {
	next, rec := *w, *w.rec
	next.overhead = o
	rec.Overhead, rec.Inferred = w.auto, w.inferred
	if n, set := o.Fixed(); set {
		rec.Overhead, rec.Inferred = n, false
	}
	next.rec, next.recorded = &rec, w.recorded.over(&rec)
	return &next
}

// standing is a conversation as it stands, with what a screen asks of it at
// every change but which does not change itself.
type standing struct {
	view   *compactor.View
	sums   []weights // running sums by kind, one longer than the view
	gutter *draw.Gutter
	runs   []int // positions at which a run starts: a user message that carries no tool result
	calls  int   // assistant messages

	largest int64 // tokens of the largest message
	gists   map[*model.Message]string
}

// stand prepares a view. It reads the text of messages that a pass made, of
// which there are few.
func (w *weighed) stand(v *compactor.View) *standing {
	s := &standing{view: v, sums: make([]weights, v.Len()+1), gists: map[*model.Message]string{}}
	for i := range v.Len() {
		s.sums[i+1] = s.sums[i]
		if own := s.of(w, i); own != nil {
			s.sums[i+1].add(own, 1)
		}
		s.largest = max(s.largest, v.TokensOf(i))
		switch m := v.Message(i); {
		case v.RoleAt(i) == model.Assistant:
			s.calls++
		case v.RoleAt(i) == model.User && !m.HasResult():
			s.runs = append(s.runs, i)
		}
	}
	s.gutter = gutterOf(v.Pairing())
	return s
}

// over is the same with a recording that differs in its overhead alone.
func (s *standing) over(r *compactor.Recording) *standing {
	next := *s
	next.view = s.view.Over(r)
	return &next
}

// gutterOf lays out the brackets that join calls to results.
func gutterOf(p model.Pairing) *draw.Gutter {
	spans := make([]draw.Span, len(p.Pairs))
	for i, pair := range p.Pairs {
		spans[i] = draw.Span{Call: pair.Call.Message, Result: pair.Result.Message}
	}
	at := func(refs []model.Ref) []int {
		out := make([]int, len(refs))
		for i, r := range refs {
			out[i] = r.Message
		}
		return out
	}
	return draw.NewGutter(spans, at(p.LoneCalls), at(p.LoneResults))
}

// of is the weight by kind of the message at i.
func (s *standing) of(w *weighed, i int) *weights {
	m := s.view.Message(i)
	if n := s.view.Recorded(i); n >= 0 && w.rec.Messages[n] == m {
		return &w.each[n]
	}
	c := w.rec.Counter
	own := weigh(c, m, func(k int) int64 { return c.Part(&m.Parts[k]) })
	return &own
}

// split is a number of tokens by kind. The kinds add up to the whole exactly:
// each is the difference of two rounded running sums.
type split [kinds]int64

func (s split) total() int64 {
	var n int64
	for _, v := range s {
		n += v
	}
	return n
}

func splitOf(c token.Counter, w weights, overhead int64) split {
	out := split{overheadKind: overhead}
	var sum, done int64
	for k := overheadKind + 1; k < kinds; k++ {
		sum += w[k]
		t := c.Tokens(sum)
		out[k], done = t-done, t
	}
	return out
}

// splitAll is the whole conversation with the overhead.
func (s *standing) splitAll(overhead int64) split {
	return splitOf(s.view.Recording().Counter, s.sums[s.view.Len()], overhead)
}

// splitRange is the messages from i up to j.
func (s *standing) splitRange(i, j int) split {
	w := s.sums[j]
	w.add(&s.sums[i], -1)
	return splitOf(s.view.Recording().Counter, w, 0)
}

// gistsKept is how many lines of the list are remembered.
const gistsKept = 4096

// gist is a message in one line, remembered while it is likely to be drawn again.
func (s *standing) gist(m *model.Message) string {
	line, ok := s.gists[m]
	if !ok {
		if len(s.gists) >= gistsKept {
			clear(s.gists)
		}
		line = gist(m)
		s.gists[m] = line
	}
	return line
}

// splitKept is what a pass keeps, with the overhead. Neighbours are taken
// together, so the cost is that of the pass and not of the text.
func (s *standing) splitKept(p *compactor.Pass, overhead int64) split {
	c := s.view.Recording().Counter
	var w weights
	out := p.Output()
	for a := 0; a < len(out); {
		b := a + 1
		for b < len(out) && out[b] == out[b-1]+1 {
			b++
		}
		w.add(&s.sums[out[b-1]+1], 1)
		w.add(&s.sums[out[a]], -1)
		a = b
	}
	for i, parts := range p.Removed {
		if p.Fate(i) == compactor.Emptied {
			continue
		}
		m := s.view.Message(i)
		for _, at := range parts {
			w[kindOf(m, &m.Parts[at])] -= c.Part(&m.Parts[at])
		}
	}
	return splitOf(c, w, overhead)
}
