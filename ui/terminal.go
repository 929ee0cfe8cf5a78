package ui

import (
	"encoding/base64"
	"io"
	"os"
	"strings"
	"sync"
)

// screenWriter is the one way to the terminal: frames and clipboard sequences
// come from different goroutines and must not be mixed. A frame is wrapped in a
// synchronised update, which keeps terminals that know it from showing half of
// one; the others ignore it. It still is the file, so Bubble Tea finds its size.
type screenWriter struct {
	*os.File
	frames
}

// frames does the writing, apart from the file, so that tests can look at it.
type frames struct {
	mu   sync.Mutex
	to   io.Writer
	bare bool // no synchronised updates
}

const (
	syncBegin = "\x1b[?2026h"
	syncEnd   = "\x1b[?2026l"
	syncFrom  = 256 // bytes: a shorter write is on the screen at once anyway
)

func newScreenWriter(f *os.File) *screenWriter {
	return &screenWriter{f, frames{to: f, bare: os.Getenv("CINCH_NO_SYNC") != ""}}
}

// Write sends one frame, or a control sequence, in one piece.
func (w *screenWriter) Write(p []byte) (int, error) { return w.frames.Write(p) }

func (w *frames) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.bare || len(p) < syncFrom {
		return w.to.Write(p)
	}
	whole := make([]byte, 0, len(p)+len(syncBegin)+len(syncEnd))
	whole = append(append(append(whole, syncBegin...), p...), syncEnd...)
	n, err := w.to.Write(whole)
	return min(max(n-len(syncBegin), 0), len(p)), err
}

// clipLimit is how much some terminals take in one clipboard sequence, in bytes.
const clipLimit = 74_000

// screenChunk is how much GNU screen passes on at a time, in bytes.
const screenChunk = 768

// clipboardSequence asks the terminal to put text on the clipboard (OSC 52).
// GNU screen only passes it on in small pieces; everywhere else it goes as it is.
func clipboardSequence(text string, getenv func(string) string) string {
	seq := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
	if getenv("STY") == "" {
		return seq
	}
	var b strings.Builder
	for len(seq) > 0 {
		n := min(len(seq), screenChunk)
		b.WriteString("\x1bP" + seq[:n] + "\x1b\\")
		seq = seq[n:]
	}
	return b.String()
}
