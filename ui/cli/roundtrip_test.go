package cli

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"cinch/compactor"
	"cinch/compactor/ladder"
	"cinch/compactor/study"
	"cinch/model"
	"cinch/model/token"
	"cinch/model/transcript"
)

// session draws a conversation as agents have them: a person asks, the model
// thinks, says something and calls tools, sometimes several at once, and gets
// their results, some of which failed or hold pictures. Now and then the person
// interrupts, an answer follows an answer, or the last calls are still unanswered.
func session() *rapid.Generator[[]*model.Message] {
	words := rapid.SampledFrom([]string{"hello", "1.0 and 1e3", "é \u2028 😀", "<tag> & \"quotes\" \\u00e9", "a\nb\tc", strings.Repeat("long ", 40)})
	inputs := rapid.SampledFrom([]string{`{}`, `{"path":"a.go"}`, `{"n":1.0,"m":1e3,"é":"😀"}`, `{"deep":[{"x":null}]}`})
	return rapid.Custom(func(t *rapid.T) []*model.Message {
		var out []*model.Message
		clock := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
		add := func(m *model.Message) {
			clock = clock.Add(time.Second)
			m.Time = clock
			out = append(out, m)
		}
		text := func() model.Part { return model.Part{Kind: model.Text, Text: words.Draw(t, "text")} }
		calls, context := 0, int64(12_000)
		for turn := range rapid.IntRange(1, 7).Draw(t, "turns") {
			if turn > 0 && rapid.IntRange(0, 5).Draw(t, "system") == 0 {
				add(&model.Message{Role: model.System, Parts: []model.Part{text()}})
			}
			add(&model.Message{Parts: []model.Part{text()}})
			for range rapid.IntRange(0, 3).Draw(t, "answers") {
				context += 900
				a := &model.Message{Role: model.Assistant, Model: "claude-opus-4-5", Usage: &model.Usage{Input: context, CacheRead: context / 2, Output: 40}}
				if rapid.Bool().Draw(t, "thinks") {
					a.Parts = append(a.Parts, model.Part{Kind: model.Thinking, Text: words.Draw(t, "thought")})
				}
				if rapid.Bool().Draw(t, "says") {
					a.Parts = append(a.Parts, text())
				}
				r := &model.Message{}
				for range rapid.IntRange(0, 3).Draw(t, "calls") {
					calls++
					id := fmt.Sprintf("call_%d", calls)
					a.Parts = append(a.Parts, model.Part{Kind: model.ToolCall, ID: id, Name: "Read", Text: inputs.Draw(t, "input")})
					p := model.Part{Kind: model.ToolResult, ID: id, Name: "Read", Text: words.Draw(t, "output"), IsError: rapid.IntRange(0, 4).Draw(t, "failed") == 0}
					if rapid.IntRange(0, 4).Draw(t, "pictured") == 0 {
						p.Text, p.List = "", []model.Part{text(), {Kind: model.Image, Media: &model.Media{Type: "image/png", Encoding: "base64", Data: "iVBORw0KGgo="}}}
					}
					r.Parts = append(r.Parts, p)
				}
				if len(a.Parts) == 0 {
					a.Parts = append(a.Parts, text())
				}
				add(a)
				if len(r.Parts) > 0 && rapid.IntRange(0, 15).Draw(t, "unanswered") > 0 {
					add(r)
				}
			}
		}
		return out
	})
}

// recorded writes a conversation in a format and opens it, as if an agent had.
func recorded(t *rapid.T, format string, messages []*model.Message) *transcript.File {
	c := &model.Conversation{
		Format: "none", ID: "7d1f0c52-0000-4000-8000-000000000001", Dir: "/home/u/p", Model: "claude-opus-4-5", System: "Be brief.",
		Tools:    `[{"name":"Read","description":"reads","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}]`,
		Messages: messages,
	}
	var b bytes.Buffer
	if err := (&transcript.File{}).Write(context.Background(), &b, format, c, messages); err != nil {
		t.Fatal(err)
	}
	f, err := transcript.Read(context.Background(), "recorded", &b, transcript.Options{Format: format})
	if err != nil {
		t.Fatalf("%v, reading\n%s", err, b.String())
	}
	return f
}

