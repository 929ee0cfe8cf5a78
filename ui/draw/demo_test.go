package draw

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestShow prints every widget, to be looked at: DRAW_SHOW=120x36,dark,256,utf8 go test -run TestShow -v ./ui/draw.
func TestShow(t *testing.T) {
	spec := os.Getenv("DRAW_SHOW")
	if spec == "" {
		t.Skip("set DRAW_SHOW=120x36,dark,256,utf8 to see every widget")
	}
	parts := strings.Split(spec, ",")
	size := strings.Split(parts[0], "x")
	w, _ := strconv.Atoi(size[0])
	h, _ := strconv.Atoi(size[1])
	theme, err := ParseTheme(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	profile := Plain
	for p := Plain; p <= TrueColour; p++ {
		if p.String() == parts[2] {
			profile = p
		}
	}
	set, err := ParseGlyphs(parts[3])
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range show(NewLook(theme, profile, set), w, h) {
		fmt.Println(line)
	}
}

// show is a screen much like the inspector's, of made-up numbers.
func show(l *Look, w, h int) []string {
	now := &Gauge{
		Label: "now", Tokens: 171204, Window: 200000, Estimate: true, Tone: Over,
		Segments: []Segment{{KindOverhead, 8100}, {KindUser, 12400}, {KindAssistant, 31000}, {KindThinking, 4000}, {KindCalls, 22700}, {KindResults, 97000}},
		Limits:   []Limit{{"target", 112000, Mark, false}, {"threshold", 160000, Over, false}, {"emergency", 190000, Emergency, false}},
	}
	after := &Gauge{
		Label: "after", Tokens: 18211, Window: 200000, Estimate: true, Change: 18211 - 171204, Ghost: 171204,
		Segments: []Segment{{KindOverhead, 5600}, {KindSummary, 2500}, {KindUser, 1400}, {KindAssistant, 3000}, {KindCalls, 700}, {KindResults, 5000}},
		Limits:   now.Limits,
	}
	AlignGauges(l, w, now, after)
	lines := now.Draw(l, w, 3)
	lines = append(lines, after.Draw(l, w, 1)...)
	lines = append(lines, showList(l, w)...)
	for _, s := range showSliders() {
		lines = append(lines, s.Draw(l, w))
	}
	lines = append(lines, Rule(l, w, nil, []int{w / 2}))
	tl := showTimeline()
	lines = append(lines, tl.Draw(l, w, 10)...)
	lines = append(lines, Rule(l, w, nil, []int{w / 2}))
	f := NewFrame(l, w, 9)
	left, right := Rect{0, 0, w, 9}.Left(w / 2)
	bar, right := right.Left(1)
	heat := showHeat()
	f.Put(left, heat.Draw(l, left.W, 9)...)
	f.Put(bar, Bar(l, 9)...)
	help := Help{Bindings: showKeys(), Query: "m", Cursor: 1}
	f.Put(right, help.Draw(l, right.W, 9)...)
	lines = append(lines, f.Lines()...)
	foot, _ := Footer(l, w, showKeys()[:4], showKeys()[4:])
	lines = append(lines, foot)
	return fit(l, lines, w, max(h, len(lines)))
}

func showKeys() []Binding {
	return []Binding{
		{"1", "pass", "screens"}, {"2", "replay", "screens"}, {"3", "ladder", "screens"}, {"j/k", "move", "list"},
		{"/", "search", "list"}, {"f", "filter", "list"}, {"%", "mate", "list"}, {"y", "copy", "everywhere"}, {"?", "help", "everywhere"}, {"q", "quit", "everywhere"},
	}
}

func showTimeline() *Timeline {
	t := &Timeline{
		Top: 200000, Cursor: 211,
		Limits:   []Limit{{"threshold", 160000, Over, true}, {"emergency", 190000, Emergency, false}},
		Recorded: []RecordedPass{{Call: 70}, {Call: 150}},
	}
	tokens := int64(8000)
	for i := range 240 {
		tokens += int64(500 + (i*7919)%4300)
		c := Call{Tokens: tokens}
		if tokens > 160000 {
			c.Passes, c.After, c.Emergency = 1, 21000, i > 200
			tokens = c.After
		}
		t.Calls = append(t.Calls, c)
	}
	t.Calls[239].Failed = true
	t.Calls[30].Skipped = true
	return t
}

func showHeat() *HeatMap {
	m := &HeatMap{
		XName: "threshold", YName: "preserve", Unit: "tokens kept", Never: "cannot fit",
		X: []string{"50%", "60%", "70%", "80%", "90%"}, Y: []string{"2", "4", "8", "16", "32", "64"}, Cursor: At{1, 2}, Current: At{3, 1},
	}
	for y := range m.Y {
		var row []HeatCell
		for x := range m.X {
			v := 31000 + x*4000 + y*6000
			c := HeatCell{HeatValue, float64(v), Short(int64(v / 1000 * 1000))}
			if y == 5 && x < 2 {
				c = HeatCell{State: HeatNever}
			}
			if y == 5 && x == 4 {
				c = HeatCell{}
			}
			row = append(row, c)
		}
		m.Cells = append(m.Cells, row)
	}
	return m
}

func showList(l *Look, w int) []string {
	g := NewGutter([]Span{{1, 2}, {5, 8}, {6, 7}, {407, 408}}, []int{410}, []int{411})
	list := List{Gutter: g, Count: 412, Largest: 9120, Brackets: Brackets{Selected: Span{407, 408}, First: 0, Last: 411}}
	rows := []Row{
		{Index: 0, Who: WhoUser, Tokens: 1204, Fate: First, Text: "Fix the flaky test in the scheduler, which fails one time in twenty on the build machine"},
		{Index: 1, Who: WhoCall, Tokens: 88, Fate: Dropped, Text: "Read path=sched/loop.go"},
		{Index: 2, Who: WhoResult, Tokens: 9120, Fate: Dropped, Text: "package sched\n\nimport (\n\t\"context\"\n\t\"time\"\n)"},
		{Index: 5, Who: WhoCall, Tokens: 41, Fate: Reattached, Text: "Grep pattern=TODO"},
		{Index: 6, Who: WhoCall, Tokens: 38, Fate: Emptied, Text: "Read path=main.go"},
		{Index: 7, Who: WhoResult, Tokens: 1902, Fate: Cleared, Text: "main.go: 210 lines"},
		{Index: 8, Who: WhoResult, Tokens: 212, Fate: Summarised, Text: "日本語のログ: 失敗しました 🎉"},
	}
	tail := []Row{
		{Index: 407, Who: WhoCall, Tokens: 41, Fate: Paired, Ground: Cursor, Text: "Grep pattern=TODO path=."},
		{Index: 408, Who: WhoResult, Tokens: 212, Fate: Recent, Ground: Picked, Text: "3 matches"},
		{Index: 409, Who: WhoAssistant, Tokens: 180, Fate: Recent, Text: "The scheduler drops a tick", Hits: []int{4, 5, 6, 7, 8}},
		{Index: 410, Who: WhoCall, Tokens: 44, Fate: Recent, Note: "open", Text: "Bash command=go test ./..."},
		{Index: 411, Who: WhoResult, Tokens: 9, Fate: Recent, Note: "lone", Text: "ok"},
	}
	out := l.Sheet(w)
	list.Header(out)
	for i := range rows {
		list.Row(out, &rows[i])
	}
	list.Fold(out, 9, 406, 152905, Dropped, Base)
	list.Cut(out, 408, 407)
	for i := range tail {
		list.Row(out, &tail[i])
	}
	return out.Lines()
}

func showSliders() []*Slider {
	percent := func(v int64) string { return strconv.FormatInt(v, 10) + "%" }
	return []*Slider{
		{Name: "preserve_recent", Min: 1, Max: 50, Value: 4, Default: 4, NameWidth: 16},
		{Name: "threshold", Min: 1, Max: 100, Value: 72, Default: 80, Format: percent, Focused: true, NameWidth: 16},
		{Name: "window", Min: 1000, Max: 2000000, Value: 200000, Default: 200000, Log: true, Format: Short, NameWidth: 16},
		{Name: "target", Min: 1, Max: 100, Value: 70, Default: 70, Format: percent, NameWidth: 16, Disabled: "positional truncation ignores it"},
	}
}
