package ui

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"

	"cinch/compactor/ladder"
	"cinch/compactor/summarize"
	"cinch/model"
	"cinch/model/token"
)

// climber puts a ladder to a recorded run and keeps the answer. It sends nothing
// by itself: a summariser that does is asked through [climber.asking].
type climber struct {
	rec       *ladder.Record // the history, weighed by the ladder's counter
	beside    int64          // tokens of system prompt and tools by that counter, as long as none are set
	engine    *ladder.Engine
	run       *climbed
	summaries *summaries
	waiting   bool            // the summariser sends, and has not been asked for all of this run
	first     *ladder.Request // the first it would be asked
	about     int             // how many summaries the run takes, estimated
}

// overhead is the tokens that ride every request and that the ladder leaves out.
func (c *climber) overhead(u *setup) int64 {
	if n, set := u.weighed.overhead.Fixed(); set {
		return n
	}
	return c.beside
}

// besideOf is what a conversation has of them by itself.
func besideOf(conv *model.Conversation, c token.Counter) int64 {
	n, _ := token.OverheadRule{}.Of(c, conv, nil)
	return n
}

// climb runs the ladder of a setup with what is known of its summaries. An error
// is that of a policy which cannot be run, or the context's.
func (c *climber) climb(ctx context.Context, u *setup) (*climbed, error) {
	c.waiting, c.first, c.about = false, nil, 0
	e, err := ladder.New(u.climb.policy, u.policy.Window, c.rec)
	if err != nil {
		return nil, err
	}
	c.engine = e
	k := &u.climb
	sum := ladder.Summarizer(nil)
	switch {
	case k.writer == nil || !k.summarises():
	case k.sends():
		if run := c.recall(ctx, k); run != nil {
			return run, nil
		}
		c.waiting = true
	default:
		sum = k.writer
	}
	return climbAll(ctx, e, k.manual, sum, nil)
}

// recall runs the ladder with the summaries that are known, nil when they are not
// enough. Then it notes the first request that is missing, and about how many
// there are, by a run in which each is answered by a stand-in.
func (c *climber) recall(ctx context.Context, k *climbing) *climbed {
	stopped, stop := context.WithCancel(ctx)
	defer stop()
	known := &remembering{inner: k.writer, known: c.summaries, only: true, stop: stop}
	run, err := climbAll(stopped, c.engine, k.manual, known, nil)
	if err == nil {
		return run
	}
	c.first = known.missing
	n := &counting{}
	if _, err := climbAll(ctx, c.engine, k.manual, n, nil); err == nil {
		c.about = n.n
	}
	return nil
}

// known is the summariser as far as its summaries are known: it sends nothing.
func (c *climber) known(k *climbing) ladder.Summarizer {
	switch {
	case k.writer == nil:
		return nil
	case !k.sends():
		return k.writer
	case c.waiting:
		return nil
	}
	return &remembering{inner: k.writer, known: c.summaries, only: true, stop: func() {}}
}

// asking is the summariser with its answers remembered; told hears of each
// request before it is sent.
func (c *climber) asking(k *climbing, told func(ladder.Request)) ladder.Summarizer {
	return &remembering{inner: k.writer, known: c.summaries, asking: told}
}

// outcome is the pass before call i, with all its steps.
func (c *climber) outcome(ctx context.Context, i int) ladder.Outcome {
	a := &c.run.calls[i]
	out := a.Outcome
	out.Steps = a.Told(ctx)
	return out
}

// request is what a pass asks a summariser, or would if it was asked for by hand;
// nil when it does not get to a summary.
func (c *climber) request(ctx context.Context, out *ladder.Outcome, manual *ladder.Call) *ladder.Request {
	for i := range out.Steps {
		if r := out.Steps[i].Request; r != nil {
			return r
		}
	}
	if out.Skip != ladder.NotSkipped {
		manual = &ladder.Call{}
	}
	look := &capturing{}
	ladder.Run(out.Steps[0].State.Pass(ctx, out.Turn, manual, look))
	return look.req
}

// capturing notes what it is asked and answers nothing.
type capturing struct{ req *ladder.Request }

var errLooked = errors.New("only looked at")

func (c *capturing) Summarize(_ context.Context, req ladder.Request) (string, error) {
	if c.req == nil {
		c.req = &req
	}
	return "", errLooked
}

// climbed is a run up the ladder: the pass before every recorded call and the one
// before the call that would come next, and what they come to.
type climbed struct {
	calls []ladder.Answered
	sums  *ladder.Result

	odd ladder.Odd // of the recorded calls
}

// climbAll runs the policy over the recording. It ends early when ctx does.
func climbAll(ctx context.Context, e *ladder.Engine, manual map[int]ladder.Call, sum ladder.Summarizer, watch func(turn int)) (*climbed, error) {
	res, err := e.Replay(ctx, ladder.Options{Summarizer: sum, Manual: manual, Watch: watch})
	if err != nil {
		return nil, err
	}
	rec := e.Record()
	turn := rec.Turns() + 1
	var call *ladder.Call
	if c, ok := manual[turn]; ok {
		call = &c
	}
	if watch != nil {
		watch(turn)
	}
	last := ladder.Run(res.Final.Pass(ctx, turn, call, sum))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	run := &climbed{calls: append(res.Calls, ladder.Answered{Outcome: last, Message: len(rec.Messages), Entry: len(rec.Entries)}), sums: res, odd: ladder.Oddities(res.Calls)}
	return run, nil
}

// summaries are what summarisers have answered, by what they were asked, so that
// nothing is asked twice while knobs move back and forth.
type summaries struct {
	mu sync.Mutex
	of map[[sha256.Size]byte]string
}

func newSummaries() *summaries { return &summaries{of: map[[sha256.Size]byte]string{}} }

func (s *summaries) get(key [sha256.Size]byte) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.of[key]
	return text, ok
}

func (s *summaries) put(key [sha256.Size]byte, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of[key] = text
}

// errNotAsked stands for a summary that nobody has been asked for yet.
var errNotAsked = errors.New("not asked yet")

// remembering answers from what is known. What is not it asks for, or, when it
// may only remember, it notes the request and stops the run.
type remembering struct {
	inner   summarize.Summarizer
	known   *summaries
	only    bool
	stop    func()
	missing *ladder.Request
	asking  func(ladder.Request)
}

func (m *remembering) Summarize(ctx context.Context, req ladder.Request) (string, error) {
	key := sha256.Sum256([]byte(m.inner.String() + "\x00" + req.Model + "\x00" + asText(req)))
	if text, ok := m.known.get(key); ok {
		return text, nil
	}
	if m.only {
		if m.missing == nil {
			m.missing = &req
		}
		m.stop()
		return "", errNotAsked
	}
	if m.asking != nil {
		m.asking(req)
	}
	text, err := m.inner.Summarize(ctx, req)
	if err == nil {
		m.known.put(key, text)
	}
	return text, err
}

// asText is a request as a command gets it.
func asText(req ladder.Request) string { return summarize.Command{}.Payload(req) }

// counting stands in for a summariser to see how often it would be asked.
type counting struct{ n int }

// standIn is about as long as summaries are: some 500 tokens.
const standIn = 2_000

func (c *counting) Summarize(_ context.Context, req ladder.Request) (string, error) {
	c.n++
	return string(make([]byte, min(standIn, 2*int(req.Tokens)))), nil
}
