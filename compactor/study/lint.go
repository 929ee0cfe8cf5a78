package study

import (
	"fmt"

	"cinch/model"
)

// Defect is something in a list of messages for which a provider refuses the request.
type Defect struct {
	Rule    string // a short name, the same for every provider that has the rule
	Message int    // number of the message, -1 when it is about the whole list
	ID      string // of the tool call or result it is about, "" otherwise
	Text    string // one sentence
}

// Provider is who would reject a request, and by which rules.
type Provider struct {
	Name  string // what --provider takes
	Title string
	rules []rule
}

// rule looks for one kind of defect.
type rule func(*request, func(Defect))

// Providers lists those whose rules are known, in the order of the manual.
var Providers = []Provider{
	{"anthropic", "Anthropic Messages API", []rule{userFirst, answeredNext, answersPrevious, resultsFirst, uniqueIDs, oneResult, nothingEmpty}},
	{"bedrock", "Amazon Bedrock Converse", []rule{userFirst, answeredNext, answersPrevious, alternation, nothingEmpty}},
	{"openai", "OpenAI Chat Completions", []rule{answeredBeforeOthers, answersPrevious}},
	{"openai-responses", "OpenAI Responses API", []rule{answeredAnywhere, answersAnything, reasoningAlone}},
	{"deepseek", "DeepSeek", []rule{answeredBeforeOthers, answersPrevious}},
	{"gemini", "Gemini API", []rule{callAfterUser, equalCounts, answersPrevious}},
	{"mistral", "Mistral", []rule{equalCounts, answersPrevious, userAfterTool}},
	{"templates", "Chat templates of local models", []rule{someUser, userFirst, twoUsers}},
}

// lint is what a provider would reject in a list of messages sent as a request.
// Calls of the last batch that have no result yet are in flight, which is no
// defect; system messages travel apart from the list with most providers and are
// looked past.
func (p Provider) lint(r *request) []Defect {
	var out []Defect
	for _, rule := range p.rules {
		rule(r, func(d Defect) { out = append(out, d) })
	}
	return out
}

// Refusal is what a provider would reject before and after a pass. Messages are
// numbered as they were before it.
type Refusal struct {
	Provider  Provider
	Before    []Defect
	Caused    []Defect // there after the pass and not before: the pass made them
	Inherited []Defect // there after the pass as before
	Repaired  []Defect // there before the pass and not after it: it dropped or mended what they were of
}

// LintLists holds what providers would reject after a pass against what they
// would have rejected before it; numbers say which message each of those after it
// was, -1 for one that the pass wrote.
func LintLists(messages, left []*model.Message, numbers []int) []Refusal {
	before, after := newRequest(messages, nil), newRequest(left, numbers)
	out := make([]Refusal, len(Providers))
	for i, provider := range Providers {
		f := Refusal{Provider: provider, Before: provider.lint(before)}
		type key struct {
			rule, id string
			message  int
		}
		had := map[key]bool{}
		for _, d := range f.Before {
			had[key{d.Rule, d.ID, d.Message}] = true
		}
		still := map[key]bool{}
		for _, d := range provider.lint(after) {
			still[key{d.Rule, d.ID, d.Message}] = true
			if had[key{d.Rule, d.ID, d.Message}] {
				f.Inherited = append(f.Inherited, d)
			} else {
				f.Caused = append(f.Caused, d)
			}
		}
		for _, d := range f.Before {
			if !still[key{d.Rule, d.ID, d.Message}] {
				f.Repaired = append(f.Repaired, d)
			}
		}
		out[i] = f
	}
	return out
}

// request is a list of messages as providers look at it: in turns, which are
// messages in a row from one side, with the system messages left out.
type request struct {
	turns []turn
	last  int // the turn whose calls may be in flight, -1 for none
}

type turn struct {
	assistant bool
	messages  []*model.Message
	numbers   []int
}

