package ladder

import (
	"cinch/model"
	"cinch/model/token"
)

// Kind is what an entry of the ladder's list is.
type Kind uint8

const (
	User Kind = iota
	Assistant
	ToolResult
)

func (k Kind) String() string { return [...]string{"user", "assistant", "toolResult"}[k] }

// Entry is one message of the list the ladder works on: user, assistant, or one
// tool result. It is a stretch of the parts of one recorded message.
type Entry struct {
	Kind     Kind
	Message  int    // index of the recorded message
	From, To int    // its parts [From, To)
	Tool     string // tool result: the tool's name, taken from its call where the file has none
	Call     int    // tool result: the entry of the call it answers, -1 when there is none
}

// Record is a recorded conversation as the ladder's list, each entry weighed
// once. It is read only once made, so that moving a knob reads no text again.
type Record struct {
	Messages []*model.Message
	Counter  token.Counter
	Entries  []Entry

	lead       []int   // recorded messages that are not in the list and stay in front of it
	assistants []int32 // entries of the assistant messages, in order
	answered   []int32 // answered[i]: assistant messages among the first i entries
	weights    []int64 // of each entry as recorded
	cleared    []int64 // of each tool result once cleared
	marked     []bool  // tool results that are recorded as cleared already
}

// NewRecord writes messages out as the ladder's list and weighs it; a nil
// counter is [token.Drover].
//
// A user message is cut where its tool results are, one entry each, and what
// stands between them is a user entry, in the order of its parts. System
// messages at the front are the system prompt: they are not in the list. Later
// ones are, as user messages, for that is how the model reads a notice.
func NewRecord(messages []*model.Message, c token.Counter) *Record {
	if c == nil {
		c = token.Drover
	}
	r := &Record{Messages: messages, Counter: c}
	for i, m := range messages {
		switch {
		case m.Mark == model.Boundary:
		case m.Role == model.System && len(r.Entries) == 0:
			r.lead = append(r.lead, i)
		case m.Role == model.Assistant:
			r.assistants = append(r.assistants, int32(len(r.Entries)))
			r.Entries = append(r.Entries, Entry{Kind: Assistant, Message: i, To: len(m.Parts), Call: -1})
		default:
			r.cut(i, m)
		}
	}
	r.pair()
	r.weigh()
	return r
}

// cut appends the entries of a user message.
func (r *Record) cut(i int, m *model.Message) {
	from := 0
	rest := func(to int) {
		if to > from || len(m.Parts) == 0 {
			r.Entries = append(r.Entries, Entry{Kind: User, Message: i, From: from, To: to, Call: -1})
		}
	}
	for p := range m.Parts {
		if m.Parts[p].Kind == model.ToolResult {
			rest(p)
			r.Entries = append(r.Entries, Entry{Kind: ToolResult, Message: i, From: p, To: p + 1, Tool: m.Parts[p].Name, Call: -1})
			from = p + 1
		}
	}
	rest(len(m.Parts))
}

// pair finds the call of each tool result, and names the results the file left without one.
func (r *Record) pair() {
	type call struct {
		entry int
		name  string
	}
	var match model.Matcher[string, call]
	for i := range r.Entries {
		e := &r.Entries[i]
		parts := r.Messages[e.Message].Parts[e.From:e.To]
		for p := range parts {
			switch part := &parts[p]; {
			case part.ID == "":
			case part.Kind == model.ToolCall:
				match.Call(part.ID, call{i, part.Name})
			case part.Kind == model.ToolResult:
				at, ok := match.Result(part.ID)
				if !ok || e.Kind != ToolResult {
					continue
				}
				e.Call = at.entry
				if e.Tool == "" {
					e.Tool = at.name
				}
			}
		}
	}
}

// weigh fills the weights and the running count of assistant messages.
func (r *Record) weigh() {
	n := len(r.Entries)
	r.weights, r.cleared = make([]int64, n), make([]int64, n)
	r.marked, r.answered = make([]bool, n), make([]int32, n+1)
	for i := range r.Entries {
		e := &r.Entries[i]
		r.answered[i+1] = r.answered[i]
		if e.Kind == Assistant {
			r.answered[i+1]++
		}
		w := r.Counter.Envelope()
		parts := r.Messages[e.Message].Parts
		for p := e.From; p < e.To; p++ {
			part := &parts[p]
			if part.Kind == model.ToolResult && part.Name != e.Tool && e.Kind == ToolResult {
				named := *part
				named.Name = e.Tool
				part = &named
			}
			w += r.Counter.Part(part)
		}
		r.weights[i] = w
		if e.Kind == ToolResult {
			part := parts[e.From]
			r.marked[i] = part.Text == Marker && len(part.List) == 0 ||
				len(part.List) == 1 && part.List[0].Kind == model.Text && part.List[0].Text == Marker && part.Text == ""
			part = clearedPart(part)
			part.Name = e.Tool
			r.cleared[i] = r.Counter.Envelope() + r.Counter.Part(&part)
		}
	}
}

// clearedPart is a tool result once cleared: everything but its output.
func clearedPart(p model.Part) model.Part {
	p.Text, p.List, p.Media = Marker, nil, nil
	return p
}

// Turns is the number of recorded assistant messages. The pass before the k-th
// of them is turn k; a pass at the end of the recording is turn Turns()+1.
func (r *Record) Turns() int { return len(r.assistants) }

// Before is the number of entries that stand before the assistant message of a
// turn, counted from 1: what the model was sent. Past the last turn it is all of them.
func (r *Record) Before(turn int) int {
	if turn < 1 {
		return 0
	}
	if turn > len(r.assistants) {
		return len(r.Entries)
	}
	return int(r.assistants[turn-1])
}

// Tools lists the tools that have results in the recording, in the order in
// which they first appear: what pinTools can name.
func (r *Record) Tools() []string {
	var out []string
	seen := map[string]bool{"": true}
	for i := range r.Entries {
		if e := &r.Entries[i]; e.Kind == ToolResult && !seen[e.Tool] {
			seen[e.Tool] = true
			out = append(out, e.Tool)
		}
	}
	return out
}
