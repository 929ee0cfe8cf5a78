// Package tmux drives a program in a real terminal: a tmux server of its own
// with no configuration, keys and mouse bytes going in, captures coming out. It
// waits for what it wants to see and never for a time.
package tmux

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Failer is where a screen reports what went wrong; a *testing.T is one.
type Failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Patience is how long a screen may take to show what is waited for. It is only
// reached when something is wrong.
const Patience = 20 * time.Second

// Screen is a shell in a terminal. The prompt is "$ ", or "[N]$ " after a
// command that exited with N.
type Screen struct {
	t      Failer
	socket string
	dir    string // the home folder, empty at the start
}

// Start opens a terminal of the given size with a shell whose home folder is
// empty. env adds or overrides variables, each as NAME=value.
func Start(t Failer, width, height int, env ...string) *Screen {
	t.Helper()
	dir, err := os.MkdirTemp("", "cinch-e2e-")
	if err != nil {
		t.Fatalf("%v", err)
	}
	s := &Screen{t: t, socket: filepath.Join(dir, "tmux"), dir: filepath.Join(dir, "home")}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatalf("%v", err)
	}
	shell := []string{"env", "-i", "PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "TMPDIR=" + dir,
		"LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TERM=screen-256color",
		`PS1=$(e=$?; [ $e = 0 ] || echo [$e])$ `}
	shell = append(append(shell, env...), "bash", "--norc", "--noprofile", "-i")
	args := []string{"-u", "-f", "/dev/null", "new-session", "-d", "-c", s.dir, "-x", fmt.Sprint(width), "-y", fmt.Sprint(height)}
	s.run(append(args, shell...)...)
	s.run("set-option", "-g", "status", "off")
	s.run("set-option", "-sg", "escape-time", "0")
	s.Wait(`^\$`)
	return s
}

// Close ends the terminal and everything in it.
func (s *Screen) Close() {
	_ = exec.Command("tmux", "-S", s.socket, "kill-server").Run()
	_ = os.RemoveAll(filepath.Dir(s.dir))
}

// Home is the shell's home folder.
func (s *Screen) Home() string { return s.dir }

func (s *Screen) run(args ...string) string {
	s.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Command types a command line and presses enter.
func (s *Screen) Command(format string, args ...any) {
	s.t.Helper()
	s.Type(fmt.Sprintf(format, args...))
	s.Keys("Enter")
}

// Keys presses keys by tmux's names: j, Enter, C-z, Left, F1.
func (s *Screen) Keys(keys ...string) {
	s.t.Helper()
	s.run(append([]string{"send-keys"}, keys...)...)
}

// Type sends text as it is, in one burst.
func (s *Screen) Type(text string) {
	s.t.Helper()
	s.run("send-keys", "-l", text)
}

// Send sends bytes as they are.
func (s *Screen) Send(bytes string) {
	s.t.Helper()
	args := []string{"send-keys", "-H"}
	for _, b := range []byte(bytes) {
		args = append(args, fmt.Sprintf("%02x", b))
	}
	s.run(args...)
}

// Paste pastes text the way a terminal does that knows bracketed paste.
func (s *Screen) Paste(text string) {
	s.t.Helper()
	s.run("set-buffer", text)
	s.run("paste-buffer", "-p")
}

// Mouse buttons as terminals encode them.
const (
	Left      = 0
	Dragging  = 32 // the left button held while moving
	WheelUp   = 64
	WheelDown = 65
)

// Press, and Release below, send a mouse event for a cell counted from 0.
func (s *Screen) Press(button, x, y int) {
	s.t.Helper()
	s.Send(fmt.Sprintf("\x1b[<%d;%d;%dM", button, x+1, y+1))
}

// Release lets the left button go.
func (s *Screen) Release(x, y int) {
	s.t.Helper()
	s.Send(fmt.Sprintf("\x1b[<0;%d;%dm", x+1, y+1))
}

// Click presses and releases the left button.
func (s *Screen) Click(x, y int) {
	s.t.Helper()
	s.Press(Left, x, y)
	s.Release(x, y)
}

// Resize changes the size of the terminal.
func (s *Screen) Resize(width, height int) {
	s.t.Helper()
	s.run("resize-window", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height))
}

// Text is what the terminal shows, without colours and without trailing blanks.
func (s *Screen) Text() string {
	s.t.Helper()
	return s.run("capture-pane", "-p")
}

// Colour is what the terminal shows, with escape codes for colours.
func (s *Screen) Colour() string {
	s.t.Helper()
	return s.run("capture-pane", "-p", "-e")
}

// Flag asks for one of tmux's own facts, such as pane_title.
func (s *Screen) Flag(name string) string {
	s.t.Helper()
	return strings.TrimSpace(s.run("display-message", "-p", "#{"+name+"}"))
}

// Is asks for one that is on or off, such as alternate_on or mouse_any_flag.
func (s *Screen) Is(flag string) bool {
	s.t.Helper()
	return s.Flag(flag) == "1"
}

// Set changes one of the tmux server's options.
func (s *Screen) Set(option, value string) {
	s.t.Helper()
	s.run("set-option", "-s", option, value)
}

// WaitBuffer waits until tmux's clipboard holds text.
func (s *Screen) WaitBuffer(text string) {
	s.t.Helper()
	var got []byte
	if !poll(func() bool {
		got, _ = exec.Command("tmux", "-S", s.socket, "show-buffer").Output() // fails while there is none
		return strings.Contains(string(got), text)
	}) {
		s.t.Fatalf("%q never reached the clipboard, which holds %q", text, got)
	}
}

// Wait waits until the terminal's text matches a pattern, in which ^ and $ stand
// for line ends, and returns it.
func (s *Screen) Wait(pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	text := ""
	if !poll(func() bool { text = s.Text(); return re.MatchString(text) }) {
		s.t.Fatalf("the screen never showed %q; it shows:\n%s", pattern, text)
	}
	return text
}

// Until does something again and again until the terminal's text matches a pattern.
func (s *Screen) Until(act func(), pattern string) {
	s.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	text := ""
	if !poll(func() bool { act(); text = s.Text(); return re.MatchString(text) }) {
		s.t.Fatalf("the screen never showed %q; it shows:\n%s", pattern, text)
	}
}

// WaitGone waits until the terminal's text no longer matches a pattern.
func (s *Screen) WaitGone(pattern string) {
	s.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	text := ""
	if !poll(func() bool { text = s.Text(); return !re.MatchString(text) }) {
		s.t.Fatalf("the screen never stopped showing %q:\n%s", pattern, text)
	}
}

// WaitIs waits until one of tmux's own flags has a value.
func (s *Screen) WaitIs(flag string, want bool) {
	s.t.Helper()
	if !poll(func() bool { return s.Is(flag) == want }) {
		s.t.Fatalf("%s never became %v; the screen shows:\n%s", flag, want, s.Text())
	}
}

// poll asks again and again until the answer is yes or patience ends.
func poll(done func() bool) bool {
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline); time.Sleep(15 * time.Millisecond) {
		if done() {
			return true
		}
	}
	return false
}

// Find is the cell, counted from 0, at which text stands on the screen. Cells
// are counted as characters, so text must have nothing wide to its left.
func (s *Screen) Find(text string) (x, y int) {
	s.t.Helper()
	for y, line := range strings.Split(s.Text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return len([]rune(before)), y
		}
	}
	s.t.Fatalf("%q is not on the screen:\n%s", text, s.Text())
	return 0, 0
}
