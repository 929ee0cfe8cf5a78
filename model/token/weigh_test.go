package token

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"cinch/model"
	"cinch/model/token/bpe"
)

var everyCounter = func() (all []Counter) {
	for _, name := range append(slices.Clone(Names), "o200k,image:anthropic") {
		c, err := Parse(name)
		if err != nil {
			panic(err)
		}
		all = append(all, c)
	}
	return all
}()

// conversation is a few hundred messages, short, middling and very long.
func conversation() (messages []*model.Message) {
	prose := strings.Repeat("Counting is easy; counting fast is not.\nIt's 2 of 3 steps: é漢🙂 ", 12)
	for i := range 300 {
		messages = append(messages, say(text(prose[:i])), say(call("Read", `{"path":"a b"}`)),
			say(model.Part{Kind: model.ToolResult, Name: "Read", List: []model.Part{text("x"), {Kind: model.Image}}}))
	}
	long := strings.Repeat(prose, 1500)
	return append(messages, say(), say(text(long), model.Part{Kind: model.Thinking, Text: long[:900_000]}),
		say(model.Part{Kind: model.ToolResult, Name: "Bash", List: []model.Part{text(long), {Kind: model.Image}, text("end")}}),
		say(model.Part{Kind: model.ToolResult, Name: "Bash", Text: long}, model.Part{Kind: model.Document, Text: long}), say(text("last")))
}

func TestWeighAllIsWeighForEach(t *testing.T) {
	messages := conversation()
	for _, c := range everyCounter {
		var last, total int64
		got, err := WeighAll(t.Context(), c, messages, func(done, of int64) {
			if done < last || done > of {
				t.Errorf("%s: progress went from %d to %d of %d", c.Name(), last, done, of)
			}
			last, total = done, of
		})
		if err != nil {
			t.Fatal(err)
		}
		if last != total || total == 0 {
			t.Errorf("%s: progress ended at %d of %d", c.Name(), last, total)
		}
		for i, m := range messages {
			if want := Weigh(c, m); got[i] != want {
				t.Fatalf("%s: message %d weighs %d, want %d", c.Name(), i, got[i], want)
			}
		}
	}
	if got, err := WeighAll(t.Context(), Heuristic, nil, nil); err != nil || len(got) != 0 {
		t.Errorf("no messages: %v, %v", got, err)
	}
}

func TestWeighAllStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	got, err := WeighAll(ctx, O200k, conversation(), func(done, total int64) {
		calls++
		cancel()
	})
	if !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("it returned %d weights and %v", len(got), err)
	}
	if calls > 64 {
		t.Errorf("it went on for %d stretches", calls)
	}
}

func TestTokenizerParts(t *testing.T) {
	payload := base64.StdEncoding.EncodeToString(make([]byte, 3000))
	for _, tc := range []struct {
		name string
		part model.Part
		want int64 // o200k
	}{
		{"nothing", text(""), 0},
		{"text", text("hello world"), 2},
		{"special token", text("<|endoftext|>"), 7},
		{"thinking", model.Part{Kind: model.Thinking, Text: "hello world"}, 2},
		{"call: name and input apart", call("hello", `{"a": 1}`), 1 + 5},
		{"result: the name counts nothing", model.Part{Kind: model.ToolResult, Name: "Bash", Text: "hello world"}, 2},
		{"result: parts apart", model.Part{Kind: model.ToolResult, List: []model.Part{text("hello"), text(" world")}}, 2},
		{"image of unknown size", model.Part{Kind: model.Image}, 765},
		{"image", model.Part{Kind: model.Image, Media: &model.Media{Width: 1024, Height: 512}}, 85 + 2*170},
		{"document", model.Part{Kind: model.Document, Text: "hello world"}, 765 + 2},
		{"opaque", model.Part{Kind: model.Opaque, Media: &model.Media{Data: strings.Repeat("A", 4000)}}, (3000 - 650) / 4},
		{"short opaque", model.Part{Kind: model.Opaque, Media: &model.Media{Data: "AAAA"}}, 0},
		{"opaque without bytes", model.Part{Kind: model.Opaque}, 0},
		{"picture in a data: URL", text("hello data:image/png;base64," + payload + " world"), bpe.O200k.Count("hello data:image/png;base64,") + 765 + 1},
		{"short base64 is text", text("a;base64,QUJD"), bpe.O200k.Count("a;base64,QUJD")},
	} {
		if got := O200k.Part(&tc.part); got != tc.want {
			t.Errorf("%s: %d tokens, want %d", tc.name, got, tc.want)
		}
	}
	if got := Count(O200k, []*model.Message{say(text("hello")), say(text(" world"))}); got != 2+2*3 {
		t.Errorf("two messages of one token are %d", got)
	}
}

