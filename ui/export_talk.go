package ui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor"
	"cinch/model"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

// leaving is a screen with a pass of its own: what it leaves, and why it leaves
// nothing that could be written.
type leaving interface {
	left() ([]*model.Message, error)
}

// left is what the pass would leave, as the command line writes it.
func (s *session) left() ([]*model.Message, error) {
	if s.plan.Result == compactor.Overflow {
		return nil, errors.New("what the pass leaves does not fit the window: " + draw.Tokens(s.plan.After) + " tokens")
	}
	return s.plan.Pass.Result().Messages(), nil
}

// left is what the pass at the cursor leaves.
func (p *ladderScreen) left() ([]*model.Message, error) {
	switch {
	case p.run == nil || p.counting || p.waiting:
		return nil, errors.New("the ladder has not been climbed yet")
	case p.out.Err != nil:
		return nil, p.out.Err
	}
	var messages []*model.Message
	for _, m := range p.out.State.View.Output() {
		messages = append(messages, m.Message)
	}
	return messages, nil
}

// writtenMsg says how writing a conversation went.
type writtenMsg struct {
	path, format string
	messages     int
	lost         []string
	err          error
}

// writeCompacted asks where the conversation goes as the screen's pass leaves it,
// and writes it there in its own format where that can be written. A file that
// exists is not written over.
func (r *root) writeCompacted() tea.Cmd {
	from := leaving(r.s)
	if screen, ok := r.screen().(leaving); ok {
		from = screen
	}
	messages, err := from.left()
	if err != nil {
		return r.say(draw.Fault, "nothing to write: %v", err)
	}
	s := r.s
	format := transcript.WrittenAs(s.conv.Format)
	return r.ask(newPrompt("write to", fmt.Sprintf("a new file; enter writes %s as %s", count(len(messages), "message"), format), compactedName(s.conv.Path, format), func(path string) (tea.Cmd, error) {
		path = strings.TrimSpace(path)
		if path == "" {
			return nil, errors.New("the name of a file")
		}
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("%s exists; name another file", filepath.Base(path))
		}
		c, ctx := s.carried(), r.ctx
		r.say(draw.Text, "writing to %s", path)
		return func() tea.Msg {
			text, lost, err := s.opened.File.Encode(ctx, format, c, messages)
			if err == nil {
				err = transcript.Save(path, []string{s.opened.File.Path, c.Path}, false, text)
			}
			return writtenMsg{path, format, len(messages), lost, err}
		}, nil
	}))
}

// written tells how it went.
func (r *root) written(m writtenMsg) tea.Cmd {
	switch {
	case m.err != nil:
		return r.say(draw.Fault, "%v", m.err)
	case len(m.lost) > 0:
		return r.say(draw.Warning, "%s written to %s as %s, which has no place for %s", count(m.messages, "message"), m.path, m.format, strings.Join(m.lost, ", "))
	}
	return r.say(draw.Good, "%s written to %s as %s", count(m.messages, "message"), m.path, m.format)
}

// carried is the conversation with the overhead that was inferred for it.
func (s *session) carried() *model.Conversation {
	if s.now.view.Recording().Inferred {
		carried := *s.conv
		carried.Overhead = s.now.view.Recording().Overhead
		return &carried
	}
	return s.conv
}

// compactedName suggests a name beside nothing that is there yet.
func compactedName(path, format string) string {
	name := filepath.Base(path)
	for _, ending := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, ending)
	}
	ending := filepath.Ext(name)
	name = strings.TrimPrefix(strings.TrimSuffix(name, ending), "lesson:")
	switch format {
	case "claude-code", "codex", "pi":
		ending = ".jsonl"
	default:
		ending = ".json"
	}
	if name == "" || name == "-" {
		name = "conversation"
	}
	return name + "-compacted" + ending
}
