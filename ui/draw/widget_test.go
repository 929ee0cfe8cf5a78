package draw

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var plain = NewLook(Dark, Plain, UTF8)

// picture compares lines, without the blanks at their ends.
func picture(t *testing.T, name string, lines []string, want string) {
	t.Helper()
	var got []string
	for _, l := range lines {
		got = append(got, strings.TrimRight(l, " "))
	}
	if g := strings.Join(got, "\n"); g != strings.Trim(want, "\n") {
		t.Errorf("%s:\n%s\nwant\n%s", name, g, strings.Trim(want, "\n"))
	}
}

func gutterRows(g *Gutter, n int, b Brackets) []string {
	var out []string
	for m := range n {
		p := plain.Pen(g.Width() + 1)
		g.draw(p, m, &b)
		out = append(out, p.String())
	}
	return out
}

func TestGutter(t *testing.T) {
	for _, c := range []struct {
		name    string
		pairs   []Span
		calls   []int
		results []int
		n       int
		b       Brackets
		want    string
	}{
		{"one after the other", []Span{{0, 1}, {2, 4}}, nil, nil, 5, Brackets{}, "┌\n└\n┌\n│\n└"},
		{"parallel", []Span{{0, 3}, {1, 2}}, nil, nil, 4, Brackets{}, "┌\n│┌\n│└\n└"},
		{"crossing", []Span{{0, 2}, {1, 3}}, nil, nil, 4, Brackets{}, "┌\n│┌\n└│\n └"},
		{"a lane is free again behind its result, not at it", []Span{{0, 1}, {1, 2}}, nil, nil, 3, Brackets{}, "┌\n└┌\n └"},
		{"three calls in one message share a bracket", []Span{{0, 1}, {0, 1}, {0, 1}}, nil, nil, 2, Brackets{}, "┌\n└"},
		{"call and result in one message", []Span{{0, 0}}, nil, nil, 1, Brackets{}, ""},
		{"more than three", []Span{{0, 9}, {1, 8}, {2, 7}, {3, 6}, {4, 5}}, nil, nil, 10, Brackets{},
			"┌\n│┌\n││┌\n│││+1\n│││+2\n│││+2\n│││+1\n││└\n│└\n└"},
		{"lone call", nil, []int{0}, nil, 1, Brackets{}, "?"},
		{"lone call and result beside a pair", []Span{{0, 5}, {1, 2}}, []int{3}, []int{4}, 6, Brackets{}, "┌\n│┌\n│└\n│?\n│?\n└"},
		{"lone ones with room", []Span{{0, 5}, {1, 4}, {2, 3}}, []int{6}, []int{7}, 8, Brackets{}, "┌\n│┌\n││┌\n││└\n│└\n└\n╶─?\n?─╴"},
		{"lone call where no lane is free", []Span{{0, 2}}, []int{1}, nil, 3, Brackets{}, "┌\n│?\n└"},
		{"selected", []Span{{0, 2}, {3, 5}}, nil, nil, 6, Brackets{Selected: Span{3, 5}, Last: 5}, "┌\n│\n└\n┏\n┃\n┗"},
		{"selected, with its ends off screen", []Span{{0, 5}}, nil, nil, 6, Brackets{Selected: Span{0, 5}, First: 2, Last: 4}, "┏\n┃\n↑\n┃\n↓\n┗"},
		{"dropped", []Span{{0, 2}}, nil, nil, 3, Brackets{Dropped: func(m int) bool { return m == 1 }}, "┌\n┆\n└"},
	} {
		picture(t, c.name, gutterRows(NewGutter(c.pairs, c.calls, c.results), c.n, c.b), c.want)
	}
}

// TestGutterLanes: spans in one lane never overlap, and none is lost.
func TestGutterLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		n := 2 + rng.IntN(40)
		var pairs []Span
		for range rng.IntN(30) {
			a, b := rng.IntN(n), rng.IntN(n)
			pairs = append(pairs, Span{min(a, b), max(a, b)})
		}
		g := NewGutter(pairs, nil, nil)
		for m := range n {
			want := map[Span]bool{}
			for _, p := range pairs {
				if p.Call < p.Result && p.Call <= m && m <= p.Result {
					want[p] = true
				}
			}
			got := g.hidden(m)
			for i := range g.lanes {
				if s, ok := g.at(i, m); ok {
					if !want[s] {
						t.Fatalf("lane %d has %v at %d, which does not cover it", i, s, m)
					}
					got++
				}
			}
			if got != len(want) {
				t.Fatalf("%v: %d of %d pairs drawn at %d", pairs, got, len(want), m)
			}
		}
	}
}

