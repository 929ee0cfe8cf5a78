package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor"
	"cinch/model"
	"cinch/model/token"
	"cinch/ui/draw"
)

// focus says which part of the Pass screen has the keys.
type focus uint8

const (
	onList focus = iota
	onDetail
)

// passScreen shows what one compaction would do right now: how full the window
// is, what a pass keeps and drops and why, step by step, and the knobs that it
// depends on.
type passScreen struct {
	r   *root
	s   *session
	era *era // of the conversation that was drawn last

	w, h  int
	place passPlaces
	panel knobPanel

	focus focus
	page  bool // on a narrow screen: the detail covers the list

	rows   rowList
	open   bool // the dropped run is not folded
	cursor int  // row
	top    int  // first row shown
	filter *filter
	search search
	mated  int // the call from which % came to a result, -1 for none

	detail detail
	now    *draw.Gauge
	after  *draw.Gauge
	gauged memo // the gauges as drawn
	said   memo // the verdict as drawn
	pulled bool // a line of the gauge is being dragged, through its knob

	keymaps []*keymap
}

// filter leaves only some messages in the list.
type filter struct {
	name  string
	match func(int) bool
}

func newPass(r *root) *passScreen {
	p := &passScreen{r: r, s: r.s, mated: -1, panel: knobPanel{r: r, s: r.s}}
	p.keymaps = p.bindings()
	return p
}

func (p *passScreen) name() string { return "pass" }

func (p *passScreen) resize(w, h int) {
	p.w, p.h = w, h
	if p.s.loaded() {
		p.refresh()
	}
}

// refresh takes over what changed in the session.
func (p *passScreen) refresh() {
	if !p.s.loaded() {
		return
	}
	if p.era != p.s.era { // another conversation: what was found and left out is of the one before
		p.era = p.s.era
		p.search.clear()
		p.filter, p.open, p.page, p.mated = nil, false, false, -1
		p.focus = onList
		p.cursor, p.top = 0, 0
	}
	offset := p.cursor - p.top
	p.places()
	if p.filter != nil {
		p.rows = pickRows(p.s.shown, p.filter.match)
	} else {
		p.rows = layRows(p.s.shown, p.open, p.listRows())
	}
	p.cursor = p.rows.find(p.s.selected)
	p.top = p.cursor - offset
	p.follow()
	p.gauges()
	p.panel.lay(p.place.knobs)
}

// passPlaces is where the parts of the screen are.
type passPlaces struct {
	gauges, state, rule, list, bar, detail, rule2, knobs draw.Rect
	wide                                                 bool // list and detail stand side by side
}

const (
	wideFrom   = 100 // columns from which the detail stands beside the list
	legendFrom = 24  // lines of the terminal from which the legend is shown
	rulesFrom  = 18  // likewise the rules, and the verdict has two
	knobsFrom  = 30  // likewise a second line of knobs
	tracksFrom = 34  // likewise a third, where two lines have no room for all tracks
	tracksWide = 160 // columns from which they have
)

// places lays the screen out.
func (p *passScreen) places() {
	total := p.h + headLines + footLines
	gauges, state, knobs, rules := 3, 1, 1, 0
	if total >= legendFrom {
		gauges = 4
	}
	if total >= rulesFrom {
		state, rules = 2, 1
	}
	if total >= knobsFrom {
		knobs = 2
	}
	if total >= tracksFrom && p.w < tracksWide {
		knobs = 3
	}
	at := &p.place
	rest := draw.Rect{W: p.w, H: p.h}
	at.gauges, rest = rest.Top(gauges)
	at.state, rest = rest.Top(state)
	at.rule, rest = rest.Top(rules)
	rest, at.knobs = rest.Bottom(knobs)
	rest, at.rule2 = rest.Bottom(rules)
	at.wide = p.w >= wideFrom
	at.list, at.bar, at.detail = rest, draw.Rect{}, rest
	if at.wide {
		at.list, at.detail = rest.Right(min(max(p.w*3/8, 36), 90))
		at.bar, at.detail = at.detail.Left(1)
		_, at.detail = at.detail.Left(1)
	}
}

// gauges makes the two gauges for the session as it is.
func (p *passScreen) gauges() {
	s := p.s
	limits := []draw.Limit{
		{Name: "target", Tokens: s.plan.Target, Tone: draw.Mark},
		{Name: "threshold", Tokens: s.policy.ThresholdLine(), Tone: draw.Over, Above: true},
		{Name: "emergency", Tokens: s.policy.EmergencyLine(), Tone: draw.Emergency},
	}
	p.now = &draw.Gauge{
		Label: "now", Tokens: s.plan.Before, Window: s.policy.Window, Segments: segments(s.before),
		Limits: limits, Estimate: true, Inferred: s.weighed.rec.Inferred, Tone: tone(s.plan.Decision),
	}
	after := s.plan.After
	p.after = &draw.Gauge{
		Label: "after", Tokens: after, Window: s.policy.Window, Limits: limits, Ghost: s.plan.Before, Estimate: true,
		Segments: segments(s.after), Change: after - s.plan.Before, Tone: tone(s.policy.Decide(after)),
	}
	draw.AlignGauges(p.r.look, p.w-2, p.now, p.after)
}

