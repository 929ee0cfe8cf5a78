package transcript

import (
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isMiniSWEAgent knows a trajectory by the format it states. The oldest are
// bare lists of messages, which are Chat Completions.
func isMiniSWEAgent(head []gjson.Result, _ bool) bool {
	return strings.HasPrefix(head[0].Get("trajectory_format").Str, "mini-swe-agent") && head[0].Get("messages").IsArray()
}

// decodeMiniSWEAgent reads a trajectory's messages.
func decodeMiniSWEAgent(doc *Document) ([]*model.Conversation, error) {
	d := chat{doc: doc, dialect: dialect{
		begin: func(c *model.Conversation, body gjson.Result) {
			c.Model = str(body.Get("info.config.model.model_name"))
			c.Dir = str(body.Get("info.config.environment.cwd"))
		},
		message: miniMessage,
		quiet:   "exit",
		answer:  func(gjson.Result) (gjson.Result, *model.Usage) { return gjson.Result{}, nil },
	}}
	return d.decode()
}

// miniMessage reads a chat message with the response it came from beside it.
func miniMessage(d *chat, m gjson.Result) *model.Message {
	got := openaiMessage(d, m)
	if m.Get("role").Str == "assistant" {
		got.Usage = openaiUsage(m.Get("extra.response.usage"))
	}
	return got
}
