package draw

import (
	"strings"
	"testing"
)

func BenchmarkGauge(b *testing.B) {
	l := NewLook(Dark, ANSI256, UTF8)
	g := &Gauge{Label: "now", Tokens: 171204, Window: 200000, Segments: []Segment{{KindUser, 1}, {KindAssistant, 4}, {KindResults, 9}},
		Limits: []Limit{{Name: "threshold", Tokens: 160000, Tone: Over}, {Name: "emergency", Tokens: 190000, Tone: Emergency}}}
	b.ReportAllocs()
	for b.Loop() {
		g.Draw(l, 120, 3)
	}
}

// BenchmarkList draws a screen of rows out of a conversation of 100,000 messages.
func BenchmarkList(b *testing.B) {
	l := NewLook(Dark, ANSI256, UTF8)
	var pairs []Span
	for i := 0; i < 100000; i += 2 {
		pairs = append(pairs, Span{i, i + 1})
	}
	list := List{Gutter: NewGutter(pairs, nil, nil), Count: 100000, Largest: 99999}
	row := Row{Who: WhoResult, Tokens: 9120, Fate: Dropped, Text: strings.Repeat("a line of a tool's output, ", 200)}
	b.ReportAllocs()
	for b.Loop() {
		s := l.Sheet(120)
		for i := range 50 {
			row.Index = 50000 + i
			list.Row(s, &row)
		}
		s.Lines()
	}
}

func BenchmarkGutterOf100000(b *testing.B) {
	var pairs []Span
	for i := 0; i < 100000; i += 2 {
		pairs = append(pairs, Span{i, i + 1 + i%7})
	}
	b.ReportAllocs()
	for b.Loop() {
		NewGutter(pairs, nil, nil)
	}
}

func BenchmarkTimelineOf10000(b *testing.B) {
	l := NewLook(Dark, ANSI256, UTF8)
	t := showTimeline()
	for len(t.Calls) < 10000 {
		t.Calls = append(t.Calls, t.Calls...)
	}
	b.ReportAllocs()
	for b.Loop() {
		t.Draw(l, 160, 14)
	}
}

func BenchmarkHeatMap(b *testing.B) {
	l := NewLook(Dark, ANSI256, UTF8)
	m := showHeat()
	b.ReportAllocs()
	for b.Loop() {
		m.Draw(l, 100, 20)
	}
}

// BenchmarkFrame puts two columns of 40 lines together.
func BenchmarkFrame(b *testing.B) {
	l := NewLook(Dark, ANSI256, UTF8)
	left, right := Rect{0, 0, 160, 40}.Left(100)
	lines := showList(l, 100)
	b.ReportAllocs()
	for b.Loop() {
		f := NewFrame(l, 160, 40)
		f.Put(left, lines...)
		f.Put(right, lines...)
		_ = f.Lines()
	}
}

func BenchmarkClean(b *testing.B) {
	for name, s := range map[string]string{
		"ascii":  strings.Repeat("plain text of a tool's output\n", 1000),
		"colour": strings.Repeat("\x1b[31mred\x1b[0m text of a tool\n", 1000),
		"cjk":    strings.Repeat("失敗しました。もう一度試してください。\n", 500),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Clean(s)
			}
		})
	}
}

func BenchmarkLine(b *testing.B) {
	for name, s := range map[string]string{
		"short": "Read path=sched/loop.go", "long": strings.Repeat("plain text\n\tindented ", 1000), "cjk": strings.Repeat("失敗しました。", 100),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Line(s, 80)
			}
		})
	}
}

func BenchmarkWrap(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("plain text of a tool's output ", 1000), "cjk": strings.Repeat("失敗しました。", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Wrap(s, 80)
			}
		})
	}
}
