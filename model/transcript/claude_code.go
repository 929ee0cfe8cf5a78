package transcript

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

const claudeName = "claude-code"

// isClaudeCode knows the session file of Claude Code: one JSON object a line,
// appended as things happen, linked to one another by parentUuid.
func isClaudeCode(head []gjson.Result, _ bool) bool {
	return slices.ContainsFunc(head, func(r gjson.Result) bool {
		if !r.IsObject() {
			return false
		}
		switch r.Get("type").Str {
		case "user", "assistant":
			return r.Get("message").IsObject() && !r.Get("data").Exists()
		case "system":
			return r.Get("uuid").Exists() && (r.Get("subtype").Exists() || r.Get("message").IsObject())
		case "summary":
			return r.Get("leafUuid").Exists()
		case "attachment":
			return r.Get("attachment").IsObject() && r.Get("uuid").Exists()
		case "progress":
			return r.Get("parentUuid").Exists()
		case "file-history-snapshot":
			return r.Get("snapshot").Exists()
		case "queue-operation":
			return r.Get("operation").Exists()
		}
		return false
	})
}

// claudeSilent are the kinds of record that say nothing to the model.
var claudeSilent = map[string]bool{
	"agent-name": true, "ai-title": true, "atis-latch": true, "bridge-session": true,
	"custom-title": true, "file-history-snapshot": true, "frame-link": true,
	"last-prompt": true, "mode": true, "permission-mode": true, "pr-link": true,
	"progress": true, "queue-operation": true, "relocated": true, "result": true,
	"started": true, "stream_event": true, "summary": true, "tag": true,
	"worktree-state": true,
}

func decodeClaudeCode(d *Document) ([]*model.Conversation, error) {
	all, err := claudeRecords(d)
	if err != nil {
		return nil, err
	}
	var out []*model.Conversation
	for _, group := range claudeSessions(all) {
		c, calls := decodeClaudeSession(d, group)
		claudeAgents(d, c)
		calls.link(c)
		out = append(out, c)
	}
	return out, nil
}

// claudeRecords reads all lines, with warnings for those that hold nothing to read.
func claudeRecords(d *Document) ([]*claudeRecord, error) {
	var all []*claudeRecord
	// Strings that repeat on every line are held once.
	last := &claudeRecord{}
	seen := map[string]string{}
	once := func(s *string, before string) {
		if *s == before {
			*s = before
			return
		}
		if have, ok := seen[*s]; ok {
			*s = have
		} else {
			seen[*s] = *s
		}
	}
	err := Map(d, readClaudeRecord, func(c *claudeRecord) error {
		once(&c.kind, last.kind)
		once(&c.session, last.session)
		once(&c.cwd, last.cwd)
		once(&c.agent, last.agent)
		once(&c.role, last.role)
		once(&c.model, last.model)
		last = c
		line := c.span.Line
		switch {
		case c.badMessage:
			d.Warn(line, c.col, "%s record whose message is not an object, skipped", c.kind)
			return nil
		case c.kind == "":
			d.Warn(line, c.col, "record without a type, skipped")
			return nil
		case c.kind == "user" || c.kind == "assistant":
			if !c.hasMessage {
				d.Warn(line, c.col, "%s record without a message, skipped", c.kind)
				return nil
			}
		case c.kind == "attachment":
			if !c.known {
				d.Warn(line, c.col, "unknown attachment %q left out", c.attachment)
			}
		case c.kind == "system":
		case !claudeSilent[c.kind]:
			d.Warn(line, c.col, "unknown record type %q skipped", c.kind)
		}
		for _, kind := range c.odd {
			if kind == "" {
				d.Warn(line, c.col, "content block without a type left out")
				continue
			}
			d.Warn(line, c.col, "unknown content block %q left out", kind)
		}
		all = append(all, c)
		return nil
	})
	return all, err
}

// decodeClaudeSession makes a conversation of one session's records.
func decodeClaudeSession(d *Document, records []*claudeRecord) (*model.Conversation, *claudeBuild) {
	records = readOnce(d, records)
	tree := newClaudeTree(records)
	main, agents := tree.sidechains()
	c := &model.Conversation{}
	claudeFacts(c, d.Path, main)
	dropped, branches := tree.rewinds(main, d.Branch)
	c.Branches = branches
	b := buildClaude(main, dropped)
	b.finish(d, c)
	for _, a := range agents {
		child := &model.Conversation{Format: claudeName, ID: a.id, Parent: c.ID, CallID: a.call}
		claudeFacts(child, "", a.records)
		child.ID = a.id
		buildClaude(a.records, nil).finish(d, child)
		c.Children = append(c.Children, child)
	}
	return c, b
}

// claudeFacts takes what the records say about the session as a whole.
func claudeFacts(c *model.Conversation, path string, records []*claudeRecord) {
	var custom, ai, summary, other string
	var names map[string]bool
	here := func(leaf string) bool {
		if names == nil {
			names = make(map[string]bool, len(records))
			for _, r := range records {
				names[r.uuid] = true
			}
		}
		return names[leaf]
	}
	for _, r := range records {
		if r.session != "" && (c.ID == "" || strings.Contains(path, r.session)) {
			c.ID = r.session
		}
		if c.Dir == "" {
			c.Dir = r.cwd
		}
		if r.kind == "assistant" && r.model != "" && r.model != claudeSynthetic && !(r.sidechain && c.Model != "") {
			c.Model = r.model
		}
		switch {
		case r.title == "":
		case r.kind == "custom-title":
			custom = r.title
		case r.kind == "ai-title":
			ai = r.title
		case r.kind == "summary" && here(r.leaf):
			summary = r.title
		case r.kind == "summary" && other == "":
			other = r.title
		}
	}
	for _, t := range []string{custom, ai, summary, other} {
		if t != "" {
			c.Title = t
			return
		}
	}
}

// claudeSynthetic is the model's name on what Claude Code itself put in the model's mouth.
const claudeSynthetic = "<synthetic>"
