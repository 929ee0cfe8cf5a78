package token

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"cinch/model"
)

// recorded makes a session of n calls in which the provider counts perThousand
// tokens for every thousand of the heuristic's, and overhead beside the messages.
func recorded(n int, perThousand, overhead int64) *model.Conversation {
	c := new(model.Conversation)
	for i := range n {
		c.Messages = append(c.Messages, say(text(strings.Repeat("word ", 300+i))))
		answer(c, c.Messages, perThousand, overhead)
	}
	return c
}

// answer adds a call that sent those messages.
func answer(c *model.Conversation, sent []*model.Message, perThousand, overhead int64) *model.Message {
	var weight int64
	for _, m := range sent {
		weight += Weigh(Heuristic, m)
	}
	a := say(text("fine"))
	a.Role = model.Assistant
	a.Usage = &model.Usage{Input: overhead + weight*perThousand/4000, Output: 3}
	c.Messages = append(c.Messages, a)
	return a
}

func near(a, b float64) bool { return math.Abs(a-b) < 0.003*math.Abs(b) }

// TestCalibrationStops: a calibration tells how far it is and can be given up.
func TestCalibrationStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	c, err := ParseAlong(ctx, "calibrated", recorded(40, 1000, 0), func(done, total int64) {
		if told++; done <= 0 || done > total {
			t.Errorf("%d of %d bytes are done", done, total)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) || c != nil || told == 0 {
		t.Errorf("given up after %d reports it returned %v, %v", told, c, err)
	}
}

func TestCalibrateFindsTheRatio(t *testing.T) {
	for _, tc := range []struct {
		name                  string
		perThousand, overhead int64
	}{{"the same", 1000, 0}, {"a third more", 1333, 17_000}, {"less", 800, 300}} {
		t.Run(tc.name, func(t *testing.T) {
			conv := recorded(20, tc.perThousand, tc.overhead)
			k, err := Calibrate(t.Context(), Heuristic, conv, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := float64(tc.perThousand) / 1000
			if !near(k.Median, want) || !near(k.P10, want) || !near(k.P90, want) || k.Calls < 15 {
				t.Errorf("%v, want %v throughout", k, want)
			}
			c := k.Counter()
			if c.Name() != "calibrated:heuristic" {
				t.Errorf("it calls itself %q", c.Name())
			}
			plain, set := Count(Heuristic, conv.Messages), Count(c, conv.Messages)
			if !near(float64(set), float64(plain)*want) {
				t.Errorf("%d tokens became %d, want ×%v", plain, set, want)
			}
			if got, ok := (OverheadRule{}).Of(c, conv, nil); !ok || math.Abs(float64(got-tc.overhead)) > 3 {
				t.Errorf("overhead of %d (%v), want %d", got, ok, tc.overhead)
			}
		})
	}
}

func TestCalibrateShowsItsSpread(t *testing.T) {
	conv := new(model.Conversation)
	var input int64 = 5000
	for i := range 40 {
		conv.Messages = append(conv.Messages, say(text(strings.Repeat("x", 8000))))
		a := answer(conv, nil, 0, 0)
		a.Usage.Input = input
		input += 2000 + int64(i%2)*1000 // by turns as many and half as many again
	}
	k, err := Calibrate(t.Context(), Heuristic, conv, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !(k.P10 <= k.Median && k.Median <= k.P90 && k.P10 < k.P90) || k.P10 < 0.9 || k.P90 > 1.6 {
		t.Errorf("p10 %.3f, median %.3f, p90 %.3f", k.P10, k.Median, k.P90)
	}
}

func TestCalibrateRefuses(t *testing.T) {
	silent := &model.Conversation{Messages: []*model.Message{say(text("hello"))}}
	for name, conv := range map[string]*model.Conversation{
		"no usage": silent, "one call": recorded(1, 1000, 0), "too little": recorded(3, 1000, 9000),
	} {
		if k, err := Calibrate(t.Context(), Heuristic, conv, nil); err == nil {
			t.Errorf("%s: it made %v", name, k)
		} else if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "another counter") {
			t.Errorf("%s: the error should say what to do: %v", name, err)
		}
	}
	// One call with the whole request at hand is enough.
	whole := recorded(1, 2000, 0)
	whole.System = "x"
	if k, err := Calibrate(t.Context(), Heuristic, whole, nil); err != nil || k.Median < 1.9 || k.Median > 2.1 {
		t.Errorf("a single whole request: %v, %v", k, err)
	}
}

// TestCallsLeaveOutWhatIsNotKnown: two compactions make three stretches, of which
// the middle one's prompts are not known. The middle calls cost nonsense.
func TestCallsLeaveOutWhatIsNotKnown(t *testing.T) {
	conv := recorded(10, 1500, 2000)
	first := len(conv.Messages)
	for range 5 {
		conv.Messages = append(conv.Messages, say(text("lost")))
		answer(conv, nil, 0, 999_999)
	}
	second := len(conv.Messages)
	history := append([]*model.Message{}, conv.Messages...)
	summary := say(text("All of it in short."))
	summary.Mark = model.Summary
	context := []*model.Message{summary}
	for i := range 10 {
		m := say(text(strings.Repeat("more ", 300+i)))
		conv.Messages = append(conv.Messages, m)
		context = append(context, m)
		a := answer(conv, context, 1500, 2000)
		context, history = append(context, a), append(history, m, a)
	}
	conv.SetViews(history, context)
	conv.Compactions = []model.Compaction{{History: first}, {History: second}}

	calls := Calls(conv)
	if len(calls) != 20 {
		t.Fatalf("%d calls, want the 10 before and the 10 after", len(calls))
	}
	for i, call := range calls {
		if call.Input == 999_999 {
			t.Errorf("call %d is one of those in between", i)
		}
	}
	if got := calls[10].Sent; len(got) != 2 || got[0] != summary {
		t.Errorf("the first call after the compaction sent %d messages", len(got))
	}
	if k, err := Calibrate(t.Context(), Heuristic, conv, nil); err != nil || !near(k.Median, 1.5) || !near(k.P90, 1.5) || k.Calls < 14 {
		t.Errorf("%v, %v, want 1.5 throughout", k, err)
	}
}

// TestAnswerInSeveralMessages: only the last carries the usage, and none was sent.
func TestAnswerInSeveralMessages(t *testing.T) {
	conv := &model.Conversation{Messages: []*model.Message{say(text("question"))}}
	thought := say(model.Part{Kind: model.Thinking, Text: "hm"})
	thought.Role = model.Assistant
	conv.Messages = append(conv.Messages, thought)
	answer(conv, nil, 0, 100)
	calls := Calls(conv)
	if len(calls) != 1 || len(calls[0].Sent) != 1 {
		t.Fatalf("%+v", calls)
	}
}

// TestUnrecordedCut: where the prompt shrinks without a word in the file, what
// grew before does not count with what grows after.
func TestUnrecordedCut(t *testing.T) {
	conv := recorded(10, 1500, 2000)
	for _, m := range recorded(10, 1500, 2000).Messages {
		conv.Messages = append(conv.Messages, m)
	}
	k, err := Calibrate(t.Context(), Heuristic, conv, nil)
	if err != nil || !near(k.P10, 1.5) || !near(k.P90, 1.5) {
		t.Errorf("%v, %v, want 1.5 throughout", k, err)
	}
}

func TestOverheadRule(t *testing.T) {
	low := recorded(3, 1000, 0)
	low.Messages[1].Usage.Input = 7 // less than its messages
	partial := recorded(3, 1000, 50_000)
	context := []*model.Message{say(text("summary"))}
	a := answer(partial, context, 1000, 4000)
	partial.SetViews(partial.Messages, append(context, a))
	partial.Compactions = []model.Compaction{{History: 6}}
	withSystem := recorded(3, 1000, 500)
	withSystem.System = "You are helpful."
	for _, tc := range []struct {
		name     string
		conv     *model.Conversation
		rule     string
		want     int64
		inferred bool
	}{
		{"first call", recorded(3, 1000, 12_345), "auto", 12_345, true},
		{"never negative", low, "auto", 0, true},
		{"the file begins late", partial, "auto", 4000, true},
		{"the largest that is believed", recorded(3, 1000, 64_000), "auto", 64_000, true},
		{"the file lacks its beginning", recorded(3, 1000, 64_001), "auto", 0, false},
		{"the file has a system prompt", withSystem, "auto", 9, false},
		{"no usage", &model.Conversation{Messages: []*model.Message{say(text("a"))}}, "auto", 0, false},
		{"set", recorded(3, 1000, 12_345), "7k", 7000, false},
		{"set against the file", withSystem, "1,234", 1234, false},
		{"turned off", recorded(3, 1000, 12_345), "0", 0, false},
	} {
		rule, err := ParseOverhead(tc.rule)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		for how, weigh := range map[string]func(*model.Message) int64{"read": nil, "known": func(m *model.Message) int64 { return Weigh(Heuristic, m) }} {
			if got, inferred := rule.Of(Heuristic, tc.conv, weigh); got != tc.want || inferred != tc.inferred {
				t.Errorf("%s, %s: %d, %v, want %d, %v", tc.name, how, got, inferred, tc.want, tc.inferred)
			}
		}
	}
	for _, s := range []string{"", "-1", "k", "12kk", "1.5k", "9999999999999k", "automatic"} {
		if rule, err := ParseOverhead(s); err == nil {
			t.Errorf("%q was taken as %v", s, rule)
		}
	}
}

func TestCalibratedIsOneExactFraction(t *testing.T) {
	c := Calibration{Under: Heuristic, num: 3, den: 8}.Counter() // 1.5 tokens for one of ours
	for _, tc := range []struct{ weight, want int64 }{{0, 0}, {2, 0}, {3, 1}, {8, 3}, {1 << 61, 3 << 58}, {-5, 0}} {
		if got := c.Tokens(tc.weight); got != tc.want {
			t.Errorf("a weight of %d is %d tokens, want %d", tc.weight, got, tc.want)
		}
	}
	huge := Calibration{Under: Heuristic, num: 1 << 40, den: 1}.Counter()
	if got := huge.Tokens(1 << 40); got != math.MaxInt64 {
		t.Errorf("past 64 bits it should stop at the largest number, not turn to %d", got)
	}
}

func TestParseFor(t *testing.T) {
	conv := recorded(20, 1400, 0)
	for _, name := range []string{"calibrated", "calibrated:heuristic", "calibrated:o200k,image:anthropic", "heuristic", "o200k"} {
		c, err := ParseFor(name, conv)
		if err != nil || c.Name() != name {
			t.Errorf("ParseFor(%q) = %v, %v", name, c, err)
		}
	}
	for _, name := range []string{"calibrated:nonsense", "calibratedx", "nonsense"} {
		if c, err := ParseFor(name, conv); err == nil {
			t.Errorf("%q was taken as %s", name, c.Name())
		}
	}
	if _, err := ParseFor("calibrated", new(model.Conversation)); err == nil {
		t.Error("calibrated on nothing")
	}
	if _, err := Parse("calibrated"); err == nil || !strings.Contains(err.Error(), "recorded usage") {
		t.Errorf("without a conversation: %v", err)
	}
}

func TestCompare(t *testing.T) {
	conv := recorded(20, 1200, 9000)
	conv.Messages = append(conv.Messages, say(model.Part{Kind: model.ToolResult, Text: "ab", List: []model.Part{text("cdef"), {Kind: model.Image}}},
		call("Read", `{}`), model.Part{Kind: model.Thinking, Text: strings.Repeat("t", 40)}))
	rows, err := Compare(t.Context(), conv, []string{"heuristic", "o200k", "calibrated:heuristic"})
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v, %v", rows, err)
	}
	h, o, k := rows[0], rows[1], rows[2]
	if h.Counter != "heuristic" || !h.Inferred || h.Calls != 19 || h.Total != h.Overhead+Count(Heuristic, conv.Messages) {
		t.Errorf("heuristic: %+v", h)
	}
	if h.Kinds[model.Image] != 64 || h.Kinds[model.Thinking] != 10 || h.Kinds[model.ToolCall] != 1 || h.Kinds[model.ToolResult] != 1 || h.Envelope != 41*5 {
		t.Errorf("heuristic by kind: %v, envelopes %d", h.Kinds, h.Envelope)
	}
	if o.Kinds[model.Image] != 765 || o.Total != o.Overhead+Count(O200k, conv.Messages) {
		t.Errorf("o200k: %+v", o)
	}
	if h.Error > -1 || h.Worst > h.Error || math.Abs(k.Error) > 0.2 || math.Abs(k.Worst) > 0.5 {
		t.Errorf("the heuristic is off by %.2f%% (at worst %.2f%%), calibrated by %.2f%% (%.2f%%)", h.Error, h.Worst, k.Error, k.Worst)
	}
	if h.Calibration == nil || !near(h.Calibration.Median, 1.2) || k.Calibration == nil || !near(k.Calibration.Median, 1) {
		t.Errorf("ratios: %v, %v", h.Calibration, k.Calibration)
	}

	silent := &model.Conversation{System: "x", Messages: []*model.Message{say(text("hello"))}}
	rows, err = Compare(t.Context(), silent, []string{"heuristic"})
	if err != nil || rows[0].Calls != 0 || rows[0].Inferred || rows[0].Calibration != nil || rows[0].Total != 5+6 {
		t.Errorf("without usage: %+v, %v", rows, err)
	}
}
