//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cinch/e2e/tmux"
)

// put writes a file below the terminal's home folder.
func put(t *testing.T, s *tmux.Screen, name, text string) string {
	t.Helper()
	path := filepath.Join(s.Home(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// turns are lines of a Claude Code session, from turn a to turn b.
func turns(a, b int) string {
	var out strings.Builder
	for i := a; i < b; i++ {
		words := strings.Repeat("so many words that it adds up ", 20)
		fmt.Fprintf(&out, `{"type":"user","uuid":"u%d","sessionId":"live","cwd":"/srv/live","timestamp":"2026-03-01T10:%02d:00.000Z","message":{"role":"user","content":"question %d %s"}}`+"\n", i, i%60, i, words)
		fmt.Fprintf(&out, `{"type":"assistant","uuid":"a%d","parentUuid":"u%d","sessionId":"live","timestamp":"2026-03-01T10:%02d:30.000Z","message":{"id":"m%d","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"answer %d %s"}]}}`+"\n", i, i, i%60, i, i, words)
	}
	return out.String()
}

// piSession is a session of pi in which one thing was said.
func piSession(words string) string {
	return `{"type":"session","version":3,"id":"p","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/srv/walk"}` + "\n" +
		`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"` + words + `"}}` + "\n"
}

// machine is a terminal whose home folder holds sessions of two agents, many of
// the second.
func machine(t *testing.T) *tmux.Screen {
	t.Helper()
	s := terminal(t, 120, 36)
	put(t, s, ".claude/projects/-srv-live/one.jsonl", turns(0, 30))
	for i := range 60 {
		old := put(t, s, fmt.Sprintf(".pi/agent/sessions/--srv-walk--/%02d.jsonl", i), piSession(fmt.Sprintf("walk number %02d", i)))
		at := time.Now().Add(-time.Duration(i+1) * time.Hour)
		if err := os.Chtimes(old, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// written are the files below the home folder that were not put there.
func written(t *testing.T, s *tmux.Screen) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(s.Home(), func(path string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(s.Home(), path)
		if err == nil && !d.IsDir() && !strings.HasPrefix(name, ".claude/") && !strings.HasPrefix(name, ".pi/") && !strings.HasSuffix(name, "history") {
			found = append(found, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestPicker: without a file, what agents recorded on the machine is offered,
// newest first, and read while one already moves and searches in it.
func TestPicker(t *testing.T) {
	s := machine(t)
	s.Command("cinch")
	s.Wait(`61 sessions on this machine`)
	s.Type("jjj")
	s.Wait(`^.{0,2}▸.*walk number 02`)
	s.Wait(`Claude Code.*question 0`)
	s.Keys("G")
	s.Wait(`^.{0,2}▸.*walk number 59`)
	s.Keys("/")
	s.Type("wlk17") // letters in order
	s.Wait(`walk number 17`)
	s.WaitGone(`walk number 16`)
	s.Keys("Enter")
	s.Wait(`1 message · 1 run`)
	s.Wait(`walk number 17`)
	s.Keys("O")
	s.Wait(`sessions on this machine`)
	s.Keys("q") // back to the conversation
	s.Wait(`1 message · 1 run`)
	s.Keys("q")
	closed(t, s)
	if got := written(t, s); len(got) != 1 || got[0] != ".local/state/cinch/recent" {
		t.Errorf("wrote %q, want the list of recent files alone", got)
	}
	s.Command("cinch")
	s.Wait(`recent files`)
	s.Keys("Tab", "Enter")
	s.Wait(`preserve_recent`)
	s.Wait(`walk number 17`)
}

// TestPickerRemembersNothing: both ways to turn the list of recent files off.
func TestPickerRemembersNothing(t *testing.T) {
	for _, command := range []string{"cinch --no-recent", "CINCH_NO_RECENT=1 cinch"} {
		t.Run(command, func(t *testing.T) {
			s := machine(t)
			s.Command("%s", command)
			s.Wait(`61 sessions on this machine`)
			s.Wait(`question 0`)
			s.Keys("Enter")
			s.Wait(`preserve_recent`)
			s.Keys("q")
			closed(t, s)
			if got := written(t, s); len(got) != 0 {
				t.Errorf("wrote %q", got)
			}
		})
	}
}

// TestChooser: of a file with many conversations one is chosen, or named.
func TestChooser(t *testing.T) {
	s := terminal(t, 120, 36)
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, `{"messages":[{"role":"user","content":"riddle %d"},{"role":"assistant","content":"solution %d"}]}`+"\n", i, i)
	}
	put(t, s, "many.jsonl", many.String())
	s.Command("cinch many.jsonl")
	s.Wait(`40 conversations`)
	s.Keys("/")
	s.Type("riddle 7")
	s.Wait(`riddle 7`)
	s.WaitGone(`riddle 8`)
	s.Keys("Enter", "Enter")
	s.Wait(`8 of 40`)
	s.Wait(`solution 7`)
	s.Keys("q")
	closed(t, s)
	s.Command("cinch many.jsonl --session 3")
	s.Wait(`3 of 40`)
	s.Wait(`solution 2`)
}

// TestBranch: a tree shows the branch asked for and never another's messages.
func TestBranch(t *testing.T) {
	s := terminal(t, 120, 36)
	entry := `{"type":"message","id":"%s","parentId":%s,"message":{"role":"user","content":"%s"}}` + "\n"
	put(t, s, "tree.jsonl", `{"type":"session","version":3,"id":"walk","cwd":"/srv/walk"}`+"\n"+
		fmt.Sprintf(entry, "root", "null", "Which way?")+fmt.Sprintf(entry, "left", `"root"`, "Go left")+fmt.Sprintf(entry, "right", `"root"`, "Go right"))
	s.Command("cinch tree.jsonl")
	s.Wait(`Go right`)
	s.WaitGone(`Go left`)
	s.Keys("q")
	closed(t, s)
	s.Command("cinch tree.jsonl --branch left")
	s.Wait(`Go left`)
	s.WaitGone(`Go right`)
}

// TestFollow: the inspector grows with a session that is being written, through
// half-written lines, truncation, and another file in its place.
func TestFollow(t *testing.T) {
	s := terminal(t, 160, 36)
	path := put(t, s, "live.jsonl", turns(0, 10))
	grow := func(text string) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s.Command("cinch --follow live.jsonl --window 20k")
	s.Wait(`20 messages`)
	s.Wait(`next pass in ~[\d,]+ tokens, about \d+ turns at the present`)
	grow(turns(10, 12))
	s.Wait(`24 messages`)
	next := turns(12, 13)
	grow(next[:100]) // the agent is in the middle of a line
	grow(next[100:])
	s.Wait(`26 messages`)
	grow(turns(13, 55))
	s.Wait(`110 messages`)
	s.Wait(`OVER THRESHOLD`)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	s.Wait(`not readable just now`)
	grow(turns(0, 4))
	s.Wait(`\b8 messages`)
	put(t, s, "next.jsonl", turns(0, 15))
	if err := os.Rename(filepath.Join(s.Home(), "next.jsonl"), path); err != nil {
		t.Fatal(err)
	}
	s.Wait(`30 messages`)
	s.Wait(`next pass in ~[\d,]+ tokens, about \d+ turns`)
	s.Keys("q")
	closed(t, s)
}

// TestFollowInAPipe: without a screen a line is printed for each change.
func TestFollowInAPipe(t *testing.T) {
	s := terminal(t, 160, 36)
	path := put(t, s, "live.jsonl", turns(0, 10))
	s.Command("cinch --follow live.jsonl --window 20k | cat")
	s.Wait(`20 messages .* next pass in ~[\d,]+ tokens, about \d+ turns`)
	if err := os.WriteFile(path, []byte(turns(0, 11)), 0o644); err != nil {
		t.Fatal(err)
	}
	s.Wait(`22 messages .* next pass in`)
	s.Keys("C-c")
	s.Wait(`^(\[\d+\])?\$$`)
}
