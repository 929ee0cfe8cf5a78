package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"

	"cinch/ui/draw"
)

// ErrNoTerminal is for a start without a terminal to draw on or to take keys from.
var ErrNoTerminal = errors.New("no terminal to take keys from: --plain prints the answer without one, --json prints it for programs")

// Interrupted is the end of the inspector by a signal.
type Interrupted struct{ Signal syscall.Signal }

func (e *Interrupted) Error() string { return "ended by " + e.Signal.String() }

// ExitCode is what a program ended by the signal exits with: 128 and the signal's number.
func (e *Interrupted) ExitCode() int { return 128 + int(e.Signal) }

// Drawable reports whether the inspector can draw on f: it is a terminal, and
// one that can move its cursor. Where it cannot, the plan is to be printed instead.
func Drawable(f *os.File) bool {
	return f != nil && term.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}

// Run shows the inspector until the user quits or ctx ends. It gives
// ErrNoTerminal without a terminal, *Interrupted after a signal, and *Panic,
// with the stack, after a fault; in each case the terminal is in order again.
// What the user kept with Y is printed to o.Out at the end.
func Run(ctx context.Context, o Options) error {
	if !Drawable(o.Out) {
		return ErrNoTerminal
	}
	keys, done, err := keyboard(o.In)
	if err != nil {
		return err
	}
	defer done()
	light := false
	if o.Theme == "" || o.Theme == "auto" {
		light = isLight(keys, o.Out)
	}
	look, err := chooseLook(o, light)
	if err != nil {
		return err
	}

	out := newScreenWriter(o.Out)
	r := newRoot(ctx, o, look, out)
	defer r.cancel()
	if _, err := r.remap(o.Keys); err != nil {
		return err
	}
	if w, h, err := term.GetSize(o.Out.Fd()); err == nil {
		r.resize(w, h)
	}
	thin := &coalescer{now: time.Now, later: func(d time.Duration, f func()) { time.AfterFunc(d, f) }}
	g := &guard{Model: r}
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithAltScreen(), tea.WithInput(keys), tea.WithOutput(out),
		tea.WithFilter(thin.filter), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(),
	}
	if r.mouseOn {
		options = append(options, tea.WithMouseCellMotion())
	}
	p := tea.NewProgram(g, options...)
	g.quit, thin.send = p.Quit, p.Send

	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	ended, by := make(chan struct{}), make(chan os.Signal, 1)
	go func() {
		select {
		case s := <-signals:
			by <- s
			p.Kill()
		case <-ended:
		}
		close(by)
	}()
	_, err = p.Run()
	close(ended)
	sig, ok := <-by
	if !ok { // the context may have ended for the same reason, and sooner
		select {
		case sig = <-signals:
		default:
		}
	}

	switch {
	case g.caught != nil:
		return g.caught
	case sig != nil:
		return &Interrupted{sig.(syscall.Signal)}
	case err != nil && !errors.Is(err, tea.ErrProgramKilled):
		return fmt.Errorf("the terminal: %w", err)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	for _, text := range r.kept {
		fmt.Fprintln(o.Out, text)
	}
	return nil
}

// keyboard is where keys come from: in, or the controlling terminal when in is
// a file or a pipe.
func keyboard(in *os.File) (keys *os.File, done func(), err error) {
	if in != nil && term.IsTerminal(in.Fd()) {
		return in, func() {}, nil
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, nil, ErrNoTerminal
	}
	return tty, func() { tty.Close() }, nil
}

// chooseLook resolves the theme's name for what the terminal can show.
func chooseLook(o Options, light bool) (*draw.Look, error) {
	name := o.Theme
	switch {
	case (name == "" || name == "auto") && light:
		name = draw.Light.String()
	case name == "" || name == "auto":
		name = draw.Dark.String()
	}
	theme, err := draw.ParseTheme(name)
	if err != nil {
		return nil, err
	}
	return draw.NewLook(theme, o.Profile, o.Glyphs), nil
}
