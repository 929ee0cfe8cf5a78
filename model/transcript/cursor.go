package transcript

import (
	"github.com/tidwall/gjson"

	"cinch/model"
)

// isCursor knows Cursor's agent transcripts: a role and a message, and nothing else.
func isCursor(head []gjson.Result, _ bool) bool {
	r := head[0]
	return r.Get("role").Exists() && r.Get("message.content").IsArray() && !r.Get("type").Exists() && !r.Get("uuid").Exists()
}

// decodeCursor reads Cursor's database, or a transcript. That keeps calls but no
// results and no ids, so the calls stay unanswered.
func decodeCursor(doc *Document) ([]*model.Conversation, error) {
	if isDB(doc.Path) {
		return decodeDB(doc, readCursorDB)
	}
	d := chat{doc: doc, dialect: dialect{begin: openaiBegin, message: openaiMessage}}
	d.start(gjson.Result{})
	err := doc.Each(func(rec Record) error {
		r := rec.JSON
		m := gjson.Parse(`{"role":` + r.Get("role").Raw + `,"content":` + r.Get("message.content").Raw + `}`)
		d.add(m, rec.Span(""))
		return nil
	})
	return d.convs, err
}
