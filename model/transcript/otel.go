package transcript

import (
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isOTel knows GenAI messages by parts that hold their text as content, and
// spans by the attributes that hold such messages.
func isOTel(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		if r.IsArray() && isOTelMessage(r.Get("0")) || isOTelMessage(r) {
			return true
		}
		for _, span := range otelSpans(r) {
			if otelAttribute(span, "gen_ai.input.messages").Exists() || otelAttribute(span, "gen_ai.output.messages").Exists() {
				return true
			}
		}
	}
	return false
}

// isOTelMessage knows one message.
func isOTelMessage(m gjson.Result) bool {
	p := m.Get("parts.0")
	if !m.Get("role").Exists() {
		return false
	}
	switch p.Get("type").Str {
	case "text", "reasoning", "blob":
		return p.Get("content").Exists()
	case "tool_call", "tool_call_response", "server_tool_call":
		return p.Get("id").Exists() || p.Get("name").Exists()
	}
	return false
}

// otelSpans are the spans in a record: itself, those of a trace, or of an export.
func otelSpans(r gjson.Result) []gjson.Result {
	if !r.IsObject() {
		return nil
	}
	var spans []gjson.Result
	for _, path := range []string{"spans", "resourceSpans.#.scopeSpans.#.spans", "resource_spans.#.scope_spans.#.spans"} {
		var each func(v gjson.Result)
		each = func(v gjson.Result) {
			v.ForEach(func(_, one gjson.Result) bool {
				if one.IsArray() {
					each(one)
				} else {
					spans = append(spans, one)
				}
				return true
			})
		}
		each(r.Get(path))
	}
	if spans == nil {
		spans = []gjson.Result{r}
	}
	return spans
}

// otelAttribute is an attribute of a span, however its exporter writes them.
// What was put into a string is taken out of it.
func otelAttribute(span gjson.Result, name string) gjson.Result {
	key := strings.ReplaceAll(name, ".", `\.`)
	v := first(span, "attributes."+key, key)
	if list := span.Get("attributes"); list.IsArray() {
		v = first(list.Get(`#(key=="`+name+`").value`), "stringValue", "string_value", "intValue", "arrayValue")
	}
	if v.Type == gjson.String && len(v.Str) > 0 && (v.Str[0] == '[' || v.Str[0] == '{') && holdsJSON(v.Str) {
		return gjson.Parse(v.Str)
	}
	return v
}

// otel reads GenAI messages.
type otel struct {
	chat
}

// decodeOTel reads lists of messages, and spans with what was sent and answered.
func decodeOTel(doc *Document) ([]*model.Conversation, error) {
	d := &otel{chat{doc: doc, dialect: dialect{
		begin: func(*model.Conversation, gjson.Result) {}, message: otelMessage,
	}}}
	err := doc.Each(func(rec Record) error {
		here, r := in(rec), rec.JSON
		switch {
		case isOTelMessage(r):
			if d.lines == nil {
				d.start(gjson.Result{})
				d.lines = d.conv
			}
			d.conv = d.lines
			d.add(r, rec.Span(""))
		case r.IsArray():
			d.start(gjson.Result{})
			d.list(r, here, "")
		default:
			for _, span := range otelSpans(r) {
				d.span(span, here)
			}
		}
		return nil
	})
	return d.convs, err
}

// span reads a model call. Later calls of a conversation repeat the earlier ones.
func (d *otel) span(span gjson.Result, here *inside) {
	sent, got := otelAttribute(span, "gen_ai.input.messages"), otelAttribute(span, "gen_ai.output.messages")
	if !sent.IsArray() && !got.IsArray() {
		return
	}
	d.start(gjson.Result{})
	c := d.conv
	c.ID = str(first(span, "spanId", "span_id"))
	c.Model = str(otelAttribute(span, "gen_ai.request.model"))
	var texts []string
	for _, p := range content(otelAttribute(span, "gen_ai.system_instructions"), otelBlock, d.odd) {
		texts = append(texts, p.Text)
	}
	c.System = strings.Join(texts, "\n")
	if tools := otelAttribute(span, "gen_ai.tool.definitions"); tools.IsArray() {
		c.Tools = compact(tools)
	}
	place := here.span(span, c.ID)
	for _, list := range []gjson.Result{sent, got} {
		list.ForEach(func(_, m gjson.Result) bool { d.add(m, place); return true })
	}
	used := otelAttribute(span, "gen_ai.usage.input_tokens")
	if n := len(c.Messages); got.IsArray() && used.Exists() && n > 0 && c.Messages[n-1].Role == model.Assistant {
		c.Messages[n-1].Usage = &model.Usage{
			Input:     used.Int(),
			CacheRead: otelAttribute(span, "gen_ai.usage.cache_read.input_tokens").Int(),
			Output:    otelAttribute(span, "gen_ai.usage.output_tokens").Int(),
		}
	}
	d.convs = fold(d.convs)
}

// otelMessage reads a message.
func otelMessage(d *chat, m gjson.Result) *model.Message {
	got := &model.Message{Parts: content(m.Get("parts"), otelBlock, d.odd)}
	d.calls.pair(got.Parts)
	return got
}

// otelBlock reads a part.
func otelBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	switch b.Get("type").Str {
	case "text":
		return append(parts, model.Part{Kind: model.Text, Text: str(first(b, "content", "text"))}), true
	case "reasoning":
		return append(parts, model.Part{Kind: model.Thinking, Text: str(b.Get("content"))}), true
	case "tool_call":
		return append(parts, toolCall(str(b.Get("id")), str(b.Get("name")), b.Get("arguments"))), true
	case "tool_call_response":
		return append(parts, result(str(b.Get("id")), str(b.Get("name")), first(b, "response", "result"), otelBlock)), true
	case "blob":
		return append(parts, picture(str(b.Get("mime_type")), str(first(b, "content", "data")))), true
	case "uri", "file":
		part := picture(str(b.Get("mime_type")), str(first(b, "uri", "file_id")))
		part.Media.Encoding = "url"
		return append(parts, part), true
	}
	return openaiBlock(parts, b)
}
