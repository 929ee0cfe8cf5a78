package study

import "cinch/model"

// Half is a tool call or tool result whose other half is missing.
type Half struct {
	Kind model.Kind // ToolCall or ToolResult
	ID   string
}

// Broken lists the halves that stand alone after a pass and did not before it:
// the pairs that it broke. Ids may repeat; so many of each count.
func Broken(before, after []*model.Message) []Half {
	had := map[Half]int{}
	for _, h := range halves(before) {
		had[h]++
	}
	var out []Half
	for _, h := range halves(after) {
		if had[h]--; had[h] < 0 {
			out = append(out, h)
		}
	}
	return out
}

func halves(messages []*model.Message) []Half {
	p := model.PairUp(messages)
	out := make([]Half, 0, len(p.LoneCalls)+len(p.LoneResults))
	for _, ref := range append(p.LoneCalls, p.LoneResults...) {
		part := &messages[ref.Message].Parts[ref.Part]
		out = append(out, Half{part.Kind, part.ID})
	}
	return out
}
