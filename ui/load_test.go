package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/model"
	"cinch/model/token"
	"cinch/model/transcript"
)

// TestLoading: while a file is read the screen says how far it is and keys
// answer; giving up cancels the reading, and what it still finds is thrown away.
func TestLoading(t *testing.T) {
	var stopped context.Context
	var told func(done, total int64)
	finished := openedFor(&transcript.File{Path: "big.jsonl", Selected: &model.Conversation{Messages: long(9)}})
	o := Options{Path: "dir/big.jsonl", Open: func(ctx context.Context, _ string, progress func(done, total int64)) (*Opened, error) {
		stopped, told = ctx, progress
		return finished, nil
	}}
	r := newRoot(t.Context(), o, colours(), &frames{to: &strings.Builder{}, bare: true})
	d := &driver{t: t, root: r}
	d.later = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	d.send(tea.WindowSizeMsg{Width: 100, Height: 24})
	read := d.Init()
	if batch, ok := read().(tea.BatchMsg); ok { // the clock and the reading; only one is real here
		read = batch[len(batch)-1]
	}
	late := read()
	told(3<<20, 12<<20)
	d.send(progressMsg{d.load.id})
	d.has("reading big.jsonl")
	d.has("3.0 MB of 12.0 MB  25.0%")
	d.press("?")
	if d.mode != helping {
		t.Error("no help while loading")
	}
	d.press("esc", "esc")
	if stopped.Err() == nil || d.load != nil {
		t.Error("esc does not give up")
	}
	d.has("gave up reading big.jsonl")
	d.send(late)
	if d.s.loaded() || d.load != nil {
		t.Error("a file that was given up is opened all the same")
	}
	d.press("q")
	if !d.quit {
		t.Error("q does not quit")
	}
}

func TestFailedLoading(t *testing.T) {
	for name, c := range map[string]struct {
		file *Opened
		err  error
		want string
	}{
		"refused":       {nil, &transcript.Error{Path: "x.json", Line: 7, Col: 3, Text: "not JSON\x1b[2J"}, "x.json:7:3: not JSON"},
		"nothing in it": {openedFor(&transcript.File{Path: "x.json"}), nil, "x.json: no conversation in it"},
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, Options{Path: "x.json", Open: func(context.Context, string, func(done, total int64)) (*Opened, error) {
				return c.file, c.err
			}}, 100, 24, colours())
			d.has(c.want)
			d.press("s", "y", "tab", "u", "%", "/")
			checkFrame(t, name, d.View(), 100, 24, false)
		})
	}
}

func TestCountingCanBeGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := weighConversation(ctx, &model.Conversation{Messages: long(200)}, model.Log, nil, token.OverheadRule{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("counting after the end: %v", err)
	}
}
