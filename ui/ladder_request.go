package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/ladder"
	"cinch/compactor/summarize"
	"cinch/model"
	"cinch/model/catalog"
	"cinch/ui/draw"
)

// requestPage shows what a summariser would be sent, before anything is.
type requestPage struct {
	about   []string
	message *model.Message
	text    detail
}

func (q *requestPage) lines(l *draw.Look, w, h int) []string {
	out := l.Sheet(w)
	out.Line().Space(1).Text(draw.Title, "what a summariser would be sent")
	for _, text := range q.about {
		wrapped(l, out, draw.Text, text)
	}
	out.Line()
	q.text.draw(l, q.message, out, h)
	return out.Lines()
}

// viewRequest shows the request of the pass at the cursor.
func (p *ladderScreen) viewRequest() tea.Cmd {
	switch {
	case !p.s.climb.summarises():
		return p.r.say(draw.Dim, "this ladder has no rung that summarises; %s to the rungs turns one on", p.r.press("ladder", "next knob"))
	default:
		if req := p.climber.request(p.r.ctx, &p.out, p.manual(p.out.Turn)); req != nil {
			p.open1(req, fmt.Sprintf("before call %d", p.at+1))
			return nil
		}
	}
	return p.r.say(draw.Dim, "the pass before this call does not get to a summary: an earlier rung is enough, or its head is empty")
}

// open1 shows a request.
func (p *ladderScreen) open1(req *ladder.Request, where string) {
	text := asText(*req)
	c := &p.s.climb
	if c.sends() {
		text = c.writer.Payload(*req)
	}
	p.look = &requestPage{
		about:   []string{where + ": " + p.s.sizeOf(req), p.s.goesTo()},
		message: &model.Message{Role: model.User, Parts: []model.Part{{Kind: model.Text, Text: text}}},
	}
	p.reading, p.page = true, true
}

// sizeOf says how large a request is against the window of who gets it.
func (s *session) sizeOf(req *ladder.Request) string {
	c := &s.climb
	var to summarize.Summarizer = summarize.Command{}
	if c.writer != nil && c.sends() {
		to = c.writer
	}
	n := summarize.Tokens(c.counter, to, *req)
	text := fmt.Sprintf("~%s tokens for %s of the head", draw.Tokens(n), count(len(req.Messages), "message"))
	window, whose := s.writerWindow(req)
	text += fmt.Sprintf(", %s of %s (%s)", draw.Percent(n, window), draw.Tokens(window), whose)
	if n > window {
		text += ": it does not fit"
	}
	return text
}

// writerWindow is the summariser's context window in tokens, and how it is known.
func (s *session) writerWindow(req *ladder.Request) (int64, string) {
	name := req.Model
	if to, ok := s.climb.writer.(summarize.Server); ok && to.Model != "" {
		name = to.Model
	}
	if name != "" {
		if m, ok := catalog.Lookup(name); ok && m.Window > 0 {
			return m.Window, "the window of " + draw.Line(name, 30)
		}
	}
	return s.policy.Window, "the run's window, the summariser's is not known"
}

// goesTo says who would get to see the conversation.
func (s *session) goesTo() string {
	c := &s.climb
	switch {
	case c.writer == nil:
		return "no summariser is chosen: nobody gets it"
	case !c.sends():
		return c.writerName() + " works in this program: nobody else gets it"
	}
	return "goes to " + draw.Line(c.writer.Receiver(), 60) + " when you say so; nothing has been sent"
}

