package transcript

import (
	"github.com/tidwall/gjson"

	"cinch/model"
)

// isDroid knows Factory's droid by the first line of its sessions.
func isDroid(head []gjson.Result, _ bool) bool {
	return head[0].Get("type").Str == "session_start" && head[0].Get("id").Exists()
}

// decodeDroid reads a session: Anthropic messages in envelopes. What only the
// user was shown is left out.
func decodeDroid(doc *Document) ([]*model.Conversation, error) {
	d := chat{doc: doc, dialect: dialect{begin: anthropicBegin, message: anthropicMessage}}
	d.start(gjson.Result{})
	err := doc.Each(func(rec Record) error {
		r := rec.JSON
		switch r.Get("type").Str {
		case "session_start":
			d.conv.ID, d.conv.Dir = str(r.Get("id")), str(r.Get("cwd"))
			d.conv.Title = str(first(r, "title", "sessionTitle"))
		case "message":
			m := r.Get("message")
			if m.Get("visibility").Str == "user_only" {
				return nil
			}
			if got := d.add(m, rec.Span(str(r.Get("id")))); got != nil {
				got.ID, got.Time = str(r.Get("id")), moment(r.Get("timestamp"))
			}
		}
		return nil
	})
	return d.convs, err
}
