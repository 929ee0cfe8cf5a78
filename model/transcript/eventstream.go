package transcript

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// isEventStream knows the text of a server-sent event stream, which is how
// answers travel and what proxies write down of them.
func isEventStream(text string) bool {
	for _, field := range []string{"data:", "event:", "id:", ":", "retry:"} {
		if strings.HasPrefix(text, field) {
			return strings.HasPrefix(text, "data:") || strings.Contains(text, "\ndata:")
		}
	}
	return false
}

// answer is what an event stream carries: the response that would have come at
// once without streaming.
type answer struct {
	json string
	line int  // of the stream, 1-based, on which it begins
	cut  bool // the stream ends before the answer does
}

const cutStream = "the event stream ends before the answer does, read as far as it goes"

// assembled puts the answers together that an event stream carries, none when the
// stream is of no interface cinch reads. What a stream that was cut off held is kept.
func assembled(stream string) []answer {
	var all []answer
	var a *assembly
	var data []string
	n, begun := 0, 0 // the line, and that on which the event begins
	end := func() {
		if a == nil {
			return
		}
		if text := a.response(); text != "" {
			all = append(all, answer{text, a.line, !a.ended})
		}
		a = nil
	}
	take := func() {
		text := strings.Join(data, "\n")
		data = data[:0]
		if text == "[DONE]" {
			if a != nil {
				a.ended = true
			}
			end()
			return
		}
		e := gjson.Parse(text)
		if !e.IsObject() || !gjson.Valid(e.Raw) {
			return
		}
		if a != nil && a.isOver(e) {
			end()
		}
		if a == nil {
			a = &assembly{line: begun}
		}
		a.event(e)
	}
	for line := range strings.Lines(stream) {
		n++
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" && len(data) > 0:
			take()
			begun = 0
		case line != "" && begun == 0:
			begun = n
		}
		if rest, ok := strings.CutPrefix(line, "data:"); ok {
			data = append(data, strings.TrimPrefix(rest, " "))
		}
	}
	if len(data) > 0 {
		take()
	}
	end()
	return all
}

// assembly is an answer on its way. The interfaces are told apart by their
// events; an answer is of one of them.
type assembly struct {
	line    int                        // on which it begins
	id      string                     // its name, where told
	ended   bool                       // its end was told
	whole   string                     // the response, where the stream repeats it at its end
	model   json.RawMessage            // its name
	usage   map[string]json.RawMessage // as far as it was told
	message map[string]json.RawMessage // what the Messages API said first
	blocks  []*streamedBlock           // of the Messages API
	byIndex map[int64]*streamedBlock   // the blocks
	items   *streamedItems             // of the Responses API
	parts   []map[string]any           // of the Gemini API
	chat    *streamedChat              // of Chat Completions
}

// streamedBlock is a content block of the Messages API.
type streamedBlock struct {
	begun                            map[string]json.RawMessage
	text, input, thinking, signature strings.Builder
}

// streamedChat is a message of Chat Completions.
type streamedChat struct {
	content, reasoning, refusal strings.Builder
	calls                       []*streamedCall
	byIndex                     map[int64]*streamedCall // the calls
	function                    *streamedCall           // in the old form
}

type streamedCall struct {
	id              string
	name, arguments strings.Builder
}

// event takes one event.
func (a *assembly) event(e gjson.Result) {
	if id := answerID(e); a.id == "" {
		a.id = id
	}
	kind := e.Get("type").Str
	switch {
	case e.Get("choices").IsArray():
		a.chatChunk(e)
	case e.Get("candidates").IsArray():
		a.geminiChunk(e)
	case strings.HasPrefix(kind, "response."):
		a.responsesEvent(kind, e)
	default:
		a.messagesEvent(kind, e)
	}
}

// answerID is the name an event gives to the answer it is of, "" for none.
func answerID(e gjson.Result) string {
	switch {
	case len(e.Get("choices").Array()) > 0: // what was used comes after them, under any name
		return e.Get("id").Str
	case e.Get("candidates").IsArray():
		return e.Get("responseId").Str
	}
	return e.Get("response.id").Str
}

// isOver reports whether an event is another answer's.
func (a *assembly) isOver(e gjson.Result) bool {
	switch e.Get("type").Str {
	case "message_start":
		return a.message != nil
	case "response.created":
		return a.items != nil
	}
	id := answerID(e)
	return id != "" && a.id != "" && id != a.id
}

