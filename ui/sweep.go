package ui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor"
	"cinch/compactor/study"
	"cinch/ui/draw"
)

// sweepScreen replays the recording under a grid of settings and shows what each
// would cost and lose, as a heat map with the number in every cell.
type sweepScreen struct {
	r *root
	s *session
	// history is where the recorded history is counted: the Replay screen, which
	// needs the same.
	history *replayScreen

	w, h  int
	panel knobPanel
	at    struct{ head, body, heat, state, rule, knobs draw.Rect }

	base    compactor.Policy // all but the two settings of the grid
	of      *weighed
	grid    study.Grid
	cells   *swept
	heat    draw.HeatMap
	measure int
	stop    func()
	id      int

	keymaps []*keymap
}

// swept is the cells of a sweep that is under way.
type swept struct {
	sync.Mutex
	cells []study.Cell
	done  int
}

type (
	sweepTickMsg struct{ id int }
	sweptMsg     struct{ id int }
)

// sweepEvery is how often a sweep that is under way is drawn again.
const sweepEvery = 100 * time.Millisecond

func newSweep(r *root, history *replayScreen) *sweepScreen {
	p := &sweepScreen{r: r, s: r.s, history: history}
	p.panel = knobPanel{r: r, s: r.s}
	p.heat.Cursor, p.heat.Current = draw.None, draw.None
	p.keymaps = p.bindings()
	return p
}

func (p *sweepScreen) name() string { return "sweep" }

func (p *sweepScreen) counts() (messages, runs int) { return p.s.history() }

func (p *sweepScreen) keys() []*keymap { return p.keymaps }

func (p *sweepScreen) resize(w, h int) {
	p.w, p.h = w, h
	total := h + headLines + footLines
	knobs, rules := 1, 0
	if total >= rulesFrom {
		rules = 1
	}
	if total >= knobsFrom {
		knobs = 2
	}
	rest := draw.Rect{W: w, H: h}
	p.at.head, rest = rest.Top(2)
	rest, p.at.knobs = rest.Bottom(knobs)
	rest, p.at.rule = rest.Bottom(rules)
	p.at.body = rest
	p.places()
	p.refresh()
}

// places puts the map on top, and right below it what its cell means.
func (p *sweepScreen) places() {
	rows := len(p.heat.Y) + 2 // with the heading and the legend
	var rest draw.Rect
	p.at.heat, rest = p.at.body.Top(min(rows, max(p.at.body.H-stateRows, 0)))
	if rest.H > stateRows {
		_, rest = rest.Top(1)
	}
	p.at.state, _ = rest.Top(stateRows)
	p.at.heat.X, p.at.heat.W = 1, max(p.w-2, 0)
}

// stateRows is how many lines say what a cell means.
const stateRows = 3

func (p *sweepScreen) refresh() {
	if p.s.loaded() {
		p.panel.lay(p.at.knobs)
	}
}

// shown sweeps anew when anything but the two settings of the grid has changed.
func (p *sweepScreen) shown() tea.Cmd {
	if !p.s.loaded() {
		return nil
	}
	cmd := p.history.prepare()
	whole := p.history.whole
	if whole == nil {
		return cmd
	}
	base := p.s.policy
	same := p.cells != nil && p.of == whole && withoutGrid(p.base) == withoutGrid(base) &&
		slices.Contains(p.grid.Thresholds, base.Threshold) && slices.Contains(p.grid.PreserveRecent, base.PreserveRecent)
	if !same {
		cmd = tea.Batch(cmd, p.begin(whole, base))
	}
	p.lay()
	return cmd
}

// withoutGrid is a policy less what the grid varies.
func withoutGrid(p compactor.Policy) compactor.Policy {
	p.Threshold, p.PreserveRecent = 0, 0
	return p
}

func (p *sweepScreen) begin(whole *weighed, base compactor.Policy) tea.Cmd {
	p.end()
	p.base, p.of = base, whole
	p.grid = study.DefaultGrid().Around(base)
	cells := &swept{cells: make([]study.Cell, p.grid.Len())}
	p.cells = cells
	p.heat.Cursor = p.current()
	p.id++
	id, grid, rec := p.id, p.grid, whole.rec
	ctx, stop := context.WithCancel(p.r.ctx)
	p.stop = stop
	return tea.Batch(p.tick(), func() tea.Msg {
		defer stop()
		study.Sweep(rec, base, grid, func(i int, c study.Cell) {
			cells.Lock()
			cells.cells[i] = c
			cells.done++
			cells.Unlock()
		}, func() bool { return ctx.Err() != nil })
		return sweptMsg{id}
	})
}

func (p *sweepScreen) tick() tea.Cmd {
	id := p.id
	return p.r.later(sweepEvery, func(time.Time) tea.Msg { return sweepTickMsg{id} })
}

// end stops a sweep that is under way.
func (p *sweepScreen) end() {
	if p.stop != nil {
		p.stop()
		p.stop = nil
	}
}

