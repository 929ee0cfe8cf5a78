package transcript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isCline knows the list of API messages by what Cline and Roo Code add to
// them, and the newer session file by its members.
func isCline(head []gjson.Result, single bool) bool {
	r := head[0]
	if r.IsObject() {
		return isClineIndex(r) || r.Get("sessionId").Exists() && r.Get("agent").Exists() && r.Get("messages").IsArray() && r.Get("version").Exists()
	}
	found, n := false, 0
	r.ForEach(func(_, m gjson.Result) bool {
		found = m.Get("role").Exists() && (m.Get("ts").Type == gjson.Number || m.Get("modelInfo").IsObject() || m.Get("condenseId").Exists())
		n++
		return !found && n < 50
	})
	return single && found
}

// isClineIndex knows the file that describes a session and names the one with its messages.
func isClineIndex(r gjson.Result) bool {
	return r.Get("session_id").Exists() && r.Get("messages_path").Exists()
}

// cline reads Anthropic messages with Cline's additions.
type cline struct {
	chat
	notes   map[*model.Message]clineNote
	waiting []model.Part // calls of the last answer, while no result has come
}

// clineNote is what a message says about a compaction.
type clineNote struct {
	summary, marker     string // the id under which it stands for others
	condensed, cut      string // the summary or marker that stands for it
	kind, trigger, text string
	before              int64
	ours                bool // inserted by the compaction
}

