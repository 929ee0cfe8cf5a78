package study

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"cinch/model/token"
)

// Reading is what a provider's message, or the numbers of a ContextExceeded, say.
type Reading struct {
	Provider string // who says it: loopctl, Anthropic, OpenAI … "" when several do
	Kind     Kind
	Text     string // what happened, in one sentence
	Rule     string // the provider's rule that was broken, or the seed's
	Advice   string // what would have prevented it
	Used     int64  // tokens, 0 when not told
	Limit    int64
	IDs      []string // of tool calls, where told
}

// Kinds of rejections that are not about size.
const (
	TooLong        Kind = "too_long"         // the request is over the window
	CallUnanswered Kind = "call_unanswered"  // a tool call without its result
	ResultOrphaned Kind = "result_orphaned"  // a tool result without its call
	OutOfOrder     Kind = "out_of_order"     // results are there, but not where they must be
	DuplicateID    Kind = "duplicate_id"     // an id used twice
	ThinkingLost   Kind = "thinking_changed" // signed reasoning was changed or dropped
	EmptyContent   Kind = "empty_content"
	WrongRole      Kind = "wrong_role" // who speaks first, last, or twice in a row
	NoTools        Kind = "no_tools"   // tool traffic without declared tools
)

// pattern is a message that a provider is known to send. The named groups used
// and limit are token numbers, id a tool call's.
type pattern struct {
	provider string
	kind     Kind
	match    *regexp.Regexp
	rule     string
}

func loosely(s string) *regexp.Regexp { return regexp.MustCompile("(?is)" + s) }

const number = `([\d][\d,_]*)`

