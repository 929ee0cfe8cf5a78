package transcript

import (
	"encoding/json"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isOpencodeDB knows opencode's database.
var isOpencodeDB = hasTables([]string{"message", "session", "part"}, "data", "session_id")

// readOpencodeDB reads all sessions of opencode's database, oldest first.
// Messages and parts are the JSON that the storage tree held, without their ids.
func readOpencodeDB(db *store) ([]*model.Conversation, error) {
	sessions, err := db.query("select * from session order by time_created, id")
	if err != nil {
		return nil, err
	}
	var all []*model.Conversation
	started := map[string]string{}
	for _, s := range sessions {
		info, _ := json.Marshal(map[string]any{
			"id": s.text("id"), "title": s.text("title"), "directory": s.text("directory"), "parentID": s.text("parent_id"),
			"revert": raw(s.text("revert")),
		})
		rows, err := db.query("select id, data from message where session_id = ? order by time_created, id", s.text("id"))
		if err != nil {
			return nil, err
		}
		var messages []opencodeMessage
		for _, m := range rows {
			one := opencodeMessage{info: withID(m), span: model.Span{Record: "message " + m.text("id")}}
			parts, err := db.query("select id, data from part where message_id = ? order by id", m.text("id"))
			if err != nil {
				return nil, err
			}
			for _, p := range parts {
				one.parts = append(one.parts, withID(p))
			}
			messages = append(messages, one)
		}
		if len(rows) == 0 {
			newer, _ := db.query("select 1 from session_message where session_id = ? limit 1", s.text("id")) // older stores have no such table
			if len(newer) > 0 {
				db.doc.Warn(0, 0, "session %s is kept in the table session_message, which is not read: export it with `opencode export`", s.text("id"))
			}
		}
		all = append(all, opencodeConversation(db.doc, gjson.ParseBytes(info), messages, started))
	}
	return adopt(all, started), nil
}

// withID is a row's JSON with the row's id in it.
func withID(r row) gjson.Result {
	data := gjson.Parse(r.text("data"))
	if data.Get("id").Exists() || !data.IsObject() {
		return data
	}
	id, _ := json.Marshal(r.text("id"))
	rest := data.Raw[1:]
	if len(data.Map()) > 0 {
		rest = "," + rest
	}
	return gjson.Parse(`{"id":` + string(id) + rest)
}

// raw is JSON text to be put into JSON as it stands; null when it is none.
func raw(s string) json.RawMessage {
	if !holdsJSON(s) {
		return json.RawMessage("null")
	}
	return json.RawMessage(s)
}