// tell notes the model's name and what has been used.
func (a *assembly) tell(model, usage gjson.Result) {
	if model.Type == gjson.String {
		a.model = json.RawMessage(model.Raw)
	}
	usage.ForEach(func(name, v gjson.Result) bool {
		if a.usage == nil {
			a.usage = map[string]json.RawMessage{}
		}
		if v.Type != gjson.Null {
			a.usage[name.String()] = json.RawMessage(v.Raw)
		}
		return true
	})
}

func (a *assembly) chatChunk(e gjson.Result) {
	if a.chat == nil {
		a.chat = &streamedChat{byIndex: map[int64]*streamedCall{}}
	}
	a.tell(e.Get("model"), e.Get("usage"))
	e.Get("choices").ForEach(func(_, choice gjson.Result) bool {
		if choice.Get("index").Int() != 0 {
			return true
		}
		delta, c := choice.Get("delta"), a.chat
		c.content.WriteString(first(delta, "content").String())
		c.reasoning.WriteString(first(delta, "reasoning_content", "reasoning").String())
		c.refusal.WriteString(first(delta, "refusal").String())
		a.ended = a.ended || choice.Get("finish_reason").Str != ""
		delta.Get("tool_calls").ForEach(func(_, call gjson.Result) bool {
			c.call(call.Get("index").Int()).grow(call.Get("id"), call.Get("function"))
			return true
		})
		if f := delta.Get("function_call"); f.IsObject() {
			if c.function == nil {
				c.function = &streamedCall{}
			}
			c.function.grow(gjson.Result{}, f)
		}
		return true
	})
}

func (c *streamedChat) call(index int64) *streamedCall {
	s := c.byIndex[index]
	if s == nil {
		s = &streamedCall{}
		c.byIndex[index] = s
		c.calls = append(c.calls, s)
	}
	return s
}

func (s *streamedCall) grow(id, function gjson.Result) {
	if id.Str != "" {
		s.id = id.Str
	}
	s.name.WriteString(function.Get("name").Str)
	s.arguments.WriteString(function.Get("arguments").Str)
}

func (s *streamedCall) function() map[string]any {
	return map[string]any{"name": s.name.String(), "arguments": s.arguments.String()}
}

func (a *assembly) geminiChunk(e gjson.Result) {
	a.tell(e.Get("modelVersion"), e.Get("usageMetadata"))
	a.ended = a.ended || e.Get("candidates.0.finishReason").Str != ""
	e.Get("candidates.0.content.parts").ForEach(func(_, p gjson.Result) bool {
		part, ok := p.Value().(map[string]any)
		if !ok {
			return true
		}
		text, isText := part["text"].(string)
		if n := len(a.parts); isText && n > 0 && part["thoughtSignature"] == nil {
			if before, ok := a.parts[n-1]["text"].(string); ok && a.parts[n-1]["thought"] == part["thought"] {
				a.parts[n-1]["text"] = before + text
				return true
			}
		}
		a.parts = append(a.parts, part)
		return true
	})
	if a.parts == nil {
		a.parts = []map[string]any{}
	}
}

func (a *assembly) responsesEvent(kind string, e gjson.Result) {
	response := e.Get("response")
	a.tell(response.Get("model"), response.Get("usage"))
	if a.items == nil {
		a.items = &streamedItems{named: map[string]*streamedItem{}}
	}
	switch kind {
	case "response.completed", "response.incomplete", "response.failed":
		a.ended = true
		if len(response.Get("output").Array()) > 0 {
			a.whole = response.Raw
		}
	default:
		a.items.event(kind, e)
	}
}

func (a *assembly) messagesEvent(kind string, e gjson.Result) {
	switch kind {
	case "message_start":
		a.message = object(e.Get("message"))
		a.tell(e.Get("message.model"), e.Get("message.usage"))
	case "content_block_start":
		b := &streamedBlock{begun: object(e.Get("content_block"))}
		a.blocks = append(a.blocks, b)
		if a.byIndex == nil {
			a.byIndex = map[int64]*streamedBlock{}
		}
		if index := e.Get("index").Int(); a.byIndex[index] == nil {
			a.byIndex[index] = b
		}
	case "content_block_delta":
		b, delta := a.byIndex[e.Get("index").Int()], e.Get("delta")
		if b == nil {
			return
		}
		b.text.WriteString(delta.Get("text").Str)
		b.input.WriteString(delta.Get("partial_json").Str)
		b.thinking.WriteString(delta.Get("thinking").Str)
		b.signature.WriteString(delta.Get("signature").Str)
	case "message_delta":
		a.tell(gjson.Result{}, e.Get("usage"))
		a.ended = a.ended || e.Get("delta.stop_reason").Str != ""
	case "message_stop":
		a.ended = true
	}
}

