package transcript

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// source is where a document's bytes come from. It can be opened more than once.
type source struct {
	ctx      context.Context
	path     string
	limits   Limits
	progress func(done, total int64)

	earlier *earlier // of the reading before, where a file is followed
	held    []byte   // what a pipe gave, kept because it cannot be read twice
	size    int64    // bytes as stored, 0 when not known beforehand
}

// newSource looks at what path names. Pipes are read to their end at once.
func newSource(ctx context.Context, path string, opt Options) (*source, error) {
	s := &source{ctx: ctx, path: path, limits: opt.Limits.withDefaults(), progress: opt.Progress, earlier: opt.earlier}
	if path == "-" {
		return s, s.hold(os.Stdin)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, &Error{Path: path, Text: plain(err)}
	case info.IsDir():
		return s, nil
	case info.Mode().IsRegular():
		s.size = info.Size()
		return s, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{Path: path, Text: plain(err)}
	}
	defer f.Close()
	return s, s.hold(f)
}

// plain is an operating system's error without the path and call it names.
func plain(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "no permission to read it"
	}
	return err.Error()
}

// hold reads a pipe to its end.
func (s *source) hold(r io.Reader) error {
	var pieces [][]byte // each twice the last up to a size, so that none is copied to grow
	piece := make([]byte, 0, 256<<10)
	for {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if len(piece) == cap(piece) {
			pieces = append(pieces, piece)
			piece = make([]byte, 0, min(2*cap(piece), 16<<20))
		}
		n, err := r.Read(piece[len(piece):cap(piece)])
		piece = piece[:len(piece)+n]
		s.size += int64(n)
		if s.size > s.limits.Pipe {
			return &Error{Path: s.path, Text: fmt.Sprintf("more than %s came through the pipe (the limit): write it to a file first, or raise the limit with --max-size", bytesText(s.limits.Pipe))}
		}
		if s.progress != nil && n > 0 {
			s.progress(s.size, 0)
		}
		if err == io.EOF {
			if s.held = bytes.Join(append(pieces, piece), nil); s.held == nil {
				s.held = []byte{} // nil is for what is not held
			}
			return nil
		}
		if err != nil && s.ctx.Err() == nil {
			return &Error{Path: s.path, Text: plain(err)}
		}
	}
}

