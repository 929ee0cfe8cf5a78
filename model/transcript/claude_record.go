package transcript

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// claudeRecord is what one line of a Claude Code session says, copied out of it.
type claudeRecord struct {
	span model.Span
	col  int

	kind, subtype string
	uuid, parent  string
	logical       string // a compaction's link to what stood before it
	session       string
	agent         string // the subagent's id, where recorded
	call          string // the call that started the subagent, where recorded
	sidechain     bool
	meta          bool
	summary       bool // a compaction's summary
	apiError      bool // an error shown as if the model had said it
	time          time.Time
	cwd           string

	hasMessage bool
	badMessage bool
	role       string
	parts      []model.Part
	results    bool // some part is a tool result
	odd        []string
	messageID  string
	model      string
	usage      *model.Usage

	attachment string // the attachment's type
	prompt     bool   // the attachment holds the person's own words
	known      bool   // the attachment's type is one we know

	title      string // what the record calls the session
	leaf       string // the record a title is for
	content    string // a system record's text
	compaction *claudeCompaction

	startedAgent string // a result's subagent
}

// claudeCompaction is what a boundary record says about its compaction.
type claudeCompaction struct {
	trigger         string
	before, after   int64
	head, tail      string   // the ends of what was kept, by uuid
	kept            []string // what was kept, by uuid
	cleared         []string // tool results cleared, by call id
	clearedRecords  []string // attachments cleared, by uuid
	microcompaction bool
}

// readClaudeRecord reads one line. It is called concurrently.
func readClaudeRecord(r Record) *claudeRecord {
	c := &claudeRecord{span: r.Span(""), col: r.Col}
	if !r.JSON.IsObject() {
		return c
	}
	var message, attachment, outcome string
	r.eachMember(func(name, raw string) {
		switch name {
		case "type":
			c.kind = textOf(raw)
		case "subtype":
			c.subtype = textOf(raw)
		case "uuid":
			c.uuid = textOf(raw)
		case "parentUuid":
			c.parent = textOrNone(raw)
		case "logicalParentUuid":
			c.logical = textOrNone(raw)
		case "sessionId", "session_id":
			c.session = textOf(raw)
		case "agentId":
			c.agent = textOrNone(raw)
		case "parent_tool_use_id":
			if raw[0] == '"' {
				c.agent, c.sidechain = textOf(raw), true
				c.call = c.agent
			}
		case "isSidechain":
			c.sidechain = c.sidechain || raw == "true"
		case "isMeta":
			c.meta = raw == "true"
		case "isCompactSummary":
			c.summary = raw == "true"
		case "isApiErrorMessage":
			c.apiError = raw == "true"
		case "timestamp":
			c.time = moment(gjson.Parse(raw))
		case "cwd":
			c.cwd = textOf(raw)
		case "summary", "customTitle", "aiTitle":
			if raw[0] == '"' {
				c.title = textOf(raw)
			}
		case "leafUuid":
			c.leaf = textOf(raw)
		case "content":
			if raw[0] == '"' {
				c.content = textOf(raw)
			}
		case "message":
			message = raw
		case "attachment":
			attachment = raw
		case "toolUseResult":
			outcome = raw
		case "compactMetadata", "microcompactMetadata":
			c.compaction = readClaudeCompaction(gjson.Parse(raw), name[0] == 'm')
		}
	})
	c.span.Record = c.uuid
	switch {
	case c.kind == "attachment":
		c.readAttachment(gjson.Parse(attachment))
	case strings.HasPrefix(message, "{"):
		c.readMessage(message)
	case message != "" && message != "null" && (c.kind == "user" || c.kind == "assistant"):
		c.badMessage = true
	}
	if c.results { // of what a tool told the agent only this is of use
		walkMembers(outcome, 0, func(name string, at int) int {
			if name != "agentId" {
				return passed
			}
			v, end := valueAt(outcome, at)
			c.startedAgent = textOf(v)
			return end
		})
	}
	return c
}

// named is a record's name, "" where it is null.
func named(v gjson.Result) string {
	if v.Type == gjson.Null {
		return ""
	}
	return str(v)
}

func (c *claudeRecord) readMessage(raw string) {
	c.hasMessage = true
	walkMembers(raw, 0, func(name string, at int) int {
		if name == "content" {
			return c.readContent(raw, at)
		}
		v, end := valueAt(raw, at)
		switch name {
		case "role":
			c.role = textOf(v)
		case "id":
			c.messageID = textOrNone(v)
		case "model":
			c.model = textOf(v)
		case "usage":
			c.usage = readAnthropicUsage(v)
		}
		return end
	})
	if c.role == "" {
		c.role = c.kind
	}
	for i := range c.parts {
		c.results = c.results || c.parts[i].Kind == model.ToolResult
	}
}