func newRequest(messages []*model.Message, numbers []int) *request {
	r := &request{last: -1}
	for i, m := range messages {
		if m.Role == model.System || m.Mark == model.Boundary {
			continue
		}
		assistant := m.Role == model.Assistant
		if n := len(r.turns); n == 0 || r.turns[n-1].assistant != assistant {
			r.turns = append(r.turns, turn{assistant: assistant})
		}
		t := &r.turns[len(r.turns)-1]
		number := i
		if numbers != nil {
			number = numbers[i]
		}
		t.messages, t.numbers = append(t.messages, m), append(t.numbers, number)
	}
	for i := len(r.turns) - 1; i >= 0 && i >= len(r.turns)-2; i-- {
		if r.turns[i].assistant {
			r.last = i
			break
		}
		if r.turns[i].speaks() {
			break
		}
	}
	return r
}

// speaks reports whether a user's turn holds more than tool results.
func (t *turn) speaks() bool {
	spoken := false
	t.each(func(p *model.Part, _ int) { spoken = spoken || p.Kind != model.ToolResult })
	return spoken
}

// each hands over the parts of a turn with the numbers of their messages.
func (t *turn) each(visit func(p *model.Part, number int)) {
	for i, m := range t.messages {
		for k := range m.Parts {
			visit(&m.Parts[k], t.numbers[i])
		}
	}
}

func (t *turn) ids(k model.Kind) map[string]int {
	ids := map[string]int{}
	t.each(func(p *model.Part, _ int) {
		if p.Kind == k {
			ids[p.ID]++
		}
	})
	return ids
}

func (t *turn) count(k model.Kind) (n int) {
	t.each(func(p *model.Part, _ int) {
		if p.Kind == k {
			n++
		}
	})
	return n
}

// before and after are the neighbours of turn i; an empty turn where there is none.
func (r *request) before(i int) *turn {
	if i == 0 {
		return &turn{}
	}
	return &r.turns[i-1]
}

func (r *request) after(i int) *turn {
	if i+1 >= len(r.turns) {
		return &turn{}
	}
	return &r.turns[i+1]
}

func userFirst(r *request, found func(Defect)) {
	if len(r.turns) > 0 && r.turns[0].assistant {
		found(Defect{"user-first", r.turns[0].numbers[0], "", fmt.Sprintf("the first message, #%d, is the assistant's: it must be a user's", r.turns[0].numbers[0])})
	}
}

func someUser(r *request, found func(Defect)) {
	for i := range r.turns {
		if !r.turns[i].assistant && r.turns[i].speaks() {
			return
		}
	}
	found(Defect{"some-user", -1, "", "no user's message is left but tool results: there must be one"})
}

// answeredNext: every call is answered in the user's turn right after it.
func answeredNext(r *request, found func(Defect)) {
	for i := range r.turns {
		if !r.turns[i].assistant || i == r.last {
			continue
		}
		answers := r.after(i).ids(model.ToolResult)
		r.turns[i].each(func(p *model.Part, n int) {
			if p.Kind == model.ToolCall && answers[p.ID] == 0 {
				found(Defect{"answered-next", n, p.ID, fmt.Sprintf("call %s of #%d has no result in the turn right after it", name(p), n)})
			}
		})
	}
}

// answeredBeforeOthers: results follow their calls with nothing in between.
func answeredBeforeOthers(r *request, found func(Defect)) {
	for i := range r.turns {
		if !r.turns[i].assistant || i == r.last {
			continue
		}
		answers := map[string]bool{}
		next := r.after(i)
	run:
		for _, m := range next.messages {
			for k := range m.Parts {
				if m.Parts[k].Kind == model.ToolResult {
					answers[m.Parts[k].ID] = true
				}
			}
			for k := range m.Parts {
				if m.Parts[k].Kind != model.ToolResult {
					break run // text beside a result is sent after it, and ends the run of results
				}
			}
		}
		r.turns[i].each(func(p *model.Part, n int) {
			if p.Kind == model.ToolCall && !answers[p.ID] {
				found(Defect{"answered-next", n, p.ID, fmt.Sprintf("call %s of #%d is not followed by its result before other messages", name(p), n)})
			}
		})
	}
}

