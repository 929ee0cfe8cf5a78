package transcript

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isGemini knows a request by its contents, a response by its candidates, a
// saved chat by its history, and a bare list by what its parts hold.
func isGemini(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		if r.IsArray() {
			r = r.Get("0")
		}
		if isGeminiContent(r) {
			return true
		}
		if contents, _ := geminiContents(r); contents.Exists() || geminiAnswer(r).Exists() {
			return true
		}
	}
	return false
}

// isGeminiContent knows a message by its parts, which have no type.
func isGeminiContent(m gjson.Result) bool {
	p := m.Get("parts.0")
	if !p.IsObject() || p.Get("type").Exists() {
		return false
	}
	return first(p, "text", "functionCall", "function_call", "functionResponse", "function_response",
		"inlineData", "inline_data", "fileData", "file_data").Exists()
}

// geminiContents is the list of messages in a record, and the request that holds it.
func geminiContents(r gjson.Result) (contents, body gjson.Result) {
	for _, body := range []gjson.Result{r, r.Get("request"), r.Get("body"), r.Get("request.body")} {
		if c := body.Get("contents"); c.Type == gjson.String || isGeminiContent(c) || isGeminiContent(c.Get("0")) {
			return c, body
		}
		if h := body.Get("history"); isGeminiContent(h.Get("0")) {
			return h, body
		}
	}
	return gjson.Result{}, r
}

// geminiAnswer is a response's first candidate.
func geminiAnswer(r gjson.Result) gjson.Result {
	for _, path := range []string{"candidates.0.content", "response.candidates.0.content", "response.body.candidates.0.content", "response.body_raw.candidates.0.content"} {
		if c := r.Get(path); c.Get("parts").Exists() {
			return c
		}
	}
	return gjson.Result{}
}

// gemini reads Gemini's messages.
type gemini struct {
	doc   *Document
	convs []*model.Conversation
	calls pending
	line  int
}

// decodeGemini reads the API's requests and responses, and chats saved by Gemini CLI.
func decodeGemini(doc *Document) ([]*model.Conversation, error) {
	d := &gemini{doc: doc}
	var lines *model.Conversation
	err := doc.Each(func(rec Record) error {
		rec = unstreamed(doc, rec)
		here, r := in(rec), rec.JSON
		switch {
		case isGeminiContent(r):
			if lines == nil {
				lines = d.start(gjson.Result{})
			}
			d.add(lines, r, rec.Span(""))
		case r.IsArray() && isGeminiContent(r.Get("0")):
			d.list(d.start(gjson.Result{}), r, here, "")
		case r.IsArray():
			r.ForEach(func(_, one gjson.Result) bool { d.request(one, here); return true })
		default:
			d.request(r, here)
		}
		return nil
	})
	return d.convs, err
}

// start begins a conversation.
func (d *gemini) start(body gjson.Result) *model.Conversation {
	d.calls = pending{}
	c := &model.Conversation{Model: strings.TrimPrefix(str(first(body, "model", "modelVersion")), "models/")}
	system := first(body, "systemInstruction", "system_instruction", "config.systemInstruction", "config.system_instruction")
	if system.Get("parts").Exists() {
		system = system.Get("parts")
	}
	var texts []string
	for _, p := range content(system, geminiBlock, func(string) {}) {
		texts = append(texts, p.Text)
	}
	c.System = strings.Join(texts, "\n")
	if tools := first(body, "tools", "config.tools"); tools.IsArray() {
		c.Tools = compact(tools)
	}
	d.convs = append(d.convs, c)
	return c
}

// request reads a request, a response, or both from one record.
func (d *gemini) request(r gjson.Result, here *inside) {
	contents, body := geminiContents(r)
	c := d.start(body)
	switch {
	case contents.Type == gjson.String:
		c.Messages = append(c.Messages, &model.Message{
			Wrote: "user", Parts: []model.Part{{Kind: model.Text, Text: str(contents)}}, Spans: []model.Span{here.span(contents, "contents")},
		})
	case contents.IsObject():
		d.add(c, contents, here.span(contents, "contents"))
	default:
		d.list(c, contents, here, "contents")
	}
	if answer := geminiAnswer(r); answer.Exists() {
		m := d.add(c, answer, here.span(answer, "candidates[0].content"))
		m.Role = model.Assistant
		m.Usage = geminiUsage(first(r, "usageMetadata", "response.usageMetadata", "response.body.usageMetadata", "response.body_raw.usageMetadata"))
	}
	if r.Get("request").Exists() {
		d.convs = fold(d.convs)
	}
}

