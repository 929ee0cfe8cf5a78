package transcript

import (
	"fmt"
	"strings"
	"time"

	"cinch/model"
)

const (
	aiderSession = "# aider chat started at "
	aiderUser    = "#### "
)

// sniffAider knows a chat history by the lines that open a session or a
// question; those of a published transcript have only the latter.
func sniffAider(_ string, head []byte) bool {
	text := strings.TrimLeft(string(head), "\ufeff \t\r\n")
	if text == "" || text[0] == '{' || text[0] == '[' {
		return false
	}
	text = "\n" + text
	return strings.Contains(text, "\n"+aiderSession) || strings.Contains(text, "\n"+aiderUser) && strings.Contains(text, "aider")
}

// aider reads a chat history, a Markdown file without roles.
type aider struct {
	convs []*model.Conversation
	conv  *model.Conversation
	m     *model.Message
	lines []string // of the message being read
}

// decodeAider reads all sessions that hold messages. Lines that begin with ####
// are what the user said, quoted lines what aider told (which the model is not
// sent), and all others what the model answered.
func decodeAider(doc *Document) ([]*model.Conversation, error) {
	text, err := doc.Text()
	if err != nil {
		return nil, err
	}
	d := &aider{}
	d.session("")
	var offset int64
	line := 0
	for raw := range strings.Lines(text) {
		line++
		s := strings.TrimRight(raw, "\r\n")
		at := model.Span{Line: line, Offset: offset, Length: int64(len(raw))}
		offset += int64(len(raw))
		said, user := strings.CutPrefix(s, aiderUser)
		switch {
		case strings.HasPrefix(s, aiderSession):
			d.end()
			d.session(strings.TrimSpace(s[len(aiderSession):]))
		case user || s == strings.TrimSpace(aiderUser):
			d.say(model.User, strings.TrimRight(said, " "), at)
		case strings.HasPrefix(s, "> ") || s == ">":
			d.end()
		case d.m == nil && strings.TrimSpace(s) == "":
		case len(d.conv.Messages) == 0 && d.m == nil: // before the first question
		case strings.HasPrefix(s, "</div>") || strings.HasPrefix(s, "<div "):
		default:
			d.say(model.Assistant, s, at)
		}
	}
	d.end()
	var all []*model.Conversation
	for _, c := range d.convs {
		if len(c.Messages) > 0 {
			all = append(all, c)
		}
	}
	if all == nil {
		return nil, doc.Fail(0, 0, "a chat history of aider in which nobody said anything")
	}
	return all, nil
}

// session begins a session.
func (d *aider) session(started string) {
	d.conv = &model.Conversation{ID: fmt.Sprint(len(d.convs)), Title: strings.Clone(started)}
	d.convs = append(d.convs, d.conv)
}

// say adds a line to what somebody says. A blank line between two of the user's
// is one of theirs only when they go on.
func (d *aider) say(role model.Role, s string, at model.Span) {
	if d.m != nil && d.m.Role == model.User && role == model.Assistant && strings.TrimSpace(s) == "" {
		return
	}
	if d.m == nil || d.m.Role != role {
		d.end()
		d.m = &model.Message{Role: role, Wrote: role.String(), Spans: []model.Span{at}}
		if t, err := time.Parse(time.DateTime, d.conv.Title); err == nil {
			d.m.Time = t
		}
	}
	d.lines = append(d.lines, s)
	d.m.Spans[0].Length = at.Offset + at.Length - d.m.Spans[0].Offset
}

// end closes the message being read.
func (d *aider) end() {
	if d.m == nil {
		return
	}
	said := strings.TrimSpace(strings.Join(d.lines, "\n"))
	if said != "" {
		d.m.Parts = []model.Part{{Kind: model.Text, Text: said}}
		d.conv.Messages = append(d.conv.Messages, d.m)
	}
	d.m, d.lines = nil, nil
}
