package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"cinch/compactor"
	"cinch/compactor/ladder"
	"cinch/compactor/policy"
	"cinch/compactor/summarize"
	"cinch/fixtures"
	"cinch/model"
	"cinch/model/catalog"
	"cinch/model/token"
	"cinch/model/transcript"
	"cinch/ui"
)

// knobs are the settings that every command takes, as they were given.
type knobs struct {
	engine     string
	window     string // a size, or "model"
	view       string // "" for the command's own
	threshold  int64
	auto       bool
	targetBase string
	targetPct  int64
	recent     int64
	minimum    int64
	reserve    int64
	counter    string
	overhead   token.OverheadRule
	format     string
	session    string
	branch     string
	maxSize    int64        // bytes, 0 for the limits that there are
	maxDepth   int64        // levels of nesting, 0 likewise
	policy     string       // a file, "" for none
	summarizer string       // "" for none
	request    *ladder.Call // a pass asked for by hand
	requests   requests     // likewise over a run

	ladder     *ladder.Policy         // of the policy file, or of the lesson
	ladderFrom string                 // which of them
	ladderFile string                 // its path, "" for a lesson's
	ownCounter bool                   // neither a flag nor the policy names a counter
	windowFrom string                 // where a window that was named was named
	changed    func(flag string) bool // whether a flag was given
}

// newKnobs is every knob at its default.
func newKnobs() *knobs {
	p := compactor.DefaultPolicy()
	return &knobs{
		engine: engines[0].name, window: fromModel, threshold: int64(p.Threshold), auto: p.AutoCompact,
		targetBase: string(p.TargetBase), targetPct: int64(p.TargetPercent),
		recent: int64(p.PreserveRecent), minimum: int64(p.MinMessages), reserve: p.Reserve,
		counter: token.Heuristic.Name(), format: "auto", windowFrom: fromFlag,
		changed: func(string) bool { return false },
	}
}

// Where a window comes from.
const (
	fromModel   = "model"
	fromFlag    = "flag"
	fromPolicy  = "policy"
	fromDefault = "default"
)

// addKnobs gives a command every knob. view is the view it looks at by default.
func addKnobs(fs *pflag.FlagSet, k *knobs, view model.View) {
	k.view = view.String()
	k.changed = fs.Changed
	group(fs, "Knobs", func() {
		fs.Var(&word{&k.engine, "name", engineNames}, "engine", "what shrinks the conversation: "+strings.Join(engineNames(), ", ")+" (with a --policy)")
		fs.StringVar(&k.policy, "policy", k.policy, "TOML or JSON `file` with settings, which flags win over; a drover compaction object will do")
		fs.Var(&windowSize{&k.window}, "window", "context window in tokens: 200k, 1m, 131072, or model for that of the file's model")
		fs.Var(&word{&k.view, "view", viewNames}, "view", "which messages: context has what would be sent next, history all that was recorded, log also what recorded compactions put in")
		fs.Var(&number{n: &k.threshold, min: 1, max: 100, want: "a percent of the window from 1 to 100"}, "threshold", "share of the window past which a pass is due")
		fs.BoolVar(&k.auto, "auto-compact", k.auto, "whether the threshold counts; the emergency line at 95% always does")
		fs.Var(&word{&k.targetBase, "base", targetBases}, "target-base", "what --target-pct is a share of: threshold, window")
		fs.Var(&number{n: &k.targetPct, min: 1, max: 100, want: "a percent from 1 to 100"}, "target-pct", "how small a pass is asked to get, as a share of --target-base")
		fs.Var(&number{n: &k.recent, min: compactor.MinPreserveRecent, max: mostMessages, want: "a number of messages from 1"}, "preserve-recent", "messages kept at the end")
		fs.Var(&number{n: &k.minimum, min: compactor.MinMinMessages, max: mostMessages, want: "a number of messages from 2"}, "min-messages", "conversations up to this long are left alone")
		fs.Var(&number{n: &k.reserve, size: true, want: "a size in tokens from 0, such as 500 or 8k"}, "reserve", "tokens that ride every request beside system prompt and tools")
		fs.Var(&counterName{&k.counter}, "counter", "how tokens are estimated, as 'cinch counters' lists it: heuristic, o200k, ratio:anthropic, ratio:3.9+4, …")
		fs.Var(&overheadRule{&k.overhead}, "overhead", "tokens of system prompt and tools: auto counts the file's, or infers them from the first recorded call")
		fs.StringVar(&k.summarizer, "summarizer", k.summarizer, "who writes the ladder's summaries, nobody where none is named; `spec` is one of "+strings.Join(summarize.Specs, ", "))
	})
	addReading(fs, k)
}

