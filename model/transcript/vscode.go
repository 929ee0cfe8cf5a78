package transcript

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isVSCode knows a chat of VS Code: its requests as one document, or the log of
// how that document came to be.
func isVSCode(head []gjson.Result, _ bool) bool {
	r := head[0]
	if isMutation(r) {
		r = r.Get("v")
	}
	return r.Get("requests").IsArray() && (r.Get("responderUsername").Exists() || r.Get("sessionId").Exists() && r.Get("version").Exists())
}

// decodeVSCode reads chats of VS Code's Copilot.
func decodeVSCode(doc *Document) ([]*model.Conversation, error) {
	var all []*model.Conversation
	var log *mutations
	err := doc.Each(func(rec Record) error {
		switch {
		case isMutation(rec.JSON):
			if log == nil {
				log = &mutations{}
			}
			if !log.apply(rec) {
				doc.Warn(rec.Line, rec.Col, "a change of what is not there, skipped")
			}
		case rec.JSON.Get("requests").IsArray():
			here := in(rec)
			all = append(all, vscodeChat(doc, rec.JSON, func(n int, request gjson.Result) model.Span {
				return here.span(request, fmt.Sprintf("requests[%d]", n))
			}))
		}
		return nil
	})
	if err == nil && log != nil {
		all = append(all, vscodeChat(doc, log.document(), log.span))
	}
	return all, err
}

// vscode reads one chat.
type vscode struct {
	doc     *Document
	conv    *model.Conversation
	history []*model.Message
	from    int // where in the history the context begins, behind the newest summary
	summary *model.Message
	calls   pending
}

// vscodeChat reads a chat; span says where one of its requests stands.
func vscodeChat(doc *Document, r gjson.Result, span func(int, gjson.Result) model.Span) *model.Conversation {
	d := &vscode{doc: doc, conv: &model.Conversation{
		ID: str(r.Get("sessionId")), Title: str(r.Get("customTitle")), Dir: vscodeFolder(doc.Path),
	}}
	n := 0
	r.Get("requests").ForEach(func(_, request gjson.Result) bool {
		where := span(n, request)
		n++
		if first(request, "shouldBeRemovedOnSend", "isHidden").Type == gjson.True {
			doc.Warn(where.Line, 0, "left out a request that was taken back")
			return true
		}
		d.request(request, where)
		return true
	})
	c := d.conv
	if c.Title == "" {
		c.Title = firstWords(c.Messages)
	}
	if d.summary != nil {
		c.SetViews(d.history, append([]*model.Message{d.summary}, d.history[d.from:]...))
	}
	return c
}

// request reads a request with the answer it got. The rounds of an answer are
// what the model said each time it was called; what the chat shows of them is
// read where there are none.
func (d *vscode) request(r gjson.Result, span model.Span) {
	at := moment(r.Get("timestamp"))
	message := func(role model.Role, wrote string, mark model.Mark, parts ...model.Part) *model.Message {
		return &model.Message{Role: role, Wrote: wrote, Mark: mark, ID: str(r.Get("requestId")), Time: at, Parts: parts, Spans: []model.Span{span}}
	}
	if name := strings.TrimPrefix(str(r.Get("modelId")), "copilot/"); name != "" {
		d.conv.Model = name
	}
	metadata := r.Get("result.metadata")
	if told := vscodeRendered(metadata.Get("renderedGlobalContext")); told != nil {
		d.push(message(model.User, "context", model.Meta, told...))
	}
	said := vscodeRendered(metadata.Get("renderedUserMessage"))
	if said == nil {
		text := r.Get("message.text")
		if r.Get("message").Type == gjson.String {
			text = r.Get("message")
		}
		said = []model.Part{{Kind: model.Text, Text: str(text)}}
	}
	d.push(message(model.User, "request", model.Plain, said...))

	var answer *model.Message
	rounds, given, summary := metadata.Get("toolCallRounds"), metadata.Get("toolCallResults").Map(), metadata.Get("summary")
	rounds.ForEach(func(_, round gjson.Result) bool {
		answer = message(model.Assistant, "response", model.Plain, vscodeThinking(round.Get("thinking"))...)
		answer.Model, answer.Usage = d.conv.Model, openaiUsage(round.Get("usage"))
		if text := round.Get("response"); text.Str != "" {
			answer.Parts = append(answer.Parts, model.Part{Kind: model.Text, Text: str(text)})
		}
		results := message(model.User, "toolCallResults", model.Plain)
		round.Get("toolCalls").ForEach(func(_, call gjson.Result) bool {
			recorded, name := str(call.Get("id")), str(call.Get("name"))
			id := d.calls.call(recorded, name)
			answer.Parts = append(answer.Parts, toolCall(id, name, call.Get("arguments")))
			if got, ok := given[recorded]; ok && recorded != "" {
				results.Parts = append(results.Parts, vscodeResult(d.calls.result(id, name), name, got))
			}
			return true
		})
		if len(answer.Parts) > 0 {
			d.push(answer)
		}
		if len(results.Parts) > 0 {
			d.push(results)
		}
		text := round.Get("summary")
		if id := summary.Get("toolCallRoundId"); id.Exists() && id.Str == round.Get("id").Str {
			text = summary.Get("text")
		}
		if text.Type == gjson.String && text.Str != "" {
			d.compaction(message(model.User, "summary", model.Summary, model.Part{Kind: model.Text, Text: str(text)}))
		}
		return true
	})
	if len(rounds.Array()) == 0 {
		answer = d.shown(r.Get("response"), message)
	}
	if answer != nil && answer.Usage == nil {
		if u := first(r, "result.usage", "usage"); u.IsObject() {
			answer.Usage = &model.Usage{Input: u.Get("promptTokens").Int(), Output: u.Get("completionTokens").Int()}
		}
	}
}

