package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"cinch/compactor/study"
	"cinch/model"
	"cinch/model/token"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

// watching opens a session that grows as the test says: the first n messages of
// a long conversation. tell hands the inspector another reading.
func watching(t testing.TB, w, h, n int) (d *driver, tell func(messages []*model.Message, err error)) {
	t.Helper()
	d = drive(t, Options{Profile: draw.ANSI256, Follow: func(context.Context, string, func(int64, int64), func(*Opened, error)) error { return nil }}, w, h, colours())
	d.watched = &following{path: "live.jsonl", readings: make(chan readingMsg), stop: func() {}}
	d.unface()
	tell = func(messages []*model.Message, err error) {
		t.Helper()
		m := readingMsg{from: d.watched, err: err}
		if err == nil {
			c := &model.Conversation{Format: "native", Path: "live.jsonl", ID: "live", Messages: messages, Window: 4_000}
			m.opened = openedFor(&transcript.File{Path: "live.jsonl", Conversations: []*model.Conversation{c}, Selected: c})
		}
		_, cmd := d.Update(m)
		for again := err == nil; again; again = d.behind() {
			_, cmd = d.Update(cmd()) // it is counted; waiting for the next reading would never end here
		}
	}
	tell(long(n), nil)
	if !d.s.loaded() || !d.s.following {
		t.Fatal("the first reading is not taken up")
	}
	return d, tell
}

func TestFollowGrows(t *testing.T) {
	all := long(400)
	d, tell := watching(t, 160, 36, 40)
	d.has("following")
	if d.s.selected != 39 {
		t.Errorf("the cursor begins at message %d", d.s.selected)
	}
	d.press("tab", "l", "l", "esc", "g", "j", "s")
	policy, step, at, past := d.s.policy, d.s.step, d.s.selected, len(d.s.past)
	before := d.s.plan.Before
	tell(all[:60], nil)
	if d.s.now.view.Len() != 60 || d.s.plan.Before <= before {
		t.Errorf("%d messages of %d tokens after growing", d.s.now.view.Len(), d.s.plan.Before)
	}
	if d.s.policy != policy || d.s.step != step || d.s.selected != at || len(d.s.past) != past {
		t.Error("knobs, step, cursor or history are lost")
	}
	d.press("esc", "G")
	tell(all[:64], nil)
	if d.s.selected != 63 {
		t.Errorf("a cursor at the end stays behind, on message %d", d.s.selected)
	}
	for range len(d.s.past) {
		d.press("u")
		if d.s.now.view.Len() != 64 {
			t.Fatalf("undo leads to an older reading of %d messages", d.s.now.view.Len())
		}
	}
	if d.s.policy.PreserveRecent != 4 {
		t.Error("u does not take back what was done before the file grew")
	}
	d.press("2")
	tell(all[:80], nil)
	if p := d.screens[1].(*replayScreen); len(p.t.Recording.Messages) != 80 {
		t.Errorf("the replay is of %d messages", len(p.t.Recording.Messages))
	}
}

func TestFollowKeepsAppliedPasses(t *testing.T) {
	all := long(400)
	d, tell := watching(t, 160, 36, 40)
	d.press("a")
	kept := d.s.now.view.Len()
	tell(all[:44], nil)
	if got := d.s.now.view.Len(); got != kept+4 {
		t.Errorf("%d messages after a pass that left %d and 4 more", got, kept)
	}
	d.press("u")
	if got := d.s.now.view.Len(); got != 44 {
		t.Errorf("without the pass there are %d", got)
	}
	d.press("ctrl+r")
	if got := d.s.now.view.Len(); got != kept+4 {
		t.Errorf("with it again %d, want %d", got, kept+4)
	}
}

func TestFollowSaysWhenTheNextPassComes(t *testing.T) {
	all := long(400)
	d, tell := watching(t, 160, 36, 40)
	d.matches(`next pass in ~[\d,]+ tokens, about \d+ turns at the present ~\d+ a turn`)
	line := d.s.policy.ThresholdLine()
	d.has(fmt.Sprintf("next pass in ~%s tokens", commas(line-d.s.plan.Before+1)))
	turns, ok := study.TurnsLeft(d.s.policy, d.s.plan.Before, d.s.pace())
	if !ok {
		t.Fatal("no pace")
	}
	n := 40
	for ; d.s.plan.Before <= line; n += 2 { // one turn of this conversation
		tell(all[:n+2], nil)
	}
	if took := int64(n-40) / 2; took < turns-2 || took > turns+2 {
		t.Errorf("said about %d turns, it took %d", turns, took)
	}
	d.has("OVER THRESHOLD")
}