// leftOf is what a pass of either engine leaves of a conversation.
func leftOf(t *rapid.T, c *model.Conversation) ([]*model.Message, []int) {
	view := c.View(model.Context)
	if rapid.Bool().Draw(t, "ladder") {
		rec := ladder.NewRecord(view, token.Drover)
		e, err := ladder.New(ladder.Policy{
			Strategy:      []ladder.Strategy{rapid.SampledFrom(ladder.Strategies).Draw(t, "rung")},
			Preserve:      ladder.Preserve{FirstUserTurn: rapid.Bool().Draw(t, "first"), RecentTurns: rapid.IntRange(1, 4).Draw(t, "recent")},
			SummaryPrompt: "What was done?",
		}, 200_000, rec)
		if err != nil {
			t.Fatal(err)
		}
		o := ladder.Run(e.Start(len(rec.Entries)).Pass(context.Background(), rec.Turns()+1, &ladder.Call{}, writes{}))
		var messages []*model.Message
		var numbers []int
		for _, m := range o.State.View.Output() {
			messages, numbers = append(messages, m.Message), append(numbers, m.Source)
		}
		return messages, numbers
	}
	p := compactor.DefaultPolicy()
	p.PreserveRecent = rapid.IntRange(1, 8).Draw(t, "preserve_recent")
	p.MinMessages = 2
	pass := compactor.Truncate(compactor.Prepare(view, token.Heuristic, nil).View(), p)
	return pass.Result().Messages(), pass.Output()
}

// writes is a summariser for tests.
type writes struct{}

func (writes) Summarize(context.Context, ladder.Request) (string, error) {
	return "What was done.", nil
}

// TestRoundTrips: in every writable format, what either engine's pass leaves of a
// conversation reads back as the same messages, with the same pairs, the same sum
// and nothing that a provider would reject which was not there before; and writing
// that again changes nothing more.
func TestRoundTrips(t *testing.T) {
	for _, format := range transcript.Writable() {
		t.Run(format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				f := recorded(t, format, session().Draw(t, "session"))
				c := f.Selected
				view := c.View(model.Context)
				left, _ := leftOf(t, c)
				text, lost, err := f.Encode(context.Background(), format, c, left)
				if err != nil {
					t.Fatal(err)
				}
				answered := slices.ContainsFunc(left, func(m *model.Message) bool { return m.Role == model.Assistant })
				if len(lost) > 0 && (answered || lost[0] != "the model's name") {
					t.Errorf("lost %v", lost)
				}
				for _, empty := range []string{`"tool_calls":[]`, `"content":[]`, `"parts":[]`, `"text":""`} {
					if bytes.Contains(text, []byte(empty)) {
						t.Errorf("providers refuse %s:\n%s", empty, text)
					}
				}
				back, err := transcript.Read(context.Background(), "written", bytes.NewReader(text), transcript.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got := back.Selected.View(model.Context)
				if back.Format != format || !slices.Equal(told(got, format), told(left, format)) {
					t.Fatalf("read as %s:\n%s\nwant\n%s\nfrom\n%s", back.Format, strings.Join(told(got, format), "\n"), strings.Join(told(left, format), "\n"), text)
				}
				if back.Selected.System != c.System || back.Selected.Tools != c.Tools || answered && back.Selected.Model != c.Model {
					t.Errorf("system %q, tools %q, model %q; want %q, %q, %q", back.Selected.System, back.Selected.Tools, back.Selected.Model, c.System, c.Tools, c.Model)
				}
				if len(back.Warnings) > 0 {
					t.Errorf("reading warns %v", back.Warnings)
				}
				if format == "openai-responses" {
					return // adjoining answers are one there: what follows is not comparable
				}
				if a, b := model.PairUp(got), model.PairUp(left); fmt.Sprint(a) != fmt.Sprint(b) {
					t.Errorf("pairs %v, want %v", a, b)
				}
				for _, call := range token.Calls(back.Selected) {
					if n := len(call.Sent); n > len(view) || !slices.Equal(told(call.Sent, format), told(view[:n], format)) {
						t.Errorf("the usage of %d tokens speaks of %d messages that were not what was sent then", call.Input, n)
					}
				}
				if a, b := token.Count(token.Heuristic, got), token.Count(token.Heuristic, left); a != b {
					t.Errorf("%d tokens, want %d", a, b)
				}
				for _, refusal := range study.LintLists(left, got, nil) {
					if len(refusal.Caused) > 0 {
						t.Errorf("%s would reject what was written: %v", refusal.Provider.Name, refusal.Caused)
					}
				}
				again, _, err := back.Encode(context.Background(), format, back.Selected, got)
				if err != nil || !bytes.Equal(again, text) {
					t.Errorf("written again (%v)\n%s\nwas\n%s", err, again, text)
				}
			})
		})
	}
}

