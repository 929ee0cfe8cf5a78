package transcript

import (
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// encodeLangChain writes a list of LangChain messages: in a state the list it
// held, else a list of its own. What is made from the model is flat, as
// model_dump writes it.
func encodeLangChain(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error {
	path := ""
	body, _, err := from.body(func(r gjson.Result) gjson.Result {
		var list gjson.Result
		if list, path = langchainList(r); !list.Exists() || path == "" {
			return gjson.Result{}
		}
		if i := strings.LastIndexByte(path, '.'); i >= 0 {
			return r.Get(path[:i])
		}
		return r
	})
	if err != nil {
		return err
	}
	var list []string
	if from == nil && c.System != "" {
		list = append(list, `{"type":"system","content":`+quote(c.System)+"}")
	}
	for _, m := range messages {
		was, same := from.before(m)
		if was == nil {
			list = append(list, langchainJSON(m)...)
			continue
		}
		text := from.text[m.Spans[0]]
		if !same {
			text = langchainEdit(text, was, m)
		}
		if from.outdated(m) {
			_, fields, _ := langchainMessage(gjson.Parse(text))
			text = strings.Replace(text, fields.Raw, uncounted(fields.Raw, "usage_metadata", "input_tokens", "total_tokens"), 1)
		}
		list = append(list, text)
	}
	if from == nil || body == "" {
		_, err = io.WriteString(w, jsonList(list)+"\n")
		return err
	}
	return encodeList(w, c, body, false, "messages", list, nil)
}

// langchainEdit is a message of the file without the calls a pass took from it,
// wherever they stand, or with the result it changed.
func langchainEdit(text string, was, now *model.Message) string {
	_, fields, _ := langchainMessage(gjson.Parse(text))
	edited := fields.Raw
	if now.HasResult() {
		edited = put(edited, "content", openaiOutput(&now.Parts[0]))
	} else {
		at := kept(was.Parts, now.Parts)
		gone := map[string]bool{}
		for i, p := range was.Parts {
			if p.Kind == model.ToolCall && at[i] < 0 {
				gone[p.ID] = true
			}
		}
		without := func(list gjson.Result) string {
			var left []string
			list.ForEach(func(_, v gjson.Result) bool {
				if !gone[v.Get("id").Str] {
					left = append(left, v.Raw)
				}
				return true
			})
			return "[" + strings.Join(left, ",") + "]"
		}
		for _, name := range []string{"tool_calls", "invalid_tool_calls", "content"} {
			if list := fields.Get(name); list.IsArray() {
				edited = replaced(edited, name, without(list))
			}
		}
		if calls := fields.Get("additional_kwargs.tool_calls"); calls.IsArray() {
			edited = replaced(edited, "additional_kwargs", replaced(fields.Get("additional_kwargs").Raw, "tool_calls", without(calls)))
		}
	}
	return strings.Replace(text, fields.Raw, edited, 1)
}

// langchainJSON writes a message made from the model. Results are messages of
// their own there.
func langchainJSON(m *model.Message) []string {
	var list, calls []string
	for _, made := range openaiJSON(m) {
		v := gjson.Parse(made)
		kind := map[string]string{"user": "human", "assistant": "ai"}[v.Get("role").Str]
		if kind == "" {
			kind = v.Get("role").Str
		}
		if kind == "developer" {
			kind = "system"
		}
		said := v.Get("content").Raw
		if said == "null" {
			said = `""`
		}
		fields := []string{`"type":` + quote(kind), `"content":` + said}
		if id := v.Get("tool_call_id"); id.Exists() {
			fields = append(fields, `"tool_call_id":`+id.Raw)
		}
		if thought := v.Get("reasoning_content"); thought.Exists() {
			fields = append(fields, `"additional_kwargs":{"reasoning_content":`+thought.Raw+"}")
		}
		calls = nil
		if kind == "ai" {
			for i := range m.Parts {
				if p := &m.Parts[i]; p.Kind == model.ToolCall {
					calls = append(calls, `{"id":`+quote(p.ID)+`,"name":`+quote(p.Name)+`,"args":`+arguments(p)+`,"type":"tool_call"}`)
				}
			}
		}
		if len(calls) > 0 {
			fields = append(fields, `"tool_calls":[`+strings.Join(calls, ",")+"]")
		}
		list = append(list, "{"+strings.Join(fields, ",")+"}")
	}
	return list
}