func TestRows(t *testing.T) {
	g := NewGutter([]Span{{1, 2}}, nil, nil)
	list := List{Gutter: g, Count: 412, Largest: 9120}
	s := plain.Sheet(64)
	list.Header(s)
	list.Row(s, &Row{Index: 0, Who: WhoUser, Tokens: 1204, Fate: First, Text: "Fix the flaky\n\ttest"})
	list.Row(s, &Row{Index: 1, Who: WhoCall, Tokens: 88, Fate: Dropped, Text: "Read path=sched/loop.go", Ground: Cursor})
	list.Row(s, &Row{Index: 2, Who: WhoResult, Tokens: 9120, Fate: Dropped, Note: "2/3 answered", Text: "1,204 lines"})
	list.Fold(s, 3, 406, 152905, Dropped, Base)
	list.Cut(s, 408, 407)
	list.Row(s, &Row{Index: 407, Who: WhoAssistant, Tokens: 180, Fate: Reattached, Text: "\x1b[31mred\u202e"})
	picture(t, "a list", s.Lines(), `
     #  who       tokens  fate          what
     0  user       1,204  · first       Fix the flaky test
▸┌   1  call          88  ✗ dropped     Read path=sched/loop.go
 └   2  result     9,120  ✗ dropped     2/3 answered 1,204 lines
     ⋯           152,905  ✗ dropped     404 messages, 3–406
═══ cut 408 → 407 ══════════════════════════════════════════════
   407  assistant    180  + reattached  red‹U+202E›
`)
	s = plain.Sheet(40)
	list.Row(s, &Row{Index: 407, Who: WhoAssistant, Tokens: 180, Fate: Paired, Text: "The scheduler drops a tick"})
	picture(t, "narrow", s.Lines(),
		"   407  asst    180  !  The scheduler d…")
}

// TestHits: what a search found is marked, whole characters at a time.
func TestHits(t *testing.T) {
	l := NewLook(Mono, Attributes, UTF8)
	var list List
	for _, c := range []struct {
		name, text string
		hits       []int
		want       string
	}{
		{"letters", "tick tock", []int{0, 5}, "\x1b[1;4mt\x1b[0mick \x1b[1;4mt\x1b[0mock"},
		{"beside each other", "tick", []int{1, 2}, "t\x1b[1;4mic\x1b[0mk"},
		{"wide", "日本", []int{3}, "日\x1b[1;4m本\x1b[0m"},
		{"inside a character", "日本", []int{1}, "\x1b[1;4m日\x1b[0m本"},
		{"out of range", "ab", []int{-4, 1, 9}, "a\x1b[1;4mb\x1b[0m"},
		{"an accent stays with its letter", "ae\u0301b", []int{1}, "a\x1b[1;4me\u0301\x1b[0mb"},
		{"cut", "xxxyz" + strings.Repeat("x", 30), []int{3, 4}, "xxx\x1b[1;4myz\x1b[0m" + strings.Repeat("x", 15) + "…"},
		{"text that had to be cleaned", "a\x1b[1mb", []int{0}, "ab"},
	} {
		s := l.Sheet(60)
		list.Row(s, &Row{Text: c.text, Hits: c.hits})
		got := s.Lines()[0]
		if !strings.Contains(got+" ", "  "+c.want+" ") {
			t.Errorf("%s: %q does not contain %q", c.name, got, c.want)
		}
	}
}

func TestGauge(t *testing.T) {
	now := Gauge{Label: "now", Tokens: 171204, Window: 200000, Estimate: true,
		Segments: []Segment{{KindOverhead, 8100}, {KindUser, 12400}, {KindResults, 150704}},
		Limits:   []Limit{{Name: "target", Tokens: 112000, Tone: Mark}, {Name: "threshold", Tokens: 160000, Tone: Over}, {Name: "emergency", Tokens: 190000, Tone: Emergency}}}
	after := Gauge{Label: "after", Tokens: 18211, Window: 200000, Estimate: true, Change: -152993, Reserve: 8000, Limits: now.Limits,
		Segments: []Segment{{KindOverhead, 8100}, {KindUser, 10}, {KindResults, 10101}}}
	over := Gauge{Label: "over", Tokens: 212300, Window: 200000, Segments: now.Segments, Ghost: 100000}
	AlignGauges(plain, 100, &now, &after, &over)
	lines := append(now.Draw(plain, 100, 3), after.Draw(plain, 100, 1)...)
	lines = append(lines, over.Draw(plain, 100, 1)...)
	picture(t, "gauges", lines, goldenGauge)
	small := Gauge{Label: "now", Tokens: 171204, Window: 200000}
	picture(t, "text only", small.Draw(plain, 20, 1), "now  171.2k 85.6%")
	picture(t, "no window", (&Gauge{Label: "now", Tokens: 171204}).Draw(plain, 40, 1), "now  171,204  no window")
}

