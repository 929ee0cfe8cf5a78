package transcript

import (
	"fmt"
	"strings"

	"cinch/model"
)

// apart gives every call and result that pairs with nothing and has no id of the
// file's a name of its own, so that no reader pairs it by its place: without ids,
// formats pair what stands in order. Messages are copied where they change.
func apart(messages []*model.Message) []*model.Message {
	used := map[string]bool{}
	for _, m := range messages {
		for i := range m.Parts {
			used[m.Parts[i].ID] = true
		}
	}
	made := 0
	name := func() string {
		for {
			if made++; !used[fmt.Sprintf("unpaired-%d", made)] {
				return fmt.Sprintf("unpaired-%d", made)
			}
		}
	}
	out := append([]*model.Message(nil), messages...)
	pairing := model.PairUp(messages)
	for _, lone := range [][]model.Ref{pairing.LoneCalls, pairing.LoneResults} {
		for _, at := range lone {
			if id := messages[at.Message].Parts[at.Part].ID; id != "" && !strings.HasPrefix(id, "#") {
				continue
			}
			if out[at.Message] == messages[at.Message] {
				m := *out[at.Message]
				m.Parts = append([]model.Part(nil), m.Parts...)
				out[at.Message] = &m
			}
			out[at.Message].Parts[at.Part].ID = name()
		}
	}
	return out
}
