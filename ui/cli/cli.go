// Package cli is the command line: each command asks the question that a screen
// of the inspector asks, and prints the answer as text for people or as JSON for
// programs. Results go to stdout and everything else to stderr.
package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"cinch/ui"
	"cinch/ui/draw"
)

// Exit codes.
const (
	fine   = 0
	failed = 1 // a check failed
	wrong  = 2 // wrong usage, unreadable input or policy
)

// errFailed ends a command whose check failed. What failed has been printed.
var errFailed = errors.New("the check failed")

// errTold ends a command with exit code 2 whose errors have been told already.
var errTold = errors.New("told already")

// app is the world a command runs in.
type app struct {
	in     io.Reader
	out    *bufio.Writer
	err    io.Writer
	getenv func(string) string

	screen   *os.File // stdout, where it is a file
	terminal bool     // whether stdout is a terminal
	width    int      // cells of a line of text
	ascii    bool     // whether text has to do with ASCII

	inspecting atomic.Bool // whether the inspector has the terminal
}

// Main runs cinch with the arguments that follow the program's name and returns
// its exit code.
func Main(args []string) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	a := &app{in: os.Stdin, out: bufio.NewWriterSize(os.Stdout, 64<<10), err: os.Stderr, getenv: os.Getenv, screen: os.Stdout, width: textWidth}
	go func() {
		s := <-signals
		signal.Stop(signals) // a second one ends what does not listen
		if a.inspecting.Load() {
			return // it has a terminal to put in order, and listens itself
		}
		why := &ui.Interrupted{Signal: s.(syscall.Signal)}
		cancel(why)
		time.Sleep(grace)
		os.Exit(why.ExitCode()) // it waits for a pipe, or is deep in a file
	}()
	// A reader that has seen enough is no failure: with the signal taken, a
	// write to a closed pipe is an error like any other, and is let pass below.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	if fd := os.Stdout.Fd(); term.IsTerminal(fd) {
		a.terminal = true
		if w, _, err := term.GetSize(fd); err == nil && w > 0 {
			a.width = w
		}
	} else if w, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && w > 0 {
		a.width = w
	}
	a.ascii = a.set(&look{}) == draw.ASCII
	return a.main(ctx, args)
}

// grace is how long a command that is told to end may take to end well.
const grace = 300 * time.Millisecond

// textWidth is how wide text is laid out where there is no terminal to ask.
const textWidth = 100

func (a *app) main(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if flushed := a.out.Flush(); err == nil || errors.Is(err, errFailed) && flushed != nil && !errors.Is(flushed, syscall.EPIPE) {
		err = flushed
	}
	return a.ended(ctx, err)
}

// ended tells why a command ended and gives its exit code.
func (a *app) ended(ctx context.Context, err error) int {
	var interrupted *ui.Interrupted
	var fault *ui.Panic
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return fine
	case errors.Is(err, errFailed):
		return failed
	case errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &interrupted), errors.As(err, &interrupted):
		return interrupted.ExitCode()
	case errors.As(err, &fault):
		fmt.Fprintf(a.err, "cinch: %v\n\n%s\n", fault, fault.Stack)
		return wrong
	case errors.Is(err, errTold):
		return wrong
	}
	fmt.Fprintf(a.err, "cinch: %s\n", oneLine(err.Error()))
	return wrong
}

// command completes what every command has in common.
func (a *app) command(c *cobra.Command) *cobra.Command {
	c.SilenceErrors, c.SilenceUsage = true, true
	c.DisableFlagsInUseLine = true
	c.SetFlagErrorFunc(flagError)
	return c
}