const goldenGauge = `
now    ██▒▒▒▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙┃▙▙▙▙▙▙▙▙▙▙▙┃▙▙▋····┊··  ~171,204 / 200,000  85.6%
                       target 112k ▲      160k ▲       ▲ emergency 190k
       █ overhead 8.1k  ▒ user 12.4k  ▙ results 150.7k
after  █▒▙▙▋·······················┊···········┊·······┊╱╱   ~18,211 / 200,000   9.1%  −152,993
over   ██▒▒▒▒▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙┊▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙▙   212,300 / 200,000 106.1%  ▶ +12.3k over
`

// TestGaugeDrag: a limit dragged to a column is drawn there, for every column of the bar.
// TestGaugeNumbersArePartedFromPercent: however little room there is, no digit
// of the tokens or the window runs into the percent.
func TestGaugeNumbersArePartedFromPercent(t *testing.T) {
	run := regexp.MustCompile(`[0-9.]+k?[0-9.]+%`)
	for w := 1; w < 140; w++ {
		g := &Gauge{Label: "now", Tokens: 123_603, Window: 50_000, Estimate: true, Change: -122_788}
		line := g.Draw(plain, w, 1)[0]
		if got := run.FindString(line); strings.Contains(got, "k") || len(got) > len("247.2%") {
			t.Errorf("%d columns: %s", w, line)
		}
	}
}

func TestGaugeDrag(t *testing.T) {
	g := Gauge{Label: "now", Window: 200000, Tokens: 5, Limits: []Limit{{Name: "threshold", Tokens: 160000}, {Name: "emergency", Tokens: 190000}}}
	for _, w := range []int{30, 80, 133} {
		first, ok := g.Column(plain, w, 1)
		if !ok {
			t.Fatalf("no bar in %d cells", w)
		}
		last, _ := g.Column(plain, w, g.Window)
		if _, on := g.Value(plain, w, first-1); on {
			t.Errorf("column %d is on the bar", first-1)
		}
		if _, on := g.Value(plain, w, last+1); on {
			t.Errorf("column %d is on the bar", last+1)
		}
		for col := first; col <= last-2; col++ {
			v, on := g.Value(plain, w, col)
			if !on {
				t.Fatalf("column %d of %d is not on the bar", col, w)
			}
			moved := g
			moved.Limits = []Limit{{Name: "threshold", Tokens: v}}
			if at, ok := moved.Column(plain, w, v); !ok || at != col {
				t.Errorf("w %d: %d dragged to column %d is drawn at %d", w, v, col, at)
			}
			if i, ok := moved.LimitAt(plain, w, col+1); !ok || i != 0 {
				t.Errorf("w %d: no limit found beside column %d", w, col)
			}
		}
	}
}

// TestAbove: a limit that only more than its tokens crosses is not touched by exactly as many.
func TestAbove(t *testing.T) {
	for tokens, want := range map[int64]string{159999: "┊", 160000: "┊", 160001: "┃"} {
		g := Gauge{Tokens: tokens, Window: 200000, Limits: []Limit{{Name: "threshold", Tokens: 160000, Above: true}}}
		if bar := g.Draw(plain, 80, 1)[0]; !strings.Contains(bar, want) {
			t.Errorf("%d of 160,000: no %s in %s", tokens, want, bar)
		}
	}
}

func TestSlider(t *testing.T) {
	s := Slider{Name: "threshold", Min: 1, Max: 100, Value: 72, Default: 80}
	picture(t, "at rest", []string{s.Draw(plain, 36)}, "threshold  ├────────────●┼───┤  72")
	s.Focused, s.Stale = true, true
	picture(t, "focused", []string{s.Draw(plain, 36)}, "threshold ◀├────────────●┼───┤▶ 72…")
	s = Slider{Name: "target", Min: 1, Max: 9, Value: 3, Default: 3, Disabled: "no manager"}
	picture(t, "disabled", []string{s.Draw(plain, 70)}, "target  ├─────────●────────────────────────────┤  3 no manager")
	picture(t, "no room for a track", []string{(&Slider{Name: "threshold", Min: 1, Max: 100, Value: 72}).Draw(plain, 16)}, "threshold  72")
}

