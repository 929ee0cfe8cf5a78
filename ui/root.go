package ui

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/model/token"
	"cinch/ui/draw"
)

// mode says who has the keys before the screen does.
type mode uint8

const (
	browsing mode = iota // the screen
	asking               // a line of text is being typed
	choosing             // a menu is open
	helping              // the help is open
)

// Below this size there is no room for anything; a line says so.
const (
	leastWidth  = 40
	leastHeight = 12
)

// Lines the root draws around a screen: the header above, status and footer below.
const (
	headLines = 1
	footLines = 2
)

// root is the one model Bubble Tea knows. It draws what surrounds the screens,
// and decides who gets a key, a click, a message.
type root struct {
	ctx    context.Context
	cancel context.CancelFunc
	opts   Options
	look   *draw.Look
	out    io.Writer
	w, h   int

	s       *session
	seen    int // the version of the session the screens were told of
	screens []screen
	at      int
	front   front // stands before the screens, nil for none
	picker  *picker
	chooser *chooser
	watched *following // a file that is being watched, nil for none
	up      []session  // what leads back from a subagent, the outermost first

	mode   mode
	prompt *prompt
	menu   *menu
	help   *help
	keymap *keymap
	file   *keymap // the way to other conversations
	before *keymap // what of keymap is good on a screen in front

	load    *loading
	loads   int // how many were started
	later   func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	clock   func() time.Time
	failure error

	notice     string
	noticeTone draw.Token
	mouseOn    bool
	held       bool // a mouse button is down, and the screen has the mouse
	kept       []string

	frame string // what View last drew
	stale bool   // it has to be drawn again
	draws int    // how often it was
	zones []zone // what a click outside the screen runs
}

// zone is a place that can be clicked.
type zone struct {
	draw.Rect
	do func() tea.Cmd
}

func newRoot(ctx context.Context, o Options, look *draw.Look, out io.Writer) *root {
	r := &root{opts: o, look: look, out: out, w: 80, h: 24, s: &session{}, mouseOn: !o.NoMouse, stale: true, later: tea.Tick, clock: time.Now}
	r.ctx, r.cancel = context.WithCancel(ctx)
	replay := newReplay(r)
	r.screens = []screen{newPass(r), replay, newLadder(r), newSweep(r, replay)}
	r.keymap = r.keys()
	r.file, r.before = r.fileKeys(), r.frontKeys()
	r.picker, r.chooser = newPicker(r), newChooser(r)
	r.resize(80, 24)
	return r
}

// Init opens what the options name.
func (r *root) Init() tea.Cmd {
	switch {
	case r.opts.Opened != nil && r.opts.Opened.File.Selected != nil:
		return r.take(r.opts.Opened, r.opts.Opened.File.Selected)
	case r.opts.Path != "" && r.opts.Follow != nil:
		return r.follow(r.opts.Path)
	case r.opts.Path != "":
		return r.open(r.opts.Path)
	}
	return r.face(r.picker)
}

func (r *root) screen() screen {
	if r.front != nil {
		return r.front
	}
	return r.screens[r.at]
}

func (r *root) small() bool { return r.w < leastWidth || r.h < leastHeight }

func (r *root) resize(w, h int) {
	r.w, r.h, r.stale = max(w, 0), max(h, 0), true
	for _, s := range r.screens {
		s.resize(r.w, max(r.h-headLines-footLines, 0))
	}
	if r.front != nil {
		r.front.resize(r.w, max(r.h-headLines-footLines, 0))
	}
}

// Update hands a message to whom it concerns. A mode comes first.
func (r *root) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := r.handle(msg)
	if r.seen != r.s.version {
		r.seen, r.stale = r.s.version, true
		for _, s := range r.screens {
			s.refresh()
		}
		if more := r.screen().shown(); more != nil {
			cmd = tea.Batch(cmd, more)
		}
	}
	return r, cmd
}