func TestImageRules(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 800, 400))); err != nil {
		t.Fatal(err)
	}
	inline := &model.Media{Encoding: "base64", Data: base64.StdEncoding.EncodeToString(picture.Bytes())}
	size := func(w, h int) *model.Media { return &model.Media{Width: w, Height: h} }
	for _, tc := range []struct {
		name                      string
		media                     *model.Media
		openai, anthropic, gemini int64
	}{
		{"small", size(100, 100), 85 + 170, 14, 258},
		{"one tile", size(512, 512), 85 + 170, 350, 258},
		{"square", size(1024, 1024), 85 + 4*170, 1399, 4 * 258},
		{"large", size(4096, 8192), 85 + 6*170, 1600, 6 * 11 * 258},
		{"wide", size(3000, 300), 85 + 4*170, 329, 4 * 258},
		{"size from its bytes", inline, 85 + 2*170, 427, 2 * 258},
		{"a link", &model.Media{Encoding: "url", Data: "https://example.org/a.png"}, 765, 1600, 258},
		{"not a picture", &model.Media{Encoding: "base64", Data: "QUJD"}, 765, 1600, 258},
	} {
		for rule, want := range map[string]int64{"openai": tc.openai, "anthropic": tc.anthropic, "gemini": tc.gemini, "chars": 64} {
			for _, under := range []string{"heuristic", "o200k", "drover", "ratio:3.9+4"} {
				c, err := Parse(under + ",image:" + rule)
				if err != nil {
					t.Fatal(err)
				}
				picture := model.Part{Kind: model.Image, Media: tc.media}
				if got := c.Tokens(c.Part(&picture)); got != want {
					t.Errorf("%s by %s: %d tokens, want %d", tc.name, c.Name(), got, want)
				}
				result := model.Part{Kind: model.ToolResult, Name: "n", List: []model.Part{text("some text"), picture}}
				bare := model.Part{Kind: model.ToolResult, Name: "n", List: []model.Part{text("some text")}}
				if got := c.Part(&result) - c.Part(&bare); c.Tokens(got) != want {
					t.Errorf("%s in a result by %s: a weight of %d, want %d tokens", tc.name, c.Name(), got, want)
				}
			}
		}
	}
	if _, err := Parse("o200k,image:azure"); err == nil || !strings.Contains(err.Error(), "azure") {
		t.Errorf("an unknown rule: %v", err)
	}
}

func TestApproximate(t *testing.T) {
	long := text(strings.Repeat("a", 100_000))
	inside := model.Part{Kind: model.ToolResult, List: []model.Part{text("x"), long}}
	fine := text(strings.Repeat("a word ", 20_000))
	withRule, err := Parse("o200k,image:gemini")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name    string
		counter Counter
		part    model.Part
		want    bool
	}{
		{"one long piece", O200k, long, true},
		{"inside a result", Cl100k, inside, true},
		{"under an image rule", withRule, long, true},
		{"many short pieces", O200k, fine, false},
		{"an estimate anyway", Heuristic, long, false},
	} {
		if got := Approximate(tc.counter, &tc.part); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}