// TestSliderDrag: the ends of the track are the ends of the range, columns and
// values agree, and a longer way never means less.
func TestSliderDrag(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		s := Slider{Min: rng.Int64N(100) + 1, Log: rng.IntN(2) == 0}
		s.Max = s.Min + rng.Int64N(1<<uint(rng.IntN(22)))
		cells := 1 + rng.IntN(60)
		if s.ValueAt(cells, -5) != s.Min || cells > 1 && s.ValueAt(cells, cells+5) != s.Max {
			t.Fatalf("%+v: the ends of %d cells are %d and %d", s, cells, s.ValueAt(cells, -5), s.ValueAt(cells, cells+5))
		}
		before := s.Min
		for c := range cells {
			v := s.ValueAt(cells, c)
			if v < before || v > s.Max {
				t.Fatalf("%+v: cell %d of %d is %d after %d", s, c, cells, v, before)
			}
			before = v
			at := s.Column(cells, v)
			if at < 0 || at >= cells || !s.Log && s.Max-s.Min >= int64(cells) && at != c {
				t.Fatalf("%+v: cell %d of %d is %d, which is drawn at %d", s, c, cells, v, at)
			}
		}
	}
	if v := (&Slider{Min: 1000, Max: 2000000, Log: true}).ValueAt(41, 20); v != 45000 {
		t.Errorf("the middle of 1k to 2m is %d on a log scale", v)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64][2]string{
		0: {"0", "0"}, 804: {"804", "804"}, 1000: {"1,000", "1k"}, 8190: {"8,190", "8.2k"}, 8149: {"8,149", "8.1k"}, 171204: {"171,204", "171.2k"}, 199949: {"199,949", "199.9k"}, 199999: {"199,999", "200k"},
		200000: {"200,000", "200k"}, 2000000: {"2,000,000", "2m"}, -1902: {"-1,902", "-1.9k"}, 999949: {"999,949", "999.9k"}, 999999: {"999,999", "1m"}, 1 << 62: {"4,611,686,018,427,387,904", "4611686t"},
	} {
		if Tokens(n) != want[0] || Short(n) != want[1] && n != 1<<62 {
			t.Errorf("%d is written %q and %q, want %q", n, Tokens(n), Short(n), want)
		}
		if n >= 0 && tokensWidth(n) != len(want[0]) {
			t.Errorf("tokensWidth(%d) = %d", n, tokensWidth(n))
		}
	}
	for _, c := range []struct {
		part, whole int64
		want        string
	}{{171204, 200000, "85.6%"}, {199999, 200000, "99.9%"}, {0, 200000, "0.0%"}, {5, 0, ""}, {300, 200, "150.0%"}, {-1, 2, "-50.0%"}} {
		if got := Percent(c.part, c.whole); got != c.want {
			t.Errorf("Percent(%d, %d) = %q, want %q", c.part, c.whole, got, c.want)
		}
	}
	if plain.Signed(-152993) != "−152,993" || plain.Signed(7) != "+7" || plain.Signed(0) != "0" {
		t.Error("signed numbers are wrong")
	}
}

// TestPeaksSurvive: whatever the size, a column reaches a limit's row exactly
// when one of its calls reaches the limit.
func TestPeaksSurvive(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 400 {
		tl := Timeline{Top: 1000, Cursor: -1, Limits: []Limit{{Name: "threshold", Tokens: 1 + rng.Int64N(999), Above: true}, {Name: "emergency", Tokens: 1 + rng.Int64N(1000)}}}
		for range rng.IntN(300) {
			c := Call{Tokens: rng.Int64N(1100)}
			if rng.IntN(9) == 0 {
				c.Passes, c.After = 1, rng.Int64N(c.Tokens+1)
			}
			tl.Calls = append(tl.Calls, c)
		}
		w, h := 1+rng.IntN(140), 1+rng.IntN(30)
		at := tl.layout(w, h)
		if at.cells <= 0 {
			continue
		}
		s := newScale(at.rows, tl.Top, reaches(tl.Limits, tl.Top)...)
		seen := 0
		for i, k := range tl.plot(at, s, 8) {
			from, to := tl.calls(at.cells, i)
			if from < to && (i == 0 || tl.starts(at.cells, i)) {
				seen += to - from
			}
			for j := range tl.Limits {
				row, ok := s.place(&tl.Limits[j])
				if !ok || len(s.limits) < 2 {
					continue
				}
				crossed := false
				for _, c := range tl.Calls[from:to] {
					crossed = crossed || c.Tokens >= tl.Limits[j].reach()
				}
				if (k.high > row) != crossed {
					t.Fatalf("%dx%d: column %d of calls %d to %d is %d rows high, limit %v is in row %d", w, h, i, from, to, k.high, tl.Limits[j], row)
				}
			}
			if from < to && (k.solid > k.high || k.solid == k.high && k.solidPart > k.highPart) {
				t.Fatalf("column %d is fuller after a pass than before: %+v", i, k)
			}
		}
		if seen != len(tl.Calls) {
			t.Fatalf("%d of %d calls drawn in %d columns", seen, len(tl.Calls), at.cells)
		}
		for call := range tl.Calls {
			col, ok := tl.Column(w, h, call)
			from, to := tl.calls(at.cells, col-at.left)
			if !ok || call < from || call >= to {
				t.Fatalf("call %d of %d is at column %d, which has %d to %d", call, len(tl.Calls), col, from, to)
			}
			if back, ok := tl.CallAt(w, h, col); !ok || back < from || back >= to {
				t.Fatalf("column %d has call %d", col, back)
			}
		}
	}
}

