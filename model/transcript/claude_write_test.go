package transcript

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cinch/model"
)

// TestClaudeNeighbours: messages that come to stand beside each other, when what
// was between them is gone, are not joined by the reader's rules for records that
// belong to the message before them.
func TestClaudeNeighbours(t *testing.T) {
	record := func(kind, uuid, rest string) string {
		return fmt.Sprintf(`{"parentUuid":null,"sessionId":"s","cwd":"/p","version":"2.1.0","type":%q,"uuid":%q,%s}`, kind, uuid, rest)
	}
	user := func(uuid, text string) string {
		return record("user", uuid, fmt.Sprintf(`"message":{"role":"user","content":%q}`, text))
	}
	meta := func(uuid, text string) string {
		return record("user", uuid, fmt.Sprintf(`"isMeta":true,"message":{"role":"user","content":%q}`, text))
	}
	answer := func(uuid, text string) string {
		return record("assistant", uuid, fmt.Sprintf(`"message":{"id":"m-%s","role":"assistant","content":[{"type":"text","text":%q}]}`, uuid, text))
	}
	call := func(uuid, id string) string {
		return record("assistant", uuid, fmt.Sprintf(`"message":{"id":"m-%s","role":"assistant","content":[{"type":"tool_use","id":%q,"name":"Read","input":{}}]}`, uuid, id))
	}
	result := func(uuid, id string) string {
		return record("user", uuid, fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"r"}]}`, id))
	}
	attachment := func(uuid, text string) string {
		return record("attachment", uuid, fmt.Sprintf(`"attachment":{"type":"task_reminder","content":%q}`, text))
	}
	summary := func(uuid, text string) string {
		return record("user", uuid, fmt.Sprintf(`"isCompactSummary":true,"message":{"role":"user","content":%q}`, text))
	}
	for _, test := range []struct {
		name    string
		records []string
		keep    []int // messages of the context view; nil for all
	}{
		{"one name and one text twice", []string{attachment("x", "a"), answer("y", "b"), user("x", "same"), answer("z", "c"), user("x", "same")}, nil},
		{"an attachment behind a user", []string{user("1", "a"), answer("2", "b"), attachment("3", "c"), answer("4", "d")}, []int{0, 2, 3}},
		{"an attachment before a user", []string{user("1", "a"), answer("2", "b"), attachment("3", "c"), answer("4", "d"), user("5", "e")}, []int{2, 4}},
		{"an attachment alone before a user", []string{answer("2", "b"), attachment("3", "c"), answer("4", "d"), user("5", "e"), answer("6", "f")}, []int{1, 3, 4}},
		{"attachments in a row", []string{answer("1", "a"), attachment("2", "b"), answer("3", "c"), attachment("4", "d"), answer("5", "e")}, []int{1, 3, 4}},
		{"a note behind results", []string{call("1", "c"), result("2", "c"), answer("3", "a"), meta("4", "b"), answer("5", "d")}, []int{0, 1, 3, 4}},
		{"a note behind a user", []string{user("1", "a"), answer("2", "b"), meta("3", "c"), answer("4", "d")}, []int{0, 2, 3}},
		{"results with what is beside them", []string{call("1", "c"), result("2", "c"), attachment("3", "a"), answer("4", "d")}, nil},
		{"one without a name", []string{user("1", "a"), `{"parentUuid":"1","type":"user","message":{"role":"user","content":"b"}}`, user("3", "c")}, nil},
		{"results of two answers in one record", []string{call("1", "c"), user("2", "a"), call("3", "d"), record("user", "4", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"},{"type":"tool_result","tool_use_id":"d","content":"q"}]}`), answer("5", "e")}, nil},
		{"a summary first", []string{summary("1", "s"), answer("2", "a"), user("3", "b")}, nil},
		{"a summary behind the first user", []string{user("1", "a"), answer("2", "b"), summary("3", "s"), answer("4", "c"), user("5", "d")}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := Read(context.Background(), "x", strings.NewReader(strings.Join(test.records, "\n")), Options{})
			if err != nil {
				t.Fatal(err)
			}
			view := f.Selected.View(model.Context)
			left := view
			if test.keep != nil {
				left = nil
				for _, i := range test.keep {
					left = append(left, view[i])
				}
			}
			back, text := again(t, f, claudeName, f.Selected, left)
			got := back.Selected.View(model.Context)
			if a, b := utterances(got, true), utterances(left, true); len(got) != len(left) || a != b {
				t.Errorf("%d messages read back\n%s\nwant %d\n%s\nfrom\n%s", len(got), a, len(left), b, text)
			}
			if len(back.Warnings) > 0 {
				t.Errorf("reading warns %v", back.Warnings)
			}
		})
	}
}

// TestWrittenTwice: records made from the model have names of their own, also in
// a session that was written with such records before.
func TestWrittenTwice(t *testing.T) {
	said := func(text string) *model.Message {
		return &model.Message{Parts: []model.Part{{Kind: model.Text, Text: text}}}
	}
	answered := func(text string) *model.Message {
		m := said(text)
		m.Role = model.Assistant
		return m
	}
	for _, format := range []string{claudeName, "codex", piName} {
		t.Run(format, func(t *testing.T) {
			f := &File{}
			list := []*model.Message{said("summary"), answered("yes"), said("go on"), answered("yes")}
			for range 3 {
				f, _ = again(t, f, format, &model.Conversation{ID: "s", Messages: list}, list)
				// The next pass puts the same summary before what it keeps.
				list = append([]*model.Message{said("summary"), answered("yes")}, f.Selected.View(model.Context)...)
				back, text := again(t, f, format, f.Selected, list)
				if a, b := utterances(back.Selected.View(model.Context), true), utterances(list, true); a != b || len(back.Selected.View(model.Context)) != len(list) {
					t.Fatalf("read back\n%s\nwant\n%s\nfrom\n%s", a, b, text)
				}
				f, list = back, back.Selected.View(model.Context)
			}
		})
	}
}
