package cli

import (
	"context"
	"errors"
	"os"

	"cinch/model/transcript"
	"cinch/ui"
	"cinch/ui/draw"
)

// named is the file to look at: the argument, or what is piped in; "" for
// somebody who names none.
func (a *app) named(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	keys, ok := a.in.(*os.File)
	if !ok {
		return "-"
	}
	if info, err := keys.Stat(); err == nil && info.Mode()&os.ModeCharDevice == 0 {
		return "-"
	}
	return ""
}

// begin reads the beginning of a file.
func (k *knobs) begin(ctx context.Context, path string, bytes int64) (*ui.Opened, error) {
	k, err := k.withPolicy()
	if err != nil {
		return nil, err
	}
	f, err := transcript.Beginning(ctx, path, bytes, k.reading())
	if err != nil {
		return nil, err
	}
	return &ui.Opened{File: f, Settings: k.looking}, nil
}

// inspect shows the inspector. Signals end its screen by its own hand, so that
// the terminal is in order afterwards.
func (a *app) inspect(ctx context.Context, path string, k *knobs, l *look) error {
	in, _ := a.in.(*os.File)
	recent := a.recents(l.noRecent)
	open := func(ctx context.Context, path string, k *knobs, progress func(done, total int64)) (*ui.Opened, error) {
		f, k, err := a.openWith(ctx, path, k, progress)
		if err != nil {
			return nil, err
		}
		return &ui.Opened{File: f, Settings: k.looking}, nil
	}
	o := ui.Options{
		Path: path, Session: k.session,
		Open: func(ctx context.Context, path string, progress func(done, total int64)) (*ui.Opened, error) {
			return open(ctx, path, k, progress)
		},
		Begin: k.begin,
		OpenBranch: func(ctx context.Context, path, session, branch string, progress func(done, total int64)) (*ui.Opened, error) {
			k := *k
			k.session, k.branch = session, branch
			return open(ctx, path, &k, progress)
		},
		Sessions: transcript.Sessions, Recent: recent.list, Remember: recent.add,
		PlanJSON: func(of ui.PlanOf) string {
			return streamed(func(w *stream) {
				kinds := planKinds{namedSplit(of.Before), namedSplit(of.After)}
				planJSON(w, engines[0].name, of.Conversation.Format, of.Settings, of.Plan, kinds)
			})
		},
		PassJSON: func(of ui.PassOf) string { return streamed(func(w *stream) { passJSON(w, of) }) },
		Theme:    l.theme, Profile: a.profile(l, draw.Attributes), Glyphs: a.set(l), NoMouse: l.noMouse, Keys: l.keys,
		In: in, Out: a.screen,
	}
	if l.follow {
		if err := followable(path); err != nil {
			return err
		}
		o.Follow = func(ctx context.Context, path string, progress func(done, total int64), seen func(*ui.Opened, error)) error {
			opt := k.reading()
			opt.Progress = progress
			return transcript.Follow(ctx, path, opt, func(f *transcript.File, err error) {
				if err != nil {
					seen(nil, err)
					return
				}
				seen(&ui.Opened{File: f, Settings: k.looking}, nil)
			})
		}
	}
	if l.accessible {
		if path == "-" {
			return errors.New("commands come from standard input here: name a session file, or a lesson such as lesson:demo")
		}
		return ui.Talk(ctx, o, until(ctx, a.in), a.out)
	}
	a.inspecting.Store(true)
	defer a.inspecting.Store(false)
	return ui.Run(context.Background(), o)
}
