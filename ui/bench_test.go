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
