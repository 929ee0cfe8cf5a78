package ui

import (
	"fmt"
	"sort"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor"
	"cinch/compactor/study"
	"cinch/model"
	"cinch/ui/draw"
)

// replayScreen shows what would have happened over the whole recorded run under
// this policy: the size at every call, the passes, and why a run failed. It
// replays the history view, whatever view the other screens look at.
type replayScreen struct {
	callsView
	era *era // of the conversation that was looked at last

	whole    *weighed // the history view; the session's own when that is it
	counting bool     // the history view is being counted
	id       int      // of the newest count or search for a change
	asked    int      // the session's version the timeline answers
	askedOf  *weighed // likewise the recording
	goOn     bool     // go on with the next run after one failed

	t      *compactor.Timeline
	points []point

	now     *compactor.View // what the list shows
	pending int             // recorded index from which messages belong to the run
	reveal  int             // recorded message shown although it is no longer sent, -1 for none
	open    bool            // what is no longer sent is not folded
	search  search

	story []study.Chapter // of the pass being stepped through, nil when none is
	told  int             // chapters told
	pass  *compactor.Pass // how that pass stands

	card     bool // the explanation covers the detail
	cardTop  int
	why      *study.Explanation
	changes  []study.Change
	changing bool // the least changes are being looked for
	stopFind func()
}

// point is one column of the timeline: a call with the passes before it, or the
// passes before which a run failed.
type point struct {
	message int // recorded assistant message
	call    int // index of the call, -1 for none
	passes  [2]int
	run     int

	recorded []int // compactions of the file's own before it
}

func newReplay(r *root) *replayScreen {
	p := &replayScreen{asked: -1, reveal: -1}
	p.callsView = newCallsView(r, p)
	p.keymaps = p.bindings()
	return p
}

func (p *replayScreen) name() string { return "replay" }

func (p *replayScreen) ready() bool { return p.t != nil }
func (p *replayScreen) calls() int  { return len(p.points) }

func (p *replayScreen) resize(w, h int) {
	p.w, p.h = w, h
	p.places()
	if p.t != nil {
		p.follow()
	}
}

// refresh only notes that the session changed: the replay is done when the
// screen is looked at.
func (p *replayScreen) refresh() {
	if p.era != p.s.era { // another conversation
		p.era = p.s.era
		p.id++ // what is still being found out is of the one before
		p.whole, p.t, p.points, p.counting, p.changing = nil, nil, nil, false, false
		p.card, p.page, p.reading, p.play.on = false, false, false, false
		p.at, p.now, p.rows = 0, nil, rowList{}
		p.endStory()
	}
	if p.s.loaded() {
		p.places()
	}
}

// shown is called when the screen comes to the front, and after every change
// while it is there. It counts the history view when that is not at hand.
func (p *replayScreen) shown() tea.Cmd {
	if !p.s.loaded() {
		return nil
	}
	cmd := p.prepare()
	if p.whole != nil && (p.asked != p.s.version || p.askedOf != p.whole) {
		p.ask()
		cmd = tea.Batch(cmd, p.findChanges())
	}
	return cmd
}

// ask replays the recording under the session's policy.
func (p *replayScreen) ask() {
	message := -1
	if p.t != nil && p.at < len(p.points) {
		message = p.points[p.at].message
	}
	if p.askedOf == nil || p.askedOf.conv != p.whole.conv {
		p.search.clear()
		p.reveal = -1
	}
	p.asked, p.askedOf = p.s.version, p.whole
	p.t = compactor.Replay(p.whole.rec, compactor.Driving{Policy: p.s.policy, GoOn: p.goOn})
	p.why = study.Explain(p.t)
	p.changes = nil
	p.lay()
	p.endStory()
	switch {
	case message < 0: // at first: where it failed, or the end
		p.at = max(len(p.points)-1, 0)
		if p.t.End.Exceeded != nil {
			p.at = p.pointAt(p.t.End.Message)
			p.card = true
		}
	default:
		p.at = p.pointAt(message)
	}
	p.look()
}

