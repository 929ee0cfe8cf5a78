package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// patience is how long a program may take to do what it is waited for. It is
// only reached when something is wrong.
const patience = 30 * time.Second

// alone gives a program a home of its own, in which there is nothing.
func alone(t *testing.T, cmd *exec.Cmd) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	cmd.Env = append(cmd.Env, "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "LC_ALL=C.UTF-8")
	return cmd
}

// output is what a program has written so far.
type output struct {
	mu   sync.Mutex
	all  bytes.Buffer
	more chan struct{}
}

func listen(r io.Reader) *output {
	o := &output{more: make(chan struct{}, 1)}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := r.Read(buf)
			o.mu.Lock()
			o.all.Write(buf[:n])
			o.mu.Unlock()
			select {
			case o.more <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	return o
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.String()
}

// wait waits until the output matches.
func (o *output) wait(t *testing.T, expression string) {
	t.Helper()
	re, late := regexp.MustCompile(expression), time.After(patience)
	for !re.MatchString(o.String()) {
		select {
		case <-o.more:
		case <-late:
			t.Fatalf("the program never wrote %q, but\n%q", expression, o.String())
		}
	}
}

// ended waits for a program to end, and gives its exit code.
func ended(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer timer.Stop()
	if err := cmd.Wait(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// TestInspectorOnATerminal: where keys come from, and where there are none. The
// program has a terminal on stdout throughout.
func TestInspectorOnATerminal(t *testing.T) {
	conversation := `[{"role":"user","content":"a question from a pipe"},{"role":"assistant","content":"an answer"}]`
	for _, c := range []struct {
		name  string
		args  []string
		stdin string // "" for the terminal itself
		alone bool   // it is no controlling terminal
		shows string // what is on the screen before q is pressed; "" for no screen
		code  int
		says  string
	}{
		{"no file: a choice, and not a wait for one", nil, "", false, `lessons`, 0, ""},
		{"a file", []string{"lesson:demo"}, "", false, `OVER THRESHOLD`, 0, ""},
		{"piped, with keys from the terminal", nil, conversation, false, `a question from a pipe`, 0, ""},
		{"piped as -, with keys from the terminal", []string{"-"}, conversation, false, `a question from a pipe`, 0, ""},
		{"piped, and no terminal for keys", []string{"-"}, conversation, true, "", 2,
			"cinch: no terminal to take keys from: --plain prints the answer without one, --json prints it for programs\n"},
		{"piped, and no keys needed", []string{"-", "--plain"}, conversation, true, "", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			master, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer master.Close()
			if err := pty.Setsize(master, &pty.Winsize{Rows: 30, Cols: 100}); err != nil {
				t.Fatal(err)
			}
			var errs bytes.Buffer
			cmd := alone(t, program(c.args...))
			cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, &errs
			if c.stdin != "" {
				cmd.Stdin = strings.NewReader(c.stdin)
			}
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: !c.alone, Ctty: 1}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			tty.Close()
			screen := listen(master)
			if c.shows != "" {
				screen.wait(t, c.shows)
				if _, err := master.WriteString("q"); err != nil {
					t.Fatal(err)
				}
			}
			if code := ended(t, cmd); code != c.code || errs.String() != c.says {
				t.Errorf("exit code %d saying %q, want %d saying %q", code, &errs, c.code, c.says)
			}
			if c.shows != "" {
				screen.wait(t, `(?s)\x1b\[\?1049h.*\x1b\[\?1049l`)
			} else if strings.Contains(screen.String(), "\x1b[?1049h") {
				t.Error("the screen was taken")
			}
		})
	}
}

// TestOutputThatIsNoTerminal: a closed pipe is no error and needs no word; a
// full disk is one, whichever command writes.
func TestOutputThatIsNoTerminal(t *testing.T) {
	for _, args := range [][]string{
		{"lessons"}, {"lesson:demo"}, {"plan", "lesson:demo", "--json"}, {"replay", "lesson:demo"}, {"sweep", "lesson:worked-6500"}, {"check", "lesson:worked-6500"},
		{"convert", "lesson:demo", "--to", "native"}, {"completion", "zsh"}, {"man"}, {"--help"}, {"--version"}, {"--print-config"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			var errs bytes.Buffer
			cmd := alone(t, program(args...))
			cmd.Stdout, cmd.Stderr = w, &errs
			err = cmd.Run()
			w.Close()
			if err != nil || errs.Len() > 0 {
				t.Errorf("into a closed pipe: %v, %q", err, &errs)
			}

			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if errors.Is(err, os.ErrNotExist) {
				t.Skip("this system has no /dev/full")
			} else if err != nil {
				t.Fatal(err)
			}
			defer full.Close()
			errs.Reset()
			cmd = alone(t, program(args...))
			cmd.Stdout, cmd.Stderr = full, &errs
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != 2 || !regexp.MustCompile(`^cinch: .*: no space left on device\n$`).MatchString(errs.String()) {
				t.Errorf("on a full disk: exit code %d, %q", code, &errs)
			}
		})
	}
}

// TestSignalsWhileAPipeIsRead: what is asked for by name may be a pipe on which
// nothing comes.
func TestSignalsWhileAPipeIsRead(t *testing.T) {
	for _, args := range [][]string{
		{"plan", "FIFO"}, {"--follow", "--json", "FIFO"}, {"plan", "lesson:demo", "--policy", "FIFO"}, {"--config", "FIFO", "--print-config"},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(strings.Join(args, " ")+" "+sig.String(), func(t *testing.T) {
				pipe := filepath.Join(t.TempDir(), "pipe")
				if err := syscall.Mkfifo(pipe, 0o600); err != nil {
					t.Fatal(err)
				}
				cmd := alone(t, program(strings.Fields(strings.ReplaceAll(strings.Join(args, " "), "FIFO", pipe))...))
				var errs bytes.Buffer
				cmd.Stderr = &errs
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				var w *os.File
				for until := time.Now().Add(patience); w == nil; time.Sleep(5 * time.Millisecond) {
					var err error
					if w, err = os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err != nil && time.Now().After(until) {
						t.Fatalf("nothing reads the pipe: %v, %q", err, &errs)
					}
				}
				defer w.Close()
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				if code := ended(t, cmd); code != 128+int(sig) || errs.Len() > 0 {
					t.Errorf("exit code %d, %q; want %d and no word", code, &errs, 128+int(sig))
				}
			})
		}
	}
}

// TestSignals: a command that waits for its input ends when it is told to, with
// 128 and the number of the signal.
func TestSignals(t *testing.T) {
	for _, c := range []struct {
		args  []string
		after string // what it has written by then
	}{
		{[]string{"plan", "-"}, ""}, {[]string{"replay", "-", "--json"}, ""}, {[]string{"explain"}, ""}, {[]string{"--accessible", "lesson:demo"}, `> $`},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(strings.Join(c.args, " ")+" "+sig.String(), func(t *testing.T) {
				cmd := alone(t, program(c.args...))
				in, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				defer in.Close()
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				var errs bytes.Buffer
				cmd.Stderr = &errs
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if c.after != "" {
					listen(out).wait(t, c.after)
				} else if _, err := in.Write(make([]byte, 1<<17)); err != nil { // more than a pipe holds: it is being read
					t.Fatal(err)
				}
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				if code := ended(t, cmd); code != 128+int(sig) || errs.Len() > 0 {
					t.Errorf("exit code %d, %q; want %d and no word", code, &errs, 128+int(sig))
				}
			})
		}
	}
}
