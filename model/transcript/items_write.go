package transcript

import (
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// encodeResponses writes a request of the Responses API.
func encodeResponses(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error {
	name := "input"
	body, bare, err := from.body(func(r gjson.Result) gjson.Result {
		sent := sentInput(r)
		for _, path := range requestPaths {
			if sent.Exists() && r.Get(path+"input").Index == sent.Index {
				return at(r, path)
			}
		}
		name = "output"
		return responseObject(r)
	})
	if err != nil {
		return err
	}
	var list, fresh []string
	for _, m := range messages {
		for _, it := range itemsOf(from, m) {
			if it.text == "" || gjson.Parse(it.text).Type == gjson.String {
				list = append(list, it.made...) // an input that was one string
			} else {
				list = append(list, it.text)
			}
		}
	}
	if c.Model != "" {
		fresh = append(fresh, `"model":`+quote(c.Model))
	}
	if c.System != "" {
		fresh = append(fresh, `"instructions":`+quote(c.System))
	}
	if tools := toolsAs("openai-responses", c.Tools); tools != "" {
		fresh = append(fresh, `"tools":`+tools)
	}
	return encodeList(w, c, body, bare, name, list, fresh)
}

// keptItem is an item to be written: as it stood in the file, or made from the
// model where that is not possible.
type keptItem struct {
	span model.Span
	text string   // what stands in the file, changed where a pass changed it
	made []string // the same from the model
}

// itemsOf are the items of a message. One that a pass took is gone; a message
// item that lost one of several parts is made anew.
func itemsOf(from *original, m *model.Message) []keptItem {
	was, same := from.before(m)
	if was == nil {
		return []keptItem{{made: itemJSON(m.Role, m.Wrote, m.Parts)}}
	}
	at := kept(was.Parts, m.Parts)
	var out []keptItem
	for i, span := range was.Spans {
		it := keptItem{span: span, text: from.text[span]}
		had, gone, changed := 0, 0, false
		var left []model.Part
		for n, p := range was.Parts {
			if int(p.Span) != i {
				continue
			}
			had++
			if at[n] < 0 {
				gone++
				continue
			}
			now := m.Parts[at[n]]
			changed = changed || now.Output() != p.Output() || len(now.List) != len(p.List)
			left = append(left, now)
		}
		it.made = itemJSON(m.Role, m.Wrote, left)
		switch {
		case same || gone == 0 && !changed:
		case had > 0 && gone == had:
			continue
		case changed && len(left) == 1 && left[0].Kind == model.ToolResult:
			it.text = withOutput(it.text, itemOutput(&left[0]))
		default:
			it.text = ""
		}
		out = append(out, it)
	}
	return out
}

// withOutput is an output item, in an envelope or not, with another output; "" for
// one that keeps it elsewhere.
func withOutput(text, output string) string {
	payload := gjson.Get(text, "payload")
	switch {
	case payload.Get("output").Exists():
		return replaced(text, "payload", replaced(payload.Raw, "output", output))
	case gjson.Get(text, "output").Exists():
		return replaced(text, "output", output)
	}
	return ""
}

// itemJSON makes items from the model. Reasoning is left out: without what the
// provider sealed, it is of no use to it.
func itemJSON(role model.Role, wrote string, parts []model.Part) []string {
	var out, said []string
	text := "input_text"
	if role == model.Assistant {
		text = "output_text"
	}
	name := role.String()
	if wrote == "developer" {
		name = wrote
	}
	flush := func() {
		if len(said) > 0 {
			out = append(out, `{"type":"message","role":`+quote(name)+`,"content":[`+strings.Join(said, ",")+"]}")
		}
		said = nil
	}
	for i := range parts {
		switch p := &parts[i]; p.Kind {
		case model.Text, model.Document:
			said = append(said, `{"type":"`+text+`","text":`+quote(p.Text)+"}")
		case model.Image:
			said = append(said, `{"type":"input_image","image_url":`+quote(dataURL(p.Media))+"}")
		case model.ToolCall:
			flush()
			out = append(out, `{"type":"function_call","name":`+quote(p.Name)+`,"arguments":`+quote(openaiArguments(p))+`,"call_id":`+quote(p.ID)+"}")
		case model.ToolResult:
			flush()
			out = append(out, `{"type":"function_call_output","call_id":`+quote(p.ID)+`,"output":`+itemOutput(p)+"}")
		}
	}
	flush()
	return out
}

// itemOutput is a result's output.
func itemOutput(p *model.Part) string {
	if p.List == nil {
		return quote(p.Text)
	}
	var list []string
	for i := range p.List {
		if q := &p.List[i]; q.Kind == model.Image {
			list = append(list, `{"type":"input_image","image_url":`+quote(dataURL(q.Media))+"}")
		} else {
			list = append(list, `{"type":"input_text","text":`+quote(q.Text)+"}")
		}
	}
	return "[" + strings.Join(list, ",") + "]"
}
