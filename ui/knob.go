package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor"
	"cinch/model"
	"cinch/model/token"
	"cinch/ui/draw"
)

// knob is one setting of the policy, or of how it is counted, as a slider or as
// a choice of words.
type knob struct {
	name  string
	about string

	min, max int64             // of the slider; typing may go beyond max up to most
	most     int64             // largest value that makes sense
	fine     func(int64) int64 // how far one key press goes from a value
	log      bool              // equal ways on the track multiply
	format   func(int64) string
	parse    func(string) (int64, error)
	get      func(*setup) int64
	set      func(*setup, int64)

	usual func(*session) int64       // the default, where it is not the policy's
	skips func(*session, int64) bool // choices that the file rules out; nil for none

	choices []string // for a choice: the values are indices into it

	hidden func(*setup) bool   // whether there is no use for it now; nil is never
	text   func(*setup) string // what it says, for one that opens a menu
	open   func() tea.Cmd      // the menu it opens; nil for none

	cells int // of its longest usual value
}

// coarse is how many fine steps a coarse one is.
const coarse = 10

func (k *knob) choice() bool { return k.choices != nil }

// shown is the knob's value as it is written on the screen.
func (k *knob) shown(s *setup) string {
	if k.text != nil {
		return k.text(s)
	}
	return k.say(k.get(s))
}

func by(n int64) func(int64) int64 { return func(int64) int64 { return n } }

// bySize moves a size by about one in a hundred, in round numbers.
func bySize(v int64) int64 {
	switch {
	case v < 20_000:
		return 100
	case v < 200_000:
		return 1_000
	case v < 2_000_000:
		return 10_000
	}
	return 100_000
}

const (
	listMost = 1 << 30   // messages
	sizeMost = 1 << 40   // tokens
	trackTop = 64        // messages at the right end of a slider
	windowLo = 1_000     // tokens
	windowHi = 2_000_000 // tokens
)

var (
	offOn    = []string{"off", "on"}
	bases    = []string{string(compactor.OfThreshold), string(compactor.OfWindow)}
	counters = append(slices.Clone(token.Names), calibrated)
	views    = []string{model.Context.String(), model.History.String(), model.Log.String()}
)

// knobs are all settings, in the order in which tab goes through them.
var knobs = []*knob{
	{
		name: "preserve_recent", about: "messages kept at the end",
		min: compactor.MinPreserveRecent, max: trackTop, most: listMost, fine: by(1),
		format: draw.Tokens, parse: parseCount,
		get: func(s *setup) int64 { return int64(s.policy.PreserveRecent) },
		set: func(s *setup, v int64) { s.policy.PreserveRecent = int(v) },
	},
	{
		name: "threshold", about: "percent of the window past which a pass is due",
		min: 1, max: 100, most: 100, fine: by(1), format: formatPercent, parse: parsePercent,
		get: func(s *setup) int64 { return int64(s.policy.Threshold) },
		set: func(s *setup, v int64) { s.policy.Threshold = int(v) },
	},
	{
		name: "min_messages", about: "conversations up to this long are left alone",
		min: compactor.MinMinMessages, max: trackTop, most: listMost, fine: by(1),
		format: draw.Tokens, parse: parseCount,
		get: func(s *setup) int64 { return int64(s.policy.MinMessages) },
		set: func(s *setup, v int64) { s.policy.MinMessages = int(v) },
	},
	{
		name: "window", about: "context window in tokens",
		min: windowLo, max: windowHi, most: sizeMost, fine: bySize, log: true,
		format: draw.Short, parse: parseSize,
		get: func(s *setup) int64 { return s.policy.Window },
		set: func(s *setup, v int64) { s.policy.Window, s.windowFrom = v, "here" },
	},
	{
		name: "target", about: "how small a pass is asked to get, in percent; positional truncation ignores it",
		min: 1, max: 100, most: 100, fine: by(1), format: formatPercent, parse: parsePercent,
		get: func(s *setup) int64 { return int64(s.policy.TargetPercent) },
		set: func(s *setup, v int64) { s.policy.TargetPercent = int(v) },
	},
	{
		name: "of", about: "what the target is a share of", choices: bases,
		get: func(s *setup) int64 { return int64(slices.Index(bases, string(s.policy.TargetBase))) },
		set: func(s *setup, v int64) { s.policy.TargetBase = compactor.Base(bases[v]) },
	},
	{
		name: "auto", about: "whether the threshold counts; the emergency line always does", choices: offOn,
		get: func(s *setup) int64 { return truth(s.policy.AutoCompact) },
		set: func(s *setup, v int64) { s.policy.AutoCompact = v == 1 },
	},
	{
		name: "reserve", about: "tokens that ride every request beside system prompt and tools",
		max: 100_000, most: sizeMost, fine: by(500), format: draw.Short, parse: parseSize,
		get: func(s *setup) int64 { return s.policy.Reserve },
		set: func(s *setup, v int64) { s.policy.Reserve = v },
	},
	{
		name: "overhead", about: "tokens of system prompt and tools; auto takes the file's, or infers them from the first recorded call",
		min: autoOverhead, max: 100_000, most: sizeMost, fine: byOverhead, format: formatOverhead, parse: parseOverhead,
		get: func(s *setup) int64 {
			if n, set := s.weighed.overhead.Fixed(); set {
				return n
			}
			return autoOverhead
		},
		set: func(s *setup, v int64) {
			rule := token.OverheadRule{}
			if v >= 0 {
				rule = token.FixedOverhead(v)
			}
			s.weighed = s.weighed.under(rule)
			s.now = s.now.over(s.weighed.rec)
		},
		usual: func(*session) int64 { return autoOverhead },
	},
	{
		name: "counter", about: "how tokens are estimated; calibrated sets o200k right by the usage the file records", choices: counters,
		get:   func(s *setup) int64 { return int64(slices.Index(counters, s.weighed.counter().Name())) },
		usual: func(*session) int64 { return 0 },
		skips: func(s *session, v int64) bool { return counters[v] == calibrated && len(token.Calls(s.conv)) == 0 },
	},
	{
		name: "view", about: "what of the recording is looked at", choices: views,
		get: func(s *setup) int64 { return int64(s.weighed.view) },
	},
}

