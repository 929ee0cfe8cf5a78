package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/model"
	"cinch/model/transcript"
)

// slowly opens a file of n messages whose whole is read when the test says so.
// Its beginnings are those of the sizes given, in messages, in turn.
type slowly struct {
	*driver
	whole, begin tea.Cmd
	stopped      context.Context
	told         func(done, total int64)
}

func openSlowly(t *testing.T, w, h int, all []*model.Message, beginnings ...int) *slowly {
	t.Helper()
	s := &slowly{}
	file := func(messages []*model.Message, size int64) *Opened {
		c := &model.Conversation{Format: "native", Path: "dir/big.jsonl", ID: "big", Messages: messages}
		return openedFor(&transcript.File{Path: "dir/big.jsonl", Size: size, Conversations: []*model.Conversation{c}, Selected: c})
	}
	o := Options{
		Path: "dir/big.jsonl",
		Open: func(ctx context.Context, _ string, progress func(done, total int64)) (*Opened, error) {
			s.stopped, s.told = ctx, progress
			return file(all, 96<<20), nil
		},
		Begin: func(_ context.Context, _ string, bytes int64) (*Opened, error) {
			if len(beginnings) == 0 {
				return nil, transcript.ErrNoBeginning
			}
			n := beginnings[0]
			beginnings = beginnings[1:]
			return file(all[:n:n], bytes), nil
		},
	}
	r := newRoot(t.Context(), o, colours(), &frames{to: &strings.Builder{}, bare: true})
	s.driver = &driver{t: t, root: r}
	r.later = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	r.Update(tea.WindowSizeMsg{Width: w, Height: h})
	for _, cmd := range r.Init()().(tea.BatchMsg) {
		switch msg := cmd().(type) {
		case openedMsg:
			s.whole = func() tea.Msg { return msg }
		case begunMsg:
			s.begin = func() tea.Msg { return msg }
		default:
			t.Fatalf("opening says %T", msg)
		}
	}
	return s
}

// more takes up the beginning that is due, and works out the next.
func (s *slowly) more() {
	s.t.Helper()
	if s.begin == nil {
		s.t.Fatal("no beginning is asked for")
	}
	_, s.begin = s.Update(s.begin())
}

// TestBeginning: the first messages can be looked at while the rest of a file is
// read, and stay in place when it is there.
func TestBeginning(t *testing.T) {
	all := long(4000)
	d := openSlowly(t, 140, 36, all, 100, 400)
	d.has("reading big.jsonl")
	if d.s.loaded() {
		t.Fatal("there is a conversation before anything was read")
	}
	d.more()
	d.told(24<<20, 96<<20)
	d.send(progressMsg{d.load.id})
	for _, text := range []string{
		"its first 1.0 MB · 100 messages", "so far ", "Please do number 0",
		"reading big.jsonl  ███░░░░░░░░░  24.0 MB of 96.0 MB  25.0%", "esc back",
	} {
		d.has(text)
	}
	// Keys answer: the list, the detail, the knobs.
	d.press("f", "c") // calls only
	d.press("esc", "j", "j", "enter")
	d.has("answers call #1")
	d.press("esc")
	if d.load == nil {
		t.Fatal("esc gave up the file before it closed the message")
	}
	d.focusKnob("threshold")
	d.press("l", "esc")
	if d.s.selected != 2 || d.s.policy.Threshold != 81 {
		t.Fatalf("message %d, threshold %d", d.s.selected, d.s.policy.Threshold)
	}
	d.focusKnob("counter")
	d.press("l")
	d.has("not before the whole file is read")
	d.press("esc", "T")
	d.has("not before the whole file is read")
	d.more()
	d.has("its first 4.0 MB · 400 messages")
	if d.s.selected != 2 || d.s.policy.Threshold != 81 {
		t.Errorf("after more was read: message %d, threshold %d", d.s.selected, d.s.policy.Threshold)
	}
	d.more() // there is no larger one
	if d.begin != nil {
		t.Error("a beginning is asked for after there was none")
	}
	d.run(d.whole)
	if d.load != nil || d.s.now.view.Len() != 4000 {
		t.Fatalf("%d messages when the whole is there", d.s.now.view.Len())
	}
	for _, text := range []string{"4,000 messages", "now "} {
		d.has(text)
	}
	if strings.Contains(d.plain(), "its first") || strings.Contains(d.plain(), "so far") {
		t.Errorf("the whole is marked as a part:\n%s", d.plain())
	}
	if d.s.selected != 2 || d.s.policy.Threshold != 81 {
		t.Errorf("at the end: message %d, threshold %d", d.s.selected, d.s.policy.Threshold)
	}
	d.press("u")
	if d.s.policy.Threshold != 80 {
		t.Error("undo does not reach back to the beginning")
	}
}

