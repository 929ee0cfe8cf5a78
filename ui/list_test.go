package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cinch/compactor"
	"cinch/model"
)

func TestSearch(t *testing.T) {
	d := demo(t, 160, 36)
	d.press("/")
	d.typed("watcher")
	d.press("enter")
	d.has("/watcher  1/")
	first := d.s.selected
	hits := d.pass().search.hits
	for range hits {
		d.press("n")
	}
	if d.s.selected != first {
		t.Errorf("n goes around to %d, began at %d", d.s.selected, first)
	}
	d.press("N")
	if d.s.selected != hits[len(hits)-1] {
		t.Errorf("N from the first goes to %d, want the last, %d", d.s.selected, hits[len(hits)-1])
	}
	d.has("around the end")
	d.press("esc")
	if d.pass().search.query != "" {
		t.Error("esc keeps the search")
	}
}

func TestSearchKinds(t *testing.T) {
	d := talk(t, 120, 36,
		says(model.User, "The Scheduler starves"), says(model.Assistant, "a scheduler, yes"), calls("zz"), results("zz"),
		says(model.User, "ünïcode and ÉLAN"), says(model.Assistant, "nothing"))
	for _, c := range []struct {
		query string
		hits  []int
		loose bool
	}{
		{"scheduler", []int{0, 1}, false},
		{"Scheduler", []int{0}, false},
		{"look", []int{2}, false}, // a tool's name
		{"seen zz", []int{3}, false},
		{"élan", []int{4}, false},
		{"schdlr", []int{0, 1}, true}, // letters in order
		{"qqqq", nil, true},
	} {
		hits, loose := find(t.Context(), d.s.now.view.Messages(), c.query)
		if fmt.Sprint(hits) != fmt.Sprint(c.hits) || loose != c.loose {
			t.Errorf("%q is in %v (letters in order: %v), want %v (%v)", c.query, hits, loose, c.hits, c.loose)
		}
	}
	d.press("/")
	d.typed("qqqq")
	d.press("enter")
	d.has("/qqqq  not found")
}

// TestSearchUnfolds: a match inside a fold is shown.
func TestSearchUnfolds(t *testing.T) {
	d := talk(t, 120, 36, long(80)...)
	d.press("/")
	d.typed("number 9,")
	d.press("enter")
	if d.s.selected != 36 || d.pass().rows.at(d.pass().cursor).kind != messageRow {
		t.Errorf("the match is message %d", d.s.selected)
	}
	d.has("Please do number 9,")
}

func TestFilters(t *testing.T) {
	for key, want := range map[string]func(*driver, int) bool{
		"d": func(d *driver, i int) bool { return !d.s.shown.Fate(i).Kept() },
		"k": func(d *driver, i int) bool { return d.s.shown.Fate(i).Kept() },
		"p": func(d *driver, i int) bool {
			return d.s.shown.Fate(i) == compactor.Paired || d.s.shown.Fate(i) == compactor.Reattached
		},
		"e": func(d *driver, i int) bool { return d.s.shown.Fate(i) == compactor.Emptied },
		"u": func(d *driver, i int) bool {
			m := d.s.now.view.Message(i)
			return m.Role == model.User && !m.HasResult()
		},
		"c": func(d *driver, i int) bool { return d.s.now.view.Message(i).HasCall() },
		"r": func(d *driver, i int) bool { return d.s.now.view.Message(i).HasResult() },
		"a": func(d *driver, i int) bool {
			m := d.s.now.view.Message(i)
			return m.Role == model.Assistant && !m.HasCall()
		},
		"o": func(d *driver, i int) bool { return pairNote(d.s.now.view, i) != "" },
		"x": func(*driver, int) bool { return true },
	} {
		d := demo(t, 120, 36)
		d.press("f", key)
		n := 0
		for i := range d.s.now.view.Len() {
			if want(d, i) {
				n++
			}
		}
		if key != "x" && d.pass().messages() != n {
			t.Errorf("filter %s shows %d messages, want %d", key, d.pass().messages(), n)
		}
		if key == "x" && d.pass().filter != nil {
			t.Error("x does not show all")
		}
		d.press("G", "g") // numbers stay the messages' own
		if r, ok := d.pass().row(); ok && !want(d, r.first) {
			t.Errorf("filter %s has the cursor on message %d", key, r.first)
		}
	}
}

