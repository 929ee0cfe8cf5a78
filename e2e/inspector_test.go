//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"cinch/e2e/tmux"
)

// drawn says that the demo is on the screen.
const drawn = `OVER THRESHOLD`

// terminal opens a terminal that has the program on its path.
func terminal(t *testing.T, width, height int, env ...string) *tmux.Screen {
	t.Helper()
	s := tmux.Start(t, width, height, append([]string{"PATH=" + filepath.Dir(program) + ":" + os.Getenv("PATH")}, env...)...)
	t.Cleanup(s.Close)
	return s
}

// inspector opens the demo.
func inspector(t *testing.T, width, height int, env ...string) *tmux.Screen {
	t.Helper()
	s := terminal(t, width, height, env...)
	s.Command("cinch lesson:demo")
	s.Wait(drawn)
	return s
}

// closed waits until the shell has its terminal back as it was.
func closed(t *testing.T, s *tmux.Screen) {
	t.Helper()
	s.WaitIs("alternate_on", false)
	s.WaitIs("mouse_any_flag", false)
	s.WaitIs("cursor_flag", true)
}

// onRow waits until the cursor stands on message n. In the demo, message 43
// stands beside message 0, to which it is reattached.
func onRow(s *tmux.Screen, n int) {
	s.Wait(fmt.Sprintf(`^.{0,2}▸[^\d\n]*(\+\d+)?\s+%d\s`, n))
}

func TestStartAndQuit(t *testing.T) {
	for _, key := range []string{"q", "C-c"} {
		t.Run(key, func(t *testing.T) {
			s := inspector(t, 120, 36)
			if !s.Is("alternate_on") || !s.Is("mouse_any_flag") {
				t.Error("the inspector does not have the screen and the mouse")
			}
			s.Keys(key)
			closed(t, s)
			s.Wait(`^\$$`) // the exit code would stand before the prompt
		})
	}
}

func TestEscapeNeverQuits(t *testing.T) {
	s := inspector(t, 120, 36)
	s.Keys("Escape", "Escape", "Escape")
	// A key right behind an escape may be taken for alt and that key.
	s.Until(func() { s.Keys("j") }, `^.{0,2}▸[^\d\n]*(\+\d+)?\s+(43|1|2)\s`)
}

// TestBurst: characters that arrive in one piece are as many keys.
func TestBurst(t *testing.T) {
	s := inspector(t, 120, 36)
	onRow(s, 0)
	s.Type("jjj")
	onRow(s, 2)
	s.Type("kk")
	onRow(s, 43)
}

// TestPasteIsNoKeys: pasted text is not a command.
func TestPasteIsNoKeys(t *testing.T) {
	s := inspector(t, 120, 36)
	s.Paste("qqq")
	s.Keys("j")
	onRow(s, 43)
}

func TestStepping(t *testing.T) {
	s := inspector(t, 120, 36)
	s.Type("sss")
	s.Wait(`the cut moves from 65 to`)
	s.Keys("b")
	s.WaitGone(`the cut moves from 65 to`)
	s.Keys("S")
	s.Wait(`cut 65 → 62`)
}

func TestApplyAndUndo(t *testing.T) {
	s := inspector(t, 120, 36)
	s.Wait(`69 messages`)
	s.Keys("a")
	s.Wait(`\b9 messages`)
	s.Keys("u")
	s.Wait(`69 messages`)
	s.Keys("C-r")
	s.Wait(`\b9 messages`)
}

func TestMouse(t *testing.T) {
	const tenth = `^.{0,8}\b10  assistant`
	s := inspector(t, 120, 36)
	x, y := s.Find("Morning! Yes please")
	s.Click(x, y)
	onRow(s, 1)
	// Unfolded, the list is longer than the screen, and the wheel scrolls it.
	s.Keys("/")
	s.Type("stress:")
	s.Keys("Enter")
	s.Wait(tenth)
	s.Until(func() { s.Press(tmux.WheelDown, x, y) }, `^.{0,10}\b40  call`)
	s.WaitGone(tenth)
}

