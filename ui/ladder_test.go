package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/ladder"
	"cinch/compactor/policy"
	"cinch/compactor/summarize"
	"cinch/model"
	"cinch/model/token"
	"cinch/ui/draw"
)

// laddering opens a lesson on the Ladder screen.
func laddering(t testing.TB, lesson string, w, h int) (*driver, *ladderScreen) {
	t.Helper()
	d := drive(t, Options{Path: "lesson:" + lesson, Open: opener(nil), Profile: colours().Profile}, w, h, colours())
	if !d.s.loaded() {
		t.Fatalf("%s did not open: %v", lesson, d.failure)
	}
	d.press("3")
	d.settle()
	p := d.screens[2].(*ladderScreen)
	if p.run == nil {
		t.Fatal("no ladder was climbed")
	}
	return d, p
}

// settle runs what the Ladder screen waits for in the background.
func (d *driver) settle() {
	var others []tea.Msg
	for len(d.said) > 0 {
		msg := d.said[0]
		d.said = d.said[1:]
		switch msg.(type) {
		case recordMsg, climbedMsg, whyMsg:
			d.send(msg)
		default:
			others = append(others, msg)
		}
	}
	d.said = others
}

// writes makes the screen use a summariser, as its menu does.
func (d *driver) writes(s summarize.Summarizer) {
	d.s.change("summariser", 0, func(u *setup) { u.climb.writer = s })
	d.send(nil)
	d.settle()
}

// tight makes passes frequent: the trigger low, no minimum and no cooldown.
func (d *driver) tight(strategies ...ladder.Strategy) {
	d.s.change("tight", 0, func(u *setup) {
		p := u.climb.policy
		p.Strategy, p.MinReclaimTokens, p.CooldownTurns = strategies, 0, 0
		p.Trigger = &ladder.Trigger{Kind: ladder.ContextFraction, Value: 0.3}
		u.climb.take(p, "tight")
	})
	d.send(nil)
	d.settle()
}

func TestLadderShowsWhatTheEngineSays(t *testing.T) {
	for _, lesson := range []string{"demo", "tool-heavy", "every-turn", "reused-ids", "system-first"} {
		for _, strategies := range [][]ladder.Strategy{
			{ladder.DropToolResults}, {ladder.Summarize}, {ladder.SlidingWindow},
			{ladder.DropToolResults, ladder.Summarize, ladder.SlidingWindow},
		} {
			t.Run(fmt.Sprint(lesson, strategies), func(t *testing.T) {
				d, p := laddering(t, lesson, 200, 60)
				d.tight(strategies...)
				d.writes(summarize.Text("It went well."))
				e, err := ladder.New(d.s.climb.policy, d.s.policy.Window, ladder.NewRecord(d.s.conv.View(model.History), d.s.climb.counter))
				if err != nil {
					t.Fatal(err)
				}
				want, err := e.Replay(context.Background(), ladder.Options{Summarizer: summarize.Text("It went well.")})
				if err != nil {
					t.Fatal(err)
				}
				if len(p.run.calls) != len(want.Calls)+1 || p.run.sums.Reclaimed != want.Reclaimed || p.run.sums.Reread != want.Reread {
					t.Fatalf("the screen has %d calls, ~%d reclaimed and ~%d read again; the engine %d, %d and %d",
						len(p.run.calls), p.run.sums.Reclaimed, p.run.sums.Reread, len(want.Calls)+1, want.Reclaimed, want.Reread)
				}
				for i := range want.Calls {
					c := &want.Calls[i]
					p.seek(i)
					if p.out.Before != c.Before || p.out.After != c.After || p.out.Skip != c.Skip || len(p.out.Events) != len(c.Events) {
						t.Fatalf("call %d: the screen shows %d → %d, the engine says %d → %d", i+1, p.out.Before, p.out.After, c.Before, c.After)
					}
					rowsAddUp(t, p, i)
					if len(c.Events) > 0 {
						d.stale = true
						d.has(draw.Tokens(c.Events[0].BeforeTokens))
						d.has(fmt.Sprintf("[%d,%d)", c.Events[0].CollapsedRange[0], c.Events[0].CollapsedRange[1]))
					}
				}
			})
		}
	}
}

// rowsAddUp fails unless the rows of the list are the messages before the pass,
// each once, and what is marked as sent is what the pass left.
func rowsAddUp(t *testing.T, p *ladderScreen, call int) {
	t.Helper()
	p.open = true
	p.layList()
	was, now := 0, 0
	for y := range p.rows.n {
		switch r := p.rows.at(y); r.kind {
		case messageRow:
			fate, _, _ := p.entryRow(r.first)
			was++
			if fate != draw.Dropped && fate != draw.Summarised {
				now++
			}
		case summaryRow:
			switch p.sums[r.first].fate {
			case draw.Inserted:
				now++
			case draw.NoFate:
				was, now = was+1, now+1
			default:
				was++
			}
		}
	}
	if before, after := p.out.Steps[0].State.View.Len(), p.out.State.View.Len(); was != before || now != after {
		t.Fatalf("call %d: the list shows %d messages before and %d after, there are %d and %d", call+1, was, now, before, after)
	}
}

// TestLadderAsRecordedIsThePlan: at the end, on the list as recorded, the pass is
// the one that plan runs.
func TestLadderAsRecordedIsThePlan(t *testing.T) {
	d, p := laddering(t, "demo", 120, 36)
	d.tight(ladder.DropToolResults, ladder.SlidingWindow)
	d.press("$", "o")
	rec := p.rec
	want := ladder.Run(p.engine.Start(len(rec.Entries)).Pass(context.Background(), rec.Turns()+1, nil, nil))
	if p.out.Before != want.Before || p.out.After != want.After {
		t.Errorf("%d → %d, the plan is %d → %d", p.out.Before, p.out.After, want.Before, want.After)
	}
	d.has("as recorded")
	d.press("esc")
	if p.alone || p.out.Before == want.Before {
		t.Error("esc does not lead back to the list that earlier passes left")
	}
}

