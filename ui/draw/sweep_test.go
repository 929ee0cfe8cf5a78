package draw

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var sgrOnly = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// checkLines holds lines against what every widget promises.
func checkLines(t *testing.T, what string, l *Look, lines []string, w, h int) {
	t.Helper()
	if len(lines) != max(h, 0) {
		t.Fatalf("%s: %d lines, want %d", what, len(lines), h)
	}
	for i, line := range lines {
		checkLine(t, fmt.Sprintf("%s line %d", what, i), l, line, w)
	}
}

func checkLine(t *testing.T, what string, l *Look, line string, w int) {
	t.Helper()
	if got := ansi.StringWidth(line); got != max(w, 0) {
		t.Fatalf("%s: %d cells, want %d: %q", what, got, w, line)
	}
	if strings.ContainsRune(line, 0x1b) {
		codes := sgrOnly.FindAllString(line, -1)
		if codes[len(codes)-1] != reset {
			t.Fatalf("%s: the last escape code is no reset: %q", what, line)
		}
		for i, c := range codes {
			if (c == reset) != (i%2 == 1) {
				t.Fatalf("%s: style and reset do not alternate: %q", what, line)
			}
		}
		if l.Profile == Plain {
			t.Fatalf("%s: an escape code in the plain profile: %q", what, line)
		}
	}
	for _, r := range sgrOnly.ReplaceAllString(line, "") {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			t.Fatalf("%s: control character %q: %q", what, r, line)
		}
		if l.Glyphs.Set == ASCII && r >= 0x80 {
			t.Fatalf("%s: %q in ASCII: %q", what, r, line)
		}
	}
}

// looks is one of every theme, profile and glyph set, not all combinations.
func looks() []*Look {
	return []*Look{
		NewLook(Dark, TrueColour, UTF8), NewLook(Light, ANSI256, Safe), NewLook(HighContrast, TrueColour, Braille),
		NewLook(Dark, ANSI16, ASCII), NewLook(Mono, TrueColour, UTF8), NewLook(Dark, Plain, ASCII), NewLook(Light, Attributes, UTF8),
	}
}

// TestEverySize draws every widget at every size down to nothing. Each look takes
// a third of the sizes; together they take every one at least twice.
func TestEverySize(t *testing.T) {
	for i, l := range looks() {
		for name, draw := range widgets() {
			check := func(w, h int) {
				what := fmt.Sprintf("%s %dx%d %v %v %v", name, w, h, l.Theme, l.Profile, l.Glyphs.Set)
				checkLines(t, what, l, draw(l, w, h), w, h)
			}
			for w := i % 3; w <= 140; w += 3 {
				check(w, 1+w%7)
			}
			for h := i % 3; h <= 50; h += 3 {
				check((h*31)%141, h)
				check(12, h)
			}
			check(300, 100-i)
			draw(l, -3, -3)
		}
	}
}

