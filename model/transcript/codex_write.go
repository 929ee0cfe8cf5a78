package transcript

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// codexWriter writes a rollout that Codex resumes with the messages given: the
// session's header, the newest settings, and the items that survive, each
// followed by the events that told the screen about it. What compactions and
// rollbacks had left behind is not in it, so it needs none of their records.
type codexWriter struct {
	out           *bufio.Writer
	from          *original
	bare          bool               // a rollout from before there were envelopes
	header        string             // the session's first line
	settings      string             // the newest turn_context
	before, after map[int64][]string // events, by where the item stands that they belong to
	answered      *model.Message     // the answer written last, of which a token_count speaks
	stamp         string             // the time of the last line, without which Codex reads none
}

// encodeCodex writes a rollout.
func encodeCodex(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error {
	e := &codexWriter{out: bufio.NewWriter(w), from: from, before: map[int64][]string{}, after: map[int64][]string{}, stamp: timeText(firstTime(messages))}
	if from != nil {
		if err := from.read(e.survey()); err != nil {
			return err
		}
	}
	if e.header == "" {
		e.header = e.made(time.Time{}, "session_meta", codexHeader(c, e.stamp))
	}
	if e.settings == "" && !e.bare {
		e.settings = e.made(time.Time{}, "turn_context", `{"cwd":`+quote(c.Dir)+`,"approval_policy":"on-request","sandbox_policy":{"type":"read-only"},"model":`+quote(c.Model)+`,"summary":"auto"}`)
	}
	e.line(e.header)
	e.line(e.settings)
	for i, m := range messages {
		if m.Role == model.Assistant {
			if i > 0 && messages[i-1] == e.answered {
				e.line(e.settings) // what follows is another answer
			}
			e.answered = m
		}
		for _, it := range itemsOf(from, m) {
			e.item(it, m)
		}
	}
	return e.out.Flush()
}

// survey notes the lines beside the items that are to be written.
func (e *codexWriter) survey() func(Record) {
	wanted := map[int64]bool{}
	for span := range e.from.text {
		wanted[span.Offset] = true
	}
	var last codexSaid      // the item read last
	var waiting []codexSaid // events that told the screen about an item before it was written
	return func(rec Record) {
		r := rec.JSON
		switch r.Get("type").Str {
		case "session_meta":
			if e.header == "" {
				e.header = sound(r)
			}
		case "turn_context":
			e.settings = cmp.Or(sound(r), e.settings)
		case "response_item":
			last = codexItemSaid(rec.Offset, r.Get("payload"))
			for _, event := range waiting {
				if event.tells(last) && wanted[last.at] {
					e.before[last.at] = append(e.before[last.at], event.line)
				}
			}
			waiting = nil
		case "compacted":
			last, waiting = codexSaid{}, nil
		case "event_msg":
			event := codexEventSaid(r)
			switch {
			case event.kind == "":
			case event.kind != "token_count" && !event.tells(last):
				waiting = append(waiting, event)
			case wanted[last.at] && last.kind != "":
				e.after[last.at] = append(e.after[last.at], event.line)
			}
		default:
			if isCodexHeader(r) && e.header == "" {
				e.header, e.bare = sound(r), true
			}
		}
	}
}

// codexSaid is what an item says, or an event for the screen says of one.
type codexSaid struct {
	at         int64
	kind, text string // kind is the event's that tells it
	line       string
}

// tells reports whether an event tells the screen about an item.
func (e codexSaid) tells(item codexSaid) bool { return e.kind == item.kind && e.text == item.text }

func codexItemSaid(at int64, item gjson.Result) codexSaid {
	said := codexSaid{at: at, kind: "item"}
	text := item.Get("content.0.text")
	switch {
	case item.Get("role").Str == "user":
		said.kind = "user_message"
	case item.Get("role").Str == "assistant":
		said.kind = "agent_message"
	case item.Get("type").Str == "reasoning":
		said.kind, text = "agent_reasoning", first(item, "summary.0.text", "content.0.text")
	}
	said.text = str(text)
	return said
}

func codexEventSaid(r gjson.Result) codexSaid {
	switch kind := r.Get("payload.type").Str; kind {
	case "user_message", "agent_message", "agent_reasoning", "token_count":
		return codexSaid{kind: str(r.Get("payload.type")), text: str(first(r, "payload.message", "payload.text")), line: sound(r)}
	}
	return codexSaid{}
}

// item writes an item with the events that belong to it.
func (e *codexWriter) item(it keptItem, m *model.Message) {
	if e.from != nil {
		for _, event := range e.before[it.span.Offset] {
			e.line(event)
		}
	}
	r := gjson.Parse(it.text)
	switch kind := r.Get("type").Str; {
	case it.text == "" || kind == "event_msg" || kind == "compacted":
		for _, made := range it.made {
			e.wrap(made, m)
		}
	case kind == "response_item" && r.Get("payload").Exists():
		e.line(it.text)
	default:
		e.wrap(it.text, m)
	}
	if e.from == nil {
		return
	}
	for _, event := range e.after[it.span.Offset] {
		if gjson.Get(event, "payload.type").Str == "token_count" && (e.answered == nil || e.from.outdated(e.answered)) {
			event = codexUncounted(event)
		}
		e.line(event)
	}
}

// codexUncounted is a token_count without the size of the last call's prompt,
// by which Codex decides whether to compact.
func codexUncounted(event string) string {
	payload := gjson.Get(event, "payload")
	info := payload.Get("info")
	if !info.IsObject() {
		return event
	}
	last := uncounted(info.Raw, "last_token_usage", "input_tokens", "cached_input_tokens", "cache_write_input_tokens", "total_tokens")
	return replaced(event, "payload", replaced(payload.Raw, "info", last))
}

// wrap writes an item that has no envelope yet.
func (e *codexWriter) wrap(item string, m *model.Message) {
	if e.bare {
		e.line(item)
		return
	}
	e.line(e.made(m.Time, "response_item", item))
}

// line writes a line, on one line however its JSON was laid out.
func (e *codexWriter) line(s string) {
	if s == "" {
		return
	}
	if stamp := gjson.Get(s, "timestamp"); stamp.Type == gjson.String {
		e.stamp = stamp.Str
	}
	e.out.WriteString(oneLine(s))
	e.out.WriteByte('\n')
}

// made is a payload in its envelope.
func (e *codexWriter) made(at time.Time, kind, payload string) string {
	when := e.stamp
	if !at.IsZero() {
		when = timeText(at)
	}
	return `{"timestamp":` + quote(when) + `,"type":` + quote(kind) + `,"payload":` + payload + "}"
}

// codexHeader describes a session from another format. Codex wants its name to
// be a UUID.
func codexHeader(c *model.Conversation, when string) string {
	id := c.ID
	if !isUUID(id) {
		id = uuid(sha256.Sum256([]byte(c.ID)))
	}
	meta := `{"id":` + quote(id) + `,"timestamp":` + quote(when) + `,"cwd":` + quote(c.Dir) + `,"originator":"cinch","cli_version":"0.0.0","source":"cli"`
	if c.Window > 0 {
		meta += `,"context_window":` + strconv.FormatInt(c.Window, 10)
	}
	if c.System != "" {
		meta += `,"base_instructions":{"text":` + quote(c.System) + "}"
	}
	if tools := toolsAs("codex", c.Tools); tools != "" {
		meta += `,"dynamic_tools":` + tools
	}
	return meta + "}"
}

// isUUID reports whether a name has the form of a UUID.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			return false
		}
	}
	return true
}
