// Package interaction runs test files that are written like a talk with an
// engine: a command and what follows it, a line ----, and what it prints. The
// -update flag writes what is printed into the files. Only tests import it.
package interaction

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the expected output of interaction files anew")

// Talk answers one command: its name, the rest of its line, and the lines below it.
type Talk func(command, args, body string) (string, error)

// Run talks through every file that pattern matches, each with a Talk of its
// own. Blocks are parted by empty lines; one without ---- is a comment.
func Run(t *testing.T, pattern string, begin func(*testing.T) Talk) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no interaction files at %s: %v", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			talk, commands := begin(t), 0
			var now strings.Builder
			for block := range strings.SplitSeq(strings.TrimRight(string(raw), "\n"), "\n\n") {
				in, want, ok := strings.Cut(block, "\n----")
				if !ok {
					fmt.Fprintf(&now, "%s\n\n", block)
					continue
				}
				commands++
				got := answer(talk, in)
				if want = strings.TrimSpace(want); got != want && !*update {
					t.Errorf("%s\n---- got\n%s\n---- want\n%s", in, got, want)
				}
				fmt.Fprintf(&now, "%s\n----\n%s\n\n", in, got)
			}
			if commands == 0 {
				t.Error("the file holds no command")
			}
			if *update {
				if err := os.WriteFile(file, []byte(strings.TrimRight(now.String(), "\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func answer(talk Talk, in string) string {
	var lines []string
	for line := range strings.Lines(in) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	command, args, _ := strings.Cut(lines[0], " ")
	out, err := talk(command, strings.TrimSpace(args), strings.Join(lines[1:], "\n"))
	if err != nil {
		return "error: " + err.Error()
	}
	return strings.TrimSpace(out)
}
