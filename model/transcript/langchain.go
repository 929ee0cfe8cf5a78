package transcript

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isLangChain knows messages as LangChain writes them, alone or in a graph's state.
func isLangChain(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		if _, _, ok := langchainMessage(r); ok {
			return true
		}
		list, _ := langchainList(r)
		if list.Exists() {
			return true
		}
	}
	return false
}

// langchainList is the list of messages in a record, and its path.
func langchainList(r gjson.Result) (gjson.Result, string) {
	for _, path := range []string{
		"", "messages", "values.messages", "channel_values.messages", "checkpoint.channel_values.messages",
		"kwargs.messages", "output.messages", "input.messages",
	} {
		list := r
		if path != "" {
			list = r.Get(path)
		}
		if !list.IsArray() {
			continue
		}
		if _, _, ok := langchainMessage(list.Get("0")); ok {
			return list, path
		}
	}
	return gjson.Result{}, ""
}

// langchainMessage is a message's kind and its fields, in each of the three
// forms in which LangChain writes one.
func langchainMessage(m gjson.Result) (kind string, fields gjson.Result, ok bool) {
	switch {
	case m.Get("lc").Exists() && m.Get("kwargs").IsObject():
		fields = m.Get("kwargs")
		if kind = fields.Get("type").Str; kind == "" {
			ids := m.Get("id").Array()
			if len(ids) > 0 {
				kind = ids[len(ids)-1].Str
			}
		}
	case m.Get("data").IsObject() && m.Get("data.content").Exists():
		kind, fields = m.Get("type").Str, m.Get("data")
	case m.Get("content").Exists() && !m.Get("role").Exists() && !m.Get("message").Exists():
		kind, fields = m.Get("type").Str, m
	}
	kind = strings.ToLower(kind)
	kind = strings.TrimSuffix(strings.TrimSuffix(kind, "chunk"), "message")
	switch kind {
	case "human", "ai", "system", "tool", "function", "chat", "developer", "remove":
		return kind, fields, true
	}
	return kind, fields, false
}

// langchain reads messages.
type langchain struct {
	chat
}

// decodeLangChain reads lists of messages, states that hold one, or a message a line.
func decodeLangChain(doc *Document) ([]*model.Conversation, error) {
	d := &langchain{chat{doc: doc, dialect: dialect{begin: openaiBegin, message: openaiMessage}}}
	err := doc.Each(func(rec Record) error {
		here, r := in(rec), rec.JSON
		if _, _, ok := langchainMessage(r); ok {
			if d.lines == nil {
				d.start(gjson.Result{})
				d.lines = d.conv
			}
			d.conv = d.lines
			d.message(r, rec.Span(""))
			return nil
		}
		list, name := langchainList(r)
		if !list.Exists() {
			return nil
		}
		d.start(r)
		n := 0
		list.ForEach(func(_, m gjson.Result) bool {
			d.message(m, here.span(m, fmt.Sprintf("%s[%d]", name, n)))
			n++
			return true
		})
		return nil
	})
	return d.convs, err
}

// message reads one message.
func (d *langchain) message(m gjson.Result, span model.Span) {
	d.line = span.Line
	kind, fields, ok := langchainMessage(m)
	if !ok && isMessage(m) {
		d.add(m, span) // written in OpenAI's words beside the others
		return
	}
	if kind == "chat" {
		kind = str(fields.Get("role"))
	}
	role, ok := roleOf(kind)
	if !ok {
		d.odd("message of type " + kind)
		return
	}
	got := &model.Message{Role: role, Wrote: kind, ID: str(fields.Get("id")), Spans: []model.Span{span}}
	switch {
	case kind == "tool" || kind == "function":
		id := d.calls.result(str(fields.Get("tool_call_id")), str(fields.Get("name")))
		part := result(id, str(fields.Get("name")), fields.Get("content"), openaiBlock)
		part.IsError = fields.Get("status").Str == "error"
		got.Parts = []model.Part{part}
	case role == model.Assistant:
		d.answer(got, fields)
	default:
		got.Parts = content(fields.Get("content"), d.known(false), d.odd)
	}
	d.conv.Messages = append(d.conv.Messages, got)
}

// answer reads what the model said. Its calls stand in up to three places: what
// LangChain made of them counts, then what the provider wrote, then the content.
func (d *langchain) answer(got *model.Message, fields gjson.Result) {
	calls := openaiCalls(&d.chat, fields)
	if len(calls) == 0 {
		calls = openaiCalls(&d.chat, fields.Get("additional_kwargs"))
	}
	fields.Get("invalid_tool_calls").ForEach(func(_, c gjson.Result) bool {
		name := str(c.Get("name"))
		calls = append(calls, toolCall(d.calls.call(str(c.Get("id")), name), name, c.Get("args")))
		return true
	})
	got.Parts = openaiReasoning(fields.Get("additional_kwargs"))
	got.Parts = append(got.Parts, content(fields.Get("content"), d.known(len(calls) > 0), d.odd)...)
	got.Parts = append(got.Parts, calls...)
	if name := first(fields, "response_metadata.model_name", "response_metadata.model"); name.Exists() {
		got.Model = str(name)
		d.conv.Model = got.Model
	}
	if u := fields.Get("usage_metadata"); u.IsObject() {
		got.Usage = &model.Usage{
			Input: u.Get("input_tokens").Int(), Output: u.Get("output_tokens").Int(),
			CacheRead: u.Get("input_token_details.cache_read").Int(), CacheWrite: u.Get("input_token_details.cache_creation").Int(),
		}
	}
}
