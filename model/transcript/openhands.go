package transcript

import (
	"slices"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isOpenHands knows events of either generation, alone, in a list, or as the
// history of an evaluated task.
func isOpenHands(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		if isOpenHandsEvent(r) || openhandsHistory(r).Exists() {
			return true
		}
	}
	return false
}

// isOpenHandsEvent knows one event.
func isOpenHandsEvent(e gjson.Result) bool {
	if !e.Get("source").Exists() || !e.Get("id").Exists() {
		return false
	}
	if e.Get("action").Type == gjson.String && e.Get("args").IsObject() || e.Get("observation").Type == gjson.String && e.Get("extras").Exists() {
		return true
	}
	switch e.Get("kind").Str {
	case "ActionEvent", "ObservationEvent", "MessageEvent", "SystemPromptEvent", "AgentErrorEvent", "ConversationStateUpdateEvent", "Condensation":
		return true
	}
	return false
}

// openhandsHistory is the list of events in a record. Old ones are pairs of an
// action and what it observed.
func openhandsHistory(r gjson.Result) gjson.Result {
	list := r
	if r.IsObject() {
		list = r.Get("history")
	}
	if list.IsArray() && (isOpenHandsEvent(list.Get("0")) || isOpenHandsEvent(list.Get("0.0"))) {
		return list
	}
	return gjson.Result{}
}

// openhands reads one conversation's events.
type openhands struct {
	doc       *Document
	conv      *model.Conversation
	answers   map[string]*model.Message // by the id of the response they came from
	heard     map[string]*model.Message // by the id of the event
	calls     pending
	callOf    map[string]string // the id made up for a call, by the id of the event that made it
	forgotten map[string]bool
	inserts   []openhandsInsert
	history   []*model.Message
	line      int
	span      model.Span
}

// openhandsInsert is a summary and where in the context it goes.
type openhandsInsert struct {
	at      int
	message *model.Message
}

// decodeOpenHands reads all conversations.
func decodeOpenHands(doc *Document) ([]*model.Conversation, error) {
	var all []*openhands
	start := func(r gjson.Result) *openhands {
		d := &openhands{
			doc: doc, conv: &model.Conversation{ID: str(r.Get("instance_id")), Model: str(r.Get("metadata.llm_config.model"))},
			answers: map[string]*model.Message{}, heard: map[string]*model.Message{}, forgotten: map[string]bool{}, callOf: map[string]string{},
		}
		all = append(all, d)
		return d
	}
	var lines *openhands
	err := doc.Each(func(rec Record) error {
		list := openhandsHistory(rec.JSON)
		if !list.Exists() {
			if lines == nil {
				lines = start(gjson.Result{})
			}
			lines.event(rec.JSON, rec.Span(str(rec.JSON.Get("id"))))
			return nil
		}
		d, here := start(rec.JSON), in(rec)
		list.ForEach(func(_, e gjson.Result) bool {
			if !e.IsArray() {
				e = gjson.Result{Type: gjson.JSON, Raw: "[" + e.Raw + "]", Index: e.Index - 1}
			}
			e.ForEach(func(_, one gjson.Result) bool {
				d.event(one, here.span(one, one.Get("id").String()))
				return true
			})
			return true
		})
		return nil
	})
	var convs []*model.Conversation
	for _, d := range all {
		d.finish()
		convs = append(convs, d.conv)
	}
	return convs, err
}

// event reads one event of either generation.
func (d *openhands) event(e gjson.Result, span model.Span) {
	d.span, d.line = span, span.Line
	switch {
	case e.Get("kind").Exists():
		d.current(e)
	case e.Get("action").Exists():
		d.action(e)
	case e.Get("observation").Exists():
		d.observation(e)
	}
}

func (d *openhands) odd(kind string) {
	leftOut(d.doc, d.line, kind)
}

// say adds a message that an event brought.
func (d *openhands) say(e gjson.Result, role model.Role, wrote string, parts ...model.Part) *model.Message {
	m := &model.Message{
		Role: role, Wrote: wrote, ID: e.Get("id").String(), Time: moment(e.Get("timestamp")), Parts: parts, Spans: []model.Span{d.span},
	}
	d.heard[m.ID] = m
	d.conv.Messages = append(d.conv.Messages, m)
	d.history = append(d.history, m)
	return m
}

// answer adds a call to the message of the response it came from: a response
// with several calls is several events.
func (d *openhands) answer(e gjson.Result, response string, before []model.Part, call model.Part) *model.Message {
	m := d.answers[response]
	if m == nil || response == "" {
		m = d.say(e, model.Assistant, "agent", append(before, call)...)
		d.answers[response] = m
		return m
	}
	d.heard[e.Get("id").String()] = m
	call.Span = uint16(min(len(m.Spans), 1<<16-1))
	m.Spans = append(m.Spans, d.span)
	m.Parts = append(m.Parts, call)
	return m
}

// condense notes a condensation: what it forgot, and the summary in its place.
func (d *openhands) condense(e, c gjson.Result) {
	forget := func(id string) { d.forgotten[id] = true }
	c.Get("forgotten_event_ids").ForEach(func(_, id gjson.Result) bool { forget(id.String()); return true })
	if from, to := c.Get("forgotten_events_start_id"), c.Get("forgotten_events_end_id"); from.Exists() && to.Exists() {
		for id, m := range d.heard {
			if n := gjson.Parse(id); n.Type == gjson.Number && n.Num >= from.Num && n.Num <= to.Num && m != nil {
				forget(id)
			}
		}
	}
	summary := c.Get("summary")
	k := model.Compaction{
		Kind: "condensation", Log: len(d.conv.Messages), History: len(d.history), Line: d.line,
		Summary: str(summary), Time: moment(e.Get("timestamp")),
	}
	d.conv.Compactions = append(d.conv.Compactions, k)
	m := &model.Message{Wrote: "condensation", ID: e.Get("id").String(), Time: k.Time, Spans: []model.Span{d.span}, Mark: model.Boundary, Role: model.System}
	d.conv.Messages = append(d.conv.Messages, m)
	if summary.Str == "" {
		return
	}
	m.Mark, m.Role = model.Summary, model.User
	m.Parts = []model.Part{{Kind: model.Text, Text: k.Summary}}
	d.heard[m.ID] = m
	d.inserts = append(d.inserts, openhandsInsert{int(c.Get("summary_offset").Int()), m})
}

// finish puts the messages into the views: what was forgotten is gone from the
// context, and the newest summary that was not forgotten itself is put in.
func (d *openhands) finish() {
	if len(d.conv.Compactions) == 0 {
		return
	}
	gone := map[*model.Message]bool{}
	for id := range d.forgotten {
		if m := d.heard[id]; m != nil {
			gone[m] = true
		}
	}
	context := []*model.Message{}
	for _, m := range d.history {
		if !gone[m] {
			context = append(context, m)
		}
	}
	for i := len(d.inserts) - 1; i >= 0; i-- {
		if one := d.inserts[i]; !gone[one.message] {
			context = slices.Insert(context, max(0, min(one.at, len(context))), one.message)
			break
		}
	}
	d.conv.SetViews(d.history, context)
}
