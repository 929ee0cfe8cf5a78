package transcript

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"cinch/model"
	"cinch/model/token"
)

// Encode writes as [File.Write] does, reads what was written, and says in a few
// words each what of the messages is not in it: nothing where the format has a
// place for all of it.
func (f *File) Encode(ctx context.Context, format string, c *model.Conversation, messages []*model.Message) (text []byte, lost []string, err error) {
	var b bytes.Buffer
	if err := f.Write(ctx, &b, format, c, messages); err != nil {
		return nil, nil, err
	}
	most := int64(b.Len()) + 1
	back, err := Read(ctx, "what would be written", bytes.NewReader(b.Bytes()), Options{
		Format: format, Limits: Limits{File: most, Pipe: most, Record: most, Depth: maxDepth},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("the %s format has no place for this: %w", format, err)
	}
	return b.Bytes(), losses(c, messages, back.Selected), nil
}

// losses compares messages with what was read back of them. That a format joins
// messages which another tells apart is no loss.
func losses(c *model.Conversation, messages []*model.Message, back *model.Conversation) (lost []string) {
	told := token.Told(c, messages)
	had, has := countAll(messages, told), countAll(back.View(model.Context), nil)
	fewer := func(had, has int, one, more string) {
		switch n := had - has; {
		case n == 1:
			lost = append(lost, one)
		case n > 1:
			lost = append(lost, fmt.Sprintf(more, n))
		}
	}
	if c.System != "" && back.System == "" && has.systems <= had.systems {
		lost = append(lost, "the system prompt")
	} else {
		fewer(had.systems, has.systems, "that a message is the system's", "that %d messages are the system's")
	}
	if n := len(schemas(c.Tools)); c.Tools != "" && back.Tools == "" {
		lost = append(lost, "the tool schemas")
	} else {
		fewer(n, len(schemas(back.Tools)), "a tool schema", "%d tool schemas")
	}
	if c.Overhead > 0 && c.System == "" && c.Tools == "" {
		if tokens, _ := (token.OverheadRule{}).Of(token.Heuristic, back, nil); tokens == 0 {
			lost = append(lost, fmt.Sprintf("the inferred overhead (--overhead %d adds it)", c.Overhead))
		}
	}
	if c.Model != "" && back.Model == "" {
		lost = append(lost, "the model's name")
	}
	if c.Window > 0 && back.Window == 0 {
		lost = append(lost, fmt.Sprintf("the window of %d tokens", c.Window))
	}
	for _, k := range []struct {
		kind      model.Kind
		one, more string
	}{
		{model.Thinking, "a thought", "%d thoughts"},
		{model.Opaque, "a sealed item of the provider's", "%d sealed items of the provider's"},
		{model.Image, "an image", "%d images"},
		{model.Document, "that something is a document", "that %d things are documents"},
		{model.ToolCall, "a tool call", "%d tool calls"},
		{model.ToolResult, "a tool result", "%d tool results"},
	} {
		fewer(had.kinds[k.kind], has.kinds[k.kind], k.one, k.more)
	}
	if had.kinds[model.ToolCall] == has.kinds[model.ToolCall] && had.kinds[model.ToolResult] == has.kinds[model.ToolResult] {
		fewer(missing(had.inputs, has.inputs), 0, "the input of a tool call as it was", "the inputs of %d tool calls as they were")
		fewer(missing(had.ids, has.ids), 0, "the id of a tool call as it was", "the ids of %d tool calls as they were")
		if len(model.PairUp(messages).Pairs) != len(model.PairUp(back.View(model.Context)).Pairs) {
			lost = append(lost, "which tool result answers which call")
		}
	}
	fewer(had.empty, has.empty, "a message that says nothing", "%d messages that say nothing")
	fewer(had.failed, has.failed, "that a tool result is an error", "that %d tool results are errors")
	fewer(had.usage, has.usage, "the usage of a call", "the usage of %d calls")
	return lost
}

// counts are how much of what there is in messages.
type counts struct {
	kinds                  [model.Opaque + 1]int
	failed, usage, systems int
	empty                  int            // messages that say nothing
	inputs                 map[string]int // what tools were called with, and how often
	ids                    map[string]int // of calls and results, each once
}

// missing is how many of what there was are not there any more.
func missing(had, has map[string]int) (n int) {
	for what, times := range had {
		n += max(0, times-has[what])
	}
	return n
}

// countAll counts; of usage only that of the messages given, or all.
func countAll(messages []*model.Message, told map[*model.Message]bool) (n counts) {
	n.inputs, n.ids = map[string]int{}, map[string]int{}
	var parts func([]model.Part)
	parts = func(list []model.Part) {
		for i := range list {
			p := &list[i]
			n.kinds[p.Kind]++
			if p.Kind == model.ToolCall {
				n.inputs[inputOf(p)]++
			}
			if p.ID != "" && p.ID[0] != '#' { // which a reader made up
				n.ids[p.ID] = 1
			}
			if p.IsError {
				n.failed++
			}
			parts(p.List)
		}
	}
	for _, m := range messages {
		parts(m.Parts)
		if !slices.ContainsFunc(m.Parts, func(p model.Part) bool { return p.Kind != model.Text || p.Text != "" }) {
			n.empty++
		}
		if m.Role == model.System {
			n.systems++
		}
		if m.Usage != nil && m.Usage.Input > 0 && (told == nil || told[m]) {
			n.usage++
		}
	}
	return n
}

// inputOf is what a tool was called with; that it was nothing is told in several ways.
func inputOf(p *model.Part) string {
	switch {
	case p.Text == "" || p.Text == `""`:
		return "{}"
	case holdsJSON(p.Text):
		return model.CompactJSON(p.Text)
	}
	return p.Text
}