func (d *vscode) push(m *model.Message) {
	d.conv.Messages = append(d.conv.Messages, m)
	d.history = append(d.history, m)
}

// compaction notes that a summary has taken the place of all before it.
func (d *vscode) compaction(m *model.Message) {
	d.conv.Compactions = append(d.conv.Compactions, model.Compaction{
		Kind: "summary", Trigger: "auto", Log: len(d.conv.Messages), History: len(d.history),
		Line: m.Line(), Summary: m.Parts[0].Text, Time: m.Time,
	})
	d.conv.Messages = append(d.conv.Messages, m)
	d.summary, d.from = m, len(d.history)
}

// shown reads an answer from what the chat shows of it: texts, thoughts, and
// tools that were run.
func (d *vscode) shown(response gjson.Result, message func(model.Role, string, model.Mark, ...model.Part) *model.Message) *model.Message {
	answer, results := message(model.Assistant, "response", model.Plain), message(model.User, "toolInvocation", model.Plain)
	answer.Model = d.conv.Model
	say := func(text string) {
		if n := len(answer.Parts); n > 0 && answer.Parts[n-1].Kind == model.Text {
			answer.Parts[n-1].Text += text
		} else if text != "" {
			answer.Parts = append(answer.Parts, model.Part{Kind: model.Text, Text: text})
		}
	}
	response.ForEach(func(_, p gjson.Result) bool {
		switch kind := p.Get("kind").Str; {
		case kind == "thinking":
			answer.Parts = append(answer.Parts, vscodeThinking(p)...)
		case kind == "toolInvocationSerialized":
			name := str(p.Get("toolId"))
			id := d.calls.call(str(p.Get("toolCallId")), name)
			answer.Parts = append(answer.Parts, toolCall(id, name, first(p, "resultDetails.input", "toolSpecificData.rawInput")))
			if out := p.Get("resultDetails.output"); out.Exists() {
				results.Parts = append(results.Parts, vscodeResult(d.calls.result(id, name), name, gjson.Parse(`{"content":`+out.Raw+`}`)))
			}
		case kind == "markdownContent":
			say(str(p.Get("content.value")))
		case kind == "" && p.Get("value").Type == gjson.String:
			say(str(p.Get("value")))
		case kind == "inlineReference":
			say(str(first(p, "name", "inlineReference.path", "inlineReference.name")))
		}
		return true // the rest is for the eye: progress, edits, confirmations
	})
	if len(answer.Parts) == 0 {
		return nil
	}
	d.push(answer)
	if len(results.Parts) > 0 {
		d.push(results)
	}
	return answer
}

// vscodeRendered reads a message as it was sent, nil when it was not kept.
func vscodeRendered(list gjson.Result) []model.Part {
	var parts []model.Part
	if list.Type == gjson.String && list.Str != "" {
		return []model.Part{{Kind: model.Text, Text: str(list)}}
	}
	list.ForEach(func(_, p gjson.Result) bool {
		switch {
		case p.Get("text").Type == gjson.String:
			parts = append(parts, model.Part{Kind: model.Text, Text: str(p.Get("text"))})
		case p.Get("imageUrl.url").Exists():
			parts = append(parts, picture("", str(p.Get("imageUrl.url"))))
		}
		return true
	})
	return parts
}

// vscodeThinking reads reasoning: a text or a list of texts, and what only the
// provider can read.
func vscodeThinking(t gjson.Result) []model.Part {
	var texts []string
	for _, v := range first(t, "text", "value").Array() {
		if v.Str != "" {
			texts = append(texts, str(v))
		}
	}
	var parts []model.Part
	if texts != nil {
		parts = append(parts, model.Part{Kind: model.Thinking, Text: strings.Join(texts, "")})
	}
	if s := t.Get("encrypted"); s.Str != "" {
		parts = append(parts, sealed(s))
	}
	return parts
}

