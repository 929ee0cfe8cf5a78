package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cinch/fixtures"
)

// mostRecent is how many files opened last are remembered.
const mostRecent = 50

// recents is the list of files opened last: their paths, one a line, the newest
// first. It is all that cinch ever writes by itself.
type recents struct {
	path string // "" remembers nothing
}

// recents is where the list of recent files is kept: under the XDG state folder,
// or nowhere when that was turned off.
func (a *app) recents(off bool) recents {
	if off {
		return recents{}
	}
	state := a.getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // as the XDG rules want it
		home := a.getenv("HOME")
		if home == "" {
			return recents{}
		}
		state = filepath.Join(home, ".local", "state")
	}
	return recents{filepath.Join(state, "cinch", "recent")}
}

// list names the files opened last, the newest first.
func (r recents) list() []string {
	if r.path == "" {
		return nil
	}
	b, err := os.ReadFile(r.path)
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSuffix(line, "\n"); filepath.IsAbs(line) && len(out) < mostRecent {
			out = append(out, line)
		}
	}
	return out
}

// add puts a file at the head of the list. That it could not be written is not
// worth a word: nothing but convenience is lost.
func (r recents) add(path string) {
	if r.path == "" || path == "-" || strings.HasPrefix(path, fixtures.Prefix) || strings.ContainsAny(path, "\n") {
		return
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return
	}
	list := slices.DeleteFunc(r.list(), func(p string) bool { return p == path })
	list = append([]string{path}, list...)
	text := strings.Join(list[:min(len(list), mostRecent)], "\n") + "\n"
	if os.MkdirAll(filepath.Dir(r.path), 0o700) != nil {
		return
	}
	next, err := os.CreateTemp(filepath.Dir(r.path), "recent-*")
	if err != nil {
		return
	}
	_, err = next.WriteString(text)
	if closed := next.Close(); err != nil || closed != nil || os.Rename(next.Name(), r.path) != nil {
		os.Remove(next.Name())
	}
}
