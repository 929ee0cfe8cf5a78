package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"cinch/model/transcript"
	"cinch/ui"
	"cinch/ui/draw"
)

// measurers is how many sessions are read at the same time.
const measurers = 2

// machine lists the sessions that agents have recorded on this machine, newest
// first, each as soon as it has been read.
func (a *app) machine(ctx context.Context, r *report) error {
	all, err := transcript.Sessions(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 && !r.json {
		fmt.Fprintln(a.err, "cinch: no sessions found in the usual places: name a file, or a lesson such as lesson:demo")
		return nil
	}
	if !r.json {
		a.say("%s", machineHead)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	read := make([]chan error, len(all))
	next := make(chan int, len(all))
	for i := range all {
		read[i] = make(chan error, 1)
		next <- i
	}
	close(next)
	for range measurers {
		go func() {
			for i := range next {
				all[i].Look()
				read[i] <- all[i].Measure(ctx)
			}
		}()
	}
	for i := range all {
		err := <-read[i]
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s := &all[i]
		if r.json {
			a.jsonLine(machineLineOf(s, err))
		} else {
			a.say("%s", draw.Truncate(machineRow(s, err), max(a.width, 40)))
		}
		if err := a.out.Flush(); err != nil { // somebody is waiting, or has seen enough
			return err
		}
	}
	return nil
}

const machineHead = " age  agent        messages   tokens  passes  project           session"

func machineRow(s *transcript.Session, err error) string {
	messages, tokens, passes, text := "–", "–", "", s.Title
	switch {
	case err != nil:
		var told *transcript.Error
		if errors.As(err, &told) { // its folder would fill the line
			short := *told
			short.Path = filepath.Base(short.Path)
			err = &short
		}
		text = oneLine(err.Error())
	case s.Measured:
		messages, tokens = draw.Tokens(int64(s.Messages)), draw.Short(s.Tokens)
		if s.Compactions > 0 {
			passes = draw.Tokens(int64(s.Compactions))
		}
		if s.Conversations > 1 {
			text = plural(s.Conversations, "conversation") + " · " + text
		}
	}
	if text == "" {
		text = filepath.Base(s.Path)
	}
	project := draw.Truncate(oneLine(s.ProjectName()), 16)
	return fmt.Sprintf("%4s  %-11s  %8s  %7s  %6s  %s%*s  %s", ui.Age(time.Since(s.Modified)), s.Agent, messages, tokens, passes, project, 16-draw.Width(project), "", oneLine(text))
}

type machineLine struct {
	Path          string    `json:"path"`
	Agent         string    `json:"agent"`
	Format        string    `json:"format"`
	Project       string    `json:"project"`
	Title         string    `json:"title"`
	Model         string    `json:"model"`
	Size          int64     `json:"size"`
	Modified      time.Time `json:"modified"`
	Conversations *int      `json:"conversations"` // null for a session that cannot be read
	Messages      *int      `json:"messages"`
	Tokens        *int64    `json:"tokens"`
	Compactions   *int      `json:"compactions"`
	Error         string    `json:"error"`
}

func machineLineOf(s *transcript.Session, err error) machineLine {
	l := machineLine{Path: s.Path, Agent: s.Agent, Format: s.Format, Project: s.Project, Title: s.Title, Model: s.Model, Size: s.Size, Modified: s.Modified.UTC()}
	if err != nil {
		l.Error = err.Error()
	} else {
		l.Conversations, l.Messages, l.Tokens, l.Compactions = &s.Conversations, &s.Messages, &s.Tokens, &s.Compactions
	}
	return l
}
