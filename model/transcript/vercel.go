package transcript

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isVercel knows the AI SDK's messages by their parts: those of the interface
// have parts with types, those of the model name tools in their own words.
func isVercel(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		list := r
		if r.IsObject() {
			if list, _, _ = messageList(r); !list.Exists() {
				list = gjson.Parse("[" + r.Raw + "]")
			}
		}
		found, n := false, 0
		list.ForEach(func(_, m gjson.Result) bool {
			found = m.Get("role").Exists() && (isVercelPart(m.Get("parts.0")) || m.Get("toolInvocations").IsArray() ||
				m.Get(`content.#(type=="tool-call")`).Exists() || m.Get(`content.#(type=="tool-result")`).Exists())
			n++
			return !found && n < 50
		})
		if found {
			return true
		}
	}
	return false
}

// isVercelPart knows a part of an interface message.
func isVercelPart(p gjson.Result) bool {
	switch kind := p.Get("type").Str; kind {
	case "text", "reasoning":
		return p.Get("text").Exists() || p.Get("reasoning").Exists()
	case "step-start", "dynamic-tool", "tool-invocation", "source-url", "source-document", "file":
		return true
	default:
		return strings.HasPrefix(kind, "tool-") && p.Get("toolCallId").Exists()
	}
}

// vercel reads the AI SDK's messages. Calls and results of one step stand in
// one message; the results follow it in a message of their own.
type vercel struct {
	chat
	said []model.Part
	told []model.Part
}

// decodeVercel reads lists of messages, in a request or alone, or one on each line.
func decodeVercel(doc *Document) ([]*model.Conversation, error) {
	d := &vercel{}
	d.chat = chat{doc: doc, dialect: dialect{
		begin: openaiBegin,
		message: func(_ *chat, m gjson.Result) *model.Message {
			return d.read(m)
		},
		answer: openaiAnswer,
		split:  d.split,
	}}
	return d.decode()
}

// read reads a message; what an interface message says is split into steps afterwards.
func (d *vercel) read(m gjson.Result) *model.Message {
	d.said, d.told = nil, nil
	got := &model.Message{}
	if u := m.Get("metadata.usage"); u.IsObject() && m.Get("role").Str == "assistant" {
		got.Usage = &model.Usage{
			Input: u.Get("inputTokens").Int(), CacheRead: first(u, "cachedInputTokens", "inputTokenDetails.cacheReadTokens").Int(),
			Output: u.Get("outputTokens").Int(),
		}
	}
	switch parts := m.Get("parts"); {
	case parts.IsArray():
	case m.Get("toolInvocations").IsArray():
	default:
		got.Parts = content(m.Get("content"), vercelBlock, d.odd)
	}
	return got
}

// split makes the messages of an interface message's steps.
func (d *vercel) split(m gjson.Result, got *model.Message) []*model.Message {
	list := m.Get("parts")
	if !list.IsArray() && !m.Get("toolInvocations").IsArray() {
		return []*model.Message{got}
	}
	var all []*model.Message
	flush := func() {
		if len(d.said) > 0 {
			one := *got
			one.Parts = d.said
			all = append(all, &one)
		}
		if len(d.told) > 0 {
			one := *got
			one.Role, one.Wrote, one.Usage, one.Parts = model.User, "tool", nil, d.told
			all = append(all, &one)
		}
		d.said, d.told = nil, nil
	}
	if !list.IsArray() {
		m.Get("toolInvocations").ForEach(func(_, call gjson.Result) bool { d.invocation(call); return true })
		d.said = append(content(m.Get("content"), openaiBlock, d.odd), d.said...)
	}
	invoked := false
	list.ForEach(func(_, p gjson.Result) bool {
		switch kind := p.Get("type").Str; {
		case kind == "step-start":
			flush()
		case kind == "tool-invocation":
			invoked = true
			d.invocation(p.Get("toolInvocation"))
		case kind == "dynamic-tool" || strings.HasPrefix(kind, "tool-"):
			d.tool(p, strings.TrimPrefix(kind, "tool-"))
		case kind == "source-url" || kind == "source-document" || strings.HasPrefix(kind, "data-") || kind == "source":
		default:
			if invoked && len(d.told) > 0 {
				flush() // the fourth version marks no steps: what follows a result is the next one
			}
			var ok bool
			if d.said, ok = vercelBlock(d.said, p); !ok {
				d.odd(kind)
			}
		}
		return true
	})
	flush()
	told := false // for the whole turn; it is nearest to what the last step cost
	for _, m := range slices.Backward(all) {
		if told {
			m.Usage = nil
		}
		told = told || m.Usage != nil
	}
	if all == nil {
		return []*model.Message{got}
	}
	return all
}

// tool reads a tool part, call and result in one.
func (d *vercel) tool(p gjson.Result, name string) {
	if n := p.Get("toolName"); n.Exists() {
		name = str(n)
	}
	id := d.calls.call(str(p.Get("toolCallId")), name)
	d.said = append(d.said, toolCall(id, name, p.Get("input")))
	var answer model.Part
	switch p.Get("state").Str {
	case "output-available":
		answer = result(id, name, p.Get("output"), vercelBlock)
	case "output-error":
		answer = result(id, name, p.Get("errorText"), vercelBlock)
		answer.IsError = true
	case "output-denied":
		answer = result(id, name, first(p, "approval.reason"), vercelBlock)
		answer.IsError = true
	default:
		return
	}
	d.calls.result(id, name)
	d.told = append(d.told, answer)
}

// invocation reads a tool part of the fourth version.
func (d *vercel) invocation(p gjson.Result) {
	name := str(p.Get("toolName"))
	id := d.calls.call(str(p.Get("toolCallId")), name)
	d.said = append(d.said, toolCall(id, name, p.Get("args")))
	if p.Get("state").Str == "result" {
		d.told = append(d.told, result(d.calls.result(id, name), name, p.Get("result"), vercelBlock))
	}
}

// vercelBlock reads a part that is no tool of the interface.
func vercelBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	switch b.Get("type").Str {
	case "reasoning":
		return append(parts, model.Part{Kind: model.Thinking, Text: str(first(b, "text", "reasoning"))}), true
	case "redacted-reasoning":
		return append(parts, sealed(b.Get("data"))), true
	case "file", "image", "media":
		kind := str(first(b, "mediaType", "mimeType"))
		if data := first(b, "url", "data", "image"); data.Type == gjson.String {
			return append(parts, picture(kind, str(data))), true
		}
		return parts, true
	case "tool-call":
		return append(parts, toolCall(str(b.Get("toolCallId")), str(b.Get("toolName")), first(b, "input", "args"))), true
	case "tool-result":
		output := first(b, "output", "result")
		kind := output.Get("type").Str
		if output.Get("value").Exists() {
			output = output.Get("value")
		}
		part := result(str(b.Get("toolCallId")), str(b.Get("toolName")), output, vercelBlock)
		part.IsError = b.Get("isError").Bool() || strings.HasPrefix(kind, "error")
		return append(parts, part), true
	}
	return openaiBlock(parts, b)
}
