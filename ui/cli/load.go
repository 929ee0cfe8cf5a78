package cli

import (
	"context"
	"errors"
	"fmt"

	"cinch/compactor"
	"cinch/compactor/ladder"
	"cinch/compactor/study"
	"cinch/model"
	"cinch/model/token"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

// loaded is a file with the settings for the conversation that was picked in it.
type loaded struct {
	file     *transcript.File
	settings *settings
	each     []token.Weights // of the messages of the view, once they were counted
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
	return &loaded{file: f, settings: s}, nil
}

func (l *loaded) recording(ctx context.Context) (r *compactor.Recording, err error) {
	r, l.each, err = l.settings.prepare(ctx, l.file.Selected)
	return r, err
}

// kinds are the tokens before and after a plan by kind.
func (l *loaded) kinds(p *compactor.Plan) planKinds {
	sums := make([]token.Weights, len(l.each)+1)
	for i := range l.each {
		sums[i+1] = sums[i]
		sums[i+1].Add(&l.each[i], 1)
	}
	c, kept := l.settings.Counter, study.Kept(p.Pass, sums)
	return planKinds{namedSplit(sums[len(l.each)].Split(c, p.Overhead)), namedSplit(kept.Split(c, p.Overhead))}
}

// plan is one pass over the conversation as it stands.
func (l *loaded) plan(ctx context.Context) (*compactor.Plan, error) {
	r, err := l.recording(ctx)
	if err != nil {
		return nil, err
	}
	return compactor.MakePlan(r.View(), l.settings.Policy), nil
}

// driving replays the conversation until the context is done.
func (l *loaded) driving(ctx context.Context) compactor.Driving {
	return compactor.Driving{Policy: l.settings.Policy, Stop: func() bool { return ctx.Err() != nil }}
}

// left is what one pass of the engine leaves of a conversation.
type left struct {
	messages []*model.Message
	numbers  []int // which message of the view each was, -1 for one the pass wrote
	did      string
	overflow bool // it does not fit the window
}

// pass runs one pass of the engine over the conversation as it stands.
func (l *loaded) pass(ctx context.Context) (*left, error) {
	if l.settings.ladder == nil {
		p, err := l.plan(ctx)
		if err != nil {
			return nil, err
		}
		return &left{p.Pass.Result().Messages(), p.Pass.Output(), outcome(p), p.Result == compactor.Overflow}, nil
	}
	e, err := l.climber()
	if err != nil {
		return nil, err
	}
	rec, asked := e.Record(), l.settings.request
	if asked == nil { // to compact is to ask for it
		asked = &ladder.Call{}
	}
	o := ladder.Run(e.Start(len(rec.Entries)).Pass(ctx, rec.Turns()+1, asked, l.settings.summarizer))
	if err := errors.Join(ctx.Err(), o.Err); err != nil {
		return nil, err
	}
	out := &left{did: fmt.Sprintf("%s committed, %s → %s, %s tokens", plural(len(o.Events), "rung"), plural(len(rec.Entries), "message"), draw.Tokens(int64(o.State.View.Len())), signed(o.After-o.Before))}
	if o.Blanks() > 0 {
		out.did += "; the summariser returned nothing, so " + ladder.NoSummary + " stands for what it took away"
	}
	for _, m := range o.State.View.Output() {
		out.messages, out.numbers = append(out.messages, m.Message), append(out.numbers, m.Source)
	}
	return out, nil
}
