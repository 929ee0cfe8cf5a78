package interaction

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"cinch/model"
	"cinch/model/token"
)

var word = regexp.MustCompile(`^(S|U|A|R|UR)(?:\(([^)]*)\))?(\+t)?(?:~(\d+)(k?))?$`)

// Shape reads a conversation written as words: S a system message, U a user's
// text, A an assistant's text, A(a,b) calls a and b, R(a) the result of a in a
// message of its own, UR(a,b)+t one user message with two results and text. ? is
// an empty id. A word may end in ~N or ~Nk: the message then weighs exactly that
// many tokens by the counter, where its envelope leaves room for it.
func Shape(text string, c token.Counter) ([]*model.Message, error) {
	out := []*model.Message{}
	for w := range strings.FieldsSeq(text) {
		m := word.FindStringSubmatch(w)
		if m == nil {
			return nil, fmt.Errorf("cannot read the word %q", w)
		}
		message := &model.Message{Role: model.User}
		switch m[1] {
		case "S":
			message.Role = model.System
		case "A":
			message.Role = model.Assistant
		}
		var ids []string
		if m[2] != "" {
			ids = strings.Split(strings.ReplaceAll(m[2], "?", ""), ",")
		}
		for _, id := range ids {
			part := model.Part{Kind: model.ToolResult, ID: id, Text: "done"}
			if m[1] == "A" {
				part = model.Part{Kind: model.ToolCall, ID: id, Name: "Read", Text: "{}"}
			}
			message.Parts = append(message.Parts, part)
		}
		if len(ids) == 0 || m[3] != "" {
			message.Parts = append(message.Parts, model.Part{Kind: model.Text, Text: "words"})
		}
		if m[4] != "" {
			size, _ := strconv.Atoi(m[4])
			if m[5] != "" {
				size *= 1000
			}
			if err := grow(message, c, size); err != nil {
				return nil, fmt.Errorf("%s: %w", w, err)
			}
		}
		out = append(out, message)
	}
	return out, nil
}

// grow fills the last part that holds text until the message weighs size tokens.
func grow(m *model.Message, c token.Counter, size int) error {
	at := len(m.Parts) - 1
	for at >= 0 && m.Parts[at].Kind == model.ToolCall {
		at--
	}
	if at < 0 {
		m.Parts = append(m.Parts, model.Part{Kind: model.Text})
		at = len(m.Parts) - 1
	}
	p := &m.Parts[at]
	p.Text = ""
	one := model.Part{Kind: model.Text, Text: "x"}
	each := c.Part(&one)
	for n := 1; n <= 1<<26; n *= 2 { // the weight that size tokens are, found by the counter itself
		if c.Tokens(token.Weigh(c, m)+each*int64(n)) >= int64(size) {
			for c.Tokens(token.Weigh(c, m)+each*int64(n-1)) >= int64(size) {
				n--
			}
			if n < 1 {
				return fmt.Errorf("%d tokens are fewer than the message has without text", size)
			}
			p.Text = strings.Repeat("x", n)
			return nil
		}
	}
	return fmt.Errorf("%d tokens are too many", size)
}
