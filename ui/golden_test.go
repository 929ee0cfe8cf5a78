package ui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cinch/ui/draw"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew")

// TestPictures compares frames with those in testdata: every situation at 80×24
// in plain text, and the first in all sizes and colours. Escape codes are
// written as \x1b so that a difference can be read.
func TestPictures(t *testing.T) {
	looks := map[string]*draw.Look{
		"mono":      draw.NewLook(draw.Mono, draw.Attributes, draw.UTF8),
		"16":        draw.NewLook(draw.Dark, draw.ANSI16, draw.UTF8),
		"256":       draw.NewLook(draw.Dark, draw.ANSI256, draw.UTF8),
		"truecolor": draw.NewLook(draw.Light, draw.TrueColour, draw.UTF8),
	}
	plain := draw.NewLook(draw.Mono, draw.Plain, draw.UTF8)
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 36}, {200, 60}} {
		for name, look := range looks {
			picture(t, fmt.Sprintf("whole-%dx%d-%s", size[0], size[1], name), size[0], size[1], look, nil)
		}
	}
	for what, keys := range situations {
		picture(t, what+"-80x24", 80, 24, plain, keys)
		picture(t, what+"-120x30", 120, 30, plain, keys)
	}
	for what, keys := range ladderSituations {
		picture(t, what+"-80x24", 80, 24, plain, append([]string{"3"}, keys...))
		picture(t, what+"-120x36", 120, 36, plain, append([]string{"3"}, keys...))
	}
	picture(t, "ladder-120x36-256", 120, 36, looks["256"], []string{"3"})
	picture(t, "ladder-80x24-ascii", 80, 24, draw.NewLook(draw.Mono, draw.Plain, draw.ASCII), []string{"3"})
	picture(t, "stepped-80x24-ascii", 80, 24, draw.NewLook(draw.Mono, draw.Plain, draw.ASCII), situations["stepped"])
}

func picture(t *testing.T, name string, w, h int, look *draw.Look, keys []string) {
	t.Helper()
	d := drive(t, Options{Path: "lesson:demo", Open: opener(nil), Profile: look.Profile}, w, h, look)
	for _, k := range keys {
		d.press(k)
		d.settle()
	}
	compare(t, name, d.View())
}

// compare holds a frame against the picture of that name.
func compare(t *testing.T, name, frame string) {
	t.Helper()
	var b strings.Builder
	for _, line := range strings.Split(frame, "\n") {
		b.WriteString(strings.ReplaceAll(strings.TrimRight(line, " "), "\x1b", `\x1b`) + "\n")
	}
	file := filepath.Join("testdata", "pictures", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: go test ./ui -update writes it", err)
	}
	got, wanted := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(wanted)) {
		a, b := "", ""
		if i < len(got) {
			a = got[i]
		}
		if i < len(wanted) {
			b = wanted[i]
		}
		if a != b {
			t.Errorf("%s line %d:\n got %s\nwant %s", name, i+1, strconv.Quote(a), strconv.Quote(b))
			return
		}
	}
}

func TestPicturesAreNotWritten(t *testing.T) {
	if *update {
		t.Error("-update is on: it writes pictures and proves nothing")
	}
}
