package ui

import (
	"fmt"
	"slices"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// anyKey are all keys that are bound, and some that are not.
func anyKey(d *driver) []string {
	keys := []string{"a", "e", "9", "é", "日", "backspace", "ctrl+p", "ctrl+n"}
	for _, s := range d.screens {
		for _, m := range s.keys() {
			for i := range m.bindings {
				keys = append(keys, m.bindings[i].keys...)
			}
		}
	}
	for _, m := range []*keymap{d.keymap, d.file} {
		for i := range m.bindings {
			keys = append(keys, m.bindings[i].keys...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// FuzzKeys: whatever is pressed, clicked, turned, pasted and resized in whatever
// order, every frame is one. What asks for commands and writes files is left out.
func FuzzKeys(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("jjkk/watch\x00nN?undo"))
	f.Add([]byte{200, 10, 10, 201, 30, 12, 202, 40, 9, 203, 12, 12, 204, 39, 11, 204, 120, 36, 205, 206})
	all := anyKey(demo(f, 80, 24))
	for i := range all {
		f.Add([]byte{byte(i), 50, byte(i), 201, byte(i), 14, byte(i)})
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		d := demo(t, 80, 24)
		w, h := 80, 24
		for _, name := range []string{"export", "ladder"} {
			d.keymap.named(name).do = func() tea.Cmd { return nil }
		}
		for n := 0; n < len(input) && n < 200; n++ {
			two := func() (x, y int) {
				for i, v := range []*int{&x, &y} {
					if n+1 < len(input) {
						n++
						*v = int(input[n])
						if i == 1 {
							*v %= 100
						}
					}
				}
				return x, y
			}
			switch what := int(input[n]); what {
			case 200, 201, 202:
				x, y := two()
				d.mouse(x, y, tea.MouseAction(what-200))
			case 203:
				x, y := two()
				d.send(wheelMsg{x, y, x%7 - 3})
			case 204:
				w, h = two()
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
			case 205:
				d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q\x1b[31m\u202e"), Paste: true})
			case 206:
				d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jj/[<65;1;1M")})
			default:
				d.press(all[what%len(all)])
			}
			checkFrame(t, fmt.Sprint(input[:n+1]), d.View(), w, h, false)
		}
	})
}
