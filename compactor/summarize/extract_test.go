package summarize

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"cinch/compactor/ladder"
	"cinch/model"
	"cinch/model/token"
)

func says(role model.Role, text string) *model.Message {
	return &model.Message{Role: role, Parts: []model.Part{{Kind: model.Text, Text: text}}}
}

func calls(id, name, input string) *model.Message {
	return &model.Message{Role: model.Assistant, Parts: []model.Part{{Kind: model.ToolCall, ID: id, Name: name, Text: input}}}
}

func result(id, text string, failed bool) *model.Message {
	return &model.Message{Parts: []model.Part{{Kind: model.ToolResult, ID: id, Text: text, IsError: failed}}}
}

// work is a head with something of everything an extract looks for.
func work() []*model.Message {
	return []*model.Message{
		says(model.User, "The nightly import loses rows when a line ends in CRLF.\nPlease fix it and add a test."),
		calls("1", "read_file", `{"path":"import/reader.go"}`),
		result("1", "// an error in here is only spoken of\nfunc splitRow(s string) []string { return nil }\n", false),
		says(model.Assistant, "The cause is that `splitRow` keeps the carriage return. I'll trim it in the reader instead of in every caller. Nothing else to see."),
		calls("2", "edit_file", `{"path":"import/reader.go","old":"a","new":"b"}`),
		result("2", "ok", false),
		calls("3", "shell", `{"command":["go","test","./import"]}`),
		result("3", "ok lines\n--- FAIL: TestTrailingCR (0.00s)\n    reader_test.go:41: got 3 rows, want 4", true),
		says(model.User, "Use the row_count helper, please."),
		says(model.Assistant, "# Plan\n- We will call row_count from TestTrailingCR.\n```go\nI'll never be quoted\n```"),
		calls("4", "read_file", `{"path":"import/reader_test.go"}`),
		calls("5", "shell", `{"cmd":"make lint"}`),
		result("4", strings.Repeat("one line of a long test file\n", 120), false),
	}
}

func request(messages []*model.Message) ladder.Request {
	return ladder.Request{Prompt: DefaultPrompt, Messages: messages, Tokens: token.Count(token.Drover, messages)}
}

func extract(t interface{ Fatal(...any) }, req ladder.Request) string {
	out, err := Extract{}.Summarize(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestExtract(t *testing.T) {
	want, err := os.ReadFile("testdata/extract.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := extract(t, request(work())); got != strings.TrimSuffix(string(want), "\n") {
		t.Errorf("the extract is\n%s", got)
	}
}

// An extract of an extract and of what came after it still holds what the first one held.
func TestExtractGoesOnFromItsOwn(t *testing.T) {
	first := extract(t, request(work()))
	summary := says(model.User, ladder.SummaryPrefix+first)
	later := []*model.Message{summary,
		calls("9", "edit_file", `{"path":"import/reader.go"}`),
		result("9", strings.Repeat("diff ", 900), false),
		says(model.Assistant, "I'll keep the old name, because callers use it."),
	}
	second := extract(t, request(later))
	for _, kept := range []string{"- The nightly import loses rows", "- import/reader.go (read_file, edit_file)", "--- FAIL: TestTrailingCR", "row_count", "go test ./import", "- I'll keep the old name"} {
		if !strings.Contains(second, kept) {
			t.Errorf("%q got lost:\n%s", kept, second)
		}
	}
	if strings.Contains(second, "Earlier summary") {
		t.Errorf("the first extract was not read by its sections:\n%s", second)
	}
}

func TestExtractKeepsASummaryInOtherWords(t *testing.T) {
	req := request([]*model.Message{says(model.User, ladder.SummaryPrefix+"Rows are no longer lost; the test is missing."), says(model.Assistant, strings.Repeat("And so on. ", 200))})
	if out := extract(t, req); !strings.Contains(out, "Rows are no longer lost") {
		t.Errorf("an earlier summary got lost:\n%s", out)
	}
}

func TestExtractKnowsErrorsFromTalkOfThem(t *testing.T) {
	for _, c := range []struct {
		out    string
		failed bool
		want   string
	}{
		{"all good\nerror: disk full", true, "error: disk full"},
		{"it did not work\nat all", true, "it did not work"},
		{ladder.Marker, true, ""},
		{"error[E0308]: mismatched types", false, "error[E0308]: mismatched types"},
		{"a.c:3:7: error: expected ;", false, "a.c:3:7: error: expected ;"},
		{"Traceback (most recent call last):\nValueError: no", false, "Traceback (most recent call last):"},
		{"if err != nil { return err } // error", false, ""},
		{"  isError: boolean;\nthe panic: button", false, ""},
		{"sh: 1: frobnicate: not found", false, ""},
		{"sh: frobnicate: command not found", false, "sh: frobnicate: command not found"},
	} {
		if got := wrong(c.out, c.failed); got != c.want && c.out != ladder.Marker {
			t.Errorf("%q: %q, want %q", c.out, got, c.want)
		}
		out := extract(t, request([]*model.Message{calls("1", "run", "{}"), result("1", c.out, c.failed), says(model.User, "x"), says(model.Assistant, strings.Repeat("And so on. ", 300))}))
		if got := strings.Contains(out, "Errors:\n- run: "+c.want); got != (c.want != "") {
			t.Errorf("%q gives\n%s", c.out, out)
		}
	}
}

func TestExtractOfNothing(t *testing.T) {
	if out := extract(t, request([]*model.Message{{Role: model.Assistant}})); out != "" {
		t.Errorf("nothing was found, and yet: %q", out)
	}
}

func TestExtractIsBoundedAndTheSameAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var messages []*model.Message
		words := rapid.StringMatching(`[A-Za-zé漢_/.,\n -]{0,300}`)
		for i := range rapid.IntRange(0, 20).Draw(t, "messages") {
			id := fmt.Sprint(i)
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				messages = append(messages, says(model.User, words.Draw(t, "asks")))
			case 1:
				messages = append(messages, says(model.Assistant, "I decided: "+words.Draw(t, "says")))
			case 2:
				messages = append(messages, calls(id, "read", `{"path":`+model.QuoteJSON(words.Draw(t, "path"))+`}`))
			case 3:
				messages = append(messages, result(fmt.Sprint(i-1), "error: "+words.Draw(t, "out"), true))
			}
		}
		req := request(messages)
		out := extract(t, req)
		if again := extract(t, req); again != out {
			t.Fatalf("two extracts of one head differ:\n%s\n----\n%s", out, again)
		}
		limit := min(max(int(req.Tokens), minExtract), maxExtract)
		if n := utf8.RuneCountInString(out); n > limit {
			t.Fatalf("%d characters, the limit is %d:\n%s", n, limit, out)
		}
		if !utf8.ValidString(out) {
			t.Fatalf("not UTF-8: %q", out)
		}
	})
}
