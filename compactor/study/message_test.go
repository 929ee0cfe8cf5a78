package study

import (
	"slices"
	"strings"
	"testing"
)

func TestReadMessage(t *testing.T) {
	tests := []struct {
		name, text  string
		window      int64
		provider    string
		kind        Kind
		used, limit int64
		ids         []string
	}{
		{name: "loopctl, result over the window", text: "Error: ContextExceeded { used: 9120, limit: 8000 }", window: 8000, provider: "loopctl", kind: ResultTooLarge, used: 9120, limit: 8000},
		{name: "loopctl, nothing shaved", text: "ContextExceeded{used: 6900, limit: 6900}", window: 8000, provider: "loopctl", kind: NothingShaved, used: 6900, limit: 6900},
		{name: "prompt too long", text: `{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}`, provider: "Anthropic", kind: TooLong, used: 208310, limit: 200000},
		{name: "prompt and output", text: "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length", provider: "Anthropic", kind: TooLong, used: 222000, limit: 200000},
		{name: "compatible server", text: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion).", kind: TooLong, used: 9000, limit: 8192},
		{name: "code only", text: `"code": "context_length_exceeded"`, kind: TooLong},
		{name: "gemini size", text: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", provider: "Gemini", kind: TooLong, used: 1200000, limit: 1048576},
		{name: "anthropic, unanswered", text: "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01, toolu_02", provider: "Anthropic", kind: CallUnanswered, ids: []string{"toolu_01", "toolu_02"}},
		{name: "anthropic, orphan", text: "unexpected `tool_use_id` found in `tool_result` blocks: toolu_09. Each block must have a corresponding block", provider: "Anthropic", kind: ResultOrphaned, ids: []string{"toolu_09"}},
		{name: "openai, unanswered", text: "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_7", provider: "OpenAI", kind: CallUnanswered, ids: []string{"call_7"}},
		{name: "responses, orphan", text: "No tool call found for function call output with call_id call_x1.", provider: "OpenAI Responses", kind: ResultOrphaned, ids: []string{"call_x1"}},
		{name: "deepseek", text: "insufficient tool messages following tool_calls message", provider: "DeepSeek", kind: CallUnanswered},
		{name: "gemini counts", text: "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.", provider: "Gemini", kind: OutOfOrder},
		{name: "alternation", text: "Conversation roles must alternate user/assistant/user/assistant/...", provider: "chat template", kind: WrongRole},
		{name: "empty text", text: "messages: text content blocks must be non-empty", provider: "Anthropic", kind: EmptyContent},
		{name: "thinking", text: "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.", provider: "Anthropic", kind: ThinkingLost},
		{name: "mistral", text: "Unexpected role 'user' after role 'tool'", provider: "Mistral", kind: WrongRole},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, ok := ReadMessage(test.text, test.window)
			if !ok {
				t.Fatal("not recognised")
			}
			if r.Provider != test.provider || r.Kind != test.kind || r.Used != test.used || r.Limit != test.limit || !slices.Equal(r.IDs, test.ids) {
				t.Errorf("%+v", r)
			}
			if r.Text == "" || r.Rule == "" || r.Advice == "" {
				t.Errorf("incomplete: %+v", r)
			}
		})
	}
	if r, ok := ReadMessage("connection reset by peer", 0); ok {
		t.Errorf("read %+v out of nothing", r)
	}
}

func TestReadNumbers(t *testing.T) {
	tests := []struct {
		name                        string
		used, limit, window, before int64
		want                        Kind
		says                        string
	}{
		{"limit is the window", 9000, 8000, 8000, 0, ResultTooLarge, "1,000 over the window"},
		{"limit is the size before", 6500, 6500, 8000, 6500, NothingShaved, "no-progress guard"},
		{"limit is not the window", 6600, 6500, 8000, 0, NothingShaved, "no-progress guard"},
		{"window unknown, equal numbers", 6500, 6500, 0, 0, NothingShaved, "no-progress guard"},
		{"window unknown, more than the limit", 6501, 6500, 0, 0, ResultTooLarge, "1 over the limit"},
		{"the pass ran at exactly the window", 8000, 8000, 8000, 8000, NothingShaved, "no-progress guard"},
		{"and grew past it", 8001, 8000, 8000, 8000, ResultTooLarge, "1 over the window"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := ReadNumbers(test.used, test.limit, test.window, test.before)
			if r.Kind != test.want || !strings.Contains(r.Text, test.says) {
				t.Errorf("%s: %s; want %s with %q", r.Kind, r.Text, test.want, test.says)
			}
		})
	}
}
