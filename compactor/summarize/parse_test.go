package summarize

import (
	"strings"
	"testing"

	"cinch/model"
	"cinch/model/token"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ spec, receiver string }{
		{"extract", ""},
		{"text:done so far", ""},
		{"text:", ""},
		{"cmd:llm -m small", "llm -m small"},
		{"openai:llama3.2@http://localhost:11434/v1", "localhost:11434"},
		{"openai:@cf/meta/llama@https://gateway.test/v1", "gateway.test"},
		{"openai:@https://gateway.test/v1", "gateway.test"}, // the policy's summaryModel
	} {
		s, err := Parse(c.spec)
		if err != nil {
			t.Errorf("%s: %v", c.spec, err)
			continue
		}
		if s.String() != c.spec || s.Receiver() != c.receiver {
			t.Errorf("%s reads back as %s, sent to %q", c.spec, s, s.Receiver())
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for spec, says := range map[string]string{
		"":                                    "extract, cmd:COMMAND, openai:MODEL@BASE_URL, text:TEXT",
		"extracts":                            "extract, cmd:COMMAND",
		"extract:":                            "unknown summariser",
		"cmd":                                 "cmd:COMMAND",
		"cmd:  ":                              "names no command",
		"openai:gpt":                          "names no server",
		"openai:gpt@ftp://host/v1":            "names no server",
		"openai:gpt@http://":                  "http:// or https:// and a host",
		"openai:gpt@http://host:port/":        "cannot be read",
		"openai:gpt@https://u:hunter2@host/v": "OPENAI_API_KEY",
		"openai:gpt@https://host/v1?key=hunt": "no ?",
	} {
		_, err := Parse(spec)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, which does not say %q", spec, err, says)
		}
		if err != nil && strings.Contains(err.Error(), "hunt") {
			t.Errorf("%q: the error repeats a secret: %v", spec, err)
		}
	}
}

func TestPayloadIsKnownBeforehand(t *testing.T) {
	req := request(work())
	req.Prompt = "Only the facts."
	for _, spec := range []string{"cmd:cat", "openai:m@http://localhost/v1"} {
		s, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		text := s.Payload(req)
		for _, part := range []string{"Only the facts.", "<transcript>\n[user]\nThe nightly import", "[call read_file 1]\n{\"path\":\"import/reader.go\"}\n", "[result 3 error]\nok lines\n"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s does not show %q:\n%s", spec, part, text)
			}
		}
		want := token.Count(token.Drover, []*model.Message{says(model.User, text)})
		if got := Tokens(token.Drover, s, req); got != want {
			t.Errorf("%s: %d tokens, want %d", spec, got, want)
		}
	}
	if got := Tokens(token.Drover, Extract{}, req); got != 0 {
		t.Errorf("an extract sends %d tokens", got)
	}
}

func TestTranscript(t *testing.T) {
	messages := []*model.Message{
		{Role: model.Assistant, Parts: []model.Part{{Kind: model.Thinking, Text: "hm\n"}, {Kind: model.Opaque, Text: "xx"}, {Kind: model.ToolCall, ID: "a", Name: "shot", Text: "{}"}}},
		{Parts: []model.Part{{Kind: model.ToolResult, ID: "a", List: []model.Part{{Kind: model.Text, Text: "two\nlines"}, {Kind: model.Image, Media: &model.Media{Type: "image/png"}}}}}},
		{Parts: []model.Part{{Kind: model.Image}, {Kind: model.Text, Text: ""}}},
	}
	const want = "[thinking]\nhm\n[call shot a]\n{}\n[result a]\ntwo\nlines\n(image image/png)\n[image]\n[user]\n"
	if got := Transcript(messages); got != want {
		t.Errorf("the transcript is\n%s", got)
	}
}