// confirm asks, with the size of what would be sent, before anything is sent.
func (p *ladderScreen) confirm() tea.Cmd {
	c := &p.s.climb
	switch {
	case c.writer == nil:
		return p.writerMenu()
	case p.work != nil:
		return p.r.say(draw.Dim, "%s is being asked; esc gives up", draw.Line(c.writerName(), 40))
	case !c.sends():
		return p.r.say(draw.Dim, "%s needs no asking: its summaries are shown at once", c.writerName())
	case !c.summarises():
		return p.r.say(draw.Dim, "this ladder has no rung that summarises: nothing has to be sent")
	case !p.waiting:
		return p.r.say(draw.Dim, "every summary this run needs is there already")
	}
	who := draw.Line(c.writer.Receiver(), 40)
	title := fmt.Sprintf("send to %s?", who)
	if p.first != nil {
		n := summarize.Tokens(c.counter, c.writer, *p.first)
		window, _ := p.s.writerWindow(p.first)
		title = fmt.Sprintf("send ~%s tokens (%s of %s) to %s? %s in all", draw.Tokens(n), draw.Percent(n, window), draw.Short(window), who, about(p.about))
	}
	m := &menu{title: own(p.r.look, title), items: []item{
		{"y", "yes, ask now", func() tea.Cmd { p.look, p.reading, p.page = nil, false, false; return p.start() }},
	}}
	if p.first != nil {
		m.items = append(m.items, item{"v", "look at the first", func() tea.Cmd {
			p.open1(p.first, "the first request")
			return nil
		}})
	}
	m.items = append(m.items, item{"n", "not now", func() tea.Cmd { return nil }})
	return p.r.choose(m)
}

// about is an estimated number of requests.
func about(n int) string { return "about " + count(n, "request") }

// writerMenu chooses who writes the summaries.
func (p *ladderScreen) writerMenu() tea.Cmd {
	type typed struct{ key, name, prefix, hint string }
	m := &menu{title: "summaries by", items: []item{
		{"n", "nobody", func() tea.Cmd { return p.choose(nil) }},
		{"e", "extract, without a model", func() tea.Cmd { return p.choose(summarize.Extract{}) }},
	}}
	for _, t := range []typed{
		{"c", "a command", "cmd:", "the command: it reads prompt and transcript, and writes the summary"},
		{"o", "a server", "openai:", "MODEL@BASE_URL, such as llama3.2@http://localhost:11434/v1"},
		{"t", "a fixed text", "text:", "the summary itself"},
	} {
		text := ""
		if c := &p.s.climb; c.writer != nil && strings.HasPrefix(c.writerName(), t.prefix) {
			text = strings.TrimPrefix(c.writerName(), t.prefix)
		}
		m.items = append(m.items, item{t.key, t.name, func() tea.Cmd {
			return p.r.ask(newPrompt(t.prefix, t.hint, text, func(text string) (tea.Cmd, error) {
				w, err := summarize.Parse(t.prefix + strings.TrimSpace(text))
				if err != nil {
					return nil, err
				}
				return p.choose(w), nil
			}))
		}})
	}
	m.items = append(m.items,
		item{"p", "prompt", func() tea.Cmd {
			return p.r.ask(newPrompt("summaryPrompt", "the policy's; \\n is a new line", folded(p.s.climb.policy.SummaryPrompt), func(text string) (tea.Cmd, error) {
				text = unfolded(text)
				if strings.TrimSpace(text) == "" && p.s.climb.summarises() {
					return nil, errors.New("a ladder that summarises needs a prompt")
				}
				p.s.change("summaryPrompt", 0, func(u *setup) { u.climb.policy.SummaryPrompt = text })
				return nil, nil
			}))
		}},
		item{"m", "model", func() tea.Cmd {
			return p.r.ask(newPrompt("summaryModel", "empty: the run's own", p.s.climb.policy.SummaryModel, func(text string) (tea.Cmd, error) {
				p.s.change("summaryModel", 0, func(u *setup) { u.climb.policy.SummaryModel = strings.TrimSpace(text) })
				return nil, nil
			}))
		}})
	return p.r.choose(m)
}

// choose takes a summariser. One that sends is asked about before it is asked.
func (p *ladderScreen) choose(w summarize.Summarizer) tea.Cmd {
	what := "summaries by nobody"
	if w != nil {
		what = "summaries by " + draw.Line(w.String(), 40)
	}
	p.s.change(what, 0, func(u *setup) { u.climb.writer = w })
	cmd := p.shown()
	if w != nil && w.Receiver() != "" && p.waiting {
		return tea.Batch(cmd, p.confirm())
	}
	return tea.Batch(cmd, p.r.say(draw.Good, "%s", what))
}
