package ladder

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"testing"

	"cinch/model"
)

// piMessage is a message of the ladder's list as drover stores it.
type piMessage struct {
	Role       string
	Content    json.RawMessage
	ToolCallID string
	ToolName   string
	IsError    bool
}

type piPart struct {
	Type, Text, ID, Name string
	Arguments            json.RawMessage
}

func (m piMessage) message(t *testing.T) *model.Message {
	var text string
	parts := []piPart{}
	if json.Unmarshal(m.Content, &text) == nil {
		parts = append(parts, piPart{Type: "text", Text: text})
	} else if err := json.Unmarshal(m.Content, &parts); err != nil {
		t.Fatal(err)
	}
	list := make([]model.Part, len(parts))
	for i, p := range parts {
		switch p.Type {
		case "text":
			list[i] = model.Part{Kind: model.Text, Text: p.Text}
		case "image":
			list[i] = model.Part{Kind: model.Image}
		case "toolCall":
			list[i] = model.Part{Kind: model.ToolCall, ID: p.ID, Name: p.Name, Text: model.CompactJSON(string(p.Arguments))}
		default:
			t.Fatalf("no part %q", p.Type)
		}
	}
	switch m.Role {
	case "assistant":
		return &model.Message{Role: model.Assistant, Parts: list}
	case "toolResult":
		return &model.Message{Parts: []model.Part{{Kind: model.ToolResult, ID: m.ToolCallID, Name: m.ToolName, IsError: m.IsError, List: list}}}
	}
	return &model.Message{Parts: list}
}

// TestCases replays whole conversations against events worked out by another
// program from drover's description.
func TestCases(t *testing.T) {
	raw, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name     string
		Policy   Policy
		Window   int64
		Manual   map[string]string
		Summary  *string
		Messages []piMessage
		Events   []Event
		Skips    []Skip
		Final    int
		Tokens   int64
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			var list []*model.Message
			for _, m := range c.Messages {
				list = append(list, m.message(t))
			}
			opt := Options{Manual: map[int]Call{}}
			for turn, instructions := range c.Manual {
				n, err := strconv.Atoi(turn)
				if err != nil {
					t.Fatal(err)
				}
				opt.Manual[n] = Call{instructions}
			}
			if c.Summary != nil {
				opt.Summarizer = answer(*c.Summary)
			}
			e, err := New(c.Policy, c.Window, NewRecord(list, nil))
			if err != nil {
				t.Fatal(err)
			}
			r, err := e.Replay(context.Background(), opt)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Events(); len(got)+len(c.Events) > 0 && !reflect.DeepEqual(got, c.Events) {
				t.Errorf("events\n got %+v\nwant %+v", got, c.Events)
			}
			var skips []Skip
			for _, call := range r.Calls {
				skips = append(skips, call.Skip)
			}
			if !reflect.DeepEqual(skips, c.Skips) {
				t.Errorf("skipped %q, want %q", skips, c.Skips)
			}
			if got := r.Final.View; got.Len() != c.Final || got.Tokens() != c.Tokens {
				t.Errorf("ends with %d messages, %d tokens; want %d, %d", got.Len(), got.Tokens(), c.Final, c.Tokens)
			}
		})
	}
}
