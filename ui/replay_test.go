package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor"
	"cinch/compactor/study"
)

// replaying opens a lesson on the Replay screen.
func replaying(t testing.TB, lesson string, w, h int) (*driver, *replayScreen) {
	t.Helper()
	d := drive(t, Options{Path: "lesson:" + lesson, Open: opener(nil), Profile: colours().Profile}, w, h, colours())
	if !d.s.loaded() {
		t.Fatalf("%s did not open: %v", lesson, d.failure)
	}
	d.press("2")
	p := d.screens[1].(*replayScreen)
	if p.t == nil {
		t.Fatal("nothing was replayed")
	}
	return d, p
}

// pump runs what the screen waits for in the background.
func (d *driver) pump() {
	for len(d.said) > 0 {
		msg := d.said[0]
		d.said = d.said[1:]
		switch msg.(type) {
		case historyMsg, changesMsg:
			d.send(msg)
		}
	}
}

func TestReplayShowsWhatTheEngineSays(t *testing.T) {
	for _, lesson := range []string{"demo", "second-pass", "result-over-window", "every-turn", "late-result", "worked-growing"} {
		t.Run(lesson, func(t *testing.T) {
			d, p := replaying(t, lesson, 200, 60)
			want := compactor.Replay(p.whole.rec, compactor.Driving{Policy: d.s.policy})
			if len(p.t.Calls) != len(want.Calls) || len(p.t.Passes) != len(want.Passes) || p.t.End.Outcome != want.End.Outcome {
				t.Fatalf("the screen has %d calls and %d passes, the engine %d and %d", len(p.t.Calls), len(p.t.Passes), len(want.Calls), len(want.Passes))
			}
			for i, pt := range p.points {
				p.seek(i)
				if pt.call < 0 {
					d.stale = true
					e := want.End.Exceeded
					d.has(fmt.Sprintf("ContextExceeded{used %s", commas(e.Used)))
					continue
				}
				if got := p.now.Tokens() + p.now.Overhead(); got != want.Calls[pt.call].Tokens {
					t.Errorf("call %d shows %d tokens, sent were %d", pt.call, got, want.Calls[pt.call].Tokens)
				}
				rows := 0
				for y := range p.rows.n {
					if r := p.rows.at(y); r.kind == messageRow {
						rows++
					}
				}
				if rows != p.now.Len() {
					t.Errorf("call %d lists %d messages of %d", pt.call, rows, p.now.Len())
				}
			}
		})
	}
}