// lay makes the points of the timeline from calls and passes.
func (p *replayScreen) lay() {
	t := p.t
	p.points = p.points[:0]
	calls := make([]draw.Call, 0, len(t.Calls)+1)
	k := 0
	for c := 0; c < len(t.Calls) || k < len(t.Passes); {
		pt := point{call: -1, message: len(t.Recording.Messages)}
		if c < len(t.Calls) {
			pt.message, pt.call, pt.run = t.Calls[c].Message, c, t.Calls[c].Run
		}
		if k < len(t.Passes) && t.Passes[k].Message < pt.message {
			pt.message, pt.call, pt.run = t.Passes[k].Message, -1, t.Passes[k].Run
		}
		d := draw.Call{Failed: pt.call < 0}
		pt.passes[0] = k
		for ; k < len(t.Passes) && t.Passes[k].Message == pt.message; k++ {
			q := &t.Passes[k]
			if d.Passes == 0 {
				d.Tokens = q.Before
			}
			d.Passes++
			d.After = q.After
			d.Emergency = d.Emergency || q.Reason == compactor.Emergency
		}
		pt.passes[1] = k
		if pt.call >= 0 {
			d.After = t.Calls[c].Tokens
			if d.Passes == 0 {
				d.Tokens = d.After
			}
			c++
		}
		p.points = append(p.points, pt)
		calls = append(calls, d)
	}
	policy := p.s.policy
	p.chart = draw.Timeline{Calls: calls, Top: policy.Window, Limits: []draw.Limit{
		{Name: "threshold", Tokens: policy.ThresholdLine(), Tone: draw.Over},
		{Name: "emergency", Tokens: policy.EmergencyLine(), Tone: draw.Emergency},
	}}
	if len(p.points) == 0 {
		return
	}
	for i, c := range p.s.conv.Compactions {
		at := p.pointAt(c.History)
		p.points[at].recorded = append(p.points[at].recorded, i)
		p.chart.Recorded = append(p.chart.Recorded, draw.RecordedPass{Call: at, Before: c.Before, After: c.After})
	}
}

// pointAt is the point that stands at a recorded message, or the next one after it.
func (p *replayScreen) pointAt(message int) int {
	i := sort.Search(len(p.points), func(i int) bool { return p.points[i].message >= message })
	return min(i, max(len(p.points)-1, 0))
}

// look shows the conversation at the point under the cursor.
func (p *replayScreen) look() {
	p.chart.Cursor = p.at
	if len(p.points) == 0 {
		p.now, p.rows = p.t.Recording.View(), rowList{}
		p.pending = 0
		return
	}
	pt := p.points[p.at]
	switch {
	case p.pass != nil:
		p.now = p.pass.View
	case pt.call >= 0:
		p.now = p.t.At(pt.call).View
	default:
		p.now = p.t.Passes[pt.passes[1]-1].View
	}
	p.pending = p.t.Runs[pt.run].Start
	if pt.call >= 0 && p.pass == nil {
		m := p.t.At(pt.call)
		p.pending = pt.message - (m.View.Len() - m.Pending)
	}
	p.layList(pt.message)
	p.cursor = p.rows.next(p.rows.n, -1) // the last message
	p.top = p.cursor
	p.follow()
}

// layList lays out the recorded messages before one as a list: those that the
// model sees as rows, those it no longer sees folded unless that is opened, but for
// the one that was searched for, and a line where the run begins.
func (p *replayScreen) layList(before int) {
	p.rows = rowList{}
	at := 0 // recorded message that comes next
	kept := func(first, last int) {
		if first <= p.pending && p.pending <= last {
			p.rows.stretch(first, p.pending-1)
			p.rows.add(block{kind: cutRow, first: p.pending, last: p.pending})
			first = p.pending
		}
		p.rows.stretch(first, last)
	}
	fold := func(first, last int) {
		switch {
		case p.open:
			p.rows.stretch(first, last)
		case first <= last:
			p.rows.add(block{kind: foldRow, first: first, last: last})
		}
	}
	gone := func(upTo int) {
		if n := p.reveal; at <= n && n < upTo {
			fold(at, n-1)
			p.rows.stretch(n, n)
			fold(n+1, upTo-1)
			return
		}
		fold(at, upTo-1)
	}
	head, from := p.now.Stretch()
	for i := 0; i < head; {
		first := p.now.Recorded(i)
		last := first
		for i++; i < head && p.now.Recorded(i) == last+1; i++ {
			last++
		}
		gone(first)
		kept(first, last)
		at = last + 1
	}
	if from < before {
		gone(from)
		kept(from, before-1)
		at = before
	}
	gone(before)
	if p.pending >= before && p.rows.n > 0 {
		p.rows.add(block{kind: cutRow, first: p.pending, last: p.pending})
	}
}