func TestTimeline(t *testing.T) {
	tl := Timeline{Top: 200000, Cursor: 9, Limits: []Limit{{Name: "threshold", Tokens: 160000, Tone: Over, Above: true}},
		Recorded: []RecordedPass{{Call: 3, Before: 70000, After: 20000}}}
	for i := range 12 {
		tl.Calls = append(tl.Calls, Call{Tokens: int64(20000 + 16000*i)})
	}
	tl.Calls[10] = Call{Tokens: 180000, After: 30000, Passes: 2}
	tl.Calls[11] = Call{Tokens: 50000, Failed: true}
	tl.Calls[5].Skipped = true
	picture(t, "timeline", tl.Draw(plain, 64, 9), goldenTimeline)
	if got := strings.Join(tl.Draw(plain, 64, 5), "\n"); strings.Contains(got, "▽") || strings.Contains(got, "recorded") {
		t.Errorf("the legend explains a sign that has no row:\n%s", got)
	}
	tl.Next = true
	for at, want := range map[int]string{9: "call 10/11 ", 11: "next call after 11 "} {
		tl.Cursor = at
		if got := strings.Join(tl.Draw(plain, 64, 9), "\n"); !strings.Contains(got, want) {
			t.Errorf("the legend does not say %q:\n%s", want, got)
		}
	}
	picture(t, "one line", (&Timeline{Top: 8, Cursor: -1, Calls: []Call{{Tokens: 1}, {Tokens: 2}, {Tokens: 8}, {Tokens: 0}, {Tokens: 9}}}).Draw(plain, 5, 1), "▁▂█ ↑")
}

// TestGhostsTouchWhatIsSolid: above the part of a cell that is filled the ghost
// begins, with nothing between the two.
func TestGhostsTouchWhatIsSolid(t *testing.T) {
	tl := Timeline{Top: 80, Cursor: -1}
	for after := range int64(64) {
		tl.Calls = append(tl.Calls, Call{Tokens: 79, After: after, Passes: 1})
	}
	for _, l := range []*Look{NewLook(Dark, TrueColour, UTF8), NewLook(Light, ANSI256, UTF8), NewLook(HighContrast, ANSI256, UTF8), NewLook(Dark, ANSI16, UTF8), NewLook(Mono, Attributes, UTF8), plain} {
		for y, line := range tl.Draw(l, 72, 10)[1:8] {
			ground := false // of the text in force
			for _, piece := range strings.SplitAfter(line, "m") {
				text := piece[:max(strings.Index(piece, "\x1b"), 0)]
				if !strings.Contains(piece, "\x1b") {
					text = piece
				}
				if strings.ContainsAny(text, "▁▂▃▄▅▆▇") && !ground {
					t.Errorf("%v %v, line %d has a gap: %q", l.Theme, l.Profile, y+1, line)
				}
				ground = piece != "" && strings.Contains(piece, "48;") && strings.Contains(piece, ghostGround(l))
			}
		}
	}
}

// ghostGround is how the background of ghosts is written.
func ghostGround(l *Look) string {
	return sgr(noColour, palettes[l.Theme].ghost(), 0, l.Profile)
}

const goldenTimeline = `
200k ┤                                    ┊   ▃▃▃▃
160k ┤╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▃▃▃▃████░░░░╌╌╌╌ threshold
     │                        ▃▃▃▃▇▇▇▇████████░░░░
     │                ▄▄▄▄████████████████████░░░░
     │        ▄▄▄▄████████████████████████████░░░░▄▄▄▄
   0 ┤▄▄▄▄████████████████████████████████████████████
     └────────────────────▿───────────────◆───2───✖───
                  ▽                                    recorded
      call 10/12   ▼ pass   ✖ failed   ▿ skipped   ▽ recorded
`

