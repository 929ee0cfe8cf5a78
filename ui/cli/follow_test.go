package cli

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// lockedBuffer is written by a command and read by its test.
type lockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) text() string {
	b.Lock()
	defer b.Unlock()
	return b.String()
}

// TestFollowPrintsChanges: a line for each change of a growing, truncated file.
func TestFollowPrintsChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "live.jsonl")
	turn := `{"messages":[{"role":"user","content":"one"},{"role":"assistant","content":"two"}]}` + "\n"
	longer := `{"messages":[{"role":"user","content":"one"},{"role":"assistant","content":"two"},{"role":"user","content":"three"},{"role":"assistant","content":"four"}]}` + "\n"
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(turn)
	out, errs := &lockedBuffer{}, &lockedBuffer{}
	a := &app{in: os.Stdin, out: bufio.NewWriter(out), err: errs, getenv: func(string) string { return "" }, width: 100}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() { ended <- a.main(ctx, []string{path, "--follow", "--window", "1000"}) }()
	expect := func(text string) {
		t.Helper()
		for until := time.Now().Add(20 * time.Second); !strings.Contains(out.text(), text); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("never printed %q: %s%s", text, out.text(), errs.text())
			}
		}
	}
	expect("  2 messages  ~")
	expect(" / 1,000  ")
	expect("next pass in ~")
	write(longer)
	expect("  4 messages  ~")
	write("")
	expect("not readable just now: ")
	cancel()
	<-ended
}

func TestFollowNeedsAFile(t *testing.T) {
	for _, args := range [][]string{{"lesson:demo", "--follow"}, {"-", "--follow"}} {
		out, errs := &bytes.Buffer{}, &bytes.Buffer{}
		a := &app{in: strings.NewReader(""), out: bufio.NewWriter(out), err: errs, getenv: func(string) string { return "" }, width: 100}
		if code := a.main(context.Background(), args); code != wrong || !strings.Contains(errs.String(), "--follow needs a session file") {
			t.Errorf("%v: exit %d, %s", args, code, errs)
		}
	}
}
