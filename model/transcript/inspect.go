package transcript

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isInspect knows an evaluation log by its header, whether the samples stand in
// it or in files of their own in the same archive.
func isInspect(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		if r.Get("version").Exists() && r.Get("eval.task").Exists() || isInspectSample(r) {
			return true
		}
	}
	return false
}

// isInspectSample knows a sample.
func isInspectSample(r gjson.Result) bool {
	return r.Get("epoch").Exists() && r.Get("messages").IsArray() && r.Get("target").Exists()
}

// inspect reads an evaluation log: every sample is a conversation.
type inspect struct {
	chat
	task, model string
}

// decodeInspect reads all samples.
func decodeInspect(doc *Document) ([]*model.Conversation, error) {
	d := &inspect{chat: chat{doc: doc, dialect: dialect{begin: openaiBegin, message: inspectMessage}}}
	err := doc.Each(func(rec Record) error {
		r := rec.JSON
		if r.Get("eval.task").Exists() {
			d.task, d.model = str(r.Get("eval.task")), str(r.Get("eval.model"))
		}
		if isInspectSample(r) {
			d.sample(r, in(rec), "")
			return nil
		}
		n, here := 0, in(rec)
		r.Get("samples").ForEach(func(_, s gjson.Result) bool {
			d.sample(s, here, fmt.Sprintf("samples[%d].", n))
			n++
			return true
		})
		return nil
	})
	return d.convs, err
}

// sample reads one sample. Its messages are the final list, which a compaction
// may have shortened; the events tell what was said before.
func (d *inspect) sample(s gjson.Result, here *inside, prefix string) {
	d.start(gjson.Result{})
	c := d.conv
	c.ID = fmt.Sprintf("%s_epoch_%s", s.Get("id").String(), s.Get("epoch").String())
	c.Title, c.Model = d.task, d.model
	d.list(s.Get("messages"), here, prefix+"messages")
	stored := s.Get("attachments")
	d.attach(c.Messages, stored)
	if events := s.Get("events"); events.Get(`#(event=="compaction")`).Exists() {
		d.history(c, s, events, here, prefix)
	}
	c.Tools = compact(s.Get(`events.#(event=="model").tools`))
	if c.Tools == "[]" {
		c.Tools = ""
	}
	for i := len(c.Messages) - 1; i >= 0; i-- {
		if m := c.Messages[i]; m.Role == model.Assistant {
			m.Usage = inspectUsage(s.Get("output.usage"))
			break
		}
	}
}

// history finds in the events what the model was sent before a compaction: the
// inputs of its calls, each message where it first appears.
func (d *inspect) history(c *model.Conversation, s, events gjson.Result, here *inside, prefix string) {
	final := map[string]*model.Message{}
	for _, m := range c.Messages {
		if m.ID != "" {
			final[m.ID] = m
		}
	}
	context := c.Messages
	seen := map[string]bool{}
	var log, history []*model.Message
	meet := func(m gjson.Result, name string) {
		id := m.Get("id").Str
		if id == "" || seen[id] {
			return
		}
		seen[id] = true
		said := final[id]
		if said == nil {
			d.conv = &model.Conversation{}
			if said = d.add(m, here.span(m, name)); said == nil {
				return
			}
			d.attach([]*model.Message{said}, s.Get("attachments"))
		}
		if m.Get("metadata.summary").Bool() {
			said.Mark = model.Summary
		} else {
			history = append(history, said)
		}
		log = append(log, said)
	}
	pool := s.Get("message_pool").Array()
	n := 0
	events.ForEach(func(_, e gjson.Result) bool {
		name := fmt.Sprintf("%sevents[%d]", prefix, n)
		n++
		switch e.Get("event").Str {
		case "model":
			e.Get("input").ForEach(func(_, m gjson.Result) bool { meet(m, name+".input"); return true })
			e.Get("input_refs").ForEach(func(_, ref gjson.Result) bool {
				for i := ref.Get("0").Int(); i >= 0 && i < min(ref.Get("1").Int(), int64(len(pool))); i++ {
					meet(pool[i], fmt.Sprintf("%smessage_pool[%d]", prefix, i))
				}
				return true
			})
			meet(e.Get("output.choices.0.message"), name+".output")
		case "compaction":
			c.Compactions = append(c.Compactions, model.Compaction{
				Kind: strings.TrimSpace("compaction " + str(e.Get("type"))), Before: e.Get("tokens_before").Int(), After: e.Get("tokens_after").Int(),
				Log: len(log), History: len(history), Line: here.lineOf(e), Time: moment(e.Get("timestamp")),
			})
		}
		return true
	})
	for _, m := range context {
		if m.ID == "" || !seen[m.ID] {
			log, history = append(log, m), append(history, m)
		}
	}
	d.conv, c.Messages = c, log
	c.SetViews(history, context)
}

