package ui

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestFramesAreSynchronised(t *testing.T) {
	var out bytes.Buffer
	w := &frames{to: &out}
	frame := strings.Repeat("x", syncFrom)
	if n, err := w.Write([]byte(frame)); n != len(frame) || err != nil {
		t.Errorf("Write = %d, %v", n, err)
	}
	if out.String() != syncBegin+frame+syncEnd {
		t.Errorf("a frame is written as %q", out.String())
	}
	out.Reset()
	if n, _ := w.Write([]byte("\x1b[H")); n != 3 || out.String() != "\x1b[H" {
		t.Errorf("a short sequence is written as %q", out.String())
	}
}

type short struct{}

func (short) Write(p []byte) (int, error) { return len(p) / 2, errors.New("full") }

func TestShortWrite(t *testing.T) {
	w := &frames{to: short{}}
	p := make([]byte, 1000)
	if n, err := w.Write(p); err == nil || n > len(p) || n < 0 {
		t.Errorf("Write = %d, %v", n, err)
	}
}

// TestWritesAreWhole: what several goroutines write is never mixed.
func TestWritesAreWhole(t *testing.T) {
	var out bytes.Buffer
	w := &frames{to: &out}
	var all sync.WaitGroup
	for _, c := range "abcd" {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 50 {
				w.Write([]byte(strings.Repeat(string(c), syncFrom)))
			}
		}()
	}
	all.Wait()
	for _, part := range strings.Split(out.String(), syncBegin)[1:] {
		if body := strings.TrimSuffix(part, syncEnd); strings.Trim(body, body[:1]) != "" || len(body) != syncFrom {
			t.Fatalf("a frame is written as %q", body)
		}
	}
}

func TestClipboardSequence(t *testing.T) {
	text := strings.Repeat("tokens\n", 400)
	want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
	env := func(name string) func(string) string {
		return func(asked string) string {
			if asked == name {
				return "set"
			}
			return ""
		}
	}
	if got := clipboardSequence(text, env("")); got != want {
		t.Error("the plain sequence is wrong")
	}
	if got := clipboardSequence(text, env("TMUX")); got != want {
		t.Error("tmux takes the sequence as it is")
	}
	var joined string
	for _, chunk := range strings.Split(clipboardSequence(text, env("STY")), "\x1bP")[1:] {
		body, ok := strings.CutSuffix(chunk, "\x1b\\")
		if !ok || len(body) > screenChunk {
			t.Fatalf("a piece for screen is %d bytes", len(body))
		}
		joined += body
	}
	if joined != want {
		t.Error("the pieces for screen do not add up to the sequence")
	}
}

func TestBackgroundAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		answer    string
		light, ok bool
	}{
		"white":          {"\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62;22c", true, true},
		"black":          {"\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?6c", false, true},
		"short":          {"\x1b]11;rgb:ff/ff/ee\x07\x1b[?1;2c", true, true},
		"with alpha":     {"\x1b]11;rgba:1e1e/1e1e/1e1e/ffff\x07\x1b[?6c", false, true},
		"no answer":      {"\x1b[?62;c", false, false},
		"silence":        {"", false, false},
		"typed meantime": {"jj\x1b]11;rgb:ffff/ffff/ffff\x07q\x1b[?6c", true, true},
	} {
		light, ok := readBackground(strings.NewReader(c.answer))
		if light != c.light || ok != c.ok {
			t.Errorf("%s: light %v, ok %v", name, light, ok)
		}
	}
	for value, want := range map[string]bool{"15;0": false, "0;15": true, "0;default;15": true, "0;8": false, "": false, "x": false, "0;7": true, "7;1": false} {
		if got := lightByEnvironment(value); got != want {
			t.Errorf("COLORFGBG=%q: light %v", value, got)
		}
	}
}

// broken is a model that fails where it is told to.
type broken struct{ where string }

func (b broken) Init() tea.Cmd { return nil }
func (b broken) Update(tea.Msg) (tea.Model, tea.Cmd) {
	if b.where == "update" {
		panic("in Update")
	}
	fails := func() tea.Msg { panic("in a command") }
	switch b.where {
	case "command":
		return b, fails
	case "batch":
		return b, tea.Batch(fails, fails)
	}
	return b, nil
}
func (b broken) View() string {
	if b.where == "view" {
		panic("in View")
	}
	return "fine"
}

// TestPanicsAreKept: wherever a panic happens, the program ends in order and the
// panic is there with its stack.
func TestPanicsAreKept(t *testing.T) {
	for _, where := range []string{"update", "view", "command", "batch"} {
		t.Run(where, func(t *testing.T) {
			quit := make(chan bool, 1)
			g := &guard{Model: broken{where}, quit: func() { quit <- true }}
			_, cmd := g.Update(nil)
			if where == "view" {
				g.View()
				<-quit
			}
			for i := 0; g.caught == nil && i < 3; i++ {
				msg := cmd()
				if batch, ok := msg.(tea.BatchMsg); ok {
					msg = batch[0]()
				}
				_, cmd = g.Update(msg)
			}
			if g.caught == nil || !bytes.Contains(g.caught.Stack, []byte("broken")) && !bytes.Contains(g.caught.Stack, []byte("terminal_test")) {
				t.Fatalf("kept: %+v", g.caught)
			}
			if g.View() != "" {
				t.Error("a faulty program still draws")
			}
			if _, cmd := g.Update(nil); cmd == nil || cmd() != tea.Quit() {
				t.Error("a faulty program does not end")
			}
		})
	}
}

func TestNoTerminal(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if Drawable(null) || Drawable(nil) {
		t.Error("a file that is no terminal can be drawn on")
	}
	if err := Run(t.Context(), Options{In: null, Out: null}); !errors.Is(err, ErrNoTerminal) {
		t.Errorf("without a terminal: %v", err)
	}
}
