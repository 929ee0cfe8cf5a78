// Package policy reads and writes the settings of both engines as files: TOML
// and JSON in, and out again, beside what loopctl and drover are set up with in
// code. A drover compaction object pasted as JSON is a policy as it is.
package policy

import (
	"fmt"
	"io"
	"os"

	"cinch/compactor"
	"cinch/compactor/ladder"
)

// The engines a policy can be for.
const (
	Truncating = "truncating"
	Ladder     = "ladder"
)

// Engines lists them.
var Engines = []string{Truncating, Ladder}

// Policy is one engine's settings. What a file does not name has the engine's
// default; a ladder has none but these: window, counter.
type Policy struct {
	Engine  string
	Window  int64  // context window in tokens, 0 for that of the conversation's model
	Counter string // a counter's name, "" for the engine's own

	Truncating compactor.Policy // with Window as above
	Ladder     ladder.Policy

	given map[string]bool
}

// New is an engine's policy with nothing given.
func New(engine string) *Policy {
	p := &Policy{Engine: engine, Truncating: compactor.DefaultPolicy(), given: map[string]bool{}}
	p.Truncating.Window = 0
	return p
}

// Given reports whether the file named a field: threshold, window, counter …
// What it did not name a flag's default or the conversation's model decides.
func (p *Policy) Given(field string) bool { return p.given[field] }

// Error is a policy that cannot be used, with the place in its file.
type Error struct {
	Path      string
	Line, Col int // 1-based, columns in characters
	Err       error
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d:%d: %v", e.Path, e.Line, e.Col, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// Load reads a policy from a file.
func Load(path string) (*Policy, error) {
	raw, err := Read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, raw)
}

// most is how many bytes a file of settings may have.
const most = 1 << 20

// Read reads a file of settings, which is refused when it is longer than any can be.
func Read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && len(raw) > most {
		err = fmt.Errorf("%s: more than 1 MiB, the most that a file of settings may have: is it the session?", path)
	}
	return raw, err
}

// Parse reads a policy; path is what errors call it. The text says itself
// whether it is JSON or TOML. What is wrong with it gives an *[Error].
func Parse(path string, raw []byte) (*Policy, error) {
	read := readTOML
	if isJSON(raw) {
		read = readJSON
	}
	root, err := read(raw)
	if err == nil {
		var p *Policy
		if p, err = bind(root); err == nil {
			return p, nil
		}
	}
	if at, ok := err.(*fault); ok {
		line, col := position(raw, at.offset)
		return nil, &Error{path, line, col, at.err}
	}
	return nil, &Error{path, 1, 1, err}
}
