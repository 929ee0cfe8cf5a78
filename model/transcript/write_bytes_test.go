package transcript

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"cinch/model"
	"cinch/model/token"
)

// oddities stand in every record: a member nobody knows, numbers and escapes in
// unusual forms, white space where a program would not put it.
const oddities = `"x_odd" : {"n":1.0,"e":1e3, "big":12345678901234567890, "z":-0 , "s":"\u00e9\ud83d\ude00 \/ \u2028"}`

type byteCase struct {
	format, file string
	at           string   // where the records stand, "" for lines
	survive      []int    // the records that survive, by number
	cleared      int      // that of the cleared result
	changed      []string // members that may differ in all of them
	output       string   // member that differs in the cleared one
	beside       []string // what else is to stay
}

// byteCases hold, for every writable format, a conversation of eight messages: a
// question, a call, its result, an answer, a question, a call, its result, an
// answer. What a pass takes is the second to the fourth, and the text of the last
// result.
var byteCases = []byteCase{
	{
		format: "claude-code",
		file: `{"parentUuid":null, "sessionId":"s","cwd":"/p","version":"2.1.0","isSidechain":false,` + oddities + `,"type":"user","message":{"role":"user","content":"one"},"uuid":"u0","timestamp":"2026-05-01T09:00:00.000Z"}
{"parentUuid":"u0","sessionId":"s","type":"assistant","message":{"id":"m1","role":"assistant","model":"claude-opus-4-5","content":[{"type":"tool_use","id":"c1","name":"Read","input":{"n":1.0}}],"usage":{"input_tokens":900}},"uuid":"u1"}
{"parentUuid":"u1","sessionId":"s","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r1"}]},"uuid":"u2"}
{"parentUuid":"u2","sessionId":"s","type":"assistant","message":{"id":"m2","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"two"}],"usage":{"input_tokens":950}},"uuid":"u3"}
{"uuid":"u4" , "parentUuid":"u3","sessionId":"s",` + oddities + `,"type":"user","message":{ "content" : "three" , "role" : "user"},"timestamp":"2026-05-01T09:00:04.000Z"}
{"parentUuid":"u4","sessionId":"s",` + oddities + `,"type":"assistant","message":{"id":"m3","role":"assistant","model":"claude-opus-4-5","content":[{"type":"tool_use","id":"c2","name":"Read","input":{"n":1.0,"e":1e3,"s":"\u00e9"},` + oddities + `}],"usage":{"input_tokens":960,"cache_read_input_tokens":30,"cache_creation":{"a":1.0},"output_tokens":7}},"uuid":"u5"}
{"parentUuid":"u5","sessionId":"s",` + oddities + `,"type":"user","message":{"role":"user","content":[{ "tool_use_id":"c2","type":"tool_result",` + oddities + `,"content":"r2"}]},"uuid":"u6"}
{"parentUuid":"u6","sessionId":"s",` + oddities + `,"type":"assistant","message":{"id":"m4","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"f\u00f6ur"}],"usage":{"input_tokens":970,"output_tokens":7}},"uuid":"u7"}
{"type":"custom-title","customTitle":"T","sessionId":"s"}
`,
		survive: []int{0, 4, 5, 6, 7}, cleared: 6, output: "message.content.0.content",
		changed: []string{"parentUuid", "message.usage.input_tokens", "message.usage.cache_read_input_tokens"},
		beside:  []string{`{"type":"custom-title","customTitle":"T","sessionId":"s"}`, `"cache_creation":{"a":1.0}`},
	},
	{
		format: "codex",
		file: `{"timestamp":"2026-05-01T09:00:00.000Z","type":"session_meta","payload":{"id":"7d1f0c52-0000-4000-8000-000000000001","cwd":"/p",` + oddities + `}}
{"timestamp":"2026-05-01T09:00:00.000Z","type":"turn_context","payload":{"model":"gpt-5",` + oddities + `}}
{"timestamp":"2026-05-01T09:00:01.000Z","type":"response_item",` + oddities + `,"payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]}}
{"timestamp":"2026-05-01T09:00:02.000Z","type":"response_item","payload":{"type":"function_call","name":"sh","arguments":"{}","call_id":"c1"}}
{"timestamp":"2026-05-01T09:00:03.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"r1"}}
{"timestamp":"2026-05-01T09:00:04.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"two"}]}}
{"timestamp":"2026-05-01T09:00:05.000Z","type":"response_item",` + oddities + `,"payload":{ "role":"user" ,"type":"message","content":[{"type":"input_text","text":"three"}]}}
{"timestamp":"2026-05-01T09:00:06.000Z","type":"response_item",` + oddities + `,"payload":{"type":"reasoning","summary":[],"encrypted_content":"s3al",` + oddities + `}}
{"timestamp":"2026-05-01T09:00:06.000Z","type":"response_item",` + oddities + `,"payload":{"type":"function_call","name":"sh","arguments":"{\"n\": 1.0, \"s\":\"\\u00e9\"}","call_id":"c2"}}
{"timestamp":"2026-05-01T09:00:08.000Z","type":"response_item",` + oddities + `,"payload":{"call_id":"c2", "type":"function_call_output","output":"r2",` + oddities + `}}
{"timestamp":"2026-05-01T09:00:07.000Z","type":"event_msg","payload":{"type":"token_count",` + oddities + `,"info":{"total_token_usage":{"total_tokens":9000},"last_token_usage":{"input_tokens":960,"output_tokens":7,"total_tokens":967},"model_context_window":258400}}}
{"timestamp":"2026-05-01T09:00:08.900Z","type":"event_msg","payload":{"type":"agent_message",` + oddities + `,"message":"f\u00f6ur"}}
{"timestamp":"2026-05-01T09:00:09.000Z","type":"response_item",` + oddities + `,"payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"f\u00f6ur"}],"phase":"final"}}
`,
		survive: []int{0, 1, 2, 6, 7, 8, 9, 10, 11, 12}, cleared: 9, output: "payload.output",
		changed: []string{"payload.info.last_token_usage.input_tokens", "payload.info.last_token_usage.total_tokens"},
	},
	{
		format: "pi",
		file: `{"type":"session","version":3,"id":"s","timestamp":"2026-05-01T09:00:00.000Z","cwd":"/p",` + oddities + `}
{"type":"model_change","id":"00000001","parentId":null,"timestamp":"2026-05-01T09:00:00.000Z","provider":"x","modelId":"m",` + oddities + `}
{"type":"message","id":"00000002","parentId":"00000001",` + oddities + `,"message":{"role":"user","content":"one"}}
{"type":"message","id":"00000003","parentId":"00000002","message":{"role":"assistant","model":"m","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{}}],"usage":{"input":900,"output":1},"stopReason":"toolUse"}}
{"type":"message","id":"00000004","parentId":"00000003","message":{"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"r1"}],"isError":false}}
{"type":"message","id":"00000005","parentId":"00000004","message":{"role":"assistant","model":"m","content":[{"type":"text","text":"two"}],"stopReason":"stop"}}
{"id":"00000006","type":"message", "parentId":"00000005",` + oddities + `,"message":{"content":"three" , "role":"user"}}
{"type":"message","id":"00000007","parentId":"00000006",` + oddities + `,"message":{"role":"assistant","model":"m","content":[{"type":"toolCall","id":"c2","name":"read","arguments":{"n":1.0,"s":"\u00e9"},` + oddities + `}],"usage":{"input":960,"output":7,"cacheRead":30,"totalTokens":997,"cost":{"total":1.50}},"stopReason":"toolUse"}}
{"type":"message","id":"00000008","parentId":"00000007",` + oddities + `,"message":{"toolCallId":"c2","role":"toolResult","toolName":"read","content":[{"type":"text","text":"r2"}],"isError":false,"details":{"n":1e3}}}
{"type":"message","id":"00000009","parentId":"00000008",` + oddities + `,"message":{"role":"assistant","model":"m","content":[{"type":"text","text":"f\u00f6ur"}],"stopReason":"stop"}}
`,
		survive: []int{0, 1, 2, 6, 7, 8, 9}, cleared: 8, output: "message.content",
		changed: []string{"parentId", "message.usage.input", "message.usage.cacheRead", "message.usage.totalTokens"},
		beside:  []string{`"cost":{"total":1.50}`},
	},
	{
		format: "openai", at: "messages",
		file: `{ "temperature":1.0, ` + oddities + `, "model":"gpt-5",
 "messages" : [{"role":"user", "content":"one",` + oddities + `},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"r1"},
  {"role":"assistant","content":"two"},
  {"content" : "three" ,"role":"user",` + oddities + `},
  {"role":"assistant","content":null,"tool_calls":[ {"type":"function","id":"c2","function":{"arguments":"{\"n\": 1.0}","name":"f"},` + oddities + `} ]},
  {"tool_call_id":"c2","role":"tool","content":"r2",` + oddities + `},
  {"role":"assistant","content":"f\u00f6ur",
   "refusal":null}],
 "tools":[{"type":"function","function":{"name":"f","parameters":{"n":1.0}}}], "seed" : 1e3 }`,
		survive: []int{0, 4, 5, 6, 7}, cleared: 6, output: "content",
		beside: []string{`{ "temperature":1.0, ` + oddities + `, "model":"gpt-5",`, `"tools":[{"type":"function","function":{"name":"f","parameters":{"n":1.0}}}], "seed" : 1e3 }`},
	},
	{
		format: "openai-responses", at: "input",
		file: `{ "store":false, ` + oddities + `, "model":"gpt-5", "instructions":"Be br\u00eff.",
 "input" : [{"role":"user", "content":"one",` + oddities + `},
  {"type":"function_call","name":"f","arguments":"{}","call_id":"c1"},
  {"type":"function_call_output","call_id":"c1","output":"r1"},
  {"type":"message","role":"assistant","content":[{"type":"output_text","text":"two"}]},
  {"content" : "three" ,"role":"user",` + oddities + `},
  {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"s3al",` + oddities + `},
  {"type":"function_call","name":"f","arguments":"{\"n\": 1.0}","call_id":"c2",` + oddities + `},
  {"call_id":"c2","type":"function_call_output","output":"r2",` + oddities + `},
  {"type":"message","role":"assistant","content":[{"type":"output_text","text":"f\u00f6ur",` + oddities + `}]}],
 "tools":[{"type":"function","name":"f","parameters":{"n":1.0}},{"type":"web_search"}], "top_p" : 1e0 }`,
		survive: []int{0, 4, 5, 6, 7, 8}, cleared: 7, output: "output",
		beside: []string{`{ "store":false, ` + oddities + `, "model":"gpt-5", "instructions":"Be br\u00eff.",`, `"tools":[{"type":"function","name":"f","parameters":{"n":1.0}},{"type":"web_search"}], "top_p" : 1e0 }`},
	},
	{
		format: "anthropic", at: "messages",
		file: `{ "max_tokens":1e3, ` + oddities + `, "model":"claude-opus-4-5", "system":[{"type":"text","text":"Be br\u00eff.","cache_control":{"type":"ephemeral"}}],
 "messages" : [{"role":"user", "content":"one",` + oddities + `},
  {"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r1"}]},
  {"role":"assistant","content":"two"},
  {"content" : "three" ,"role":"user",` + oddities + `},
  {"role":"assistant","content":[ {"type":"thinking","thinking":"hm","signature":"s\u00efg"}, {"id":"c2","type":"tool_use","name":"f","input":{"n":1.0,"e":1e3},` + oddities + `} ],"usage":{"input_tokens":960,"output_tokens":7}},
  {"role":"user","content":[{"tool_use_id":"c2","type":"tool_result",` + oddities + `,"content":"r2","is_error":false}]},
  {"role":"assistant","content":"f\u00f6ur"}],
 "tools":[{"name":"f","input_schema":{"n":1.0}}] }`,
		survive: []int{0, 4, 5, 6, 7}, cleared: 6, output: "content.0.content", changed: []string{"usage.input_tokens"},
		beside: []string{`{ "max_tokens":1e3, ` + oddities + `, "model":"claude-opus-4-5", "system":[{"type":"text","text":"Be br\u00eff.","cache_control":{"type":"ephemeral"}}],`, `"tools":[{"name":"f","input_schema":{"n":1.0}}] }`},
	},
	{
		format: "gemini", at: "contents",
		file: `{ ` + oddities + `, "systemInstruction":{"parts":[{"text":"Be br\u00eff."}]},
 "contents" : [{"role":"user", "parts":[{"text":"one"}],` + oddities + `},
  {"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"r1"}}}]},
  {"role":"model","parts":[{"text":"two"}]},
  {"parts" : [{"text":"three"}] ,"role":"user",` + oddities + `},
  {"role":"model","parts":[ {"functionCall":{"args":{"n":1.0},"name":"f"},"thoughtSignature":"s\u00efg",` + oddities + `} ]},
  {"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"r2"},` + oddities + `}}],` + oddities + `},
  {"role":"model","parts":[{"text":"f\u00f6ur"}]}],
 "generationConfig":{"temperature":1.0}, "tools":[{"functionDeclarations":[{"name":"f"}]}] }`,
		survive: []int{0, 4, 5, 6, 7}, cleared: 6, output: "parts.0.functionResponse.response",
		beside: []string{`{ ` + oddities + `, "systemInstruction":{"parts":[{"text":"Be br\u00eff."}]},`, `"generationConfig":{"temperature":1.0}, "tools":[{"functionDeclarations":[{"name":"f"}]}] }`},
	},
	{
		format: "langchain", at: "messages",
		file: `{ "todos":[1.0], ` + oddities + `,
 "messages" : [{"type":"human", "content":"one",` + oddities + `},
  {"type":"ai","content":"","tool_calls":[{"id":"c1","name":"f","args":{}}]},
  {"type":"tool","tool_call_id":"c1","content":"r1"},
  {"type":"ai","content":"two"},
  {"content" : "three" ,"type":"human",` + oddities + `},
  {"type":"ai","content":"","tool_calls":[ {"name":"f","args":{"n":1.0},"id":"c2",` + oddities + `} ],"usage_metadata":{"input_tokens":960,"output_tokens":7,"total_tokens":967}},
  {"tool_call_id":"c2","type":"tool","content":"r2",` + oddities + `},
  {"type":"ai","content":"f\u00f6ur"}], "remaining" : 1e3 }`,
		survive: []int{0, 4, 5, 6, 7}, cleared: 6, output: "content",
		changed: []string{"usage_metadata.input_tokens", "usage_metadata.total_tokens"},
		beside:  []string{`{ "todos":[1.0], ` + oddities + `,`, `"remaining" : 1e3 }`},
	},
	{
		format: "native", at: "messages",
		file: `{ ` + oddities + `, "system":"Be br\u00eff.",
 "messages" : [{"role":"user", "parts":[{"type":"text","text":"one"}],` + oddities + `},
  {"role":"assistant","parts":[{"type":"tool_call","id":"c1","name":"f","input":{}}]},
  {"role":"user","parts":[{"type":"tool_result","call_id":"c1","output":"r1"}]},
  {"role":"assistant","parts":[{"type":"text","text":"two"}]},
  {"parts" : [{"type":"text","text":"three"}] ,"role":"user",` + oddities + `},
  {"role":"assistant","parts":[ {"id":"c2","type":"tool_call","name":"f","input":{"n":1.0,"e":1e3},` + oddities + `} ]},
  {"role":"user","parts":[{"call_id":"c2","type":"tool_result",` + oddities + `,"output":"r2","is_error":null}],` + oddities + `},
  {"role":"assistant","parts":[{"type":"text","text":"f\u00f6ur"}]}], "window" : 200000 }`,
		survive: []int{0, 4, 5, 6, 7}, cleared: 6, output: "parts.0.output",
		beside: []string{`{ ` + oddities + `, "system":"Be br\u00eff.",`, `"window" : 200000 }`},
	},
}