// seek puts the cursor on a point.
func (p *replayScreen) seek(i int) {
	if len(p.points) == 0 {
		return
	}
	p.endStory()
	was := p.at
	p.at = min(max(i, 0), len(p.points)-1)
	p.card = p.points[p.at].call < 0
	if p.at != was || p.now == nil {
		p.cardTop = 0
	}
	p.look()
}

// seekPass goes to the next point that has a pass, simulated or recorded, in a direction.
func (p *replayScreen) seekPass(by int) tea.Cmd {
	for i := p.at + by; i >= 0 && i < len(p.points); i += by {
		if p.points[i].passes[0] < p.points[i].passes[1] || len(p.points[i].recorded) > 0 {
			p.seek(i)
			return nil
		}
	}
	if by > 0 {
		return p.r.say(draw.Dim, "no pass after this call")
	}
	return p.r.say(draw.Dim, "no pass before this call")
}

// seekRun goes to the first call of another run.
func (p *replayScreen) seekRun(by int) {
	if len(p.points) == 0 {
		return
	}
	run := p.points[p.at].run
	first := func(i int) int {
		for i > 0 && p.points[i-1].run == p.points[i].run {
			i--
		}
		return i
	}
	i := first(p.at)
	if by < 0 {
		if i == p.at && i > 0 {
			i = first(i - 1)
		}
	} else {
		for i = p.at; i < len(p.points) && p.points[i].run == run; i++ {
		}
	}
	p.seek(i)
}

// stepOn tells the next chapter of the pass under the cursor.
func (p *replayScreen) stepOn(by int) tea.Cmd {
	if len(p.points) == 0 {
		return nil
	}
	pt := p.points[p.at]
	if pt.passes[0] == pt.passes[1] {
		return p.r.say(draw.Dim, "no pass before this call: %s goes to the next one", p.r.press("replay", "next pass"))
	}
	if p.story == nil {
		for i := pt.passes[0]; i < pt.passes[1]; i++ {
			p.story = append(p.story, study.Story(p.t, i)...)
		}
		p.told, p.card = 0, false
		if by < 0 {
			p.told = len(p.story) + 1
		}
	}
	if next := p.told + by; next < 1 || next > len(p.story) {
		return p.r.say(draw.Dim, "the pass has been told to its end: esc leaves it")
	}
	p.told += by
	p.showChapter()
	return nil
}

// showChapter shows the pass as it stood when the chapter happened.
func (p *replayScreen) showChapter() {
	c := p.story[p.told-1]
	passed := p.t.Passes[p.chapterPass()]
	p.pass, _ = passAt(passed.View, p.t.Policy, c.Step)
	p.look()
	if at := c.Cut; at >= 0 && at < p.now.Len() {
		p.cursor = p.rows.find(p.now.Recorded(at))
		p.follow()
	}
}

// chapterPass is the pass that the chapter being told belongs to.
func (p *replayScreen) chapterPass() int {
	pass := p.points[p.at].passes[0] - 1
	for i := range p.told {
		if i == 0 || p.story[i].Role == study.TheMachine && p.story[i-1].Role == study.TheMachine {
			pass++
		}
	}
	return pass
}

func (p *replayScreen) endStory() {
	p.story, p.told, p.pass = nil, 0, nil
}