// told is what messages say, part by part. In the Responses API answers that
// follow one another are one.
func told(messages []*model.Message, format string) (out []string) {
	for i, m := range messages {
		if i == 0 || format != "openai-responses" || m.Role != model.Assistant || messages[i-1].Role != model.Assistant {
			out = append(out, m.Role.String())
		}
		for i := range m.Parts {
			out = append(out, "  "+said(&m.Parts[i]))
		}
	}
	return out
}

// said is what a part says; a list of one text is that text, which some formats
// cannot tell apart.
func said(p *model.Part) string {
	if len(p.List) == 1 && p.List[0].Kind == model.Text {
		one := *p
		one.Text, one.List = p.List[0].Text, nil
		return said(&one)
	}
	s := fmt.Sprintf("%s %v %s %s %q", p.Kind, p.IsError, p.ID, p.Name, p.Text)
	if p.Media != nil {
		s += fmt.Sprintf(" %v", *p.Media)
	}
	if p.List != nil {
		s += " of"
	}
	for i := range p.List {
		s += " (" + said(&p.List[i]) + ")"
	}
	return s
}

// TestConversions: in every writable format from every other the same is said, in
// the same order and by the same side, and the same calls have the same results.
// What a format has no place for is named.
func TestConversions(t *testing.T) {
	for _, format := range transcript.Writable() {
		t.Run(format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				f := recorded(t, rapid.SampledFrom(transcript.Writable()).Draw(t, "from"), session().Draw(t, "session"))
				view := f.Selected.View(model.Context)
				text, lost, err := f.Encode(context.Background(), format, f.Selected, view)
				if err != nil {
					t.Fatal(err)
				}
				back, err := transcript.Read(context.Background(), "written", bytes.NewReader(text), transcript.Options{Format: format})
				if err != nil {
					t.Fatal(err)
				}
				got := back.Selected.View(model.Context)
				if a, b := exchanged(got, ""), exchanged(view, notes[format]); !slices.Equal(a, b) {
					t.Fatalf("from %s\n%s\nbecame %s\n%s\nas\n%s", f.Format, strings.Join(b, "\n"), format, strings.Join(a, "\n"), text)
				}
				a, b := model.PairUp(got), model.PairUp(view)
				if len(a.Pairs) != len(b.Pairs) || len(a.LoneCalls) != len(b.LoneCalls) || len(a.LoneResults) != len(b.LoneResults) {
					t.Errorf("%d pairs, %d lone calls, %d lone results; want %d, %d, %d", len(a.Pairs), len(a.LoneCalls), len(a.LoneResults), len(b.Pairs), len(b.LoneCalls), len(b.LoneResults))
				}
				for what, gone := range map[string]bool{
					"thought": kinds(view, model.Thinking) > kinds(got, model.Thinking),
					"image":   kinds(view, model.Image) > kinds(got, model.Image),
				} {
					if named := strings.Contains(strings.Join(lost, ", "), what); named != gone {
						t.Errorf("%s gone: %v, but lost is %v", what, gone, lost)
					}
				}
			})
		})
	}
}

// notes are the formats in which what the system says is told by the user.
var notes = map[string]string{"claude-code": "user", "pi": "user"}

// exchanged is what was said and done, without what some formats have no place
// for: thoughts, pictures, which results failed, whether an answer speaks before
// it calls, and what the system says, unless it counts as somebody's.
func exchanged(messages []*model.Message, system string) (out []string) {
	side, from := "", 0
	settle := func() {
		slices.SortStableFunc(out[from:], func(a, b string) int {
			return strings.Compare(strings.Fields(a)[1], strings.Fields(b)[1]) * -1
		})
	}
	for _, m := range messages {
		role := m.Role.String()
		if m.Role == model.System {
			if role = system; role == "" {
				continue
			}
		}
		if role != side {
			settle()
			side, from = role, len(out)
		}
		for i := range m.Parts {
			switch p := &m.Parts[i]; p.Kind {
			case model.Text, model.ToolCall, model.ToolResult:
				out = append(out, fmt.Sprintf("%s %s %s %q", role, p.Kind, strings.ReplaceAll(p.ID, "#", "_"), p.Output()))
			}
		}
	}
	settle()
	return out
}

func kinds(messages []*model.Message, k model.Kind) (n int) {
	var count func([]model.Part)
	count = func(list []model.Part) {
		for i := range list {
			if list[i].Kind == k {
				n++
			}
			count(list[i].List)
		}
	}
	for _, m := range messages {
		count(m.Parts)
	}
	return n
}
