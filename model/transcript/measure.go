package transcript

import (
	"cmp"
	"context"
	"path/filepath"

	"cinch/model"
	"cinch/model/token"
)

// Counts is how large a session is. Messages, tokens and compactions are those
// of the conversation that would be opened, the last of the file.
type Counts struct {
	Measured      bool // whether the rest is known
	Conversations int
	Messages      int   // in the context view
	Tokens        int64 // of the context view with the overhead, as [token.Size] has it
	Compactions   int   // recorded ones
}

// Measure reads all of a session for what a list says about it. It takes as long
// as opening it; an error is that of [Open].
func (s *Session) Measure(ctx context.Context) error {
	f, err := Open(ctx, s.Path, Options{})
	if err != nil {
		return err
	}
	c := f.Selected
	messages := c.View(model.Context)
	s.Counts = Counts{
		Measured: true, Conversations: len(f.Conversations), Messages: len(messages), Compactions: len(c.Compactions),
		Tokens: token.Size(c),
	}
	s.Format = f.Format
	s.Project = cmp.Or(s.Project, c.Dir)
	s.Title = cmp.Or(s.Title, c.Title, firstWords(c.Messages))
	s.Model = cmp.Or(c.Model, s.Model)
	return nil
}

// ProjectName is the last part of the project's folder, "" where it is not known.
func (s *Session) ProjectName() string {
	if s.Project == "" {
		return ""
	}
	return filepath.Base(s.Project)
}