func commas(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func TestReplayFailureCard(t *testing.T) {
	d, p := replaying(t, "second-pass", 200, 60)
	d.has("ContextExceeded{used")
	d.has("death on the second pass")
	d.has("replaying to find it")
	d.pump()
	if len(p.changes) == 0 {
		t.Fatal("no change was found")
	}
	d.has("is the smallest")
	d.has("what led there")
	d.press("enter", "G")
	d.has("cannot be dropped")
	d.press("esc")
	// The change it suggests is true: taking it up lets the run complete.
	d.press("x")
	for i, c := range p.changes { // the menu says what is, and what would do
		if c.Possible && d.menu.items[0].name != fmt.Sprintf("%s %s → %s", c.Knob, number(c.Knob, c.From), number(c.Knob, c.To)) {
			t.Errorf("change %d is offered as %q", i, d.menu.items[0].name)
		}
		if c.Possible {
			break
		}
	}
	d.press("1")
	if p.t.End.Exceeded != nil {
		t.Errorf("after %v the run still fails: %v", p.changes, p.t.End.Exceeded)
	}
	d.press("u")
	if p.t.End.Exceeded == nil {
		t.Error("undo does not bring the failure back")
	}
}

// What is no longer sent is one row until it is opened, by its own key or by enter
// on it; then every recorded message before the call is there with its fate.
func TestReplayUnfolds(t *testing.T) {
	d, p := replaying(t, "demo", 160, 40)
	d.press("g")
	fold := -1
	for y := range p.rows.n {
		if p.rows.at(y).kind == foldRow {
			fold = y
		}
	}
	if fold < 0 {
		t.Fatal("nothing is folded after the demo's pass")
	}
	first := p.rows.at(fold).first
	p.moveTo(fold)
	d.press("enter")
	shown := map[int]bool{}
	for y := range p.rows.n {
		switch r := p.rows.at(y); r.kind {
		case foldRow:
			t.Errorf("%d–%d is still folded", r.first, r.last)
		case messageRow:
			shown[r.first] = true
		}
	}
	if want := p.points[p.at].message; len(shown) != want {
		t.Errorf("%d of %d recorded messages are shown", len(shown), want)
	}
	if p.selected() != first {
		t.Errorf("the cursor is on #%d, the fold began at #%d", p.selected(), first)
	}
	d.has("dropped")
	d.press("F")
	if k := p.rows.at(p.cursor).kind; k != foldRow {
		t.Errorf("folded again, the cursor is on a row of kind %d", k)
	}
	d.press("G")
	d.has("pending")
	d.has("history")
}

func TestReplayTellsAPass(t *testing.T) {
	d, p := replaying(t, "worked-growing", 160, 40)
	d.press("0", "]")
	if len(p.t.Passes) < 2 {
		t.Fatalf("%d passes", len(p.t.Passes))
	}
	var roles []string
	for range study.Story(p.t, 0) {
		d.press("s")
		c := p.story[p.told-1]
		d.has("the " + string(c.Role))
		if n := len(roles); n == 0 || roles[n-1] != string(c.Role) {
			roles = append(roles, string(c.Role))
		}
	}
	if got := strings.Join(roles, " "); got != "machine driver manager compactor manager machine" {
		t.Errorf("the roles act in the order %s", got)
	}
	if p.pass == nil || p.pass.After != compactor.Truncate(p.t.Passes[0].View, p.t.Policy).After {
		t.Error("the last chapter does not show the finished pass")
	}
	d.press("b", "b")
	if p.told != len(p.story)-2 {
		t.Errorf("two back from the end is chapter %d of %d", p.told, len(p.story))
	}
	d.press("esc")
	if p.story != nil {
		t.Error("esc does not leave the story")
	}
}

func TestReplayKnobsRedraw(t *testing.T) {
	d, p := replaying(t, "demo", 120, 36)
	before := len(p.t.Passes)
	d.press("tab", "tab") // threshold
	d.press("H", "H", "H", "H")
	if p.t.Policy.Threshold != 40 || len(p.t.Passes) <= before {
		t.Errorf("threshold %d, %d passes before, %d now", p.t.Policy.Threshold, before, len(p.t.Passes))
	}
}

func TestReplayPlays(t *testing.T) {
	d, p := replaying(t, "demo", 120, 36)
	d.press("0", " ")
	if !p.play.on || p.at != 0 {
		t.Fatal("space does not play")
	}
	for i := 1; i < len(p.points); i++ {
		d.send(tickMsg{&p.play, p.play.id})
		if p.at != i {
			t.Fatalf("tick %d is at call %d", i, p.at)
		}
	}
	if p.play.on {
		t.Error("it plays on past the end")
	}
	d.press("+", "+", "-")
	if p.play.speed() != 2 {
		t.Errorf("speed %d", p.play.speed())
	}
}

func TestReplayGoesOn(t *testing.T) {
	d, p := replaying(t, "second-pass", 120, 36)
	stopped := len(p.points)
	d.press("o")
	if !p.goOn || len(p.points) < stopped {
		t.Errorf("%d points after %d", len(p.points), stopped)
	}
}

func TestReplaySeeksByMouse(t *testing.T) {
	d, p := replaying(t, "demo", 120, 36)
	for call := range p.points {
		col, ok := p.chart.Column(p.place.chart.W, p.place.chart.H, call)
		if !ok {
			t.Fatalf("call %d has no column", call)
		}
		d.click(p.place.chart.X+col, headLines+1)
		if p.at != call {
			t.Errorf("a click on call %d goes to %d", call, p.at)
		}
	}
	row := p.rows.n - 3
	d.click(p.place.list.X+5, headLines+p.place.list.Y+1+row-p.top)
	if p.cursor != row {
		t.Errorf("a click on row %d selects %d", row, p.cursor)
	}
}

// replayCases press every binding of the Replay screen on the demo, which has 30
// calls and a pass before call 26.
var replayCases = map[string]caseOn[*replayScreen]{
	"replayed message/scroll down": {[]string{"enter"}, func(d *driver, p *replayScreen) bool { return p.detail.top == 1 }},
	"replayed message/scroll up":   {[]string{"enter", "j", "j"}, func(d *driver, p *replayScreen) bool { return p.detail.top == 1 }},
	"replayed message/page down":   {[]string{"enter"}, func(d *driver, p *replayScreen) bool { return p.detail.top > 1 }},
	"replayed message/page up":     {[]string{"enter", "j", "j"}, func(d *driver, p *replayScreen) bool { return p.detail.top == 0 }},
	"replayed message/top":         {[]string{"enter", "G"}, func(d *driver, p *replayScreen) bool { return p.detail.top == 0 }},
	"replayed message/end":         {[]string{"enter"}, func(d *driver, p *replayScreen) bool { return p.detail.top > 5 }},

	"knob/less":      {[]string{"tab"}, func(d *driver, p *replayScreen) bool { return p.t.Policy.PreserveRecent == 3 }},
	"knob/more":      {[]string{"tab"}, func(d *driver, p *replayScreen) bool { return p.t.Policy.PreserveRecent == 5 }},
	"knob/much less": {[]string{"tab", "end"}, func(d *driver, p *replayScreen) bool { return p.t.Policy.PreserveRecent == 54 }},
	"knob/much more": {[]string{"tab"}, func(d *driver, p *replayScreen) bool { return p.t.Policy.PreserveRecent == 14 }},
	"knob/least":     {[]string{"tab"}, func(d *driver, p *replayScreen) bool { return p.t.Policy.PreserveRecent == 1 }},
	"knob/most":      {[]string{"tab"}, func(d *driver, p *replayScreen) bool { return p.t.Policy.PreserveRecent == 64 }},
	"knob/default":   {[]string{"tab", "l"}, func(d *driver, p *replayScreen) bool { return p.t.Policy.PreserveRecent == 4 }},
	"knob/type":      {[]string{"tab"}, func(d *driver, p *replayScreen) bool { return d.mode == asking }},

	"replay/call before": {nil, func(d *driver, p *replayScreen) bool { return p.at == len(p.points)-2 }},
	"replay/next call":   {[]string{"0"}, func(d *driver, p *replayScreen) bool { return p.at == 1 }},
	"replay/ten back":    {nil, func(d *driver, p *replayScreen) bool { return p.at == len(p.points)-11 }},
	"replay/ten on":      {[]string{"0"}, func(d *driver, p *replayScreen) bool { return p.at == 10 }},
	"replay/first call":  {nil, func(d *driver, p *replayScreen) bool { return p.at == 0 }},
	"replay/last call":   {[]string{"0"}, func(d *driver, p *replayScreen) bool { return p.at == len(p.points)-1 }},
	"replay/pass before": {nil, func(d *driver, p *replayScreen) bool {
		return p.points[p.at].passes[1] == 1 && p.points[p.at].passes[0] == 0
	}},
	"replay/next pass": {[]string{"0"}, func(d *driver, p *replayScreen) bool {
		return p.points[p.at].passes[1] == 1 && p.points[p.at].passes[0] == 0
	}},
	"replay/run before": {nil, func(d *driver, p *replayScreen) bool { return p.points[p.at-1].run != p.points[p.at].run }},
	"replay/next run":   {[]string{"0"}, func(d *driver, p *replayScreen) bool { return p.points[p.at].run == p.points[0].run+1 }},
	"replay/play":       {[]string{"0"}, func(d *driver, p *replayScreen) bool { return p.play.on }},
	"replay/faster":     {nil, func(d *driver, p *replayScreen) bool { return p.play.speed() == 2 }},
	"replay/slower":     {[]string{"+", "+"}, func(d *driver, p *replayScreen) bool { return p.play.speed() == 2 }},
	"replay/step":       {[]string{"0", "]"}, func(d *driver, p *replayScreen) bool { return p.told == 1 }},
	"replay/step back":  {[]string{"0", "]", "s", "s"}, func(d *driver, p *replayScreen) bool { return p.told == 1 }},
	"replay/why": {nil, func(d *driver, p *replayScreen) bool {
		return p.card && strings.Contains(d.plain(), "the run completes")
	}},
	"replay/use a change": {nil, func(d *driver, p *replayScreen) bool { return strings.Contains(d.plain(), "nothing has to change") }},
	"replay/go on":        {nil, func(d *driver, p *replayScreen) bool { return p.goOn }},
	"replay/go to":        {nil, func(d *driver, p *replayScreen) bool { return d.mode == asking }},

	"what the model sees/down":      {[]string{"g"}, func(d *driver, p *replayScreen) bool { return p.cursor == 1 }},
	"what the model sees/up":        {nil, func(d *driver, p *replayScreen) bool { return p.cursor == p.rows.n-2 }},
	"what the model sees/page down": {[]string{"g"}, func(d *driver, p *replayScreen) bool { return p.cursor > 1 }},
	"what the model sees/page up":   {nil, func(d *driver, p *replayScreen) bool { return p.cursor < p.rows.n-2 }},
	"what the model sees/first":     {nil, func(d *driver, p *replayScreen) bool { return p.cursor == 0 }},
	"what the model sees/last":      {[]string{"g"}, func(d *driver, p *replayScreen) bool { return p.cursor == p.rows.n-1 }},
	"what the model sees/mate":      {nil, func(d *driver, p *replayScreen) bool { return p.selected() == 62 }},
	"what the model sees/search":    {nil, func(d *driver, p *replayScreen) bool { return d.mode == asking }},
	"what the model sees/next match": {[]string{"/", "1", "enter", "g"}, func(d *driver, p *replayScreen) bool {
		return contains(p.search.hits, p.selected()) && p.selected() > 0
	}},
	"what the model sees/previous match": {[]string{"/", "1", "enter"}, func(d *driver, p *replayScreen) bool {
		return contains(p.search.hits, p.selected()) && p.cursor < p.rows.n-1
	}},
	"what the model sees/open":          {nil, func(d *driver, p *replayScreen) bool { return p.reading }},
	"what the model sees/unfold":        {nil, func(d *driver, p *replayScreen) bool { return p.open && p.rows.n == 67 && p.selected() == 65 }},
	"what the model sees/next knob":     {nil, func(d *driver, p *replayScreen) bool { return p.panel.focused && p.panel.knob == 0 }},
	"what the model sees/previous knob": {nil, func(d *driver, p *replayScreen) bool { return knobs[p.panel.knob].name == "counter" }},
}

func TestReplayEverySizeIsDrawn(t *testing.T) {
	for what, keys := range map[string][]string{"seen": nil, "told": {"0", "]", "s", "s", "s"}, "why": {"w"}, "knob": {"tab"}, "reading": {"enter"}} {
		d, _ := replaying(t, "demo", 120, 36)
		d.press(keys...)
		for w := 0; w <= 140; w += 3 {
			for _, h := range []int{0, 3, 12, 17, 24, 36, 60} {
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
				checkFrame(t, what, d.View(), w, h, false)
			}
		}
	}
}

func BenchmarkReplayKnob(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := talk(b, 120, 36, long(n)...)
			d.press("2")
			d.s.policy.Window = 20_000
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d.s.change("threshold", 0, func(u *setup) { u.policy.Threshold = 60 + i%30 })
				d.send(nil)
				d.View()
			}
		})
	}
}
