package compactor

import (
	"slices"
	"testing"

	"cinch/model"
	"cinch/model/token"
)

// TestRuns: a run starts where a replay starts one, whatever stands there.
func TestRuns(t *testing.T) {
	user := &model.Message{Parts: []model.Part{{Kind: model.Text, Text: "do it"}}}
	answer := &model.Message{Role: model.Assistant, Parts: []model.Part{{Kind: model.Text, Text: "done"}}}
	call := &model.Message{Role: model.Assistant, Parts: []model.Part{{Kind: model.ToolCall, ID: "a", Name: "Read", Text: "{}"}}}
	result := &model.Message{Parts: []model.Part{{Kind: model.ToolResult, ID: "a", Text: "text"}}}
	system := &model.Message{Role: model.System, Parts: []model.Part{{Kind: model.Text, Text: "be brief"}}}
	for name, test := range map[string]struct {
		messages []*model.Message
		want     []int
	}{
		"nothing":                         {nil, []int{}},
		"asked and answered":              {[]*model.Message{user, answer, user, answer}, []int{0, 2}},
		"tools belong to the run":         {[]*model.Message{user, call, result, answer, user}, []int{0, 4}},
		"said twice before it begins":     {[]*model.Message{system, user, user, answer}, []int{1}},
		"interrupted":                     {[]*model.Message{user, call, user, answer}, []int{0, 2}},
		"the recording begins in a run":   {[]*model.Message{call, result, answer, user, answer}, []int{0, 3}},
		"an answer follows the last word": {[]*model.Message{user, answer, answer}, []int{0, 2}},
	} {
		rec := Prepare(test.messages, token.Heuristic, nil)
		if got := Runs(rec.View()); !slices.Equal(got, test.want) {
			t.Errorf("%s: runs start at %v, want %v", name, got, test.want)
		}
	}

	// A view that a pass left is counted by itself.
	var long []*model.Message
	for range 10 {
		long = append(long, user, answer)
	}
	v := Truncate(Prepare(long, token.Heuristic, nil).View(), DefaultPolicy()).Result()
	if got := Runs(v); !slices.Equal(got, []int{0, 3}) {
		t.Errorf("after a pass that left %d messages runs start at %v", v.Len(), got)
	}
}
