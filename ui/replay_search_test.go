package ui

import (
	"strings"
	"testing"

	"cinch/model"
)

// seekText types a search into the Replay screen.
func seekText(d *driver, text string) {
	d.press("/")
	d.typed(text)
	d.press("enter")
}

func TestReplaySearch(t *testing.T) {
	d, p := replaying(t, "demo", 120, 36)
	last := p.at
	seekText(d, "strikes again") // in a message that the pass before call 26 dropped
	if p.selected() != 21 || p.at != last || p.now.Position(21) >= 0 {
		t.Fatalf("the search stands on #%d at call %d, want the dropped #21 at call %d", p.selected(), p.at, last)
	}
	d.has("/strikes again  1/1")
	d.has("no longer sent")
	if got := p.message(); got == nil || !strings.Contains(fullText(got), "strikes again") {
		t.Error("the detail does not show what was found")
	}
	d.press("n")
	d.has("around the end")
	// From the first call on, the match is still to come: the timeline goes there.
	d.press("0", "n")
	if pt := p.points[p.at]; p.selected() != 21 || pt.message <= 21 || p.points[p.at-1].message > 21 {
		t.Errorf("n stands on #%d at the call at #%d, want the first call that was sent #21", p.selected(), pt.message)
	}
	d.press("esc")
	if p.search.query != "" || p.reveal >= 0 {
		t.Error("esc does not leave the search")
	}
	seekText(d, "zzzz9999")
	d.has("not found")
	d.press("n", "N")
	d.press("/", "x", "esc") // what was searched for before is back
	if p.search.query != "zzzz9999" {
		t.Errorf("after esc the search is %q", p.search.query)
	}
}

// TestSearchesAreApart: what one screen searches for does not move the other.
func TestSearchesAreApart(t *testing.T) {
	d, p := replaying(t, "demo", 120, 36)
	seekText(d, "strikes")
	d.press("1")
	if d.pass().search.query != "" || len(d.pass().search.hits) > 0 {
		t.Error("the Pass screen searches for what the Replay screen was asked")
	}
	seekText(d, "soak")
	if p.search.query != "strikes" || p.selected() != 21 {
		t.Error("the Replay screen took an answer that was meant for the Pass screen")
	}
}

// TestReplayCopiesItsOwnMessage: y is about the message under the cursor of the
// screen in front.
func TestReplayCopiesItsOwnMessage(t *testing.T) {
	d, _ := replaying(t, "demo", 120, 36)
	seekText(d, "strikes again")
	d.press("Y", "m")
	if len(d.kept) != 1 || !strings.Contains(d.kept[0], "strikes again") {
		t.Errorf("kept is %q", d.kept)
	}
}

func TestReplayNamesRecordedCompactions(t *testing.T) {
	c := &model.Conversation{Format: "native", Path: "talk.json", Messages: long(60), Compactions: []model.Compaction{
		{Kind: "compact_boundary", Trigger: "auto", Before: 167_442, After: 9_210, History: 20},
		{Kind: "rolled\x1b[2Jup", History: 40},
	}}
	for _, size := range [][2]int{{80, 24}, {120, 36}, {80, 20}} {
		d := drive(t, Options{Path: "talk", Open: opener(map[string]*model.Conversation{"talk": c})}, size[0], size[1], colours())
		d.press("2")
		p := d.screens[1].(*replayScreen)
		if p.t == nil {
			d.pump()
		}
		d.press("0", "]")
		d.has("recorded here: compact_boundary (auto) 167,442 → 9,210 (−94%)")
		if got := p.points[p.at].message; got < 20 || p.points[p.at-1].message >= 20 {
			t.Errorf("] stands before message %d, the compaction before 20", got)
		}
		d.press("]")
		d.has("up, sizes not recorded")
		d.press("0")
		if size[1] >= legendFrom {
			d.has("recorded: 2 compactions of the file's own, at other calls")
		}
	}
}

// TestLongSentences: a sentence that matters and is too long for its line is not
// cut, and how to get help and out stays.
func TestLongSentences(t *testing.T) {
	d := demo(t, 80, 24)
	d.press("s", "s", "s")
	d.has("→ the cut moves")
	d.has(" from 65 to 62")
	d.has("? help  q quit")
	x, y := d.find("q quit")
	d.click(x, y)
	if !d.quit {
		t.Error("q quit cannot be clicked")
	}
	d, p := replaying(t, "demo", 80, 24)
	d.press("[")
	if p.place.said.H != 2 {
		t.Fatalf("the state has %d lines", p.place.said.H)
	}
	d.has("cache broken from")
}
