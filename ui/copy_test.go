package ui

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cinch/compactor/ladder"
	"cinch/compactor/summarize"
	"cinch/model"
	"cinch/model/token"
)

// clipped is what was sent to the clipboard last.
func (d *driver) clipped() string {
	d.t.Helper()
	at := strings.LastIndex(d.out.String(), "\x1b]52;c;")
	if at < 0 {
		d.t.Fatal("nothing was sent to the clipboard")
	}
	text, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(d.out.String()[at+7:], "\a"))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

func TestCopy(t *testing.T) {
	t.Setenv("TMUX", "")
	t.Setenv("STY", "")
	m := says(model.User, "the whole text\x1b[31m as it is")
	m.ID = "msg_7"
	d := talk(t, 120, 36, append([]*model.Message{m}, long(20)...)...)
	d.opts.PlanJSON = func(of PlanOf) string { return of.Settings.Counter.Name() + " " + of.Conversation.Path }
	d.press("tab", "l", "tab", "H", "esc")
	for key, want := range map[string]string{
		"m": "the whole text\x1b[31m as it is", "i": "msg_7", "p": "heuristic talk.json",
		"f": "cinch plan talk --threshold 70 --preserve-recent 5",
	} {
		d.press("y", key)
		if got := d.clipped(); got != want {
			t.Errorf("y %s copies %q, want %q", key, got, want)
		}
		d.has("sent to the terminal's clipboard (OSC 52)")
	}
	d.press("y", "j")
	var policy map[string]any
	if err := json.Unmarshal([]byte(d.clipped()), &policy); err != nil || policy["preserve_recent"] != 5.0 || policy["threshold"] != 70.0 {
		t.Errorf("the settings as JSON: %v, %v", policy, err)
	}
	t.Setenv("TMUX", "/tmp/tmux")
	d.press("y", "f")
	d.has("set-clipboard on")
	d.press("Y", "f")
	d.has("printed when the inspector closes")
	if len(d.kept) != 1 || d.kept[0] != "cinch plan talk --threshold 70 --preserve-recent 5" {
		t.Errorf("kept: %q", d.kept)
	}
	d.press("y", "esc")
	if d.mode != browsing {
		t.Error("esc does not close the menu")
	}
}

func TestTooMuchForTheClipboard(t *testing.T) {
	d := talk(t, 120, 36, says(model.User, strings.Repeat("x", clipLimit+1)), says(model.Assistant, "ok"))
	d.press("y", "m")
	d.has("more than terminals take; Y keeps it")
	if d.out.Len() > 0 {
		t.Error("it was sent all the same")
	}
}

func TestCopyFromTheLadder(t *testing.T) {
	t.Setenv("TMUX", "")
	t.Setenv("STY", "")
	d, p := laddering(t, "demo", 120, 36)
	d.opts.PassJSON = func(of PassOf) string {
		return fmt.Sprintf("%s turn %d, %d → %d", of.Settings.Counter.Name(), of.Outcome.Turn, of.Outcome.Before, of.Outcome.After)
	}
	d.press("0", "]", "y")
	d.has("pass as JSON")
	d.press("p")
	if got, want := d.clipped(), fmt.Sprintf("drover turn 28, %d → %d", p.out.Before, p.out.After); got != want {
		t.Errorf("y p copies %q, want %q", got, want)
	}
	d.press("y", "j")
	if got := d.clipped(); !strings.Contains(got, `"drop-tool-results"`) {
		t.Errorf("y j copies %q", got)
	}
	d.press("y", "f")
	if got, want := d.clipped(), "cinch replay lesson:demo --policy policy.toml"; got != want || !strings.HasPrefix(d.notice, "it reads policy.toml: write the policy there with e; ") {
		t.Errorf("y f copies %q and says %q, want %q", got, d.notice, want)
	}
	d.writes(summarize.Text("it's done"))
	d.press("y", "m")
	if got := d.clipped(); !strings.Contains(got, "func TestFairShare") {
		t.Errorf("y m copies %q", got)
	}
}