func TestFilterByTool(t *testing.T) {
	d := demo(t, 120, 36)
	d.press("f", "t")
	d.typed("nosuch")
	d.press("enter")
	if d.mode != asking || !strings.Contains(d.plain(), "no tool is called that") {
		t.Error("a tool that is never called is taken")
	}
	d.press("esc", "f", "t")
	d.typed("grep")
	d.press("enter")
	if d.pass().filter == nil || d.pass().messages() == 0 {
		t.Fatal("no filter by tool")
	}
	for y := range d.pass().rows.n {
		r := d.pass().rows.at(y)
		if r.kind == messageRow && !slices.Contains(toolsOf(d.s.now.view, r.first), "grep") {
			t.Errorf("message %d is shown", r.first)
		}
	}
}

func TestMateGoesThroughAllResults(t *testing.T) {
	d := talk(t, 120, 36, says(model.User, "go"), calls("a", "b", "c"), results("b"), results("a"), says(model.Assistant, "done"))
	d.press("j")
	var seen []int
	for range 6 {
		d.press("%")
		seen = append(seen, d.s.selected)
	}
	if fmt.Sprint(seen) != "[2 1 3 1 2 1]" {
		t.Errorf("%% goes through %v", seen)
	}
	d.has("2/3 answered")
	d.press("G", "%")
	d.has("no tool call and no result in this message")
}

func TestPairNotes(t *testing.T) {
	d := talk(t, 120, 36, calls("a"), results("x"), calls("b", "c"), results("b"), results("c", "y"), says(model.User, "hm"))
	for i, want := range []string{"open", "lone", "", "", "1/2 lone", ""} {
		if got := pairNote(d.s.now.view, i); got != want {
			t.Errorf("message %d: %q, want %q", i, got, want)
		}
	}
}

func TestGoTo(t *testing.T) {
	d := demo(t, 120, 36)
	d.press(":")
	d.typed("99")
	d.press("enter")
	d.has("a number from 0 to 68")
	d.press("backspace", "backspace")
	d.typed("17")
	d.press("enter")
	if d.s.selected != 17 || d.mode != browsing {
		t.Errorf(":17 goes to %d", d.s.selected)
	}
}

// TestRowsAndMessages: every message that is shown has one row, finding it leads
// there, and the cursor never stands on the cut.
func TestRowsAndMessages(t *testing.T) {
	d := demo(t, 120, 36)
	check := func(what string, l *rowList) {
		seen := map[int]bool{}
		for y := range l.n {
			r := l.at(y)
			if r.kind == cutRow {
				continue
			}
			for m := r.first; m <= r.last; m++ {
				if seen[m] {
					t.Fatalf("%s: message %d has two rows", what, m)
				}
				seen[m] = true
				if l.find(m) != y {
					t.Fatalf("%s: message %d is in row %d, found in %d", what, m, y, l.find(m))
				}
			}
		}
		for y := range l.n {
			for _, by := range []int{-5, -1, 0, 1, 5} {
				if l.at(l.next(y, by)).kind == cutRow {
					t.Fatalf("%s: %d from row %d is the cut", what, by, y)
				}
			}
		}
		if what != "filtered" && len(seen) != d.s.now.view.Len() {
			t.Fatalf("%s: %d messages have rows", what, len(seen))
		}
	}
	for n := 0; n <= 9; n++ {
		d.s.stepTo(n)
		for _, open := range []bool{false, true} {
			for room := 0; room < 80; room++ {
				l := layRows(d.s.shown, open, room)
				check(fmt.Sprint("step ", n, " open ", open, " room ", room), &l)
				least := layRows(d.s.shown, open, 0)
				whole := layRows(d.s.shown, true, 0)
				if want := min(max(room, least.n), whole.n); l.n != want {
					t.Fatalf("step %d: %d rows where %d fit, from %d to %d", n, l.n, room, least.n, whole.n)
				}
			}
		}
		l := pickRows(d.s.shown, func(i int) bool { return i%3 == 1 })
		check("filtered", &l)
	}
}