func TestLadderSteps(t *testing.T) {
	d, p := laddering(t, "demo", 160, 40)
	d.tight(ladder.DropToolResults, ladder.Summarize)
	d.writes(summarize.Text("It went well."))
	d.press("0", "]")
	n := len(p.out.Steps)
	for i := 1; i <= n; i++ {
		d.press("s")
		if p.step != i {
			t.Fatalf("after %d steps the screen shows %d", i, p.step)
		}
		d.has(fmt.Sprintf("%d/%d  %s", i, n, p.out.Steps[i-1].Title()))
		if got, want := p.after.view.Tokens(), p.out.Steps[i-1].State.View.Tokens(); got != want {
			t.Errorf("step %d shows a list of %d tokens, not %d", i, got, want)
		}
	}
	d.press("b", "b")
	if p.step != n-2 {
		t.Errorf("two back from %d is %d", n, p.step)
	}
	d.press("r")
	d.has("as it stood before the pass")
	d.press("esc")
	if p.step != whole {
		t.Error("esc does not show the whole pass again")
	}
}

func TestLadderRequests(t *testing.T) {
	d, p := laddering(t, "tool-heavy", 120, 36)
	p.seek(20)
	if p.out.Skip == ladder.NotSkipped {
		t.Fatal("there is a pass before call 21 by itself")
	}
	d.press("c")
	d.has("manual: a pass was asked for")
	if p.at != 20 || len(p.out.Events) == 0 || p.out.Events[0].Trigger != ladder.Manual {
		t.Fatalf("no manual pass at %d: %+v\n%s", p.at, p.out.Events, d.plain())
	}
	d.press("c")
	if p.out.Skip == ladder.NotSkipped {
		t.Error("c again does not take the request back")
	}
	d.press("u")
	if p.out.Skip != ladder.NotSkipped {
		t.Error("u does not bring the request back")
	}
	d.press("u")
	d.writes(echo{})
	d.tight(ladder.Summarize)
	p.seek(5)
	d.press("C")
	d.typed(`Mind the edge.\nAll of it.`)
	d.press("enter")
	if p.out.Events[0].Trigger != ladder.Manual {
		t.Fatal("no manual pass")
	}
	for _, s := range p.out.Steps {
		if s.Request != nil && s.Request.Prompt != "Mind the edge.\nAll of it." {
			t.Errorf("the summariser was told %q", s.Request.Prompt)
		}
	}
}

func TestLadderPlays(t *testing.T) {
	d, p := laddering(t, "demo", 120, 36)
	d.press("0", " ")
	if !p.play.on || p.at != 0 {
		t.Fatal("space does not play")
	}
	d.has("call 1 of 31, 1 call a second")
	replay := d.screens[1].(*replayScreen)
	d.send(tickMsg{&replay.play, p.play.id}) // of another screen's player
	if p.at != 0 {
		t.Fatal("it plays to another player's time")
	}
	for i := 1; i < p.calls(); i++ {
		d.send(tickMsg{&p.play, p.play.id})
		if p.at != i {
			t.Fatalf("tick %d is at call %d", i, p.at)
		}
	}
	if p.play.on {
		t.Error("it plays on past the end")
	}
	d.press(" ", "esc")
	if p.play.on {
		t.Error("esc does not stop it")
	}
}

// TestLadderTakesBackAFailingPass: what a rung had cleared before a summariser
// failed is as it was, and the screen says so wherever it speaks of it.
func TestLadderTakesBackAFailingPass(t *testing.T) {
	for _, w := range []int{80, 120} {
		d, p := laddering(t, "demo", w, 36)
		d.tight(ladder.DropToolResults, ladder.Summarize)
		d.s.change("", 0, func(u *setup) { u.climb.fire(ladder.InputTokens, 900) })
		d.writes(failing{})
		d.press("$", "[")
		if p.out.Err == nil || p.out.After != p.out.Before || len(p.out.Events) > 0 {
			t.Fatalf("%+v", p.out)
		}
		d.has("taken back")
		d.has("the summariser failed")
		d.has("CompactionError: out of order")
		if w >= 120 {
			d.has("the messages stay as they were")
		}
		d.has(" failed")
		if p.chart.Calls[p.at].Passes != 0 || !p.chart.Calls[p.at].Failed {
			t.Errorf("the timeline marks %+v", p.chart.Calls[p.at])
		}
		cleared := func() (n int) {
			for y := range p.rows.n {
				if r := p.rows.at(y); r.kind == messageRow && p.touched(r.first) {
					n++
				}
			}
			return n
		}
		if n := cleared(); n > 0 {
			t.Errorf("%d messages are marked as cleared", n)
		}
		d.press("s", "s")
		if n, want := cleared(), p.out.Steps[1].Cleared.Len(); n != want {
			t.Errorf("the step of the first rung clears %d of %d", n, want)
		}
		if !strings.Contains(strings.Join(strings.Fields(d.plain()), " "), "taken back because a summariser failed") {
			t.Error(d.plain())
		}
		d.press("S")
	}
}

// failing never writes a summary.
type failing struct{ summarize.Text }

func (failing) Summarize(context.Context, ladder.Request) (string, error) {
	return "", errors.New("out of order")
}

// TestLadderWarnsOfABlankSummary: a summariser that returns nothing is put in as
// drover's empty guard, and never passes for a summary.
func TestLadderWarnsOfABlankSummary(t *testing.T) {
	d, p := laddering(t, "demo", 160, 36)
	d.tight(ladder.Summarize)
	d.writes(summarize.Text(" \n"))
	d.press("0", "]")
	d.has("but the summariser returned nothing")
	d.has("with a blank summary")
	d.has(ladder.SummaryPrefix + ladder.NoSummary)
	if tone, _ := p.sentence(100); tone != draw.Warning {
		t.Errorf("it is said in the tone %v", tone)
	}
	y := 0
	for ; y < p.rows.n && p.rows.at(y).kind != summaryRow; y++ {
	}
	p.moveTo(y)
	d.stale = true
	d.has("the summariser returned nothing: this is all that is left")
	d.writes(summarize.Text("Done."))
	if strings.Contains(d.plain(), "returned nothing") {
		t.Error("a summary with words is called blank")
	}
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.writes(summarize.Text(""))
	d.has("blank summary")
}