func tone(r compactor.Reason) draw.Token {
	switch r {
	case compactor.Emergency:
		return draw.Emergency
	case compactor.Threshold:
		return draw.Over
	}
	return draw.Strong
}

func segments(s token.Split) []draw.Segment {
	out := make([]draw.Segment, 0, token.Kinds)
	for k := range token.Kinds {
		if s[k] != 0 {
			out = append(out, draw.Segment{Kind: drawnKind[k], Tokens: s[k]})
		}
	}
	return out
}

// memo is lines that stay as they are until the session, the size or the look change.
type memo struct {
	version, w, h int
	look          *draw.Look
	lines         []string
}

func (m *memo) get(version, w, h int, look *draw.Look, draw func() []string) []string {
	if m.lines == nil || m.version != version || m.w != w || m.h != h || m.look != look {
		*m = memo{version, w, h, look, draw()}
	}
	return m.lines
}

func (p *passScreen) shown() tea.Cmd { return nil }

func (p *passScreen) keys() []*keymap { return p.keymaps }

func (p *passScreen) update(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(foundMsg); ok && p.search.found(m) {
		p.searched()
	}
	return nil
}

// back closes the innermost thing: the detail, the focus of a knob, the filter,
// the search, and last the stepping.
func (p *passScreen) back() bool {
	switch {
	case p.page:
		p.page, p.focus = false, onList
	case p.panel.drop():
	case p.focus != onList:
		p.setFocus(onList)
	case p.filter != nil:
		p.filter = nil
		p.refresh()
	case p.search.query != "":
		p.search.clear()
	case p.s.step != whole:
		p.s.stepTo(whole)
	default:
		return false
	}
	return true
}

func (p *passScreen) setFocus(f focus) {
	p.focus = f
	p.panel.drop()
}

// follow keeps the cursor on the screen, and the screen on the list.
func (p *passScreen) follow() {
	h := p.listRows()
	p.top = max(min(p.top, p.cursor), p.cursor-h+1)
	p.top = max(0, min(p.top, p.rows.n-h))
}

// listRows is how many rows of the list there is room for.
func (p *passScreen) listRows() int { return max(p.place.list.H-1, 1) } // less the column names

// moveTo puts the cursor on a row.
func (p *passScreen) moveTo(y int) {
	if p.rows.n == 0 {
		return
	}
	p.cursor = min(max(y, 0), p.rows.n-1)
	p.s.selected = p.rows.at(p.cursor).first
	p.mated = -1
	p.follow()
}

// goTo puts the cursor on a message, unfolding what hides it.
func (p *passScreen) goTo(message int) {
	y := p.rows.find(message)
	if p.rows.n > 0 && p.rows.at(y).kind == foldRow {
		p.open = true
		p.s.selected = message
		p.refresh()
		y = p.rows.find(message)
	}
	p.moveTo(y)
}

func (p *passScreen) message() *model.Message {
	if p.s.now.view.Len() == 0 {
		return nil
	}
	return p.s.now.view.Message(p.s.selected)
}

// row is the row under the cursor; ok is false in an empty list.
func (p *passScreen) row() (r row, ok bool) {
	if p.cursor >= p.rows.n {
		return r, false
	}
	return p.rows.at(p.cursor), true
}

// status is the step that was just taken, or what one would do.
func (p *passScreen) status() status {
	s := p.s
	st := status{tone: draw.Dim}
	switch {
	case p.search.query != "" && p.focus == onList && !p.panel.focused:
		st.text = p.search.status(p.s.selected)
		st.hints = p.named("next match", "previous match")
		return st
	case p.panel.focused:
		k := knobs[p.panel.knob]
		st.tone, st.text = draw.Text, k.name+": "+k.about
		st.hints = p.named("less", "more", "type", "default")
		return st
	case p.focus == onDetail:
		st.text = "reading the message"
		st.hints = p.named("scroll down", "scroll up")
		if p.page { // nothing else shows the way back
			st.hints = append([]*binding{p.r.keymap.named("back")}, st.hints...)
		}
		return st
	case s.step == whole:
		st.text = fmt.Sprintf("the whole pass, %s; %s goes through them one by one", count(s.steps, "step"), p.r.press("pass", "step"))
	case s.step == 0:
		st.tone, st.text = draw.Text, fmt.Sprintf("before step 1 (0 of %d): as recorded, no cut yet", s.steps)
	default:
		st.tone = draw.Text
		st.text = fmt.Sprintf("step %d %s (%d of %d): %s", s.last.N, s.last.Title(), s.step, s.steps, s.last.Detail())
	}
	st.hints = p.named("step", "step back", "run", "reset")
	return st
}

// named are the bindings with these names, wherever they are.
func (p *passScreen) named(names ...string) []*binding { return namedIn(p.keymaps, names...) }
