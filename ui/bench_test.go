package ui

import (
	"fmt"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// benchSizes are conversations to be fast with, in messages.
var benchSizes = []int{10_000, 100_000}

// BenchmarkKnob moves a knob and draws the frame: what a drag does at each step.
func BenchmarkKnob(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := talk(b, 120, 36, long(n)...)
			d.press("tab")
			keys := []tea.Msg{keyMsg("l"), keyMsg("h")}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d.Update(keys[i%2])
				d.View()
			}
		})
	}
}

// BenchmarkView draws a frame of a conversation that is being scrolled through.
func BenchmarkView(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := talk(b, 120, 36, long(n)...)
			d.press("right", ":")
			d.typed(fmt.Sprint(n / 2))
			d.press("enter")
			keys := []tea.Msg{keyMsg("j"), keyMsg("k")}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d.Update(keys[i%2])
				d.View()
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
	for key, most := range map[string]float64{"j": 250, "l": 500} {
		small, large := cost(1_000, key), cost(20_000, key)
		if large > most || large > small*1.2+20 {
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
