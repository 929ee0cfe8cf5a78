package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"cinch/compactor"
	"cinch/compactor/study"
	"cinch/model"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

func (a *app) checkCommand() *cobra.Command {
	k, r, jobs := newKnobs(), &report{}, int64(runtime.GOMAXPROCS(0))
	c := a.command(&cobra.Command{
		Use:   "check FILE…|FOLDER…",
		Short: "For CI: fail when a run ends in ContextExceeded or a pass breaks a pair",
		Long: `Replay every conversation of the files and fail, with exit code 1, when one ends in
ContextExceeded or a pass leaves half of a tool pair behind. A folder stands for the
sessions in it and below; what is no session there is passed over with a note.`,
		Example: `  cinch check sessions/ --window 128k
  cinch check *.jsonl --threshold 70 --json
  cinch check lesson:demo`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("`cinch check` needs a file or a folder")
			}
			return named(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			targets, err := expand(args)
			if err != nil {
				return err
			}
			return a.check(c.Context(), targets, k, r, int(jobs))
		},
	})
	addKnobs(c.Flags(), k, model.History)
	c.Flags().Var(&number{n: &jobs, min: 1, max: 1024, want: "a number from 1 to 1024"}, "jobs", "files that are replayed at the same time")
	r.add(c, "")
	return c
}

// target is one file to check. What is found in a folder may turn out to be no session.
type target struct {
	path  string
	found bool
}

// expand replaces folders by the files in and below them.
func expand(args []string) ([]target, error) {
	var out []target
	for _, arg := range args {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			out = append(out, target{path: arg})
			continue
		}
		err := filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.Type().IsRegular() {
				out = append(out, target{path, true})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// checked is what came of one conversation.
type checked struct {
	File     string          `json:"file"`
	Session  int             `json:"session"`
	ID       string          `json:"id"`
	Format   string          `json:"format"`
	OK       bool            `json:"ok"`
	Messages int             `json:"messages"`
	Calls    int             `json:"calls"`
	Passes   int             `json:"passes"`
	Window   int64           `json:"window"`
	Outcome  string          `json:"outcome"`
	Cause    compactor.Cause `json:"cause"`
	Used     int64           `json:"used"`
	Limit    int64           `json:"limit"`
	Message  int             `json:"message"`
	Broken   []brokenHalf    `json:"broken"`
}

type brokenHalf struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	Pass int    `json:"pass"`
}

type unread struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// answer is what came of one file.
type answer struct {
	target  target
	file    *transcript.File
	checked []checked
	err     error
}

// check looks at all files and tells in the order in which they were named.
func (a *app) check(ctx context.Context, targets []target, k *knobs, r *report, jobs int) error {
	answers := make([]chan answer, len(targets))
	for i := range answers {
		answers[i] = make(chan answer, 1)
	}
	slots := make(chan struct{}, jobs)
	go func() {
		for i, t := range targets {
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				answers[i] <- a.checkFile(ctx, t, k)
			}()
		}
	}()
	t := newTable(false, true, true, true, true)
	t.whole = true
	t.row("", "messages", "calls", "passes", "window", "")
	read, bad, passedOver := 0, 0, 0
	var unreadable error
	for _, ch := range answers {
		got := <-ch
		switch {
		case got.err != nil && ctx.Err() != nil:
			return ctx.Err()
		case got.err != nil && got.target.found:
			passedOver++
			continue
		case got.err != nil:
			fmt.Fprintf(a.err, "cinch: %s\n", oneLine(got.err.Error()))
			if r.json {
				a.jsonLine(unread{got.target.path, got.err.Error()})
			}
			unreadable = got.err
			continue
		}
		read++
		a.warn(got.file)
		for _, c := range got.checked {
			if !c.OK {
				bad++
			}
			if r.json {
				a.jsonLine(c)
				continue
			}
			t.row(mark(c.OK)+" "+oneLine(c.name(len(got.checked))), draw.Tokens(int64(c.Messages)), draw.Tokens(int64(c.Calls)), draw.Tokens(int64(c.Passes)), draw.Tokens(c.Window), c.verdict())
		}
	}
	if !r.json {
		if read > 0 {
			a.print(t, "")
		}
	}
	if passedOver > 0 {
		fmt.Fprintf(a.err, "cinch: %s passed over: no session in a format cinch knows\n", plural(passedOver, "file"))
	}
	switch {
	case unreadable != nil:
		return errTold
	case read == 0:
		return errors.New("no session was found to check")
	case bad > 0:
		return errFailed
	}
	return nil
}

func mark(ok bool) string {
	if ok {
		return "ok  "
	}
	return "FAIL"
}

func (c *checked) name(of int) string {
	if of > 1 {
		return c.File + " " + strconv.Itoa(c.Session)
	}
	return c.File
}

// verdict says in a few words what came of a conversation.
func (c *checked) verdict() string {
	s := "completed"
	if c.Outcome == compactor.OutcomeExceeded {
		s = fmt.Sprintf("ContextExceeded{used: %d, limit: %d} before #%d (%s)", c.Used, c.Limit, c.Message, c.Cause)
	}
	if len(c.Broken) > 0 {
		h := c.Broken[0]
		s += fmt.Sprintf("; pass %d left a %s without its other half: %s", h.Pass, h.Kind, oneLine(h.ID))
		if more := len(c.Broken) - 1; more > 0 {
			s += fmt.Sprintf(" and %d more", more)
		}
	}
	return s
}

// checkFile replays the conversations of a file: the one that --session names, else all.
func (a *app) checkFile(ctx context.Context, t target, k *knobs) answer {
	f, k, err := a.open(ctx, t.path, k)
	if err != nil {
		return answer{target: t, err: err}
	}
	out := answer{target: t, file: f}
	for i, c := range f.Conversations {
		if k.session != "" && c != f.Selected || len(c.Messages) == 0 {
			continue
		}
		one, err := checkConversation(ctx, c, k)
		if err != nil {
			return answer{target: t, err: err}
		}
		one.File, one.Session = f.Path, i+1
		out.checked = append(out.checked, one)
	}
	return out
}

func checkConversation(ctx context.Context, c *model.Conversation, k *knobs) (checked, error) {
	s, err := k.resolve(c)
	if err != nil {
		return checked{}, err
	}
	if s.ladder != nil {
		return checkLadder(ctx, c, s)
	}
	r, _, err := s.prepare(ctx, c)
	if err != nil {
		return checked{}, err
	}
	tl := compactor.Replay(r, compactor.Driving{Policy: s.Policy, Stop: func() bool { return ctx.Err() != nil }})
	end := endOf(tl)
	out := checked{
		ID: c.ID, Format: c.Format, Messages: len(tl.Recording.Messages), Calls: end.Calls, Passes: end.Passes, Window: s.Policy.Window,
		Outcome: end.Outcome, Cause: end.Cause, Used: end.Used, Limit: end.Limit, Message: end.Message, Broken: []brokenHalf{},
	}
	for i, p := range tl.Passes {
		if p.Result != compactor.Compacted {
			continue
		}
		pass := compactor.Truncate(p.View, s.Policy)
		for _, h := range study.Broken(p.View.Messages(), pass.Result().Messages()) {
			out.Broken = append(out.Broken, brokenHalf{h.Kind.String(), h.ID, i + 1})
		}
	}
	out.OK = out.Outcome != compactor.OutcomeExceeded && len(out.Broken) == 0
	return out, ctx.Err()
}