// TestDragSlider: pressing takes the slider, moving moves it, and letting go ends it.
func TestDragSlider(t *testing.T) {
	s := inspector(t, 120, 36)
	x, y := s.Find("preserve_recent")
	line := []rune(strings.Split(s.Text(), "\n")[y])
	knob := x
	for knob < len(line) && line[knob] != '●' {
		knob++
	}
	if knob == len(line) {
		t.Fatalf("no knob on the line: %s", string(line))
	}
	s.Press(tmux.Left, knob, y)
	for d := 1; d <= 5; d++ {
		s.Press(tmux.Dragging, knob+d, y)
	}
	s.Release(knob+5, y)
	moved := regexp.MustCompile(`(?m)cut 65 → 62`)
	s.WaitGone(moved.String())
	s.Keys("u") // a whole drag is one change
	s.Wait(moved.String())
}

// TestSuspend: after ctrl+z and fg the screen and the mouse are the inspector's again.
func TestSuspend(t *testing.T) {
	s := inspector(t, 120, 36)
	s.Keys("C-z")
	s.Wait(`Stopped`)
	closed(t, s)
	s.Command("fg")
	s.Wait(drawn)
	s.WaitIs("mouse_any_flag", true)
	x, y := s.Find("Morning! Yes please")
	s.Click(x, y)
	onRow(s, 1)
	s.Keys("q")
	closed(t, s)
}

// TestResize: from large to too small and back, in a storm.
func TestResize(t *testing.T) {
	s := inspector(t, 120, 36)
	for _, size := range [][2]int{{200, 60}, {100, 24}, {80, 24}, {79, 23}, {60, 18}, {41, 12}, {40, 12}, {10, 3}, {1, 1}, {30, 8}} {
		s.Resize(size[0], size[1])
	}
	s.Wait(`40.12`)
	s.Resize(80, 24)
	s.Wait(drawn)
	s.Resize(120, 36)
	s.Wait(`preserve_recent`)
	text := strings.Split(strings.TrimRight(s.Text(), "\n"), "\n")
	if !strings.Contains(text[0], "cinch") || !strings.Contains(text[len(text)-1], "quit") {
		t.Errorf("the first line is not the header, or the last not the footer:\n%s", strings.Join(text, "\n"))
	}
}

// TestTermination: a signal leaves the terminal in order and shows in the exit code.
func TestTermination(t *testing.T) {
	for name, sig := range map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP} {
		t.Run(name, func(t *testing.T) {
			s := terminal(t, 100, 30)
			s.Command(`bash -c 'echo $$ > ~/pid; exec cinch lesson:demo'`)
			s.Wait(drawn)
			data, err := os.ReadFile(filepath.Join(s.Home(), "pid"))
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, sig); err != nil {
				t.Fatal(err)
			}
			closed(t, s)
			s.Wait(fmt.Sprintf(`^\[%d\]\$`, 128+int(sig)))
		})
	}
}

// TestNoColour: without colours every state still has its character.
func TestNoColour(t *testing.T) {
	s := inspector(t, 120, 36, "NO_COLOR=1")
	colour := regexp.MustCompile(`\x1b\[([0-9;]*;)?([34][0-8]|9[0-7]|10[0-7])[;m]`)
	if code := colour.FindString(s.Colour()); code != "" {
		t.Errorf("NO_COLOR is set, and there is %q", code)
	}
	text := s.Text()
	for what, glyph := range map[string]string{"cursor": "▸", "dropped": "✗", "pair": "┌"} {
		if !strings.Contains(text, glyph) {
			t.Errorf("%s: no %s on the screen:\n%s", what, glyph, text)
		}
	}
}