// object is a JSON object's members.
func object(v gjson.Result) map[string]json.RawMessage {
	members := map[string]json.RawMessage{}
	v.ForEach(func(name, member gjson.Result) bool {
		members[name.String()] = json.RawMessage(member.Raw)
		return true
	})
	return members
}

// block is the content block as a response has it.
func (b *streamedBlock) block() map[string]json.RawMessage {
	for name, grown := range map[string]*strings.Builder{"text": &b.text, "thinking": &b.thinking, "signature": &b.signature} {
		if grown.Len() > 0 {
			b.begun[name], _ = json.Marshal(gjson.ParseBytes(b.begun[name]).String() + grown.String())
		}
	}
	if b.input.Len() > 0 {
		b.begun["input"] = json.RawMessage(b.input.String())
		if !gjson.Valid(b.input.String()) { // cut off
			b.begun["input"], _ = json.Marshal(b.input.String())
		}
	}
	return b.begun
}

// response is the answer in the form in which it would have come at once.
func (a *assembly) response() string {
	answer := map[string]any{}
	if a.model != nil {
		answer["model"] = a.model
	}
	if a.usage != nil {
		answer["usage"] = a.usage
	}
	switch {
	case a.whole != "":
		return a.whole
	case a.chat != nil:
		message := map[string]any{"role": "assistant", "content": a.chat.content.String()}
		for name, text := range map[string]*strings.Builder{"reasoning_content": &a.chat.reasoning, "refusal": &a.chat.refusal} {
			if text.Len() > 0 {
				message[name] = text.String()
			}
		}
		var calls []any
		for _, c := range a.chat.calls {
			calls = append(calls, map[string]any{"id": c.id, "type": "function", "function": c.function()})
		}
		if calls != nil {
			message["tool_calls"] = calls
		}
		if a.chat.function != nil {
			message["function_call"] = a.chat.function.function()
		}
		answer["object"], answer["choices"] = "chat.completion", []any{map[string]any{"index": 0, "message": message}}
	case a.message != nil:
		content := []any{}
		for _, b := range a.blocks {
			content = append(content, b.block())
		}
		for name, v := range a.message {
			if answer[name] == nil {
				answer[name] = v
			}
		}
		answer["type"], answer["role"], answer["content"] = "message", "assistant", content
	case a.items != nil:
		answer["object"], answer["output"] = "response", a.items.output()
	case a.parts != nil:
		answer = map[string]any{
			"candidates":    []any{map[string]any{"content": map[string]any{"role": "model", "parts": a.parts}}},
			"usageMetadata": a.usage, "modelVersion": a.model,
		}
	default:
		return ""
	}
	b, err := json.Marshal(answer)
	if err != nil {
		return ""
	}
	return string(b)
}

// answerPaths are where logs keep the answer beside what was sent.
var answerPaths = []string{"response.body_raw", "response.body", "response"}

// unstreamed is a log's record with the answer put together where it was written
// down as the event stream in which it came. Where the stream began anew, the
// answer is what came last.
func unstreamed(d *Document, rec Record) Record {
	for _, path := range answerPaths {
		v := rec.JSON.Get(path)
		if v.Type != gjson.String || v.Index == 0 || !isEventStream(v.Str) {
			continue
		}
		if answers := assembled(v.Str); len(answers) > 0 {
			last := answers[len(answers)-1]
			if len(answers) > 1 {
				d.Warn(rec.Line, rec.Col, "%d answers in the event stream of one call, the last is read", len(answers))
			}
			if last.cut {
				d.Warn(rec.Line, rec.Col, cutStream)
			}
			raw := rec.JSON.Raw
			rec.JSON, rec.members = gjson.Parse(raw[:v.Index]+last.json+raw[v.Index+len(v.Raw):]), nil
		}
		break
	}
	return rec
}

// unstream reads a document that is an event stream: its records are the answers,
// as if they stood in it in a row.
func (d *Document) unstream() error {
	text, err := d.Text()
	if err != nil {
		return err
	}
	answers := assembled(text)
	if len(answers) == 0 {
		return d.Fail(1, 1, "an event stream in which cinch finds no model's answer: name the request, or the answer put together, instead")
	}
	offset := int64(0)
	for _, a := range answers {
		if a.cut {
			d.Warn(a.line, 0, cutStream)
		}
		d.records = append(d.records, Record{Line: a.line, Col: 1, Offset: offset, Length: int64(len(a.json)), JSON: gjson.Parse(a.json)})
		offset += int64(len(a.json))
	}
	d.whole = true
	return nil
}
