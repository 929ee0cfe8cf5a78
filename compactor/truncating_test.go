package compactor

import (
	"slices"
	"strings"
	"testing"

	"cinch/model"
	"cinch/model/token"
)

// shape builds messages from the notation of the interaction files: S, U, A for
// text, A(a,b) for calls, R(a) for a result, UR(a,b) for results with text, ? for an empty id.
func shape(t testing.TB, s string) []*model.Message {
	t.Helper()
	var out []*model.Message
	for _, word := range strings.Fields(s) {
		name, args, _ := strings.Cut(strings.TrimSuffix(word, ")"), "(")
		m := &model.Message{}
		var ids []string
		if args != "" {
			ids = strings.Split(strings.ReplaceAll(args, "?", ""), ",")
		}
		switch name {
		case "S":
			m.Role = model.System
		case "U", "R", "UR":
			m.Role = model.User
		case "A":
			m.Role = model.Assistant
		default:
			t.Fatalf("shape %q: unknown word %q", s, word)
		}
		for _, id := range ids {
			if name == "A" {
				m.Parts = append(m.Parts, model.Part{Kind: model.ToolCall, ID: id, Name: "Read", Text: `{}`})
			} else {
				m.Parts = append(m.Parts, model.Part{Kind: model.ToolResult, ID: id, Text: "done"})
			}
		}
		if len(ids) == 0 || name == "UR" {
			m.Parts = append(m.Parts, model.Part{Kind: model.Text, Text: "some words"})
		}
		out = append(out, m)
	}
	return out
}

func TestTruncate(t *testing.T) {
	tests := []struct {
		name, shape string
		keep, min   int
		reason      Unchanged
		provisional int
		cut         int
		output      []int
		reattached  []int
		emptied     []int
	}{
		{"short conversation is left alone", "U A U A U A", 4, 6, TooShort, -1, -1, []int{0, 1, 2, 3, 4, 5}, nil, nil},
		{"one more than min_messages is cut", "U A U A U A U", 4, 6, Changed, 3, 3, []int{0, 3, 4, 5, 6}, nil, nil},
		{"pair pulls the cut back", "U A U A U A(x) R(x) A U A", 4, 6, Changed, 6, 5, []int{0, 5, 6, 7, 8, 9}, nil, nil},
		{"the move admits another result", "U A(a) A(b) R(a) R(b) A U A", 4, 6, Changed, 4, 1, []int{0, 1, 2, 3, 4, 5, 6, 7}, nil, nil},
		{"reused id pairs by occurrence", "U A(c) R(c) A U A(c) R(c) A U A", 4, 6, Changed, 6, 5, []int{0, 5, 6, 7, 8, 9}, nil, nil},
		{"result of message 0 is pulled back", "A(p) R(p) A U A U A U A", 4, 6, Changed, 5, 5, []int{0, 1, 5, 6, 7, 8}, []int{1}, nil},
		{"late result of message 0 pins the cut", "A(p) U A U A U A R(p) A", 4, 6, NothingToDrop, 5, 0, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, nil, nil},
		{"lone result in the recent part goes", "U A U A U A R(z) A U", 4, 6, Changed, 5, 5, []int{0, 5, 7, 8}, nil, []int{6}},
		{"lone result first goes too", "R(z) A U A U A U A", 4, 6, Changed, 4, 4, []int{4, 5, 6, 7}, nil, []int{0}},
		{"keep more than there is", "U A U A U A U", 20, 6, NothingToDrop, 0, 0, []int{0, 1, 2, 3, 4, 5, 6}, nil, nil},
		{"nothing but lone results stays as received", "R(a) R(b) R(c)", 1, 2, WouldEmpty, 2, 2, []int{0, 1, 2}, nil, nil},
		{"an empty id pairs with nothing", "U A U A U A(?) R(?) A U", 4, 6, Changed, 5, 5, []int{0, 5, 7, 8}, nil, []int{6}},
		{"no messages", "", 4, 6, TooShort, -1, -1, []int{}, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := Truncate(Prepare(shape(t, test.shape), token.Heuristic, nil).View(), Policy{PreserveRecent: test.keep, MinMessages: test.min})
			if p.Reason != test.reason || p.Provisional != test.provisional || p.Cut != test.cut {
				t.Errorf("reason %q cut %d → %d, want %q %d → %d", p.Reason, p.Provisional, p.Cut, test.reason, test.provisional, test.cut)
			}
			if !slices.Equal(p.Output(), test.output) {
				t.Errorf("output %v, want %v", p.Output(), test.output)
			}
			if !slices.Equal(p.Reattached, test.reattached) {
				t.Errorf("reattached %v, want %v", p.Reattached, test.reattached)
			}
			var emptied []int
			for i := range p.View.Len() {
				if p.Fate(i) == Emptied {
					emptied = append(emptied, i)
				}
			}
			if !slices.Equal(emptied, test.emptied) {
				t.Errorf("emptied %v, want %v", emptied, test.emptied)
			}
		})
	}
}
