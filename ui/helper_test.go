package ui

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"cinch/compactor"
	"cinch/fixtures"
	"cinch/model"
	"cinch/model/token"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

// opener opens lessons, and conversations that a test made.
func opener(made map[string]*model.Conversation) func(context.Context, string, func(int64, int64)) (*Opened, error) {
	return func(ctx context.Context, path string, progress func(done, total int64)) (*Opened, error) {
		if c := made[path]; c != nil {
			return openedFor(&transcript.File{Path: path, Conversations: []*model.Conversation{c}, Selected: c}), nil
		}
		l, ok := fixtures.Lookup(path)
		if !ok {
			return nil, fmt.Errorf("%s: no such file", path)
		}
		f, err := lessonFile(l)
		if err != nil {
			return nil, err
		}
		return openedFor(f), nil
	}
}

var lessonFiles = map[string]*transcript.File{}

// lessonFile reads a lesson once for all tests; a recording is never changed.
func lessonFile(l fixtures.Lesson) (*transcript.File, error) {
	if f := lessonFiles[l.Name]; f != nil {
		return f, nil
	}
	f, err := transcript.Read(context.Background(), fixtures.Prefix+l.Name, bytes.NewReader(l.Data()), transcript.Options{})
	lessonFiles[l.Name] = f
	return f, err
}

func openedFor(f *transcript.File) *Opened {
	return &Opened{File: f, Settings: func(c *model.Conversation) (Settings, error) {
		p := compactor.DefaultPolicy()
		from := "default"
		if c.Window > 0 {
			p.Window, from = c.Window, "model"
		}
		return Settings{Policy: p, WindowFrom: from, Counter: token.Heuristic, View: model.Context}, nil
	}}
}

// driver presses keys on a root without a program around it.
type driver struct {
	*root
	t    testing.TB
	out  *bytes.Buffer
	quit bool
	said []tea.Msg // what commands said that nobody here handles
}

func drive(t testing.TB, o Options, w, h int, look *draw.Look) *driver {
	t.Helper()
	return driveWith(t, o, w, h, look, func(*root) {})
}

// driveWith is drive with something to be set before anything happens.
func driveWith(t testing.TB, o Options, w, h int, look *draw.Look, set func(*root)) *driver {
	t.Helper()
	out := &bytes.Buffer{}
	d := &driver{t: t, out: out, root: newRoot(context.Background(), o, look, &frames{to: out, bare: true})}
	t.Cleanup(d.cancel)
	set(d.root)
	d.later = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	d.run(d.Init())
	return d
}

func colours() *draw.Look { return draw.NewLook(draw.Dark, draw.ANSI256, draw.UTF8) }

// demo opens the bundled demo.
func demo(t testing.TB, w, h int) *driver {
	t.Helper()
	return lesson(t, "demo", w, h)
}

// lesson opens a bundled conversation.
func lesson(t testing.TB, name string, w, h int) *driver {
	t.Helper()
	d := drive(t, Options{Path: fixtures.Prefix + name, Open: opener(nil), Profile: draw.ANSI256}, w, h, colours())
	if !d.s.loaded() {
		t.Fatalf("%s did not open: %v", name, d.failure)
	}
	return d
}

// talk opens a conversation made by a test.
func talk(t testing.TB, w, h int, messages ...*model.Message) *driver {
	t.Helper()
	c := &model.Conversation{Format: "native", Path: "talk.json", Messages: messages}
	d := drive(t, Options{Path: "talk", Open: opener(map[string]*model.Conversation{"talk": c}), Profile: draw.ANSI256}, w, h, colours())
	if !d.s.loaded() {
		t.Fatalf("the conversation did not open: %v", d.failure)
	}
	return d
}

// send gives the root a message, and runs what it asks for at once.
func (d *driver) send(msg tea.Msg) {
	_, cmd := d.Update(msg)
	d.run(cmd)
}

func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg:
		d.quit = true
	case openedMsg, weighedMsg, foundMsg, foundSessionsMsg, readMsg, countedMsg, grownMsg, caughtMsg, writtenMsg:
		d.send(msg)
	default:
		d.said = append(d.said, msg)
	}
}