// addReading gives a command the flags that say how a file is read.
func addReading(fs *pflag.FlagSet, k *knobs) {
	group(fs, "The file", func() {
		fs.Var(&word{&k.format, "name", formatNames}, "format", "the file's format, as 'cinch formats' lists them")
		fs.StringVar(&k.session, "session", k.session, "which conversation of the file, by number or `id` (default the last)")
		fs.StringVar(&k.branch, "branch", k.branch, "which branch of the conversation, by `id` (default the active one)")
		fs.Var(&byteSize{&k.maxSize}, "max-size", "the largest file, pipe and record to read, after decompression (default 1 GiB, through a pipe 512 MiB)")
		fs.Var(&number{n: &k.maxDepth, min: 1, max: mostDepth, want: "a number of levels from 1 to 100000"}, "max-depth", "the deepest nesting in a record to read (default 1000)")
	})
}

// mostDepth keeps decoders that go down level by level within their stack.
const mostDepth = 100_000

// limits are those of reading, raised or lowered as the flags say. A size that
// was given is meant, so that it counts for compressed files whatever their ratio.
func (k *knobs) limits() transcript.Limits {
	l := transcript.Limits{File: k.maxSize, Pipe: k.maxSize, Record: k.maxSize, Depth: int(k.maxDepth)}
	if k.maxSize > 0 {
		l.Ratio = math.MaxInt64
	}
	return l
}

// mostMessages keeps a number of messages within what a list can hold.
const mostMessages = 1 << 31

func viewNames() []string {
	return []string{model.Context.String(), model.History.String(), model.Log.String()}
}

func targetBases() []string {
	return []string{string(compactor.OfThreshold), string(compactor.OfWindow)}
}

