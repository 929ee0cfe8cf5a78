package ui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/compactor/policy"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

// exportForms are what a tuned policy can be written as, by engine.
var exportForms = map[string][]struct{ key, form, name, ending string }{
	policy.Truncating: {
		{"t", "toml", "TOML", ".toml"}, {"j", "json", "JSON", ".json"}, {"r", "rust", "loopctl's builders in Rust", ".rs"},
	},
	policy.Ladder: {
		{"t", "toml", "TOML", ".toml"}, {"j", "json", "JSON", ".json"}, {"s", "typescript", "drover's compaction object in TypeScript", ".ts"},
	},
}

// exported is the tuned policy of an engine, as the export writes it.
func (s *session) exported(engine string) *policy.Policy {
	p := policy.New(engine)
	if s.windowFrom != "model" && s.windowFrom != "default" {
		p.Window = s.policy.Window
	}
	if engine == policy.Ladder {
		p.Ladder = s.climb.policy
		if name := s.climb.counter.Name(); name != "drover" {
			p.Counter = name
		}
		return p
	}
	p.Truncating = s.policy
	p.Truncating.Window = p.Window
	if name := s.counter().Name(); name != "heuristic" {
		p.Counter = name
	}
	return p
}

// exportMenu offers the forms of the policy that the screen tunes, and what it
// leaves of the conversation.
func (r *root) exportMenu() tea.Cmd {
	if !r.s.loaded() {
		return r.say(draw.Dim, "nothing to export")
	}
	engine := policy.Truncating
	if _, ok := r.screen().(*ladderScreen); ok {
		engine = policy.Ladder
	}
	m := &menu{title: "export the " + engine + " policy as"}
	for _, f := range exportForms[engine] {
		m.items = append(m.items, item{f.key, f.name, func() tea.Cmd {
			text, err := policy.Export(r.s.exported(engine), f.form)
			if err != nil {
				return r.say(draw.Fault, "%v", err)
			}
			along := ""
			if engine == policy.Ladder {
				along = r.s.climb.goesAlong()
			}
			return r.exportTo(f.name, f.ending, text, along)
		}})
	}
	m.items = append(m.items, item{"c", "compacted conversation", r.writeCompacted})
	return r.choose(m)
}

// exportTo asks where an export goes, and says what goes along with it.
func (r *root) exportTo(name, ending, text, along string) tea.Cmd {
	name = "the policy as " + name
	return r.choose(&menu{title: name + " to", items: []item{
		{"c", "the clipboard", func() tea.Cmd { return r.also(along, r.copy(name, text)) }},
		{"f", "a file", func() tea.Cmd { return r.exportFile("policy"+ending, text, along) }},
		{"Y", "the terminal, when the inspector closes", func() tea.Cmd { return r.also(along, r.keep(name, text)) }},
	}})
}

// exportFile asks for a file's name and writes it. A file that exists is not
// written over.
func (r *root) exportFile(suggest, text, along string) tea.Cmd {
	return r.ask(newPrompt("write to", "a new file; enter writes it", suggest, func(path string) (tea.Cmd, error) {
		path = strings.TrimSpace(path)
		if path == "" {
			return nil, errors.New("the name of a file")
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		switch {
		case errors.Is(err, os.ErrExist):
			return nil, fmt.Errorf("%s exists; name another file", filepath.Base(path))
		case err != nil:
			return nil, fmt.Errorf("it cannot be written: %w", transcript.WithoutPath(err))
		}
		_, err = f.WriteString(text)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("it cannot be written: %w", transcript.WithoutPath(err))
		}
		return r.also(along, r.say(draw.Good, "written to %s", path)), nil
	}))
}
