package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build is what the program knows of where it comes from.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Date    string `json:"date"`
	Dirty   bool   `json:"dirty"`
	Go      string `json:"go"`
	System  string `json:"system"`
}

// readBuild asks the binary, which holds what the go command put into it.
func readBuild() build {
	b := build{Version: "(devel)", Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Dirty = s.Value == "true"
		}
	}
	return b
}

func (b build) String() string {
	s := "cinch " + b.Version
	if b.Commit != "" {
		s += fmt.Sprintf(" (%.12s, %s", b.Commit, b.Date)
		if b.Dirty {
			s += ", with changes"
		}
		s += ")"
	}
	return fmt.Sprintf("%s %s %s", s, b.Go, b.System)
}

func (a *app) versionCommand() *cobra.Command {
	r := &report{}
	c := a.command(&cobra.Command{
		Use:     "version",
		Short:   "Which build this is",
		Example: `  cinch version`,
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			if r.json {
				a.jsonLine(readBuild())
			} else {
				a.say("%s", readBuild())
			}
			return nil
		},
	})
	r.add(c, "")
	return c
}