// TestSurvivorsKeepTheirBytes: what a pass leaves stands in the output byte for
// byte, but for the members named here, and so does what stands beside it.
func TestSurvivorsKeepTheirBytes(t *testing.T) {
	for _, format := range Writable() {
		if !slices.ContainsFunc(byteCases, func(c byteCase) bool { return c.format == format }) {
			t.Errorf("%s has no case", format)
		}
	}
	for _, test := range byteCases {
		t.Run(test.format, func(t *testing.T) {
			f, err := Read(context.Background(), "x", strings.NewReader(test.file), Options{})
			if err != nil || f.Format != test.format {
				t.Fatalf("read as %+v, %v", f, err)
			}
			view := f.Selected.View(model.Context)
			if len(view) != 8 {
				t.Fatalf("%d messages", len(view))
			}
			left := slices.Clone(append(view[:1:1], view[4:]...))
			short := *left[3]
			short.Parts = slices.Clone(short.Parts)
			short.Parts[0].Text, short.Parts[0].List = "[cleared]", nil
			left[3] = &short
			back, text := again(t, f, test.format, f.Selected, left)
			if calls := token.Calls(back.Selected); len(calls) > 0 {
				t.Errorf("the usage of %d tokens is still there", calls[0].Input)
			}

			before, after := rawRecords(test.file, test.at), rawRecords(text, test.at)
			if len(after) != len(test.survive) {
				t.Fatalf("%d records, want %d:\n%s", len(after), len(test.survive), text)
			}
			changed := 0
			for i, n := range test.survive {
				was, is := before[n], after[i]
				if was != is {
					changed++
				}
				for _, path := range test.changed {
					was, is = blank(was, path), blank(is, path)
				}
				if n == test.cleared {
					if !strings.Contains(is, "[cleared]") || strings.Contains(is, `"r2"`) {
						t.Errorf("not cleared: %s", is)
					}
					was, is = blank(was, test.output), blank(is, test.output)
				}
				if was != is {
					t.Errorf("record %d became\n%s\nwas\n%s", n, is, was)
				}
			}
			if changed == 0 {
				t.Error("nothing changed, though a result was cleared")
			}
			for _, want := range test.beside {
				if !strings.Contains(text, want) {
					t.Errorf("lost %s in\n%s", want, text)
				}
			}
		})
	}
}

// rawRecords are the records of a file as they stand: its lines, or the elements
// of a list in it.
func rawRecords(text, at string) (raw []string) {
	if at == "" {
		return slices.DeleteFunc(strings.Split(strings.TrimSuffix(text, "\n"), "\n"), func(line string) bool {
			return gjson.Get(line, "type").Str == "custom-title"
		})
	}
	for _, r := range gjson.Get(text, at).Array() {
		raw = append(raw, r.Raw)
	}
	return raw
}

// blank is a record with null at a path, where it has something there.
func blank(record, path string) string {
	v := gjson.Get(record, path)
	if !v.Exists() {
		return record
	}
	return record[:v.Index] + "null" + record[v.Index+len(v.Raw):]
}