// decodeCline reads the messages and hides what a compaction replaced.
func decodeCline(doc *Document) ([]*model.Conversation, error) {
	if err := doc.Each(func(rec Record) error {
		if isClineIndex(rec.JSON) {
			return doc.Fail(rec.Line, rec.Col, "this only describes a session: open %s instead", str(rec.JSON.Get("messages_path")))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	d := &cline{notes: map[*model.Message]clineNote{}}
	d.chat = chat{doc: doc, dialect: dialect{
		begin: func(c *model.Conversation, body gjson.Result) {
			c.ID, c.System = str(body.Get("sessionId")), str(body.Get("system_prompt"))
		},
		message: func(_ *chat, m gjson.Result) *model.Message { return d.read(m) },
		answer:  func(gjson.Result) (gjson.Result, *model.Usage) { return gjson.Result{}, nil },
	}}
	all, err := d.decode()
	for _, c := range all {
		d.views(c)
	}
	return all, err
}

// read reads one message.
func (d *cline) read(m gjson.Result) *model.Message {
	got := &model.Message{Parts: content(m.Get("content"), clineBlock, d.odd)}
	if m.Get("type").Str == "reasoning" {
		got.Parts = append(got.Parts, reasoningItem(m)...)
	}
	if m.Get("role").Str == "assistant" {
		got.Parts = append(openaiReasoning(m), got.Parts...)
		got.Usage = clineUsage(m.Get("metrics"))
		d.waiting = slices.DeleteFunc(slices.Clone(got.Parts), func(p model.Part) bool { return p.Kind != model.ToolCall })
		if name := first(m, "modelInfo.modelId", "modelInfo.id"); name.Exists() {
			d.conv.Model = str(name)
		}
	} else if !got.HasResult() {
		got.Parts = d.toldResults(got.Parts)
	}
	meta := m.Get("metadata")
	note := clineNote{
		condensed: str(m.Get("condenseParent")), cut: str(m.Get("truncationParent")),
		before: meta.Get("tokensBefore").Int(), trigger: strings.TrimSuffix(str(meta.Get("reason")), "_compaction"),
	}
	switch kind := meta.Get("kind").Str; {
	case m.Get("isSummary").Bool():
		note.kind, note.summary, note.ours = "condense", str(m.Get("condenseId")), true
	case m.Get("isTruncationMarker").Bool():
		note.kind, note.marker, note.ours = "truncation", str(m.Get("truncationId")), true
	case kind == "compaction_summary":
		note.kind, note.ours, note.text = kind, true, str(first(meta, "summary", "details.summary"))
	case kind == "compaction":
		note.kind = kind
	}
	d.notes[got] = note
	return got
}

// told is how Cline tells a result in text: [read_file for 'main.go'] Result:
var told = regexp.MustCompile(`^\[(\w+)[^\]\n]*\] Result:[ \t]*\n?`)

// toldResults makes results of the texts that tell them, for calls that wait:
// each answers the oldest of its tool. A text that only announces a result is
// followed by it.
func (d *cline) toldResults(parts []model.Part) []model.Part {
	var out []model.Part
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		match := told.FindStringSubmatch(p.Text)
		at := -1
		if p.Kind == model.Text && match != nil {
			at = slices.IndexFunc(d.waiting, func(c model.Part) bool { return c.Name == match[1] })
		}
		if at < 0 {
			out = append(out, p)
			continue
		}
		answer := model.Part{Kind: model.ToolResult, ID: d.waiting[at].ID, Name: match[1], Text: p.Text}
		d.waiting = slices.Delete(d.waiting, at, at+1)
		if len(match[0]) == len(p.Text) && i+1 < len(parts) && parts[i+1].Kind == model.Text &&
			!strings.HasPrefix(parts[i+1].Text, "[") && !strings.HasPrefix(parts[i+1].Text, "<environment_details>") {
			i++
			answer.Text += parts[i].Text
		}
		out = append(out, answer)
	}
	return out
}

// clineBlock reads a content block; a file is sent as its text.
func clineBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	if b.Get("type").Str == "file" && b.Get("path").Exists() {
		return append(parts, model.Part{Kind: model.Text, Text: str(b.Get("content"))}), true
	}
	if b.Get("type").Str == "reasoning" {
		return append(parts, model.Part{Kind: model.Thinking, Text: str(b.Get("text"))}), true
	}
	return openaiBlock(parts, b)
}

// clineUsage reads what an answer cost, in either generation's words.
func clineUsage(m gjson.Result) *model.Usage {
	switch {
	case m.Get("inputTokens").Exists():
		return &model.Usage{
			Input: m.Get("inputTokens").Int(), CacheRead: m.Get("cacheReadTokens").Int(),
			CacheWrite: m.Get("cacheWriteTokens").Int(), Output: m.Get("outputTokens").Int(),
		}
	case m.Get("tokens.prompt").Exists():
		return &model.Usage{Input: m.Get("tokens.prompt").Int(), CacheRead: m.Get("tokens.cached").Int(), Output: m.Get("tokens.completion").Int()}
	}
	return nil
}

// views hides what summaries and truncation markers stand for.
func (d *cline) views(c *model.Conversation) {
	stands, from := map[string]bool{}, 0
	var history, context []*model.Message
	for i, m := range c.Messages {
		note := d.notes[m]
		if note.summary != "" {
			stands[note.summary] = true
		}
		if note.marker != "" {
			stands[note.marker] = true
		}
		if note.kind == "condense" {
			from = i
		}
		if note.kind == "" {
			history = append(history, m)
			continue
		}
		k := model.Compaction{
			Kind: note.kind, Trigger: note.trigger, Before: note.before, Log: i, History: len(history),
			Line: m.Line(), Summary: note.text, Time: m.Time,
		}
		if note.ours {
			m.Mark = model.Summary
			if k.Summary == "" && len(m.Parts) > 0 {
				k.Summary = m.Parts[0].Text
			}
		} else {
			history = append(history, m)
		}
		c.Compactions = append(c.Compactions, k)
	}
	if len(c.Compactions) == 0 {
		return
	}
	for i, m := range c.Messages {
		note := d.notes[m]
		hidden := note.condensed != "" && stands[note.condensed] || note.cut != "" && stands[note.cut]
		if !hidden && i >= from {
			context = append(context, m)
		}
	}
	c.SetViews(history, context)
}
