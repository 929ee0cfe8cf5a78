package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/model"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

// forest is a file of two conversations, the first of which started subagents.
func forest() *Opened {
	agent := func(id, call string, n int) *model.Conversation {
		return &model.Conversation{ID: id, Parent: "main", CallID: call, Title: "Agent " + id, Messages: long(n)}
	}
	inner := agent("inner", "c0", 6)
	outer := agent("outer", "c0", 12)
	outer.Children = []*model.Conversation{inner}
	first := &model.Conversation{Format: "native", Path: "forest.json", ID: "main", Title: "Look into the cart", Messages: long(40)}
	first.Children = []*model.Conversation{outer, agent("beside", "c1", 8), agent("also", "c1", 8)}
	second := &model.Conversation{Format: "native", Path: "forest.json", ID: "other", Title: "Write it down", Messages: long(20)}
	return openedFor(&transcript.File{Path: "forest.json", Format: "native", Conversations: []*model.Conversation{first, second}, Selected: second})
}

func wood(t testing.TB, w, h int, session string) *driver {
	t.Helper()
	made := forest()
	return drive(t, Options{Path: "forest.json", Session: session, Profile: draw.ANSI256, Open: func(context.Context, string, func(int64, int64)) (*Opened, error) {
		if session != "" {
			made.File.Selected, _ = made.File.Select(session)
		}
		return made, nil
	}}, w, h, colours())
}

func TestChooserListsWhatAFileHolds(t *testing.T) {
	d := wood(t, 120, 30, "")
	if d.front != d.chooser {
		t.Fatal("a file with two conversations does not leave a choice")
	}
	for _, want := range []string{
		`\b40 +[\d.k]+ .* 1  Look into the cart`, `\b12 +[\d.k]+ .*   subagent  Agent outer`, `\b6 +\d+ .*     subagent  Agent inner`,
		`▸ +20 +[\d.k]+ .* 2  Write it down`, `--session other`, `native · 2 conversations`,
	} {
		d.matches(want)
	}
	d.press("enter")
	if d.front != nil || d.s.conv.ID != "other" {
		t.Fatal("enter does not open what the cursor stands on")
	}
	d.has("2 of 2")
	d.press("T")
	if n := d.chooser.selected(); d.front != d.chooser || n == nil || n.conv.ID != "other" {
		t.Error("T does not lead back to where it was")
	}
	d.press("enter")
	if d.front != nil {
		t.Error("enter on the open conversation does not go back to it")
	}
	d.press("T", "/")
	d.typed("inner")
	d.press("enter")
	if d.s.conv.ID != "inner" {
		t.Errorf("the search opened %s", d.s.conv.ID)
	}
	d.press("I")
	if d.s.conv.ID != "outer" {
		t.Errorf("I leads to %s", d.s.conv.ID)
	}
	d.press("I", "I")
	d.has("nothing started this conversation")
}

func TestChooserIsPassedOver(t *testing.T) {
	d := wood(t, 120, 30, "1")
	if d.front != nil || d.s.conv.ID != "main" {
		t.Error("a conversation that was named is not opened at once")
	}
	if d := talk(t, 120, 30, long(8)...); d.front != nil {
		t.Error("one conversation leaves a choice")
	}
}

func TestChooserLeadsToThePicker(t *testing.T) {
	d := wood(t, 120, 30, "")
	d.press("esc")
	if d.front != d.picker {
		t.Error("esc does not lead to the sessions")
	}
	d = wood(t, 120, 30, "")
	d.press("enter", "T", "O")
	if d.front != d.picker {
		t.Error("O does not lead to the sessions")
	}
	d.press("esc")
	if d.front != nil || d.s.conv.ID != "other" {
		t.Error("esc does not come back to the conversation")
	}
}

// TestIntoASubagent: from the call to what it started and back, with all that
// was done before as it was.
func TestIntoASubagent(t *testing.T) {
	d := wood(t, 120, 36, "1")
	d.press("tab", "l", "l", "esc", "/")
	d.typed("number 1,")
	d.press("enter", "esc", "k", "k", "k") // message 1, which calls c0
	for d.s.selected != 1 {
		if d.press("k"); d.s.selected == 0 {
			d.press("j")
			break
		}
	}
	before, selected := d.s.policy, d.s.selected
	if selected != 1 {
		t.Fatalf("the cursor is on message %d", selected)
	}
	d.has("a subagent, 12 messages: i goes into it")
	d.press("i")
	if d.s.conv.ID != "outer" || d.s.now.view.Len() != 12 {
		t.Fatalf("i leads to %s", d.s.conv.ID)
	}
	d.has("subagent")
	if d.s.policy.PreserveRecent != before.PreserveRecent {
		t.Error("the knobs do not come along")
	}
	d.press("j")
	if d.s.selected != 1 {
		t.Fatal("the second message of the subagent is not reached")
	}
	d.press("i")
	if d.s.conv.ID != "inner" {
		t.Fatalf("i leads from the subagent to %s", d.s.conv.ID)
	}
	d.press("esc", "esc")
	if d.s.conv.ID != "main" || d.s.policy != before || d.s.selected != selected || len(d.s.past) == 0 {
		t.Errorf("esc leads back to %s, message %d, %d changes", d.s.conv.ID, d.s.selected, len(d.s.past))
	}
	d.press("u")
	if d.s.policy.PreserveRecent != before.PreserveRecent-1 {
		t.Error("u does not take back what was done before")
	}
	d.press(":", "5", "enter", "i") // c1 started two
	if d.mode != choosing || d.menu.title != "into" {
		t.Fatalf("two subagents leave no choice: %s", d.notice)
	}
	d.press("2")
	if d.s.conv.ID != "also" {
		t.Errorf("2 leads to %s", d.s.conv.ID)
	}
	d.press("I", ":", "8", "enter", "i")
	d.has("no subagent was started here")
	d.press("2", "1")
	if d.at != 0 || d.s.conv.ID != "main" {
		t.Error("the screens do not follow")
	}
}