// widgets are all of them, filled with values chosen to be awkward.
func widgets() map[string]func(l *Look, w, h int) []string {
	hostile := "a\x1b]0;title\x07\x1b[2J\r\n\u202eevil\u200b 日本\u0301語 👨‍👩‍👧 \x9b1m"
	limits := []Limit{{"target", 1, Mark, false}, {"threshold", 99, Over, false}, {"emergency\x1b[31m", 100, Emergency, false}}
	segments := []Segment{{KindOverhead, 1}, {KindUser, 1 << 40}, {KindResults, 0}, {KindImages, -5}}
	gauge := func(g Gauge) func(*Look, int, int) []string {
		return func(l *Look, w, h int) []string {
			g := g
			AlignGauges(l, w, &g, &Gauge{Label: "after", Window: 5})
			return g.Draw(l, w, h)
		}
	}
	one := func(f func(l *Look, w int) string) func(*Look, int, int) []string {
		return func(l *Look, w, h int) []string {
			if h <= 0 {
				return nil
			}
			return fit(l, []string{f(l, w)}, w, h)
		}
	}
	written := func(f func(*Sheet)) func(*Look, int, int) []string {
		return func(l *Look, w, h int) []string {
			s := l.Sheet(w)
			f(s)
			return fit(l, s.Lines(), w, h)
		}
	}
	gutter := NewGutter([]Span{{0, 9}, {1, 8}, {2, 7}, {3, 6}, {4, 5}}, []int{5}, []int{6})
	calls := make([]Call, 500)
	for i := range calls {
		calls[i] = Call{Tokens: int64(i * 3 % 230)}
		if calls[i].Tokens > 190 {
			calls[i].Passes, calls[i].After, calls[i].Emergency, calls[i].Skipped = i%12, 20, i%2 == 0, i%3 == 0
		}
	}
	calls[499].Failed = true
	few := Timeline{Calls: calls[60:71], Top: 200, Limits: limits, Cursor: 3, Recorded: []RecordedPass{{Call: 2}, {Call: 900}, {Call: -1}}}
	many := Timeline{Calls: calls, Top: 200, Limits: limits, Cursor: 499}
	heat := HeatMap{XName: hostile, YName: "preserve", X: []string{"1", hostile, "0.75"}, Y: []string{"2", hostile}, Unit: hostile, Never: "cannot fit",
		Cells: [][]HeatCell{{{HeatValue, 1, "31k"}, {HeatValue, 9, hostile}}, {{State: HeatNever}}}, Cursor: At{1, 1}, Current: At{2, 0}}
	keys := []Binding{{"j/↓", "down", "move"}, {"ctrl+d", hostile, "move"}, {"q", "quit", hostile}}
	row := Row{Index: 5, Who: WhoSummary, Tokens: 1 << 50, Fate: Reattached, Note: hostile, Text: hostile, Ground: Cursor}
	return map[string]func(*Look, int, int) []string{
		"gauge":        gauge(Gauge{Label: "now", Tokens: 99, Window: 100, Segments: segments, Limits: limits, Ghost: 50, Reserve: 3, Estimate: true, Change: -12}),
		"gauge over":   gauge(Gauge{Label: hostile, Tokens: 1 << 60, Window: 100, Segments: segments, Limits: limits, Ghost: 1 << 61, Reserve: 1 << 40}),
		"gauge empty":  gauge(Gauge{Tokens: -4, Window: 1, Ghost: -1, Reserve: -1}),
		"gauge window": gauge(Gauge{Tokens: 12}),
		"slider": one(func(l *Look, w int) string {
			return (&Slider{Name: "name", Min: 1, Max: 9, Value: 40, Focused: true}).Draw(l, w)
		}),
		"slider log": one(func(l *Look, w int) string {
			return (&Slider{Name: hostile, Min: 1, Max: 1 << 50, Value: 9, Log: true, Disabled: hostile, Stale: true}).Draw(l, w)
		}),
		"slider point":  one(func(l *Look, w int) string { return (&Slider{Min: 5, Max: 5, Value: 5, Log: true}).Draw(l, w) }),
		"row":           written(func(s *Sheet) { (&List{Gutter: gutter, Count: 1 << 40, Largest: 1 << 50}).Row(s, &row) }),
		"timeline few":  few.Draw,
		"timeline many": many.Draw,
		"timeline none": (&Timeline{Cursor: 4, Recorded: []RecordedPass{{}}}).Draw,
		"heat map":      heat.Draw,
		"heat map none": (&HeatMap{Cursor: None, Current: None}).Draw,
		"footer": one(func(l *Look, w int) string {
			line, _ := Footer(l, w, keys[:2], keys[2:])
			return line
		}),
		"rule":      one(func(l *Look, w int) string { return Rule(l, w, []int{3, 9}, []int{9, 20, -1}) }),
		"help":      (&Help{Bindings: keys, Cursor: 2}).Draw,
		"help none": (&Help{Bindings: keys, Query: hostile}).Draw,
		"box": func(l *Look, w, h int) []string {
			return Box(l, w, h, hostile, []string{"too short", strings.Repeat("long", 90)})
		},
		"frame": func(l *Look, w, h int) []string {
			f := NewFrame(l, w, h)
			r := Rect{0, 0, w, h}
			top, rest := r.Top(3)
			left, right := rest.Left(w / 3)
			f.Put(top, many.Draw(l, top.W, top.H)...)
			f.Put(left, heat.Draw(l, left.W, left.H)...)
			f.Put(right, few.Draw(l, right.W, right.H)...)
			c := r.Centre(40, 10)
			f.Over(c, (&Help{Bindings: keys}).Draw(l, c.W, c.H)...)
			return f.Lines()
		},
		"row bare":   written(func(s *Sheet) { new(List).Row(s, &Row{Text: "x"}) }),
		"row header": written(func(s *Sheet) { (&List{Gutter: gutter, Count: 12}).Header(s) }),
		"row fold":   written(func(s *Sheet) { (&List{Gutter: gutter, Count: 12}).Fold(s, 2, 7, 1<<40, Dropped, Picked) }),
		"row cut":    written(func(s *Sheet) { new(List).Cut(s, 408, 407) }),
	}
}
