package transcript

import (
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// encodeList writes a request whose messages are JSON values in a list: the
// object that held them with the new list in place of the old, or one made anew.
func encodeList(w io.Writer, c *model.Conversation, body string, bare bool, name string, list, fresh []string) error {
	switch {
	case body != "":
		// An answer that stood beside the request is in the list by now.
		without := []string{"choices", "candidates", "preferred_output", "non_preferred_output"}
		if gjson.Get(body, "response").IsObject() {
			without = append(without, "response")
		}
		var model []string
		if c.Model != "" && gjson.Get(body, "response.model").Exists() && !gjson.Get(body, "model").Exists() {
			model = append(model, `"model":`+quote(c.Model))
		}
		body = members(replaced(body, name, jsonList(list)), without, model...)
	case bare:
		body = jsonList(list)
	default:
		body = "{" + strings.Join(append(fresh, quote(name)+":"+jsonList(list)), ",\n") + "}"
	}
	_, err := io.WriteString(w, body+"\n")
	return err
}

// chatBody is the object of a record that holds a list of messages.
func chatBody(r gjson.Result) gjson.Result {
	if list, body, _ := messageList(r); list.IsArray() {
		return body
	}
	return gjson.Result{}
}

// dataURL is bytes as a URL.
func dataURL(m *model.Media) string {
	if m == nil {
		return ""
	}
	if m.Encoding == "url" {
		return m.Data
	}
	return "data:" + m.Type + ";base64," + m.Data
}

// arguments is a tool call's input as a JSON object, which most APIs insist on.
func arguments(p *model.Part) string {
	if v := gjson.Parse(p.Text); v.IsObject() && holdsJSON(p.Text) {
		return p.Text
	}
	if p.Text == "" || p.Text == `""` {
		return "{}"
	}
	if !holdsJSON(p.Text) {
		return `{"input":` + quote(p.Text) + "}"
	}
	return `{"input":` + p.Text + "}"
}