const walk = `{"type":"session","version":3,"id":"walk","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/home/ines/walk"}
{"type":"message","id":"root","parentId":null,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":"Which way?"}}
{"type":"message","id":"fork","parentId":"root","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Both are open."}]}}
{"type":"message","id":"left","parentId":"fork","timestamp":"2026-03-01T10:00:03.000Z","message":{"role":"user","content":"Go left"}}
{"type":"message","id":"right","parentId":"fork","timestamp":"2026-03-01T10:00:04.000Z","message":{"role":"user","content":"Go right"}}
`

func TestBranches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "walk.jsonl")
	if err := os.WriteFile(path, []byte(walk), 0o644); err != nil {
		t.Fatal(err)
	}
	open := func(ctx context.Context, session, branch string) (*Opened, error) {
		f, err := transcript.Open(ctx, path, transcript.Options{Session: session, Branch: branch})
		if err != nil {
			return nil, err
		}
		return openedFor(f), nil
	}
	d := drive(t, Options{
		Path:    path,
		Profile: draw.ANSI256,
		Open: func(ctx context.Context, path string, _ func(int64, int64)) (*Opened, error) {
			return open(ctx, "", "")
		},
		OpenBranch: func(ctx context.Context, _, session, branch string, _ func(int64, int64)) (*Opened, error) {
			return open(ctx, session, branch)
		},
	}, 120, 30, colours())
	d.has("branch right")
	d.has("Go right")
	d.press("tab", "l", "esc", "B")
	d.matches(`branch, active  Go right`)
	d.matches(`branch  Go left`)
	d.press("g", "j")
	if n := d.chooser.selected(); n.branch == nil || n.branch.Active {
		d.press("j")
	}
	d.press("enter")
	if d.front != nil {
		t.Fatalf("the branch was not opened: %s", d.notice)
	}
	d.has("branch left")
	d.has("Go left")
	if strings.Contains(d.plain(), "Go right") {
		t.Error("the abandoned branch is shown")
	}
	if d.s.policy.PreserveRecent != 5 {
		t.Error("the knobs do not come along")
	}
	if d := talk(t, 120, 30, long(8)...); true {
		d.press("B")
		d.has("it has no branches")
	}
}

func TestChooserEverySize(t *testing.T) {
	for _, look := range []*draw.Look{colours(), draw.NewLook(draw.Mono, draw.Attributes, draw.ASCII)} {
		d := wood(t, 120, 36, "")
		d.look = look
		for w := 0; w <= 150; w++ {
			for _, h := range []int{0, 12, 13, 24} {
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
				checkFrame(t, "chooser", d.View(), w, h, look.Glyphs.Set == draw.ASCII)
			}
		}
	}
}

func onNode(n int) func(*driver) bool {
	return func(d *driver) bool { return d.chooser.list.cursor == n }
}

// Two conversations and four subagents; the cursor begins on the last.
var chooserCases = map[string]keyCase{
	"conversations/down": {[]string{"g"}, onNode(1)}, "conversations/up": {nil, onNode(4)},
	"conversations/page down": {[]string{"g"}, onNode(5)}, "conversations/page up": {nil, onNode(0)},
	"conversations/first": {nil, onNode(0)}, "conversations/last": {[]string{"g"}, onNode(5)},
	"conversations/open":     {nil, func(d *driver) bool { return d.s.loaded() }},
	"conversations/search":   {nil, func(d *driver) bool { return d.mode == asking }},
	"conversations/sessions": {nil, func(d *driver) bool { return d.front == d.picker }},
}

func TestChooserMouse(t *testing.T) {
	d := wood(t, 120, 36, "")
	x, y := d.find("Agent beside")
	d.click(x, y)
	d.click(x, y)
	if !d.s.loaded() || d.s.conv.ID != "beside" {
		t.Error("two clicks do not open a subagent")
	}
}

func TestChooserPictures(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		d := wood(t, size[0], size[1], "")
		d.look = draw.NewLook(draw.Mono, draw.Plain, draw.UTF8)
		d.stale = true
		compare(t, "chooser-"+map[int]string{80: "80x24", 120: "120x36"}[size[0]], d.View())
	}
}
