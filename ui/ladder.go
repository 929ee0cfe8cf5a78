package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/ladder"
	"cinch/model"
	"cinch/ui/draw"
)

// ladderScreen shows drover's policy over the whole recorded run: which rung gave
// what in the pass at the cursor, which passes were skipped and why, and what
// each costs in the prompt cache. Like Replay it looks at the recorded history.
type ladderScreen struct {
	callsView
	climber
	said ladderPlaces // the parts of what is said
	rung int          // row of the rung table that has the keys, -1 for none

	recOf    recordOf // what its record was made of
	counting bool
	gutter   *draw.Gutter
	largest  int64 // tokens of the largest entry
	gists    map[int]string
	one      struct { // the entry the detail shows, as a message
		entry   int
		message *model.Message
	}
	id   int // of the newest work in the background
	work *climbWork

	asked   int // the session's version the run answers
	askedOf *ladder.Record

	alone   bool // the pass at the cursor works on the list as recorded
	unasked bool // and needs a summary that nobody has been asked for
	out     ladder.Outcome
	step    int // steps of the pass that are shown, or whole

	before, after span // the list before the pass, and after the steps shown
	tail          int  // entry at which what is kept as it is begins, -1 unknown
	sums          []summary
	open          bool // what a pass took away is not folded

	look *requestPage // the request that is being looked at
	why  *whyPage     // the explanation that is being read
}

func newLadder(r *root) *ladderScreen {
	p := &ladderScreen{asked: -1, rung: -1, step: whole, tail: -1}
	p.summaries = newSummaries()
	p.callsView = newCallsView(r, p)
	p.panel.strip.own = ladderKnobs(p.pinMenu, p.writerMenu)
	p.keymaps = p.bindings()
	return p
}

func (p *ladderScreen) name() string { return "ladder" }

func (p *ladderScreen) ready() bool { return p.run != nil }

// calls are those that were recorded, and the one that would come next.
func (p *ladderScreen) calls() int { return len(p.run.calls) }

func (p *ladderScreen) resize(w, h int) {
	p.w, p.h = w, h
	p.places()
	if p.run != nil {
		p.follow()
	}
}

// refresh only notes that the session changed: the passes are run when the
// screen is looked at.
func (p *ladderScreen) refresh() {
	if p.s.loaded() {
		p.places()
	}
}

// shown is called when the screen comes to the front, and after every change
// while it is there.
func (p *ladderScreen) shown() tea.Cmd {
	if !p.s.loaded() {
		return nil
	}
	cmd := p.prepare()
	if p.rec != nil && !p.counting && (p.asked != p.s.version || p.askedOf != p.rec) {
		cmd = tea.Batch(cmd, p.ask())
	}
	return cmd
}

// facts are what the numbers on this screen rest on.
func (p *ladderScreen) facts() []string {
	c := &p.s.climb
	return []string{
		"policy " + c.policy.Hash()[:12], "engine ladder", c.counter.Name(),
		fmt.Sprintf("window %s (%s)", draw.Short(p.s.policy.Window), p.s.windowFrom),
	}
}

// lay makes the timeline of the run.
func (p *ladderScreen) lay() {
	usable, auto := p.engine.Usable()
	calls := make([]draw.Call, len(p.run.calls))
	for i := range p.run.calls {
		c := &p.run.calls[i]
		calls[i] = draw.Call{Tokens: c.Before, After: c.After, Failed: c.Err != nil}
		switch {
		case len(c.Events) > 0:
			calls[i].Passes = 1
		case c.Err != nil:
		case c.Skipped():
			calls[i].Skipped = true
		default:
			calls[i].Idle = true
		}
	}
	p.chart = draw.Timeline{Calls: calls, Next: true, Top: p.s.policy.Window}
	if auto {
		p.chart.Limits = []draw.Limit{{Name: "usable", Tokens: usable, Tone: draw.Over}}
	}
	for _, c := range p.s.conv.Compactions {
		p.chart.Recorded = append(p.chart.Recorded, draw.RecordedPass{Call: p.callAt(c.History), Before: c.Before, After: c.After})
	}
}

// callAt is the call that stands at a recorded message, or the next one after it.
func (p *ladderScreen) callAt(message int) int {
	i, _ := slices.BinarySearchFunc(p.run.calls, message, func(c ladder.Answered, m int) int { return c.Message - m })
	return min(i, len(p.run.calls)-1)
}

// seek puts the cursor on a call.
func (p *ladderScreen) seek(i int) {
	p.at = min(max(i, 0), len(p.run.calls)-1)
	p.step = whole
	p.pass()
}

