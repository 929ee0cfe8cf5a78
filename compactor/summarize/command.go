package summarize

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"cinch/compactor/ladder"
)

// Command is a program of the user's own: the prompt and the transcript on
// standard input, the summary on standard output.
type Command struct {
	Line    string        // handed to the shell
	Timeout time.Duration // of one summary, 0 for none
}

// How much of a command's output is taken, in bytes.
const (
	maxSummary = 1 << 20
	maxStderr  = 500
)

func (c Command) String() string   { return "cmd:" + c.Line }
func (c Command) Receiver() string { return c.Line }

// Payload is what the command reads: the prompt, an empty line, the transcript.
func (c Command) Payload(req ladder.Request) string {
	return req.Prompt + "\n\n" + enclosed(req)
}

// Summarize runs the command. A command that fails, takes too long or writes
// more than a summary can be is an error that says what it wrote to standard
// error. Cancelling ends the command and everything it has started.
func (c Command) Summarize(ctx context.Context, req ladder.Request) (string, error) {
	run := ctx
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		run, cancel = context.WithTimeout(ctx, c.Timeout)
		defer cancel()
	}
	cmd := shell(run, c.Line)
	cmd.Stdin = strings.NewReader(c.Payload(req))
	out, stderr := &head{max: maxSummary}, &tail{max: maxStderr}
	cmd.Stdout, cmd.Stderr = out, stderr
	cmd.WaitDelay = time.Second // a child that keeps the pipe open is not waited for
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case run.Err() != nil:
		return "", fmt.Errorf("the command %q gave no summary within %s%s", c.Line, c.Timeout, stderr)
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return "", fmt.Errorf("the command %q ended with exit code %d%s", c.Line, exit.ExitCode(), stderr)
	case err != nil:
		return "", fmt.Errorf("the command %q failed: %w%s", c.Line, err, stderr)
	case out.over:
		return "", fmt.Errorf("the command %q wrote more than 1 MiB, which is no summary", c.Line)
	}
	return out.kept.String(), nil
}

// head keeps the first bytes written to it and swallows the rest.
type head struct {
	kept bytes.Buffer
	max  int
	over bool
}

func (h *head) Write(p []byte) (int, error) {
	n := len(p)
	if room := h.max - h.kept.Len(); n > room {
		h.over = true
		p = p[:room]
	}
	h.kept.Write(p)
	return n, nil
}

// tail keeps the last bytes written to it, which is where a program says what
// went wrong.
type tail struct {
	last []byte
	max  int
	cut  bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.last = append(t.last, p...)
	if n := len(t.last) - t.max; n > 0 {
		t.last, t.cut = append(t.last[:0], t.last[n:]...), true
	}
	return len(p), nil
}

// String is what was kept, in one line and ready to follow an error.
func (t *tail) String() string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(t.last), "")), " ")
	if s == "" {
		return ""
	}
	if t.cut {
		s = "…" + s
	}
	return ": " + s
}