// TestLadderCutsNoWords: what is said between the timeline and the list fits at
// every size people use, whatever a pass came to, also where tokens are millions.
func TestLadderCutsNoWords(t *testing.T) {
	vast := append([]*model.Message{says(model.User, "go")}, long(24)...)
	filler := strings.Repeat("x", 2_000_000)
	for _, m := range vast { // half a million tokens each
		for i := range m.Parts {
			m.Parts[i].Text += filler
		}
	}
	all := []ladder.Strategy{ladder.DropToolResults, ladder.Summarize, ladder.SlidingWindow}
	open := func(what string, w, h int) (*driver, *ladderScreen) {
		if what != "vast" {
			return laddering(t, what, w, h)
		}
		d := talk(t, w, h, vast...)
		d.s.policy.Window = 30_000_000
		d.press("3")
		d.settle()
		return d, d.screens[2].(*ladderScreen)
	}
	for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 36}} {
		for _, what := range []string{"demo", "tool-heavy", "vast"} {
			d, p := open(what, size[0], size[1])
			for _, sum := range []summarize.Summarizer{nil, summarize.Text("It went well."), summarize.Text(""), failing{}} {
				for name, policy := range map[string]ladder.Policy{
					"all": {Strategy: all, Trigger: &ladder.Trigger{Kind: ladder.ContextFraction, Value: 0.3}, Preserve: ladder.Preserve{RecentTurns: 2}},
					"held": {Strategy: all, Trigger: &ladder.Trigger{Kind: ladder.ContextFraction, Value: 0.1}, CooldownTurns: 12,
						Preserve: ladder.Preserve{FirstUserTurn: true, RecentTurns: 5}},
					"asked": {Strategy: all[:2], Preserve: ladder.Preserve{RecentTurns: 3}},
					"dear":  {Strategy: all[:1], Trigger: &ladder.Trigger{Kind: ladder.InputTokens, Value: 1000}, MinReclaimTokens: 40_000_000},
					"kept":  {Strategy: all, Trigger: &ladder.Trigger{Kind: ladder.InputTokens, Value: 1000}, Preserve: ladder.Preserve{RecentTurns: 999}},
				} {
					policy.SummaryPrompt = "Summarise."
					d.s.change("", 0, func(u *setup) {
						u.climb.take(policy, name)
						u.climb.writer = sum
						u.climb.manual = map[int]ladder.Call{3: {}}
					})
					d.send(nil)
					d.settle()
					seen := map[string]bool{} // passes alike in all but their numbers
					for call := range p.run.calls {
						p.seek(call)
						like := fmt.Sprint(p.out.Skip, len(p.out.Events), len(fmt.Sprint(p.out.Turn, p.out.Before, p.out.After)))
						for _, s := range p.out.Steps {
							like += fmt.Sprint(s.Kind, s.Verdict, s.Halt, len(s.Why()))
						}
						if seen[like] {
							continue
						}
						seen[like] = true
						for p.step = whole; p.step < len(p.out.Steps); p.step++ {
							d.stale = true
							at := p.place.said
							for y, line := range strings.Split(d.plain(), "\n")[headLines+at.Y : headLines+at.Y+at.H] {
								if strings.Contains(line, "…") {
									t.Fatalf("%s %s by %v at %v, call %d, step %d, line %d is cut: %s", what, name, sum, size, call+1, p.step, y, line)
								}
							}
						}
					}
				}
			}
		}
	}
}

// TestLadderAsRecordedAsksNobody: a list that the run never had is not summarised
// behind anybody's back, and the rung says so.
func TestLadderAsRecordedAsksNobody(t *testing.T) {
	spec, asked := chat(t, answers("Done."))
	d, p := laddering(t, "demo", 160, 36)
	d.tight(ladder.Summarize)
	w, err := summarize.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	d.writes(w)
	d.press("g", "y")
	d.settle()
	n := asked()
	d.press("$", "o")
	if asked() != n || p.out.Err != nil {
		t.Errorf("%d requests more, error %v", asked()-n, p.out.Err)
	}
	d.has("not asked about this list")
}

// echo writes its prompt as the summary.
type echo struct{ summarize.Text }

func (echo) Summarize(_ context.Context, req ladder.Request) (string, error) { return req.Prompt, nil }

func TestLadderRungs(t *testing.T) {
	d, p := laddering(t, "demo", 120, 36)
	strategies := func() string { return fmt.Sprint(d.s.climb.policy.Strategy) }
	d.press("shift+tab")
	if p.rung != 2 {
		t.Fatalf("shift+tab gives the keys to rung %d", p.rung)
	}
	d.press("enter")
	if got := strategies(); got != "[drop-tool-results summarize sliding-window]" {
		t.Error(got)
	}
	d.press("K", "K")
	if got := strategies(); got != "[sliding-window drop-tool-results summarize]" || p.rung != 0 {
		t.Error(got, p.rung)
	}
	d.press(" ", "j", " ")
	if got := strategies(); got != "[summarize]" {
		t.Error(got)
	}
	d.press("j", " ")
	if got := strategies(); got != "[summarize]" || !strings.Contains(d.notice, "needs a rung") {
		t.Error(got, d.notice)
	}
	d.press("u", "u", "u", "u", "u")
	if got := strategies(); got != "[drop-tool-results summarize]" {
		t.Error("undo:", got)
	}
}

func TestLadderPins(t *testing.T) {
	d, p := laddering(t, "demo", 120, 36)
	p.seek(len(p.run.calls) - 1)
	d.press("p")
	d.has("[x] remember")
	tools := p.rec.Tools()
	d.press("1", "2", "esc")
	pins := d.s.climb.policy.Preserve.PinTools
	if len(pins) != 4 || pins[2] != tools[0] || pins[3] != tools[1] {
		t.Fatalf("pinned %v of %v", pins, tools)
	}
	d.press("u")
	if got := d.s.climb.policy.Preserve.PinTools; len(got) != 3 {
		t.Errorf("undo leaves %v", got)
	}
}

