package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestRecentFiles(t *testing.T) {
	home, state := t.TempDir(), t.TempDir()
	env := map[string]string{"HOME": home}
	a := &app{getenv: func(name string) string { return env[name] }}
	r := a.recents(false)
	if want := filepath.Join(home, ".local/state/cinch/recent"); r.path != want {
		t.Errorf("kept in %s, want %s", r.path, want)
	}
	if got := r.list(); got != nil {
		t.Errorf("before anything was opened: %q", got)
	}
	for _, p := range []string{"/s/a.jsonl", "/s/b.jsonl", "lesson:demo", "-", "/s/a.jsonl", "/s/new\nline"} {
		r.add(p)
	}
	if got, want := r.list(), []string{"/s/a.jsonl", "/s/b.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("remembers %q, want %q", got, want)
	}
	here, _ := os.Getwd()
	r.add("c.jsonl")
	if got := r.list()[0]; got != filepath.Join(here, "c.jsonl") {
		t.Errorf("a relative path is kept as %s", got)
	}
	for i := range 2 * mostRecent {
		r.add(fmt.Sprintf("/s/%d", i))
	}
	if got := r.list(); len(got) != mostRecent || got[0] != fmt.Sprintf("/s/%d", 2*mostRecent-1) {
		t.Errorf("%d are kept, the first %s", len(got), got[0])
	}
	if left, _ := os.ReadDir(filepath.Dir(r.path)); len(left) != 1 {
		t.Errorf("%d files are left beside the list", len(left)-1)
	}

	env["XDG_STATE_HOME"] = state
	a.recents(false).add("/s/x")
	if _, err := os.Stat(filepath.Join(state, "cinch", "recent")); err != nil {
		t.Error(err)
	}
	off := a.recents(true)
	off.add("/s/y")
	if off.path != "" || off.list() != nil {
		t.Error("a list that is turned off is kept")
	}
	b, _ := os.ReadFile(filepath.Join(state, "cinch", "recent"))
	if string(b) != "/s/x\n" {
		t.Errorf("the list holds %q", b)
	}
}
