package transcript

import (
	"fmt"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isSWEAgent knows a trajectory by its history, beside or instead of the steps.
func isSWEAgent(head []gjson.Result, _ bool) bool {
	h := head[0].Get("history")
	return h.IsArray() && h.Get("0.role").Exists() &&
		(head[0].Get("trajectory").IsArray() || h.Get("0.agent").Exists() || h.Get("0.message_type").Exists())
}

// decodeSWEAgent reads the history of a trajectory; its steps only repeat it.
// Several agents may share one history: each is a conversation.
func decodeSWEAgent(doc *Document) ([]*model.Conversation, error) {
	d := chat{doc: doc, dialect: dialect{begin: openaiBegin, message: sweMessage}}
	err := doc.Each(func(rec Record) error {
		r, here := rec.JSON, in(rec)
		byAgent := map[string]*model.Conversation{}
		n := 0
		r.Get("history").ForEach(func(_, m gjson.Result) bool {
			agent := str(m.Get("agent"))
			if d.conv = byAgent[agent]; d.conv == nil {
				d.start(gjson.Result{})
				d.conv.Title, byAgent[agent] = agent, d.conv
				config := r.Get("replay_config")
				if holdsJSON(config.Str) { // newer ones write it as a string
					config = gjson.Parse(config.Str)
				}
				d.conv.Model = str(config.Get("agent.model.name"))
			}
			d.add(m, here.span(m, fmt.Sprintf("history[%d]", n)))
			n++
			return true
		})
		return nil
	})
	return d.convs, err
}

// sweMessage reads a chat message whose results name their calls in a list.
func sweMessage(d *chat, m gjson.Result) *model.Message {
	ids := m.Get("tool_call_ids")
	if m.Get("role").Str != "tool" || !ids.IsArray() {
		return openaiMessage(d, m)
	}
	got := &model.Message{}
	ids.ForEach(func(n, id gjson.Result) bool {
		output := m.Get("content")
		if n.Num > 0 {
			output = gjson.Result{} // one observation for all of them
		}
		got.Parts = append(got.Parts, result(d.calls.result(str(id), ""), "", output, toolOutputBlock))
		return true
	})
	return got
}
