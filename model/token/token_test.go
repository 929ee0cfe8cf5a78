package token

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"cinch/model"
)

func text(s string) model.Part { return model.Part{Kind: model.Text, Text: s} }

func say(parts ...model.Part) *model.Message { return &model.Message{Parts: parts} }

// call is a tool call whose input a file wrote as the given JSON.
func call(name, input string) model.Part {
	return model.Part{Kind: model.ToolCall, ID: "an id that counts nothing", Name: name, Text: model.CompactJSON(input)}
}

func TestWeights(t *testing.T) {
	const x1500 = 1500
	for _, tc := range []struct {
		name      string
		part      model.Part
		heuristic int64 // characters
		drover    int64 // UTF-16 code units
	}{
		{"nothing", text(""), 0, 0},
		{"ascii", text("four"), 4, 4},
		{"accent", text("é"), 1, 1},
		{"han", text("漢字"), 2, 2},
		{"outside the basic plane", text("🙂🙂"), 2, 4},
		{"combining mark", text("e\u0301"), 2, 2},
		{"not UTF-8", text("a\xffb"), 3, 3},
		{"thinking", model.Part{Kind: model.Thinking, Text: "hm, 🙂"}, 5, 6},
		{"image", model.Part{Kind: model.Image, Media: &model.Media{Data: strings.Repeat("A", 9999)}}, 256, x1500},
		{"document", model.Part{Kind: model.Document, Text: "page"}, 260, x1500},
		{"opaque", model.Part{Kind: model.Opaque, Media: &model.Media{Data: "QUJD"}}, 0, 0},
		{"call", call("Read", `{"path": "x"}`), 4 + 12, 4 + 12},
		{"call, name and input apart", call("é🙂", `{}`), 4, 5},
		{"call, markup kept", call("f", `{"a":"<&>"}`), 1 + 11, 1 + 11},
		{"call, line separator kept", call("f", "{\"a\":\"\u2028\"}"), 1 + 9, 1 + 9},
		{"call, escaped accent", call("f", `{"a":"\u00e9"}`), 1 + 9, 1 + 9},
		{"call, escaped pair", call("f", `{"a":"\ud83d\ude42"}`), 1 + 9, 1 + 10},
		{"call, lone surrogate", call("f", `{"a":"\ud83d"}`), 1 + 9, 1 + 9},
		{"call, escaped slash", call("f", `{"a":"\/"}`), 1 + 9, 1 + 9},
		{"call, needed escapes", call("f", `{"a":"\"\\\n\u0001"}`), 1 + 20, 1 + 20},
		{"call, spaces", call("f", "{ \"a\" : [ 1 , 2.50 ] }\n"), 1 + 14, 1 + 14},
		{"result, string", model.Part{Kind: model.ToolResult, ID: "id", Text: "ok 🙂"}, 4, 5},
		{"result, drover adds the name", model.Part{Kind: model.ToolResult, Name: "Read", Text: "ok"}, 2, 6},
		{"result, list", model.Part{Kind: model.ToolResult, List: []model.Part{text("ab"), {Kind: model.Image}, text("c")}}, 3 + 256, 3 + x1500},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Heuristic.Part(&tc.part); got != tc.heuristic {
				t.Errorf("heuristic: %d characters, want %d", got, tc.heuristic)
			}
			if got := Drover.Part(&tc.part); got != tc.drover {
				t.Errorf("drover: %d code units, want %d", got, tc.drover)
			}
		})
	}
}

// TestOneRounding: three messages of 21 characters are 63/4 tokens, not three
// times 21/4, and drover's 9 units are rounded up, once.
func TestOneRounding(t *testing.T) {
	messages := []*model.Message{say(text("a")), say(text("b")), say(text("c"))}
	for _, tc := range []struct {
		counter string
		want    int64
	}{
		{"heuristic", 15},        // floor(63 / 4)
		{"drover", 7},            // ceil(27 / 4)
		{"ratio:openai", 12},     // floor(3/4.30 + 12) = floor(12.69)
		{"ratio:anthropic", 15},  // floor(3/3.60 + 15) = floor(15.83)
		{"ratio:gemini", 12},     // floor(3/4.05 + 12) = floor(12.74)
		{"ratio:local", 12},      // floor(3/3.80 + 12) = floor(12.78)
		{"ratio:1", 3},           // no tokens a message
		{"ratio:0.1+0", 30},      // 3 / 0.1 exactly
		{"ratio:0.3", 10},        // 3 / 0.3 exactly, where floating point says 9.99…
		{"ratio:3+1", 4},         // 3/3 + 3
		{"ratio:3.000001+1", 3},  // floor(0.999999… + 3)
		{"ratio:999.999999", 0},  // 3 / 1000
		{"ratio:.5+9999", 30003}, // 6 + 3 × 9999
	} {
		t.Run(tc.counter, func(t *testing.T) {
			c, err := Parse(tc.counter)
			if err != nil {
				t.Fatal(err)
			}
			if c.Name() != tc.counter {
				t.Errorf("it calls itself %q", c.Name())
			}
			if got := Count(c, messages); got != tc.want {
				t.Errorf("%d tokens, want %d", got, tc.want)
			}
		})
	}
}

func TestRatioIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"ratio:openai", "ratio:gemini", "ratio:3.9+4", "ratio:0.000001+9999", "ratio:7.654321+1", "ratio:123.456"} {
		c, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		spec := strings.TrimPrefix(name, "ratio:")
		if p, ok := presets[spec]; ok {
			spec = p
		}
		per, each, _ := strings.Cut(spec, "+")
		perToken, _ := new(big.Rat).SetString(per)
		eachMessage, ok := new(big.Rat).SetString(each)
		if !ok {
			eachMessage = new(big.Rat)
		}
		for range 200 {
			messages := make([]*model.Message, r.IntN(6))
			total := new(big.Rat)
			for i := range messages {
				s := strings.Repeat("x", r.IntN(900))
				messages[i] = say(text(s))
				total.Add(total, eachMessage)
				total.Add(total, new(big.Rat).Quo(new(big.Rat).SetInt64(int64(len(s))), perToken))
			}
			want := new(big.Int).Quo(total.Num(), total.Denom()).Int64()
			if got := Count(c, messages); got != want {
				t.Fatalf("%s over %d messages: %d tokens, want %d", name, len(messages), got, want)
			}
		}
	}
}

func TestRatioHoldsTheLargestConversation(t *testing.T) {
	c, err := Parse("ratio:999.999999+9999")
	if err != nil {
		t.Fatal(err)
	}
	const messages, characters = 100_000, 10_000_000_000
	weight := messages*c.Envelope() + characters*1_000_000
	if weight < 0 || weight > math.MaxInt64/2 {
		t.Fatalf("weights of %d messages come near the end of 64 bits: %d", messages, weight)
	}
	if got, want := c.Tokens(weight), int64(messages*9999+10_000_000); got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, name := range []string{
		"ratio:0", "ratio:0.0", "ratio:-1", "ratio:NaN", "ratio:Inf", "ratio:1e9", "ratio:+4", "ratio:", "ratio:x", "ratio:3,9",
		"ratio:3.9+", "ratio:3.9+-1", "ratio:3.9++4", "ratio:3.9+x", "ratio:3.9+4.5", "ratio:3.9+4+5", "ratio:3.9+10000", "ratio:3.9 +4",
		"ratio:1000", "ratio:0.0000001", "ratio:3.", "ratio:.", "ratio:3.9.1", "ratio:0x4", "ratio:1_0", "ratio:٣",
		"ratio:OpenAI", "heuristics", "gpt-4", " heuristic", "Heuristic",
	} {
		c, err := Parse(name)
		if err == nil {
			t.Errorf("%q was taken as %s", name, c.Name())
			continue
		}
		if msg := err.Error(); !strings.Contains(msg, name) || strings.ContainsAny(msg, "\n") {
			t.Errorf("%q: the error should be one sentence that quotes it: %s", name, msg)
		}
	}
}

func TestParseTakesEveryName(t *testing.T) {
	for _, name := range Names {
		if c, err := Parse(name); err != nil || c.Name() != name {
			t.Errorf("Parse(%q) = %v, %v", name, c, err)
		}
	}
	if c, err := Parse(""); err != nil || c != Heuristic {
		t.Errorf("no name should mean the heuristic: %v, %v", c, err)
	}
}

func TestOverhead(t *testing.T) {
	for _, tc := range []struct {
		name, system, tools string
		want                int64
	}{
		{"nothing", "", "", 0},
		{"system prompt", "four", "", 6},  // (20 + 4) / 4
		{"tools", "", `[{}]`, 6},          // (20 + 4) / 4
		{"both, one floor", "a", "b", 10}, // (21 + 21) / 4 = 10.5
	} {
		if got := Overhead(Heuristic, tc.system, tc.tools); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}
