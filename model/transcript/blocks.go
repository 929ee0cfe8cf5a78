package transcript

import (
	"bytes"
	"errors"
	"io"
)

// blockSize is how much is read at a time: enough to keep a core busy for about a millisecond.
const blockSize = 1 << 20

// blocks cuts a text into blocks that each begin at a record's boundary. In
// valid JSON a closing brace, a newline and an opening brace never follow one
// another inside a value, so such a place is always a boundary.
type blocks struct {
	src    *source
	text   io.ReadCloser
	carry  []byte // read, but not yet given
	offset int64
	line   int
	done   bool
	cut    bool // the compressed data ended early
}

func (s *source) blocks() (*blocks, error) {
	text, err := s.reader()
	if err != nil {
		return nil, err
	}
	return &blocks{src: s, text: text, line: 1}, nil
}

// blockEnd is where a block ends.
type blockEnd struct {
	offset int64 // bytes of text up to there
	line   int   // 1-based line that begins there
	last   bool  // nothing followed
}

func (b stretch) end() blockEnd {
	return blockEnd{b.offset + int64(len(b.data)), b.line + bytes.Count(b.data, newline), b.last}
}

// next gives the next block; ok is false after the last one.
func (b *blocks) next() (blk stretch, ok bool, err error) {
	if b.done {
		return stretch{}, false, nil
	}
	size := blockSize
	if n := len(b.carry); n >= size/2 {
		size = 2 * n
	}
	buf := make([]byte, len(b.carry), size)
	copy(buf, b.carry)
	from := max(0, len(buf)-2)
	for {
		n, err := io.ReadFull(b.text, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		b.report()
		if errors.Is(err, errCutArchive) {
			b.cut, err = true, io.EOF
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			b.done = true
			if len(buf) == 0 && b.offset > 0 {
				return stretch{}, false, nil
			}
			return b.give(buf, len(buf)), true, nil
		}
		if err != nil {
			return stretch{}, false, err
		}
		if at := lastBoundary(buf, from); at > 0 {
			return b.give(buf, at), true, nil
		}
		if at := garbageEnd(buf); at > 0 {
			return b.give(buf, at), true, nil
		}
		if int64(len(buf)) > b.src.limits.Record {
			return stretch{}, false, b.src.largeRecord(b.line)
		}
		from = max(0, len(buf)-2)
		grown := make([]byte, len(buf), min(2*int64(cap(buf)), b.src.limits.Record+1))
		copy(grown, buf)
		buf = grown
	}
}

func (b *blocks) give(buf []byte, at int) stretch {
	blk := stretch{data: buf[:at:at], offset: b.offset, line: b.line, last: b.done}
	b.carry = buf[at:]
	b.offset += int64(at)
	b.line += bytes.Count(blk.data, newline)
	return blk
}

func (b *blocks) report() {
	if b.src.progress == nil {
		return
	}
	if t, ok := b.text.(*unpacked); ok {
		b.src.progress(min(t.stored(), max(b.src.size, t.stored())), b.src.size)
	}
}

func (b *blocks) close() { b.text.Close() }

// lastBoundary is the index of the last record's start in buf that lies behind from, or 0.
func lastBoundary(buf []byte, from int) int {
	for end := len(buf); end > from; {
		n := bytes.LastIndex(buf[from:end], []byte("\n{"))
		if n < 0 {
			return 0
		}
		at := from + n
		before := at
		if before > 0 && buf[before-1] == '\r' {
			before--
		}
		if before > 0 && buf[before-1] == '}' {
			return at + 1
		}
		end = at + 1
	}
	return 0
}

// garbageEnd is where text that is no record ends, at the start of buf, or 0
// when a record starts there. Without it a large file of something else would
// be held whole in search of a boundary.
func garbageEnd(buf []byte) int {
	i := skipSpace(buf, 0)
	if i < len(buf) && (buf[i] == '{' || buf[i] == '[' || bytes.HasPrefix(buf[i:], bom)) {
		return 0
	}
	if at := nextRecord(buf, i); at < len(buf) {
		return at
	}
	if at := bytes.LastIndexByte(buf, '\n'); at >= 0 {
		return at + 1
	}
	return len(buf)
}
