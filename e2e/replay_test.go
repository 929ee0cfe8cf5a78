//go:build e2e

package e2e

import (
	"testing"

	"cinch/e2e/tmux"
)

// replay opens a lesson on the Replay screen.
func replay(t *testing.T, lesson, shows string) *tmux.Screen {
	t.Helper()
	s := terminal(t, 120, 36)
	s.Command("cinch lesson:%s", lesson)
	s.Wait(`1 pass`)
	s.Keys("2")
	s.Wait(shows)
	return s
}

// TestReplaySeek: keys and clicks move the cursor over the calls.
func TestReplaySeek(t *testing.T) {
	s := replay(t, "demo", `call 30/30`)
	s.Keys("0")
	s.Wait(`call 1/30`)
	s.Keys("l", "l")
	s.Wait(`call 3/30`)
	s.Keys("]")
	s.Wait(`call 26/30`)
	s.Wait(`cache broken from`)
	x, y := s.Find("▼")
	s.Click(x-40, y-2)
	s.WaitGone(`call 26/30`)
	s.Click(x, y-2)
	s.Wait(`call 26/30`)
}

// TestReplayStep: the pass at the cursor is told role by role.
func TestReplayStep(t *testing.T) {
	s := replay(t, "demo", `call 30/30`)
	s.Keys("0", "]", "s")
	s.Wait(`1/\d+  the machine`)
	s.Keys("s")
	s.Wait(`2/\d+  the driver`)
	s.Keys("b")
	s.Wait(`1/\d+  the machine`)
	s.Keys("Escape")
	s.WaitGone(`the machine`)
}

// TestReplayPlay: the cursor moves by itself, and stops when it is told to.
func TestReplayPlay(t *testing.T) {
	s := replay(t, "demo", `call 30/30`)
	s.Keys("0", "Space", "+", "+", "+", "+")
	s.Wait(`playing`)
	s.Wait(`call 30/30`)
	s.WaitGone(`playing`)
}

// TestReplayFailure: why a run ends is said, and the change that is offered saves it.
func TestReplayFailure(t *testing.T) {
	s := replay(t, "second-pass", `ContextExceeded\{used`)
	s.Wait(`is the smallest`)
	s.Keys("x")
	s.Wait(`^ set  1 `)
	s.Keys("1")
	s.WaitGone(`the run fails`)
	s.Keys("u", "h")
	s.Wait(`ContextExceeded\{used`)
}

// TestReplaySearch: what was dropped is found as well.
func TestReplaySearch(t *testing.T) {
	s := replay(t, "demo", `call 30/30`)
	s.Keys("/")
	s.Type("strikes again")
	s.Keys("Enter")
	s.Wait(`1/1`)
	s.Wait(`no longer sent`)
}
