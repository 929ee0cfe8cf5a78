package transcript

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cinch/model"
)

var update = flag.Bool("update", false, "write the listings of testdata anew")

// TestListings opens every file under testdata that has a listing beside it and
// compares what was read with it. A file lies in the folder of its format.
func TestListings(t *testing.T) {
	for _, format := range formats {
		for _, path := range samples(t, format.Name) {
			t.Run(filepath.ToSlash(path), func(t *testing.T) {
				f, err := Open(context.Background(), path, Options{})
				got := ""
				if err != nil {
					got = "refused: " + err.Error() + "\n"
				} else {
					got = listing(f)
				}
				got = strings.ReplaceAll(got, path, filepath.Base(path))
				if err == nil && f.Format != format.Name {
					t.Errorf("read as %s, want %s", f.Format, format.Name)
				}
				want := path + ".listing"
				if *update {
					if err := os.WriteFile(want, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				b, err := os.ReadFile(want)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(b) {
					t.Errorf("read\n%s\nwant\n%s", got, b)
				}
			})
		}
	}
}

// samples are a format's files in testdata: those beside which a listing lies,
// or that are new while listings are being written.
func samples(t testing.TB, format string) []string {
	var paths []string
	root := filepath.Join("testdata", format)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root || strings.HasSuffix(path, ".listing") {
			return nil
		}
		_, err = os.Stat(path + ".listing")
		if err == nil || *update && !(d.IsDir() && d.Name() != "storage") {
			paths = append(paths, path)
			if d.IsDir() {
				return fs.SkipDir
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// listing writes down everything that was read.
func listing(f *File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f.Format)
	var each func(cs []*model.Conversation, in string)
	each = func(cs []*model.Conversation, in string) {
		for i, c := range cs {
			list(&b, c, fmt.Sprintf("%s%d", in, i+1))
			each(c.Children, fmt.Sprintf("%s%d.", in, i+1))
		}
	}
	each(f.Conversations, "")
	for _, w := range f.Warnings {
		fmt.Fprintf(&b, "warning %d:%d %s ×%d\n", w.Line, w.Col, w.Text, w.N)
	}
	return b.String()
}

// list writes one conversation: the log, then which of it the other views hold.
func list(b *strings.Builder, c *model.Conversation, name string) {
	fmt.Fprintf(b, "\nconversation %s", name)
	for _, field := range [][2]string{
		{"id", c.ID}, {"title", c.Title}, {"dir", c.Dir}, {"model", c.Model},
		{"parent", c.Parent}, {"call", c.CallID}, {"system", c.System}, {"tools", c.Tools},
	} {
		if field[1] != "" {
			fmt.Fprintf(b, " %s=%q", field[0], field[1])
		}
	}
	if c.Window > 0 {
		fmt.Fprintf(b, " window=%d", c.Window)
	}
	if c.Usage != nil {
		fmt.Fprintf(b, " usage=%v", *c.Usage)
	}
	b.WriteByte('\n')
	names := map[*model.Message]string{}
	for i, m := range c.Messages {
		names[m] = fmt.Sprint(i)
		fmt.Fprintf(b, "%d %s", i, message(m))
	}
	if len(c.View(model.Context)) != len(c.Messages) || len(c.Compactions) > 0 {
		for _, v := range []model.View{model.History, model.Context} {
			fmt.Fprintf(b, "%s:", v)
			for _, m := range c.View(v) {
				if names[m] == "" {
					names[m] = fmt.Sprintf("new%d", len(names))
					fmt.Fprintf(b, " [%s: %s]", names[m], strings.ReplaceAll(strings.TrimSpace(message(m)), "\n", "; "))
					continue
				}
				fmt.Fprintf(b, " %s", names[m])
			}
			b.WriteByte('\n')
		}
	}
	for _, k := range c.Compactions {
		fmt.Fprintf(b, "compaction %s %s before=%d after=%d log=%d history=%d line=%d %s %q\n",
			k.Kind, k.Trigger, k.Before, k.After, k.Log, k.History, k.Line, stamp(k.Time.IsZero(), k.Time.Format("15:04:05")), k.Summary)
	}
	for _, branch := range c.Branches {
		fmt.Fprintf(b, "branch %q %q messages=%d active=%v\n", branch.ID, branch.Title, branch.Messages, branch.Active)
	}
	p := model.PairUp(c.View(model.Context))
	fmt.Fprintf(b, "pairs %v lone calls %v lone results %v\n", p.Pairs, p.LoneCalls, p.LoneResults)
}

func stamp(none bool, s string) string {
	if none {
		return "-"
	}
	return s
}

var marks = [...]string{"", " summary", " boundary", " cleared", " meta"}

// message writes a message with its parts.
func message(m *model.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s%s", m.Role, m.Wrote, marks[m.Mark])
	if m.ID != "" {
		fmt.Fprintf(&b, " id=%s", m.ID)
	}
	if m.Model != "" {
		fmt.Fprintf(&b, " model=%s", m.Model)
	}
	if m.Usage != nil {
		fmt.Fprintf(&b, " usage=%v", *m.Usage)
	}
	if !m.Time.IsZero() {
		fmt.Fprintf(&b, " %s", m.Time.UTC().Format("15:04:05"))
	}
	for _, s := range m.Spans {
		fmt.Fprintf(&b, " %d@%d+%d", s.Line, s.Offset, s.Length)
		if s.Record != "" {
			fmt.Fprintf(&b, "=%s", s.Record)
		}
	}
	b.WriteByte('\n')
	for _, p := range m.Parts {
		fmt.Fprintf(&b, "    %s\n", part(p))
	}
	return b.String()
}

// part writes a part on one line.
func part(p model.Part) string {
	s := p.Kind.String()
	if p.IsError {
		s += " error"
	}
	if p.Span > 0 {
		s += fmt.Sprintf(" span=%d", p.Span)
	}
	for _, field := range []string{p.ID, p.Name, p.Text} {
		s += fmt.Sprintf(" %q", field)
	}
	if p.Media != nil {
		s += fmt.Sprintf(" %s %s %q", p.Media.Type, p.Media.Encoding, p.Media.Data)
	}
	for i := range p.List {
		s += " [" + part(p.List[i]) + "]"
	}
	return s
}
