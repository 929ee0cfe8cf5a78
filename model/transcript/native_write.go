package transcript

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// EncodeNative writes a list of messages, with the conversation's model, window,
// system prompt and tools or their overhead, in the native format. Reading it back gives the same
// messages: role, parts, and the order of both. What only the recording knows
// (times, usage, where it stood) is not written.
func EncodeNative(w io.Writer, c *model.Conversation, messages []*model.Message) error {
	out := &nativeWriter{w: bufio.NewWriter(w)}
	out.raw("{")
	if c.Model != "" {
		out.member("model", c.Model)
		out.raw(",\n")
	}
	if c.Window > 0 {
		out.raw(`"window":` + strconv.FormatInt(c.Window, 10) + ",\n")
	}
	if c.Overhead > 0 && c.System == "" && c.Tools == "" {
		out.raw(`"overhead":` + strconv.FormatInt(c.Overhead, 10) + ",\n")
	}
	if c.System != "" {
		out.member("system", c.System)
		out.raw(",\n")
	}
	if c.Tools != "" && json.Valid([]byte(c.Tools)) {
		out.raw(`"tools":`)
		out.raw(c.Tools)
		out.raw(",\n")
	}
	out.raw(`"messages":[`)
	for i, m := range messages {
		if i > 0 {
			out.raw(",")
		}
		out.raw("\n")
		out.message(m)
	}
	out.raw("\n]}\n")
	if out.err != nil {
		return out.err
	}
	return out.w.Flush()
}

// encodeNative writes a conversation of the native format with what stood beside
// its parts, or one of another format as [EncodeNative] does.
func encodeNative(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error {
	body, bare, err := from.body(func(r gjson.Result) gjson.Result {
		if r.Get("request.messages").Exists() {
			return r.Get("request")
		}
		if r.Get("messages").IsArray() {
			return r
		}
		return gjson.Result{}
	})
	if err != nil {
		return err
	}
	if body == "" && !bare {
		return EncodeNative(w, c, messages)
	}
	var list []string
	for _, m := range messages {
		switch was, same := from.before(m); {
		case same:
			list = append(list, from.text[m.Spans[0]])
		case was != nil:
			list = append(list, nativeEdit(from.text[m.Spans[0]], was, m))
		default:
			list = append(list, nativeJSON(func(n *nativeWriter) { n.message(m) }))
		}
	}
	return encodeList(w, c, body, bare, "messages", list, nil)
}

// nativeEdit is a message of the file without the parts a pass took from it, and
// with the results it changed.
func nativeEdit(text string, was, now *model.Message) string {
	at := kept(was.Parts, now.Parts)
	var parts []string
	n := 0
	gjson.Get(text, "parts").ForEach(func(_, p gjson.Result) bool {
		if had := content(p, nativePart, func(string) {}); len(had) == 0 {
			parts = append(parts, p.Raw) // nobody knows what it is
			return true
		}
		part := p.Raw
		if at[n] < 0 {
			n++
			return true
		}
		if left, had := &now.Parts[at[n]], &was.Parts[n]; !reflect.DeepEqual(left.List, had.List) || left.Text != had.Text {
			part = replaced(part, "output", nativeJSON(func(n *nativeWriter) { n.output(left) }))
		}
		parts = append(parts, part)
		n++
		return true
	})
	return replaced(text, "parts", "["+strings.Join(parts, ",")+"]")
}

// nativeJSON is what is written into a text.
func nativeJSON(write func(*nativeWriter)) string {
	var b strings.Builder
	n := &nativeWriter{w: bufio.NewWriter(&b)}
	write(n)
	n.w.Flush()
	return b.String()
}

// nativeWriter writes JSON text and keeps the first error.
type nativeWriter struct {
	w   *bufio.Writer
	err error
}

func (n *nativeWriter) raw(s string) {
	if n.err == nil {
		_, n.err = n.w.WriteString(s)
	}
}

func (n *nativeWriter) member(name, value string) {
	n.raw(`"` + name + `":`)
	n.raw(model.QuoteJSON(value))
}

func (n *nativeWriter) message(m *model.Message) {
	role := m.Role.String()
	if m.Role == model.User && m.Wrote == "tool" {
		role = m.Wrote
	}
	n.raw("{")
	n.member("role", role)
	n.raw(`,"parts":`)
	n.parts(m.Parts)
	n.raw("}")
}

func (n *nativeWriter) parts(parts []model.Part) {
	n.raw("[")
	for i := range parts {
		if i > 0 {
			n.raw(",")
		}
		n.part(&parts[i])
	}
	n.raw("]")
}

func (n *nativeWriter) part(p *model.Part) {
	n.raw("{")
	n.member("type", p.Kind.String())
	switch p.Kind {
	case model.Text, model.Thinking:
		n.raw(",")
		n.member("text", p.Text)
	case model.Image, model.Document, model.Opaque:
		if p.Name != "" {
			n.raw(",")
			n.member("name", p.Name)
		}
		if p.Text != "" {
			n.raw(",")
			n.member("text", p.Text)
		}
		if p.Media != nil {
			n.source(p.Media)
		}
	case model.ToolCall:
		n.raw(",")
		n.member("id", p.ID)
		n.raw(",")
		n.member("name", p.Name)
		switch {
		case p.Text == "":
		case json.Valid([]byte(p.Text)):
			n.raw(`,"input":`)
			n.raw(p.Text)
		default:
			n.raw(",")
			n.member("input", p.Text)
		}
	case model.ToolResult:
		n.raw(",")
		n.member("call_id", p.ID)
		if p.Name != "" {
			n.raw(",")
			n.member("name", p.Name)
		}
		n.raw(`,"output":`)
		n.output(p)
		if p.IsError {
			n.raw(`,"is_error":true`)
		}
	}
	n.raw("}")
}

func (n *nativeWriter) output(p *model.Part) {
	if p.List == nil {
		n.raw(model.QuoteJSON(p.Text))
	} else {
		n.parts(p.List)
	}
}

func (n *nativeWriter) source(m *model.Media) {
	n.raw(`,"source":{`)
	n.member("encoding", m.Encoding)
	n.raw(",")
	n.member("media_type", m.Type)
	n.raw(",")
	n.member("data", m.Data)
	if m.Width > 0 || m.Height > 0 {
		n.raw(fmt.Sprintf(`,"width":%d,"height":%d`, m.Width, m.Height))
	}
	n.raw("}")
}
