package transcript

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// Session is a recorded session found on this machine. Nothing but the file's
// name, size and time is known of it until [Session.Look] or [Open] reads it.
type Session struct {
	Path     string
	Agent    string // the agent that keeps its sessions there, as people call it
	Format   string // the format's name
	Size     int64  // bytes
	Modified time.Time

	Project string // the project's folder, "" until looked at
	Title   string // the session's title or first words, "" until looked at
	Model   string
}

// place is where an agent keeps its sessions.
type place struct {
	agent, format string
	env           string   // an environment variable that names the root, "" for none
	root          string   // the root otherwise: ~ is the home folder, $NAME a variable with its default
	patterns      []string // below the root
	not           string   // beginnings of file names that are no sessions of their own
}

var places = []place{
	{"Claude Code", claudeName, "CLAUDE_CONFIG_DIR", "~/.claude", []string{"projects/*/*.jsonl"}, "agent-"},
	{"Claude Code", claudeName, "", "$XDG_CONFIG_HOME/claude", []string{"projects/*/*.jsonl"}, "agent-"},
	{"Codex", "codex", "CODEX_HOME", "~/.codex", []string{"sessions/*/*/*/rollout-*.jsonl*", "sessions/rollout-*.jsonl*", "archived_sessions/rollout-*.jsonl*"}, ""},
	{"pi", piName, "PI_CODING_AGENT_DIR", "~/.pi/agent", []string{"sessions/*/*.jsonl"}, ""},
	{"Gemini CLI", "gemini-cli", "", "~/.gemini", []string{"tmp/*/chats/session-*.json*", "tmp/*/checkpoint-*.json"}, ""},
	{"opencode", "opencode", "", "$XDG_DATA_HOME/opencode", []string{"opencode.db", "storage/session/*/ses_*.json"}, ""},
	{"Copilot CLI", "copilot-cli", "COPILOT_HOME", "~/.copilot", []string{"session-state/*/events.jsonl", "session-state/*.jsonl"}, ""},
	{"Goose", "goose", "", "$XDG_DATA_HOME/goose", []string{"sessions/*.jsonl", "sessions/sessions.db"}, ""},
	{"droid", "droid", "", "~/.factory", []string{"sessions/*.jsonl", "sessions/*/*.jsonl"}, ""},
	{"Continue", "continue", "CONTINUE_GLOBAL_DIR", "~/.continue", []string{"sessions/*-*.json"}, ""},
	{"Cline", "cline", "", "$XDG_CONFIG_HOME/Code/User/globalStorage/saoudrizwan.claude-dev", []string{"tasks/*/api_conversation_history.json"}, ""},
	{"Roo Code", "cline", "", "$XDG_CONFIG_HOME/Code/User/globalStorage/rooveterinaryinc.roo-cline", []string{"tasks/*/api_conversation_history.json"}, ""},
	{"Zed", "zed", "", "$XDG_DATA_HOME/zed", []string{"threads/threads.db"}, ""},
	{"crush", "crush", "", ".", []string{".crush/crush.db"}, ""},
}

// Sessions lists the sessions that agents have recorded on this machine, in
// their usual places, newest first. Places named by the agents' environment
// variables come instead of the usual ones.
func Sessions(ctx context.Context) ([]Session, error) {
	home, _ := os.UserHomeDir()
	return sessions(ctx, home, os.Getenv)
}

func sessions(ctx context.Context, home string, env func(string) string) ([]Session, error) {
	var out []Session
	known := map[string]bool{}
	for _, p := range places {
		root := p.under(home, env)
		if root == "" {
			continue
		}
		for _, pattern := range p.patterns {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			paths, _ := filepath.Glob(filepath.Join(escapeGlob(root), filepath.FromSlash(pattern)))
			for _, path := range paths {
				info, err := os.Stat(path)
				if err != nil || info.IsDir() || info.Size() == 0 || known[path] || p.not != "" && strings.HasPrefix(filepath.Base(path), p.not) {
					continue
				}
				known[path] = true
				out = append(out, Session{Path: path, Agent: p.agent, Format: p.format, Size: info.Size(), Modified: info.ModTime()})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Session) int {
		return cmp.Or(b.Modified.Compare(a.Modified), cmp.Compare(a.Path, b.Path))
	})
	return out, nil
}

// under is the root of a place, "" when there is none.
func (p place) under(home string, env func(string) string) string {
	if p.env != "" {
		if root := env(p.env); root != "" {
			return root
		}
	}
	rest, inHome := strings.CutPrefix(p.root, "~/")
	if inHome {
		if home == "" {
			return ""
		}
		return filepath.Join(home, rest)
	}
	for name, usual := range map[string]string{"$XDG_CONFIG_HOME": ".config", "$XDG_DATA_HOME": ".local/share"} {
		if rest, ok := strings.CutPrefix(p.root, name); ok {
			if base := env(name[1:]); base != "" {
				return filepath.Join(base, rest)
			}
			if home == "" {
				return ""
			}
			return filepath.Join(home, usual, rest)
		}
	}
	return p.root
}

// Look reads the beginning of a session for its project, title and model: cheap
// enough for a list of thousands. What is not there stays "".
func (s *Session) Look() {
	f, err := os.Open(s.Path)
	if err != nil {
		return
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(f, head)
	split := splitter{scan: scanner{maxDepth: 1000}}
	split.split(stretch{data: head[:n], line: 1, last: err != nil})
	for _, r := range split.records {
		s.learn(r.JSON)
	}
}

// learn takes what one record says about its session.
func (s *Session) learn(r gjson.Result) {
	take := func(to *string, paths ...string) {
		if v := first(r, paths...); *to == "" && v.Type == gjson.String {
			*to = str(v)
		}
	}
	take(&s.Project, "cwd", "payload.cwd", "directory", "info.directory", "workspaceDirectory", "data.context.cwd")
	take(&s.Model, "message.model", "payload.model", "modelId", "model")
	switch r.Get("type").Str {
	case "ai-title":
		s.Title = str(r.Get("aiTitle"))
	case "custom-title":
		s.Title = str(r.Get("customTitle"))
	}
	take(&s.Title, "title", "info.title")
	if said := firstSaid(r); s.Title == "" && said != "" {
		s.Title = headline(said)
	}
}

// firstSaid is what a person says in a record, "" when it is not a person's.
func firstSaid(r gjson.Result) string {
	m := first(r, "message", "payload")
	if !m.IsObject() {
		m = r
	}
	if m.Get("role").Str != "user" || r.Get("isMeta").Bool() {
		return ""
	}
	c := m.Get("content")
	if c.IsArray() {
		c = first(c, "0.text")
	}
	// What begins with a tag was put there by the agent.
	if s := strings.TrimSpace(c.String()); c.Type == gjson.String && !strings.HasPrefix(s, "<") && !strings.HasPrefix(s, "# AGENTS.md") {
		return s
	}
	return ""
}
