package ui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// player moves a timeline's cursor by itself.
type player struct {
	on   bool
	gear int
	id   int
}

// tickMsg is a player's next move.
type tickMsg struct {
	of *player
	id int
}

// speeds are calls a second, by gear.
var speeds = [...]int{1, 2, 4, 8, 16, 32, 64}

func (p *player) speed() int { return speeds[p.gear] }

func (p *player) shift(by int) { p.gear = min(max(p.gear+by, 0), len(speeds)-1) }

func (v *callsView) playPause() tea.Cmd {
	v.play.on = !v.play.on && v.of.calls() > 0
	if !v.play.on {
		return nil
	}
	if v.at == v.of.calls()-1 {
		v.of.seek(0)
	}
	v.play.id++
	return v.nextTick()
}

// playing says how fast the cursor moves by itself.
func (v *callsView) playing() status {
	text := fmt.Sprintf("playing: call %d of %d, %s a second", v.at+1, v.of.calls(), count(v.play.speed(), "call"))
	return status{draw.Text, text, v.named("play", "slower", "faster")}
}

func (v *callsView) nextTick() tea.Cmd {
	m := tickMsg{&v.play, v.play.id}
	return v.r.later(time.Second/time.Duration(v.play.speed()), func(time.Time) tea.Msg { return m })
}

func (v *callsView) tick(m tickMsg) tea.Cmd {
	if m.of != &v.play || !v.play.on || m.id != v.play.id {
		return nil
	}
	v.of.seek(v.at + 1)
	if v.at >= v.of.calls()-1 {
		v.play.on = false
		return nil
	}
	return v.nextTick()
}
