package transcript

import (
	"fmt"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isResponses knows the Responses API by its items, its input or its output.
func isResponses(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		if r.IsArray() {
			found, n := false, 0
			r.ForEach(func(_, it gjson.Result) bool {
				found = isItem(it) || sentInput(it).Exists()
				n++
				return !found && n < 50
			})
			if found {
				return true
			}
			continue
		}
		if isItem(r) || sentInput(r).Exists() || responseObject(r).Exists() {
			return true
		}
	}
	return false
}

// isItem knows an item that no other format writes.
func isItem(it gjson.Result) bool {
	switch it.Get("type").Str {
	case "function_call", "custom_tool_call":
		return it.Get("call_id").Exists()
	case "function_call_output", "custom_tool_call_output":
		return true
	case "reasoning":
		return it.Get("summary").IsArray()
	case "message":
		kind := it.Get("content.0.type").Str
		return it.Get("role").Exists() && (kind == "input_text" || kind == "output_text")
	}
	return false
}

// sentInput is the input of a request, or of one in a log.
func sentInput(r gjson.Result) gjson.Result {
	for _, path := range requestPaths {
		input := r.Get(path + "input")
		if !input.IsArray() && input.Type != gjson.String {
			continue
		}
		if isItem(input.Get("0")) || isMessage(input.Get("0")) {
			return input
		}
		for _, beside := range []string{"model", "instructions", "tools", "previous_response_id", "store"} {
			if r.Get(path + beside).Exists() {
				return input
			}
		}
	}
	return gjson.Result{}
}

// responseObject is the response in a record.
func responseObject(r gjson.Result) gjson.Result {
	for _, one := range []gjson.Result{r, r.Get("response"), r.Get("response.body"), r.Get("response.body_raw")} {
		if one.Get("object").Str == "response" && one.Get("output").IsArray() {
			return one
		}
	}
	return gjson.Result{}
}

// responses reads the Responses API: a request, a response, both in one log
// record, a bare list of items, or one of these on each line.
type responses struct {
	doc   *Document
	convs []*model.Conversation
	items *items // of the conversation being read
	lines *items // of files with an item on each line
	line  int
}

// decodeResponses reads all conversations.
func decodeResponses(doc *Document) ([]*model.Conversation, error) {
	d := &responses{doc: doc}
	err := doc.Each(func(rec Record) error {
		rec = unstreamed(doc, rec)
		here, r := in(rec), rec.JSON
		switch {
		case r.IsArray() && (isItem(r.Get("0")) || r.Get("0.role").Exists()):
			d.start(gjson.Result{})
			d.list(r, here, "")
			d.finish()
		case r.IsArray():
			n := 0
			r.ForEach(func(_, one gjson.Result) bool {
				d.request(one, here, fmt.Sprintf("[%d].", n))
				n++
				return true
			})
		case sentInput(r).Exists() || responseObject(r).Exists():
			d.request(r, here, "")
		default:
			if d.lines == nil {
				d.start(gjson.Result{})
				d.lines = d.items
			}
			d.items, d.line = d.lines, rec.Line
			d.items.add(item{r, rec.Span(""), moment(r.Get("timestamp"))})
		}
		return nil
	})
	if d.lines != nil {
		d.items = d.lines
		d.finish()
	}
	return d.convs, err
}

// start begins a conversation.
func (d *responses) start(body gjson.Result) {
	d.items = &items{odd: func(kind string) { leftOut(d.doc, d.line, kind) }}
	c := &model.Conversation{Model: str(body.Get("model"))}
	if body.Get("instructions").Type == gjson.String {
		c.System = str(body.Get("instructions"))
	}
	if tools := body.Get("tools"); tools.IsArray() {
		c.Tools = compact(tools)
	}
	d.convs = append(d.convs, c)
}

// finish gives the conversation begun last its messages.
func (d *responses) finish() *model.Conversation {
	c := d.convs[len(d.convs)-1]
	c.Messages = d.items.messages
	return c
}

// request reads one request with the response it got, or one of the two.
func (d *responses) request(r gjson.Result, here *inside, prefix string) {
	sent, got := sentInput(r), responseObject(r)
	body := got
	if sent.Exists() {
		for _, path := range requestPaths {
			if r.Get(path+"input").Index == sent.Index {
				body = at(r, path)
				break
			}
		}
	}
	d.start(body)
	if sent.Type == gjson.String {
		said := model.Part{Kind: model.Text, Text: str(sent)}
		d.items.push(item{gjson.Result{}, here.span(sent, prefix+"input"), moment(gjson.Result{})}, model.User, "user", said)
	} else {
		d.list(sent, here, prefix+"input")
	}
	answered := len(d.items.messages)
	d.items.end()
	d.list(got.Get("output"), here, prefix+"output")
	c := d.finish()
	c.ID = str(first(r, "custom_id", "id"))
	for i := len(c.Messages) - 1; i >= answered; i-- {
		if m := c.Messages[i]; m.Role == model.Assistant {
			m.Usage, m.Model = openaiUsage(got.Get("usage")), str(got.Get("model"))
			break
		}
	}
	if earlier := first(body, "previous_response_id", "conversation"); earlier.Exists() {
		line, col := here.place(earlier)
		d.doc.Warn(line, col, "the turns before this one are kept by the provider, not in the file")
	}
	if r.Get("request").Exists() {
		d.convs = fold(d.convs)
	}
}

// at is the object at one of the request paths.
func at(r gjson.Result, path string) gjson.Result {
	if path == "" {
		return r
	}
	return r.Get(path[:len(path)-1])
}

// list reads a list of items.
func (d *responses) list(list gjson.Result, here *inside, name string) {
	n := 0
	list.ForEach(func(_, it gjson.Result) bool {
		span := here.span(it, fmt.Sprintf("%s[%d]", name, n))
		d.line = span.Line
		d.items.add(item{it, span, moment(it.Get("timestamp"))})
		n++
		return true
	})
}