func (p *sweepScreen) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case historyMsg:
		if p.r.screen() == screen(p) {
			return p.shown()
		}
	case sweptMsg:
		if msg.id == p.id {
			p.stop = nil
			p.lay()
		}
	case sweepTickMsg:
		if msg.id == p.id && p.stop != nil {
			p.lay()
			return p.tick()
		}
	}
	return nil
}

// current is the place of the settings in force.
func (p *sweepScreen) current() draw.At {
	return draw.At{X: slices.Index(p.grid.Thresholds, p.s.policy.Threshold), Y: slices.Index(p.grid.PreserveRecent, p.s.policy.PreserveRecent)}
}

// lay makes the heat map of what is known.
func (p *sweepScreen) lay() {
	if p.cells == nil {
		return
	}
	m := study.Measures[p.measure]
	h := &p.heat
	h.XName, h.YName, h.Unit, h.Never, h.Current = "threshold", "preserve_recent", m.Name, "ends in ContextExceeded", p.current()
	h.X, h.Y, h.Cells = h.X[:0], h.Y[:0], h.Cells[:0]
	for _, t := range p.grid.Thresholds {
		h.X = append(h.X, formatPercent(int64(t)))
	}
	p.cells.Lock()
	defer p.cells.Unlock()
	for y, n := range p.grid.PreserveRecent {
		h.Y = append(h.Y, strconv.Itoa(n))
		row := make([]draw.HeatCell, len(p.grid.Thresholds))
		for x := range row {
			c := &p.cells.cells[y*len(row)+x]
			switch {
			case !c.Done:
			case c.Exceeded != nil:
				row[x].State = draw.HeatNever
			default:
				v := m.Of(c)
				row[x] = draw.HeatCell{State: draw.HeatValue, Value: float64(v), Text: draw.Short(v)}
			}
		}
		h.Cells = append(h.Cells, row)
	}
	p.places()
}

// cell is the cell under the cursor; ok is false while it is not known.
func (p *sweepScreen) cell() (c study.Cell, ok bool) {
	at := p.heat.Cursor
	if p.cells == nil || at == draw.None {
		return c, false
	}
	p.cells.Lock()
	defer p.cells.Unlock()
	c = p.cells.cells[at.Y*len(p.grid.Thresholds)+at.X]
	return c, c.Done
}

// move moves the cursor.
func (p *sweepScreen) move(dx, dy int) {
	if p.cells == nil {
		return
	}
	at := &p.heat.Cursor
	at.X = min(max(at.X+dx, 0), len(p.grid.Thresholds)-1)
	at.Y = min(max(at.Y+dy, 0), len(p.grid.PreserveRecent)-1)
}

// apply sets the knobs to the cell under the cursor.
func (p *sweepScreen) apply() tea.Cmd {
	at := p.heat.Cursor
	if p.cells == nil || at == draw.None {
		return nil
	}
	threshold, recent := p.grid.Thresholds[at.X], p.grid.PreserveRecent[at.Y]
	if threshold == p.s.policy.Threshold && recent == p.s.policy.PreserveRecent {
		return p.r.say(draw.Dim, "the knobs are set so already")
	}
	what := fmt.Sprintf("threshold %d%%, preserve_recent %d", threshold, recent)
	both := func(threshold, recent int) string { return fmt.Sprintf("%d%%/%d", threshold, recent) }
	was := both(p.s.policy.Threshold, p.s.policy.PreserveRecent)
	p.s.do(deed{"threshold/preserve_recent", was, both(threshold, recent)}, 0, func(u *setup) { u.policy.Threshold, u.policy.PreserveRecent = threshold, recent })
	return p.r.say(draw.Good, "%s set; %s takes it back", what, p.r.press("anywhere", "undo"))
}

func (p *sweepScreen) bindings() []*keymap {
	do := func(f func()) func() tea.Cmd {
		return func() tea.Cmd {
			f()
			return nil
		}
	}
	grid := &keymap{title: "sweep", bindings: []binding{
		{[]string{"left", "h"}, "lower threshold", "the setting to the left", do(func() { p.move(-1, 0) })},
		{[]string{"right", "l"}, "higher threshold", "the setting to the right", do(func() { p.move(1, 0) })},
		{[]string{"up", "k"}, "fewer recent", "the setting above", do(func() { p.move(0, -1) })},
		{[]string{"down", "j"}, "more recent", "the setting below", do(func() { p.move(0, 1) })},
		{[]string{"home", "g"}, "current", "the settings in force", do(func() { p.heat.Cursor = p.current() })},
		{[]string{"v"}, "next number", "what the cells show: passes, messages dropped, tokens reclaimed, peak, sent, end", do(func() { p.show(1) })},
		{[]string{"V"}, "number before", "the one before", do(func() { p.show(-1) })},
		{[]string{"enter"}, "set", "set the knobs to the setting under the cursor", p.apply},
		{[]string{"tab"}, "next knob", "give the keys to the next knob: a slider or a choice", func() tea.Cmd { return p.panel.cycle(1) }},
		{[]string{"shift+tab"}, "previous knob", "give the keys to the knob before", func() tea.Cmd { return p.panel.cycle(-1) }},
	}}
	return []*keymap{p.panel.keys(), grid}
}

