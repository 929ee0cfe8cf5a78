package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor"
	"cinch/compactor/ladder"
	"cinch/compactor/policy"
	"cinch/model"
	"cinch/model/token"
	"cinch/ui/draw"
)

// copyable is something that can be taken out of the inspector.
type copyable struct {
	key, name string
	text      func() string
	along     string // what has to be said of it, "" for nothing
}

// pointing is a screen with a message of its own under its cursor, nil for none.
type pointing interface{ message() *model.Message }

// copyables are what can be copied now.
func (r *root) copyables() []copyable {
	s := r.s
	m := r.pointed()
	all := []copyable{
		{"m", "message", func() string { return fullText(m) }, ""},
	}
	if m.ID != "" {
		all = append(all, copyable{"i", "message id", func() string { return m.ID }, ""})
	}
	if front, ok := r.screen().(*ladderScreen); ok {
		return append(all, front.copyables()...)
	}
	all = append(all,
		copyable{"f", s.commandName(r.screen().name()), func() string { return s.commandLine(r.screen().name()) }, ""},
		copyable{"j", "settings as JSON", func() string { return policyJSON(&s.setup) }, ""},
	)
	if r.opts.PlanJSON != nil {
		all = append(all, copyable{"p", "plan as JSON", func() string { return r.opts.PlanJSON(s.planOf()) }, ""})
	}
	return all
}

// passOf is a pass up the ladder over the recorded run, likewise.
func (s *session) passOf(e *ladder.Engine, o ladder.Outcome) PassOf {
	return PassOf{s.conv, Settings{Policy: s.policy, WindowFrom: s.windowFrom, Counter: s.climb.counter, Overhead: s.weighed.overhead, View: model.History}, e, o}
}

// copyables are what can be copied from the Ladder screen beside a message.
func (p *ladderScreen) copyables() []copyable {
	line, saved := p.s.ladderLine()
	along := ""
	if !saved {
		along = fmt.Sprintf("it reads %s: write the policy there with %s", unsaved, p.r.press("anywhere", "export"))
	}
	all := []copyable{{"f", "command line", func() string { return line }, along}, {"j", "policy as JSON", func() string {
		text, err := policy.Export(p.s.exported(policy.Ladder), "json")
		if err != nil {
			return err.Error()
		}
		return text
	}, p.s.climb.goesAlong()}}
	if p.run != nil && p.r.opts.PassJSON != nil {
		all = append(all, copyable{"p", "pass as JSON", func() string { return p.r.opts.PassJSON(p.s.passOf(p.engine, p.out)) }, ""})
	}
	return all
}

func (r *root) copyMenu() tea.Cmd { return r.takeOut("copy", r.copy) }
func (r *root) keepMenu() tea.Cmd { return r.takeOut("keep", r.keep) }

func (r *root) takeOut(title string, do func(name, text string) tea.Cmd) tea.Cmd {
	if !r.s.loaded() || r.s.now.view.Len() == 0 {
		return r.say(draw.Dim, "nothing to %s", title)
	}
	m := &menu{title: title}
	for _, c := range r.copyables() {
		m.items = append(m.items, item{c.key, c.name, func() tea.Cmd { return r.also(c.along, do(c.name, c.text())) }})
	}
	return r.choose(m)
}

// also adds to what has just been said.
func (r *root) also(text string, cmd tea.Cmd) tea.Cmd {
	if text != "" {
		r.notice = text + "; " + r.notice
	}
	return cmd
}

// copy sends text to the terminal's clipboard. Whether it arrives is the
// terminal's business, and cannot be asked; so it is said how it was sent, and
// what else can be done.
func (r *root) copy(name, text string) tea.Cmd {
	if len(text) > clipLimit {
		return r.say(draw.Warning, "%s: %s, more than terminals take; %s keeps it and prints it at the end", name, megabytes(int64(len(text))), r.press("anywhere", "keep"))
	}
	note := name + " sent to the terminal's clipboard (OSC 52)"
	if os.Getenv("TMUX") != "" {
		note += "; tmux needs `set -s set-clipboard on`, else " + r.press("anywhere", "keep") + " keeps it"
	}
	r.say(draw.Good, "%s", note)
	out, seq := r.out, clipboardSequence(text, os.Getenv)
	return func() tea.Msg {
		io.WriteString(out, seq)
		return nil
	}
}

// keep holds text back until the inspector has closed.
func (r *root) keep(name, text string) tea.Cmd {
	r.kept = append(r.kept, text)
	return r.say(draw.Good, "%s kept: it is printed when the inspector closes", name)
}

// asksOf is the command that asks what a screen asks.
func asksOf(screen string) string {
	if screen == "replay" || screen == "sweep" {
		return screen
	}
	return "plan"
}

// commandName names the command line, and says so where its answer is of the
// recording and not of what passes that were applied have left.
func (s *session) commandName(screen string) string {
	name := "command line"
	if n := len(s.applied); n > 0 && asksOf(screen) == "plan" {
		name += " (without the " + count(n, "pass") + " applied here)"
	}
	return name
}

