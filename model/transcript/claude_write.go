package transcript

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// claudeWriter writes a session of Claude Code: the records that survive, each
// hung on the one before it, as one way from the start to the end. What
// compactions left behind is not in it, so it needs none of their boundaries.
type claudeWriter struct {
	*chain
	from     *original
	conv     *model.Conversation
	envelope string   // what a record of this session says about itself
	titles   []string // the session's names
}

func encodeClaudeCode(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error {
	e := &claudeWriter{from: from, conv: c}
	if from != nil {
		if err := from.read(e.survey()); err != nil {
			return err
		}
	}
	e.chain = newChain(w, from, "uuid", "parentUuid", uuid)
	for _, title := range e.titles {
		e.line(title)
	}
	for i, m := range messages {
		lines := keptLines(from, m, claudeEdit)
		var before, after *model.Message
		if i > 0 {
			before = messages[i-1]
		}
		if i+1 < len(messages) {
			after = messages[i+1]
		}
		if len(lines) > 0 && !claudeOpens(gjson.Parse(lines[0]), before, after) {
			lines = nil
		}
		for j, text := range lines {
			if i > 0 && gjson.Get(text, "isCompactSummary").Bool() {
				// As a summary it would hide what stands before it.
				text = members(text, []string{"isCompactSummary", "isVisibleInTranscriptOnly"})
			}
			if from.outdated(m) {
				message := uncounted(gjson.Get(text, "message").Raw, "usage", claudeCounts...)
				text = replaced(text, "message", message)
			}
			lines[j] = text
		}
		if lines == nil {
			lines = e.made(m)
		}
		for _, text := range lines {
			e.line(text)
		}
	}
	return e.out.Flush()
}

// survey notes what the session's records say about themselves, and its names.
func (e *claudeWriter) survey() func(Record) {
	ours := map[int64]bool{} // where this conversation's records stand
	for _, m := range e.conv.Messages {
		for _, s := range m.Spans {
			ours[s.Offset] = true
		}
	}
	titles := map[string]string{}
	return func(rec Record) {
		r := rec.JSON
		switch kind := r.Get("type").Str; {
		case kind == "custom-title" || kind == "ai-title":
			if e.conv.Parent == "" && r.Get("sessionId").Str == e.conv.ID {
				if text := sound(r); text != "" {
					titles[kind] = text
				}
				e.titles = slices.Sorted(maps.Values(titles))
			}
		case e.envelope == "" && ours[rec.Offset] && gjson.Valid(r.Raw):
			r.ForEach(func(key, value gjson.Result) bool {
				if slices.Contains(claudeEnvelope, key.Str) {
					e.envelope += key.Raw + ":" + value.Raw + ","
				}
				return true
			})
		}
	}
}

// claudeEnvelope are the members that records of one session have in common.
var claudeEnvelope = []string{
	"isSidechain", "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "agentId", "slug", "session_id", "parent_tool_use_id",
}

// claudeCounts are the members of a usage that say how large the context was.
// Claude Code itself goes by them when it takes a session up again.
var claudeCounts = []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"}

// claudeOpens reports whether a record, after one message and before another,
// begins a message. Attachments travel in a user message beside them, and what
// the agent notes after results travels with the results.
func claudeOpens(r gjson.Result, before, after *model.Message) bool {
	beside := func(m *model.Message) bool { return m != nil && m.Role == model.User }
	switch {
	case r.Get("type").Str == "attachment":
		return !beside(before) && !beside(after)
	case r.Get("isMeta").Bool():
		return !beside(before) || !before.HasResult()
	}
	return true
}

// claudeEdit is a record without the blocks a pass took from it, and with the
// results it changed.
func claudeEdit(text string, was, now []model.Part) string {
	message := gjson.Get(text, "message")
	if !message.IsObject() {
		return text
	}
	edited := anthropicEdit(message.Raw, &model.Message{Parts: was}, &model.Message{Parts: now})
	return replaced(text, "message", edited)
}

// made makes a record from the model; none when it says nothing that
// Anthropic's blocks can hold. What the system said is a note of the agent's.
func (e *claudeWriter) made(m *model.Message) []string {
	var blocks []string
	for i := range m.Parts {
		if block := anthropicJSON(&m.Parts[i]); block != "" {
			blocks = append(blocks, block)
		}
	}
	if blocks == nil {
		return nil
	}
	said := `"content":[` + strings.Join(blocks, ",") + "]"
	kind, message, note := "user", `{"role":"user",`+said+"}", ""
	name := e.fresh(said)
	switch m.Role {
	case model.Assistant:
		kind = "assistant"
		message = fmt.Sprintf(`{"id":%s,"type":"message","role":"assistant","model":%s,%s,"stop_reason":null,"stop_sequence":null,"usage":%s}`,
			quote("msg_"+strings.ReplaceAll(name, "-", "")), quote(cmp.Or(m.Model, e.conv.Model)), said, claudeUsage(m.Usage))
	case model.System:
		note = `"isMeta":true,`
	}
	envelope := e.envelope
	if envelope == "" {
		envelope = `"isSidechain":false,"userType":"external","cwd":` + quote(e.conv.Dir) + `,"sessionId":` + quote(e.conv.ID) + `,"version":"2.0.0",`
	}
	return []string{`{"parentUuid":null,` + envelope + note + `"type":` + quote(kind) + `,"message":` + message +
		`,"uuid":` + quote(name) + `,"timestamp":` + quote(e.at(m.Time)) + "}"}
}

// claudeUsage writes what a call cost, the cache beside the input.
func claudeUsage(u *model.Usage) string {
	if u == nil {
		u = &model.Usage{}
	}
	return fmt.Sprintf(`{"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,"output_tokens":%d}`,
		u.Input-u.CacheRead-u.CacheWrite, u.CacheRead, u.CacheWrite, u.Output)
}
