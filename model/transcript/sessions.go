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
// name, size and time is known of it until [Session.Look] or [Session.Measure]
// reads it.
type Session struct {
	Path     string
	Agent    string // the agent that keeps its sessions there, as people call it
	Format   string // the format's name
	Size     int64  // bytes
	Modified time.Time

	Project string // the project's folder, "" until looked at
	Title   string // the session's title or first words, "" until looked at
	Model   string

	Counts // what Measure found
}

// place is where an agent keeps its sessions.
type place struct {
	agent, format string
	env           string   // an environment variable that names the root, "" for none
	below         string   // where in the folder that the variable names
	root          string   // the root otherwise: ~ is the home folder, $NAME a variable with its default
	patterns      []string // below the root
	not           string   // beginnings of file names that are no sessions of their own
}

// Where editors keep what their extensions store, by system.
const (
	editors    = "$XDG_CONFIG_HOME"
	editorsMac = "~/Library/Application Support"
	inEditor   = "*/User/globalStorage/"
	inFolders  = "*/User/workspaceStorage/*/"
)

var places = []place{
	{agent: "Claude Code", format: claudeName, env: "CLAUDE_CONFIG_DIR", root: "~/.claude", patterns: []string{"projects/*/*.jsonl"}, not: "agent-"},
	{agent: "Claude Code", format: claudeName, env: "CLAUDE_CONFIG_DIR", root: "$XDG_CONFIG_HOME/claude", patterns: []string{"projects/*/*.jsonl"}, not: "agent-"},
	{agent: "Codex", format: "codex", env: "CODEX_HOME", root: "~/.codex", patterns: []string{"sessions/*/*/*/rollout-*.jsonl*", "sessions/rollout-*.jsonl*", "archived_sessions/rollout-*.jsonl*"}},
	{agent: "pi", format: piName, env: "PI_CODING_AGENT_DIR", root: "~/.pi/agent", patterns: []string{"sessions/*/*.jsonl"}},
	{agent: "Gemini CLI", format: "gemini-cli", env: "GEMINI_CLI_HOME", below: ".gemini", root: "~/.gemini", patterns: []string{"tmp/*/chats/session-*.json*", "tmp/*/checkpoint-*.json"}},
	{agent: "opencode", format: "opencode", root: "$XDG_DATA_HOME/opencode", patterns: []string{"opencode.db", "storage/session/*/ses_*.json"}},
	{agent: "Copilot CLI", format: "copilot-cli", env: "COPILOT_HOME", root: "~/.copilot", patterns: []string{"session-state/*/events.jsonl", "session-state/*.jsonl"}},
	{agent: "Goose", format: "goose", env: "GOOSE_PATH_ROOT", below: "data", root: "$XDG_DATA_HOME/goose", patterns: []string{"sessions/*.jsonl", "sessions/sessions.db"}},
	{agent: "Cursor", format: "cursor", root: "~/.cursor", patterns: []string{"projects/*/agent-transcripts/*.jsonl", "projects/*/agent-transcripts/*/*.jsonl"}},
	{agent: "Cursor", format: "cursor", root: editors, patterns: []string{"Cursor/User/globalStorage/state.vscdb"}},
	{agent: "Cursor", format: "cursor", root: editorsMac, patterns: []string{"Cursor/User/globalStorage/state.vscdb"}},
	{agent: "VS Code", format: "vscode-copilot", root: editors, patterns: []string{inFolders + "chatSessions/*.json*", inEditor + "emptyWindowChatSessions/*.json*"}},
	{agent: "VS Code", format: "vscode-copilot", root: editorsMac, patterns: []string{inFolders + "chatSessions/*.json*", inEditor + "emptyWindowChatSessions/*.json*"}},
	{agent: "droid", format: "droid", root: "~/.factory", patterns: []string{"sessions/*.jsonl", "sessions/*/*.jsonl"}},
	{agent: "Continue", format: "continue", env: "CONTINUE_GLOBAL_DIR", root: "~/.continue", patterns: []string{"sessions/*-*.json"}},
	{agent: "Cline", format: "cline", env: "CLINE_DIR", root: "~/.cline", patterns: []string{"data/tasks/*/api_conversation_history.json", "data/sessions/*/*.messages.json"}},
	{agent: "Cline", format: "cline", root: editors, patterns: []string{inEditor + "saoudrizwan.claude-dev/tasks/*/api_conversation_history.json"}},
	{agent: "Cline", format: "cline", root: editorsMac, patterns: []string{inEditor + "saoudrizwan.claude-dev/tasks/*/api_conversation_history.json"}},
	{agent: "Roo Code", format: "cline", root: editors, patterns: []string{inEditor + "rooveterinaryinc.roo-cline/tasks/*/api_conversation_history.json"}},
	{agent: "Roo Code", format: "cline", root: editorsMac, patterns: []string{inEditor + "rooveterinaryinc.roo-cline/tasks/*/api_conversation_history.json"}},
	{agent: "Kiro", format: "kiro", root: "$XDG_DATA_HOME/kiro-cli", patterns: []string{"data.sqlite3"}},
	{agent: "Kiro", format: "kiro", root: "~/Library/Application Support/kiro-cli", patterns: []string{"data.sqlite3"}},
	{agent: "Amazon Q", format: "kiro", root: "$XDG_DATA_HOME/amazon-q", patterns: []string{"data.sqlite3"}},
	{agent: "Amazon Q", format: "kiro", root: "~/Library/Application Support/amazon-q", patterns: []string{"data.sqlite3"}},
	{agent: "Zed", format: "zed", root: "$XDG_DATA_HOME/zed", patterns: []string{"threads/threads.db"}},
	{agent: "Zed", format: "zed", root: editorsMac, patterns: []string{"Zed/threads/threads.db"}},
	{agent: "aider", format: "aider", root: "~/", patterns: []string{".aider.chat.history.md"}},
	{agent: "aider", format: "aider", root: ".", patterns: []string{".aider.chat.history.md"}},
	{agent: "crush", format: "crush", root: ".", patterns: []string{".crush/crush.db"}},
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
	for _, p := range append(places[:len(places):len(places)], crushProjects(home, env)...) {
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
				out = append(out, Session{Path: path, Agent: p.agent, Format: p.format, Size: info.Size(), Modified: written(path, info)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Session) int {
		return cmp.Or(b.Modified.Compare(a.Modified), cmp.Compare(a.Path, b.Path))
	})
	return out, nil
}

// written is when a session was last written to. A database that an agent holds
// open is written beside, and only now and then itself.
func written(path string, info os.FileInfo) time.Time {
	at := info.ModTime()
	if strings.HasSuffix(path, "db") || strings.HasSuffix(path, ".sqlite3") {
		if beside, err := os.Stat(path + "-wal"); err == nil && beside.ModTime().After(at) {
			return beside.ModTime()
		}
	}
	return at
}

// crushProjects are the places where crush keeps its sessions: in each project,
// of which it holds a list.
func crushProjects(home string, env func(string) string) []place {
	list := place{env: "CRUSH_GLOBAL_DATA", root: "$XDG_DATA_HOME/crush"}
	b, err := os.ReadFile(filepath.Join(list.under(home, env), "projects.json"))
	if err != nil {
		return nil
	}
	var out []place
	gjson.GetBytes(b, "projects").ForEach(func(_, p gjson.Result) bool {
		data := cmp.Or(p.Get("data_dir").Str, ".crush")
		if !filepath.IsAbs(data) {
			data = filepath.Join(p.Get("path").Str, data)
		}
		if filepath.IsAbs(data) {
			out = append(out, place{agent: "crush", format: "crush", root: data, patterns: []string{"crush.db"}})
		}
		return true
	})
	return out
}

// under is the root of a place, "" when there is none.
func (p place) under(home string, env func(string) string) string {
	if p.env != "" {
		if root := env(p.env); root != "" {
			return filepath.Join(root, p.below)
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
	take(&s.Title, "title", "info.title", "customTitle", "v.customTitle")
	if said := firstSaid(r); s.Title == "" && said != "" {
		s.Title = headline(said)
	}
}

// firstSaid is what a person says in a record, "" when it is not a person's.
func firstSaid(r gjson.Result) string {
	if v := first(r, "requests.0.message.text", "v.requests.0.message.text", "v.0.message.text"); v.Type == gjson.String {
		return v.Str
	}
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
