package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// benchSizes are conversations to be fast with, in messages.
var benchSizes = []int{10_000, 100_000}

// BenchmarkKnob moves a knob and draws the frame: what a drag does at each step.
// BenchmarkReplayKnob is the same on the Replay screen, where the run is replayed.
func BenchmarkKnob(b *testing.B) {
	benchFrames(b, []string{"tab"}, keyMsg("l"), keyMsg("h"))
}

// BenchmarkScroll draws a frame of a conversation that is being scrolled through.
func BenchmarkScroll(b *testing.B) {
	benchFrames(b, []string{"right", "G", "k", "k"}, keyMsg("k"), keyMsg("j"))
}

// BenchmarkWheel turns the wheel up and down over the list, as a touch pad does
// fifty times a second, and draws each frame.
func BenchmarkWheel(b *testing.B) {
	benchFrames(b, []string{"right", "G"}, wheelMsg{10, 12, -40}, wheelMsg{10, 12, 40})
}

// benchFrames sends a driver two messages in turn and draws after each, with
// conversations of each size. Of the larger ones it reports how many times longer a
// frame took than with the smallest, over the same number of frames right before.
func benchFrames(b *testing.B, before []string, there, back tea.Msg) {
	open := func(n int) *driver {
		d := talk(b, 120, 36, long(n)...)
		d.press(before...)
		d.View()
		return d
	}
	frame := func(d *driver, i int) {
		if i%2 == 0 {
			d.Update(there)
		} else {
			d.Update(back)
		}
		d.View()
	}
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d, small := open(n), open(benchSizes[0])
			const some = 20
			var ratios []float64
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				frame(d, i)
				if i%some > 0 || n == benchSizes[0] {
					continue
				}
				b.StopTimer()
				take := func(d *driver) time.Duration {
					start := time.Now()
					for k := range some {
						frame(d, k)
					}
					return time.Since(start)
				}
				ratios = append(ratios, float64(take(d))/float64(take(small)))
				b.StartTimer()
			}
			if n > benchSizes[0] {
				slices.Sort(ratios)
				b.ReportMetric(ratios[len(ratios)/2], fmt.Sprintf("x-vs-%d", benchSizes[0]))
			}
		})
	}
}

// BenchmarkResize lays the screen out for another size.
func BenchmarkResize(b *testing.B) {
	d := talk(b, 120, 36, long(10_000)...)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d.Update(tea.WindowSizeMsg{Width: 120 + i%2, Height: 40})
		d.View()
	}
}

// raced says that the race detector is on, which allocates too.
var raced bool

// TestFrameCost: a frame costs what is on the screen, however long the
// conversation, and nothing is drawn twice.
func TestFrameCost(t *testing.T) {
	cost := func(n int, key string) float64 {
		d := talk(t, 120, 36, long(n)...)
		d.press("right", "tab")
		back := map[string]string{"j": "k", "l": "h"}[key]
		i := 0
		return testing.AllocsPerRun(50, func() {
			if i++; i%2 == 0 {
				d.Update(keyMsg(back))
			} else {
				d.Update(keyMsg(key))
			}
			d.View()
		})
	}
	for key, most := range map[string]float64{"j": 250, "l": 200} {
		small, large := cost(1_000, key), cost(20_000, key)
		if large > most && !raced || large > small*1.2+20 {
			t.Errorf("%s: %.0f allocations with 20,000 messages, %.0f with 1,000", key, large, small)
		}
	}
	d := talk(t, 120, 36, long(1_000)...)
	d.View()
	n := d.draws
	for range 10 {
		d.View()
		d.send(keyMsg("X")) // bound to nothing
		d.View()
	}
	if d.draws != n {
		t.Errorf("%d frames were drawn although nothing had changed", d.draws-n)
	}
}
