// Command shots takes the pictures of the manual: it runs ./cinch in a terminal,
// presses keys, and writes what is then on the screen as SVG.
//
//	make shots
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"cinch/e2e/shot"
	"cinch/e2e/tmux"
)

// picture is one screen worth showing.
type picture struct {
	name          string
	width, height int
	theme         shot.Theme
	args          string   // of the program
	keys          []string // pressed one after the other, once until is there
	until         string   // a pattern that says the screen is drawn
	then          string   // likewise after the keys; "" for the same
}

var pictures = []picture{
	{name: "pass", width: 120, height: 36, theme: shot.Dark, args: "lesson:demo --theme dark", until: "OVER THRESHOLD"},
	{name: "pass-light", width: 120, height: 36, theme: shot.Light, args: "lesson:demo --theme light", until: "OVER THRESHOLD"},
	{name: "step", width: 120, height: 36, theme: shot.Dark, args: "lesson:demo --theme dark", until: "OVER THRESHOLD",
		keys: []string{"s", "s", "s"}, then: "the cut moves from 65 to 62"},
	{name: "replay", width: 120, height: 36, theme: shot.Dark, args: "lesson:second-pass --theme dark", until: "OVER|EMERGENCY",
		keys: []string{"2"}, then: "is the smallest"},
	{name: "narrow", width: 80, height: 24, theme: shot.Dark, args: "lesson:demo --theme dark", until: "OVER"},
	{name: "help", width: 100, height: 30, theme: shot.Dark, args: "lesson:demo --theme dark", until: "OVER", keys: []string{"?"}, then: "search:"},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: shots FOLDER")
		os.Exit(2)
	}
	program, err := filepath.Abs("cinch")
	if err == nil {
		err = os.MkdirAll(os.Args[1], 0o755)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, p := range pictures {
		path := filepath.Join(os.Args[1], p.name+".svg")
		if err := os.WriteFile(path, []byte(take(program, p)), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(path)
	}
}

func take(program string, p picture) string {
	s := tmux.Start(giveUp{p.name}, p.width, p.height)
	defer s.Close()
	s.Command("clear; %s %s", program, p.args)
	s.Wait(p.until)
	for _, key := range p.keys {
		s.Keys(key)
	}
	if p.then != "" {
		s.Wait(p.then)
	}
	return shot.SVG(s.Colour(), p.width, p.height, p.theme)
}

// giveUp ends the program when a picture cannot be taken.
type giveUp struct{ picture string }

func (giveUp) Helper() {}

func (g giveUp) Fatalf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s: %s\n", g.picture, fmt.Sprintf(format, args...))
	os.Exit(1)
}