// inspectMessage reads a message.
func inspectMessage(d *chat, m gjson.Result) *model.Message {
	if m.Get("role").Str == "tool" {
		part := result(d.calls.result(str(m.Get("tool_call_id")), str(m.Get("function"))), str(m.Get("function")), m.Get("content"), inspectBlock)
		if failed := m.Get("error"); failed.IsObject() {
			part.IsError = true
			if part.Text == "" && part.List == nil {
				part.Text = str(failed.Get("message"))
			}
		}
		return &model.Message{Parts: []model.Part{part}}
	}
	got := &model.Message{Parts: content(m.Get("content"), inspectBlock, d.odd)}
	m.Get("tool_calls").ForEach(func(_, c gjson.Result) bool {
		name := str(c.Get("function"))
		got.Parts = append(got.Parts, toolCall(d.calls.call(str(c.Get("id")), name), name, c.Get("arguments")))
		return true
	})
	return got
}

// inspectBlock reads a content block.
func inspectBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	switch kind := b.Get("type").Str; kind {
	case "image":
		return append(parts, picture("", str(b.Get("image")))), true
	case "reasoning":
		if b.Get("redacted").Bool() {
			return append(parts, sealed(b.Get("reasoning"))), true
		}
		return append(parts, model.Part{Kind: model.Thinking, Text: str(b.Get("reasoning"))}), true
	case "audio", "video", "document":
		if data := b.Get(kind); data.Type == gjson.String {
			return append(parts, model.Part{Kind: model.Document, Media: media("", str(data))}), true
		}
	case "data":
		return append(parts, model.Part{Kind: model.Text, Text: compact(b.Get("data"))}), true
	}
	return openaiBlock(parts, b)
}

// inspectUsage reads what a call cost: its input leaves the cache out.
func inspectUsage(u gjson.Result) *model.Usage {
	if !u.IsObject() {
		return nil
	}
	read, write := u.Get("input_tokens_cache_read").Int(), u.Get("input_tokens_cache_write").Int()
	return &model.Usage{Input: u.Get("input_tokens").Int() + read + write, CacheRead: read, CacheWrite: write, Output: u.Get("output_tokens").Int()}
}

// attachment is how a log refers to a text it keeps apart.
var attachment = regexp.MustCompile(`(?:attachment|tc)://([0-9a-f]{32})`)

// attach puts the texts kept apart back into messages.
func (d *inspect) attach(messages []*model.Message, stored gjson.Result) {
	if !stored.IsObject() || len(messages) == 0 {
		return
	}
	texts := map[string]string{}
	stored.ForEach(func(hash, v gjson.Result) bool { texts[hash.Str] = str(v); return true })
	back := func(s string, quoted bool) string {
		return attachment.ReplaceAllStringFunc(s, func(ref string) string {
			text, ok := texts[ref[len(ref)-32:]]
			switch {
			case !ok:
				return ref
			case quoted:
				text = model.QuoteJSON(text)
				return text[1 : len(text)-1]
			}
			return text
		})
	}
	var each func([]model.Part)
	each = func(parts []model.Part) {
		for i := range parts {
			p := &parts[i]
			p.Text = back(p.Text, p.Kind == model.ToolCall)
			if p.Media != nil {
				p.Media = media(p.Media.Type, back(p.Media.Data, false))
			}
			each(p.List)
		}
	}
	for _, m := range messages {
		each(m.Parts)
	}
}