// readContent reads the content at raw[at]: one string, one block, or a list of
// them. It returns the index after it.
func (c *claudeRecord) readContent(raw string, at int) int {
	c.parts = nil
	one := func(at int) int {
		if raw[at] != '{' {
			v, end := valueAt(raw, at)
			if raw[at] == '"' {
				c.parts = append(c.parts, model.Part{Kind: model.Text, Text: unquote(v)})
			} else {
				c.odd = append(c.odd, "")
			}
			return end
		}
		parts, known, end := claudeBlock(c.parts, raw, at)
		c.parts = parts
		if !known {
			// A fallback says that another model took over, and nothing else.
			if kind := str(gjson.Get(raw[at:end], "type")); kind != "fallback" {
				c.odd = append(c.odd, kind)
			}
		}
		return end
	}
	switch {
	case raw[at] == '[':
		return walkElements(raw, at, one)
	case strings.HasPrefix(raw[at:], `""`):
		return at + len(`""`)
	case strings.HasPrefix(raw[at:], "null"):
		return at + len("null")
	}
	return one(at)
}

// claudeBlock reads the block of a message at raw[at]. The common ones are read in
// one go, since most of a session's bytes are theirs.
func claudeBlock(parts []model.Part, raw string, at int) (_ []model.Part, known bool, end int) {
	var kind, id, name, body, failed string
	var list []model.Part
	end = walkMembers(raw, at, func(member string, at int) (end int) {
		switch member {
		case "type":
			kind, end = valueAt(raw, at)
		case "id", "tool_use_id":
			id, end = valueAt(raw, at)
		case "name":
			name, end = valueAt(raw, at)
		case "is_error":
			failed, end = valueAt(raw, at)
		case "content":
			if raw[at] == '[' {
				list = []model.Part{}
				end = walkElements(raw, at, func(at int) int {
					out, end := claudeOutput(raw, at)
					list = append(list, out...)
					return end
				})
				body = raw[at:end]
				return end
			}
			body, end = valueAt(raw, at)
		case "text", "input":
			body, end = valueAt(raw, at)
		default:
			return passed
		}
		return end
	})
	switch kind {
	case `"text"`:
		return append(parts, model.Part{Kind: model.Text, Text: textOf(body)}), true, end
	case `"tool_use"`:
		return append(parts, model.Part{Kind: model.ToolCall, ID: textOf(id), Name: textOf(name), Text: input(gjson.Parse(body))}), true, end
	case `"tool_result"`:
		part := model.Part{Kind: model.ToolResult, ID: textOf(id), Name: textOf(name), IsError: gjson.Parse(failed).Bool()}
		switch {
		case strings.HasPrefix(body, `"`):
			part.Text = unquote(body)
		case strings.HasPrefix(body, "["):
			part.List = list
		default:
			output := result(part.ID, part.Name, gjson.Parse(body), anthropicBlock)
			part.Text, part.List = output.Text, output.List
		}
		return append(parts, part), true, end
	}
	parts, known = anthropicBlock(parts, gjson.Parse(raw[at:end]))
	return parts, known, end
}

// claudeOutput reads the block of a tool's output at raw[at], most of which are text.
func claudeOutput(raw string, at int) (out []model.Part, end int) {
	var kind, text string
	end = walkMembers(raw, at, func(name string, at int) (end int) {
		switch name {
		case "type":
			kind, end = valueAt(raw, at)
		case "text":
			text, end = valueAt(raw, at)
		default:
			return passed
		}
		return end
	})
	if kind == `"text"` {
		return []model.Part{{Kind: model.Text, Text: textOf(text)}}, end
	}
	return outputBlock(gjson.Parse(raw[at:end]), anthropicBlock), end
}

func readClaudeCompaction(v gjson.Result, micro bool) *claudeCompaction {
	c := &claudeCompaction{
		trigger:         str(v.Get("trigger")),
		before:          v.Get("preTokens").Int(),
		after:           v.Get("postTokens").Int(),
		head:            str(v.Get("preservedSegment.headUuid")),
		tail:            str(v.Get("preservedSegment.tailUuid")),
		kept:            texts(first(v, "preservedMessages.allUuids", "preservedMessages.uuids")),
		cleared:         texts(v.Get("compactedToolIds")),
		clearedRecords:  texts(v.Get("clearedAttachmentUUIDs")),
		microcompaction: micro,
	}
	if saved := v.Get("tokensSaved").Int(); micro && c.after == 0 {
		c.after = max(0, c.before-saved)
	}
	return c
}

// texts copies a list of strings.
func texts(v gjson.Result) []string {
	var out []string
	v.ForEach(func(_, s gjson.Result) bool {
		if s.Type == gjson.String {
			out = append(out, str(s))
		}
		return true
	})
	return out
}

