package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// asProgram makes the test binary be the program: it links the same packages,
// in the same order of initialisation.
const asProgram = "CINCH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "TERM=xterm-256color", "CINCH_CONFIG="+os.DevNull)
	return cmd
}

// onSilentTerminal runs a command on a terminal that never answers a question.
func onSilentTerminal(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	var out bytes.Buffer
	_, _ = io.Copy(&out, tty) // ends with an error when the program does: that is how a pseudo-terminal closes
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	return out.String()
}

// TestSilentTerminal: the commands that only print neither write an escape code
// nor ask the terminal anything. Waiting for an answer takes hundreds of times
// as long as the whole command; the bound is a ratio to the same command without
// a terminal, the best of a few runs each.
func TestSilentTerminal(t *testing.T) {
	for _, args := range [][]string{
		{"version"}, {"--version"}, {"--help"}, {"help", "plan"}, {"formats"}, {"completion", "bash"}, {"man"},
		{"plan", "lesson:demo", "--json"}, {"lesson:demo", "--json"}, {"--print-config"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			best := func(run func()) time.Duration {
				least := time.Duration(1<<63 - 1)
				for range 3 {
					start := time.Now()
					run()
					least = min(least, time.Since(start))
				}
				return least
			}
			plain := best(func() {
				if out, err := program(args...).Output(); err != nil || len(out) == 0 {
					t.Fatalf("without a terminal: %v, %d bytes", err, len(out))
				}
			})
			silent := best(func() {
				if out := onSilentTerminal(t, program(args...)); out == "" || strings.ContainsRune(out, '\x1b') {
					t.Fatalf("on a terminal: %q", out)
				}
			})
			if silent > 20*plain {
				t.Errorf("%v on a silent terminal, %v without one: the start waits for an answer", silent, plain)
			}
		})
	}
}
