package ladder

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"cinch/model"
	"cinch/model/token"
)

// Shapes: S system, U user text, A assistant, A(a,b=Read) with calls a and b of
// the tools Run and Read, R(a) the result of a in its own message, UR(a,b)+t one
// message with two results and text, all optionally :N for a size of N tokens.
// R(a):cleared is a result that is recorded as cleared, R(a):image one picture.
var shapeWord = regexp.MustCompile(`^(S|U|A|R|UR|T\+R)(?:\(([^)]*)\))?(\+t)?(?::(\w+))?$`)

// shape reads messages; N tokens are drover's, exactly.
func shape(text string) ([]*model.Message, error) {
	var out []*model.Message
	for word := range strings.FieldsSeq(text) {
		m := shapeWord.FindStringSubmatch(word)
		if m == nil {
			return nil, fmt.Errorf("cannot read %q", word)
		}
		msg, err := shapeMessage(m[1], m[2], m[3] != "", m[4])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", word, err)
		}
		out = append(out, msg)
	}
	return out, nil
}

func shapeMessage(kind, ids string, text bool, size string) (*model.Message, error) {
	msg := &model.Message{}
	names := strings.Split(ids, ",")
	if ids == "" {
		names = nil
	}
	note := model.Part{Kind: model.Text, Text: "note"}
	switch kind {
	case "S":
		msg.Role = model.System
	case "A":
		msg.Role = model.Assistant
	case "T+R":
		msg.Parts = append(msg.Parts, note)
	}
	for _, id := range names {
		id, tool, ok := strings.Cut(id, "=")
		if !ok {
			tool = "Run"
		}
		if kind == "A" {
			msg.Parts = append(msg.Parts, model.Part{Kind: model.ToolCall, ID: id, Name: tool, Text: "{}"})
		} else {
			msg.Parts = append(msg.Parts, model.Part{Kind: model.ToolResult, ID: id})
		}
	}
	if text {
		msg.Parts = append(msg.Parts, note)
	}
	if kind == "S" || kind == "U" || kind == "A" && len(names) == 0 {
		msg.Parts = append(msg.Parts, model.Part{Kind: model.Text})
	}
	return msg, shapeSize(msg, size)
}

// shapeSize fills the last part until the message is as large as its word says.
func shapeSize(msg *model.Message, size string) error {
	last := &msg.Parts[len(msg.Parts)-1]
	switch size {
	case "":
		if last.Kind != model.ToolCall && last.Text == "" {
			last.Text = "x"
		}
		return nil
	case "cleared":
		last.Text = Marker
		return nil
	case "image":
		last.List = []model.Part{{Kind: model.Image}}
		return nil
	}
	n, err := strconv.Atoi(size)
	if err != nil {
		return err
	}
	if last.Kind == model.ToolCall {
		msg.Parts = append(msg.Parts, model.Part{Kind: model.Text})
		last = &msg.Parts[len(msg.Parts)-1]
	}
	fill := 4*n - int(token.Weigh(token.Drover, msg))
	if last.Kind == model.ToolResult && last.Name == "" {
		fill -= len("Run") // the name its call will give it
	}
	if fill < 0 {
		return fmt.Errorf("%d tokens are too few", n)
	}
	last.Text += strings.Repeat("x", fill)
	return nil
}
