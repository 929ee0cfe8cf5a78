package transcript

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// plant puts a file below a folder, so many hours old.
func plant(t *testing.T, root, name, content string, hours int) string {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(-time.Duration(hours) * time.Hour)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSessions(t *testing.T) {
	home, other := t.TempDir(), t.TempDir()
	claude := plant(t, home, ".claude/projects/-srv-shop/one.jsonl", line(0), 2)
	plant(t, home, ".claude/projects/-srv-shop/agent-x.jsonl", line(0), 0)
	plant(t, home, ".claude/projects/-srv-shop/empty.jsonl", "", 0)
	codex := plant(t, home, ".codex/sessions/2026/03/01/rollout-a.jsonl.zst", "x", 1)
	moved := plant(t, other, "sessions/2026/03/01/rollout-b.jsonl", "x", 1)
	pi := plant(t, home, ".pi/agent/sessions/--srv--/a.jsonl", "x", 3)
	db := plant(t, home, ".local/share/opencode/opencode.db", "x", 4)
	dataHome := plant(t, other, "opencode/opencode.db", "x", 5)
	for _, test := range []struct {
		name string
		env  map[string]string
		want []string
	}{
		{"the usual places", nil, []string{codex, claude, pi, db}},
		{"named by the environment", map[string]string{"CODEX_HOME": other, "XDG_DATA_HOME": other}, []string{moved, claude, pi, dataHome}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, err := sessions(context.Background(), home, func(name string) string { return test.env[name] })
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range found {
				got = append(got, s.Path)
				if s.Size == 0 || s.Agent == "" || s.Modified.IsZero() {
					t.Errorf("found %+v", s)
				}
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := sessions(ctx, home, os.Getenv); err == nil {
		t.Error("went on though cancelled")
	}
}

func TestLook(t *testing.T) {
	for _, test := range []struct{ path, project, title, model string }{
		{"claude-code/compacted.jsonl", "/srv/shop", "Build the cart.", "claude-opus-4-6"},
		{"claude-code/damaged.jsonl", "/srv/shop", "Hello.", "claude-opus-4-6"},
		{"pi/session.jsonl", "/srv/shop", "Read both files.", "claude-opus-4-5"},
		{"codex/compacted.jsonl", "/srv/shop", "Why is the cart empty?", "gpt-5.4"},
	} {
		s := Session{Path: filepath.Join("testdata", test.path)}
		s.Look()
		if s.Project != test.project || s.Title != test.title || s.Model != test.model {
			t.Errorf("%s: %+v", test.path, s)
		}
	}
	gone := Session{Path: "no/such/file"}
	gone.Look()
	if gone != (Session{Path: "no/such/file"}) {
		t.Errorf("%+v", gone)
	}
}

func TestPlacesNameFormats(t *testing.T) {
	for _, p := range places {
		if _, ok := Named(p.format); !ok {
			t.Errorf("%s: no format %q", p.agent, p.format)
		}
	}
}
