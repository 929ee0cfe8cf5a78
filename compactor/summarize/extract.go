package summarize

import (
	"context"
	"strings"

	"cinch/compactor/ladder"
	"cinch/model"
)

// Extract draws a summary from the head itself, without any model: what was
// asked for, what was decided, files, identifiers, commands, errors and calls
// that are still open. The same head always gives the same text. It has at most
// as many characters as the head has tokens, about a quarter of it, but is never
// held to fewer than 240 characters nor given more than 4,000.
type Extract struct{}

func (Extract) String() string                { return "extract" }
func (Extract) Receiver() string              { return "" }
func (Extract) Payload(ladder.Request) string { return "" }

// The limits of an extract, in characters.
const (
	minExtract = 240
	maxExtract = 4000
)

func (Extract) Summarize(ctx context.Context, req ladder.Request) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	part := func(at model.Ref) *model.Part { return &req.Messages[at.Message].Parts[at.Part] }
	traffic := model.PairUp(req.Messages)
	d := digest{tools: map[*model.Part]string{}}
	for _, pair := range traffic.Pairs {
		d.tools[part(pair.Result)] = part(pair.Call).Name
	}
	for _, m := range req.Messages {
		d.read(m)
	}
	for _, at := range traffic.LoneCalls {
		p := part(at)
		d.open.add(join(p.Name, shorten(p.Text, 120)))
	}
	limit := min(max(int(req.Tokens), minExtract), maxExtract) // a token is about four characters
	return d.text(limit), nil
}

// digest is what an extract has found so far.
type digest struct {
	tools map[*model.Part]string // the tool of each result that answers a call

	goal, requests, decisions list
	files                     files
	identifiers               tally
	commands, errors, open    list
}

// section is a heading and its items, as they are written and read back.
type section struct {
	name  string
	items []string
	last  bool // the newest items matter most: shortening takes the oldest
}

// sections is the digest in the order in which it is written.
func (d *digest) sections() []section {
	return []section{
		{"Goal", d.goal.newest(1), false},
		{"Requests", d.requests.newest(6), true},
		{"Decisions", d.decisions.newest(8), true},
		{"Files", d.files.lines(20), true},
		{"Identifiers", d.identifiers.most(12), false},
		{"Commands", d.commands.newest(6), true},
		{"Errors", d.errors.newest(8), true},
		{"Open calls", d.open.newest(8), true},
	}
}

// read takes in one message.
func (d *digest) read(m *model.Message) {
	for i := range m.Parts {
		p := &m.Parts[i]
		switch {
		case p.Kind == model.ToolCall:
			d.call(p)
		case p.Kind == model.ToolResult:
			d.result(p)
		case p.Kind != model.Text || m.Mark == model.Meta:
		case m.Role == model.Assistant:
			d.said(p.Text)
		case m.Mark == model.Summary || strings.HasPrefix(p.Text, ladder.SummaryPrefix):
			d.earlier(strings.TrimPrefix(p.Text, ladder.SummaryPrefix))
		default:
			d.asked(p.Text)
		}
	}
}

// asked takes in what the user wrote: the goal, or a later request.
func (d *digest) asked(text string) {
	switch {
	case strings.TrimSpace(text) == "":
	case len(d.goal.items) == 0:
		d.goal.add(shorten(text, 400))
	default:
		d.requests.add(shorten(text, 160))
	}
	d.identifiers.read(text)
}

// said takes in what the assistant wrote: sentences that decide something, and
// the names it used.
func (d *digest) said(text string) {
	for _, sentence := range sentences(text) {
		if decides.MatchString(sentence) {
			d.decisions.add(shorten(sentence, 200))
		}
	}
	d.identifiers.read(text)
}

// call takes in the files and the command that a tool call names.
func (d *digest) call(p *model.Part) {
	for _, in := range inputs(p.Text) {
		switch {
		case commandKeys[in.key]:
			d.commands.add(shorten(in.value, 120))
		case fileKeys[in.key] && in.value != "":
			d.files.touch(shorten(in.value, 160), p.Name)
		}
	}
}

// result takes in what a tool reported to have gone wrong.
func (d *digest) result(p *model.Part) {
	out := p.Output()
	line := shorten(wrong(out, p.IsError), 200)
	switch tool := d.tools[p]; {
	case out == ladder.Marker: // what it said is gone
	case line == "":
	case tool == "":
		d.errors.add(line)
	default:
		d.errors.add(tool + ": " + line)
	}
}

// earlier takes in a summary that an earlier pass has put in: an extract by its
// sections, any other text as the state of things.
func (d *digest) earlier(text string) {
	found := false
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if item, ok := strings.CutPrefix(line, "- "); ok && name != "" {
			d.restore(name, item)
			found = true
			continue
		}
		name = strings.TrimSuffix(line, ":")
	}
	if !found && text != ladder.NoSummary {
		d.requests.add(shorten("Earlier summary: "+text, 600))
	}
}

// restore puts an item of an earlier extract back under its heading.
func (d *digest) restore(name, item string) {
	switch name {
	case "Goal":
		d.goal.add(item)
	case "Requests":
		d.requests.add(item)
	case "Decisions":
		d.decisions.add(item)
	case "Files":
		path, tools, _ := strings.Cut(strings.TrimSuffix(item, ")"), " (")
		for tool := range strings.SplitSeq(tools, ", ") {
			d.files.touch(path, tool)
		}
	case "Identifiers":
		for _, word := range strings.Split(item, ", ") {
			d.identifiers.add(word)
		}
	case "Commands":
		d.commands.add(item)
	case "Errors":
		d.errors.add(item)
	}
}
