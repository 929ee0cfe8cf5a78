package transcript

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cinch/model"
)

// stream is a server-sent event stream of events.
func stream(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "data: %s\n\n", e)
	}
	return b.String()
}

// What has come of an answer is kept where its stream was cut off, and one that
// came whole does not say otherwise.
func TestStreamsCutOff(t *testing.T) {
	const created = `{"type":"response.created","response":{"id":"r1","object":"response","model":"m","output":[]}}`
	word := func(s string) string {
		return `{"type":"response.output_text.delta","item_id":"i1","output_index":0,"content_index":0,"delta":"` + s + `"}`
	}
	for _, test := range []struct {
		name   string
		events []string
		want   string
		cut    bool
	}{
		{"words", []string{created, word("Hel"), word("lo")}, `text "Hello"`, true},
		{"words without a beginning", []string{word("Hel"), word("lo")}, `text "Hello"`, true},
		{"words that ended", []string{created, word("Hel"), `{"type":"response.output_text.done","item_id":"i1","output_index":0,"content_index":0,"text":"Hello!"}`}, `text "Hello!"`, true},
		{"words of two parts", []string{created, word("one"), strings.Replace(word("two"), `"content_index":0`, `"content_index":1`, 1), word("!")}, `text "one!"|text "two"`, true},
		{"an item that ended and one that did not", []string{
			created, word("Hel"),
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello"}]}}`,
			`{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"f1","call_id":"c1","name":"look","arguments":""}}`,
			`{"type":"response.function_call_arguments.delta","item_id":"other","output_index":1,"delta":"{\"at\":"}`,
			`{"type":"response.function_call_arguments.delta","item_id":"other","output_index":1,"delta":"1"}`,
		}, `text "Hello"|tool_call "\"{\\\"at\\\":1\""`, true},
		{"arguments that ended", []string{
			created,
			`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f1","call_id":"c1","name":"look","arguments":""}}`,
			`{"type":"response.function_call_arguments.done","item_id":"f1","output_index":0,"arguments":"{\"at\":1}"}`,
		}, `tool_call "{\"at\":1}"`, true},
		{"thoughts", []string{
			created,
			`{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"t1","summary":[]}}`,
			`{"type":"response.reasoning_summary_text.delta","item_id":"t1","output_index":0,"summary_index":0,"delta":"I "}`,
			`{"type":"response.reasoning_summary_text.delta","item_id":"t1","output_index":0,"summary_index":0,"delta":"think"}`,
		}, `thinking "I think"`, true},
		{"whole", []string{created, word("Hel"), `{"type":"response.completed","response":{"id":"r1","object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello"}]}]}}`}, `text "Hello"`, false},
		{"whole, without its items again", []string{created, word("Hel"), `{"type":"response.completed","response":{"id":"r1","object":"response","output":[]}}`}, `text "Hel"`, false},
		{"a chat", []string{`{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]}`}, `text "Hel"`, true},
		{"a whole chat", []string{`{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"},"finish_reason":"stop"}]}`}, `text "Hel"`, false},
		{"Anthropic's", []string{
			`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[]}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}`,
		}, `text "Hel"`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := Read(context.Background(), "stream", strings.NewReader(stream(test.events...)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := partsOf(f.Selected); got != test.want {
				t.Errorf("read %s, want %s", got, test.want)
			}
			told := len(f.Warnings) == 1 && f.Warnings[0].Text == cutStream
			if told != test.cut || len(f.Warnings) > 1 {
				t.Errorf("warnings %+v, want cut %v", f.Warnings, test.cut)
			}
		})
	}
}

// partsOf is what a conversation's parts are and say.
func partsOf(c *model.Conversation) string {
	var out []string
	for _, m := range c.Messages {
		for _, p := range m.Parts {
			out = append(out, fmt.Sprintf("%v %q", p.Kind, p.Text))
		}
	}
	return strings.Join(out, "|")
}

// Answers that stand in a row in one file are read as the same answers put together
// and in a row would be, and in a log, where they are answers to one call, the last one is the answer.
func TestStreamsInARow(t *testing.T) {
	chat := func(id, text string) string {
		return `{"id":"` + id + `","choices":[{"index":0,"delta":{"role":"assistant","content":"` + text + `"}}]}`
	}
	anthropic := func(text string) []string {
		return []string{
			`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[]}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + text + `"}}`,
		}
	}
	responses := func(text string) []string {
		return []string{
			`{"type":"response.created","response":{"id":"r1","object":"response","output":[]}}`,
			`{"type":"response.output_text.delta","item_id":"i1","output_index":0,"content_index":0,"delta":"` + text + `"}`,
		}
	}
	gemini := func(id, text string) string {
		return `{"responseId":"` + id + `","candidates":[{"content":{"role":"model","parts":[{"text":"` + text + `"}]}}]}`
	}
	for _, test := range []struct {
		name   string
		events []string
	}{
		{"another id", []string{chat("a", "FIR"), chat("a", "ST"), chat("b", "SECOND")}},
		{"done", []string{chat("a", "FIRST"), "[DONE]", chat("a", "SECOND"), "[DONE]"}},
		{"done without an id", []string{chat("", "FIRST"), "[DONE]", chat("", "SECOND"), "[DONE]"}},
		{"what was used under another id", []string{chat("a", "FIRST"), `{"id":"u","choices":[],"usage":{"prompt_tokens":4}}`, chat("b", "SECOND")}},
		{"Anthropic's", append(anthropic("FIRST"), anthropic("SECOND")...)},
		{"the Responses API", append(responses("FIRST"), responses("SECOND")...)},
		{"Gemini's", []string{gemini("a", "FIR"), gemini("a", "ST"), gemini("b", "SECOND")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := stream(test.events...)
			f, err := Read(context.Background(), "stream", strings.NewReader(text), Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range f.Conversations {
				got = append(got, spoken(c))
			}
			want := "FIRST SECOND"
			if test.name == "Anthropic's" {
				want = "FIRST|SECOND" // whose answers are messages, and messages in a row are a conversation
			}
			if strings.Join(got, " ") != want {
				t.Errorf("read %q, want %q", got, want)
			}
			member := "messages"
			sent := `[{"role":"user","content":"hi"}]`
			if test.name == "Anthropic's" {
				sent += `,"system":"Answer.","max_tokens":9`
			}
			switch f.Format {
			case "gemini":
				member, sent = "contents", `[{"role":"user","parts":[{"text":"hi"}]}]`
			case "openai-responses":
				member, sent = "input", `[{"role":"user","content":[{"type":"input_text","text":"hi"}]}]`
			}
			log := `{"request":{"body":{"` + member + `":` + sent + `}},"response":{"body_raw":` + quote(text) + `}}`
			f, err = Read(context.Background(), "log", strings.NewReader(log), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := spoken(f.Selected); got != "hi|SECOND" {
				t.Errorf("a log of it reads %q", got)
			}
			if !strings.Contains(fmt.Sprint(f.Warnings), "2 answers in the event stream of one call, the last is read") {
				t.Errorf("a log of it warns %v", f.Warnings)
			}
		})
	}
}