func TestLadderSkippedPassesAreGhosts(t *testing.T) {
	d, p := laddering(t, "tool-heavy", 120, 36)
	d.tight(ladder.DropToolResults)
	d.s.change("", 0, func(u *setup) { u.climb.policy.CooldownTurns = 4; u.climb.fire(ladder.InputTokens, 2_000) })
	d.send(nil)
	d.press("0", "}")
	if !p.chart.Calls[p.at].Skipped {
		t.Fatal("} finds no ghost")
	}
	d.has("no pass, cooldown:")
	d.has("skipped: ")
	d.has("in cooldown")
	d.s.change("", 0, func(u *setup) { u.climb.policy.CooldownTurns, u.climb.policy.MinReclaimTokens = 0, 1<<20 })
	d.send(nil)
	d.press("0", "}")
	d.has("below min reclaim:")
	d.has("and no rung commits anything")
	d.press("0")
	d.has("no pass, under budget:")
	d.press("tab", "h", "h") // trigger → none
	d.press("esc")
	d.has("no pass, manual only:")
}

// TestLadderAgreesOnSkips: the words before a call, its mark, the keys that look for
// skips, and the count all follow the engine: the cooldown is asked before the trigger.
func TestLadderAgreesOnSkips(t *testing.T) {
	d, p := laddering(t, "demo", 120, 36)
	held := 0
	for i := range p.run.calls {
		p.seek(i)
		d.stale = true
		says := strings.Contains(d.plain(), "no pass, cooldown")
		if mark := p.chart.Calls[i]; says != mark.Skipped || mark.Skipped == (mark.Idle || mark.Passes > 0) {
			t.Errorf("call %d says it is in cooldown: %v; its mark is %+v", i+1, says, mark)
		}
		if says && i < len(p.run.calls)-1 {
			held++
		}
	}
	if held != 1 || p.out.Turn != 31 {
		t.Fatalf("%d calls in cooldown, at turn %d", held, p.out.Turn)
	}
	d.has("skipped: 1 in cooldown")
	d.press("{")
	if p.at != 28 {
		t.Errorf("{ goes to call %d", p.at+1)
	}
	d.has("call 29/30")
}

// TestLadderSaysWhatRidesOnTop: the ladder's estimate leaves out system prompt and
// tools, and the screen says so beside it, at every size.
func TestLadderSaysWhatRidesOnTop(t *testing.T) {
	for _, c := range []struct {
		name     string
		overhead int64
		w, h     int
		says     string
		tone     draw.Token
	}{
		{"none", 0, 120, 36, "", draw.Text},
		{"room left", 400, 150, 36, "; system prompt and tools, ~400, ride on top", draw.Text},
		{"narrow", 400, 80, 24, "; +~400 overhead", draw.Text},
		{"over", 9_000, 120, 36, "system prompt and tools, ~9k, over the window of 10k", draw.Fault},
		{"over, narrow", 9_000, 80, 24, "; +~9k overhead: over the window", draw.Fault},
		{"over, smallest", 9_000, 60, 20, "with ~9k of overhead over the window of 10k", draw.Fault},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, p := laddering(t, "demo", c.w, c.h)
			d.s.change("", 0, func(u *setup) { u.weighed = u.weighed.under(token.FixedOverhead(c.overhead)) })
			d.send(nil)
			p.seek(22)
			d.stale = true
			if tone, text := p.sentence(c.w - 2); tone != c.tone {
				t.Errorf("%q in tone %v", text, tone)
			}
			d.has(c.says)
			if screen := d.plain(); c.overhead == 0 && strings.Contains(screen, "on top") {
				t.Error(screen)
			}
		})
	}
}

// TestLadderSteppedToItsEnd: a pass that was stepped through reads as the whole does.
func TestLadderSteppedToItsEnd(t *testing.T) {
	d, p := laddering(t, "demo", 120, 36)
	tone, text := p.sentence(118)
	cost := p.costLines(118, 2)
	d.press("r")
	for range p.out.Steps {
		if _, now := p.sentence(118); now == text {
			t.Fatal("it reads so before its end")
		}
		d.press("s")
	}
	if gotTone, got := p.sentence(118); got != text || gotTone != tone || !strings.Contains(got, "→ ~") {
		t.Errorf("%q, the whole pass %q", got, text)
	}
	if got := p.costLines(118, 2); fmt.Sprint(got) != fmt.Sprint(cost) {
		t.Errorf("%q, the whole pass %q", got, cost)
	}
}

// TestLadderRulesOff: a rule parts the list from the knobs wherever another screen
// draws one.
func TestLadderRulesOff(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 20}} {
		d, _ := laddering(t, "demo", size[0], size[1])
		rules := func() int { return strings.Count("\n"+d.plain(), "\n"+strings.Repeat("─", size[0]/3)) }
		ladder := rules()
		d.press("2")
		d.settle()
		if replay := rules(); ladder != replay || ladder != 2 {
			t.Errorf("%v: %d rules, on Replay %d", size, ladder, replay)
		}
	}
}

func TestLadderKnobs(t *testing.T) {
	d, p := laddering(t, "demo", 120, 36)
	pol := func() ladder.Policy { return d.s.climb.policy }
	d.press("tab", "tab")
	d.press("H")
	if got := pol().Trigger.Value; got != 0.7 {
		t.Errorf("ten steps down from 0.8 is %v", got)
	}
	d.press("enter")
	d.typed("85.5%")
	d.press("enter")
	if got := pol().Trigger.Value; got != 0.855 {
		t.Errorf("typed 85.5%%: %v", got)
	}
	d.has("0.855")
	d.press("shift+tab", "l") // the kind
	if tr := pol().Trigger; tr.Kind != ladder.InputTokens || tr.Value != 0.855*float64(d.s.policy.Window) {
		t.Errorf("input_tokens starts at %v", *tr)
	}
	d.press("l")
	if pol().Trigger != nil {
		t.Error("the kind after input_tokens is not none")
	}
	d.press("u", "u")
	if tr := pol().Trigger; tr == nil || tr.Value != 0.855 {
		t.Error("undo does not bring the trigger back")
	}
	for _, k := range p.panel.strip.own {
		if k.get == nil || k.choice() {
			continue
		}
		v := k.get(&d.s.setup)
		if n := k.moved(v, 1); n < k.min {
			t.Errorf("%s moves to %d, below %d", k.name, n, k.min)
		}
	}
}

