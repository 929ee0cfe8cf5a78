package transcript

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"cinch/model"
)

const nativeName = "native"

// isNative knows conversations whose messages are made of parts in our own
// words: a document with messages, a bare list of them, requests that hold
// them, or any of these on lines.
func isNative(head []gjson.Result, _ bool) bool {
	return slices.ContainsFunc(head, func(r gjson.Result) bool {
		return nativeMessages(r, isNativeMessage).Exists() || r.IsArray() && nativeMessages(r.Get("0"), isNativeMessage).IsArray()
	})
}

// nativeMessages finds the list of messages in a record: the record itself, its
// messages, those of its request, or itself as the only one. All of the first few
// must be messages, and one of them must pass the test.
func nativeMessages(r gjson.Result, test func(gjson.Result) bool) gjson.Result {
	for _, list := range []gjson.Result{r, r.Get("messages"), r.Get("request.messages")} {
		if !list.IsArray() {
			continue
		}
		n, all, one := 0, true, false
		list.ForEach(func(_, m gjson.Result) bool {
			n++
			all = couldBeNative(m)
			one = one || all && test(m)
			return all && n < 50
		})
		if all && one {
			return list
		}
	}
	if r.IsObject() && test(r) {
		return r
	}
	return gjson.Result{}
}

// isNativeMessage reports whether a message is made of parts that no other
// format writes so: other formats with parts give messages ids of their own.
func isNativeMessage(m gjson.Result) bool {
	parts := m.Get("parts")
	if !parts.IsArray() || m.Get("role").Type != gjson.String {
		return false
	}
	known, sure := false, !m.Get("id").Exists()
	parts.ForEach(func(_, p gjson.Result) bool {
		switch p.Get("type").Str {
		case "text", "thinking":
			known = p.Get("text").Exists()
		case "image", "document", "opaque":
			known = p.Get("source").IsObject() || p.Get("text").Exists()
		case "tool_call":
			known = p.Get("name").Exists() && !p.Get("arguments").Exists()
			sure = sure || known
		case "tool_result":
			known = p.Get("call_id").Exists()
			sure = sure || known
		default:
			known = false
		}
		return known
	})
	return known && sure
}

func decodeNative(d *Document) ([]*model.Conversation, error) {
	var out []*model.Conversation
	var lines *model.Conversation // the conversation that lines of one message each make
	var requests int
	err := d.Each(func(r Record) error {
		read := func(v gjson.Result, record string) {
			list := nativeMessages(v, couldBeNative)
			switch {
			case !list.Exists():
				line, col := in(r).place(v)
				d.Warn(line, col, "no messages made of parts, skipped")
			case list.IsObject():
				if lines == nil {
					lines = &model.Conversation{Format: nativeName}
					out = append(out, lines)
				}
				lines.Messages = append(lines.Messages, nativeMessage(d, in(r), list, "messages["+strconv.Itoa(len(lines.Messages))+"]"))
			default:
				requests++
				out = append(out, nativeConversation(d, r, v, list, record))
			}
		}
		// A list of requests holds a conversation each.
		if first := r.JSON.Get("0"); r.JSON.IsArray() && first.IsObject() && !couldBeNative(first) {
			n := 0
			r.JSON.ForEach(func(_, v gjson.Result) bool {
				read(v, "["+strconv.Itoa(n)+"].")
				n++
				return true
			})
			return nil
		}
		read(r.JSON, "")
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, d.Fail(1, 0, "no messages in it: a native conversation is {\"messages\":[{\"role\":…,\"parts\":[…]}]}")
	}
	if len(out) > 1 {
		for i, c := range out {
			c.ID = strconv.Itoa(i + 1)
		}
	}
	return out, nil
}

// couldBeNative reports whether a value is a message with parts.
func couldBeNative(m gjson.Result) bool {
	return m.IsObject() && m.Get("role").Exists() && m.Get("parts").IsArray()
}

// nativeConversation reads one document or request.
func nativeConversation(d *Document, r Record, v, list gjson.Result, record string) *model.Conversation {
	c := &model.Conversation{Format: nativeName}
	if v.IsObject() {
		at := v
		if v.Get("request.messages").Exists() {
			at = v.Get("request")
			record += "request."
		}
		c.System = nativeSystem(at.Get("system"))
		if tools := at.Get("tools"); tools.IsArray() && len(tools.Array()) > 0 {
			c.Tools = compact(tools)
		}
		c.Model = named(first(v, "model", "request.model", "options.model"))
		c.Window = max(at.Get("window").Int(), 0)
		c.Overhead = max(at.Get("overhead").Int(), 0)
		record += "messages"
	}
	place, n := in(r), 0
	list.ForEach(func(_, m gjson.Result) bool {
		if m.IsObject() {
			c.Messages = append(c.Messages, nativeMessage(d, place, m, record+"["+strconv.Itoa(n)+"]"))
		} else {
			line, col := place.place(m)
			d.Warn(line, col, "a message that is not an object, skipped")
		}
		n++
		return true
	})
	return c
}

// nativeSystem is the system prompt: a string, or a list of text parts.
func nativeSystem(v gjson.Result) string {
	if v.IsArray() {
		p := result("", "", v, nativePart)
		return p.Output()
	}
	return named(v)
}

// nativeMessage reads a message as it stands.
func nativeMessage(d *Document, place *inside, m gjson.Result, record string) *model.Message {
	out := &model.Message{Wrote: str(m.Get("role")), ID: named(m.Get("id")), Spans: []model.Span{place.span(m, record)}}
	switch out.Wrote {
	case "user", "tool":
	case "assistant":
		out.Role = model.Assistant
	case "system":
		out.Role = model.System
	default:
		line, col := place.place(m)
		d.Warn(line, col, "unknown role %q read as user", out.Wrote)
	}
	out.Parts = content(m.Get("parts"), nativePart, func(kind string) {
		line, col := place.place(m)
		d.Warn(line, col, "unknown part %q left out", kind)
	})
	return out
}

// nativePart reads one part.
func nativePart(parts []model.Part, p gjson.Result) ([]model.Part, bool) {
	out := model.Part{}
	switch p.Get("type").Str {
	case "text":
		out.Text = str(p.Get("text"))
	case "thinking":
		out.Kind, out.Text = model.Thinking, str(p.Get("text"))
	case "image", "document", "opaque":
		out.Kind = map[string]model.Kind{"image": model.Image, "document": model.Document, "opaque": model.Opaque}[p.Get("type").Str]
		out.Name, out.Text, out.Media = named(p.Get("name")), named(p.Get("text")), nativeMedia(p.Get("source"))
	case "tool_call":
		out.Kind, out.ID, out.Name, out.Text = model.ToolCall, named(p.Get("id")), named(p.Get("name")), compact(p.Get("input"))
	case "tool_result":
		out = result(named(p.Get("call_id")), named(p.Get("name")), p.Get("output"), nativePart)
		out.IsError = p.Get("is_error").Bool()
	default:
		return parts, false
	}
	return append(parts, out), true
}

func nativeMedia(s gjson.Result) *model.Media {
	if !s.IsObject() {
		return nil
	}
	return &model.Media{
		Type: named(s.Get("media_type")), Encoding: named(first(s, "encoding", "type")), Data: named(first(s, "data", "url")),
		Width: int(s.Get("width").Int()), Height: int(s.Get("height").Int()),
	}
}