// patterns are made when a message is first read: most starts read none.
var patterns = sync.OnceValue(func() []pattern {
	return []pattern{
		{"loopctl", "", loosely(`ContextExceeded\s*\{?\s*\(?used:?\s*(?P<used>` + number + `)\D+limit:?\s*(?P<limit>` + number + `)`), ""},
		{"Anthropic", TooLong, loosely(`prompt is too long: (?P<used>` + number + `) tokens > (?P<limit>` + number + `) maximum`), "the prompt alone must fit the window"},
		{"Anthropic", TooLong, loosely("input length and `?max_tokens`? exceed context limit: (?P<used>" + number + `) \+ (?P<output>` + number + `) > (?P<limit>` + number + `)`), "prompt and output together must fit the window"},
		{"Anthropic", TooLong, loosely(`request exceeds the maximum size|request_too_large`), "a request may have 32 MB"},
		{"", TooLong, loosely(`maximum context length is (?P<limit>` + number + `) tokens\b.*?(?:requested|resulted in) (?P<used>` + number + `) tokens`), "prompt and output together must fit the window"},
		{"Gemini", TooLong, loosely(`input token count \(?(?P<used>` + number + `)\)? exceeds the maximum number of tokens allowed \(?(?P<limit>` + number + `)`), "the prompt must fit the window"},
		{"", TooLong, loosely(`context_length_exceeded|exceeds the context window of this model|maximum context length|context window (?:is )?exceeded`), "prompt and output together must fit the window"},

		{"Anthropic", CallUnanswered, loosely("`?tool_use`? ids were found without `?tool_result`? blocks immediately after:?\\s*(?P<ids>[\\w:, -]+)"), "every tool call must be answered in the next user message, all calls of a batch in the same one"},
		{"Anthropic", ResultOrphaned, loosely("unexpected `?tool_use_id`? found in `?tool_result`? blocks:?\\s*(?P<ids>[\\w:, -]+)"), "a tool result needs its call in the message before it"},
		{"Anthropic", OutOfOrder, loosely("did not find \\d+ `?tool_result`? block"), "tool results come before text in their user message"},
		{"Anthropic", DuplicateID, loosely("`?tool_use`? ids must be unique|each tool_use must have a single result|multiple `?tool_result`? blocks"), "ids are unique over the whole request, and each has one result"},
		{"Anthropic", ThinkingLost, loosely("(?:redacted_)?thinking`? blocks in the latest assistant message cannot be modified|expected `?thinking`? or `?redacted_thinking`?"), "signed reasoning of the last assistant message goes back unchanged, and stays during a tool loop"},
		{"Anthropic", EmptyContent, loosely(`text content blocks must be non-empty|all messages must have non-empty content|content can't be empty|text content is empty`), "no message and no text block may be empty"},
		{"Anthropic", WrongRole, loosely("first message must use the \"?'?`?user|at least one message is required|does not support assistant message prefill|must end with a user message"), "the user speaks first and last"},
		{"Anthropic", NoTools, loosely("tool_use`? or `?tool_result`? blocks must define tools|toolConfig field must be defined"), "a request with tool traffic declares its tools"},
		{"Bedrock", WrongRole, loosely(`a conversation must start with a user message`), "the user speaks first, and roles alternate"},
		{"Bedrock", OutOfOrder, loosely(`number of toolResult blocks.*exceeds the number of toolUse blocks|expected toolResult blocks`), "as many results as calls, in the next turn"},

		{"DeepSeek", CallUnanswered, loosely(`insufficient tool messages following tool_calls message`), "nothing may stand between a call and its results"},
		{"OpenAI", CallUnanswered, loosely(`an assistant message with 'tool_calls' must be followed by tool messages(?:.*?did not have response messages: (?P<ids>[\w:, -]+))?`), "all results of a batch follow their call"},
		{"OpenAI", ResultOrphaned, loosely(`messages with role 'tool' must be a response to a prece+ding message with 'tool_calls'`), "a tool message needs its call before it"},
		{"OpenAI Responses", ResultOrphaned, loosely(`no tool call found for function call output with call_id (?P<ids>[\w:-]+)`), "an output needs its function call somewhere in the input"},
		{"OpenAI Responses", CallUnanswered, loosely(`no tool output found for function call (?P<ids>[\w:-]+)`), "a function call needs its output somewhere in the input"},
		{"OpenAI Responses", ThinkingLost, loosely(`of type 'reasoning' was provided without its required following item|reasoning_content.* must be passed back`), "a reasoning item is followed by the item it led to"},
		{"OpenAI Responses", DuplicateID, loosely(`duplicate item found`), "an item stands once in the input"},

		{"Gemini", OutOfOrder, loosely(`number of function response parts is equal to the number of function call parts|function response turn comes immediately after a function call turn|function call turn comes immediately after a user turn`), "calls come right after a user or response turn, and their responses, as many as calls, right after them"},
		{"Gemini", ThinkingLost, loosely(`missing a thought_signature`), "a call goes back with its thought signature"},
		{"Gemini", WrongRole, loosely(`contents is not specified|contents is required`), "at least one message"},
		{"Mistral", WrongRole, loosely(`unexpected role '\w+' after role '\w+'|expected last role to be one of`), "an assistant message between tool and user, and tool or user last"},
		{"Mistral", OutOfOrder, loosely(`not the same number of function calls and responses`), "as many responses as calls"},
		{"chat template", WrongRole, loosely(`conversation roles must alternate`), "user and assistant take turns"},
	}
})

// advice says what would have prevented each kind, in the engine's terms.
var advice = map[Kind]string{
	TooLong:        "compaction came too late or not at all: the estimate was under the threshold line while the provider's count was over. Lower the threshold, reserve tokens for the output and for what rides along, or count with a closer counter",
	CallUnanswered: "the pass kept a call and dropped its result, or ran between a call and its result: a cut must move back until no pair lies across it, and calls in flight must not be cut off",
	ResultOrphaned: "the pass kept a result and dropped its call: a cut must move back until no pair lies across it, and lone results must be removed",
	OutOfOrder:     "keep a call and all its results as one group, with nothing between them",
	DuplicateID:    "a proxy reused an id: pair by occurrence, and give repeated ids new names before sending",
	ThinkingLost:   "a pass must not rewrite the last assistant message while its tool loop runs",
	EmptyContent:   "remove messages that a pass has emptied, and treat an empty summary as a failure",
	WrongRole:      "look at the seam of the pass: what stands beside the first message after the cut, and who speaks last",
	NoTools:        "send the tool schemas with every request, also after a pass, and count them as overhead",
}

