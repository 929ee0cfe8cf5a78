package transcript

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
	"cinch/model/token"
)

// Writable lists the formats that conversations can be written in.
func Writable() []string {
	var names []string
	for _, f := range formats {
		if f.Encode != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// WrittenAs is the format that a conversation is written in by itself: its own
// where that can be written, else the native one.
func WrittenAs(format string) string {
	if slices.Contains(Writable(), format) {
		return format
	}
	return nativeName
}

// Write writes messages of one of the file's conversations in a format. In the
// file's own, what survives keeps its fields byte for byte; in another, what the
// model holds is written. Usage that speaks of more than is written before its
// answer is left out in either: whoever read it would take the context for larger
// than it is.
func (f *File) Write(ctx context.Context, w io.Writer, format string, c *model.Conversation, messages []*model.Message) error {
	to, ok := Named(format)
	if !ok || to.Encode == nil {
		return fmt.Errorf("the %s format cannot be written: one of %s", format, strings.Join(Writable(), ", "))
	}
	told := token.Told(c, messages)
	now := make([]*model.Message, len(messages))
	for i, m := range messages {
		if now[i] = m; m.Usage != nil && !told[m] {
			short := *m
			short.Usage, now[i] = nil, &short
		}
	}
	messages = now
	if format != c.Format || f.src == nil {
		if format != nativeName { // which pairs by ids alone, as they stand
			messages = apart(messages)
		}
		return to.Encode(w, nil, c, messages)
	}
	d, err := f.again(ctx, c)
	if err != nil {
		return err
	}
	o := &original{doc: d, conv: c, was: map[model.Span]*model.Message{}, text: map[model.Span]string{}, in: map[model.Span]int{}}
	last := map[model.Span]*model.Message{}
	for _, m := range c.Messages {
		if len(m.Spans) > 0 {
			o.was[m.Spans[0]] = m
		}
		for _, s := range m.Spans {
			if last[s] != m {
				last[s] = m
				o.in[s]++
			}
		}
	}
	for _, m := range messages {
		for _, s := range m.Spans {
			o.text[s] = ""
		}
	}
	return to.Encode(w, o, c, messages)
}

// again begins to read the file anew that holds a conversation: a subagent's may be
// one of its own. By whom the file was opened may be gone.
func (f *File) again(ctx context.Context, c *model.Conversation) (*Document, error) {
	src := *f.src
	src.ctx, src.progress = ctx, nil
	if c.Path == "" || c.Path == f.Path {
		return reread(f.Path, &src, f.slurped)
	}
	d, err := (&Document{src: &src}).beside(c.Path)
	if err != nil {
		return nil, err
	}
	return reread(c.Path, d.src, false)
}

// original gives an encoder what the messages were read from.
type original struct {
	doc  *Document
	conv *model.Conversation
	was  map[model.Span]*model.Message // as read, by where it begins
	text map[model.Span]string         // of the messages to be written
	in   map[model.Span]int            // how many messages have something of a record
}

// read goes over the records, takes the text of what is to be written out of
// them, and shows each to visit, which may be nil.
func (o *original) read(visit func(Record)) error {
	var spans []model.Span
	for s := range o.text {
		spans = append(spans, s)
	}
	slices.SortFunc(spans, func(a, b model.Span) int { return int(a.Offset - b.Offset) })
	logs := slices.Contains([]string{"openai", "anthropic", "gemini", "openai-responses"}, o.conv.Format)
	return o.doc.Each(func(rec Record) error {
		if logs {
			rec = unstreamed(o.doc, rec)
		}
		raw := rec.JSON.Raw
		for len(spans) > 0 && spans[0].Offset < rec.Offset+rec.Length {
			s := spans[0]
			spans = spans[1:]
			text := raw // as mended, where the record had to be
			if from := s.Offset - rec.Offset; from != 0 || s.Length != rec.Length {
				if from < 0 || from+s.Length > int64(len(raw)) {
					continue
				}
				text = raw[from : from+s.Length]
			}
			if gjson.Valid(text) {
				o.text[s] = strings.Clone(text)
			}
		}
		if visit != nil {
			visit(rec)
		}
		return nil
	})
}

// sound is a record's text to be kept, "" where it is not quite JSON: what others
// read is to be.
func sound(r gjson.Result) string {
	if !gjson.Valid(r.Raw) {
		return ""
	}
	return strings.Clone(r.Raw)
}

// before is the message as it was read, nil when the file does not hold it; same
// says that nothing was taken from it.
func (o *original) before(m *model.Message) (was *model.Message, same bool) {
	if o == nil || len(m.Spans) == 0 {
		return nil, false
	}
	was = o.was[m.Spans[0]]
	if was == nil || o.text[m.Spans[0]] == "" {
		return nil, false
	}
	return was, was == m || reflect.DeepEqual(was.Parts, m.Parts)
}

// outdated reports whether a message's usage is not to be written, though the
// file holds it.
func (o *original) outdated(m *model.Message) bool {
	if o == nil || len(m.Spans) == 0 || m.Usage != nil {
		return false
	}
	was := o.was[m.Spans[0]]
	return was != nil && was.Usage != nil
}

// uncounted is an object with 0 for each of the counts named in one of its
// members, "" for itself: an answer's usage without the size of its prompt.
func uncounted(object, member string, counts ...string) string {
	usage := object
	if member != "" {
		if usage = gjson.Get(object, member).Raw; !strings.HasPrefix(usage, "{") {
			return object
		}
	}
	for _, name := range counts {
		usage = replaced(usage, name, "0")
	}
	if member == "" {
		return usage
	}
	return replaced(object, member, usage)
}

// kept says for each part a message had when it was read which part it is now,
// -1 when it is gone. A result whose text a pass changed is still that result.
func kept(was, now []model.Part) []int {
	at := make([]int, len(was))
	next := 0
	for i := range was {
		at[i] = -1
		for j := next; j < len(now); j++ {
			if reflect.DeepEqual(was[i], now[j]) || was[i].Kind == model.ToolResult && now[j].Kind == model.ToolResult && was[i].ID == now[j].ID {
				at[i], next = j, j+1
				break
			}
		}
	}
	return at
}

// members is a JSON object without the members named, with others added at its
// end, and the rest as it stands.
func members(object string, without []string, added ...string) string {
	var b strings.Builder
	b.WriteByte('{')
	n, end := 0, strings.IndexByte(object, '{')+1
	gjson.Parse(object).ForEach(func(key, value gjson.Result) bool {
		between := object[end:key.Index]
		end = value.Index + len(value.Raw)
		if slices.Contains(without, key.Str) {
			return true
		}
		if n == 0 {
			between = strings.Replace(between, ",", "", 1)
		}
		b.WriteString(between)
		b.WriteString(object[key.Index:end])
		n++
		return true
	})
	for _, member := range added {
		if n > 0 {
			b.WriteByte(',')
		}
		b.WriteString(member)
		n++
	}
	b.WriteString(object[end:])
	return b.String()
}

// replaced is a JSON object with one member's value put in place of the one it had.
func replaced(object, name, value string) string {
	var b strings.Builder
	end := 0
	gjson.Parse(object).ForEach(func(key, old gjson.Result) bool {
		if key.Str == name {
			b.WriteString(object[end:old.Index])
			b.WriteString(value)
			end = old.Index + len(old.Raw)
		}
		return true
	})
	b.WriteString(object[end:])
	return b.String()
}

// put is a JSON object with one member's value, in its place or at the end.
func put(object, name, value string) string {
	if gjson.Get(object, name).Exists() {
		return replaced(object, name, value)
	}
	return members(object, nil, quote(name)+":"+value)
}

// jsonList joins JSON values into a list with one of them a line.
func jsonList(values []string) string {
	if len(values) == 0 {
		return "[]"
	}
	return "[\n" + strings.Join(values, ",\n") + "\n]"
}

// quote is short for a JSON string.
func quote(s string) string { return model.QuoteJSON(s) }

// body is the object that holds the messages of a conversation, with the name
// of their member: in a request what was sent. bare says that there is none, since
// the messages stand in a list of their own or on lines; otherwise, where it is
// "" too, the record is something that holds one message, such as an answer alone.
func (o *original) body(find func(gjson.Result) gjson.Result) (body string, bare bool, err error) {
	if o == nil || len(o.conv.Messages) == 0 || len(o.conv.Messages[0].Spans) == 0 {
		return "", false, nil
	}
	at := o.conv.Messages[0].Spans[0]
	err = o.read(func(rec Record) {
		if at.Offset < rec.Offset || at.Offset >= rec.Offset+int64(len(rec.JSON.Raw)) {
			return
		}
		r, from := rec.JSON, rec.Offset
		if r.IsArray() {
			r.ForEach(func(_, one gjson.Result) bool {
				if here := rec.Offset + int64(one.Index-rec.JSON.Index); at.Offset >= here && at.Offset < here+int64(len(one.Raw)) {
					r, from = one, here
					return false
				}
				return true
			})
		}
		if found := find(r); found.IsObject() {
			body = strings.Clone(found.Raw)
		} else {
			bare = from == at.Offset
		}
	})
	return body, bare, err
}
