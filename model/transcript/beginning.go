package transcript

import (
	"context"
	"errors"
	"io"
)

// beginningOf is how many times larger than a beginning a file is at least: for
// less the whole is there as soon.
const beginningOf = 8

// ErrNoBeginning says that a file has to be read whole: it is small, or one
// document, or its format is not one of records.
var ErrNoBeginning = errors.New("there is nothing to look at before the whole file is read")

// Beginning reads the records in the first n bytes of a file's text as if nothing
// followed: something to look at while Open reads the rest. Subagents in files of
// their own are left out. It fails with ErrNoBeginning where there is no such
// thing, and otherwise as [Open] does.
func Beginning(ctx context.Context, path string, n int64, opt Options) (*File, error) {
	if path == "-" || isFolder(path) {
		return nil, ErrNoBeginning
	}
	src, err := newSource(ctx, path, Options{Limits: opt.Limits})
	switch {
	case err != nil:
		return nil, err
	case src.held != nil || src.size < beginningOf*n:
		return nil, ErrNoBeginning
	}
	text, err := src.reader()
	if err != nil {
		return nil, err
	}
	defer text.Close()
	head := make([]byte, n)
	if _, err := io.ReadFull(text, head); err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, ErrNoBeginning
	} else if err != nil {
		return nil, err
	}
	end := lastBoundary(head, 0)
	if end == 0 {
		return nil, ErrNoBeginning
	}
	part := &source{ctx: ctx, path: path, limits: src.limits, held: head[:end], size: int64(end)}
	f, err := open(part, path, Options{Format: opt.Format, Session: opt.Session, Branch: opt.Branch})
	if err != nil {
		return nil, err
	}
	f.src = nil // a beginning is not written back, and its text need not be held
	return f, nil
}