// press presses keys one after the other, as Bubble Tea names them.
func (d *driver) press(keys ...string) {
	for _, k := range keys {
		d.send(keyMsg(k))
	}
}

// typed types text, one key at a time.
func (d *driver) typed(text string) {
	for _, r := range text {
		d.press(string(r))
	}
}

var keyTypes = map[string]tea.KeyType{
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
	"shift+up": tea.KeyShiftUp, "shift+down": tea.KeyShiftDown,
	"shift+left": tea.KeyShiftLeft, "shift+right": tea.KeyShiftRight, "f1": tea.KeyF1, "f2": tea.KeyF2,
	"backspace": tea.KeyBackspace, "ctrl+c": tea.KeyCtrlC, "ctrl+d": tea.KeyCtrlD, "ctrl+u": tea.KeyCtrlU,
	"ctrl+r": tea.KeyCtrlR, "ctrl+l": tea.KeyCtrlL, "ctrl+z": tea.KeyCtrlZ, "ctrl+n": tea.KeyCtrlN, "ctrl+p": tea.KeyCtrlP,
}

func keyMsg(k string) tea.KeyMsg {
	if t, ok := keyTypes[k]; ok {
		return tea.KeyMsg{Type: t}
	}
	if k == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
}

// pass is the Pass screen.
func (d *driver) pass() *passScreen { return d.screens[0].(*passScreen) }

// plain is the screen without colours.
func (d *driver) plain() string { return ansi.Strip(d.View()) }

// has fails unless the screen shows a text.
func (d *driver) has(text string) {
	d.t.Helper()
	if !strings.Contains(d.plain(), text) {
		d.t.Errorf("the screen does not show %q:\n%s", text, d.plain())
	}
}

// matches fails unless a line of the screen matches an expression.
func (d *driver) matches(expression string) {
	d.t.Helper()
	if !regexp.MustCompile(expression).MatchString(d.plain()) {
		d.t.Errorf("no line of the screen matches %q:\n%s", expression, d.plain())
	}
}

// find is the cell at which the screen shows a text.
func (d *driver) find(text string) (x, y int) {
	d.t.Helper()
	for y, line := range strings.Split(d.plain(), "\n") {
		if i := strings.Index(line, text); i >= 0 {
			return ansi.StringWidth(line[:i]), y
		}
	}
	d.t.Fatalf("the screen does not show %q:\n%s", text, d.plain())
	return 0, 0
}

func (d *driver) mouse(x, y int, action tea.MouseAction) {
	button := tea.MouseButtonLeft
	if action == tea.MouseActionRelease {
		button = tea.MouseButtonNone // what old terminals say
	}
	d.send(tea.MouseMsg{X: x, Y: y, Action: action, Button: button})
}

// click presses and releases the left button.
func (d *driver) click(x, y int) {
	d.mouse(x, y, tea.MouseActionPress)
	d.mouse(x, y, tea.MouseActionRelease)
}

// says makes a message of text.
func says(role model.Role, text string) *model.Message {
	return &model.Message{Role: role, Parts: []model.Part{{Kind: model.Text, Text: text}}}
}

func calls(ids ...string) *model.Message {
	m := &model.Message{Role: model.Assistant}
	for _, id := range ids {
		m.Parts = append(m.Parts, model.Part{Kind: model.ToolCall, ID: id, Name: "look", Text: `{"at":"` + id + `"}`})
	}
	return m
}

func results(ids ...string) *model.Message {
	m := &model.Message{Role: model.User}
	for _, id := range ids {
		m.Parts = append(m.Parts, model.Part{Kind: model.ToolResult, ID: id, Text: "seen " + id})
	}
	return m
}

// long is a conversation of n messages with a call and its result every four.
func long(n int) []*model.Message {
	out := make([]*model.Message, 0, n)
	for i := 0; len(out) < n; i++ {
		id := fmt.Sprint("c", i)
		out = append(out,
			says(model.User, fmt.Sprintf("Please do number %d, and mind the edge of it.", i)),
			calls(id), results(id),
			says(model.Assistant, fmt.Sprintf("Number %d is done: %s", i, strings.Repeat("it went well. ", 12))))
	}
	return out[:n]
}
