package transcript

import (
	"context"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// TestRequestFields: what stands beside the messages is there again, in each of
// the ways in which requests and their answers are kept.
func TestRequestFields(t *testing.T) {
	const tools = `[{"type":"function","name":"f","description":"d","parameters":{"type":"object"}}]`
	for _, test := range []struct {
		name, format, file string
		holds, lacks       []string // members of what is written
	}{
		{"an input that is a string", "openai-responses",
			`{"model":"m","input":"hi","instructions":"Be brief.","tools":` + tools + `,"tool_choice":"auto"}`,
			[]string{"model", "instructions", "tools.0.name", "tool_choice", "input.0.content.0.text"}, nil},
		{"a response alone", "openai-responses",
			`{"object":"response","id":"resp_1","model":"m","instructions":"Be brief.","tools":` + tools + `,"output":[{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}],"usage":{"input_tokens":9}}`,
			[]string{"id", "model", "instructions", "tools.0.name", "output.0.call_id", "object"}, []string{"input"}},
		{"a request with its response", "openai-responses",
			`{"request":{"model":"m","input":[{"role":"user","content":"hi"}],"instructions":"Be brief.","store":false},"response":{"object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ho"}]}]}}`,
			[]string{"model", "instructions", "store", "input.1.content.0.text"}, []string{"request", "response", "output"}},
		{"a batch of requests", "openai-responses",
			`[{"model":"m","input":[{"role":"user","content":"a"}],"instructions":"A"},{"model":"m","input":[{"role":"user","content":"b"}],"instructions":"B"}]`,
			[]string{"instructions"}, nil},
		{"a completion alone", "openai",
			`{"id":"x","object":"chat.completion","model":"m","choices":[{"message":{"role":"assistant","content":"ho"}}],"usage":{"prompt_tokens":9}}`,
			[]string{"model", "messages.0.content"}, []string{"choices"}},
		{"a completion beside its request", "openai",
			`{"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"kwargs":{"temperature":1.0},"response":{"model":"m","choices":[{"message":{"role":"assistant","content":"ho"}}]},"cost":1e-3}`,
			[]string{"model", "tools.0.function.name", "kwargs.temperature", "messages.1.content", "cost"}, []string{"response"}},
		{"choices in the request itself", "openai",
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"choices":[{"message":{"role":"assistant","content":"ho"}}]}`,
			[]string{"messages.1.content"}, []string{"choices", "messages.2"}},
		{"a batch line", "openai",
			`{"custom_id":"1","method":"POST","url":"/v1","body":{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[]}}`,
			[]string{"model", "messages.0.content", "tools"}, []string{"body"}},
		{"a list of messages", "openai", `[{"role":"user","content":"hi"},{"role":"system","content":"s"}]`, []string{"0.content", "1.content"}, nil},
		{"an Anthropic log", "anthropic",
			`{"request":{"body":{"model":"claude-opus-4-5","max_tokens":9,"system":"Be brief.","messages":[{"role":"user","content":"hi"}]}},"response":{"body":{"type":"message","role":"assistant","content":[{"type":"text","text":"ho"}]}}}`,
			[]string{"model", "max_tokens", "system", "messages.1.content.0.text"}, []string{"response", "request"}},
		{"a Gemini string", "gemini",
			`{"model":"gemini-3","contents":"hi","systemInstruction":{"parts":[{"text":"Be brief."}]},"generationConfig":{}}`,
			[]string{"model", "systemInstruction", "generationConfig", "contents.0.parts.0.text"}, nil},
		{"a Gemini log", "gemini",
			`{"request":{"contents":[{"parts":[{"text":"hi"}]}],"tools":[{"functionDeclarations":[{"name":"f"}]}]},"response":{"candidates":[{"content":{"role":"model","parts":[{"text":"ho"}]}}]}}`,
			[]string{"tools", "contents.1.parts.0.text"}, []string{"response", "candidates"}},
		{"a graph's state", "langchain",
			`{"values":{"messages":[{"type":"human","content":"hi"}],"todos":[1.0]},"next":[]}`,
			[]string{"todos.0", "messages.0.content"}, nil},
		{"a native request", "native",
			`{"options":{"model":"m"},"request":{"system":"Be brief.","messages":[{"role":"user","parts":[{"type":"text","text":"hi"},{"type":"tool_result","call_id":"x","output":"y"}]}],"tools":[{"tool":"f","description":"d","input_schema":{}}]}}`,
			[]string{"system", "tools.0.tool", "messages.0.parts.0.text"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := Read(context.Background(), "x", strings.NewReader(test.file), Options{})
			if err != nil || f.Format != test.format {
				t.Fatalf("read as %+v, %v", f, err)
			}
			c := f.Selected
			back, text := again(t, f, test.format, c, c.View(model.Context))
			got := back.Selected
			if a, b := utterances(got.Messages, true), utterances(c.Messages, true); a != b {
				t.Errorf("read back\n%s\nwant\n%s", a, b)
			}
			if got.System != c.System || got.Tools != c.Tools || got.Model != c.Model && test.format != "native" {
				t.Errorf("system %q, tools %q, model %q; want %q, %q, %q", got.System, got.Tools, got.Model, c.System, c.Tools, c.Model)
			}
			for _, path := range test.holds {
				if !gjson.Get(text, path).Exists() {
					t.Errorf("no %s in\n%s", path, text)
				}
			}
			for _, path := range test.lacks {
				if gjson.Get(text, path).Exists() {
					t.Errorf("%s is in\n%s", path, text)
				}
			}
		})
	}
}

// TestToolsAs: tool schemas are told in the words of each API, and those that only
// their provider runs are left out.
func TestToolsAs(t *testing.T) {
	const parameters = `{"type":"object","properties":{"NAME":{"default":1.0}}}`
	want := map[string]string{
		"openai":           `[{"type":"function","function":{"name":"f","description":"d","parameters":` + parameters + `}}]`,
		"openai-responses": `[{"type":"function","name":"f","description":"d","parameters":` + parameters + `}]`,
		"anthropic":        `[{"name":"f","description":"d","input_schema":` + parameters + `}]`,
		"gemini":           `[{"functionDeclarations":[{"name":"f","description":"d","parameters":` + parameters + `}]}]`,
		"codex":            `[{"name":"f","description":"d","inputSchema":` + parameters + `}]`,
	}
	from := map[string]string{
		"loopctl":                           `[{"tool":"f","description":"d","input_schema":` + parameters + `}]`,
		"bedrock":                           `[{"toolSpec":{"name":"f","description":"d","inputSchema":{"json":` + parameters + `}}}]`,
		"a search of the provider's beside": `[{"type":"web_search"},{"name":"f","description":"d","input_schema":` + parameters + `}]`,
	}
	for name, tools := range want {
		from[name] = tools
	}
	for name, tools := range from {
		for format, want := range want {
			if got := toolsAs(format, tools); got != want {
				t.Errorf("%s as %s: %s", name, format, got)
			}
		}
	}
	for _, tools := range []string{"", "[]", `[{"type":"web_search"}]`, "not json", `{"name":"f"}`} {
		if got := toolsAs("openai", tools); got != "" {
			t.Errorf("%q as openai: %s", tools, got)
		}
	}
}
