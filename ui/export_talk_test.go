package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cinch/model"
	"cinch/model/transcript"
)

// clear empties the prompt.
func (d *driver) emptied() {
	for range 80 {
		d.press("backspace")
	}
}

// TestWriteCompacted writes what each screen's pass leaves, and reads the same again.
func TestWriteCompacted(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		name string
		keys []string
		left func(*driver) []*model.Message
	}{
		{"pass", []string{"1"}, func(d *driver) []*model.Message { return d.s.plan.Pass.Result().Messages() }},
		{"replay", []string{"2"}, func(d *driver) []*model.Message { return d.s.plan.Pass.Result().Messages() }},
		{"after a pass", []string{"1", "a"}, func(d *driver) []*model.Message { return d.s.plan.Pass.Result().Messages() }},
		{"sweep", []string{"4"}, func(d *driver) []*model.Message { return d.s.plan.Pass.Result().Messages() }},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := demo(t, 120, 36)
			d.press(test.keys...)
			d.press("e", "c")
			if d.prompt == nil || d.prompt.input.Value() != "demo-compacted.json" {
				t.Fatalf("asks %+v", d.prompt)
			}
			d.emptied()
			file := filepath.Join(dir, strings.ReplaceAll(test.name, " ", "-")+".json")
			d.typed(file)
			d.press("enter")
			if !strings.Contains(d.notice, "written to "+file+" as native") {
				t.Fatalf("said %q", d.notice)
			}
			same(t, file, test.left(d))

			d.press("e", "c")
			d.emptied()
			d.typed(file)
			d.press("enter")
			if d.prompt == nil || d.prompt.err == nil || !strings.Contains(d.prompt.err.Error(), "exists; name another file") {
				t.Error("a file that exists was written over")
			}
		})
	}
}

// TestWriteClimbed writes what the pass at the ladder's cursor leaves.
func TestWriteClimbed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "climbed.json")
	d, p := laddering(t, "demo", 120, 36)
	d.press("e", "c")
	d.emptied()
	d.typed(file)
	d.press("enter")
	var left []*model.Message
	for _, m := range p.out.State.View.Output() {
		left = append(left, m.Message)
	}
	if len(left) == 0 || !strings.Contains(d.notice, "as native") {
		t.Fatalf("%d messages, said %q", len(left), d.notice)
	}
	same(t, file, left)
}

// TestWriteNothing: what does not fit is not written, and a folder that is not
// there is said.
func TestWriteNothing(t *testing.T) {
	d := demo(t, 120, 36)
	d.s.change("window", 0, func(u *setup) { u.policy.Window = 50 })
	d.press("e", "c")
	if d.prompt != nil || !strings.Contains(d.notice, "nothing to write: what the pass leaves does not fit the window") {
		t.Errorf("asks %+v, says %q", d.prompt, d.notice)
	}
	d.press("u", "e", "c")
	d.emptied()
	d.typed(filepath.Join(t.TempDir(), "none", "out.json"))
	d.press("enter")
	if !strings.Contains(d.notice, "cannot be written: no such file or directory") {
		t.Errorf("says %q", d.notice)
	}
}

// TestWriteKeepsOverhead: an overhead that was inferred goes along.
func TestWriteKeepsOverhead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	list := long(20)
	for _, m := range list {
		if m.Role == model.Assistant {
			m.Usage = &model.Usage{Input: 9_000}
			break
		}
	}
	d := talk(t, 120, 36, list...)
	was := d.s.now.view.Recording().Overhead
	d.press("e", "c")
	d.emptied()
	d.typed(file)
	d.press("enter")
	f, err := transcript.Open(context.Background(), file, transcript.Options{})
	if err != nil || was == 0 || f.Selected.Overhead != was {
		t.Errorf("an overhead of %d became %+v (%v); said %q", was, f, err, d.notice)
	}
}

// same reads a file and compares it with messages.
func same(t *testing.T, file string, want []*model.Message) {
	t.Helper()
	f, err := transcript.Open(context.Background(), file, transcript.Options{})
	if err != nil {
		raw, _ := os.ReadFile(file)
		t.Fatalf("%v\n%s", err, raw)
	}
	got := f.Selected.View(model.Context)
	if len(got) != len(want) {
		t.Fatalf("%d messages, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Role != want[i].Role || fullText(got[i]) != fullText(want[i]) {
			t.Errorf("message %d reads\n%s\nwant\n%s", i, fullText(got[i]), fullText(want[i]))
		}
	}
}
