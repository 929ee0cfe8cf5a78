package transcript

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"cinch/model"
)

// What a conversation becomes in another format pairs as it did, and what changes
// in it on the way is said.
func TestConvertingSaysWhatChanges(t *testing.T) {
	call := func(id, input string) *model.Message {
		return &model.Message{Role: model.Assistant, Parts: []model.Part{{Kind: model.ToolCall, ID: id, Name: "look", Text: input}}}
	}
	result := func(id string) *model.Message {
		return &model.Message{Role: model.User, Parts: []model.Part{{Kind: model.ToolResult, ID: id, Name: "look", Text: "seen"}}}
	}
	said := func(role model.Role, texts ...string) *model.Message {
		m := &model.Message{Role: role}
		for _, text := range texts {
			m.Parts = append(m.Parts, model.Part{Kind: model.Text, Text: text})
		}
		return m
	}
	hi := said(model.User, "hi")
	const input, id, pairs = "the input of a tool call as it was", "the id of a tool call as it was", "which tool result answers which call"
	const silent, silents = "a message that says nothing", "2 messages that say nothing"
	wrap := []string{"claude-code", "anthropic", "gemini", "pi", "langchain"} // whose inputs are objects
	for _, test := range []struct {
		name     string
		messages []*model.Message
		says     map[string][]string // of what is written in each format, nothing where it is not named
	}{
		{"calls and results without ids", []*model.Message{hi, call("", "{}"), result(""), call("", "{}"), result("")}, nil},
		{"without ids beside some with them", []*model.Message{hi, call("unpaired-1", "{}"), call("", "{}"), result("unpaired-1"), result("")}, nil},
		{"ids made up that pair with nothing", []*model.Message{hi, call("#1", "{}"), result("#2")}, nil},
		{"ids made up that pair", []*model.Message{hi, call("#1", "{}"), result("#1")}, nil},
		{"no parts", []*model.Message{hi, said(model.Assistant), hi}, map[string][]string{
			"claude-code": {silent}, "anthropic": {silent}, "codex": {silent}, "openai-responses": {silent}, "gemini": {silent}}},
		{"empty texts", []*model.Message{hi, said(model.Assistant, ""), said(model.User, "", "")}, map[string][]string{
			"claude-code": {silents}, "anthropic": {silents}}},
		{"an empty text beside another", []*model.Message{said(model.User, "", "hi"), said(model.Assistant, "ho")}, nil},
		{"an input that is a text", []*model.Message{hi, call("c1", `"<redacted>"`), result("c1")}, each(wrap, input)},
		{"an input that is a list", []*model.Message{hi, call("c1", `[1]`), result("c1")}, each(wrap, input)},
		{"a text that looks like a number", []*model.Message{hi, call("c1", `"12"`), result("c1")}, each(slices.Concat(wrap, []string{"openai", "codex", "openai-responses"}), input)},
		{"no input", []*model.Message{hi, call("c1", ""), result("c1"), call("c2", `""`), result("c2")}, nil},
		{"an odd id", []*model.Message{hi, call("<redacted>", "{}"), result("<redacted>")}, each([]string{"claude-code", "anthropic"}, id)},
		{"ids that become the same", []*model.Message{hi, call("a_1", "{}"), call("a.1", "{}"), result("a_1"), result("a.1")}, each([]string{"claude-code", "anthropic"}, id)},
		{"ids that pair when they become the same", []*model.Message{hi, call("a_1", "{}"), result("a.1")}, map[string][]string{
			"claude-code": {id, pairs}, "anthropic": {id, pairs}}},
	} {
		for _, format := range Writable() {
			t.Run(test.name+"/"+format, func(t *testing.T) {
				c := &model.Conversation{ID: "s", Messages: test.messages}
				text, lost, err := (&File{}).Encode(context.Background(), format, c, test.messages)
				if err != nil {
					t.Fatal(err)
				}
				if want := test.says[format]; !slices.Equal(lost, want) {
					t.Errorf("says %q, want %q, of\n%s", lost, want, text)
				}
				if format != "native" && bytes.Contains(text, []byte(`id":""`)) {
					t.Errorf("an empty id in\n%s", text)
				}
				back, err := Read(context.Background(), "back", bytes.NewReader(text), Options{Format: format})
				if err != nil {
					t.Fatal(err)
				}
				had, has := len(model.PairUp(test.messages).Pairs), len(model.PairUp(back.Selected.View(model.Context)).Pairs)
				if had != has && !slices.Contains(lost, pairs) {
					t.Errorf("%d pairs were %d, in\n%s", has, had, strings.TrimSpace(string(text)))
				}
			})
		}
	}
}

// each says the same of several formats.
func each(formats []string, said ...string) map[string][]string {
	out := map[string][]string{}
	for _, f := range formats {
		out[f] = said
	}
	return out
}