func (p *sweepScreen) show(by int) {
	n := len(study.Measures)
	p.measure = (p.measure + by + n) % n
	p.lay()
}

func (p *sweepScreen) back() bool {
	if p.panel.drop() {
		return true
	}
	running := p.stop != nil
	p.end()
	return running
}

func (p *sweepScreen) mouse(m tea.MouseMsg) tea.Cmd {
	if cmd, mine := p.panel.holding(m); mine {
		return cmd
	}
	switch {
	case m.Action != tea.MouseActionPress:
	case p.at.knobs.Contains(m.X, m.Y):
		return p.panel.press(m.X, m.Y)
	case p.at.heat.Contains(m.X, m.Y):
		p.panel.drop()
		if at, ok := p.heat.CellAt(p.at.heat.W, p.at.heat.H, m.X-p.at.heat.X, m.Y-p.at.heat.Y); ok {
			if at == p.heat.Cursor {
				return p.apply()
			}
			p.heat.Cursor = at
		}
	}
	return nil
}

func (p *sweepScreen) wheel(x, y, down int) tea.Cmd {
	if p.at.knobs.Contains(x, y) {
		return p.panel.wheel(x, y, down)
	}
	p.move(0, down/wheelLines)
	return nil
}

// lines draws the Sweep screen.
func (p *sweepScreen) lines() []string {
	l := p.r.look
	f := draw.NewFrame(l, p.w, p.h)
	m := study.Measures[p.measure]
	f.Put(p.at.head, l.Pen(p.w).Space(1).Text(draw.Title, m.Name).Space(2).Text(draw.Dim, m.About).String())
	if p.cells == nil {
		f.Put(p.at.body, l.Pen(p.w).Space(1).Text(draw.Dim, own(l, "counting the recorded history …")).String())
	} else {
		f.Put(p.at.heat, p.heat.Draw(l, p.at.heat.W, p.at.heat.H)...)
	}
	f.Put(p.at.state, p.stateLines()...)
	if p.at.rule.H > 0 {
		f.Put(p.at.rule, draw.Rule(l, p.at.rule.W, nil, nil))
	}
	f.Put(p.at.knobs, p.panel.lines(l)...)
	return f.Lines()
}

// stateLines say what the setting under the cursor would cost and lose.
func (p *sweepScreen) stateLines() []string {
	l := p.r.look
	at := p.heat.Cursor
	if p.cells == nil || at == draw.None {
		return nil
	}
	head := fmt.Sprintf("threshold %d%%, preserve_recent %d", p.grid.Thresholds[at.X], p.grid.PreserveRecent[at.Y])
	line := func(t draw.Token, text string) string {
		return l.Pen(p.w).Space(1).TextIn(t, own(l, text), p.w-2).String()
	}
	fit := func(ways ...string) string {
		return line(draw.Text, fitting(l, p.w-2, ways...))
	}
	c, ok := p.cell()
	switch {
	case !ok:
		return []string{line(draw.Strong, head), line(draw.Dim, "not replayed yet")}
	case c.Exceeded != nil:
		return []string{line(draw.Strong, head), line(draw.Fault, fmt.Sprintf("the run fails: ContextExceeded{used %s, limit %s}", draw.Tokens(c.Exceeded.Used), draw.Tokens(c.Exceeded.Limit))), line(draw.Text, "after "+passes(c.Passes))}
	}
	return []string{
		line(draw.Strong, head),
		line(draw.Text, fmt.Sprintf("completes: %s, %s dropped, ~%s reclaimed", passes(c.Passes), count(c.Dropped, "message"), draw.Tokens(c.Reclaim))),
		fit(fmt.Sprintf("largest request ~%s, all requests ~%s, ~%s at the end", draw.Tokens(c.Peak), draw.Tokens(c.Sent), draw.Tokens(c.End)),
			fmt.Sprintf("peak ~%s, sent ~%s, end ~%s", draw.Tokens(c.Peak), draw.Tokens(c.Sent), draw.Tokens(c.End))),
	}
}

func (p *sweepScreen) status() status {
	st := status{tone: draw.Dim}
	switch {
	case p.panel.focused:
		k := knobs[p.panel.knob]
		st.tone, st.text = draw.Text, k.name+": "+k.about
		st.hints = namedIn(p.keymaps, "less", "more", "type", "default")
	case p.cells == nil:
		st.text = "counting the recorded history …"
	case p.stop != nil:
		p.cells.Lock()
		st.text = fmt.Sprintf("replaying, %d of %d settings; esc stops", p.cells.done, len(p.cells.cells))
		p.cells.Unlock()
	default:
		st.text = fmt.Sprintf("%d settings replayed", p.grid.Len())
		st.hints = namedIn(p.keymaps, "set", "next number", "current")
	}
	return st
}