func TestLadderExports(t *testing.T) {
	dir := t.TempDir()
	d, _ := laddering(t, "demo", 120, 36)
	d.press("tab", "tab", "H", "esc")
	for key, form := range map[string]string{"t": "toml", "j": "json"} {
		file := filepath.Join(dir, "policy."+form)
		d.press("e", key, "f")
		for range 40 {
			d.press("backspace")
		}
		d.typed(file)
		d.press("enter")
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err, d.prompt)
		}
		back, err := policy.Parse(file, raw)
		if err != nil || back.Ladder.Hash() != d.s.climb.policy.Hash() {
			t.Errorf("%s does not read back as the same policy: %v\n%s", form, err, raw)
		}
		d.press("e", key, "f")
		for range 40 {
			d.press("backspace")
		}
		d.typed(file)
		d.press("enter")
		if d.prompt == nil || d.prompt.err == nil {
			t.Error("a file that exists was written over")
		}
		d.press("esc")
	}
	d.press("e", "s", "Y")
	if got := strings.Join(d.kept, ""); !strings.Contains(got, `trigger: { kind: "context_fraction", value: 0.7 }`) {
		t.Errorf("kept %q", got)
	}
	d.writes(summarize.Extract{})
	for _, keys := range [][]string{{"e", "t", "c"}, {"e", "j", "Y"}, {"y", "j"}} {
		d.press(keys...)
		if !strings.HasPrefix(d.notice, "--summarizer extract goes with it; ") {
			t.Errorf("%v says %q", keys, d.notice)
		}
	}
	d.press("1", "e", "r", "Y")
	if got := d.kept[len(d.kept)-1]; !strings.Contains(got, "with_preserve_recent(4)") {
		t.Errorf("kept %q", got)
	}
	d.press("1", "e", "j", "c")
	if !strings.Contains(d.notice, "clipboard") {
		t.Errorf("said %q", d.notice)
	}
}

func TestLadderRecipes(t *testing.T) {
	d, _ := laddering(t, "demo", 120, 36)
	d.has("policy from: clear, then summarise")
	for i, r := range recipes {
		if err := r.policy.Validate(); err != nil {
			t.Errorf("%s: %v", r.name, err)
		}
		d.press("R", fmt.Sprint(i+1))
		if d.s.climb.policy.Hash() != r.policy.Hash() {
			t.Errorf("R %d is not %s", i+1, r.name)
		}
	}
	d.press("u")
	if d.s.climb.from != recipes[1].name {
		t.Errorf("undo leads back to %s", d.s.climb.from)
	}
}

// TestLadderWhy: the page says what explain says, and each change it offers mends
// the run when it is made.
func TestLadderWhy(t *testing.T) {
	d, p := laddering(t, "demo", 120, 36)
	d.press("W")
	d.settle()
	d.has("1 pass, and every call is sent under the trigger at 8,000")
	d.has("the largest list is sent at turn 27 with ~")
	d.has("ride on top")
	d.press("x")
	if !strings.Contains(d.notice, "nothing has to change") {
		t.Error(d.notice)
	}
	d.press("esc")
	if p.why != nil || p.reading || p.page {
		t.Fatal("esc does not close the page")
	}
	d.tight(ladder.Summarize)
	d.s.change("", 0, func(u *setup) { u.climb.policy.Preserve.RecentTurns = 6 })
	d.send(nil)
	d.press("W")
	d.has("replaying to find out why")
	d.settle()
	d.has("nobody to ask")
	d.has("the pass before turn 30")
	n := 0
	for _, c := range p.why.changes {
		if c.Possible {
			n++
		}
	}
	if n < 3 {
		t.Fatalf("%d changes help: %+v", n, p.why.changes)
	}
	for i := range n {
		d.press("x", string(menuKeys[i]))
		d.settle()
		usable, _ := p.engine.Usable()
		if last := p.run.calls[len(p.run.calls)-2]; last.After >= usable {
			t.Errorf("after %s the run ends at %d of %d", d.notice, last.After, usable)
		}
		d.press("u", "W")
		d.settle()
		if p.why == nil || p.why.climb.At == nil {
			t.Fatal("u does not bring the trouble back")
		}
	}
	d.writes(failing{}) // a change closes the page
	if p.why != nil {
		t.Error("the page outlives what it says")
	}
}

// TestLadderWhySendsNothing: an explanation asks no server, and says what it
// therefore does not look for.
func TestLadderWhySendsNothing(t *testing.T) {
	spec, asked := chat(t, answers(strings.Repeat("It went on and on. ", 400)))
	d, _ := laddering(t, "demo", 120, 36)
	d.tight(ladder.Summarize)
	w, err := summarize.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	d.writes(w)
	d.press("W")
	d.settle()
	d.has("nobody to ask")
	d.press("esc", "g", "y")
	d.settle()
	n := asked()
	d.press("W")
	d.settle()
	d.has("each try would ask")
	if n == 0 || asked() != n {
		t.Errorf("%d requests, %d after the explanation", n, asked())
	}
}

// TestRecipesAreDroversOwn: what the guide has one write is what R begins with.
func TestRecipesAreDroversOwn(t *testing.T) {
	prompt, err := json.Marshal(summarize.DefaultPrompt)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{
		`{"strategy": ["drop-tool-results", "summarize"], "trigger": {"kind": "context_fraction", "value": 0.8},
		  "preserve": {"firstUserTurn": true, "recentTurns": 3, "pinTools": ["remember", "recall"]},
		  "minReclaimTokens": 4096, "cooldownTurns": 2, "summaryPrompt": ` + string(prompt) + `}`,
		`{"strategy": ["drop-tool-results"], "trigger": {"kind": "context_fraction", "value": 0.85},
		  "preserve": {"firstUserTurn": true, "recentTurns": 4}, "minReclaimTokens": 2048}`,
		`{"strategy": ["drop-tool-results", "summarize"], "preserve": {"firstUserTurn": true, "recentTurns": 5}, "summaryPrompt": ` + string(prompt) + `}`,
	} {
		p, err := policy.Parse("recipe.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if p.Engine != policy.Ladder || p.Ladder.Hash() != recipes[i].policy.Hash() {
			t.Errorf("%s is not %s", recipes[i].name, text)
		}
	}
}