// commandLine is the command that asks what a screen asks, of the conversation
// and with the settings that are looked at, for a shell.
func (s *session) commandLine(screen string) string {
	line, u := s.address(asksOf(screen)), s.setup
	if asksOf(screen) != "plan" { // these look at the history, and so do their screens
		w := *u.weighed
		w.view = model.Context
		u.weighed = &w
	}
	if f := flags(&u, s.started.Window); f != "" {
		line = append(line, f)
	}
	return strings.Join(line, " ")
}

// unsaved is the file that a command reads a policy from which is in none yet.
const unsaved = "policy.toml"

// ladderLine is the command that replays the run of the Ladder screen, and whether
// the policy that it names is in a file.
func (s *session) ladderLine() (line string, saved bool) {
	words, k, began := s.address("replay"), &s.climb, &s.startedClimb
	if s.policy.Window != s.started.Window || s.windowFrom == "flag" || s.windowFrom == "here" {
		words = append(words, "--window", fmt.Sprint(s.policy.Window))
	}
	same := k.policy.Hash() == began.policy.Hash()
	switch {
	case same && began.file != "":
		words, saved = append(words, "--policy", quoted(began.file)), true
	case same && began.lesson: // comes with it
		saved = true
	default:
		words = append(words, "--policy", unsaved)
	}
	if flag := k.beside(); flag != "" {
		words = append(words, flag)
	}
	if n, set := s.weighed.overhead.Fixed(); set {
		words = append(words, "--overhead", fmt.Sprint(n))
	}
	if name := k.counter.Name(); name != token.Drover.Name() {
		words = append(words, "--counter", quoted(name))
	}
	for _, turn := range slices.Sorted(maps.Keys(k.manual)) {
		word := fmt.Sprint(turn)
		if text := k.manual[turn].Instructions; text != "" {
			word += "=" + text
		}
		words = append(words, "--manual", quoted(word))
	}
	return strings.Join(words, " "), saved
}

// address is a command of the conversation that is looked at, word by word.
func (s *session) address(command string) []string {
	path, session := s.conv.Path, ""
	if o := s.opened; o != nil && o.File != nil { // a subagent may stand in a file of its own
		path = o.File.Path
		if several(o.File) || parentOf(o.File, s.conv) != nil {
			session = sessionName(o.File, s.conv)
		}
	}
	line := []string{"cinch", command, quoted(path)}
	if session != "" {
		line = append(line, "--session", quoted(session))
	}
	if b := branchOf(s.conv); b != nil {
		line = append(line, "--branch", quoted(b.ID))
	}
	return line
}

// quoted is a word as a shell takes it, whatever is in it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@%+=,", r)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" && !strings.HasPrefix(word, "-") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// flags are the settings as the command line takes them, those that are not the
// defaults.
func flags(s *setup, window int64) string {
	d := compactor.DefaultPolicy()
	p := s.policy
	var out []string
	add := func(differs bool, format string, args ...any) {
		if differs {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(p.Window != window || s.windowFrom == "flag" || s.windowFrom == "here", "--window %d", p.Window)
	add(p.Threshold != d.Threshold, "--threshold %d", p.Threshold)
	add(p.AutoCompact != d.AutoCompact, "--auto-compact=%v", p.AutoCompact)
	add(p.TargetBase != d.TargetBase, "--target-base %s", p.TargetBase)
	add(p.TargetPercent != d.TargetPercent, "--target-pct %d", p.TargetPercent)
	add(p.PreserveRecent != d.PreserveRecent, "--preserve-recent %d", p.PreserveRecent)
	add(p.MinMessages != d.MinMessages, "--min-messages %d", p.MinMessages)
	add(p.Reserve != d.Reserve, "--reserve %d", p.Reserve)
	if n, set := s.weighed.overhead.Fixed(); set {
		add(true, "--overhead %d", n)
	}
	add(s.weighed.counter().Name() != "heuristic", "--counter %s", s.weighed.counter().Name())
	add(s.weighed.view != 0, "--view %s", s.weighed.view)
	return strings.Join(out, " ")
}

// policyJSON are the settings as a policy file holds them.
func policyJSON(s *setup) string {
	p := s.policy
	b, err := json.Marshal(struct {
		Engine         string         `json:"engine"`
		Window         int64          `json:"window"`
		Threshold      int            `json:"threshold"`
		AutoCompact    bool           `json:"auto_compact"`
		TargetBase     compactor.Base `json:"target_base"`
		TargetPct      int            `json:"target_pct"`
		PreserveRecent int            `json:"preserve_recent"`
		MinMessages    int            `json:"min_messages"`
		Reserve        int64          `json:"reserve"`
		Counter        string         `json:"counter"`
	}{"truncating", p.Window, p.Threshold, p.AutoCompact, p.TargetBase, p.TargetPercent, p.PreserveRecent, p.MinMessages, p.Reserve, s.weighed.counter().Name()})
	if err != nil {
		panic(err) // numbers and words always marshal
	}
	return string(b)
}
