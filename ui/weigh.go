package ui

import (
	"context"
	"slices"

	"cinch/compactor"
	"cinch/compactor/study"
	"cinch/model"
	"cinch/model/token"
	"cinch/ui/draw"
)

// drawnKind is how a kind of tokens is drawn.
var drawnKind = [token.Kinds]draw.Token{
	draw.KindOverhead, draw.KindSystem, draw.KindSummary, draw.KindUser, draw.KindAssistant, draw.KindThinking,
	draw.KindSealed, draw.KindCalls, draw.KindResults, draw.KindImages, draw.KindDocuments,
}

// weighed is one view of a conversation whose text has been read by a counter.
// After this nothing reads text to count.
type weighed struct {
	conv     *model.Conversation
	view     model.View
	rec      *compactor.Recording
	each     []token.Weights // one a recorded message
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
	return weighOnto(ctx, nil, conv, view, c, overhead, progress)
}

// weighOnto is weighConversation for a conversation that was counted before, by
// the same counter: the messages with which both begin are not counted again.
func weighOnto(ctx context.Context, before *weighed, conv *model.Conversation, view model.View, c token.Counter, overhead token.OverheadRule, progress func(done, total int64)) (*weighed, error) {
	messages := conv.View(view)
	same := before.common(messages)
	each, err := token.DivideAll(ctx, c, messages[same:], progress)
	if err != nil {
		return nil, err
	}
	if same > 0 {
		each = slices.Concat(before.each[:same], each)
	}
	w := &weighed{conv: conv, view: view, each: each}
	sums := make([]int64, len(messages))
	known := make(map[*model.Message]int64, len(messages))
	for i, m := range messages {
		sums[i] = each[i].Sum()
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

// common is how many messages both begin with.
func (w *weighed) common(messages []*model.Message) (n int) {
	if w == nil {
		return 0
	}
	most := min(len(w.rec.Messages), len(messages))
	for n < most && alike(w.rec.Messages[n], messages[n]) {
		n++
	}
	return n
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
	sums   []token.Weights // running sums by kind, one longer than the view
	gutter *draw.Gutter
	runs   []int // positions at which a run starts

	largest int64 // tokens of the largest message
	gists   map[*model.Message]string
}

// stand prepares a view. It reads the text of messages that a pass made, of
// which there are few.
func (w *weighed) stand(v *compactor.View) *standing {
	s := &standing{view: v, sums: make([]token.Weights, v.Len()+1), gists: map[*model.Message]string{}}
	for i := range v.Len() {
		s.sums[i+1] = s.sums[i]
		if own := s.of(w, i); own != nil {
			s.sums[i+1].Add(own, 1)
		}
		s.largest = max(s.largest, v.TokensOf(i))
	}
	s.runs = compactor.Runs(v)
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
func (s *standing) of(w *weighed, i int) *token.Weights {
	m := s.view.Message(i)
	if n := s.view.Recorded(i); n >= 0 && w.rec.Messages[n] == m {
		return &w.each[n]
	}
	c := w.rec.Counter
	own := token.Divide(c, m, func(k int) int64 { return c.Part(&m.Parts[k]) })
	return &own
}

// splitAll is the whole conversation with the overhead.
func (s *standing) splitAll(overhead int64) token.Split {
	return s.sums[s.view.Len()].Split(s.view.Recording().Counter, overhead)
}

// splitRange is the messages from i up to j.
func (s *standing) splitRange(i, j int) token.Split {
	w := s.sums[j]
	w.Add(&s.sums[i], -1)
	return w.Split(s.view.Recording().Counter, 0)
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

// splitKept is what a pass keeps, with the overhead.
func (s *standing) splitKept(p *compactor.Pass, overhead int64) token.Split {
	w := study.Kept(p, s.sums)
	return w.Split(s.view.Recording().Counter, overhead)
}
