package ui

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"cinch/model"
	"cinch/model/token"
	_ "cinch/ui/dark" // else the tests ask the terminal and wait
)

// asInspector makes the test binary the inspector, with the fault it names.
const asInspector = "CINCH_TEST_AS_INSPECTOR"

func TestMain(m *testing.M) {
	if what := os.Getenv(asInspector); what != "" {
		os.Exit(inspectorWith(what))
	}
	os.Exit(m.Run())
}

// unnamed is a counter that cannot say its name, which the header asks for.
type unnamed struct{ token.Counter }

func (unnamed) Name() string { panic("in View") }

// inspectorWith runs the inspector and exits as the command line does.
func inspectorWith(fault string) int {
	o := Options{Path: "lesson:demo", Open: opener(nil), Theme: "dark", In: os.Stdin, Out: os.Stdout}
	switch fault {
	case "in a command":
		o.Open = func(context.Context, string, func(int64, int64)) (*Opened, error) { panic(fault) }
	case "in Update":
		o.Remember = func(string) { panic(fault) }
	case "in View":
		open := o.Open
		o.Open = func(ctx context.Context, path string, progress func(int64, int64)) (*Opened, error) {
			opened, err := open(ctx, path, progress)
			settings := opened.Settings
			opened.Settings = func(c *model.Conversation) (Settings, error) {
				s, err := settings(c)
				s.Counter = unnamed{s.Counter}
				return s, err
			}
			return opened, err
		}
	}
	err := Run(context.Background(), o)
	var caught *Panic
	var ended *Interrupted
	switch {
	case errors.As(err, &caught):
		fmt.Fprintf(os.Stderr, "%v\n\n%s", caught, caught.Stack)
		return 2
	case errors.As(err, &ended):
		return ended.ExitCode()
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}

// TestTerminalIsLeftInOrder: however the inspector ends, the terminal has its own
// screen back, its cursor, and the mouse, and was told nothing that outlasts the
// inspector. A fault is told afterwards, with its stack, and not on stdout.
func TestTerminalIsLeftInOrder(t *testing.T) {
	editor := filepath.Join(t.TempDir(), "editor")
	script := "#!/bin/sh\ntest -t 0 && test -t 1 && grep -q Nightly \"$2\" && echo on a terminal with $1\n"
	if err := os.WriteFile(editor, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		fault string
		keys  string
		then  []string // to be seen, one after the other, before q is pressed
		says  string   // after the screen is back
		sig   syscall.Signal
		code  int
	}{
		"q":                    {keys: "q"},
		"what was kept":        {keys: "Ymq", says: "Nightly build 4127 has one red test"},
		"the editor":           {keys: "E", then: []string{"on a terminal with -x", "\x1b[?1049h", "\x1b[?1002h"}},
		"ctrl+c":               {keys: "\x03"},
		"ctrl+c in a prompt":   {keys: "/\x03"},
		"TERM":                 {sig: syscall.SIGTERM, code: 143},
		"INT":                  {sig: syscall.SIGINT, code: 130},
		"HUP":                  {sig: syscall.SIGHUP, code: 129},
		"a fault in a command": {fault: "in a command", code: 2},
		"a fault in Update":    {fault: "in Update", code: 2},
		"a fault in View":      {fault: "in View", code: 2},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), asInspector+"="+cmp.Or(c.fault, "no fault"), "TERM=xterm-256color", "EDITOR="+editor+" -x")
			cmd.Stderr = &stderr
			tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
			if err != nil {
				t.Fatal(err)
			}
			defer tty.Close()
			var stream []byte
			buf := make([]byte, 4096)
			awaited, from := append([]string{"OVER THRESHOLD"}, c.then...), 0
			for first := true; ; {
				n, err := tty.Read(buf)
				stream = append(stream, buf[:n]...)
				if err != nil {
					break // how a pseudo-terminal closes
				}
				for len(awaited) > 0 {
					at := bytes.Index(stream[from:], []byte(awaited[0]))
					if at < 0 {
						break
					}
					from += at + len(awaited[0])
					awaited = awaited[1:]
					switch {
					case first && c.sig != 0:
						_ = cmd.Process.Signal(c.sig)
					case first:
						_, _ = tty.WriteString(c.keys)
					case len(awaited) == 0:
						_, _ = tty.WriteString("q")
					}
					first = false
				}
			}
			_ = cmd.Wait()
			if len(awaited) > 0 && c.fault == "" {
				t.Errorf("%q was not seen", awaited[0])
			}
			if got := cmd.ProcessState.ExitCode(); got != c.code {
				t.Errorf("exit code %d, want %d: %s", got, c.code, &stderr)
			}
			on := map[string]bool{"25": true}
			for _, m := range regexp.MustCompile(`\x1b\[\?([0-9;]+)([hl])`).FindAllStringSubmatch(string(stream), -1) {
				for _, mode := range strings.Split(m[1], ";") {
					on[mode] = m[2] == "h"
				}
			}
			if _, had := on["1049"]; !had {
				t.Errorf("the inspector never had the screen: %q", stream)
			}
			for mode, set := range on {
				if set != (mode == "25") {
					t.Errorf("mode %s of the terminal is left %v", mode, set)
				}
			}
			if told := regexp.MustCompile(`\x1b[\]PX^_][^\x07\x1b]*|\x1bc|\x1b\[[0-9;]*[cnt]`).FindString(string(stream)); told != "" {
				t.Errorf("the terminal is told or asked %q", told)
			}
			back := stream[bytes.LastIndex(stream, []byte("\x1b[?1049l")):]
			if !bytes.Contains(back, []byte(c.says)) {
				t.Errorf("%q is not said on the screen that is back: %q", c.says, back)
			}
			if c.fault == "" {
				return
			}
			if text := stderr.String(); !strings.HasPrefix(text, "a fault in cinch: "+c.fault) || !strings.Contains(text, "ending_test.go") {
				t.Errorf("the fault is told as %q", text)
			}
			if bytes.Contains(stream, []byte("goroutine")) {
				t.Errorf("the fault is told on the screen: %q", stream)
			}
		})
	}
}
