package transcript

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cinch/model"
)

// TestBeginning: the first records of a large file are those that the whole
// begins with, and what cannot be read in part is not.
func TestBeginning(t *testing.T) {
	line := func(i int) string {
		who, parent := "user", "null"
		if i%2 > 0 {
			who = "assistant"
		}
		if i > 0 {
			parent = fmt.Sprintf(`"u%d"`, i-1)
		}
		return fmt.Sprintf(`{"type":%q,"uuid":"u%d","parentUuid":%s,"sessionId":"s","message":{"role":%q,"content":"message %d %s"}}`+"\n",
			who, i, parent, who, i, strings.Repeat("x", 400))
	}
	var session, list strings.Builder
	for i := range 200 {
		session.WriteString(line(i))
	}
	list.WriteString(`{"messages":[`)
	for i := range 200 {
		if i > 0 {
			list.WriteString(",\n")
		}
		fmt.Fprintf(&list, `{"role":"user","content":"message %d %s"}`, i, strings.Repeat("x", 400))
	}
	list.WriteString("]}")

	for name, c := range map[string]struct {
		text  string
		bytes int64
		want  int // messages, 0 for none to look at
	}{
		"records":               {session.String(), 4 << 10, 7},
		"more of them":          {session.String(), 8 << 10, 15},
		"not even one record":   {session.String(), 100, 0},
		"nearly the whole file": {session.String(), int64(session.Len()) / 4, 0},
		"one document":          {list.String(), 4 << 10, 0},
		"an empty file":         {"", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := Beginning(t.Context(), path, c.bytes, Options{})
			if c.want == 0 {
				if !errors.Is(err, ErrNoBeginning) {
					t.Fatalf("got %v, %v", f, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			whole, err := Open(t.Context(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			some, all := f.Selected.View(model.Context), whole.Selected.View(model.Context)
			if len(some) != c.want || len(f.Warnings) > 0 {
				t.Fatalf("%d messages, want %d; warnings %v", len(some), c.want, f.Warnings)
			}
			for i, m := range some {
				if m.Parts[0].Text != all[i].Parts[0].Text || m.Spans[0] != all[i].Spans[0] {
					t.Errorf("message %d differs from that of the whole file", i)
				}
			}
		})
	}
	if _, err := Beginning(t.Context(), filepath.Join(t.TempDir(), "none"), 1, Options{}); err == nil || errors.Is(err, ErrNoBeginning) {
		t.Errorf("no such file: %v", err)
	}
}