// TestASCII: where the locale has no UTF-8, nothing but ASCII is drawn.
func TestASCII(t *testing.T) {
	s := terminal(t, 120, 36, "LANG=C", "LC_ALL=C")
	s.Command("cinch lesson:worked-6500")
	s.Wait(drawn)
	for _, r := range s.Text() {
		if r >= 0x80 {
			t.Fatalf("%q is not ASCII:\n%s", r, s.Text())
		}
	}
}

// TestDumbTerminal: a terminal that cannot move its cursor gets the report.
func TestDumbTerminal(t *testing.T) {
	s := terminal(t, 120, 50, "TERM=dumb")
	s.Command("cinch lesson:before-after; echo done")
	s.Wait(`^done$`)
	if s.Is("alternate_on") {
		t.Error("the inspector was opened")
	}
	if !strings.Contains(s.Text(), "6,855") {
		t.Errorf("no report:\n%s", s.Text())
	}
}

// TestPipedInput: the conversation comes from a pipe, the keys from the terminal.
func TestPipedInput(t *testing.T) {
	s := terminal(t, 120, 36)
	s.Command("cinch lessons demo | cinch -")
	s.Wait(drawn)
	s.Type("jj")
	onRow(s, 1)
	s.Keys("q")
	closed(t, s)
}

// TestPipedOutput: what is piped is the report, and nothing is drawn.
func TestPipedOutput(t *testing.T) {
	out, errs, code := cinch(t, nil, "lesson:demo")
	if code != 0 || !strings.Contains(out, "9,382") || strings.ContainsRune(out, '\x1b') {
		t.Errorf("exit code %d, stderr %q, stdout %q", code, errs, out)
	}
}

// TestHostileText: escape codes in a result neither change the window's title
// nor reach the screen, and can be seen to be there.
func TestHostileText(t *testing.T) {
	s := inspector(t, 120, 36)
	s.Keys("/")
	s.Type("stress: 3 failures")
	s.Keys("Enter")
	s.Wait(`sched_test.go:127`)
	if title := s.Flag("pane_title"); strings.Contains(title, "stress") {
		t.Errorf("a result has set the title: %s", title)
	}
}

// TestCopy: what is copied reaches the terminal's clipboard where it lets it.
func TestCopy(t *testing.T) {
	s := inspector(t, 120, 36)
	s.Set("set-clipboard", "on")
	s.Type("jj")
	onRow(s, 1)
	s.Type("ym")
	s.Wait(`OSC 52`)
	s.WaitBuffer("take TestFairShare")
}

// TestCopyThatTmuxKeeps: where tmux lets nothing through to the clipboard, which
// nobody can be asked about, that is said, and what was kept is printed at the end.
func TestCopyThatTmuxKeeps(t *testing.T) {
	s := inspector(t, 120, 36, "TMUX=/tmp/tmux,1,0")
	s.Set("set-clipboard", "external")
	s.Type("jj")
	onRow(s, 1)
	s.Type("ym")
	s.Wait("OSC 52.*set-clipboard on.*else Y keeps it")
	s.Type("Ym")
	s.Wait("printed when the inspector closes")
	s.Keys("q")
	closed(t, s)
	s.Wait("take TestFairShare")
}

// TestMouseOnlyWhilePressed: motion is asked for while a button is down and not
// otherwise, m gives the mouse away, and --no-mouse never asks for it.
func TestMouseOnlyWhilePressed(t *testing.T) {
	s := inspector(t, 120, 36)
	if !s.Is("mouse_button_flag") || s.Is("mouse_all_flag") || !s.Is("mouse_sgr_flag") {
		t.Error("the mouse is asked for in another way")
	}
	s.Keys("m")
	s.WaitIs("mouse_any_flag", false)
	s.Keys("m")
	s.WaitIs("mouse_any_flag", true)
	s.Keys("q")
	closed(t, s)
	s.Command("cinch --no-mouse lesson:demo")
	s.Wait(drawn)
	if s.Is("mouse_any_flag") {
		t.Error("--no-mouse asks for the mouse")
	}
}

