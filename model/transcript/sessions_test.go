package transcript

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"cinch/model"
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

// TestEveryPlace plants a session wherever an agent keeps them, by default and
// where its environment variables say.
func TestEveryPlace(t *testing.T) {
	for _, test := range []struct {
		agent, path string
		env         string // what names the folder below which path is, "" for the home folder
	}{
		{"Claude Code", ".claude/projects/-srv/a.jsonl", ""},
		{"Claude Code", ".config/claude/projects/-srv/a.jsonl", ""},
		{"Claude Code", "projects/-srv/a.jsonl", "CLAUDE_CONFIG_DIR"},
		{"Codex", ".codex/archived_sessions/rollout-a.jsonl", ""},
		{"Codex", "sessions/2026/03/01/rollout-a.jsonl", "CODEX_HOME"},
		{"pi", "sessions/--srv--/a.jsonl", "PI_CODING_AGENT_DIR"},
		{"Gemini CLI", ".gemini/tmp/ab/chats/session-1.jsonl", ""},
		{"Gemini CLI", ".gemini/tmp/ab/checkpoint-x.json", "GEMINI_CLI_HOME"},
		{"opencode", ".local/share/opencode/storage/session/p/ses_1.json", ""},
		{"opencode", "opencode/opencode.db", "XDG_DATA_HOME"},
		{"Copilot CLI", ".copilot/session-state/a/events.jsonl", ""},
		{"Copilot CLI", "session-state/a.jsonl", "COPILOT_HOME"},
		{"Goose", ".local/share/goose/sessions/a.jsonl", ""},
		{"Goose", "data/sessions/sessions.db", "GOOSE_PATH_ROOT"},
		{"Cursor", ".cursor/projects/p/agent-transcripts/a/a.jsonl", ""},
		{"Cursor", ".config/Cursor/User/globalStorage/state.vscdb", ""},
		{"VS Code", ".config/Code - Insiders/User/workspaceStorage/ab/chatSessions/a.jsonl", ""},
		{"VS Code", "Library/Application Support/Code/User/globalStorage/emptyWindowChatSessions/a.json", ""},
		{"droid", ".factory/sessions/p/a.jsonl", ""},
		{"Continue", "sessions/a-b.json", "CONTINUE_GLOBAL_DIR"},
		{"Cline", ".cline/data/tasks/1/api_conversation_history.json", ""},
		{"Cline", "data/sessions/1/1.messages.json", "CLINE_DIR"},
		{"Cline", ".config/VSCodium/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json", ""},
		{"Roo Code", "Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/api_conversation_history.json", ""},
		{"Kiro", ".local/share/kiro-cli/data.sqlite3", ""},
		{"Amazon Q", "amazon-q/data.sqlite3", "XDG_DATA_HOME"},
		{"Zed", ".local/share/zed/threads/threads.db", ""},
		{"aider", ".aider.chat.history.md", ""},
		{"crush", "shop/.crush/crush.db", ""}, // its list of projects names it
	} {
		t.Run(test.agent+" "+test.path, func(t *testing.T) {
			home, other := t.TempDir(), t.TempDir()
			root := home
			if test.env != "" {
				root = other
			}
			want := plant(t, root, test.path, "x", 1)
			if test.agent == "crush" {
				plant(t, home, ".local/share/crush/projects.json", `{"projects":[{"path":"`+filepath.ToSlash(filepath.Join(home, "shop"))+`","data_dir":".crush"}]}`, 1)
			}
			found, err := sessions(context.Background(), home, func(name string) string {
				if name == test.env {
					return other
				}
				return ""
			})
			if err != nil || len(found) != 1 || found[0].Path != want || found[0].Agent != test.agent {
				t.Errorf("found %+v (%v), want %s", found, err, want)
			}
		})
	}
}

// TestDatabaseIsAsOldAsItsLog: a database that is held open is written beside.
func TestDatabaseIsAsOldAsItsLog(t *testing.T) {
	home := t.TempDir()
	plant(t, home, ".local/share/opencode/opencode.db", "x", 9)
	plant(t, home, ".local/share/opencode/opencode.db-wal", "x", 1)
	plant(t, home, ".codex/sessions/rollout-a.jsonl", "x", 5)
	found, _ := sessions(context.Background(), home, func(string) string { return "" })
	if len(found) != 2 || found[0].Agent != "opencode" {
		t.Errorf("found %+v", found)
	}
}

func TestMeasure(t *testing.T) {
	s := Session{Path: filepath.Join("testdata", "claude-code", "compacted.jsonl")}
	if err := s.Measure(context.Background()); err != nil {
		t.Fatal(err)
	}
	f, err := Open(context.Background(), s.Path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := f.Selected
	if !s.Measured || s.Messages != len(c.View(model.Context)) || s.Compactions != len(c.Compactions) || s.Compactions == 0 || s.Tokens <= 0 || s.Conversations != 1 {
		t.Errorf("measured %+v", s)
	}
	if s.ProjectName() != "shop" || s.Title == "" || s.Model == "" || s.Format != claudeName {
		t.Errorf("learned %+v", s)
	}
	gone := Session{Path: "no/such/file"}
	if err := gone.Measure(context.Background()); err == nil || gone.Measured {
		t.Error("a missing file was measured")
	}
}

func TestLook(t *testing.T) {
	for _, test := range []struct{ path, project, title, model string }{
		{"claude-code/compacted.jsonl", "/srv/shop", "Build the cart.", "claude-opus-4-6"},
		{"claude-code/damaged.jsonl", "/srv/shop", "Hello.", "claude-opus-4-6"},
		{"pi/session.jsonl", "/srv/shop", "Read both files.", "claude-opus-4-5"},
		{"vscode-copilot/session.json", "", "Trees", ""},
		{"vscode-copilot/log.jsonl", "", "Name the oak.", ""},
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