// reader gives the text: decompressed and as UTF-8.
func (s *source) reader() (io.ReadCloser, error) {
	var raw io.ReadCloser
	var at io.ReaderAt
	if s.held != nil {
		r := bytes.NewReader(s.held)
		raw, at = io.NopCloser(r), r
	} else {
		f, err := os.Open(s.path)
		if err != nil {
			return nil, &Error{Path: s.path, Text: plain(err)}
		}
		raw, at = f, f
	}
	t := &unpacked{source: s, file: raw}
	if err := t.open(at); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// unpacked reads a source's text and keeps its limits.
type unpacked struct {
	source  *source
	file    io.Closer
	counts  *counting // bytes as stored
	r       io.Reader
	close   []func()
	packed  bool
	recoded bool // it was UTF-16
	given   int64
	zip     bool
}

type counting struct {
	r io.Reader
	n int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// open undoes the wrappers it finds: zip, gzip, zstd, UTF-16.
func (t *unpacked) open(at io.ReaderAt) error {
	t.counts = &counting{r: io.NewSectionReader(at, 0, 1<<62)}
	t.r = t.counts
	for range 4 {
		in := bufio.NewReaderSize(t.r, 64<<10)
		head, _ := in.Peek(4)
		t.r = in
		switch {
		case bytes.HasPrefix(head, []byte("PK\x03\x04")) && !t.packed:
			return t.openZip(at)
		case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
			z, err := gzip.NewReader(in)
			if err != nil {
				return t.fail("damaged gzip file: " + err.Error())
			}
			t.r, t.packed = z, true
		case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
			z, err := newZstd(in)
			if err != nil {
				return t.fail("damaged zstd file: " + err.Error())
			}
			t.close = append(t.close, z.Close)
			t.r, t.packed = z, true
		case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
			t.r, t.recoded = transform.NewReader(in, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()), true
			return nil
		case !t.packed && t.source.size > t.source.limits.File && !bytes.HasPrefix(head, []byte("SQL")):
			return t.source.tooLarge() // not worth the wait; databases are read in place
		default:
			return nil
		}
	}
	return t.fail("compressed more than four times over: unpack it first")
}

// openZip reads the JSON files of an archive one after the other.
func (t *unpacked) openZip(at io.ReaderAt) error {
	archive, err := zip.NewReader(at, t.source.size)
	if err != nil {
		return t.fail("damaged zip file: " + err.Error())
	}
	archive.RegisterDecompressor(zipZstd, func(r io.Reader) io.ReadCloser {
		z, err := newZstd(r)
		if err != nil {
			return io.NopCloser(failing{err})
		}
		return z.IOReadCloser()
	})
	var files []*zip.File
	for _, f := range archive.File {
		if ext := strings.ToLower(filepath.Ext(f.Name)); ext == ".json" || ext == ".jsonl" {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return t.fail("the zip file holds no .json or .jsonl file")
	}
	// What describes the whole stands at the root and comes first.
	sort.SliceStable(files, func(i, j int) bool {
		return strings.Count(files[i].Name, "/") < strings.Count(files[j].Name, "/")
	})
	t.r, t.packed, t.zip = &entries{files: files}, true, true
	return nil
}

// newZstd decompresses, with a window that no stream makes large at will.
func newZstd(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(256<<20))
}

const zipZstd = 93 // the zip specification's number for zstd

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// entries reads the files of an archive one after the other, each on lines of its own.
type entries struct {
	files []*zip.File
	open  io.ReadCloser
	ended bool // a file has just ended: its newline is due
}

func (e *entries) Read(p []byte) (int, error) {
	for {
		if e.ended && len(p) > 0 {
			e.ended = false
			p[0] = '\n'
			return 1, nil
		}
		if e.open == nil {
			if len(e.files) == 0 {
				return 0, io.EOF
			}
			r, err := e.files[0].Open()
			if err != nil {
				return 0, fmt.Errorf("%s: %w", e.files[0].Name, err)
			}
			e.open, e.files = r, e.files[1:]
		}
		n, err := e.open.Read(p)
		if err == io.EOF {
			e.open.Close()
			e.open, e.ended, err = nil, true, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// beyond is the error for a source of which too much was given: in all, or of
// what was compressed, for the bytes that stand for it.
func (s *source) beyond(given, expanded, stored int64) error {
	switch l := s.limits; {
	case given > l.File:
		return s.tooLarge()
	case expanded > 64<<20 && expanded/max(stored, 1) > l.Ratio:
		return s.fail(fmt.Sprintf("expands to more than %d times its size (the limit): if it is not a bomb, give --max-size with the size it may have", l.Ratio))
	}
	return nil
}

func (s *source) tooLarge() error {
	return s.fail(fmt.Sprintf("larger than %s (the limit for a file, after decompression): raise the limit with --max-size", bytesText(s.limits.File)))
}

// largeRecord is the error for a record beyond its limit, on a line or, where there
// are none, on line 0.
func (s *source) largeRecord(line int) error {
	return &Error{Path: s.path, Line: line, Text: fmt.Sprintf("a record is larger than %s (the limit): raise the limit with --max-size", bytesText(s.limits.Record))}
}

func (s *source) fail(message string) error { return &Error{Path: s.path, Text: message} }

func (t *unpacked) fail(message string) error { return t.source.fail(message) }

func (t *unpacked) Read(p []byte) (int, error) {
	if err := t.source.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := t.r.Read(p)
	t.given += int64(n)
	expanded := t.given
	if !t.packed {
		expanded = 0
	}
	if err := t.source.beyond(t.given, expanded, t.stored()); err != nil {
		return 0, err
	}
	if err != nil && err != io.EOF {
		var mine *Error
		if errors.As(err, &mine) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return n, err
		}
		if t.packed {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return n, errCutArchive
			}
			return n, t.fail("damaged compressed file: " + err.Error())
		}
		return n, t.fail(plain(err))
	}
	return n, err
}

// errCutArchive says that compressed data ended early; what was there is read.
var errCutArchive = errors.New("the compressed data ends early")

// stored is the number of stored bytes read so far.
func (t *unpacked) stored() int64 {
	if t.zip {
		return t.source.size
	}
	return t.counts.n
}

func (t *unpacked) Close() error {
	for _, c := range t.close {
		c()
	}
	return t.file.Close()
}

// bytesText writes a size for people.
func bytesText(n int64) string {
	for _, u := range []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