// back closes the innermost thing.
func (p *replayScreen) back() bool {
	switch {
	case p.page:
		p.page, p.reading = false, false
	case p.reading:
		p.reading = false
	case p.panel.drop():
	case p.story != nil:
		p.endStory()
		p.look()
	case p.card:
		p.card = false
	case p.search.query != "":
		p.search.clear()
		p.reveal = -1
		p.look()
	case p.play.on:
		p.play.on = false
	default:
		return false
	}
	return true
}

// selected is the recorded message under the list's cursor, -1 for none.
func (p *replayScreen) selected() int {
	if p.cursor >= p.rows.n {
		return -1
	}
	return p.rows.at(p.cursor).first
}

// message is what the model was sent of the message under the cursor: a pass may
// have taken parts of it out. It is nil when there is none.
func (p *replayScreen) message() *model.Message {
	if p.t == nil {
		return nil
	}
	n := p.selected()
	if n < 0 || n >= len(p.t.Recording.Messages) {
		return nil
	}
	if at := p.now.Position(n); at >= 0 {
		return p.now.Message(at)
	}
	return p.t.Recording.Messages[n]
}

// fate is how a recorded message is drawn.
func (p *replayScreen) fate(recorded int) draw.Fate {
	at := p.now.Position(recorded)
	switch {
	case at < 0:
		return draw.Dropped
	case p.pass != nil && p.pass.Provisional >= 0:
		return drawnFate[p.pass.Fate(at)]
	}
	if recorded >= p.pending {
		return draw.Pending
	}
	return draw.History
}

// sentence says what happened at the point under the cursor.
func (p *replayScreen) sentence() (draw.Token, []string) {
	if len(p.points) == 0 {
		return draw.Dim, []string{"the recording has no model call"}
	}
	pt := p.points[p.at]
	starts := p.whole.recorded.runs // a replay that fails has not come to all of them
	at := sort.SearchInts(starts, p.t.Runs[pt.run].Start+1)
	run := fmt.Sprintf("run %d/%d", at, len(starts))
	if pt.passes[0] == pt.passes[1] {
		c := p.t.Calls[pt.call]
		line := p.s.policy.ThresholdLine()
		text := fmt.Sprintf("%s  ~%s sent", run, draw.Tokens(c.Tokens))
		if p.s.policy.AutoCompact && line >= c.Tokens {
			text += fmt.Sprintf(", %s below the threshold", draw.Tokens(line-c.Tokens))
		}
		return draw.Text, []string{text}
	}
	first := p.t.Passes[pt.passes[0]]
	line, sign, tone := p.s.policy.ThresholdLine(), ">", draw.Over
	if first.Reason == compactor.Emergency {
		line, sign, tone = p.s.policy.EmergencyLine(), "≥", draw.Emergency
	}
	text := fmt.Sprintf("%s  %s ~%s %s %s", run, first.Reason, draw.Tokens(first.Before), sign, draw.Tokens(line))
	short, least := text, fmt.Sprintf("%s  %s", run, first.Reason)
	for i := pt.passes[0]; i < pt.passes[1]; i++ {
		q := p.t.Passes[i]
		became, rest := "", ""
		switch q.Result {
		case compactor.Compacted:
			became = fmt.Sprintf("~%s (%s)", draw.Tokens(q.After), percentChange(q.Before, q.After))
			rest = fmt.Sprintf("  messages %d → %d  cache broken from #%d", q.MessagesBefore, q.MessagesAfter, p.broken(&q))
		case compactor.NoAction:
			became = "no action"
		case compactor.Overflow:
			became = fmt.Sprintf("~%s do not fit", draw.Tokens(q.After))
		}
		became = fmt.Sprintf(" → pass %d: %s", i+1, became)
		text += became + rest
		short += became
		if pt.call >= 0 {
			least += became
		}
	}
	if pt.call < 0 {
		tone = draw.Fault
		ends := fmt.Sprintf(" → ContextExceeded{used %s, limit %s}", draw.Tokens(p.t.Runs[pt.run].Exceeded.Used), draw.Tokens(p.t.Runs[pt.run].Exceeded.Limit))
		text += ends
		short += ends
		least += " → ContextExceeded"
	}
	return tone, []string{text, short, least}
}

