package transcript

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// claudeAgents adds the subagents whose sessions lie in files of their own:
// agent-*.jsonl beside the session, or in a folder named after it.
func claudeAgents(d *Document, c *model.Conversation) {
	dir := filepath.Dir(d.Path)
	own := strings.TrimSuffix(filepath.Base(d.Path), ".jsonl")
	if d.src.held != nil || c.ID == "" || strings.HasPrefix(own, "agent-") {
		return
	}
	var files []string
	for _, name := range unique(own, c.ID) {
		if name == filepath.Base(name) {
			found, _ := filepath.Glob(filepath.Join(escapeGlob(filepath.Join(dir, name, "subagents")), "agent-*.jsonl"))
			files = append(files, found...)
		}
	}
	beside, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "agent-*.jsonl"))
	for _, f := range beside {
		if firstSession(f) == c.ID {
			files = append(files, f)
		}
	}
	for _, f := range files {
		claudeAgentFile(d, c, f)
	}
}

func unique(a, b string) []string {
	if a == b {
		return []string{a}
	}
	return []string{a, b}
}

// escapeGlob makes a path match itself only.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// firstSession is the session a file's first line names.
func firstSession(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, err := bufio.NewReaderSize(f, 64<<10).ReadSlice('\n')
	if len(line) == 0 && err != nil {
		return ""
	}
	return gjson.GetBytes(line, "sessionId").String()
}

// claudeAgentFile reads one subagent's file.
func claudeAgentFile(d *Document, parent *model.Conversation, path string) {
	id := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "agent-"), ".jsonl")
	sub, err := d.beside(path)
	if err != nil {
		d.Warn(0, 0, "subagent left out: %v", err)
		return
	}
	records, err := claudeRecords(sub)
	if err != nil {
		d.Warn(0, 0, "subagent left out: %v", err)
		return
	}
	child := &model.Conversation{Format: claudeName, Path: path}
	claudeFacts(child, path, records)
	child.ID, child.Parent = id, parent.ID
	buildClaude(readOnce(sub, records), nil).finish(sub, child)
	child.Warnings = sub.Warnings
	if len(child.Messages) > 0 {
		parent.Children = append(parent.Children, child)
	}
}
