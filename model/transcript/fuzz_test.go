package transcript

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// fuzz feeds a decoder with mutated samples of its format. Whatever comes, it
// must end with an error of one sentence or with conversations that hold
// together.
func fuzz(f *testing.F, name string) {
	for _, path := range samples(f, name) {
		if b, err := os.ReadFile(path); err == nil {
			f.Add(b)
		}
	}
	format, ok := Named(name)
	if !ok {
		f.Fatalf("no format %q", name)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := Limits{}.withDefaults()
		src := &source{ctx: context.Background(), path: "fuzzed", limits: limits, held: data, size: int64(len(data))}
		doc := &Document{Path: "fuzzed", src: src}
		if format.Sniff == nil {
			if doc.peek() != nil {
				return
			}
		}
		conversations, err := format.Decode(doc)
		var told *Error
		if err != nil && !errors.As(err, &told) {
			t.Fatalf("an error that names no place: %v", err)
		}
		for _, c := range conversations {
			holdsTogether(t, c)
		}
	})
}

// holdsTogether checks what every conversation promises.
func holdsTogether(t *testing.T, c *model.Conversation) {
	for _, v := range []model.View{model.Log, model.History, model.Context} {
		for _, m := range c.View(v) {
			if m.Role > model.System {
				t.Errorf("role %d", m.Role)
			}
			for _, p := range m.Parts {
				if int(p.Span) >= len(m.Spans) {
					t.Errorf("part of span %d in a message with %d", p.Span, len(m.Spans))
				}
			}
			if m.Mark == model.Boundary && v != model.Log {
				t.Errorf("a boundary in the %s view", v)
			}
		}
	}
	for _, k := range c.Compactions {
		if k.Log < 0 || k.Log > len(c.Messages) || k.History < 0 || k.History > len(c.View(model.History)) {
			t.Errorf("compaction at log %d of %d, history %d of %d", k.Log, len(c.Messages), k.History, len(c.View(model.History)))
		}
	}
	for _, child := range c.Children {
		holdsTogether(t, child)
	}
}

// FuzzEventStream feeds what puts answers together out of their streams: it gives
// JSON or nothing.
func FuzzEventStream(f *testing.F) {
	for _, path := range []string{"openai/stream.txt", "anthropic/stream.txt", "openai-responses/stream.txt", "gemini/stream.txt"} {
		b, err := os.ReadFile("testdata/" + path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, stream string) {
		for _, a := range assembled(stream) {
			if gjson.Valid(a.json) {
				continue
			}
			t.Errorf("assembled %q", a.json)
		}
	})
}

// FuzzRows feeds what reads the JSON in the rows of databases, which the other
// targets do not reach.
func FuzzRows(f *testing.F) {
	f.Add(`[{"type":"text","data":{"text":"hi"}},{"type":"tool_call","data":{"id":"c1","name":"bash","input":"{}"}},{"type":"tool_result","data":{"tool_call_id":"c1","content":"ok"}}]`)
	f.Add(`{"composerId":"k","conversation":[{"bubbleId":"b","type":1,"text":"hi"},{"bubbleId":"c","type":2,"thinking":{"text":"hm"},"toolFormerData":{"name":"run","toolCallId":"t","modelCallId":"m","rawArgs":"{}","status":"completed","result":"ok"}}],"latestConversationSummary":{"summary":{"summary":"s","truncationLastBubbleIdInclusive":"b"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		doc := &Document{Path: "fuzzed"}
		rows := []row{{"id": "m1", "role": "user", "parts": text}, {"id": "m2", "role": "assistant", "parts": text, "is_summary_message": int64(1)}}
		holdsTogether(t, crushConversation(doc, row{"id": "s1", "summary_message_id": "m2"}, rows))
		if holdsJSON(text) {
			holdsTogether(t, kiroConversation(doc, gjson.Parse(text), func(gjson.Result, string) model.Span { return model.Span{} }))
			holdsTogether(t, cursorChat(gjson.Parse(text), gjson.Get(text, "conversation").Array()))
			holdsTogether(t, opencodeConversation(doc, gjson.Parse(text), []opencodeMessage{{info: gjson.Parse(text), parts: gjson.Parse(text).Array()}}, map[string]string{}))
		}
	})
}

func FuzzATIF(f *testing.F)         { fuzz(f, "atif") }
func FuzzAider(f *testing.F)        { fuzz(f, "aider") }
func FuzzAnthropic(f *testing.F)    { fuzz(f, "anthropic") }
func FuzzChatGPT(f *testing.F)      { fuzz(f, "chatgpt") }
func FuzzClaudeCode(f *testing.F)   { fuzz(f, "claude-code") }
func FuzzClaudeExport(f *testing.F) { fuzz(f, "claude-export") }
func FuzzCline(f *testing.F)        { fuzz(f, "cline") }
func FuzzCodex(f *testing.F)        { fuzz(f, "codex") }
func FuzzContinue(f *testing.F)     { fuzz(f, "continue") }
func FuzzCopilot(f *testing.F)      { fuzz(f, "copilot-cli") }
func FuzzCursor(f *testing.F)       { fuzz(f, "cursor") }
func FuzzDroid(f *testing.F)        { fuzz(f, "droid") }
func FuzzGemini(f *testing.F)       { fuzz(f, "gemini") }
func FuzzGeminiCLI(f *testing.F)    { fuzz(f, "gemini-cli") }
func FuzzGoose(f *testing.F)        { fuzz(f, "goose") }
func FuzzInspect(f *testing.F)      { fuzz(f, "inspect") }
func FuzzKiro(f *testing.F)         { fuzz(f, "kiro") }
func FuzzLangChain(f *testing.F)    { fuzz(f, "langchain") }
func FuzzMiniSWEAgent(f *testing.F) { fuzz(f, "mini-swe-agent") }
func FuzzNative(f *testing.F)       { fuzz(f, "native") }
func FuzzOTel(f *testing.F)         { fuzz(f, "otel-genai") }
func FuzzOpenAI(f *testing.F)       { fuzz(f, "openai") }
func FuzzOpenHands(f *testing.F)    { fuzz(f, "openhands") }
func FuzzOpencode(f *testing.F)     { fuzz(f, "opencode") }
func FuzzPi(f *testing.F)           { fuzz(f, "pi") }
func FuzzResponses(f *testing.F)    { fuzz(f, "openai-responses") }
func FuzzSWEAgent(f *testing.F)     { fuzz(f, "swe-agent") }
func FuzzShareGPT(f *testing.F)     { fuzz(f, "sharegpt") }
func FuzzVSCode(f *testing.F)       { fuzz(f, "vscode-copilot") }
func FuzzVercel(f *testing.F)       { fuzz(f, "vercel-ai") }
func FuzzZed(f *testing.F)          { fuzz(f, "zed") }
