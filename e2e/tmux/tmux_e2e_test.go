//go:build e2e

package tmux

import (
	"strings"
	"testing"
)

// TestDriver: the driver itself, on programs that are always there.
func TestDriver(t *testing.T) {
	s := Start(t, 60, 12)
	defer s.Close()
	s.Command("echo one $((1+1)); pwd")
	s.Wait(`^one 2$`)
	if text := s.Text(); !strings.Contains(text, "/home") {
		t.Errorf("the shell is not at home:\n%s", text)
	}
	s.Command("false")
	s.Wait(`^\[1\]\$`)
	s.Command(`printf '\033[31mred\033[0m\n'`)
	s.Wait(`^red$`)
	if !strings.Contains(s.Colour(), "\x1b[31mred") {
		t.Errorf("the capture has no colour: %q", s.Colour())
	}
	s.Command("cat -v")
	s.Click(2, 3)
	s.Wait(`\^\[\[<0;3;4M\^\[\[<0;3;4m`)
	s.Keys("C-d", "C-d")
	s.Resize(80, 20)
	s.Command("clear; stty size")
	s.Wait(`^20 80$`)
	if x, y := s.Find("80"); x != 3 || y != 0 {
		t.Errorf("80 stands at %d,%d", x, y)
	}
}
