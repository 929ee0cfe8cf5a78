package transcript

import (
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isAnthropic knows the Messages API by its blocks, its tool schemas or a
// system prompt beside the messages.
func isAnthropic(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		switch {
		case isMessage(r):
			if listen(gjson.Parse("[" + r.Raw + "]")).anthropic {
				return true
			}
			continue
		case r.IsArray() && isMessage(r.Get("0")):
			return listen(r).anthropic
		case r.IsArray():
			r = r.Get("0")
		}
		if isAnthropicAnswer(r) || isAnthropicAnswer(r.Get("response.body")) || isAnthropicAnswer(r.Get("response")) {
			return true
		}
		list, body, _ := messageList(r)
		if !list.IsArray() {
			continue
		}
		t := listen(list)
		return t.anthropic || !t.openai && (body.Get("system").Exists() || body.Get("tools.0.input_schema").Exists())
	}
	return false
}

// isAnthropicAnswer knows a response.
func isAnthropicAnswer(r gjson.Result) bool {
	return r.Get("type").Str == "message" && r.Get("role").Str == "assistant" && r.Get("content").IsArray()
}

// decodeAnthropic reads the Messages API: a request, a response, both in one
// log record, a bare list of messages, or one of these on each line.
func decodeAnthropic(doc *Document) ([]*model.Conversation, error) {
	d := chat{doc: doc, dialect: dialect{begin: anthropicBegin, message: anthropicMessage, answer: anthropicAnswer}}
	return d.decode()
}

// anthropicBegin reads the system prompt and the tool schemas.
func anthropicBegin(c *model.Conversation, body gjson.Result) {
	c.System = prompt(body.Get("system"))
	if tools := body.Get("tools"); tools.IsArray() {
		c.Tools = compact(tools)
	}
}

// prompt is a system prompt: one string, or text blocks, which are joined by newlines.
func prompt(v gjson.Result) string {
	var texts []string
	for _, p := range content(v, anthropicBlock, func(string) {}) {
		texts = append(texts, p.Text)
	}
	return strings.Join(texts, "\n")
}

// anthropicMessage reads a message.
func anthropicMessage(d *chat, m gjson.Result) *model.Message {
	got := &model.Message{Parts: content(m.Get("content"), anthropicBlock, d.odd)}
	if usage := m.Get("usage"); m.Get("role").Str == "assistant" {
		got.Usage = anthropicUsage(usage)
	}
	return got
}

// anthropicAnswer is a response, which is itself a message.
func anthropicAnswer(response gjson.Result) (gjson.Result, *model.Usage) {
	if isAnthropicAnswer(response) {
		return response, anthropicUsage(response.Get("usage"))
	}
	return gjson.Result{}, nil
}
