package transcript

import (
	"errors"
	"fmt"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isLangGraph knows the database in which LangGraph keeps checkpoints of a
// graph's state.
var isLangGraph = hasTables([]string{"checkpoints"}, "thread_id", "checkpoint_ns", "checkpoint_id", "checkpoint")

// decodeLangGraph reads the newest state of each thread.
func decodeLangGraph(doc *Document) ([]*model.Conversation, error) {
	return decodeDB(doc, readLangGraph)
}

// readLangGraph reads the threads, the one that went on last coming last. What a
// graph inside another keeps is a conversation below its thread's.
func readLangGraph(db *store) ([]*model.Conversation, error) {
	rows, err := db.query(`select thread_id, checkpoint_ns, checkpoint_id, checkpoint from checkpoints c where checkpoint_id =
		(select max(checkpoint_id) from checkpoints where thread_id = c.thread_id and checkpoint_ns = c.checkpoint_ns)
		order by checkpoint_ns != '', checkpoint_id`)
	if err != nil {
		return nil, err
	}
	var all []*model.Conversation
	for _, r := range rows {
		name := r.text("thread_id")
		text := r.text("checkpoint")
		if !holdsJSON(text) {
			stored := len(text)
			text, err = unpackJSON([]byte(text), db.doc.src.limits.Record)
			if errors.Is(err, errPackedLarge) {
				return nil, db.doc.src.largeRecord(0)
			}
			if err != nil {
				db.doc.Warn(0, 0, "left out thread %s: %v", name, err)
				continue
			}
			if err := db.take(len(text) - stored); err != nil {
				return nil, err
			}
		}
		d := &langchain{chat{doc: db.doc, dialect: dialect{begin: openaiBegin, message: openaiMessage}}}
		d.start(gjson.Result{})
		d.conv.ID = name
		if inner := r.text("checkpoint_ns"); inner != "" {
			d.conv.ID, d.conv.Parent = name+" "+inner, name
		}
		gjson.Get(text, "channel_values").ForEach(func(channel, list gjson.Result) bool {
			if _, _, ok := langchainMessage(list.Get("0")); !ok || !list.IsArray() {
				return true
			}
			n := 0
			list.ForEach(func(_, m gjson.Result) bool {
				d.message(m, model.Span{Record: fmt.Sprintf("checkpoint %s %s[%d]", r.text("checkpoint_id"), str(channel), n)})
				n++
				return true
			})
			return false // other lists of messages are drafts
		})
		if len(d.conv.Messages) > 0 {
			all = append(all, d.conv)
		}
	}
	return adopt(all, nil), nil
}