func TestHeatMap(t *testing.T) {
	m := showHeat()
	picture(t, "heat map", m.Draw(plain, 64, 8), goldenHeat)
	for _, size := range [][2]int{{64, 8}, {30, 5}, {20, 2}} {
		at := m.layout(size[0], size[1])
		for y := range at.rows {
			for x := range at.cols {
				row := y
				if at.head {
					row++
				}
				got, ok := m.CellAt(size[0], size[1], at.left+x*at.cell, row)
				if want := (At{at.x + x, at.y + y}); !ok || got != want {
					t.Errorf("%v: cell %v is found as %v", size, want, got)
				}
			}
		}
		if m.Cursor.X < at.x || m.Cursor.X >= at.x+at.cols || m.Cursor.Y < at.y || m.Cursor.Y >= at.y+at.rows {
			t.Errorf("%v: the cursor is out of view", size)
		}
	}
	if _, ok := m.CellAt(64, 8, 2, 2); ok {
		t.Error("a row's label is a cell")
	}
}

const goldenHeat = `
preserve   50%  60%  70%  80%  90%  threshold
       2   31k  35k  39k ░43k ░47k
       4   37k ░41k ░45k ◆49k ▒53k
       8  ░43k [47k]▒51k ▒55k ▓59k
      16  ▒49k ▒53k ▓57k ▓61k █65k
      32  ▒55k ▓59k ▓63k █67k █71k
      64     ×    × █69k █73k    ·
          31k   ░░▒▒▓▓██ 73k tokens kept   × fails   ◆ current
`

func TestFooter(t *testing.T) {
	left := []Binding{{Keys: "1", Text: "pass"}, {Keys: "2", Text: "replay"}}
	right := []Binding{{Keys: "/", Text: "search"}, {Keys: "?", Text: "help"}, {Keys: "q", Text: "quit"}}
	for w, want := range map[int]string{
		50: "1 pass  2 replay          / search  ? help  q quit",
		43: "1 pass  2 replay   / search  ? help  q quit",
		40: "1 pass          / search  ? help  q quit",
		30: "      / search  ? help  q quit",
		23: "         ? help  q quit",
		6:  "q quit",
		5:  "     ",
	} {
		line, hints := Footer(plain, w, left, right)
		if line != want {
			t.Errorf("w %d: %q, want %q", w, line, want)
		}
		for _, h := range hints {
			if got := line[h.X : h.X+h.W]; got != h.Binding.Keys+" "+h.Binding.Text {
				t.Errorf("w %d: hint %v is over %q", w, h, got)
			}
		}
	}
}

func TestHelp(t *testing.T) {
	h := Help{Bindings: showKeys(), Query: "LIST m", Cursor: 1}
	if got := h.Matches(); !slices.Equal(got, []int{3, 6}) {
		// "filter" has no m; "search" has none either
		t.Errorf("matches %v", got)
	}
	picture(t, "help", h.Draw(plain, 40, 7), `
╭─ keys ───────────────────────────────╮
│ search: LIST m│              2 of 10 │
│ list                                 │
│  j/k  move                           │
│▸ %    mate                           │
│                                      │
╰──────────────────────────────────────╯
`)
	h = Help{Bindings: showKeys(), Cursor: 9}
	if out := strings.Join(h.Draw(plain, 40, 6), "\n"); !strings.Contains(out, "▸ q    quit") {
		t.Errorf("the cursor is out of view:\n%s", out)
	}
	h.Query = "teleport"
	if out := strings.Join(h.Draw(plain, 40, 6), "\n"); !strings.Contains(out, "no key does that") {
		t.Errorf("nothing found is not said:\n%s", out)
	}
}

func TestFrame(t *testing.T) {
	f := NewFrame(plain, 12, 4)
	r := Rect{0, 0, 12, 4}
	top, rest := r.Top(1)
	left, right := rest.Left(5)
	bar, right := right.Left(1)
	f.Put(right, "日本語日本", "b")
	f.Put(left, "left", "too long")
	f.Put(bar, Bar(plain, bar.H)...)
	f.Put(top, Rule(plain, 12, nil, []int{5}))
	picture(t, "panes", f.Lines(), "─────┬──────\nleft │日本語\ntoo l│b\n     │")
	f.Over(Rect{4, 1, 4, 2}, "[ab]", "[cd]")
	picture(t, "with one over them", f.Lines(), "─────┬──────\nleft[ab]本語\ntoo [cd]\n     │")
	f.Over(Rect{8, 0, 9, 9}, "edge")
	picture(t, "over the edge", f.Lines(), "─────┬──edge\nleft[ab]\ntoo [cd]\n     │")
}