func TestHostileTextIsShownHarmless(t *testing.T) {
	evil := "\x1b]52;c;aGk=\x07\x1b[2J\u202e\u200b\x9b31m\r\x00 end\xff"
	call := calls("a")
	call.Parts[0].Name = evil
	call.Parts[0].Text = `{"` + evil + `":"` + evil + `"}`
	answer := results("a")
	answer.Parts[0].Text = evil
	answer.ID = evil
	c := &model.Conversation{Format: evil, Path: "dir/" + evil, Messages: []*model.Message{says(model.User, evil), call, answer, says(model.System, evil)}}
	d := drive(t, Options{Path: "talk", Open: opener(map[string]*model.Conversation{"talk": c})}, 120, 36, colours())
	for _, keys := range [][]string{{"g"}, {"j"}, {"j"}, {"enter"}, {"esc", "f", "t"}, {"esc", "?"}, {"esc", "y"}, {"esc", "/", "e", "n", "d"}} {
		d.press(keys...)
		checkFrame(t, fmt.Sprint(keys), d.View(), 120, 36, false)
	}
	d.press("esc", "g")
	d.has("control or invisible characters made")
}

// TestLongMessage: a message of megabytes opens without being wrapped whole, and
// its end can be reached.
func TestLongMessage(t *testing.T) {
	m := says(model.User, strings.Repeat("one line of many words\n", 100_000)+"the very end")
	d := talk(t, 120, 36, m, says(model.Assistant, "ok"))
	d.View()
	if n := len(d.pass().detail.lines); n > 2_000 {
		t.Errorf("%d lines were wrapped to show the first page", n)
	}
	d.press("enter", "G")
	d.has("the very end")
	d.press("g")
	d.has("one line of many words")
}

func TestPairWords(t *testing.T) {
	d := talk(t, 120, 36, says(model.User, "go"), calls("a", "b", "c", "d"), results("b"), results("a", "x"), results("c"))
	for i, want := range []string{"[]", "[answered by results #3, #2, #4 open: 1 call without a result so far]", "[answers call #1]", "[answers call #1 lone: 1 result without an earlier call]"} {
		if got := fmt.Sprint(pairWords(d.s.now.view, i)); got != want {
			t.Errorf("message %d: %s, want %s", i, got, want)
		}
	}
}

// TestGist: a row says what is called before what is said, and reads no more of
// a long value than it shows.
func TestGist(t *testing.T) {
	m := &model.Message{Role: model.Assistant, Parts: []model.Part{
		{Kind: model.Thinking, Text: strings.Repeat("thought ", 100)},
		{Kind: model.ToolCall, Name: "Write", Text: `{"path":"a b.go","text":"` + strings.Repeat("line\\n", 100_000) + `"}`},
	}}
	if got := gist(m); !strings.HasPrefix(got, "Write path=a b.go text=line line") || len(got) > gistCells+8 {
		t.Errorf("gist: %q", got)
	}
	m.Parts = m.Parts[1:]
	m.Parts[0].Text = `{"q":"x","deep":{"a":[1,2]}}`
	m.Parts = append(m.Parts, model.Part{Kind: model.Text, Text: "and\n\twhy"}, model.Part{Kind: model.Image})
	if got := gist(m); got != `Write q=x deep={"a":[1,2]} | and why | image` {
		t.Errorf("gist: %q", got)
	}
}
