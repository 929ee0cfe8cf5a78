package transcript

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Follow opens a file that is still being written and opens it anew whenever it
// has changed: seen gets what it holds, or why it cannot be read just now (it is
// being replaced, or nothing was said in it yet). It goes on until the context
// ends and returns the context's error. Growing, truncated, replaced and
// half-written files are all the same to it. Of a file of lines that has only
// grown, what was read of it is kept and only what is new is read; any other is
// read anew, and a long session is read at most a third of the time.
func Follow(ctx context.Context, path string, opt Options, seen func(*File, error)) error {
	if path == "-" {
		return &Error{Path: path, Text: "standard input cannot be followed: name the session's file"}
	}
	return follower{path: path, opt: opt, seen: seen, poll: 2 * time.Second, rest: 100 * time.Millisecond, watch: watchFolder}.run(ctx)
}

type follower struct {
	path string
	opt  Options
	seen func(*File, error)

	poll  time.Duration // how often to look without being told to
	rest  time.Duration // the least time between two readings
	watch func(path string) (changes <-chan fsnotify.Event, stop func())
}

// watchFolder reports what happens in the folder of a file, so that a file
// that is replaced is still seen. Where the system cannot watch, polling remains.
func watchFolder(path string) (<-chan fsnotify.Event, func()) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, func() {}
	}
	if err := w.Add(filepath.Dir(path)); err != nil {
		w.Close()
		return nil, func() {}
	}
	go func() {
		for range w.Errors { // an overflow loses events: polling makes up for it
		}
	}()
	return w.Events, func() { w.Close() }
}

func (f follower) run(ctx context.Context) error {
	changes, stop := f.watch(f.path)
	defer stop()
	tick := time.NewTicker(f.poll)
	defer tick.Stop()
	var last state
	f.opt.earlier = &earlier{}
	for first := true; ; first = false {
		// Taken before reading: what is written meanwhile is a change again.
		if now := stateOf(f.path); first || !now.same(last) {
			last = now
			begun := time.Now()
			file, err := Open(ctx, f.path, f.opt)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			f.seen(file, err)
			pause(ctx, max(f.rest, 2*time.Since(begun)))
		}
		for told := false; !told; {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-tick.C:
				told = true
			case e, ok := <-changes:
				if !ok {
					changes = nil
				}
				told = ok && filepath.Base(e.Name) == filepath.Base(f.path)
			}
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// state is what tells one version of a file from another without reading it.
type state struct {
	info os.FileInfo // nil while there is no file
}

func stateOf(path string) state {
	info, err := os.Stat(path)
	if err != nil {
		return state{}
	}
	return state{info}
}

func (s state) same(t state) bool {
	if s.info == nil || t.info == nil {
		return s.info == nil && t.info == nil
	}
	return s.info.Size() == t.info.Size() && s.info.ModTime().Equal(t.info.ModTime()) && os.SameFile(s.info, t.info)
}