// chat is an OpenAI-compatible server for tests.
func chat(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request)) (spec string, asked func() int) {
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n++
		answer(n, w, r)
	}))
	t.Cleanup(s.Close)
	return "openai:tiny@" + s.URL + "/v1", func() int { return n }
}

func answers(text string) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"object": "chat.completion", "choices": []any{
			map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text}},
		}})
	}
}

// TestLadderAsksBeforeItSends: choosing a server sends nothing. Its request can be
// looked at, what it answers is remembered, and undo costs no second request.
func TestLadderAsksBeforeItSends(t *testing.T) {
	spec, asked := chat(t, answers("The test is fixed."))
	d, p := laddering(t, "demo", 120, 36)
	d.tight(ladder.Summarize)
	d.press("w", "o")
	d.typed(strings.TrimPrefix(spec, "openai:"))
	d.press("enter")
	if d.mode != choosing || !strings.Contains(d.menu.title, "tokens (") || !strings.Contains(d.menu.title, "%") {
		t.Fatalf("no question before sending: %v\n%s", d.menu, d.plain())
	}
	d.press("v")
	d.has("what a summariser would be sent")
	d.has("nothing has been sent")
	d.press("G")
	d.has("</transcript>")
	d.press("esc")
	d.has("not asked yet, g asks")
	if asked() != 0 {
		t.Fatal("something was sent before it was confirmed")
	}
	d.press("g", "n")
	if asked() != 0 {
		t.Fatal("not now sends")
	}
	d.press("g", "y")
	d.has("esc gives up")
	d.settle()
	sent := asked()
	if sent == 0 || p.waiting || p.run.sums.Passes == 0 {
		t.Fatalf("%d requests, %d passes", sent, p.run.sums.Passes)
	}
	d.press("[")
	d.has("The test is fixed.")
	d.has("committed: one summary for")
	d.press("tab", "tab", "l", "esc")
	d.press("u")
	if p.waiting || asked() != sent {
		t.Errorf("undo asks again: %d requests after %d", asked(), sent)
	}
}

func TestLadderSurvivesItsSummariser(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	spec, _ := chat(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		http.Error(w, `{"error":{"message":"no such model"}}`, http.StatusNotFound)
	})
	d, p := laddering(t, "demo", 120, 36)
	d.tight(ladder.DropToolResults, ladder.Summarize)
	w, err := summarize.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	d.writes(w)
	d.press("g", "y")
	d.settle()
	d.press("0", "]")
	var failed *ladder.CompactionError
	for i := range p.run.calls {
		if errors.As(p.run.calls[i].Err, &failed) {
			p.seek(i)
			break
		}
	}
	if failed == nil {
		t.Fatal("no error is shown")
	}
	d.stale = true
	d.has("the summariser failed")
	d.has("404")
	if len(p.run.calls) != p.rec.Turns()+1 {
		t.Error("the run did not go on")
	}
}

func TestLadderCancel(t *testing.T) {
	d, p := laddering(t, "demo", 120, 36)
	d.tight(ladder.Summarize)
	d.s.change("", 0, func(u *setup) { u.climb.writer = summarize.Command{Line: "sleep 30"} })
	d.send(nil)
	_, cmd := d.Update(keyMsg("g"))
	d.run(cmd)
	_, cmd = d.Update(keyMsg("y"))
	if p.work == nil {
		t.Fatal("nothing is being asked")
	}
	done := make(chan tea.Msg)
	go func() { done <- cmd() }()
	d.stale = true
	d.has("esc gives up")
	d.press("esc")
	msg := (<-done).(climbedMsg)
	if !errors.Is(msg.err, context.Canceled) {
		t.Errorf("the command ends with %v", msg.err)
	}
	d.send(msg)
	if p.work != nil || !p.waiting || !strings.Contains(d.notice, "gave up") {
		t.Errorf("after esc: waiting %v, notice %q", p.waiting, d.notice)
	}
}

func TestLadderExtractIsAtOnce(t *testing.T) {
	d, p := laddering(t, "demo", 120, 36)
	d.tight(ladder.Summarize)
	d.press("w", "e")
	if p.work != nil || p.waiting || p.run.sums.Passes == 0 {
		t.Errorf("extract: %d passes", p.run.sums.Passes)
	}
	d.press("w", "t")
	d.typed("Done.")
	d.press("enter")
	if p.waiting || d.s.climb.writerName() != "text:Done." {
		t.Errorf("text: %s", d.s.climb.writerName())
	}
	d.press("w", "n")
	if d.s.climb.writer != nil {
		t.Error("nobody is somebody")
	}
	d.press("[")
	d.press("0")
	d.has("summariser  none")
}

func TestLadderBeginsWithWhatItIsGiven(t *testing.T) {
	c := &model.Conversation{Format: "native", Path: "talk.json", Messages: long(40)}
	pol := recipes[1].policy
	d := drive(t, Options{Path: "talk", Profile: colours().Profile, Open: func(context.Context, string, func(int64, int64)) (*Opened, error) {
		o, err := opener(map[string]*model.Conversation{"talk": c})(context.Background(), "talk", nil)
		settings := o.Settings
		o.Settings = func(c *model.Conversation) (Settings, error) {
			s, err := settings(c)
			s.Engine, s.Ladder, s.LadderFrom, s.Summarizer = policy.Ladder, &pol, "ci.toml", summarize.Extract{}
			return s, err
		}
		return o, err
	}}, 120, 36, colours())
	d.settle()
	if d.at != 2 {
		t.Fatalf("the inspector begins on screen %d", d.at+1)
	}
	d.has("policy from: ci.toml")
	d.has("summariser  extract")
	d.press("R", "1", "R", "4")
	if d.s.climb.from != "ci.toml" || d.s.climb.policy.Hash() != pol.Hash() {
		t.Error("R does not lead back to the policy that was given")
	}
}