// ReadMessage reads an error message of loopctl or of a provider. window is the
// context window in tokens, 0 when unknown; it tells which rule a
// ContextExceeded came from. ok is false for a message nobody is known to send.
func ReadMessage(text string, window int64) (r Reading, ok bool) {
	for _, p := range patterns() {
		m := p.match.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		group := func(name string) string {
			if i := p.match.SubexpIndex(name); i >= 0 {
				return m[i]
			}
			return ""
		}
		used, limit := tokens(group("used")), tokens(group("limit"))
		if p.kind == "" {
			return ReadNumbers(used, limit, window, 0), true
		}
		r = Reading{Provider: p.provider, Kind: p.kind, Rule: p.rule, Advice: advice[p.kind], Used: used + tokens(group("output")), Limit: limit}
		for _, id := range strings.FieldsFunc(group("ids"), func(c rune) bool { return c == ',' || c == ' ' }) {
			r.IDs = append(r.IDs, id)
		}
		r.Text = r.sentence()
		return r, true
	}
	return r, false
}

func (r *Reading) sentence() string {
	who := r.Provider
	if who == "" {
		who = "the provider"
	}
	ids := ""
	if len(r.IDs) > 0 {
		ids = " (" + strings.Join(r.IDs, ", ") + ")"
	}
	switch r.Kind {
	case TooLong:
		if r.Used > 0 && r.Limit > 0 {
			return fmt.Sprintf("%s counted %s tokens, %s over its limit of %s", who, token.Format(r.Used), token.Format(r.Used-r.Limit), token.Format(r.Limit))
		}
		return who + " refused a request that is too long"
	case CallUnanswered:
		return fmt.Sprintf("%s was sent a tool call%s without its tool result", who, ids)
	case ResultOrphaned:
		return fmt.Sprintf("%s was sent a tool result%s without its tool call", who, ids)
	case OutOfOrder:
		return who + " was sent tool calls and results in an order it does not take"
	case DuplicateID:
		return who + " was sent the same id twice"
	case ThinkingLost:
		return who + " was sent changed or missing reasoning"
	case EmptyContent:
		return who + " was sent an empty message or text"
	case WrongRole:
		return who + " was sent messages whose roles do not follow one another as it wants"
	}
	return who + " was sent tool traffic without declared tools"
}

// ReadNumbers reads a ContextExceeded by its numbers alone, all in tokens with
// overhead. window and before (the size before the pass) are 0 when unknown.
func ReadNumbers(used, limit, window, before int64) Reading {
	r := Reading{Provider: "loopctl", Used: used, Limit: limit}
	fits := "the limit is the window: what the pass kept (or, where the compactor failed, what there was) did not fit"
	shaved := "the limit is the size before the pass: nothing was shaved off"
	switch {
	case window > 0 && limit == window && (limit != before || used > limit):
		r.Kind, r.Rule = ResultTooLarge, fits
		r.Text = fmt.Sprintf("after the pass ~%s tokens were left, %s over the window of %s", token.Format(used), token.Format(used-limit), token.Format(limit))
		r.Advice = "a larger window, or a compactor that shrinks harder, such as one that summarises"
	case before > 0 && limit == before, window > 0 && limit != window, window == 0 && used == limit:
		r.Kind, r.Rule = NothingShaved, shaved
		r.Text = fmt.Sprintf("the pass was given ~%s tokens and gave back ~%s: the no-progress guard ended the run", token.Format(limit), token.Format(used))
		r.Advice = "look for a veto, a conversation of no more than min_messages, a preserve_recent that covers all, or a pair that pins the cut; then a summarising compactor, a larger window, or less seed content"
	case window == 0 && used < limit:
		r.Kind, r.Rule = ResultTooLarge, fits
		r.Text = fmt.Sprintf("~%s tokens were used of %s: less than the limit, so these are not the numbers of one ContextExceeded", token.Format(used), token.Format(limit))
		r.Advice = "read used and limit off the same message"
	default:
		r.Kind, r.Rule = ResultTooLarge, "most likely "+fits+"; name the window to be sure"
		r.Text = fmt.Sprintf("~%s tokens were left, %s over the limit of %s", token.Format(used), token.Format(used-limit), token.Format(limit))
		r.Advice = "a larger window, or a compactor that shrinks harder, such as one that summarises; if the limit was the size before the pass, nothing was shaved off"
	}
	return r
}

// tokens reads a number with thousands separators, 0 for none.
func tokens(s string) int64 {
	n, _ := strconv.ParseInt(strings.NewReplacer(",", "", "_", "").Replace(s), 10, 64)
	return n
}
