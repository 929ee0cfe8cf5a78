package transcript

import (
	"bufio"
	"io"
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
	out      *bufio.Writer
	from     *original
	bare     bool   // a rollout from before there were envelopes
	header   string // the session's first line
	settings string // the newest turn_context
	events   map[int64][]string
}

// encodeCodex writes a rollout.
func encodeCodex(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error {
	e := &codexWriter{out: bufio.NewWriter(w), from: from, events: map[int64][]string{}}
	if from != nil {
		if err := from.read(e.survey()); err != nil {
			return err
		}
	}
	if e.header == "" {
		e.header = codexHeader(c)
	}
	if e.settings == "" && !e.bare {
		e.settings = codexLine(time.Time{}, "turn_context", `{"cwd":`+quote(c.Dir)+`,"model":`+quote(c.Model)+"}")
	}
	e.line(e.header)
	e.line(e.settings)
	answered := false
	for _, m := range messages {
		if answered && m.Role == model.Assistant {
			e.line(e.settings) // what follows is another answer
		}
		answered = m.Role == model.Assistant
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
	item := int64(-1)
	return func(rec Record) {
		r := rec.JSON
		switch r.Get("type").Str {
		case "session_meta":
			if e.header == "" {
				e.header = strings.Clone(r.Raw)
			}
		case "turn_context":
			e.settings = strings.Clone(r.Raw)
		case "response_item":
			item = rec.Offset
		case "compacted":
			item = -1
		case "event_msg":
			switch r.Get("payload.type").Str {
			case "user_message", "agent_message", "agent_reasoning", "token_count":
				if wanted[item] {
					e.events[item] = append(e.events[item], strings.Clone(r.Raw))
				}
			}
		default:
			if isCodexHeader(r) && e.header == "" {
				e.header, e.bare = strings.Clone(r.Raw), true
			}
		}
	}
}

// item writes an item with the events that belong to it.
func (e *codexWriter) item(it keptItem, m *model.Message) {
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
	if e.from != nil {
		for _, event := range e.events[it.span.Offset] {
			e.line(event)
		}
	}
}

// wrap writes an item that has no envelope yet.
func (e *codexWriter) wrap(item string, m *model.Message) {
	if e.bare {
		e.line(item)
		return
	}
	e.line(codexLine(m.Time, "response_item", item))
}

// line writes a line, on one line however its JSON was laid out.
func (e *codexWriter) line(s string) {
	if s == "" {
		return
	}
	if strings.Contains(s, "\n") {
		s = model.CompactJSON(s)
	}
	e.out.WriteString(s)
	e.out.WriteByte('\n')
}

// codexLine is a payload in its envelope.
func codexLine(at time.Time, kind, payload string) string {
	stamp := ""
	if !at.IsZero() {
		stamp = `"timestamp":` + quote(at.UTC().Format("2006-01-02T15:04:05.000Z")) + ","
	}
	return "{" + stamp + `"type":` + quote(kind) + `,"payload":` + payload + "}"
}

// codexHeader is the first line of a session from another format.
func codexHeader(c *model.Conversation) string {
	meta := `{"id":` + quote(c.ID) + `,"cwd":` + quote(c.Dir) + `,"originator":"cinch"`
	if c.System != "" {
		meta += `,"base_instructions":{"text":` + quote(c.System) + "}"
	}
	return codexLine(time.Time{}, "session_meta", meta+"}")
}