// answersPrevious: a result needs its call in the turn right before it.
func answersPrevious(r *request, found func(Defect)) {
	for i := range r.turns {
		if r.turns[i].assistant {
			continue
		}
		calls := r.before(i).ids(model.ToolCall)
		r.turns[i].each(func(p *model.Part, n int) {
			if p.Kind == model.ToolResult && calls[p.ID] == 0 {
				found(Defect{"answers-previous", n, p.ID, fmt.Sprintf("result %s in #%d has no call in the turn right before it", name(p), n)})
			}
		})
	}
}

// resultsFirst: in a message, results come before text.
func resultsFirst(r *request, found func(Defect)) {
	for i := range r.turns {
		if r.turns[i].assistant {
			continue
		}
		spoken := false
		r.turns[i].each(func(p *model.Part, n int) {
			if p.Kind == model.ToolResult && spoken {
				found(Defect{"results-first", n, p.ID, fmt.Sprintf("result %s in #%d stands after text of the same turn: results come first", name(p), n)})
			}
			spoken = spoken || p.Kind != model.ToolResult
		})
	}
}

// uniqueIDs: a call's id is not used again in the request.
func uniqueIDs(r *request, found func(Defect)) {
	seen := map[string]int{}
	for i := range r.turns {
		r.turns[i].each(func(p *model.Part, n int) {
			if p.Kind != model.ToolCall {
				return
			}
			if at, again := seen[p.ID]; again {
				found(Defect{"unique-ids", n, p.ID, fmt.Sprintf("call %s of #%d has the id of a call in #%d", name(p), n, at)})
				return
			}
			seen[p.ID] = n
		})
	}
}

// oneResult: a call has one result.
func oneResult(r *request, found func(Defect)) {
	for i := range r.turns {
		if r.turns[i].assistant {
			continue
		}
		calls := r.before(i).ids(model.ToolCall)
		seen := map[string]int{}
		r.turns[i].each(func(p *model.Part, n int) {
			if p.Kind != model.ToolResult || calls[p.ID] == 0 {
				return
			}
			if seen[p.ID]++; seen[p.ID] > calls[p.ID] {
				found(Defect{"one-result", n, p.ID, fmt.Sprintf("result %s in #%d is one more than its call has asked for", name(p), n)})
			}
		})
	}
}

// nothingEmpty: no message without content, and no empty text.
func nothingEmpty(r *request, found func(Defect)) {
	for i := range r.turns {
		final := i == len(r.turns)-1 && r.turns[i].assistant
		for k, m := range r.turns[i].messages {
			n := r.turns[i].numbers[k]
			if len(m.Parts) == 0 && !final {
				found(Defect{"nothing-empty", n, "", fmt.Sprintf("#%d has no content", n)})
			}
			for j := range m.Parts {
				if m.Parts[j].Kind == model.Text && m.Parts[j].Text == "" {
					found(Defect{"nothing-empty", n, "", fmt.Sprintf("#%d holds an empty text", n)})
				}
			}
		}
	}
}

// alternation: user and assistant take turns, message by message. Results of one
// batch count as one message.
func alternation(r *request, found func(Defect)) {
	for i := range r.turns {
		t := &r.turns[i]
		for k := 1; k < len(t.messages); k++ {
			if onlyResults(t.messages[k-1]) && onlyResults(t.messages[k]) {
				continue
			}
			found(Defect{"alternation", t.numbers[k], "", fmt.Sprintf("#%d and #%d in a row are from the same side", t.numbers[k-1], t.numbers[k])})
		}
	}
}

func onlyResults(m *model.Message) bool {
	t := turn{messages: []*model.Message{m}, numbers: []int{0}}
	return m.HasResult() && !t.speaks()
}

