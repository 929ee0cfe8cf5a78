package transcript

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// keptTokens is how much of what the user said a compaction keeps when the file
// records only its summary, in tokens of four bytes.
const keptTokens = 20_000

// compact reads a recorded compaction. From there on the model is sent the
// replacement the record holds; in old files, which hold none, what Codex would
// build from it: what it injected at the start, what the user said, the summary.
func (d *codex) compact(p gjson.Result) {
	summary := str(p.Get("message"))
	var put []*model.Message // what was not said before
	if list := p.Get("replacement_history"); list.IsArray() {
		d.context, put = d.replace(list, summary)
	} else {
		d.context, put = d.rebuild(summary)
	}
	d.boundary(model.Compaction{Kind: "compacted", Summary: summary})
	d.compacted = true
	d.conv.Messages = append(d.conv.Messages, put...)
}

// boundary notes a compaction or a rollback at this point of the recording.
func (d *codex) boundary(c model.Compaction) {
	d.items.end()
	at := moment(d.rec.JSON.Get("timestamp"))
	c.Before, c.Log, c.History = d.total, len(d.conv.Messages), len(d.history)
	c.Line, c.Time = d.rec.Line, at
	d.conv.Compactions = append(d.conv.Compactions, c)
	d.conv.Messages = append(d.conv.Messages, &model.Message{
		Role: model.System, Mark: model.Boundary, Wrote: c.Kind, Time: at, Spans: []model.Span{d.rec.Span(c.Kind)},
	})
}

// replace reads a replacement history. What it repeats from the context so far
// is that same message, and what it does not was put there by the compaction.
func (d *codex) replace(list gjson.Result, summary string) (context, put []*model.Message) {
	here, n := in(d.rec), 0
	fresh := items{odd: d.items.odd}
	list.ForEach(func(_, it gjson.Result) bool {
		span := here.span(it, fmt.Sprintf("replacement_history[%d]", n))
		fresh.add(item{it, span, moment(d.rec.JSON.Get("timestamp"))})
		n++
		return true
	})
	known := map[string][]*model.Message{}
	for _, m := range d.context {
		known[wording(m)] = append(known[wording(m)], m)
	}
	for _, m := range fresh.messages {
		switch old := known[wording(m)]; {
		case m.Mark != model.Summary && len(old) > 0 && reflect.DeepEqual(old[0].Parts, m.Parts):
			known[wording(m)], m = old[1:], old[0]
		case isSummary(m, summary):
			m.Mark = model.Summary
			put = append(put, m)
		default:
			m.Mark = model.Meta
			put = append(put, m)
		}
		context = append(context, m)
	}
	return context, put
}

// wording is what a message says first, and who says it.
func wording(m *model.Message) string {
	if len(m.Parts) == 0 {
		return m.Wrote
	}
	return m.Wrote + ":" + m.Parts[0].Text
}

// isSummary reports whether a message of a replacement is its summary.
func isSummary(m *model.Message, summary string) bool {
	if m.Mark == model.Summary {
		return true
	}
	if m.Role != model.User || len(m.Parts) != 1 || m.Parts[0].Kind != model.Text {
		return false
	}
	said := m.Parts[0].Text
	return summary != "" && strings.HasSuffix(said, summary) ||
		strings.HasPrefix(said, "Another language model started to solve this problem and produced a summary")
}

// rebuild makes the context Codex resumes with from a bare summary. Of what the
// user said the newest is kept, up to keptTokens.
func (d *codex) rebuild(summary string) (context, put []*model.Message) {
	started, left := false, keptTokens
	var said []*model.Message
	for _, m := range d.context {
		if isSaid(m) {
			said = append(said, m)
		}
		if started = started || isSaid(m); !started {
			context = append(context, m)
		}
	}
	from := len(said)
	for ; from > 0; from-- {
		for i := range said[from-1].Parts {
			left -= (len(said[from-1].Parts[i].Text) + 3) / 4
		}
		if left < 0 {
			break
		}
	}
	if summary == "" {
		summary = "(no summary available)"
	}
	m := &model.Message{
		Role: model.User, Mark: model.Summary, Wrote: "user", Time: moment(d.rec.JSON.Get("timestamp")),
		Parts: []model.Part{{Kind: model.Text, Text: summary}},
		Spans: []model.Span{d.rec.Span("compacted")},
	}
	return append(append(context, said[from:]...), m), []*model.Message{m}
}

// isSaid reports whether a message is what the user said.
func isSaid(m *model.Message) bool { return m.Wrote == "user" && m.Mark == model.Plain }

// rollback takes back the last turns: what the user said, and all that followed it.
func (d *codex) rollback(turns int) {
	cut := len(d.context)
	for i := cut - 1; i >= 0 && turns > 0; i-- {
		if m := d.context[i]; isSaid(m) {
			cut, turns = i, turns-1
		}
	}
	if cut == len(d.context) {
		return
	}
	first := d.context[cut]
	d.context = d.context[:cut:cut]
	for i, m := range d.history {
		if m == first {
			d.history = d.history[:i:i]
			break
		}
	}
	for i := range d.conv.Compactions {
		at := &d.conv.Compactions[i].History
		*at = min(*at, len(d.history))
	}
	d.answered = nil
	d.boundary(model.Compaction{Kind: "rollback"})
}