// pass takes the pass before the call at the cursor, and shows it.
func (p *ladderScreen) pass() {
	c := &p.run.calls[p.at]
	p.chart.Cursor = p.at
	p.unasked = false
	if p.alone {
		steps := func(sum ladder.Summarizer) ladder.Outcome {
			return ladder.Run(p.engine.Start(c.Entry).Pass(p.r.ctx, c.Turn, p.manual(c.Turn), sum))
		}
		p.out = steps(p.known(&p.s.climb))
		if p.unasked = errors.Is(p.out.Err, errNotAsked); p.unasked {
			p.out = steps(nil)
		}
	} else {
		p.out = p.outcome(p.r.ctx, p.at)
	}
	p.show()
}

// manual is the request for a pass at a turn, nil for none.
func (p *ladderScreen) manual(turn int) *ladder.Call {
	if c, ok := p.s.climb.manual[turn]; ok {
		return &c
	}
	return nil
}

// ended reports whether the pass is shown to its end, at once or stepped there.
func (p *ladderScreen) ended() bool { return p.step == whole || p.step == len(p.out.Steps) }

// steps are those of the pass that are shown.
func (p *ladderScreen) steps() []ladder.Step {
	if p.step == whole {
		return p.out.Steps
	}
	return p.out.Steps[:p.step]
}

// show shows the list as the pass has left it after the steps shown.
func (p *ladderScreen) show() {
	start := p.out.Steps[0].State.View
	p.before, p.after = spanOf(start), spanOf(start)
	p.tail = -1
	for i, s := range p.steps() {
		p.after = spanOf(s.State.View)
		if s.Kind == ladder.Rung || s.Kind == ladder.Ask {
			was := p.out.Steps[i-1].State.View
			if s.Head[1] < was.Len() {
				p.tail = was.At(s.Head[1]).Entry
			}
		}
	}
	p.layList()
	p.cursor = p.lead()
	p.top = max(p.cursor-1, 0)
	p.follow()
}

// lead is the row that shows first what the pass did.
func (p *ladderScreen) lead() int {
	for y := range p.rows.n {
		switch r := p.rows.at(y); {
		case r.kind == summaryRow && p.sums[r.first].fate == draw.Inserted:
			return y
		case r.kind == messageRow && p.touched(r.first):
			return y
		}
	}
	return max(p.rows.n-1, 0)
}

// touched reports whether the steps shown have done something to an entry.
func (p *ladderScreen) touched(entry int) bool {
	at := p.after.position(entry)
	return at < 0 || p.after.view.At(at).Cleared && !p.before.view.At(p.before.position(entry)).Cleared
}

// stepTo shows the pass after n steps.
func (p *ladderScreen) stepTo(n int) tea.Cmd {
	if n > len(p.out.Steps) || n < 0 {
		return p.r.say(draw.Dim, "the pass has %s: that is all of it", count(len(p.out.Steps), "step"))
	}
	p.step = n
	p.show()
	return nil
}

func (p *ladderScreen) stepOn() tea.Cmd {
	if p.step == whole {
		return p.stepTo(1)
	}
	return p.stepTo(p.step + 1)
}

func (p *ladderScreen) stepBack() tea.Cmd {
	if p.step == whole {
		return p.stepTo(len(p.out.Steps) - 1)
	}
	return p.stepTo(p.step - 1)
}

// seekMark goes to the next call in a direction that the timeline marks: with a
// pass, or with one that was due and skipped.
func (p *ladderScreen) seekMark(by int, what string, is func(*draw.Call) bool) tea.Cmd {
	for i := p.at + by; i >= 0 && i < len(p.chart.Calls); i += by {
		if is(&p.chart.Calls[i]) {
			p.seek(i)
			return nil
		}
	}
	if by > 0 {
		return p.r.say(draw.Dim, "no %s after this call", what)
	}
	return p.r.say(draw.Dim, "no %s before this call", what)
}

func hasPass(c *draw.Call) bool { return c.Passes > 0 || c.Failed }
func isGhost(c *draw.Call) bool { return c.Skipped }

// back closes the innermost thing.
func (p *ladderScreen) back() bool {
	switch {
	case p.why != nil:
		p.endWhy()
	case p.look != nil:
		p.look, p.reading, p.page = nil, false, false
	case p.page:
		p.page, p.reading = false, false
	case p.reading:
		p.reading = false
	case p.work != nil:
		p.giveUp()
	case p.rung >= 0:
		p.rung = -1
	case p.panel.drop():
	case p.run != nil && p.step != whole:
		p.step = whole
		p.show()
	case p.play.on:
		p.play.on = false
	case p.run != nil && p.alone:
		p.alone = false
		p.pass()
	default:
		return false
	}
	return true
}