// claudeAttachments says, for each type of attachment, which of its members
// are text that the model is sent. The wording Claude Code puts around them
// is not in the file. Types with no members are not sent, or are sent as
// fixed wording alone.
var claudeAttachments = map[string][]string{
	"agent_listing_delta":         {"addedLines", "removedTypes"},
	"agent_mention":               {"agentType"},
	"async_hook_response":         {"response.systemMessage", "response.hookSpecificOutput.additionalContext"},
	"auto_mode":                   nil,
	"auto_mode_exit":              nil,
	"batching_reminder_sent":      {"text"},
	"budget_usd":                  nil,
	"command_permissions":         nil,
	"compact_file_reference":      {"displayPath|filename"},
	"critical_system_reminder":    {"content"},
	"date_change":                 {"newDate"},
	"deferred_tools_delta":        {"addedLines", "removedNames"},
	"diagnostics":                 {"files"},
	"directory":                   {"path", "content"},
	"dynamic_skill":               nil,
	"edited_text_file":            {"filename", "snippet"},
	"file":                        {"displayPath|filename", "content"},
	"hook_additional_context":     {"content"},
	"hook_blocking_error":         {"blockingError.blockingError"},
	"hook_cancelled":              nil,
	"hook_error_during_execution": nil,
	"hook_non_blocking_error":     nil,
	"hook_stopped_continuation":   {"message"},
	"hook_success":                {"content"},
	"hook_system_message":         nil,
	"invoked_skills":              {"skills"},
	"mcp_instructions_delta":      {"addedBlocks", "removedNames"},
	"mcp_resource":                {"uri", "content"},
	"nested_memory":               {"path|displayPath", "content.content"},
	"new_directory":               {"path", "content"},
	"opened_file_in_ide":          {"filename"},
	"output_style":                {"style"},
	"plan_file_reference":         {"planFilePath", "planContent"},
	"plan_mode":                   {"planFilePath"},
	"plan_mode_exit":              {"planFilePath"},
	"plan_mode_reentry":           {"planFilePath"},
	"queued_command":              {"prompt"},
	"read_truncation_notice":      {"banner"},
	"relevant_memories":           {"memories"},
	"selected_lines_in_ide":       {"filename", "content"},
	"silent_turn_reminder":        {"text"},
	"skill_listing":               {"content"},
	"task_reminder":               {"content"},
	"task_status":                 {"description", "status", "deltaSummary"},
	"todo":                        {"content"},
	"todo_reminder":               {"content"},
	"token_usage":                 nil,
	"total_tokens_reminder":       {"text"},
	"ultra_effort_enter":          nil,
	"ultra_effort_exit":           nil,
	"ultramemory":                 {"content"},
	"verify_plan_reminder":        nil,
}

// readAttachment reads what an attachment puts before the model.
func (c *claudeRecord) readAttachment(a gjson.Result) {
	c.attachment = str(a.Get("type"))
	members, known := claudeAttachments[c.attachment]
	c.known = known
	c.prompt = c.attachment == "queued_command"
	var lines []string
	for _, m := range members {
		var v gjson.Result
		for path := range strings.SplitSeq(m, "|") {
			if v = a.Get(path); v.Exists() && v.Type != gjson.Null {
				break
			}
		}
		said, media := attached(v)
		if said != "" {
			lines = append(lines, said)
		}
		c.parts = append(c.parts, media...)
	}
	if len(lines) > 0 {
		said := model.Part{Kind: model.Text, Text: strings.Join(lines, "\n")}
		c.parts = append([]model.Part{said}, c.parts...)
	}
}

// attached reads a member of an attachment: a text, a list of texts, blocks,
// a file, or something else that is sent as its JSON.
func attached(v gjson.Result) (string, []model.Part) {
	switch {
	case v.Type == gjson.String:
		return str(v), nil
	case v.IsArray():
		var lines []string
		var media []model.Part
		v.ForEach(func(_, e gjson.Result) bool {
			said, parts := attached(e)
			if said != "" {
				lines = append(lines, said)
			}
			media = append(media, parts...)
			return true
		})
		return strings.Join(lines, "\n"), media
	case v.IsObject():
		if file := v.Get("file"); file.IsObject() {
			if data := file.Get("base64"); data.Type == gjson.String {
				return "", []model.Part{picture(str(file.Get("type")), str(data))}
			}
			return str(file.Get("content")), nil
		}
		if v.Get("type").Type == gjson.String {
			if parts, ok := anthropicBlock(nil, v); ok && len(parts) == 1 {
				if parts[0].Kind == model.Text {
					return parts[0].Text, nil
				}
				return "", parts
			}
		}
		return compact(v), nil
	}
	return named(v), nil
}
