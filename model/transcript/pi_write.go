package transcript

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// piSettings are the entries of which the newest is in force wherever it stands.
var piSettings = []string{"session_info", "model_change", "thinking_level_change"}

// piCounts are the members of a usage that say how large the context was. pi
// itself goes by them when it takes a session up again.
var piCounts = []string{"input", "cacheRead", "cacheWrite", "totalTokens"}

// encodePi writes a session: its header, the settings in force, and the entries
// that survive on one branch, hung on one another. A summary is written as a
// message, so the session needs none of its old compactions.
func encodePi(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error {
	header, settings, used := "", map[string]string{}, "" // used is the model that answered last
	if from != nil {
		err := from.read(func(rec Record) {
			switch kind := rec.JSON.Get("type").Str; {
			case kind == "session":
				if header == "" {
					header = sound(rec.JSON)
				}
			case slices.Contains(piSettings, kind):
				settings[kind] = cmp.Or(sound(rec.JSON), settings[kind])
			case kind == "message":
				if m := rec.JSON.Get("message"); m.Get("role").Str == "assistant" && m.Get("model").Exists() {
					used = `"provider":` + quote(str(m.Get("provider"))) + `,"modelId":` + quote(str(m.Get("model")))
				}
			}
		})
		if err != nil {
			return err
		}
	}
	if header == "" {
		header = `{"type":"session","version":3,"id":` + quote(c.ID) + `,"timestamp":` + quote(timeText(firstTime(messages))) + `,"cwd":` + quote(c.Dir) + `,"modelId":` + quote(c.Model) + "}"
	}
	out := newChain(w, from, "id", "parentId", func(sum [sha256.Size]byte) string { return fmt.Sprintf("%x", sum[:4]) })
	out.line(header)
	out.last = "" // the header is nobody's parent
	for _, kind := range piSettings {
		if text := settings[kind]; text != "" {
			out.line(text)
		}
	}
	linked := from == nil || gjson.Get(header, "version").Int() > 1
	answers := func(m *model.Message) bool { return m.Role == model.Assistant }
	if used != "" && settings["model_change"] == "" && !slices.ContainsFunc(messages, answers) {
		out.line(`{"type":"model_change",` + piLink(out, used, linked) + `"timestamp":` + quote(out.at(time.Time{})) + "," + used + "}")
	}
	for _, m := range messages {
		lines := keptLines(from, m, piEdit)
		for i, text := range lines {
			if kind := gjson.Get(text, "type").Str; kind != "message" && kind != "custom_message" {
				lines = nil // a summary, which its record alone would not keep in place
				break
			}
			if from.outdated(m) {
				lines[i] = replaced(text, "message", uncounted(gjson.Get(text, "message").Raw, "usage", piCounts...))
			}
		}
		if lines == nil {
			for _, message := range piJSON(c, m) {
				out.line(piEntryJSON(out, m, message, linked))
			}
			continue
		}
		for _, text := range lines {
			out.line(text)
		}
	}
	return out.out.Flush()
}

// firstTime is the first time that a message has.
func firstTime(messages []*model.Message) time.Time {
	for _, m := range messages {
		if !m.Time.IsZero() {
			return m.Time
		}
	}
	return time.Time{}
}

// piEdit is an entry without the blocks a pass took from it, or with the result
// it changed.
func piEdit(text string, was, now []model.Part) string {
	message := gjson.Get(text, "message")
	if message.Get("role").Str == "toolResult" {
		return replaced(text, "message", put(message.Raw, "content", piContent(now[0].Text, now[0].List)))
	}
	at := kept(was, now)
	var blocks []string
	n := 0
	message.Get("content").ForEach(func(_, b gjson.Result) bool {
		had := content(b, piBlock, func(string) {})
		stays := len(had) == 0
		for range had {
			stays = stays || n < len(at) && at[n] >= 0
			n++
		}
		if stays {
			blocks = append(blocks, b.Raw)
		}
		return true
	})
	return replaced(text, "message", replaced(message.Raw, "content", "["+strings.Join(blocks, ",")+"]"))
}

// piEntryJSON is a message in its entry.
func piEntryJSON(out *chain, m *model.Message, message string, linked bool) string {
	return `{"type":"message",` + piLink(out, message, linked) + `"timestamp":` + quote(out.at(m.Time)) + `,"message":` + message + "}"
}

// piLink names an entry, in versions that name them.
func piLink(out *chain, text string, linked bool) string {
	if !linked {
		return ""
	}
	return `"id":` + quote(out.fresh(text)) + `,"parentId":null,`
}

// piJSON makes messages from the model. Every result is one of its own there,
// and there is no system message.
func piJSON(c *model.Conversation, m *model.Message) []string {
	stamp := `,"timestamp":` + strconv.FormatInt(max(m.Time.UnixMilli(), 0), 10)
	var results, said []string
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case model.ToolResult:
			results = append(results, `{"role":"toolResult","toolCallId":`+quote(p.ID)+`,"toolName":`+quote(p.Name)+
				`,"content":`+piContent(p.Text, p.List)+`,"isError":`+strconv.FormatBool(p.IsError)+stamp+"}")
		case model.ToolCall:
			said = append(said, `{"type":"toolCall","id":`+quote(p.ID)+`,"name":`+quote(p.Name)+`,"arguments":`+arguments(p)+"}")
		case model.Thinking:
			said = append(said, `{"type":"thinking","thinking":`+quote(p.Text)+"}")
		case model.Opaque:
		default:
			said = append(said, piPart(p))
		}
	}
	if m.Role != model.Assistant {
		if len(said) > 0 || len(results) == 0 {
			results = append(results, `{"role":"user","content":[`+strings.Join(said, ",")+"]"+stamp+"}")
		}
		return results
	}
	name := m.Model
	if name == "" {
		name = c.Model
	}
	usage := `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0}`
	if u := m.Usage; u != nil {
		usage = fmt.Sprintf(`{"input":%d,"output":%d,"cacheRead":%d,"cacheWrite":%d,"totalTokens":%d}`,
			u.Input-u.CacheRead-u.CacheWrite, u.Output, u.CacheRead, u.CacheWrite, u.Input+u.Output)
	}
	stop := "stop"
	if m.HasCall() {
		stop = "toolUse"
	}
	answer := `{"role":"assistant","content":[` + strings.Join(said, ",") + `],"model":` + quote(name) + `,"usage":` + usage + `,"stopReason":` + quote(stop) + stamp + "}"
	return append([]string{answer}, results...)
}

// piContent is a result's content.
func piContent(text string, list []model.Part) string {
	if list == nil {
		return `[{"type":"text","text":` + quote(text) + "}]"
	}
	var blocks []string
	for i := range list {
		blocks = append(blocks, piPart(&list[i]))
	}
	return "[" + strings.Join(blocks, ",") + "]"
}

// piPart writes a text or an image.
func piPart(p *model.Part) string {
	if p.Kind == model.Image && p.Media != nil {
		return `{"type":"image","data":` + quote(p.Media.Data) + `,"mimeType":` + quote(p.Media.Type) + "}"
	}
	return `{"type":"text","text":` + quote(p.Text) + "}"
}