// list reads a list of messages.
func (d *gemini) list(c *model.Conversation, list gjson.Result, here *inside, name string) {
	n := 0
	list.ForEach(func(_, m gjson.Result) bool {
		d.add(c, m, here.span(m, fmt.Sprintf("%s[%d]", name, n)))
		n++
		return true
	})
}

// add reads one message. One that does not say whose it is is the user's.
func (d *gemini) add(c *model.Conversation, m gjson.Result, span model.Span) *model.Message {
	d.line = span.Line
	got := &model.Message{Wrote: str(m.Get("role")), Parts: d.parts(m.Get("parts")), Spans: []model.Span{span}}
	if got.Wrote == "model" {
		got.Role = model.Assistant
	}
	c.Messages = append(c.Messages, got)
	return got
}

// parts reads the parts of a message. Calls and results rarely have ids: a
// result answers the oldest call of its function.
func (d *gemini) parts(list gjson.Result) []model.Part {
	parts := content(list, geminiBlock, func(string) {
		d.doc.Warn(d.line, 0, "left out a part of a kind that no reader knows")
	})
	d.calls.pair(parts)
	return parts
}

// geminiBlock reads a part, in the words of the REST API or of the Python library.
func geminiBlock(parts []model.Part, p gjson.Result) ([]model.Part, bool) {
	if call := first(p, "functionCall", "function_call"); call.Exists() {
		return append(parts, toolCall(str(call.Get("id")), str(call.Get("name")), call.Get("args"))), true
	}
	if answer := first(p, "functionResponse", "function_response"); answer.Exists() {
		return append(parts, geminiResult(answer)), true
	}
	if data := first(p, "inlineData", "inline_data"); data.Exists() {
		return append(parts, picture(str(first(data, "mimeType", "mime_type")), str(data.Get("data")))), true
	}
	if file := first(p, "fileData", "file_data"); file.Exists() {
		part := picture(str(first(file, "mimeType", "mime_type")), str(first(file, "fileUri", "file_uri")))
		part.Media.Encoding = "url"
		return append(parts, part), true
	}
	if code := first(p, "executableCode.code", "executable_code.code", "codeExecutionResult.output", "code_execution_result.output"); code.Exists() {
		return append(parts, model.Part{Kind: model.Text, Text: str(code)}), true
	}
	text := p.Get("text")
	if !text.Exists() {
		return parts, first(p, "thoughtSignature", "thought_signature").Exists()
	}
	kind := model.Text
	if p.Get("thought").Bool() {
		kind = model.Thinking
	}
	return append(parts, model.Part{Kind: kind, Text: str(text)}), true
}

// geminiResult reads a function's response: its output or its error where it
// has the one or the other alone, and its JSON otherwise.
func geminiResult(r gjson.Result) model.Part {
	part := model.Part{Kind: model.ToolResult, ID: str(r.Get("id")), Name: str(r.Get("name"))}
	response := r.Get("response")
	output, failed := response.Get("output"), response.Get("error")
	n := len(response.Map())
	switch {
	case n == 1 && output.Type == gjson.String:
		part.Text = str(output)
	case n == 1 && failed.Type == gjson.String:
		part.Text, part.IsError = str(failed), true
	case response.Type == gjson.String:
		part.Text = str(response)
	default:
		part.Text = compact(response)
	}
	return part
}

// geminiUsage reads what a request cost; thoughts are billed as output.
func geminiUsage(u gjson.Result) *model.Usage {
	if !u.IsObject() {
		return nil
	}
	return &model.Usage{
		Input:     u.Get("promptTokenCount").Int(),
		CacheRead: u.Get("cachedContentTokenCount").Int(),
		Output:    u.Get("candidatesTokenCount").Int() + u.Get("thoughtsTokenCount").Int(),
	}
}