// TestLadderLine: the command replays what the Ladder screen shows, and says which
// policy that takes.
func TestLadderLine(t *testing.T) {
	d, _ := laddering(t, "demo", 120, 36)
	change := func(set func(*setup)) { d.s.change("", 0, set) }
	for _, c := range []struct {
		name, want string
		saved      bool
		set        func()
	}{
		{"a recipe", "cinch replay lesson:demo --policy policy.toml", false, func() {}},
		{"a file's", "cinch replay lesson:demo --policy 'my policy.json'", true, func() { d.s.startedClimb.file = "my policy.json" }},
		{"with summaries", "cinch replay lesson:demo --policy 'my policy.json' --summarizer 'text:it'\\''s done'", true, func() {
			change(func(u *setup) { u.climb.writer = summarize.Text("it's done") })
		}},
		{"with requests", "cinch replay lesson:demo --window 9000 --policy 'my policy.json' --summarizer extract --overhead 300 --manual 3 --manual '12=what; else'", true, func() {
			change(func(u *setup) {
				u.climb.writer = summarize.Extract{}
				u.weighed = u.weighed.under(token.FixedOverhead(300))
				u.policy.Window, u.windowFrom = 9_000, "here"
				u.climb.request(12, &ladder.Call{Instructions: "what; else"})
				u.climb.request(3, &ladder.Call{})
			})
		}},
		{"moved since, nothing to summarise", "cinch replay lesson:demo --window 9000 --policy policy.toml --overhead 300", false, func() {
			change(func(u *setup) {
				u.climb.manual = nil
				u.climb.policy.Strategy = []ladder.Strategy{ladder.SlidingWindow}
			})
		}},
		{"the conversation's own", "cinch replay lesson:demo --window 9000 --overhead 300", true, func() {
			d.s.startedClimb = d.s.climb
			d.s.startedClimb.file, d.s.startedClimb.lesson = "", true
		}},
	} {
		c.set()
		if got, saved := d.s.ladderLine(); got != c.want || saved != c.saved {
			t.Errorf("%s: %s, %v; want %s", c.name, got, saved, c.want)
		}
	}
}

// TestCommandLine: the command names the conversation so that a shell and the
// file's reader find it again, with every setting that is not the default.
func TestCommandLine(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"a/b.jsonl", "cinch plan a/b.jsonl"},
		{"my session.jsonl", "cinch plan 'my session.jsonl'"},
		{"it's; $(rm -rf) \x1b[31m", "cinch plan 'it'\\''s; $(rm -rf) \x1b[31m'"},
		{"-", "cinch plan '-'"}, {"a-~b", "cinch plan 'a-~b'"}, {"x; y", "cinch plan 'x; y'"}, {"a;b", "cinch plan 'a;b'"},
	} {
		conv := &model.Conversation{Format: "native", Path: c.path, Messages: long(8)}
		d := drive(t, Options{Path: c.path, Open: opener(map[string]*model.Conversation{c.path: conv})}, 120, 36, colours())
		if got := d.s.commandLine("pass"); got != c.want {
			t.Errorf("%q: %s, want %s", c.path, got, c.want)
		}
	}
	d := wood(t, 120, 36, "1")
	if got := d.s.commandLine("replay"); got != "cinch replay forest.json --session 1" {
		t.Errorf("of several conversations: %s", got)
	}
	d.press("j", "i")
	if got := d.s.commandLine("pass"); got != "cinch plan forest.json --session outer" {
		t.Errorf("of a subagent: %s", got)
	}
	d = demo(t, 120, 36)
	for _, set := range []struct{ knob, value string }{{"threshold", "70"}, {"min_messages", "9"}, {"window", "50k"}, {"target", "40"}, {"reserve", "2k"}, {"overhead", "300"}} {
		d.focusKnob(set.knob)
		d.press("enter")
		d.typed(set.value)
		d.press("enter", "esc")
	}
	for _, choice := range []string{"of", "auto", "counter"} {
		d.focusKnob(choice)
		d.press("l", "esc")
	}
	want := "cinch sweep lesson:demo --window 50000 --threshold 70 --auto-compact=false --target-base window --target-pct 40 --min-messages 9 --reserve 2000 --overhead 300 --counter o200k"
	if got := d.s.commandLine("sweep"); got != want {
		t.Errorf("with everything moved: %s\nwant %s", got, want)
	}
}
