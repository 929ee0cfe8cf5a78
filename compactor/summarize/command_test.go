//go:build unix

package summarize

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func command(line string) Command { return Command{Line: line, Timeout: 20 * time.Second} }

func TestCommand(t *testing.T) {
	req := request(work())
	req.Prompt = "PROMPT"
	for _, c := range []struct{ name, line, want string }{
		{"reads prompt and transcript", "cat", "PROMPT\n\n<transcript>\n[user]\nThe nightly"},
		{"need not read its input", "echo short", "short\n"},
		{"may say nothing", "true", ""},
		{"standard error is not the summary", "echo noise >&2; echo sum", "sum\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := command(c.line).Summarize(context.Background(), req)
			if err != nil || !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
				t.Errorf("got %.80q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func TestCommandFails(t *testing.T) {
	for _, c := range []struct{ name, line, says string }{
		{"exit code and standard error", "echo half a summary; echo no model loaded >&2; exit 3", "exit code 3: no model loaded"},
		{"nothing on standard error", "exit 4", "exit code 4"},
		{"no such command", "no-such-program-anywhere", "exit code 127"},
		{"the end of a long complaint", "i=0; while [ $i -lt 400 ]; do echo chatter >&2; i=$((i+1)); done; echo the reason >&2; exit 1", "chatter the reason"},
		{"killed", "kill -9 $$", "signal: killed"},
		{"endless output", "head -c 3000000 /dev/zero", "more than 1 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := command(c.line).Summarize(context.Background(), request(work()))
			if err == nil || !strings.Contains(err.Error(), c.says) || got != "" {
				t.Errorf("got %.80q, %v; want an error that says %q", got, err, c.says)
			}
			if err != nil && len(err.Error()) > 1000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestCommandTimesOut(t *testing.T) {
	_, err := Command{Line: "echo loading >&2; sleep 60", Timeout: 200 * time.Millisecond}.Summarize(context.Background(), request(work()))
	if err == nil || !strings.Contains(err.Error(), "no summary within 200ms: loading") {
		t.Errorf("got %v", err)
	}
}

// Cancelling ends the command's children too.
func TestCommandIsCancelledAsAGroup(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := command("sleep 60 & echo $! >"+pidFile+".new; mv "+pidFile+".new "+pidFile+"; wait").Summarize(ctx, request(work()))
		done <- err
	}()
	pid := 0
	for deadline := time.Now().Add(20 * time.Second); pid == 0; time.Sleep(5 * time.Millisecond) {
		if raw, err := os.ReadFile(pidFile); err == nil {
			pid, _ = strconv.Atoi(strings.TrimSpace(string(raw)))
		}
		if time.Now().After(deadline) {
			t.Fatal("the command never started")
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it cancelled", err)
	}
	for deadline := time.Now().Add(20 * time.Second); alive(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the child %d is still there", pid)
		}
	}
}

// alive reports whether a process runs; one that has ended and waits to be
// collected does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
