//go:build e2e

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program is the built program.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "cinch-e2e-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "cinch")
	build := exec.Command("go", "build", "-o", program, "cinch")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// cinch runs a command with nothing on its standard input.
func cinch(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(program, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LANG=C.UTF-8", "TERM=xterm-256color", "COLORTERM=truecolor"}, env...)
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// TestPipedOutputIsPlain: no escape code reaches a pipe, whatever the terminal can do.
func TestPipedOutputIsPlain(t *testing.T) {
	for _, args := range [][]string{
		{"version"}, {"--version"}, {"--help"}, {"formats"}, {"lessons"}, {"engines"},
		{"plan", "lesson:demo"}, {"plan", "lesson:demo", "--json"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			out, errs, code := cinch(t, nil, args...)
			if code != 0 {
				t.Fatalf("exit code %d: %s", code, errs)
			}
			if out == "" {
				t.Error("says nothing")
			}
			if strings.ContainsRune(out+errs, '\x1b') {
				t.Errorf("escape codes in a pipe: %q", out+errs)
			}
		})
	}
}

// TestWrongUse: exit code 2 and one line that helps.
func TestWrongUse(t *testing.T) {
	for _, args := range [][]string{{"plan", "no/such/file.jsonl"}, {"plan", "lesson:demo", "--threshold", "lots"}, {"no-such-command"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			out, errs, code := cinch(t, nil, args...)
			if code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
			if out != "" {
				t.Errorf("errors belong on stderr, stdout has %q", out)
			}
			if n := strings.Count(strings.TrimSpace(errs), "\n"); errs == "" || n > 0 {
				t.Errorf("want one line, got %q", errs)
			}
		})
	}
}
