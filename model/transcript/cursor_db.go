package transcript

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isCursorDB knows the database in which Cursor keeps its chats: one table of
// keys and values.
var isCursorDB = hasTables([]string{"cursorDiskKV"}, "key", "value")

// sniffCursor knows the database.
func sniffCursor(path string, head []byte) bool { return isCursorDB(path, head) }

// readCursorDB reads all chats of Cursor's database, oldest first. A chat is the
// value of a composerData: key, and each of its bubbles that of a bubbleId: key,
// unless the chat holds them itself.
func readCursorDB(db *store) ([]*model.Conversation, error) {
	chats, err := cursorValues(db, "composerData:")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(chats, func(a, b gjson.Result) int {
		return moment(a.Get("createdAt")).Compare(moment(b.Get("createdAt")))
	})
	var all []*model.Conversation
	for _, chat := range chats {
		bubbles := chat.Get("conversation").Array()
		if headers := chat.Get("fullConversationHeadersOnly").Array(); len(headers) > 0 {
			stored, err := cursorValues(db, "bubbleId:"+chat.Get("composerId").Str+":")
			if err != nil {
				return nil, err
			}
			byID, named := map[string]gjson.Result{}, map[string]bool{}
			for _, b := range stored {
				byID[b.Get("bubbleId").Str] = b
			}
			bubbles = nil
			for _, h := range headers {
				id := h.Get("bubbleId").Str
				switch b, ok := byID[id]; {
				case !ok:
					db.doc.Warn(0, 0, "left out a message that the database no longer holds")
				case named[id]:
					db.doc.Warn(0, 0, "left out a message that its chat names again")
				default:
					named[id] = true
					bubbles = append(bubbles, b)
				}
			}
		}
		if c := cursorChat(chat, bubbles); len(c.Messages) > 0 { // each new window begins one
			all = append(all, c)
		}
	}
	return adopt(all, nil), nil
}

// cursorValues are those of the keys that begin with a prefix.
func cursorValues(db *store, prefix string) ([]gjson.Result, error) {
	rows, err := db.query("select value from cursorDiskKV where key >= ? and key < ?", prefix, prefix[:len(prefix)-1]+";")
	if err != nil {
		return nil, err
	}
	var all []gjson.Result
	for _, r := range rows {
		switch text := r.text("value"); {
		case text == "": // deleted
		case !holdsJSON(text):
			db.doc.Warn(0, 0, "left out %s: it is not valid JSON", strings.TrimSuffix(prefix, ":"))
		default:
			all = append(all, gjson.Parse(text))
		}
	}
	return all, nil
}

// cursorChat reads one chat. What the model said in one go is told by the call of
// the model that the tools name; where they do not, each tool is a call of its own.
func cursorChat(chat gjson.Result, bubbles []gjson.Result) *model.Conversation {
	c := &model.Conversation{
		ID: str(chat.Get("composerId")), Title: str(chat.Get("name")), Model: str(chat.Get("modelConfig.modelName")),
		Parent: str(first(chat, "subagentInfo.parentComposerId", "parentComposerId")),
		CallID: str(first(chat, "subagentInfo.toolCallId", "parentToolCallId")), Window: chat.Get("contextTokenLimit").Int(),
	}
	if c.Model == "default" {
		c.Model = "" // whatever Cursor chose
	}
	var calls pending
	var answer, results *model.Message
	of := "" // the call of the model that the open answer is of
	summarised := chat.Get("latestConversationSummary.summary")
	last := first(summarised, "truncationLastBubbleIdInclusive").Str
	cut := 0 // messages that a summary has taken the place of
	for _, b := range bubbles {
		message := func(role model.Role, wrote string, parts ...model.Part) *model.Message {
			m := &model.Message{
				Role: role, Wrote: wrote, ID: str(b.Get("bubbleId")), Time: moment(b.Get("createdAt")), Parts: parts,
				Spans: []model.Span{{Record: "bubble " + str(b.Get("bubbleId"))}},
			}
			c.Messages = append(c.Messages, m)
			return m
		}
		say := func(parts ...model.Part) {
			if answer == nil || results != nil {
				answer, results, of = message(model.Assistant, "ai"), nil, ""
				answer.Model = str(b.Get("modelInfo.modelName"))
			}
			answer.Parts = append(answer.Parts, parts...)
			if u := b.Get("tokenCount"); u.Get("inputTokens").Int() > 0 {
				answer.Usage = &model.Usage{Input: u.Get("inputTokens").Int(), Output: u.Get("outputTokens").Int()}
			}
		}
		text := b.Get("text")
		if b.Get("type").Int() == 1 {
			m := message(model.User, "user", model.Part{Kind: model.Text, Text: str(text)})
			b.Get("images").ForEach(func(_, img gjson.Result) bool {
				if data := first(img, "data", "url"); data.Str != "" {
					m.Parts = append(m.Parts, picture(str(img.Get("mimeType")), str(data)))
				}
				return true
			})
			answer, results = nil, nil
		} else {
			if t := b.Get("thinking.text"); t.Str != "" {
				say(model.Part{Kind: model.Thinking, Text: str(t)})
			}
			if s := b.Get("thinking.signature"); s.Str != "" {
				say(sealed(s))
			}
			if text.Str != "" {
				say(model.Part{Kind: model.Text, Text: str(text)})
			}
			if tool := b.Get("toolFormerData"); tool.Get("name").Str != "" {
				same := str(tool.Get("modelCallId"))
				if results != nil && (same == "" || same != of) {
					answer = nil
				}
				if answer == nil {
					results = nil
				}
				name := str(tool.Get("name"))
				id := calls.call(str(tool.Get("toolCallId")), name)
				call := toolCall(id, name, first(tool, "rawArgs", "params"))
				if results != nil { // another call of the same answer
					answer.Parts = append(answer.Parts, call)
				} else {
					say(call)
				}
				of = same
				if got, ok := cursorResult(tool); ok {
					if results == nil {
						results = message(model.User, "tool")
					}
					got.ID, got.Name = calls.result(id, name), name
					results.Parts = append(results.Parts, got)
				}
			}
		}
		if last != "" && b.Get("bubbleId").Str == last {
			cut = len(c.Messages)
		}
	}
	if text := str(summarised.Get("summary")); text != "" && cut > 0 {
		cursorSummary(c, text, cut)
	}
	return c
}

// cursorResult reads what a tool gave back; false while it runs.
func cursorResult(tool gjson.Result) (model.Part, bool) {
	status := tool.Get("status").Str
	part := model.Part{Kind: model.ToolResult, IsError: status == "error"}
	if got := first(tool, "result", "error"); got.Exists() && got.Raw != `""` {
		part.Text = str(got)
		return part, true
	}
	return part, status == "completed" || status == "error" || status == "cancelled"
}

// cursorSummary puts a summary in the place of the messages before cut.
func cursorSummary(c *model.Conversation, text string, cut int) {
	m := &model.Message{Role: model.User, Mark: model.Summary, Wrote: "summary", Parts: []model.Part{{Kind: model.Text, Text: text}}, Spans: []model.Span{{Record: "summary"}}}
	history := slices.Clone(c.Messages)
	c.Compactions = []model.Compaction{{Kind: "summary", Trigger: "auto", Log: cut, History: cut, Summary: text}}
	c.Messages = slices.Insert(c.Messages, cut, m)
	c.SetViews(history, append([]*model.Message{m}, history[cut:]...))
}