// TestBeginningGivenUp: what was read stays, and says that it is not all; what
// comes in afterwards is thrown away.
func TestBeginningGivenUp(t *testing.T) {
	d := openSlowly(t, 100, 24, long(4000), 100, 400)
	d.more()
	d.press("G", "esc")
	if d.stopped.Err() == nil || d.load != nil {
		t.Fatal("esc does not give up")
	}
	d.has("gave up reading big.jsonl")
	d.has("its first 1.0 MB · 100 messages")
	d.more()
	d.run(d.whole)
	if n := d.s.now.view.Len(); n != 100 || d.s.selected != 99 {
		t.Errorf("%d messages after giving up, the cursor at %d", n, d.s.selected)
	}
	d.focusKnob("counter")
	d.press("l") // it is a conversation like any other
	if d.s.counter().Name() != "o200k" {
		t.Error("what was read cannot be counted")
	}
	quit := openSlowly(t, 100, 24, long(400), 100)
	quit.more()
	quit.press("ctrl+c")
	if !quit.quit {
		t.Error("ctrl+c does not quit while reading")
	}
}

// TestBeginningThatDiffers: when the whole shows other messages than its beginning
// did, as after a compaction, the cursor stays on its message or goes to the first.
func TestBeginningThatDiffers(t *testing.T) {
	for name, c := range map[string]struct{ drop, at, want int }{
		"still there":  {drop: 10, at: 12, want: 2},
		"not any more": {drop: 10, at: 3, want: 0},
	} {
		t.Run(name, func(t *testing.T) {
			all := long(200)
			for i, m := range all {
				m.Spans = []model.Span{{Line: i + 1}}
			}
			d := openSlowly(t, 100, 24, all, 100)
			d.more()
			d.pass().goTo(c.at)
			msg := d.whole().(openedMsg)
			msg.opened.File.Selected.Messages = all[c.drop:]
			d.send(msg)
			if got := fmt.Sprint(d.s.now.view.Len(), d.s.selected, d.pass().cursor >= 0); got != fmt.Sprint(190, c.want, true) {
				t.Errorf("messages and cursor: %s", got)
			}
			d.has("190 messages")
		})
	}
}

// TestBeginningBehindAChoice: choosing another file meanwhile gives this one up.
func TestBeginningBehindAChoice(t *testing.T) {
	d := openSlowly(t, 100, 24, long(4000), 100)
	d.more()
	d.press("O")
	if d.front == nil || d.waiting() {
		t.Fatal("there is no choice while reading")
	}
	d.run(d.whole)
	if d.front == nil || d.s.now.view.Len() != 4000 {
		t.Error("the whole file closes the choice, or is lost")
	}
	d.press("esc")
	if d.front != nil {
		t.Error("esc does not lead back")
	}
}

// TestBeginningOfSeveral: when the whole turns out to hold other conversations as
// well, the one that is looked at stays, and the others are named.
func TestBeginningOfSeveral(t *testing.T) {
	d := openSlowly(t, 100, 24, long(200), 100)
	d.more()
	msg := d.whole().(openedMsg)
	later := &model.Conversation{Format: "native", Path: "dir/big.jsonl", ID: "later", Messages: long(8)}
	f := msg.opened.File
	f.Conversations, f.Selected = append(f.Conversations, later), later
	d.send(msg)
	if d.front != nil || d.s.conv.ID != "big" || d.s.now.view.Len() != 200 {
		t.Errorf("%d messages of %s are shown", d.s.now.view.Len(), d.s.conv.ID)
	}
	d.has("this file holds 2 conversations: T lists them")
	d.press("T")
	if d.front != d.chooser {
		t.Error("T does not list them")
	}
}
