// Package compactor holds loopctl's compaction engine: the policy's lines, the
// truncating pass written as a sequence of steps, the manager that judges a
// pass, the machine that decides when one is due, and the driver that replays a
// recorded conversation under a policy. It is pure: no I/O, no clock, no
// goroutine, no terminal.
package compactor

// Reason is why a pass was asked for.
type Reason string

const (
	None      Reason = "none"
	Threshold Reason = "threshold" // the estimate is past the threshold line
	Emergency Reason = "emergency" // the estimate has reached 95 percent of the window
	Manual    Reason = "manual"    // somebody asked
)

// Base is what the target size is a share of.
type Base string

const (
	OfThreshold Base = "threshold"
	OfWindow    Base = "window"
)

// EmergencyPercent of the window always compacts, whatever auto-compact says.
const EmergencyPercent = 95

// Limits and defaults of the knobs, from loopctl's configuration reference.
const (
	DefaultWindow     = 200_000
	MinPreserveRecent = 1
	MinMinMessages    = 2
)

// Policy is one setting of every knob. Sizes are tokens, shares are percent.
type Policy struct {
	Window         int64 // context window; 0 turns both lines off
	Threshold      int   // percent of the window past which the machine asks for a pass
	AutoCompact    bool  // whether the threshold line counts; the emergency line always does
	TargetBase     Base  // what TargetPercent is a share of
	TargetPercent  int   // how small a pass should get; the truncating compactor ignores it
	PreserveRecent int   // messages kept at the end
	MinMessages    int   // conversations up to this long are left alone
	Reserve        int64 // tokens that ride every request beside system prompt and tools
}

// DefaultPolicy is loopctl's.
func DefaultPolicy() Policy {
	return Policy{
		Window: DefaultWindow, Threshold: 80, AutoCompact: true,
		TargetBase: OfThreshold, TargetPercent: 70,
		PreserveRecent: 4, MinMessages: 6,
	}
}

// Clamped is the policy as the manager and the compactor take it: threshold and
// target percent within 1 to 100, preserve_recent from 1, min_messages from 2.
func (p Policy) Clamped() Policy {
	p.Threshold = min(max(p.Threshold, 1), 100)
	p.TargetPercent = min(max(p.TargetPercent, 1), 100)
	p.PreserveRecent = max(p.PreserveRecent, MinPreserveRecent)
	p.MinMessages = max(p.MinMessages, MinMinMessages)
	return p
}

// ThresholdLine is the size in tokens past which a pass is due.
func (p Policy) ThresholdLine() int64 { return share(p.Window, p.Threshold) }

// EmergencyLine is the size in tokens from which a pass is due in any case.
func (p Policy) EmergencyLine() int64 { return share(p.Window, EmergencyPercent) }

// Target is the size in tokens that a pass is asked to reach when reserved
// tokens ride along: a share of the threshold line or of the window.
func (p Policy) Target(reserved int64) int64 {
	p = p.Clamped()
	base := p.ThresholdLine()
	if p.TargetBase == OfWindow {
		base = p.Window
	}
	return max(0, share(base, p.TargetPercent)-reserved)
}

// share is floor(size × percent / 100), without overflow for any size.
func share(size int64, percent int) int64 {
	return size/100*int64(percent) + size%100*int64(percent)/100
}

// Decide is the machine's question before every model call, for an estimate
// that includes the overhead: at 95 percent of the window or more a pass is due
// whatever auto-compact says; past the threshold line (not at it) when it is on.
func (p Policy) Decide(tokens int64) Reason {
	switch {
	case p.Window <= 0:
		return None
	case tokens >= p.EmergencyLine():
		return Emergency
	case p.AutoCompact && p.Threshold > 0 && tokens > p.ThresholdLine():
		return Threshold
	}
	return None
}

// ShouldCompact is the manager's own question to itself, for hosts that ask it
// instead of running the machine. It differs from Decide in two spots: exactly
// at the threshold line it says yes, and with auto-compact off it always says no.
func (p Policy) ShouldCompact(tokens int64) Reason {
	p = p.Clamped()
	switch {
	case !p.AutoCompact || p.Window <= 0:
		return None
	case tokens >= p.EmergencyLine():
		return Emergency
	case tokens >= p.ThresholdLine():
		return Threshold
	}
	return None
}

// Dominated reports whether the threshold can never be what fires, since the
// emergency line comes first: so it is for thresholds of 95 percent and more.
func (p Policy) Dominated() bool {
	return p.Window > 0 && p.ThresholdLine() >= p.EmergencyLine()
}