func init() {
	for _, k := range knobs {
		k.cells = k.widest()
	}
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// standard is the value = goes back to: the engine's default; for the window,
// which has none, the one the session began with.
func (k *knob) standard(s *session) int64 {
	if k.usual != nil {
		return k.usual(s)
	}
	d := &s.usual
	*d = s.setup
	d.policy = compactor.DefaultPolicy()
	d.policy.Window = s.started.Window
	d.climb = s.startedClimb
	return k.get(d)
}

// say writes a value.
func (k *knob) say(v int64) string {
	switch {
	case !k.choice():
		return k.format(v)
	case v >= 0 && v < int64(len(k.choices)):
		return k.choices[v]
	}
	return "own"
}

// moved is the value some steps away. A choice goes around.
func (k *knob) moved(v, steps int64) int64 {
	if k.choice() {
		n := int64(len(k.choices))
		return ((v+steps)%n + n) % n
	}
	unit := k.fine(v)
	if steps < 0 {
		unit = k.fine(max(v-1, 0)) // the step below a change of unit is the smaller one
	}
	next := v + steps*unit
	if r := v % unit; k.log && r != 0 { // onto round numbers
		next -= r
		if steps < 0 {
			next += unit
		}
	}
	return min(max(next, k.min), max(k.max, v))
}

// turned is the value some steps away that the session can take.
func (k *knob) turned(s *session, steps int64) int64 {
	v := k.moved(k.get(&s.setup), steps)
	for k.skips != nil && k.skips(s, v) {
		v = k.moved(v, min(max(steps, -1), 1))
	}
	return v
}

// read is a typed value, or what would have been right.
func (k *knob) read(text string) (int64, error) {
	text = strings.TrimSpace(text)
	v, err := k.parse(text)
	if err != nil {
		return 0, err
	}
	if v < k.min || v > k.most {
		if k.most >= listMost {
			return 0, fmt.Errorf("from %s", k.format(k.min))
		}
		return 0, fmt.Errorf("from %s to %s", k.format(k.min), k.format(k.most))
	}
	return v, nil
}

// sizeCells is the cells of a size as draw.Short writes it.
const sizeCells = 6

// widest is the cells of a knob's longest usual value, so that what stands behind
// it stays in place while the value changes.
func (k *knob) widest() int {
	n := 0
	for _, c := range k.choices {
		n = max(n, draw.Width(c))
	}
	switch {
	case k.choice():
		return n
	case k.most == sizeMost:
		return sizeCells
	}
	return max(draw.Width(k.format(k.min)), draw.Width(k.format(k.max)))
}

// slider is the knob as it is drawn.
func (k *knob) slider(s *session) *draw.Slider {
	v := k.get(&s.setup)
	return &draw.Slider{
		Name: k.name, Min: min(k.min, v), Max: max(k.max, v), Value: v,
		Default: k.standard(s), Log: k.log, Format: k.format,
		Values: max(k.cells, draw.Width(k.format(v))),
	}
}

// calibrated is the counter that a session's own usage sets right.
const calibrated = "calibrated"

// autoOverhead is the knob's place left of 0.
const autoOverhead = -1

func byOverhead(v int64) int64 {
	if v < 0 {
		return 1
	}
	return 500
}

func formatOverhead(v int64) string {
	if v < 0 {
		return "auto"
	}
	return draw.Short(v)
}

func parseOverhead(s string) (int64, error) {
	if strings.EqualFold(s, "auto") {
		return autoOverhead, nil
	}
	return parseSize(s)
}

func formatPercent(v int64) string { return strconv.FormatInt(v, 10) + "%" }

func parsePercent(s string) (int64, error) {
	v, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(s, "%")), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("a whole percent, such as 80")
	}
	return v, nil
}

func parseCount(s string) (int64, error) {
	v, err := strconv.ParseInt(strings.ReplaceAll(s, ",", ""), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("a whole number of messages")
	}
	return v, nil
}

// parseSize reads a size in tokens, or says what would be right.
func parseSize(s string) (int64, error) {
	v, err := ParseSize(s)
	if err != nil || v > sizeMost {
		return 0, fmt.Errorf("a size in tokens, such as 200k, 1m or 131072")
	}
	return v, nil
}

// least and greatest are the ends of a slider, or the first and last choice.
func (k *knob) least() int64 { return k.min }

func (k *knob) greatest() int64 {
	if k.choice() {
		return int64(len(k.choices) - 1)
	}
	return k.max
}
