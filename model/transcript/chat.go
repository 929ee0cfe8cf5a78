package transcript

import (
	"fmt"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// dialect is what sets one chat API's requests apart from another's. All are
// kept in the same ways: a request, a bare list of messages, a log with the
// answer beside the request, one of these a line, one message a line.
type dialect struct {
	// begin reads what the request holds beside its messages.
	begin func(c *model.Conversation, body gjson.Result)
	// message reads one message.
	message func(c *chat, m gjson.Result) *model.Message
	// answer is the message in a response, and what it cost.
	answer func(response gjson.Result) (gjson.Result, *model.Usage)
	// quiet is a role in which the program notes something for itself.
	quiet string
	// split makes several messages of one, where the file keeps a whole turn in
	// it; nil when it never does.
	split func(m gjson.Result, got *model.Message) []*model.Message
}

// chat reads a document of chat requests.
type chat struct {
	dialect
	doc   *Document
	conv  *model.Conversation // the one being read
	convs []*model.Conversation
	lines *model.Conversation // of files with a message on each line
	calls pending
	line  int // of the message being read
}

// decode reads all conversations.
func (d *chat) decode() ([]*model.Conversation, error) {
	err := d.doc.Each(func(rec Record) error {
		rec = unstreamed(d.doc, rec)
		here, r := in(rec), rec.JSON
		switch {
		case isMessage(r):
			if d.lines == nil {
				d.start(gjson.Result{})
				d.lines = d.conv
			}
			d.conv = d.lines
			d.add(r, rec.Span(""))
			return nil
		case !r.IsArray():
			return d.request(r, here, "")
		case isMessage(r.Get("0")) || len(r.Raw) == 2:
			d.start(gjson.Result{})
			d.list(r, here, "")
			return nil
		}
		var err error
		n := 0
		r.ForEach(func(_, one gjson.Result) bool {
			err = d.request(one, here, fmt.Sprintf("[%d].", n))
			n++
			return err == nil
		})
		return err
	})
	return d.convs, err
}

// requestPaths are where logs and batches keep what was sent.
var requestPaths = []string{"", "request.body.", "request.", "body.", "input.", "kwargs."}

// messageList is the list of messages in a record, with the object that holds
// it and that object's path.
func messageList(r gjson.Result) (list, body gjson.Result, path string) {
	for _, path := range requestPaths {
		if list := r.Get(path + "messages"); list.Exists() {
			return list, at(r, path), path
		}
	}
	return gjson.Result{}, r, ""
}

// request reads one request with the answer it got, or an answer alone.
func (d *chat) request(r gjson.Result, here *inside, prefix string) error {
	list, body, path := messageList(r)
	if list.Exists() && !list.IsArray() {
		line, col := here.place(list)
		return d.doc.Fail(line, col, "messages is not a list: write the messages as [ … ]")
	}
	d.start(body)
	if id := first(r, "custom_id", "id"); id.Type == gjson.String {
		d.conv.ID = str(id)
	}
	if list.Exists() {
		d.list(list, here, prefix+path+"messages")
	}
	for _, path := range append(answerPaths[:len(answerPaths):len(answerPaths)], "") {
		response := r
		if path != "" {
			response = r.Get(path)
		}
		m, usage := d.answer(response)
		if !m.Exists() {
			continue
		}
		if d.conv.Model == "" {
			d.conv.Model = str(response.Get("model"))
		}
		if got := d.add(m, here.span(m, prefix+path)); got != nil && got.Role == model.Assistant {
			got.Usage = usage
		}
		break
	}
	if raw := r.Get("response.body_raw"); raw.Type == gjson.String {
		line, col := here.place(raw)
		d.doc.Warn(line, col, "the answer is kept as a raw text in which no answer is found: only what was sent is shown")
	}
	if preferred := r.Get("preferred_output"); preferred.IsArray() {
		d.list(preferred, here, prefix+"preferred_output")
	}
	if r.Get("request").Exists() {
		d.convs = fold(d.convs)
	}
	return nil
}

// start begins a conversation.
func (d *chat) start(body gjson.Result) {
	d.calls = pending{}
	d.conv = &model.Conversation{Model: str(body.Get("model"))}
	d.begin(d.conv, body)
	d.convs = append(d.convs, d.conv)
}

// list reads a list of messages.
func (d *chat) list(list gjson.Result, here *inside, name string) {
	n := 0
	list.ForEach(func(_, m gjson.Result) bool {
		d.add(m, here.span(m, fmt.Sprintf("%s[%d]", name, n)))
		n++
		return true
	})
}

// add reads one message; nil when nobody a reader knows said it.
func (d *chat) add(m gjson.Result, span model.Span) *model.Message {
	d.line = span.Line
	role, ok := roleOf(m.Get("role").Str)
	if !ok {
		if wrote := str(m.Get("role")); wrote != d.quiet {
			d.odd("message from " + wrote)
		}
		return nil
	}
	got := d.message(d, m)
	got.Role, got.Wrote, got.Spans = role, str(m.Get("role")), []model.Span{span}
	got.ID = str(m.Get("id"))
	got.Time = moment(first(m, "timestamp", "ts", "created_at", "createdAt", "_metadata.timestamp"))
	if role == model.Assistant {
		got.Model = str(m.Get("model"))
	}
	if d.split != nil {
		all := d.split(m, got)
		d.conv.Messages = append(d.conv.Messages, all...)
		return all[len(all)-1]
	}
	d.conv.Messages = append(d.conv.Messages, got)
	return got
}

// odd notes something that was left out.
func (d *chat) odd(kind string) {
	leftOut(d.doc, d.line, kind)
}

// isMessage reports whether a value is a chat message.
func isMessage(m gjson.Result) bool {
	return m.Get("role").Type == gjson.String &&
		(m.Get("content").Exists() || m.Get("parts").Exists() || m.Get("tool_calls").Exists() || m.Get("function_call").Exists())
}

// tellTale are the signs of a dialect in a list of messages.
type tellTale struct{ openai, anthropic bool }

// listen looks for them in the first messages of a list.
func listen(list gjson.Result) (t tellTale) {
	n := 0
	list.ForEach(func(_, m gjson.Result) bool {
		switch m.Get("role").Str {
		case "tool", "system", "developer", "function":
			t.openai = true
		}
		if m.Get("tool_calls").Exists() || m.Get("function_call").Exists() {
			t.openai = true
		}
		m.Get("content").ForEach(func(_, b gjson.Result) bool {
			switch b.Get("type").Str {
			case "tool_use", "tool_result", "thinking", "redacted_thinking":
				t.anthropic = true
			case "image_url", "input_audio", "refusal":
				t.openai = true
			}
			return true
		})
		n++
		return n < 200 && !t.openai && !t.anthropic
	})
	return t
}
