package transcript

import (
	"time"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isPi knows a pi session by its header, or by messages in its own words where
// the header was cut off.
func isPi(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		switch r.Get("type").Str {
		case "session":
			if r.Get("id").Type == gjson.String && !r.Get("data").Exists() && !r.Get("payload").Exists() {
				return true
			}
		case "message":
			if r.Get("message.role").Str == "toolResult" && r.Get("message.toolCallId").Exists() {
				return true
			}
		}
	}
	return false
}

// piEntry is one line of a pi session, copied out of it.
type piEntry struct {
	span model.Span
	col  int

	kind, id, parent string
	linked           bool // the parent is named, be it null
	time             time.Time

	role    string
	parts   []model.Part
	odd     []string
	model   string
	usage   *model.Usage
	stopped bool // the answer was aborted or failed: it is not sent again
	silent  bool // recorded, but kept from the model

	text      string // a summary, a name, a session id
	dir       string
	firstKept string
	keptIndex int // version 1: an index into all lines, -1 without
	before    int64
	fromHook  bool
}

// readPiEntry reads one line. It is called concurrently.
func readPiEntry(r Record) *piEntry {
	v := r.JSON
	e := &piEntry{span: r.Span(""), col: r.Col, kind: str(v.Get("type")), keptIndex: -1, time: moment(v.Get("timestamp"))}
	e.id = named(v.Get("id"))
	if p := v.Get("parentId"); p.Exists() {
		e.parent, e.linked = named(p), true
	}
	e.span.Record = e.id
	switch e.kind {
	case "session":
		e.text, e.dir, e.model = e.id, str(v.Get("cwd")), str(v.Get("modelId"))
	case "model_change":
		e.model = str(v.Get("modelId"))
	case "session_info":
		e.text = str(v.Get("name"))
	case "compaction":
		e.text, e.firstKept, e.before = str(v.Get("summary")), named(v.Get("firstKeptEntryId")), v.Get("tokensBefore").Int()
		e.fromHook = v.Get("fromHook").Bool()
		if i := v.Get("firstKeptEntryIndex"); i.Exists() {
			e.keptIndex = int(i.Int())
		}
	case "branch_summary":
		e.text = str(v.Get("summary"))
	case "custom_message":
		e.role = "custom"
		e.content(v.Get("content"))
	case "message":
		e.message(v.Get("message"))
	}
	return e
}

func (e *piEntry) content(c gjson.Result) {
	e.parts = content(c, piBlock, func(kind string) { e.odd = append(e.odd, kind) })
}

func (e *piEntry) message(m gjson.Result) {
	e.role = str(m.Get("role"))
	e.model = str(m.Get("model"))
	switch e.role {
	case "toolResult":
		p := result(str(m.Get("toolCallId")), str(m.Get("toolName")), m.Get("content"), piBlock)
		p.IsError = m.Get("isError").Bool()
		e.parts = []model.Part{p}
	case "bashExecution":
		e.silent = m.Get("excludeFromContext").Bool()
		said := "Ran `" + m.Get("command").String() + "`\n" + m.Get("output").String()
		if code := m.Get("exitCode"); code.Exists() && code.Int() != 0 {
			said += "\n\nCommand exited with code " + code.String()
		}
		e.parts = []model.Part{{Kind: model.Text, Text: said}}
	case "branchSummary":
		e.parts = []model.Part{{Kind: model.Text, Text: piBranchText(str(m.Get("summary")))}}
	case "compactionSummary":
		e.parts = []model.Part{{Kind: model.Text, Text: piSummaryText(str(m.Get("summary")))}}
	default:
		e.content(m.Get("content"))
	}
	if u := m.Get("usage"); u.IsObject() {
		e.usage = piUsage(u)
	}
	switch m.Get("stopReason").Str {
	case "aborted", "error":
		e.stopped = true
	}
}

// piBlock reads a content block in pi's words.
func piBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	switch b.Get("type").Str {
	case "text":
		return append(parts, model.Part{Kind: model.Text, Text: str(b.Get("text"))}), true
	case "thinking":
		if t := b.Get("thinking"); t.Str != "" {
			return append(parts, model.Part{Kind: model.Thinking, Text: str(t)}), true
		}
		if s := b.Get("thinkingSignature"); s.Str != "" {
			return append(parts, sealed(s)), true
		}
		return parts, true
	case "image":
		if data := b.Get("data"); data.Type == gjson.String {
			return append(parts, picture(str(b.Get("mimeType")), str(data))), true
		}
		return anthropicBlock(parts, b)
	case "toolCall":
		return append(parts, model.Part{
			Kind: model.ToolCall, ID: str(b.Get("id")), Name: str(b.Get("name")), Text: input(b.Get("arguments")),
		}), true
	}
	return parts, false
}

// piUsage reads what a call cost; pi's input leaves the cache out.
func piUsage(u gjson.Result) *model.Usage {
	read, write := u.Get("cacheRead").Int(), u.Get("cacheWrite").Int()
	out := &model.Usage{Input: u.Get("input").Int() + read + write, CacheRead: read, CacheWrite: write, Output: u.Get("output").Int()}
	if *out == (model.Usage{}) {
		return nil // nothing was sent
	}
	return out
}

// piSummaryText is how pi puts a compaction's summary before the model.
func piSummaryText(summary string) string {
	return "The conversation history before this point was compacted into the following summary:\n\n<summary>\n" + summary + "\n</summary>"
}

// piBranchText is how pi tells the model what happened on a branch it left.
func piBranchText(summary string) string {
	return "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n" + summary + "\n</summary>"
}

// piSilent are the kinds of entry that say nothing to the model.
var piSilent = map[string]bool{
	"session": true, "model_change": true, "thinking_level_change": true, "custom": true,
	"label": true, "session_info": true,
}

func decodePi(d *Document) ([]*model.Conversation, error) {
	var sessions [][]*piEntry
	err := Map(d, readPiEntry, func(e *piEntry) error {
		switch {
		case e.kind == "":
			d.Warn(e.span.Line, e.col, "entry without a type, skipped")
			return nil
		case e.kind == "message" && e.role == "":
			d.Warn(e.span.Line, e.col, "message entry without a message, skipped")
		case !piSilent[e.kind] && e.kind != "message" && e.kind != "compaction" && e.kind != "branch_summary" && e.kind != "custom_message":
			d.Warn(e.span.Line, e.col, "unknown entry type %q skipped", e.kind)
		}
		for _, kind := range e.odd {
			d.Warn(e.span.Line, e.col, "unknown content block %q left out", kind)
		}
		if e.kind == "session" || len(sessions) == 0 {
			sessions = append(sessions, nil)
		}
		last := len(sessions) - 1
		sessions[last] = append(sessions[last], e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []*model.Conversation
	for _, entries := range sessions {
		out = append(out, newPiTree(d, entries).conversation(d))
	}
	return out, nil
}