// recordedSentence says what the file's own compactions at the point under the
// cursor did, or how many there are elsewhere; "" when the file holds none.
func (p *replayScreen) recordedSentence() (draw.Token, string) {
	all := p.s.conv.Compactions
	switch {
	case len(all) == 0 || len(p.points) == 0:
		return draw.Dim, ""
	case len(p.points[p.at].recorded) == 0:
		return draw.Dim, fmt.Sprintf("recorded: %s of the file's own, at other calls", count(len(all), "compaction"))
	}
	text := "recorded here:"
	for k, i := range p.points[p.at].recorded {
		if k > 0 {
			text += ";"
		}
		text += " " + compactionWords(&all[i])
	}
	return draw.KindSummary, text
}

// compactionWords says of a recorded compaction what it was and did: kind,
// trigger, and the tokens before and after as far as the file says them.
func compactionWords(c *model.Compaction) string {
	text := draw.Line(c.Kind, 40)
	if c.Trigger != "" {
		text += " (" + draw.Line(c.Trigger, 20) + ")"
	}
	switch {
	case c.Before > 0 && c.After > 0:
		return fmt.Sprintf("%s %s → %s (%s)", text, draw.Tokens(c.Before), draw.Tokens(c.After), percentChange(c.Before, c.After))
	case c.Before > 0:
		return fmt.Sprintf("%s %s → ?", text, draw.Tokens(c.Before))
	case c.After > 0:
		return fmt.Sprintf("%s ? → %s", text, draw.Tokens(c.After))
	}
	return text + ", sizes not recorded"
}

// broken is the first recorded message at which the prompt cache no longer matches.
func (p *replayScreen) broken(q *compactor.Passed) int {
	pass := compactor.Truncate(q.View, p.t.Policy)
	at := pass.FirstChange()
	if at >= q.View.Len() {
		return q.Message
	}
	return q.View.Recorded(at)
}

func percentChange(before, after int64) string {
	if before == 0 {
		return "±0%"
	}
	change := (after - before) * 100 / before
	if change <= 0 {
		return fmt.Sprintf("−%d%%", -change)
	}
	return fmt.Sprintf("+%d%%", change)
}

// status is the chapter being told, or what the screen answers.
func (p *replayScreen) status() status {
	st := status{tone: draw.Dim}
	switch {
	case p.whole == nil:
		st.text = "counting the recorded history …"
	case p.panel.focused:
		k := knobs[p.panel.knob]
		st.tone, st.text = draw.Text, k.name+": "+k.about
		st.hints = p.named("less", "more", "type", "default")
	case p.story != nil:
		c := p.story[p.told-1]
		st.tone, st.text = draw.Text, fmt.Sprintf("%d/%d  the %s %s", p.told, len(p.story), c.Role, c.Text)
		st.hints = p.named("step", "step back")
	case p.search.query != "":
		st.tone, st.text = draw.Text, p.search.status(p.selected())
		st.hints = p.named("next match", "previous match")
	case p.play.on:
		return p.playing()
	case p.t.End.Exceeded != nil:
		st.tone, st.text = draw.Fault, fmt.Sprintf("the run fails: ContextExceeded{used %s, limit %s} before #%d", draw.Tokens(p.t.End.Exceeded.Used), draw.Tokens(p.t.End.Exceeded.Limit), p.t.End.Message)
		st.hints = p.named("use a change", "why", "play", "step")
	default:
		st.text = fmt.Sprintf("completed: %s, %s, ~%s at the end", count(len(p.t.Calls), "call"), passes(len(p.t.Passes)), draw.Tokens(p.t.End.Tokens))
		st.hints = p.named("play", "step", "next pass", "why")
	}
	return st
}

func passes(n int) string {
	if n == 1 {
		return "1 pass"
	}
	return draw.Tokens(int64(n)) + " passes"
}