func formatNames() []string {
	names := []string{"auto"}
	for _, f := range transcript.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// setting is a flag's value that did not come from the command line.
type setting struct{ flag, value string }

// with is the knobs with settings where no flag says otherwise.
func (k *knobs) with(settings []setting) (*knobs, error) {
	merged := *k
	view, _ := model.ParseView(k.view)
	target := pflag.NewFlagSet("merged", pflag.ContinueOnError)
	addKnobs(target, &merged, view)
	merged.changed = k.changed
	for _, s := range settings {
		if k.changed(s.flag) {
			continue
		}
		if err := target.Set(s.flag, s.value); err != nil {
			return nil, err
		}
	}
	return &merged, nil
}

// withLesson is the knobs with those that a lesson is meant to be seen with.
func (k *knobs) withLesson(l fixtures.Lesson) (*knobs, error) {
	own := newKnobs()
	given := pflag.NewFlagSet("lesson", pflag.ContinueOnError)
	addKnobs(given, own, model.Context)
	if err := given.Parse(l.Flags); err != nil {
		return nil, fmt.Errorf("the lesson's knobs: %w", err)
	}
	var settings []setting
	given.Visit(func(f *pflag.Flag) { settings = append(settings, setting{f.Name, f.Value.String()}) })
	merged, err := k.with(settings)
	if err != nil || l.Policy == "" {
		return merged, err
	}
	p, err := policy.Parse(l.Name, []byte(l.Policy))
	if err != nil {
		return nil, err
	}
	merged.ladder, merged.ladderFrom = &p.Ladder, "lesson "+l.Name
	return merged, nil
}

// withPolicy is the knobs with those of the policy file, where there is one.
func (k *knobs) withPolicy() (*knobs, error) {
	if k.policy == "" {
		return k, nil
	}
	p, err := policy.Load(k.policy)
	var missing *os.PathError
	if errors.As(err, &missing) {
		return nil, fmt.Errorf("%s: %w", k.policy, missing.Err)
	}
	if err != nil {
		return nil, err
	}
	if k.changed("engine") && k.engine != p.Engine {
		return nil, fmt.Errorf("--engine %s, but %s is a policy for the engine %s: leave out the one or the other", k.engine, k.policy, p.Engine)
	}
	t := p.Truncating
	settings := []setting{{"engine", p.Engine}}
	for _, f := range []struct{ field, flag, value string }{
		{"counter", "counter", p.Counter},
		{"threshold", "threshold", strconv.Itoa(t.Threshold)},
		{"auto_compact", "auto-compact", strconv.FormatBool(t.AutoCompact)},
		{"target_base", "target-base", string(t.TargetBase)},
		{"target_pct", "target-pct", strconv.Itoa(t.TargetPercent)},
		{"preserve_recent", "preserve-recent", strconv.Itoa(t.PreserveRecent)},
		{"min_messages", "min-messages", strconv.Itoa(t.MinMessages)},
		{"reserve", "reserve", strconv.FormatInt(t.Reserve, 10)},
	} {
		if p.Given(f.field) {
			settings = append(settings, setting{f.flag, f.value})
		}
	}
	named := p.Window > 0 && !k.changed("window")
	if named {
		settings = append(settings, setting{"window", strconv.FormatInt(p.Window, 10)})
	}
	merged, err := k.with(settings)
	if err != nil {
		return nil, err
	}
	if named {
		merged.windowFrom = fromPolicy
	}
	merged.ownCounter = !k.changed("counter") && p.Counter == ""
	if p.Engine == policy.Ladder {
		merged.ladder, merged.ladderFrom, merged.ladderFile = &p.Ladder, filepath.Base(k.policy), k.policy
	}
	return merged, nil
}

// settings are knobs applied to a conversation: what the engines are asked with.
type settings struct {
	engine string
	ui.Settings
	ladder     *ladder.Policy // with the engine ladder
	summarizer ladder.Summarizer
	request    *ladder.Call
	requests   requests
}

// resolve applies the knobs to a conversation.
func (k *knobs) resolve(c *model.Conversation) (*settings, error) {
	counter, err := token.ParseFor(k.counter, c)
	if err != nil {
		return nil, fmt.Errorf("--counter %s: %w", k.counter, err)
	}
	view, err := model.ParseView(k.view)
	if err != nil {
		return nil, err
	}
	s := &settings{engine: k.engine, Settings: ui.Settings{Counter: counter, Overhead: k.overhead, View: view}}
	switch {
	case s.engine == policy.Ladder:
		if err := k.climb(s); err != nil {
			return nil, err
		}
	case k.request != nil || len(k.requests) > 0:
		return nil, errors.New("--manual asks the ladder for a pass: give --policy with a ladder policy")
	}
	s.Policy = compactor.Policy{
		Threshold: int(k.threshold), AutoCompact: k.auto,
		TargetBase: compactor.Base(k.targetBase), TargetPercent: int(k.targetPct),
		PreserveRecent: int(k.recent), MinMessages: int(k.minimum), Reserve: k.reserve,
	}
	s.Policy.Window, s.WindowFrom = k.windowOf(c)
	return s, nil
}

// climb adds what the ladder needs beside the other settings.
func (k *knobs) climb(s *settings) error {
	if k.ladder == nil {
		return errors.New("--engine ladder has no defaults: give --policy with a file that names strategy and preserve, such as {\"strategy\": [\"drop-tool-results\"], \"preserve\": {\"firstUserTurn\": true, \"recentTurns\": 4}, \"trigger\": {\"kind\": \"context_fraction\", \"value\": 0.85}}")
	}
	s.ladder, s.request, s.requests = k.ladder, k.request, k.requests
	if k.drover() {
		s.Counter = token.Drover
	}
	sum, err := k.writer()
	if sum != nil {
		s.summarizer = sum
	}
	return err
}

// drover reports whether the ladder counts in its own way, since nobody says otherwise.
func (k *knobs) drover() bool { return !k.changed("counter") && (k.policy == "" || k.ownCounter) }

// writer is who writes the ladder's summaries, nil for nobody.
func (k *knobs) writer() (summarize.Summarizer, error) {
	if k.summarizer == "" {
		return nil, nil
	}
	sum, err := summarize.Parse(k.summarizer)
	if err != nil {
		return nil, fmt.Errorf("--summarizer: %w", err)
	}
	return sum, nil
}

// looking are the settings for the inspector, which looks with both engines. A
// ladder without a policy begins there with one of drover's recipes.
func (k *knobs) looking(c *model.Conversation) (ui.Settings, error) {
	both := *k
	both.engine = policy.Truncating
	s, err := both.resolve(c)
	if err != nil {
		return ui.Settings{}, err
	}
	out := s.Settings
	out.Engine, out.Ladder, out.LadderFrom, out.LadderFile = k.engine, k.ladder, k.ladderFrom, k.ladderFile
	if !k.drover() {
		out.LadderCounter = s.Counter
	}
	out.Summarizer, err = k.writer()
	return out, err
}

// windowOf is the context window in tokens, and where it comes from.
func (k *knobs) windowOf(c *model.Conversation) (int64, string) {
	if k.window != fromModel {
		n, _ := ui.ParseSize(k.window) // checked when it was set
		return n, k.windowFrom
	}
	if c.Window > 0 {
		return c.Window, fromModel
	}
	if m, ok := catalog.Lookup(c.Model); ok && m.Window > 0 {
		return m.Window, fromModel
	}
	return compactor.DefaultWindow, fromDefault
}

// prepare weighs the conversation's view for the engines, on all cores, each
// message by kind.
func (s *settings) prepare(ctx context.Context, c *model.Conversation) (*compactor.Recording, []token.Weights, error) {
	messages := c.View(s.View)
	each, err := token.DivideAll(ctx, s.Counter, messages, nil)
	if err != nil {
		return nil, nil, err
	}
	weights := make([]int64, len(each))
	known := make(map[*model.Message]int64, len(messages))
	for i, m := range messages {
		weights[i] = each[i].Sum()
		known[m] = weights[i]
	}
	r := compactor.Prepare(messages, s.Counter, weights)
	r.Overhead, r.Inferred = s.Overhead.Of(s.Counter, c, func(m *model.Message) int64 {
		if w, ok := known[m]; ok {
			return w
		}
		return token.Weigh(s.Counter, m)
	})
	return r, each, nil
}

func percent(n int) string { return strconv.Itoa(n) + "%" }
