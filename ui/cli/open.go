package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"cinch/fixtures"
	"cinch/model"
	"cinch/model/transcript"
)

// open reads the file that an argument names: a path, - for standard input, or
// a lesson. The knobs come back with the lesson's own.
func (a *app) open(ctx context.Context, path string, k *knobs) (*transcript.File, *knobs, error) {
	return a.openWith(ctx, path, k, nil)
}

// openWith is open with somebody to tell how far the reading is, in bytes.
func (a *app) openWith(ctx context.Context, path string, k *knobs, progress func(done, total int64)) (*transcript.File, *knobs, error) {
	var lesson *fixtures.Lesson
	if strings.HasPrefix(path, fixtures.Prefix) {
		l, err := findLesson(path)
		if err != nil {
			return nil, nil, err
		}
		if k, err = k.withLesson(l); err != nil {
			return nil, nil, err
		}
		lesson = &l
	}
	k, err := k.withPolicy()
	if err != nil {
		return nil, nil, err
	}
	opt := k.reading()
	opt.Progress = progress
	var f *transcript.File
	switch {
	case lesson != nil:
		f, err = transcript.Read(ctx, path, bytes.NewReader(lesson.Data()), opt)
	case path == "-":
		f, err = transcript.Read(ctx, path, until(ctx, a.in), opt)
	default:
		if f, err = transcript.Open(ctx, path, opt); err != nil {
			err = a.mistyped(path, err)
		}
	}
	return f, k, err
}

// until is a reader that ends with the context, even while nothing comes.
func until(ctx context.Context, in io.Reader) io.Reader {
	r, w := io.Pipe()
	context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(w, in)
		w.CloseWithError(err)
	}()
	return r
}

// mistyped adds what was meant, where a file that does not exist looks like a
// command or a lesson.
func (a *app) mistyped(path string, err error) error {
	if _, missing := os.Stat(path); missing == nil || !os.IsNotExist(missing) {
		return err
	}
	var names []string
	for _, c := range a.root().Commands() {
		names = append(names, c.Name())
	}
	if near := nearest(path, names); near != "" {
		return fmt.Errorf("%w; did you mean `cinch %s`?", err, near)
	}
	if _, ok := fixtures.Lookup(path); ok {
		return fmt.Errorf("%w; did you mean %s%s?", err, fixtures.Prefix, path)
	}
	return err
}

// findLesson finds a bundled conversation by its name, with or without lesson:.
func findLesson(name string) (fixtures.Lesson, error) {
	if l, ok := fixtures.Lookup(name); ok {
		return l, nil
	}
	var names []string
	for _, l := range fixtures.Lessons() {
		names = append(names, l.Name)
	}
	near := nearest(strings.TrimPrefix(name, fixtures.Prefix), names)
	if near == "" {
		return fixtures.Lesson{}, fmt.Errorf("no lesson %q: see `cinch lessons`", strings.TrimPrefix(name, fixtures.Prefix))
	}
	return fixtures.Lesson{}, fmt.Errorf("no lesson %q: did you mean %s%s?", strings.TrimPrefix(name, fixtures.Prefix), fixtures.Prefix, near)
}

// mostWarnings is how many odd places of a file are named one by one.
const mostWarnings = 5

// warn tells what was odd about a file and has been read around.
func (a *app) warn(f *transcript.File) {
	all := append([]model.Warning(nil), f.Warnings...)
	if f.Selected != nil {
		for _, w := range f.Selected.Warnings {
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	for i, w := range all {
		if i == mostWarnings {
			fmt.Fprintf(a.err, "cinch: %s: %s more like these\n", oneLine(f.Path), plural(len(all)-i, "warning"))
			return
		}
		place := f.Path
		if w.Line > 0 {
			place = fmt.Sprintf("%s:%d", place, w.Line)
			if w.Col > 0 {
				place = fmt.Sprintf("%s:%d", place, w.Col)
			}
		}
		times := ""
		if w.N > 1 {
			times = fmt.Sprintf(" (%d times)", w.N)
		}
		fmt.Fprintf(a.err, "cinch: %s: %s%s\n", oneLine(place), oneLine(w.Text), times)
	}
}
