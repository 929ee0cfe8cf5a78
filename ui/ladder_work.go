package ui

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/ladder"
	"cinch/compactor/summarize"
	"cinch/model"
	"cinch/ui/draw"
)

// climbed is a run up the ladder: the pass before every recorded call and the one
// before the call that would come next, and what they come to.
type climbed struct {
	calls []ladder.Answered
	sums  *ladder.Result
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
	return &climbed{append(res.Calls, ladder.Answered{Outcome: last, Message: len(rec.Messages), Entry: len(rec.Entries)}), res}, nil
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

// What the Ladder screen finds out in the background.
type (
	recordMsg struct {
		id  int
		of  recordOf
		rec *ladder.Record
	}
	climbedMsg struct {
		id  int
		run *climbed
		err error
	}
	climbTickMsg struct{ id int }
)

// climbWork is a run up the ladder in the background.
type climbWork struct {
	id     int
	who    string
	cancel context.CancelFunc
	turn   atomic.Int64
	asked  atomic.Int64 // summaries asked for
	tokens atomic.Int64 // of the head that is being summarised
}

// prepare sees to it that the history is weighed by the ladder's counter.
func (p *ladderScreen) prepare() tea.Cmd {
	of := recordOf{p.s.conv, p.s.climb.counter.Name()}
	if p.recOf == of {
		return nil
	}
	if of.conv != p.recOf.conv {
		p.rec, p.run, p.look = nil, nil, nil
		p.reading, p.page, p.alone, p.play.on = false, false, false, false
	}
	p.recOf, p.counting = of, true
	p.id++
	id, messages, counter := p.id, p.s.conv.View(model.History), p.s.climb.counter
	return func() tea.Msg { return recordMsg{id, of, ladder.NewRecord(messages, counter)} }
}

// fewEntries is up to how many entries an extract is drawn while one waits.
const fewEntries = 2_000

// ask runs the policy over the recording: at once where nobody has to be waited
// for. A summariser that sends is not asked here, but what it has answered is used.
func (p *ladderScreen) ask() tea.Cmd {
	p.stopWork()
	p.asked, p.askedOf = p.s.version, p.rec
	p.waiting, p.first, p.about = false, nil, 0
	e, err := ladder.New(p.s.climb.policy, p.s.policy.Window, p.rec)
	if err != nil { // the knobs allow no such policy
		return p.r.say(draw.Fault, "%v", err)
	}
	p.engine = e
	c := &p.s.climb
	switch {
	case c.writer == nil || !c.summarises():
		p.runNow(nil)
	case c.sends():
		if !p.recall() {
			p.waiting = true
			p.runNow(nil)
		}
	case len(p.rec.Entries) > fewEntries && c.writer == summarize.Summarizer(summarize.Extract{}):
		p.runNow(nil)
		return p.start()
	default:
		p.runNow(c.writer)
	}
	return nil
}

// runNow runs the policy and takes the answer.
func (p *ladderScreen) runNow(sum ladder.Summarizer) {
	if run, err := climbAll(p.r.ctx, p.engine, p.s.climb.manual, sum, nil); err == nil {
		p.take(run)
	}
}

// recall runs the policy with the summaries that are known, and reports whether
// they were enough. If not, the first request that is missing is noted, and
// about how many there are, by a run in which each is answered by a stand-in.
func (p *ladderScreen) recall() bool {
	ctx, stop := context.WithCancel(p.r.ctx)
	defer stop()
	known := &remembering{inner: p.s.climb.writer, known: p.summaries, only: true, stop: stop}
	run, err := climbAll(ctx, p.engine, p.s.climb.manual, known, nil)
	if err == nil {
		p.take(run)
		return true
	}
	p.first = known.missing
	n := &counting{}
	if _, err := climbAll(p.r.ctx, p.engine, p.s.climb.manual, n, nil); err == nil {
		p.about = n.n
	}
	return false
}

// counting stands in for a summariser to see how often it would be asked.
type counting struct{ n int }

// standIn is about as long as summaries are: some 500 tokens.
const standIn = 2_000

func (c *counting) Summarize(_ context.Context, req ladder.Request) (string, error) {
	c.n++
	return string(make([]byte, min(standIn, 2*int(req.Tokens)))), nil
}

// start runs the policy in the background, asking the summariser for what is
// not known yet.
func (p *ladderScreen) start() tea.Cmd {
	p.stopWork()
	ctx, cancel := context.WithCancel(p.r.ctx)
	p.id++
	w := &climbWork{id: p.id, who: p.s.climb.writerName(), cancel: cancel}
	p.work = w
	e, manual := p.engine, p.s.climb.manual
	sum := &remembering{inner: p.s.climb.writer, known: p.summaries, asking: func(req ladder.Request) {
		w.asked.Add(1)
		w.tokens.Store(req.Tokens)
	}}
	return tea.Batch(p.watch(w), func() tea.Msg {
		defer cancel()
		run, err := climbAll(ctx, e, manual, sum, func(turn int) { w.turn.Store(int64(turn)) })
		return climbedMsg{w.id, run, err}
	})
}

// watch has the progress of the work drawn again.
func (p *ladderScreen) watch(w *climbWork) tea.Cmd {
	return p.r.later(progressEvery, func(time.Time) tea.Msg { return climbTickMsg{w.id} })
}

func (p *ladderScreen) stopWork() {
	if p.work != nil {
		p.work.cancel()
		p.work = nil
	}
}

// giveUp cancels what is being waited for.
func (p *ladderScreen) giveUp() {
	who, n := p.work.who, p.work.asked.Load()
	p.stopWork()
	p.r.say(draw.Warning, "gave up asking %s after %s; what it has answered is kept", draw.Line(who, 40), count(int(n), "request"))
}

// take shows the answer to a run.
func (p *ladderScreen) take(run *climbed) {
	message := -1
	if p.run != nil && p.at < len(p.run.calls) {
		message = p.run.calls[p.at].Message
	}
	was := p.step
	p.run = run
	p.lay()
	if message >= 0 {
		p.at = p.callAt(message)
	} else { // at first: the last pass there is, or the end
		p.at = len(run.calls) - 1
		for i := range p.chart.Calls {
			if hasPass(&p.chart.Calls[i]) {
				p.at = i
			}
		}
	}
	p.step = whole
	p.pass()
	if was != whole && was <= len(p.out.Steps) {
		p.step = was
		p.show()
	}
}

func (p *ladderScreen) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case recordMsg:
		if msg.of != p.recOf {
			return nil
		}
		p.counting = false
		p.weigh(msg.rec)
		return p.shown()
	case climbedMsg:
		if p.work == nil || msg.id != p.work.id {
			return nil
		}
		asked := p.work.asked.Load()
		p.work = nil
		if msg.err != nil {
			return p.r.say(draw.Fault, "%v", msg.err)
		}
		p.waiting = false
		p.take(msg.run)
		return p.r.say(draw.Good, "%s was asked for %s", draw.Line(p.s.climb.writerName(), 40), summariesWord(int(asked)))
	case climbTickMsg:
		if p.work != nil && msg.id == p.work.id {
			return p.watch(p.work)
		}
	case tickMsg:
		return p.tick(msg)
	}
	return nil
}

func summariesWord(n int) string {
	if n == 1 {
		return "1 summary"
	}
	return fmt.Sprintf("%d summaries", n)
}

// progress says how far the work in the background is.
func (p *ladderScreen) progress() string {
	w := p.work
	return fmt.Sprintf("esc gives up  call %d of %d, summary %d of ~%s tokens by %s …", w.turn.Load(), len(p.run.calls), w.asked.Load(), draw.Tokens(w.tokens.Load()), draw.Line(w.who, 40))
}
