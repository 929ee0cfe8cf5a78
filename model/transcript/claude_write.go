package transcript

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// encodeClaudeCode writes a session of Claude Code: the records that survive,
// each hung on the one before it, as one way from the start to the end. What
// compactions left behind is not in it, so it needs none of their boundaries.
func encodeClaudeCode(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error {
	if from != nil {
		if err := from.read(nil); err != nil {
			return err
		}
	}
	out := &chain{out: bufio.NewWriter(w), id: "uuid", parent: "parentUuid"}
	n := 0
	for i, m := range messages {
		lines := keptLines(from, m, claudeEdit)
		for j := range lines {
			if i > 0 && gjson.Get(lines[j], "isCompactSummary").Bool() {
				// As a summary it would hide what stands before it.
				lines[j] = members(lines[j], []string{"isCompactSummary", "isVisibleInTranscriptOnly"})
			}
		}
		if lines == nil {
			n++
			lines = claudeJSON(c, m, n)
		}
		for _, text := range lines {
			out.line(text)
		}
	}
	return out.out.Flush()
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

// claudeJSON makes a record from the model; none when it says nothing that
// Anthropic's blocks can hold. What the system said is a note of the agent's.
func claudeJSON(c *model.Conversation, m *model.Message, n int) []string {
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
	switch m.Role {
	case model.Assistant:
		kind = "assistant"
		name := m.Model
		if name == "" {
			name = c.Model
		}
		message = fmt.Sprintf(`{"id":"msg_%08d","type":"message","role":"assistant","model":%s,%s,"stop_reason":null,"usage":%s}`, n, quote(name), said, claudeUsage(m.Usage))
	case model.System:
		note = `"isMeta":true,`
	}
	return []string{fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":%s,"sessionId":%s,"version":"2.0.0",%s"type":%s,"message":%s,"uuid":"c1c40000-0000-4000-8000-%012x","timestamp":%s}`,
		quote(c.Dir), quote(c.ID), note, quote(kind), message, n, quote(piTime(m.Time)))}
}

// claudeUsage writes what a call cost, the cache beside the input.
func claudeUsage(u *model.Usage) string {
	if u == nil {
		u = &model.Usage{}
	}
	return fmt.Sprintf(`{"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,"output_tokens":%d}`,
		u.Input-u.CacheRead-u.CacheWrite, u.CacheRead, u.CacheWrite, u.Output)
}