// cycle gives the keys to the next knob, then to the rungs, then back to the list.
func (p *ladderScreen) cycle(by int) tea.Cmd {
	n := len(p.s.climb.rungs)
	switch {
	case p.rung >= 0:
		if p.rung += by; p.rung >= n {
			p.rung = -1
		} else if p.rung < 0 {
			return p.panel.cycle(by)
		}
		return nil
	case !p.panel.focused && by < 0:
		p.rung = n - 1
		return nil
	}
	had := p.panel.focused
	cmd := p.panel.cycle(by)
	if had && by > 0 && !p.panel.focused {
		p.rung = 0
	}
	return cmd
}

// flip turns the rung with the keys on or off.
func (p *ladderScreen) flip() tea.Cmd {
	rungs := slices.Clone(p.s.climb.rungs)
	rungs[p.rung].on = !rungs[p.rung].on
	if !slices.ContainsFunc(rungs, func(r rung) bool { return r.on }) {
		return p.r.say(draw.Warning, "a ladder needs a rung: turn another one on first")
	}
	what := "off"
	if rungs[p.rung].on {
		what = "on"
	}
	p.s.change(fmt.Sprintf("%s %s", rungs[p.rung].strategy, what), 0, func(u *setup) { u.climb.climb(rungs) })
	return nil
}

// move moves the rung with the keys up or down the ladder.
func (p *ladderScreen) move(by int) tea.Cmd {
	to := p.rung + by
	if to < 0 || to >= len(p.s.climb.rungs) {
		return nil
	}
	rungs := slices.Clone(p.s.climb.rungs)
	rungs[p.rung], rungs[to] = rungs[to], rungs[p.rung]
	p.s.change(fmt.Sprintf("%s as rung %d", rungs[to].strategy, to+1), 0, func(u *setup) { u.climb.climb(rungs) })
	p.rung = to
	return nil
}

// request asks for a pass at the cursor by hand, or takes that back.
func (p *ladderScreen) request(call *ladder.Call) tea.Cmd {
	turn := p.run.calls[p.at].Turn
	if call == nil {
		if p.manual(turn) != nil {
			p.s.change(fmt.Sprintf("no request at turn %d", turn), 0, func(u *setup) { u.climb.request(turn, nil) })
			return p.r.say(draw.Dim, "the request before call %d is taken back", p.at+1)
		}
		call = &ladder.Call{}
	}
	p.s.change(fmt.Sprintf("request at turn %d", turn), 0, func(u *setup) { u.climb.request(turn, call) })
	return p.r.say(draw.Good, "a pass is asked for before call %d; %s takes the request back", p.at+1, p.r.press("ladder", "compact now"))
}

// instruct asks for the instructions of a request.
func (p *ladderScreen) instruct() tea.Cmd {
	turn, text := p.run.calls[p.at].Turn, ""
	if c := p.manual(turn); c != nil {
		text = folded(c.Instructions)
	}
	return p.r.ask(newPrompt("compact", "instructions for the summary, in place of the policy's prompt", text, func(text string) (tea.Cmd, error) {
		return p.request(&ladder.Call{Instructions: unfolded(text)}), nil
	}))
}

// A prompt is one line, so line ends are written as \n in it.
var (
	folding   = strings.NewReplacer("\\", `\\`, "\n", `\n`)
	unfolding = strings.NewReplacer(`\\`, "\\", `\n`, "\n")
)

func folded(s string) string   { return folding.Replace(s) }
func unfolded(s string) string { return unfolding.Replace(s) }

// recipeMenu offers the policies to begin with.
func (p *ladderScreen) recipeMenu() tea.Cmd {
	m := &menu{title: "recipe"}
	add := func(r recipe) {
		m.items = append(m.items, item{string(menuKeys[len(m.items)]), r.name, func() tea.Cmd {
			p.s.change("recipe "+r.name, 0, func(u *setup) { u.climb.take(r.policy, r.name) })
			return p.r.say(draw.Good, "%s: %s; %s takes it back", r.name, r.about, p.r.press("anywhere", "undo"))
		}})
	}
	for _, r := range recipes {
		add(r)
	}
	if start := p.s.startedClimb; !slices.ContainsFunc(recipes, func(r recipe) bool { return r.name == start.from }) {
		add(recipe{start.from, "what the inspector began with", start.policy})
	}
	return p.r.choose(m)
}

// recordOf is what a record was made of.
type recordOf struct {
	conv    *model.Conversation
	counter string
}
