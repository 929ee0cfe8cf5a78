package cli

import (
	"context"

	"cinch/compactor"
	"cinch/model/transcript"
)

// loaded is a file with the settings for the conversation that was picked in it.
type loaded struct {
	file     *transcript.File
	settings *settings
}

// load opens a file, tells what was odd about it, and applies the knobs.
func (a *app) load(ctx context.Context, path string, k *knobs) (*loaded, error) {
	f, k, err := a.open(ctx, path, k)
	if err != nil {
		return nil, err
	}
	a.warn(f)
	s, err := k.resolve(f.Selected)
	if err != nil {
		return nil, err
	}
	return &loaded{f, s}, nil
}

func (l *loaded) recording() *compactor.Recording { return l.settings.prepare(l.file.Selected) }

// plan is one pass over the conversation as it stands.
func (l *loaded) plan() *compactor.Plan {
	return compactor.MakePlan(l.recording().View(), l.settings.Policy)
}

// driving replays the conversation until the context is done.
func (l *loaded) driving(ctx context.Context) compactor.Driving {
	return compactor.Driving{Policy: l.settings.Policy, Stop: func() bool { return ctx.Err() != nil }}
}
