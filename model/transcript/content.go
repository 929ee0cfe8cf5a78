package transcript

import (
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// blockReader appends what one block of a content list says, and reports whether it
// knows that sort of block.
type blockReader func(parts []model.Part, b gjson.Result) ([]model.Part, bool)

// content reads a message's content: nothing, one string, one block, or a list
// of them. Blocks that no decoder knows are left out and named to odd.
func content(c gjson.Result, known blockReader, odd func(kind string)) []model.Part {
	var parts []model.Part
	one := func(b gjson.Result) {
		if b.Type == gjson.String {
			parts = append(parts, model.Part{Kind: model.Text, Text: str(b)})
			return
		}
		var ok bool
		if parts, ok = known(parts, b); !ok {
			odd(str(b.Get("type")))
		}
	}
	switch {
	case c.Type == gjson.String && c.Str == "":
	case c.IsArray():
		c.ForEach(func(_, b gjson.Result) bool { one(b); return true })
	case c.Type != gjson.Null:
		one(c)
	}
	return parts
}

// toolCall is a call of a tool as a part.
func toolCall(id, name string, arguments gjson.Result) model.Part {
	return model.Part{Kind: model.ToolCall, ID: id, Name: name, Text: input(arguments)}
}

// leftOut warns about something in a record that no decoder knows.
func leftOut(doc *Document, line int, kind string) {
	if kind == "" {
		doc.Warn(line, 0, "left out a part that does not say its type")
		return
	}
	doc.Warn(line, 0, "left out %q, which no reader knows", kind)
}

// result is a tool's output as a part: the string it is, the list of text,
// images and documents it is, or its JSON when it is neither.
func result(id, name string, output gjson.Result, known blockReader) model.Part {
	part := model.Part{Kind: model.ToolResult, ID: id, Name: name}
	switch {
	case output.Type == gjson.String:
		part.Text = str(output)
	case output.IsArray():
		part.List = []model.Part{}
		output.ForEach(func(_, b gjson.Result) bool {
			part.List = append(part.List, outputBlock(b, known)...)
			return true
		})
	case output.IsObject():
		if list := outputBlock(output, known); len(list) == 1 && list[0].Kind == model.Text {
			part.Text = list[0].Text
		} else {
			part.List = list
		}
	case output.Type != gjson.Null:
		part.Text = str(output)
	}
	return part
}

// outputBlock reads one block of a tool's output. What is no text, image or
// document is still seen by the model, so it counts as its JSON.
func outputBlock(b gjson.Result, known blockReader) []model.Part {
	if b.Type == gjson.String {
		return []model.Part{{Kind: model.Text, Text: str(b)}}
	}
	list, ok := known(nil, b)
	for i := range list {
		switch list[i].Kind {
		case model.Text, model.Image, model.Document:
		default:
			ok = false
		}
	}
	if ok && len(list) > 0 {
		return list
	}
	return []model.Part{{Kind: model.Text, Text: compact(b)}}
}

// media describes bytes given as a data URL, a URL, or bare base64 of the type given.
func media(kind, data string) *model.Media {
	if rest, ok := strings.CutPrefix(data, "data:"); ok {
		if head, body, ok := strings.Cut(rest, ","); ok {
			if mime, ok := strings.CutSuffix(head, ";base64"); ok {
				return &model.Media{Type: mime, Encoding: "base64", Data: body}
			}
		}
		return &model.Media{Type: kind, Encoding: "url", Data: data}
	}
	if strings.Contains(data, "://") {
		return &model.Media{Type: kind, Encoding: "url", Data: data}
	}
	return &model.Media{Type: kind, Encoding: "base64", Data: data}
}

// picture is an image part, or a document when its media type says it is none.
func picture(kind, data string) model.Part {
	m := media(kind, data)
	if m.Type != "" && !strings.HasPrefix(m.Type, "image/") {
		return model.Part{Kind: model.Document, Media: m}
	}
	return model.Part{Kind: model.Image, Media: m}
}

// sealed is a part only the provider can read.
func sealed(v gjson.Result) model.Part {
	return model.Part{Kind: model.Opaque, Media: &model.Media{Encoding: "base64", Data: str(v)}}
}

// first is the first of several members that is there and not null.
func first(v gjson.Result, names ...string) gjson.Result {
	for _, name := range names {
		if m := v.Get(name); m.Exists() && m.Type != gjson.Null {
			return m
		}
	}
	return gjson.Result{}
}