func TestZones(t *testing.T) {
	var z Zones[string]
	z.Add(Rect{0, 0, 10, 5}, "list")
	z.Add(Rect{2, 1, 3, 2}, "dialog")
	z.Add(Rect{9, 9, 0, 4}, "empty")
	for _, c := range []struct {
		x, y int
		want string
	}{{0, 0, "list"}, {2, 1, "dialog"}, {4, 2, "dialog"}, {5, 2, "list"}, {9, 4, "list"}, {10, 0, ""}, {0, 5, ""}, {9, 9, ""}, {-1, 0, ""}} {
		if got, r, ok := z.At(c.x, c.y); got != c.want || ok != (c.want != "") || ok && !r.Contains(c.x, c.y) {
			t.Errorf("at %d, %d: %q in %v", c.x, c.y, got, r)
		}
	}
	z.Reset()
	if _, _, ok := z.At(0, 0); ok {
		t.Error("a zone outlived Reset")
	}
}

// TestRects: the parts of a rectangle make up the whole.
func TestRects(t *testing.T) {
	r := Rect{3, 4, 10, 6}
	for n := -2; n <= 12; n++ {
		a, b := r.Top(n)
		c, d := r.Left(n)
		e, f := r.Bottom(n)
		g, h := r.Right(n)
		if a.H+b.H != 6 || b.Y != a.Y+a.H || c.W+d.W != 10 || d.X != c.X+c.W || e.H+f.H != 6 || f.Y != e.Y+e.H || g.W+h.W != 10 || h.X != g.X+g.W {
			t.Errorf("split by %d: %v %v %v %v %v %v %v %v", n, a, b, c, d, e, f, g, h)
		}
		if f.H != clamp(n, 0, 6) || h.W != clamp(n, 0, 10) || a.H != clamp(n, 0, 6) {
			t.Errorf("split by %d: %v %v %v", n, a, f, h)
		}
	}
	if got := r.Centre(4, 99); got != (Rect{6, 4, 4, 6}) {
		t.Errorf("centre: %v", got)
	}
}

// TestFewCells: with fewer cells than kinds the largest kinds have them, a part
// of a cell too.
func TestFewCells(t *testing.T) {
	l := NewLook(Mono, Plain, ASCII) // where every kind has its letter
	for _, c := range []struct {
		name     string
		segments []Segment
		window   int64
		want     string // the filled cells
	}{
		{"one cell", []Segment{{KindUser, 30}, {KindAssistant, 80}, {KindResults, 1_400}}, 40_000, "R"},
		{"two cells", []Segment{{KindUser, 600}, {KindCalls, 80}, {KindResults, 900}}, 25_600, "UR"},
		{"enough", []Segment{{KindUser, 3_000}, {KindCalls, 100}, {KindResults, 9_000}}, 40_000, "UUUCRRRRRR"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := Gauge{Window: c.window, Segments: c.segments}
			for _, s := range c.segments {
				g.Tokens += s.Tokens
			}
			line := g.Draw(l, 60, 1)[0]
			if got, _, _ := strings.Cut(line, "."); got != c.want {
				t.Errorf("%q begins with %q, want %q", line, got, c.want)
			}
		})
	}
	l = NewLook(Dark, ANSI256, UTF8)
	g := Gauge{Window: 1_048_576, Tokens: 23_130, Segments: []Segment{{KindUser, 30}, {KindOverhead, 22_600}, {KindThinking, 500}}}
	if line := g.Draw(l, 60, 1)[0]; !strings.HasPrefix(line, l.styles[Base][KindOverhead].Prefix) {
		t.Errorf("a part of a cell is not the overhead's: %q", line)
	}
}

