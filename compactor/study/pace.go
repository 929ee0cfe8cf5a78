package study

import (
	"cinch/compactor"
	"cinch/model"
)

// PaceTurns is over how many of the last turns the present pace of a session is taken.
const PaceTurns = 8

// PaceOf is the pace of the last turns of a conversation, at most as many as said.
func PaceOf(v *compactor.View, turns int) Pace {
	from, n := 0, 0
	for i := v.Len() - 1; i >= 0; i-- {
		if v.RoleAt(i) != model.Assistant {
			continue
		}
		if n == turns {
			from = i + 1
			break
		}
		n++
	}
	return Pace{v.TokensBetween(from, v.Len()), n}
}

// Turn is what a turn adds on average, in tokens.
func (p Pace) Turn() int64 {
	if p.Turns == 0 {
		return 0
	}
	return p.Tokens / int64(p.Turns)
}

// NextLine is the size past which the machine asks for a pass, in tokens: that
// of the threshold where it counts, else the last one below the emergency line.
func NextLine(p compactor.Policy) int64 {
	line := p.EmergencyLine() - 1
	if p.AutoCompact {
		line = min(line, p.ThresholdLine())
	}
	return line
}