// TestOldestMouseReports: those that say of a release no button, and of places no
// more than a byte.
func TestOldestMouseReports(t *testing.T) {
	s := inspector(t, 120, 36)
	x, y := s.Find("Morning! Yes please")
	report := func(button, x, y int) string {
		return "\x1b[M" + string([]byte{byte(32 + button), byte(33 + x), byte(33 + y)})
	}
	s.Send(report(0, x, y) + report(3, x, y))
	onRow(s, 1)
	x, y = s.Find("preserve_recent")
	x += strings.IndexRune(strings.Split(s.Text(), "\n")[y], '●') - strings.Index(strings.Split(s.Text(), "\n")[y], "preserve_recent")
	s.Send(report(0, x, y) + report(32, x+2, y) + report(3, x+4, y))
	s.WaitGone(`cut 65 → 62`)
	s.Keys("j") // nothing is held any more
	s.Send(report(35, x+6, y))
	s.Keys("u")
	s.Wait(`cut 65 → 62`)
}

// TestFarColumn: a click where the oldest reports could not reach.
func TestFarColumn(t *testing.T) {
	s := inspector(t, 240, 40)
	x, y := s.Find("q quit")
	if x < 223 {
		t.Fatalf("q quit is at column %d", x)
	}
	s.Click(x, y)
	closed(t, s)
}

// TestLeakedReports: what is left of a mouse report that was cut in two is no key.
func TestLeakedReports(t *testing.T) {
	s := inspector(t, 120, 36)
	s.Type("[<65;40;12M[<65;40;12M")
	s.Keys("j")
	onRow(s, 43)
}

// TestConsole: on a console there are sixteen colours, and no character that its
// font does not hold.
func TestConsole(t *testing.T) {
	s := inspector(t, 120, 36, "TERM=linux")
	if code := regexp.MustCompile(`\x1b\[[0-9;]*[34]8[;m][0-9;]*m?`).FindString(s.Colour()); code != "" {
		t.Errorf("%q is none of sixteen colours", code)
	}
	if r := regexp.MustCompile(`[\x{2800}-\x{28ff}╭╮╰╯▁-▃▅-▇▉-▋▍-▏▸✗⋯…]`).FindString(s.Text()); r != "" {
		t.Errorf("%s is drawn:\n%s", r, s.Text())
	}
	for what, text := range map[string]string{"cursor": "►", "dropped": "x dropped", "pair": "┌"} {
		if !strings.Contains(s.Text(), text) {
			t.Errorf("%s: no %s on the screen:\n%s", what, text, s.Text())
		}
	}
}

// TestEditor: the editor gets the terminal, and the inspector its mouse back.
func TestEditor(t *testing.T) {
	s := inspector(t, 120, 36, `EDITOR=sh -c 'echo reading; head -1 "$0"; read -r line; echo $line'`)
	s.Keys("E")
	s.Wait("^reading$")
	if s.Is("alternate_on") || s.Is("mouse_any_flag") {
		t.Error("the editor does not have the terminal")
	}
	s.Keys("Enter")
	s.Wait(drawn)
	s.WaitIs("mouse_any_flag", true)
	x, y := s.Find("Morning! Yes please")
	s.Click(x, y)
	onRow(s, 1)
}

func TestHelpCanBeSearched(t *testing.T) {
	s := inspector(t, 120, 36)
	s.Keys("?")
	s.Wait(`undo`)
	s.Type("suspend")
	s.WaitGone(`take back`)
	s.Wait(`suspend`)
	s.Keys("Escape")
	s.WaitGone(`search:`)
}

func TestSearchAndMate(t *testing.T) {
	s := inspector(t, 120, 36)
	s.Keys("/")
	s.Type("strikes again")
	s.Keys("Enter")
	onRow(s, 21)
	s.Keys("g")
	onRow(s, 0)
	s.Keys("%")
	onRow(s, 43)
	s.Keys("%")
	onRow(s, 0)
}