// ladderCases press every binding of the Ladder screen on the demo, which has 31
// calls, a pass before call 28, and nothing due elsewhere.
var ladderCases = map[string]caseOn[*ladderScreen]{
	"text/scroll down": {[]string{"enter"}, func(d *driver, p *ladderScreen) bool { return p.detail.top == 1 }},
	"text/scroll up":   {[]string{"enter", "j", "j"}, func(d *driver, p *ladderScreen) bool { return p.detail.top == 1 }},
	"text/page down":   {[]string{"enter"}, func(d *driver, p *ladderScreen) bool { return p.detail.top > 1 }},
	"text/page up":     {[]string{"enter", "j", "j"}, func(d *driver, p *ladderScreen) bool { return p.detail.top == 0 }},
	"text/top":         {[]string{"enter", "G"}, func(d *driver, p *ladderScreen) bool { return p.detail.top == 0 }},
	"text/end":         {[]string{"enter"}, func(d *driver, p *ladderScreen) bool { return p.detail.top > 3 }},

	"rung/on or off":  {[]string{"shift+tab"}, func(d *driver, p *ladderScreen) bool { return len(d.s.climb.policy.Strategy) == 3 }},
	"rung/up":         {[]string{"shift+tab"}, func(d *driver, p *ladderScreen) bool { return d.s.climb.rungs[1].strategy == ladder.SlidingWindow }},
	"rung/down":       {[]string{"shift+tab", "k"}, func(d *driver, p *ladderScreen) bool { return d.s.climb.rungs[2].strategy == ladder.Summarize }},
	"rung/rung above": {[]string{"shift+tab"}, func(d *driver, p *ladderScreen) bool { return p.rung == 1 }},
	"rung/rung below": {[]string{"shift+tab", "k", "k"}, func(d *driver, p *ladderScreen) bool { return p.rung == 1 }},

	"knob/less":      {[]string{"tab", "tab"}, fraction(0.79)},
	"knob/more":      {[]string{"tab", "tab"}, fraction(0.81)},
	"knob/much less": {[]string{"tab", "tab"}, fraction(0.7)},
	"knob/much more": {[]string{"tab", "tab"}, fraction(0.9)},
	"knob/least":     {[]string{"tab", "tab"}, fraction(0.01)},
	"knob/most":      {[]string{"tab", "tab"}, fraction(0.99)},
	"knob/default":   {[]string{"tab", "tab", "L"}, fraction(0.8)},
	"knob/type":      {[]string{"tab", "tab"}, func(d *driver, p *ladderScreen) bool { return d.mode == asking && d.prompt.label == "value" }},

	"ladder/call before":       {nil, atCall(26)},
	"ladder/next call":         {nil, atCall(28)},
	"ladder/ten back":          {nil, atCall(17)},
	"ladder/ten on":            {[]string{"0"}, atCall(10)},
	"ladder/first call":        {nil, atCall(0)},
	"ladder/last call":         {nil, atCall(30)},
	"ladder/pass before":       {[]string{"$"}, atCall(27)},
	"ladder/next pass":         {[]string{"0"}, atCall(27)},
	"ladder/skip before":       {nil, func(d *driver, p *ladderScreen) bool { return strings.Contains(d.notice, "no skipped pass before") }},
	"ladder/next skip":         {nil, atCall(28)},
	"ladder/step":              {nil, func(d *driver, p *ladderScreen) bool { return p.step == 1 }},
	"ladder/step back":         {nil, func(d *driver, p *ladderScreen) bool { return p.step == 2 }},
	"ladder/run":               {[]string{"s"}, func(d *driver, p *ladderScreen) bool { return p.step == whole }},
	"ladder/reset":             {nil, func(d *driver, p *ladderScreen) bool { return p.step == 0 }},
	"ladder/compact now":       {[]string{"0", "L"}, func(d *driver, p *ladderScreen) bool { return p.out.Skip == "" && p.manual(11) != nil }},
	"ladder/with instructions": {nil, func(d *driver, p *ladderScreen) bool { return d.mode == asking && d.prompt.label == "compact" }},
	"ladder/as recorded":       {nil, func(d *driver, p *ladderScreen) bool { return p.alone }},
	"ladder/summariser":        {nil, func(d *driver, p *ladderScreen) bool { return d.mode == choosing && d.menu.title == "summaries by" }},
	"ladder/request":           {nil, func(d *driver, p *ladderScreen) bool { return strings.Contains(d.notice, "does not get to a summary") }},
	"ladder/ask":               {nil, func(d *driver, p *ladderScreen) bool { return d.mode == choosing && d.menu.title == "summaries by" }},
	"ladder/pins":              {nil, func(d *driver, p *ladderScreen) bool { return d.mode == choosing && d.menu.title == "pin" }},
	"ladder/why":               {nil, func(d *driver, p *ladderScreen) bool { return p.why != nil && p.why.climb != nil }},
	"why/use a change": {[]string{"shift+tab", "k", "k", " ", "W"}, func(d *driver, p *ladderScreen) bool {
		return d.mode == choosing && d.menu.title == "set" && len(d.menu.items) > 1
	}},
	"ladder/recipe":        {nil, func(d *driver, p *ladderScreen) bool { return d.mode == choosing && d.menu.title == "recipe" }},
	"ladder/go to":         {nil, func(d *driver, p *ladderScreen) bool { return d.mode == asking && d.prompt.label == ":" }},
	"ladder/play":          {[]string{"0"}, func(d *driver, p *ladderScreen) bool { return p.play.on }},
	"ladder/faster":        {nil, func(d *driver, p *ladderScreen) bool { return p.play.gear == 1 }},
	"ladder/slower":        {[]string{"+", "+"}, func(d *driver, p *ladderScreen) bool { return p.play.gear == 1 }},
	"ladder/next knob":     {nil, func(d *driver, p *ladderScreen) bool { return p.panel.focused && p.panel.knob == 0 }},
	"ladder/previous knob": {nil, func(d *driver, p *ladderScreen) bool { return p.rung == 2 }},

	"the list/down":      {[]string{"<"}, func(d *driver, p *ladderScreen) bool { return p.cursor == 1 }},
	"the list/up":        {[]string{">"}, func(d *driver, p *ladderScreen) bool { return p.cursor == p.rows.n-2 }},
	"the list/page down": {[]string{"<"}, func(d *driver, p *ladderScreen) bool { return p.cursor > 1 }},
	"the list/page up":   {[]string{">"}, func(d *driver, p *ladderScreen) bool { return p.cursor < p.rows.n-2 }},
	"the list/first":     {[]string{">"}, func(d *driver, p *ladderScreen) bool { return p.cursor == 0 }},
	"the list/last":      {[]string{"<"}, func(d *driver, p *ladderScreen) bool { return p.cursor == p.rows.n-1 }},
	"the list/mate":      {nil, func(d *driver, p *ladderScreen) bool { return p.rows.at(p.cursor).first == 2 }},
	"the list/unfold":    {nil, func(d *driver, p *ladderScreen) bool { return p.open }},
	"the list/open":      {nil, func(d *driver, p *ladderScreen) bool { return p.reading }},
}

