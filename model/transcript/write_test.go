package transcript

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// again writes messages in a format and reads what was written.
func again(t *testing.T, f *File, format string, c *model.Conversation, messages []*model.Message) (*File, string) {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(context.Background(), &b, format, c, messages); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	back, err := Read(context.Background(), "written", &b, Options{})
	if err != nil {
		t.Fatalf("%v, reading\n%s", err, text)
	}
	if back.Format != format {
		t.Fatalf("written as %s, read as %s:\n%s", format, back.Format, text)
	}
	return back, text
}

// utterances is what a list of messages says, part by part, without where it stands.
// Messages of one role in a row are one here: some formats cannot tell them apart.
func utterances(messages []*model.Message, roles bool) string {
	var b strings.Builder
	role := "none"
	for _, m := range messages {
		if now := m.Role.String(); roles && now != role {
			role = now
			b.WriteString(role + ":\n")
		}
		for _, p := range m.Parts {
			p.Span = 0
			if len(p.List) == 1 && p.List[0].Kind == model.Text {
				p.Text, p.List = p.List[0].Text, nil // some formats have lists alone
			}
			b.WriteString("  " + part(p) + "\n")
		}
	}
	return b.String()
}

// TestWriteBack writes every sample of a writable format in that format and
// reads it again: the same is said by the same roles, from the same bytes.
func TestWriteBack(t *testing.T) {
	for _, format := range formats {
		if format.Encode == nil {
			continue
		}
		for _, path := range samples(t, format.Name) {
			f, err := Open(context.Background(), path, Options{})
			if err != nil {
				continue // refused on purpose
			}
			t.Run(path, func(t *testing.T) {
				for _, c := range f.Conversations {
					view := c.View(model.Context)
					back, text := again(t, f, format.Name, c, view)
					got := back.Selected
					if a, b := utterances(got.View(model.Context), true), utterances(view, true); a != b {
						t.Errorf("read back\n%s\nwant\n%s\nfrom\n%s", a, b, text)
					}
					if got.System != c.System || got.Tools != c.Tools {
						t.Errorf("system %q and tools %q became %q and %q", c.System, c.Tools, got.System, got.Tools)
					}
				}
			})
		}
	}
}

// without takes every second tool call, and the result that answers it, out of
// a list, as a pass takes parts: from copies, without what is then empty.
func without(messages []*model.Message) []*model.Message {
	gone := map[model.Ref]bool{}
	for i, pair := range model.PairUp(messages).Pairs {
		if i%2 == 0 {
			gone[pair.Call], gone[pair.Result] = true, true
		}
	}
	var out []*model.Message
	for i, m := range messages {
		left := *m
		left.Parts = nil
		for j, p := range m.Parts {
			if !gone[model.Ref{Message: i, Part: j}] {
				left.Parts = append(left.Parts, p)
			}
		}
		switch {
		case len(left.Parts) == len(m.Parts):
			out = append(out, m)
		case len(left.Parts) > 0:
			out = append(out, &left)
		}
	}
	return out
}

// TestWriteWhatAPassLeft writes what is left when parts are gone and a result
// was cleared, and reads the same.
func TestWriteWhatAPassLeft(t *testing.T) {
	for _, path := range []string{
		"testdata/openai/request.json", "testdata/anthropic/request.json",
		"testdata/codex/compacted.jsonl", "testdata/codex/bare-items.jsonl", "testdata/openai-responses/request.json",
		"testdata/gemini/request.json", "testdata/langchain/dumps.json", "testdata/langchain/state.json",
		"testdata/pi/session.jsonl", "testdata/pi/compacted.jsonl", "testdata/claude-code/streamed.jsonl", "testdata/claude-code/compacted.jsonl",
	} {
		t.Run(path, func(t *testing.T) {
			f := opened(t, path)
			view := f.Selected.View(model.History)
			if f.Format == piName || f.Format == claudeName {
				view = f.Selected.View(model.Context) // their histories hold what is never sent
			}
			left := without(view)
			back, text := again(t, f, f.Format, f.Selected, left)
			if a, b := utterances(back.Selected.View(model.Context), true), utterances(left, true); a != b {
				t.Errorf("read back\n%s\nwant\n%s\nfrom\n%s", a, b, text)
			}

			cleared := slices.Clone(view)
			for i, m := range cleared {
				if m.HasResult() && m.Role == model.User {
					short := *m
					short.Parts = slices.Clone(m.Parts)
					for j := range short.Parts {
						if p := &short.Parts[j]; p.Kind == model.ToolResult {
							p.Text, p.List = "[cleared]", nil
						}
					}
					cleared[i] = &short
				}
			}
			back, text = again(t, f, f.Format, f.Selected, cleared)
			if a, b := utterances(back.Selected.View(model.Context), true), utterances(cleared, true); a != b {
				t.Errorf("cleared, read back\n%s\nwant\n%s\nfrom\n%s", a, b, text)
			}
		})
	}
}