// twoUsers: no two messages of the user in a row, tool results looked past.
func twoUsers(r *request, found func(Defect)) {
	for i := range r.turns {
		t := &r.turns[i]
		last := -1
		for k, m := range t.messages {
			if t.assistant || onlyResults(m) {
				continue
			}
			if last >= 0 {
				found(Defect{"alternation", t.numbers[k], "", fmt.Sprintf("#%d and #%d are both a user's, with no answer between", last, t.numbers[k])})
			}
			last = t.numbers[k]
		}
	}
}

// callAfterUser: a turn with calls follows a user's turn or one with results.
func callAfterUser(r *request, found func(Defect)) {
	if len(r.turns) > 0 && r.turns[0].assistant && r.turns[0].count(model.ToolCall) > 0 {
		n := r.turns[0].numbers[0]
		found(Defect{"call-after-user", n, "", fmt.Sprintf("#%d asks for a tool with no user's turn before it", n)})
	}
}

// equalCounts: a turn with calls is followed by as many results.
func equalCounts(r *request, found func(Defect)) {
	for i := range r.turns {
		if !r.turns[i].assistant || i == r.last {
			continue
		}
		calls, results := r.turns[i].count(model.ToolCall), r.after(i).count(model.ToolResult)
		if calls > 0 && calls != results {
			n := r.turns[i].numbers[0]
			found(Defect{"equal-counts", n, "", fmt.Sprintf("%d calls from #%d on, but %d results right after them", calls, n, results)})
		}
	}
}

// userAfterTool: between a result and a user's message stands an answer.
func userAfterTool(r *request, found func(Defect)) {
	for i := range r.turns {
		t := &r.turns[i]
		results := false
		for k, m := range t.messages {
			if !t.assistant && results && !m.HasResult() {
				found(Defect{"user-after-tool", t.numbers[k], "", fmt.Sprintf("#%d is a user's message right after a tool result", t.numbers[k])})
			}
			results = results || m.HasResult()
		}
	}
}

// answeredAnywhere: every call has a result somewhere after it.
func answeredAnywhere(r *request, found func(Defect)) {
	list, numbers := r.flat()
	inFlight := map[int]bool{}
	if r.last >= 0 {
		for _, n := range r.turns[r.last].numbers {
			inFlight[n] = true
		}
	}
	for _, ref := range model.PairUp(list).LoneCalls {
		p, n := &list[ref.Message].Parts[ref.Part], numbers[ref.Message]
		if !inFlight[n] {
			found(Defect{"answered", n, p.ID, fmt.Sprintf("call %s of #%d has no result", name(p), n)})
		}
	}
}

// answersAnything: every result has a call somewhere before it.
func answersAnything(r *request, found func(Defect)) {
	list, numbers := r.flat()
	for _, ref := range model.PairUp(list).LoneResults {
		p, n := &list[ref.Message].Parts[ref.Part], numbers[ref.Message]
		found(Defect{"answers", n, p.ID, fmt.Sprintf("result %s in #%d has no call before it", name(p), n)})
	}
}

// reasoningAlone: encrypted reasoning is followed by what it led to.
func reasoningAlone(r *request, found func(Defect)) {
	for i := range r.turns {
		t := &r.turns[i]
		if !t.assistant || i == len(r.turns)-1 {
			continue
		}
		var last *model.Part
		at := -1
		t.each(func(p *model.Part, n int) { last, at = p, n })
		if last != nil && last.Kind == model.Opaque && t.messages[len(t.messages)-1].Mark != model.Summary {
			found(Defect{"reasoning-alone", at, "", fmt.Sprintf("the reasoning in #%d is not followed by the item it led to", at)})
		}
	}
}

func (r *request) flat() (list []*model.Message, numbers []int) {
	for i := range r.turns {
		list, numbers = append(list, r.turns[i].messages...), append(numbers, r.turns[i].numbers...)
	}
	return list, numbers
}

// name is how a tool part is called in a sentence.
func name(p *model.Part) string {
	switch {
	case p.ID == "":
		return "without an id"
	case p.Name != "":
		return fmt.Sprintf("%s (%s)", p.ID, p.Name)
	}
	return p.ID
}
