package transcript

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isChatGPT knows ChatGPT's export by its tree of messages.
func isChatGPT(head []gjson.Result, _ bool) bool {
	r := head[0]
	if r.IsArray() {
		r = r.Get("0")
	}
	return r.Get("mapping").IsObject() && (r.Get("current_node").Exists() || r.Get("conversation_id").Exists() || r.Get("create_time").Exists())
}

// chatgpt reads one conversation of the export.
type chatgpt struct {
	doc   *Document
	here  *inside
	conv  *model.Conversation
	calls pending
	nodes map[string]gjson.Result
	line  int
}

// decodeChatGPT reads all conversations.
func decodeChatGPT(doc *Document) ([]*model.Conversation, error) {
	var all []*model.Conversation
	err := doc.Each(func(rec Record) error {
		here := in(rec)
		one := func(r gjson.Result) {
			if !r.Get("mapping").IsObject() {
				return
			}
			d := &chatgpt{doc: doc, here: here, nodes: map[string]gjson.Result{}, conv: &model.Conversation{
				ID: str(first(r, "conversation_id", "id")), Title: str(r.Get("title")), Model: str(r.Get("default_model_slug")),
			}}
			d.read(r)
			all = append(all, d.conv)
		}
		if rec.JSON.IsArray() {
			rec.JSON.ForEach(func(_, r gjson.Result) bool { one(r); return true })
		} else {
			one(rec.JSON)
		}
		return nil
	})
	return all, err
}

// read follows the active branch, or the one asked for, from its leaf to the root.
func (d *chatgpt) read(r gjson.Result) {
	var order []string
	r.Get("mapping").ForEach(func(id, node gjson.Result) bool {
		d.nodes[id.Str] = node
		order = append(order, id.Str)
		return true
	})
	leaf := r.Get("current_node").Str
	if leaf == "" && len(order) > 0 {
		leaf = order[len(order)-1]
	}
	active := leaf
	var leaves []string
	for _, id := range order {
		if len(d.nodes[id].Get("children").Array()) == 0 && d.nodes[id].Get("message").IsObject() {
			leaves = append(leaves, id)
		}
	}
	if slices.Contains(leaves, d.doc.Branch) {
		leaf = d.doc.Branch
	}
	for _, id := range d.way(leaf) {
		d.add(d.nodes[id])
	}
	if len(leaves) < 2 {
		return
	}
	for _, id := range leaves {
		way := d.way(id)
		d.conv.Branches = append(d.conv.Branches, model.Branch{
			ID: strings.Clone(id), Title: clip(chatgptText(d.nodes[id].Get("message.content"))), Messages: len(way),
			Active: id == active, Time: moment(d.nodes[id].Get("message.create_time")),
		})
	}
}

// way is the path from the root to a node.
func (d *chatgpt) way(id string) []string {
	var path []string
	seen := map[string]bool{}
	for id != "" && !seen[id] {
		node, ok := d.nodes[id]
		if !ok {
			break
		}
		seen[id] = true
		path = append(path, id)
		id = node.Get("parent").Str
	}
	slices.Reverse(path)
	return path
}

// add reads a node's message. An assistant's message to somebody else than all
// is a call of that tool.
func (d *chatgpt) add(node gjson.Result) {
	m := node.Get("message")
	role, ok := roleOf(m.Get("author.role").Str)
	if !ok || !m.IsObject() || m.Get("weight").Exists() && m.Get("weight").Num == 0 {
		return
	}
	span := d.here.span(m, str(m.Get("id")))
	d.line = span.Line
	got := &model.Message{
		Role: role, Wrote: str(m.Get("author.role")), ID: str(m.Get("id")), Time: moment(m.Get("create_time")), Spans: []model.Span{span},
	}
	parts := d.parts(m.Get("content"))
	to := m.Get("recipient").Str
	switch {
	case got.Wrote == "tool":
		name := str(m.Get("author.name"))
		answer := model.Part{Kind: model.ToolResult, ID: d.calls.result("", name), Name: name, List: parts}
		if len(parts) == 1 && parts[0].Kind == model.Text {
			answer.Text, answer.List = parts[0].Text, nil
		}
		got.Parts = []model.Part{answer}
	case role == model.Assistant && to != "" && to != "all":
		name := strings.Clone(to)
		got.Parts = []model.Part{{
			Kind: model.ToolCall, ID: d.calls.call("", name), Name: name,
			Text: input(gjson.Parse(model.QuoteJSON(chatgptText(m.Get("content"))))),
		}}
	case len(parts) == 0:
		return
	default:
		got.Parts = parts
	}
	if role == model.Assistant {
		d.unthink(got)
		if got.Model = str(m.Get("metadata.model_slug")); got.Model != "" {
			d.conv.Model = got.Model
		}
	}
	d.conv.Messages = append(d.conv.Messages, got)
}

// unthink moves thoughts that stand in a message of their own to the answer they led to.
func (d *chatgpt) unthink(answer *model.Message) {
	n := len(d.conv.Messages)
	if n == 0 {
		return
	}
	last := d.conv.Messages[n-1]
	if last.Role != model.Assistant || slices.ContainsFunc(last.Parts, func(p model.Part) bool { return p.Kind != model.Thinking }) {
		return
	}
	at := len(last.Spans)
	for i := range answer.Parts {
		answer.Parts[i].Span = uint16(min(at, 1<<16-1))
	}
	answer.Parts = append(last.Parts, answer.Parts...)
	answer.Spans = append(last.Spans, answer.Spans...)
	d.conv.Messages = d.conv.Messages[:n-1]
}

// parts reads a message's content.
func (d *chatgpt) parts(c gjson.Result) []model.Part {
	var parts []model.Part
	switch c.Get("content_type").Str {
	case "thoughts":
		c.Get("thoughts").ForEach(func(_, t gjson.Result) bool {
			parts = append(parts, model.Part{Kind: model.Thinking, Text: str(first(t, "content", "summary"))})
			return true
		})
		return parts
	case "reasoning_recap":
		return nil
	}
	c.Get("parts").ForEach(func(_, p gjson.Result) bool {
		switch {
		case p.Type == gjson.String && p.Str == "":
		case p.Type == gjson.String:
			parts = append(parts, model.Part{Kind: model.Text, Text: str(p)})
		case p.Get("asset_pointer").Exists():
			parts = append(parts, model.Part{Kind: model.Image, Media: &model.Media{
				Encoding: "url", Data: str(p.Get("asset_pointer")), Width: int(p.Get("width").Int()), Height: int(p.Get("height").Int()),
			}})
		case p.Get("text").Exists():
			parts = append(parts, model.Part{Kind: model.Text, Text: str(p.Get("text"))})
		default:
			leftOut(d.doc, d.line, str(p.Get("content_type")))
		}
		return true
	})
	if text := first(c, "text", "result", "user_profile"); text.Type == gjson.String && text.Str != "" {
		parts = append(parts, model.Part{Kind: model.Text, Text: str(text)})
	}
	return parts
}

// chatgptText is the text of a content.
func chatgptText(c gjson.Result) string {
	if t := c.Get("text"); t.Type == gjson.String {
		return str(t)
	}
	var texts []string
	c.Get("parts").ForEach(func(_, p gjson.Result) bool {
		if p.Type == gjson.String {
			texts = append(texts, str(p))
		}
		return true
	})
	return strings.Join(texts, "\n")
}
