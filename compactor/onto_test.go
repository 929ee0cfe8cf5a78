package compactor

import (
	"fmt"
	"testing"

	"cinch/model"
	"cinch/model/token"
)

// TestOnto: what passes made of a recording, carried over to the same recording
// grown longer, is what they left and then what is new; tokens and pairs are
// those of that list read afresh.
func TestOnto(t *testing.T) {
	var messages []*model.Message
	say := func(role model.Role, parts ...model.Part) {
		messages = append(messages, &model.Message{Role: role, Parts: parts})
	}
	for i := range 30 {
		id := fmt.Sprint("c", i)
		say(model.User, model.Part{Kind: model.Text, Text: fmt.Sprint("question ", i)})
		say(model.Assistant, model.Part{Kind: model.ToolCall, ID: id, Name: "look", Text: "{}"}, model.Part{Kind: model.ToolCall, ID: id + "b", Name: "look", Text: "{}"})
		// The second call of each is answered two messages into the next turn.
		say(model.User, model.Part{Kind: model.ToolResult, ID: id, Text: "seen"})
		if i > 0 {
			say(model.User, model.Part{Kind: model.ToolResult, ID: fmt.Sprint("c", i-1, "b"), Text: "late"}, model.Part{Kind: model.Text, Text: "and more"})
		}
	}
	p := DefaultPolicy()
	p.MinMessages = 2
	for n := 1; n < len(messages); n++ {
		for recent := 1; recent < 6; recent++ {
			p.PreserveRecent = recent
			v := Prepare(messages[:n], token.Heuristic, nil).View()
			for passes := range 3 {
				grown := v.Onto(Prepare(messages, token.Heuristic, nil))
				want := append(v.Messages(), messages[n:]...)
				if grown.Len() != len(want) {
					t.Fatalf("%d of %d, %d passes: %d messages, want %d", n, len(messages), passes, grown.Len(), len(want))
				}
				fresh := Prepare(want, token.Heuristic, nil).View()
				for i, m := range want {
					if grown.Message(i) != m {
						t.Fatalf("%d of %d, %d passes: message %d is another", n, len(messages), passes, i)
					}
					for k := range m.Parts {
						if got, want := grown.Mate(i, k), fresh.Mate(i, k); got != want {
							t.Fatalf("%d of %d, %d passes: part %d.%d pairs with %d, want %d", n, len(messages), passes, i, k, got, want)
						}
					}
				}
				if grown.Tokens() != fresh.Tokens() {
					t.Fatalf("%d tokens, want %d", grown.Tokens(), fresh.Tokens())
				}
				if a, b := Truncate(grown, p), Truncate(fresh, p); a.Cut != b.Cut || a.Kept() != b.Kept() {
					t.Fatalf("%d of %d, %d passes: the next pass cuts at %d and keeps %d, want %d and %d", n, len(messages), passes, a.Cut, a.Kept(), b.Cut, b.Kept())
				}
				v = Truncate(v, p).Result()
			}
		}
	}
}