// TestWriteKeepsBytes: a message that survives whole stands in the output as it
// stood in the file, and what stood beside the messages is still there.
func TestWriteKeepsBytes(t *testing.T) {
	f := opened(t, "testdata/openai/request.json")
	view := f.Selected.View(model.Context)
	_, text := again(t, f, "openai", f.Selected, view[1:4])
	if !strings.Contains(text, `"name": "ada", "content": [{"type": "text", "text": "What is this?"}`) {
		t.Errorf("the second message lost its bytes:\n%s", text)
	}
	if n := gjson.Get(text, "messages.#").Int(); n != 3 || gjson.Get(text, "model").Str != "gpt-4.1" {
		t.Errorf("%d messages of %s", n, gjson.Get(text, "model"))
	}

	f = opened(t, "testdata/codex/compacted.jsonl")
	_, text = again(t, f, "codex", f.Selected, f.Selected.View(model.Context))
	for _, want := range []string{
		`"originator":"codex_cli_rs"`,                                          // the header
		`"encrypted_content"`, `"type":"web_search_call","status":"completed"`, // items only the provider knows
		`"last_token_usage":{"input_tokens":1350`, // the usage of what survives
	} {
		if has := strings.Contains(text, want); has != (want != `"encrypted_content"`) {
			t.Errorf("%q: %v in\n%s", want, has, text)
		}
	}
	if strings.Contains(text, `"type":"compacted"`) {
		t.Errorf("an old compaction was written again:\n%s", text)
	}
}

// TestCodexEvents: what tells the screen about an item goes with that item, on
// whichever side of it it stands. An event alone would be read as a message.
func TestCodexEvents(t *testing.T) {
	const text = `{"timestamp":"2026-05-01T09:00:00Z","type":"session_meta","payload":{"id":"s"}}
{"timestamp":"2026-05-01T09:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]}}
{"timestamp":"2026-05-01T09:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"one"}}
{"timestamp":"2026-05-01T09:00:02Z","type":"event_msg","payload":{"type":"agent_message","message":"two"}}
{"timestamp":"2026-05-01T09:00:02Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"two"}]}}
{"timestamp":"2026-05-01T09:00:03Z","type":"event_msg","payload":{"type":"user_message","message":"three"}}
{"timestamp":"2026-05-01T09:00:03Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"three"}]}}
{"timestamp":"2026-05-01T09:00:04Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"four"}]}}
{"timestamp":"2026-05-01T09:00:04Z","type":"event_msg","payload":{"type":"agent_message","message":"four"}}
`
	f, err := Read(context.Background(), "x", strings.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	view := f.Selected.View(model.Context)
	for _, test := range []struct{ keep, events string }{
		{"0123", "one two three four"}, {"023", "one three four"}, {"02", "one three"}, {"13", "two four"}, {"01", "one two"},
	} {
		var left []*model.Message
		for _, i := range test.keep {
			left = append(left, view[i-'0'])
		}
		back, written := again(t, f, "codex", f.Selected, left)
		var told []string
		for line := range strings.Lines(written) {
			if gjson.Get(line, "type").Str == "event_msg" {
				told = append(told, gjson.Get(line, "payload.message").Str)
			}
		}
		if got := strings.Join(told, " "); got != test.events {
			t.Errorf("of %s the screen is told %s, want %s", test.keep, got, test.events)
		}
		if a, b := utterances(back.Selected.View(model.Context), true), utterances(left, true); a != b {
			t.Errorf("of %s read back\n%s\nwant\n%s", test.keep, a, b)
		}
	}
}

// TestConvert writes a conversation of every format in every writable one and
// reads the calls, results and texts again.
func TestConvert(t *testing.T) {
	for _, path := range []string{
		"testdata/openai/request.json", "testdata/anthropic/request.json", "testdata/codex/compacted.jsonl",
		"testdata/gemini/request.json", "testdata/opencode/export.json", "testdata/zed/thread.json",
		"testdata/codex/events-only.jsonl",
	} {
		f := opened(t, path)
		view := f.Selected.View(model.History)
		want := model.PairUp(view)
		for _, to := range Writable() {
			if to == f.Format {
				continue
			}
			t.Run(path+" to "+to, func(t *testing.T) {
				back, text := again(t, f, to, f.Selected, view)
				got := model.PairUp(back.Selected.View(model.Context))
				if len(got.Pairs) != len(want.Pairs) || len(got.LoneCalls) != len(want.LoneCalls) || len(got.LoneResults) != len(want.LoneResults) {
					t.Errorf("pairs %d, lone calls %d, lone results %d; want %d, %d, %d in\n%s",
						len(got.Pairs), len(got.LoneCalls), len(got.LoneResults), len(want.Pairs), len(want.LoneCalls), len(want.LoneResults), text)
				}
			})
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	f := opened(t, "testdata/openai/bare.json")
	err := f.Write(context.Background(), &bytes.Buffer{}, "zed", f.Selected, nil)
	if err == nil || !strings.Contains(err.Error(), "cannot be written: one of") {
		t.Errorf("got %v", err)
	}
}
