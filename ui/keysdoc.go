package ui

import (
	"context"
	"fmt"
	"io"
	"strings"

	"cinch/ui/draw"
)

//go:generate go run ./gen ../docs/keys.md

// KeyTable writes the manual's page of keys, from the bindings themselves.
func KeyTable(w io.Writer) {
	r := newRoot(context.Background(), Options{}, draw.NewLook(draw.Dark, draw.Plain, draw.UTF8), io.Discard)
	defer r.cancel()
	fmt.Fprint(w, "# Keys\n\nWritten from the key table of the program by `make docs`. In the inspector `?` shows the same, and can be searched.\nA [configuration file](config.md) gives any of them another key.\n")
	page := func(screen string, m *keymap) {
		title := m.title
		if screen != "" && screen != title {
			title = screen + ": " + title
		}
		fmt.Fprintf(w, "\n## %s\n\n| key | | |\n|---|---|---|\n", title)
		for _, b := range m.bindings {
			keys := make([]string, len(b.keys))
			for i, k := range b.keys {
				keys[i] = "`" + spell(k) + "`"
			}
			fmt.Fprintf(w, "| %s | %s | %s |\n", strings.Join(keys, " "), b.name, b.about)
		}
	}
	page("", r.keymap)
	page("", r.file)
	for _, f := range []front{r.picker, r.chooser} {
		for _, m := range f.keys() {
			page("", m)
		}
	}
	for _, s := range r.screens {
		for _, m := range s.keys() {
			page(s.name(), m)
		}
	}
	fmt.Fprint(w, mousePage)
}

const mousePage = `
## mouse

| | |
|---|---|
| click | selects a row; on a selected row it opens it; on a word of the last lines it does what the key does |
| drag | moves a knob, or a line of the gauge (threshold, target); one undo takes the whole drag back |
| wheel | scrolls what is under the pointer; on a knob it turns it |
| shift and drag | selects text in most terminals (option on a Mac); ` + "`m`" + ` gives the mouse to the terminal altogether |
`