// TestShortKeepsTheSide: no number of a gauge is written like a line it is not
// on, nor on the other side of it.
func TestShortKeepsTheSide(t *testing.T) {
	for _, c := range []struct {
		name   string
		tokens int64
		want   []string
	}{
		{"far below", 138_499, []string{"~138.5k", "160k"}},
		{"one below", 159_999, []string{"~159,999", "160,000"}},
		{"on it", 160_000, []string{"~160k", "threshold 160k"}},
		{"one past it", 160_001, []string{"~160,001", "160,000"}},
		{"past it", 160_050, []string{"~160.1k", "160k"}},
		{"one below the window", 199_999, []string{"~199,999 / 200,000"}},
		{"past the window", 229_680, []string{"~229.7k / 200k", "+29.7k over"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := Gauge{Tokens: c.tokens, Window: 200_000, Estimate: true, Limits: []Limit{{Name: "threshold", Tokens: 160_000, Tone: Over, Above: true}}}
			p := plain.Pen(60)
			g.tail(p, 1)
			text := p.String() + strings.Join(g.Draw(plain, 60, 2), "\n")
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("does not say %q:\n%s", want, text)
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 10_000 { // a larger number is never written smaller
		a := r.Int64N(1 << (10 + r.IntN(40)))
		b := a + r.Int64N(1+a/50)
		if readShort(Short(a)) > readShort(Short(b)) {
			t.Fatalf("%d is %s, %d is %s", a, Short(a), b, Short(b))
		}
	}
}

// readShort is what a reader takes a short number for.
func readShort(s string) float64 {
	units := map[byte]float64{'k': 1e3, 'm': 1e6, 'g': 1e9, 't': 1e12}
	unit, short := units[s[len(s)-1]]
	if !short {
		unit = 1
	} else {
		s = s[:len(s)-1]
	}
	n, _ := strconv.ParseFloat(s, 64)
	return n * unit
}

// TestSelectedRowSpans: the ground of the row under the cursor reaches its end,
// however short its text.
func TestSelectedRowSpans(t *testing.T) {
	l := NewLook(Dark, ANSI256, UTF8)
	for _, w := range []int{40, 80, 120} {
		s := l.Sheet(w)
		list := List{Count: 3, Largest: 100}
		list.Row(s, &Row{Index: 1, Who: WhoUser, Tokens: 10, Text: "hi", Ground: Cursor})
		list.Fold(s, 1, 2, 30, NoFate, Cursor)
		for _, line := range s.Lines() {
			end := strings.LastIndex(line, "\x1b[")
			style := line[strings.LastIndex(line[:end], "\x1b["):end]
			if code, blanks, _ := strings.Cut(style, "m"); !strings.Contains(code, "48;5;") || strings.TrimRight(blanks, " ") == blanks && w > 60 {
				t.Errorf("%d wide: the row ends with %q", w, style)
			}
		}
	}
}

// TestHeatLegend: the legend tells what is on the map, all of it, and nothing else.
func TestHeatLegend(t *testing.T) {
	cells := func(texts ...string) [][]HeatCell {
		var row []HeatCell
		for _, s := range texts {
			c := HeatCell{State: HeatNever}
			if n, err := strconv.ParseFloat(s, 64); err == nil {
				c = HeatCell{HeatValue, n, s}
			}
			row = append(row, c)
		}
		return [][]HeatCell{row}
	}
	for _, c := range []struct {
		name            string
		cells           [][]HeatCell
		cursor, current At
		w               int
		want            string
	}{
		{"all", cells("0", "1", "2", "x"), At{0, 0}, At{1, 0}, 80, "0 aacceeX 2 passes   × ends in ContextExceeded   ◆ current"},
		{"two steps", cells("0", "2", "2"), At{0, 0}, At{1, 0}, 80, "0 aaee 2 passes   ◆ current"},
		{"one value", cells("2", "2", "2"), At{0, 0}, At{0, 0}, 80, "2 aa passes"},
		{"the cursor on the current", cells("0", "2", "x"), At{1, 0}, At{1, 0}, 80, "0 aaee 2 passes   × ends in ContextExceeded"},
		{"narrow", cells("0", "2", "x"), At{0, 0}, At{1, 0}, 52, "0 aaee 2 passes   × fails   ◆ current"},
		{"narrower", cells("0", "2", "x"), At{0, 0}, At{1, 0}, 40, "0 aaee 2 passes   × fails   ◆ current"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := NewLook(Dark, Plain, UTF8)
			l.Glyphs.Heat = []string{"a", "b", "c", "d", "e"}
			m := HeatMap{YName: "preserve_recent", X: []string{"50%", "55%", "60%", "65%"}, Y: []string{"4"}, Cells: c.cells, Unit: "passes", Never: "ends in ContextExceeded", Cursor: c.cursor, Current: c.current}
			lines := m.Draw(l, c.w, 4)
			if got, want := strings.TrimSpace(lines[2]), strings.ReplaceAll(c.want, "X", ""); got != want {
				t.Errorf("the legend is %q, want %q", got, want)
			}
		})
	}
}