func (r *root) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		r.resize(msg.Width, msg.Height)
		return nil
	case tea.ResumeMsg:
		r.stale = true
		return r.restoreMouse()
	case editedMsg:
		return r.edited(msg)
	case tea.KeyMsg:
		return r.keyed(msg)
	case tea.MouseMsg:
		return r.moused(msg)
	case wheelMsg:
		return r.wheeled(msg)
	case writtenMsg:
		return r.written(msg)
	}
	if cmd, mine := r.loaded(msg); mine {
		return cmd
	}
	if cmd, mine := r.followed(msg); mine {
		return cmd
	}
	var cmds []tea.Cmd
	for _, s := range r.screens {
		if cmd := s.update(msg); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	for _, f := range []front{r.picker, r.chooser} {
		if cmd := f.update(msg); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	r.stale = true
	return tea.Batch(cmds...)
}

// restoreMouse asks the terminal for the mouse again, which it forgets whenever
// another program had the screen.
func (r *root) restoreMouse() tea.Cmd {
	if r.mouseOn {
		return tea.EnableMouseCellMotion
	}
	return nil
}

// keyed takes what the keyboard sent. Leaked reports are dropped, pasted text
// goes to inputs only, and a burst becomes the keys it was made of.
func (r *root) keyed(k tea.KeyMsg) tea.Cmd {
	typing := r.mode == asking || r.mode == helping
	if leaked(k) || k.Paste && !typing {
		return nil
	}
	if typing {
		return r.key(k)
	}
	var cmds []tea.Cmd
	for _, one := range apart(k) {
		if cmd := r.key(one); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	if len(cmds) == 1 {
		return cmds[0]
	}
	return tea.Batch(cmds...)
}

func (r *root) key(k tea.KeyMsg) tea.Cmd {
	key := k.String()
	if key == "ctrl+c" {
		return tea.Quit
	}
	if r.notice != "" {
		r.notice, r.stale = "", true
	}
	switch r.mode {
	case asking:
		r.stale = true
		p := r.prompt
		cmd, done := p.update(k)
		if done && r.prompt == p {
			r.prompt = nil
			if r.mode == asking {
				r.mode = browsing
			}
		}
		return cmd
	case choosing:
		r.stale = true
		it := r.menu.find(key)
		r.mode, r.menu = browsing, nil
		if it != nil {
			return it.do()
		}
		return nil
	case helping:
		r.stale = true
		run, done := r.help.update(k)
		if done {
			r.mode, r.help = browsing, nil
		}
		if run != nil {
			return run.do()
		}
		return nil
	}
	if b := r.lookup(key); b != nil {
		r.stale = true
		return b.do()
	}
	return nil
}

// maps are the keymaps that are good now, in the order in which they are asked.
func (r *root) maps() []*keymap {
	var out []*keymap
	if r.live() && !r.small() && !r.waiting() {
		for _, m := range r.screen().keys() {
			if m.active() {
				out = append(out, m)
			}
		}
	}
	if r.front != nil {
		return append(out, r.before)
	}
	if r.file.active() {
		out = append(out, r.file)
	}
	return append(out, r.keymap)
}

func (r *root) lookup(key string) *binding {
	for _, m := range r.maps() {
		if b := m.find(key); b != nil {
			return b
		}
	}
	return nil
}

// ask opens a prompt.
func (r *root) ask(p *prompt) tea.Cmd {
	r.mode, r.prompt, r.stale = asking, p, true
	return nil
}

// choose opens a menu.
func (r *root) choose(m *menu) tea.Cmd {
	r.mode, r.menu, r.stale = choosing, m, true
	return nil
}

// say shows a sentence until the next key.
func (r *root) say(tone draw.Token, format string, args ...any) tea.Cmd {
	r.notice, r.noticeTone, r.stale = fmt.Sprintf(format, args...), tone, true
	return nil
}

// moused takes a press, a drag or a release.
func (r *root) moused(m tea.MouseMsg) tea.Cmd {
	if r.small() {
		return nil
	}
	if r.held {
		r.stale = true
		r.held = m.Action != tea.MouseActionRelease
		m.Y -= headLines
		return r.screen().mouse(m)
	}
	if m.Action != tea.MouseActionPress || m.Button != tea.MouseButtonLeft {
		return nil
	}
	r.stale = true
	for _, z := range r.zones {
		if z.Contains(m.X, m.Y) {
			return z.do()
		}
	}
	if y := m.Y - headLines; r.mode == browsing && r.live() && !r.waiting() && y >= 0 && y < r.h-headLines-footLines {
		r.held, r.notice = true, ""
		m.Y = y
		return r.screen().mouse(m)
	}
	return nil
}

// wheelLines is how far one turn of the wheel goes.
const wheelLines = 3

// wheeled scrolls what is under the pointer.
func (r *root) wheeled(m wheelMsg) tea.Cmd {
	if r.small() {
		return nil
	}
	switch {
	case r.mode == helping:
		r.stale = true
		r.help.move(m.Down * wheelLines)
	case r.mode == browsing && r.live() && !r.waiting():
		if y := m.Y - headLines; y >= 0 && y < r.h-headLines-footLines {
			r.stale = true
			return r.screen().wheel(m.X, y, m.Down*wheelLines)
		}
	}
	return nil
}

// View draws the frame, if anything has changed since the last one.
func (r *root) View() string {
	if r.stale {
		r.frame, r.stale = strings.Join(r.lines(), "\n"), false
		r.draws++
	}
	return r.frame
}

func (r *root) lines() []string {
	r.zones = r.zones[:0]
	if r.w == 0 || r.h == 0 {
		return nil
	}
	if r.small() {
		text := fmt.Sprintf("cinch needs %d×%d, this is %d×%d", leastWidth, leastHeight, r.w, r.h)
		return fitLines(r.look, []string{r.look.Pen(r.w).Text(draw.Text, own(r.look, text)).String()}, r.w, r.h)
	}
	out := append(make([]string, 0, r.h), r.header())
	body := r.h - headLines - footLines
	switch {
	case r.mode == helping:
		out = append(out, r.help.lines(r.look, r.w, body)...)
	case r.waiting():
		out = append(out, r.loadingLines(r.w, body)...)
	case !r.live():
		out = append(out, r.emptyLines(r.w, body)...)
	default:
		out = append(out, r.screen().lines()...)
	}
	over := r.saying() // a prompt or a menu, which has the keys
	over.hints = nil
	switch r.mode {
	case asking:
		out = append(out, r.statusLine(over), r.prompt.line(r.look, r.w))
	case choosing:
		lines, at := r.menu.lines(r.look, r.w)
		lines = lines[:min(len(lines), r.h-headLines)]
		top := r.h - len(lines)
		out = append(append(out, r.statusLine(over), "")[:top], lines...)
		for i, place := range at {
			place.Y += top
			do := func() tea.Cmd { return nil } // the way back
			if i < len(r.menu.items) {
				do = r.menu.items[i].do
			}
			r.zones = append(r.zones, zone{place, func() tea.Cmd {
				r.mode, r.menu = browsing, nil
				return do()
			}})
		}
	default:
		out = append(out, r.foot()...)
	}
	return out
}

// header says what is looked at, and how it is counted.
func (r *root) header() string {
	if r.front != nil {
		return r.frontHeader()
	}
	p := r.look.Pen(r.w)
	p.Space(1).Text(draw.Title, "cinch").Space(2)
	if !r.s.loaded() {
		if r.opts.Path != "" {
			p.Preview(draw.Text, r.opts.Path, p.Left()-1)
		}
		return p.String()
	}
	name := filepath.Base(r.s.conv.Path)
	messages, runs := r.s.now.view.Len(), len(r.s.now.runs)
	if s, ok := r.screen().(interface{ counts() (messages, runs int) }); ok { // of what it looks at
		messages, runs = s.counts()
	}
	left := own(r.look, fmt.Sprintf("%s · %s · %s", r.s.conv.Format, count(messages, "message"), count(runs, "run")))
	if where := whereIs(r.s.opened, r.s.conv); where != "" {
		left += own(r.look, " · "+where)
	}
	switch {
	case r.s.opened.part > 0: // the first thing to be known of it
		left = own(r.look, fmt.Sprintf("its first %s · %s", megabytes(r.s.opened.part), count(messages, "message")))
	case r.s.following:
		left += own(r.look, " · following")
	}
	right, facts := "", r.facts()
	for len(facts) > 0 {
		right = own(r.look, strings.Join(facts, " · "))
		if draw.Width(right)+draw.Width(left)+min(draw.Width(name), 20)+6 <= p.Left() {
			break
		}
		facts = facts[1:]
	}
	if draw.Width(right)+draw.Width(left)+14 > p.Left() {
		left = ""
	}
	p.Preview(draw.Strong, name, max(p.Left()-draw.Width(left)-draw.Width(right)-6, 8)).Space(2).Text(draw.Dim, left)
	return p.Right(draw.Dim, right, r.w-1).String()
}

// facts are what the numbers rest on, the least important first.
func (r *root) facts() []string {
	s := r.s
	if f, ok := r.screen().(interface{ facts() []string }); ok {
		return f.facts()
	}
	about := s.counter().Name()
	if k, ok := token.CalibrationOf(s.counter()); ok {
		about += fmt.Sprintf(" ×%.2f (%.2f–%.2f)", k.Median, k.P10, k.P90)
	}
	if s.weighed.approx > 0 {
		about += " ≈"
	}
	out := []string{"engine truncating"}
	if s.weighed.rec.Inferred {
		out = append(out, "overhead inferred")
	}
	out = append(out, about, fmt.Sprintf("window %s (%s)", draw.Short(s.policy.Window), s.windowFrom))
	switch {
	case r.reading():
		out = append(out, r.load.what+" …")
	case r.counting():
		out = append(out, "stale: "+r.load.what+" …")
	}
	return out
}

// counting reports whether the numbers on the screen are about to be replaced.
func (r *root) counting() bool { return r.load != nil && r.load.counts && r.s.loaded() }

// emptyLines are shown when there is nothing to look at.
func (r *root) emptyLines(w, h int) []string {
	out := r.look.Sheet(w)
	out.Line()
	if r.failure != nil {
		text, _ := draw.Clean(r.failure.Error())
		for _, line := range draw.Wrap(text, max(w-4, 1)) {
			out.Line().Space(2).Text(draw.Fault, line)
		}
	} else {
		out.Line().Space(2).Text(draw.Text, "Nothing is open.")
	}
	out.Line()
	out.Line().Space(2).Text(draw.Key, own(r.look, r.press("anywhere", "quit"))).Text(draw.Dim, " quits")
	return fitLines(r.look, out.Lines(), w, h)
}

// saying is a notice while there is one, else what the screen has to say.
func (r *root) saying() status {
	switch {
	case r.notice != "":
		return status{tone: r.noticeTone, text: r.notice}
	case !r.live() || r.waiting() || r.mode == helping:
		return status{tone: draw.Dim}
	case r.load != nil:
		return status{tone: draw.Text, text: r.load.what + "  " + r.load.bar(r.look.Glyphs, footBar) + r.load.said(r.clock()), hints: []*binding{r.keymap.named("back")}}
	}
	return r.screen().status()
}

// statusLine is a sentence and, as far as there is room beside it, keys. A dim
// one leaves room for some in any case.
func (r *root) statusLine(st status) string {
	text, least := own(r.look, st.text), 0
	if st.tone == draw.Dim {
		least = r.w / 4
	}
	hints, n := r.hints(st.hints, max(r.w-draw.Width(text)-5, least), r.w-1, r.h-2)
	p := r.look.Pen(r.w - n - 1)
	p.Space(1).TextIn(st.tone, text, max(p.Left()-2*min(n, 1), 0))
	return p.String() + hints + r.look.Pen(1).String()
}

// foot is the two lines below a screen. A sentence that matters and is too long
// for its line goes on in the footer's, which keeps help and quit.
func (r *root) foot() []string {
	st := r.saying()
	text := own(r.look, st.text)
	if draw.Width(text) <= r.w-2 || st.tone == draw.Dim && r.notice == "" {
		return []string{r.statusLine(st), r.footer()}
	}
	lines := draw.Wrap(text, max(r.w-2, 1))
	first := r.look.Pen(r.w).Space(1).Text(st.tone, lines[0]).String()
	hints, n := r.hints([]*binding{r.keymap.named("help"), r.keymap.named("quit")}, r.w/2, r.w-1, r.h-1)
	p := r.look.Pen(r.w - n - 1)
	p.Space(1).TextIn(st.tone, strings.Join(lines[1:], " "), max(p.Left()-2, 0))
	return []string{first, p.String() + hints + r.look.Pen(1).String()}
}

// hints draws what keys do, each of which can be clicked, in at most w cells
// that end at column end of line y.
func (r *root) hints(bindings []*binding, w, end, y int) (line string, width int) {
	bindings = slices.DeleteFunc(slices.Clone(bindings), func(b *binding) bool { return len(b.keys) == 0 })
	for len(bindings) > 0 && hintsWidth(r.look, bindings) > w {
		bindings = bindings[:len(bindings)-1]
	}
	width = hintsWidth(r.look, bindings)
	shown := make([]draw.Binding, len(bindings))
	for i, b := range bindings {
		shown[i] = draw.Binding{Keys: own(r.look, b.first()), Text: b.name}
	}
	line, at := draw.Footer(r.look, width, shown, nil)
	for i, h := range at {
		r.zones = append(r.zones, zone{draw.Rect{X: end - width + h.X, Y: y, W: h.W, H: 1}, bindings[i].do})
	}
	return line, width
}

// hintsWidth is the cells of hints beside each other.
func hintsWidth(l *draw.Look, bindings []*binding) int {
	n := 0
	for i, b := range bindings {
		if i > 0 {
			n += 2
		}
		n += draw.Width(own(l, b.first())) + 1 + draw.Width(b.name)
	}
	return n
}

// footer names the screens and the keys that are good everywhere.
func (r *root) footer() string {
	type tab struct{ key, name string }
	var tabs []tab
	if r.front == nil && len(r.screens) > 1 {
		for _, s := range r.screens {
			tabs = append(tabs, tab{own(r.look, r.keymap.named(s.name()).first()), s.name()})
		}
	}
	width := func() int {
		n := 1
		for _, t := range tabs {
			n += draw.Width(strings.TrimSpace(t.key+" "+t.name)) + 2
		}
		return n
	}
	foot := r.footHints()
	for len(foot) > 2 && hintsWidth(r.look, foot) > r.w-width()-2 { // help and quit stay
		foot = foot[1:]
	}
	if hintsWidth(r.look, foot) > r.w-width()-2 { // as the names of the other screens do not
		for i := range tabs {
			if i != r.at && tabs[i].key != "" {
				tabs[i].name = ""
			}
		}
	}
	hints, n := r.hints(foot, r.w-width()-2, r.w-1, r.h-1)
	p := r.look.Pen(r.w - n - 1).Space(1)
	for i, t := range tabs {
		tone := draw.Dim
		if i == r.at {
			tone = draw.Title
		}
		at := p.At()
		p.Text(draw.Key, t.key)
		if t.name != "" {
			p.Space(1).Text(tone, t.name)
		}
		r.zones = append(r.zones, zone{draw.Rect{X: at, Y: r.h - 1, W: p.At() - at, H: 1}, func() tea.Cmd { return r.show(i) }})
		p.Space(2)
	}
	return p.String() + hints + r.look.Pen(1).String()
}

// show goes to another screen.
func (r *root) show(i int) tea.Cmd {
	if i < len(r.screens) {
		r.at, r.stale = i, true
		return r.screen().shown()
	}
	return nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return draw.Tokens(int64(n)) + " " + what + "s"
}