func fraction(v float64) func(*driver, *ladderScreen) bool {
	return func(d *driver, p *ladderScreen) bool { return d.s.climb.policy.Trigger.Value == v }
}

func atCall(i int) func(*driver, *ladderScreen) bool {
	return func(d *driver, p *ladderScreen) bool { return p.at == i }
}

// ladderSituations are ways the Ladder screen can be in.
var ladderSituations = map[string][]string{
	"ladder":         nil,
	"ladder-stepped": {"s", "s"},
	"ladder-skipped": {"0", "L"},
	"ladder-rung":    {"shift+tab"},
	"ladder-knob":    {"tab", "tab"},
	"ladder-pins":    {"p"},
	"ladder-summary": {"w", "t", "D", "o", "n", "e", ".", "enter", "shift+tab", "k", "K", "esc", "["},
	"ladder-reading": {"enter"},
	"ladder-why":     {"shift+tab", "k", "k", " ", "esc", "W"},
	"ladder-request": {"shift+tab", "k", "K", "esc", "v"},
}

func TestLadderEverySizeIsDrawn(t *testing.T) {
	for _, look := range []*draw.Look{colours(), draw.NewLook(draw.Mono, draw.Attributes, draw.ASCII)} {
		for what, keys := range ladderSituations {
			d, _ := laddering(t, "demo", 120, 36)
			d.look = look
			d.press(keys...)
			for w := 0; w <= 140; w += 3 {
				for _, h := range []int{0, 3, 12, 17, 18, 24, 36, 60} {
					d.send(tea.WindowSizeMsg{Width: w, Height: h})
					checkFrame(t, what, d.View(), w, h, look.Glyphs.Set == draw.ASCII)
				}
			}
		}
	}
}

func TestLadderMouse(t *testing.T) {
	d, p := laddering(t, "demo", 120, 36)
	for call := range p.run.calls {
		col, ok := p.chart.Column(p.place.chart.W, p.place.chart.H, call)
		if !ok {
			t.Fatalf("call %d has no column", call)
		}
		d.click(p.place.chart.X+col, headLines+1)
		if p.at != call {
			t.Errorf("a click on call %d goes to %d", call, p.at)
		}
	}
	_, y := d.find("sliding-window")
	d.click(3, y)
	d.click(3, y)
	if len(d.s.climb.policy.Strategy) != 3 {
		t.Error("a second click on a rung does not turn it on")
	}
	row := p.top + 2
	d.click(p.place.list.X+5, headLines+p.place.list.Y+1+row-p.top)
	if p.cursor != row || p.rung >= 0 {
		t.Errorf("a click on row %d selects %d", row, p.cursor)
	}
}

func TestLadderOfNextToNothing(t *testing.T) {
	for name, messages := range map[string][]*model.Message{
		"one question":  {says(model.User, "Hello?")},
		"one answer":    {says(model.Assistant, "Hello.")},
		"a lone result": {results("a")},
		"system only":   {says(model.System, "Be brief.")},
	} {
		t.Run(name, func(t *testing.T) {
			d := talk(t, 120, 36, messages...)
			d.press("3")
			d.settle()
			for _, key := range []string{"c", "s", "s", "b", "r", "o", "[", "%", "F", "enter", "esc", "v", "esc", "H", "L", "p", "esc"} {
				d.press(key)
				checkFrame(t, key, d.View(), 120, 36, false)
			}
			d.has("before the next call")
		})
	}
}

// TestLadderShowsNoControlCharacters: a tool's name and a summary are a stranger's text.
func TestLadderShowsNoControlCharacters(t *testing.T) {
	messages := long(60)
	for _, m := range messages {
		for i := range m.Parts {
			if m.Parts[i].Kind == model.ToolCall {
				m.Parts[i].Name = "lo\x1b[2Jok\u202e"
			}
		}
	}
	d := talk(t, 120, 36, messages...)
	d.press("3")
	d.settle()
	d.s.change("", 0, func(u *setup) { u.policy.Window = 1000 })
	d.tight(ladder.Summarize)
	d.writes(summarize.Text("evil \x1b]0;title\x07 text"))
	for _, keys := range [][]string{nil, {"p"}, {"1"}, {"esc", "s", "s"}, {"v"}, {"esc", "w"}} {
		d.press(keys...)
		checkFrame(t, fmt.Sprint(keys), d.View(), 120, 36, false)
		if bytes.Contains([]byte(d.View()), []byte("\x1b]")) {
			t.Fatalf("after %v a stranger's escape sequence is drawn", keys)
		}
	}
}

func BenchmarkLadderKnob(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := talk(b, 120, 36, long(n)...)
			d.press("3")
			d.settle()
			d.s.policy.Window = 20_000
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d.s.change("cooldown", 0, func(u *setup) { u.climb.policy.CooldownTurns = i % 9 })
				d.send(nil)
				d.View()
			}
		})
	}
}