func TestFollowSurvives(t *testing.T) {
	all := long(400)
	d, tell := watching(t, 160, 36, 40)
	d.press("tab", "l", "esc")
	tell(nil, errors.New("live.jsonl: no such file"))
	d.has("not readable just now")
	if d.s.now.view.Len() != 40 || !d.s.following {
		t.Error("an unreadable moment loses the conversation")
	}
	tell(all[:44], nil)
	if d.notice != "" || d.s.now.view.Len() != 44 {
		t.Errorf("it can be read again, and yet: %q", d.notice)
	}
	half := *all[43] // the last message is half-written, and then whole
	half.Parts = []model.Part{{Kind: model.Text, Text: "Num"}}
	tell(append(append([]*model.Message(nil), all[:43]...), &half), nil)
	tell(all[:44], nil)
	if len(d.s.past) != 1 {
		t.Error("a half-written message loses the history")
	}
	d.press("/")
	d.typed("number")
	d.press("enter")
	tell(all[100:120], nil) // rotated
	if d.s.now.view.Len() != 20 || d.s.policy.PreserveRecent != 5 || !d.s.following {
		t.Error("a replaced file is not taken up under the same knobs")
	}
	d.press("n", "N")
	tell(all[:3], nil) // truncated
	d.press("j", "n")
	if d.s.now.view.Len() != 3 || d.s.selected > 2 {
		t.Errorf("message %d of %d", d.s.selected, d.s.now.view.Len())
	}
}

func TestFollowWithAnotherCounter(t *testing.T) {
	all := long(400)
	d, tell := watching(t, 160, 36, 40)
	d.press("shift+tab")
	for !d.onKnob("counter") {
		d.press("shift+tab")
	}
	d.press("right", "right")
	other := d.s.counter().Name()
	if other == "heuristic" {
		t.Fatal("the counter did not change")
	}
	tell(all[:48], nil)
	if d.s.counter().Name() != other || d.s.now.view.Len() != 48 {
		t.Errorf("%s, %d messages", d.s.counter().Name(), d.s.now.view.Len())
	}
	d.press("esc")
	for d.s.counter().Name() == other {
		d.press("u")
	}
	if d.s.now.view.Len() != 48 || d.s.weighed.conv != d.s.conv {
		t.Errorf("undo of the counter leads back to %d messages", d.s.now.view.Len())
	}
}

// onKnob reports whether a knob has the keys.
func (d *driver) onKnob(name string) bool {
	p := d.pass()
	return p.panel.focused && knobs[p.panel.knob].name == name
}

func TestFollowFails(t *testing.T) {
	d := drive(t, Options{Profile: draw.ANSI256}, 120, 30, colours())
	d.watched = &following{readings: make(chan readingMsg), stop: func() {}}
	d.unface()
	d.Update(readingMsg{from: d.watched, err: errors.New("live.jsonl: no such file")})
	d.has("no such file")
	d.Update(readingMsg{from: &following{}, err: errors.New("of another file")})
	d.has("no such file")
}

// TestCountsWhatIsNew: of a reading that begins as the one before did, what is the
// same is not counted again, and the numbers are those of counting it all.
func TestCountsWhatIsNew(t *testing.T) {
	fresh := func(n int) []*model.Message {
		list := make([]*model.Message, n)
		for i, m := range long(n) {
			copied := *m
			copied.Parts = append([]model.Part{{Kind: model.ToolResult, ID: "r", List: []model.Part{{Kind: model.Image, Media: &model.Media{Data: "aGk="}}}}}, m.Parts...)
			list[i] = &copied
		}
		return list
	}
	count := func(before *weighed, messages []*model.Message) *weighed {
		w, err := weighOnto(t.Context(), before, &model.Conversation{Messages: messages}, model.Context, token.Heuristic, token.OverheadRule{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	before := count(nil, fresh(40))
	for _, test := range []struct {
		name   string
		change func([]*model.Message) []*model.Message
		same   int
	}{
		{"nothing", func(l []*model.Message) []*model.Message { return l }, 40},
		{"grown", func([]*model.Message) []*model.Message { return fresh(60) }, 40},
		{"cut", func(l []*model.Message) []*model.Message { return l[:7] }, 7},
		{"emptied", func(l []*model.Message) []*model.Message { return nil }, 0},
		{"another text", func(l []*model.Message) []*model.Message { l[9].Parts[1].Text += "!"; return l }, 9},
		{"another picture", func(l []*model.Message) []*model.Message { l[5].Parts[0].List[0].Media.Data += "!"; return l }, 5},
		{"one more part", func(l []*model.Message) []*model.Message { l[39].Parts = append(l[39].Parts, l[39].Parts[1]); return l }, 39},
		{"another role", func(l []*model.Message) []*model.Message { l[0].Role = model.System; return l }, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			messages := test.change(fresh(40))
			if n := before.common(messages); n != test.same {
				t.Errorf("%d messages are the same, want %d", n, test.same)
			}
			if onto, anew := count(before, messages), count(nil, messages); !slices.Equal(onto.each, anew.each) {
				t.Error("counted otherwise than anew")
			}
		})
	}
}