// vscodeResult reads a tool's output: texts, data, and trees of what was rendered
// for the model.
func vscodeResult(id, name string, r gjson.Result) model.Part {
	part := model.Part{Kind: model.ToolResult, ID: id, Name: name, List: []model.Part{}, IsError: r.Get("hasError").Bool()}
	r.Get("content").ForEach(func(_, p gjson.Result) bool {
		switch v := p.Get("value"); {
		case v.Type == gjson.String && strings.HasPrefix(p.Get("mimeType").Str, "image/"):
			part.List = append(part.List, picture(str(p.Get("mimeType")), str(v)))
		case v.Type == gjson.String:
			part.List = append(part.List, model.Part{Kind: model.Text, Text: str(v)})
		case v.Get("node").Exists():
			var b strings.Builder
			renderedText(&b, v.Get("node"))
			part.List = append(part.List, model.Part{Kind: model.Text, Text: b.String()})
		case p.Get("data").Type == gjson.String:
			part.List = append(part.List, picture(str(p.Get("mimeType")), str(p.Get("data"))))
		default:
			part.List = append(part.List, model.Part{Kind: model.Text, Text: compact(p)})
		}
		return true
	})
	if len(part.List) == 1 && part.List[0].Kind == model.Text {
		part.Text, part.List = part.List[0].Text, nil
	}
	return part
}

// renderedText writes down the texts of a rendered tree.
func renderedText(b *strings.Builder, node gjson.Result) {
	if text := node.Get("text"); text.Type == gjson.String {
		if node.Get("lineBreakBefore").Bool() && b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text.Str)
	}
	node.Get("children").ForEach(func(_, child gjson.Result) bool {
		renderedText(b, child)
		return true
	})
}

// vscodeFolder is the project of a chat that lies in its editor's storage, "" when
// that does not say.
func vscodeFolder(path string) string {
	b, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(path)), "workspace.json"))
	if err != nil {
		return ""
	}
	u, err := url.Parse(gjson.GetBytes(b, "folder").Str)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	return u.Path
}

// isMutation knows an entry of a log of changes to a document: the document
// itself (0), a member set (1), elements appended to a list (2), a member taken
// away (3).
func isMutation(r gjson.Result) bool {
	return r.Get("kind").Type == gjson.Number && (r.Get("v").Exists() || r.Get("k").IsArray())
}

// mutations is such a log replayed.
type mutations struct {
	root  any
	lines []int // on which each request was added
}

// apply takes one entry; false when its path leads nowhere.
func (m *mutations) apply(rec Record) bool {
	r := rec.JSON
	if r.Get("kind").Int() == 0 {
		m.root, m.lines = r.Get("v").Value(), nil
		m.mark(rec.Line)
		return true
	}
	var path []any
	for _, k := range r.Get("k").Array() {
		path = append(path, k.Value())
	}
	root, ok := changed(m.root, path, r)
	if ok {
		m.root = root
		if len(path) == 1 && path[0] == "requests" && r.Get("i").Exists() {
			m.lines = m.lines[:max(0, min(int(r.Get("i").Int()), len(m.lines)))]
		}
		m.mark(rec.Line)
	}
	return ok
}

// mark notes the line of the requests that are new.
func (m *mutations) mark(line int) {
	root, _ := m.root.(map[string]any)
	requests, _ := root["requests"].([]any)
	for len(m.lines) < len(requests) {
		m.lines = append(m.lines, line)
	}
}

// changed is a value after the change that an entry describes at a path below it.
func changed(at any, path []any, r gjson.Result) (any, bool) {
	kind := r.Get("kind").Int()
	if len(path) == 0 {
		if kind != 2 {
			return r.Get("v").Value(), kind == 1
		}
		list, ok := at.([]any)
		if !ok && at != nil {
			return at, false
		}
		if i := r.Get("i"); i.Exists() {
			list = list[:max(0, min(int(i.Int()), len(list)))]
		}
		more, _ := r.Get("v").Value().([]any)
		return append(list, more...), true // nobody else holds the list
	}
	switch key := path[0].(type) {
	case string:
		object, ok := at.(map[string]any)
		if !ok {
			return at, false
		}
		if kind == 3 && len(path) == 1 {
			delete(object, key)
			return object, true
		}
		value, ok := changed(object[key], path[1:], r)
		if ok {
			object[key] = value
		}
		return object, ok
	case float64:
		list, ok := at.([]any)
		i := int(key)
		if !ok || i < 0 || i > len(list) || i == len(list) && (kind != 1 || len(path) > 1) {
			return at, false
		}
		if i == len(list) {
			list = append(list, nil)
		}
		if kind == 3 && len(path) == 1 {
			list[i] = nil
			return list, true
		}
		value, ok := changed(list[i], path[1:], r)
		if ok {
			list[i] = value
		}
		return list, ok
	}
	return at, false
}

// document is the document as the log leaves it.
func (m *mutations) document() gjson.Result {
	b, err := json.Marshal(m.root)
	if err != nil {
		return gjson.Result{}
	}
	return gjson.ParseBytes(b)
}

// span says on which line a request was added.
func (m *mutations) span(n int, _ gjson.Result) model.Span {
	s := model.Span{Record: fmt.Sprintf("requests[%d]", n)}
	if n < len(m.lines) {
		s.Line = m.lines[n]
	}
	return s
}
