package transcript

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A live session grows, is half-written, truncated, replaced and taken away,
// and each time what is there is seen; with the system's watching and without.
func TestFollow(t *testing.T) {
	unwatched := func(string) (<-chan fsnotify.Event, func()) { return nil, func() {} }
	for _, test := range []struct {
		name  string
		poll  time.Duration
		watch func(string) (<-chan fsnotify.Event, func())
	}{
		{"watching", time.Hour, watchFolder},
		{"polling", 5 * time.Millisecond, unwatched},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := write(t, "live.jsonl", []byte(lines(1)))
			ctx, cancel := context.WithCancel(context.Background())
			states := make(chan string, 100)
			ended := make(chan error, 1)
			go func() {
				ended <- follower{path: path, poll: test.poll, rest: time.Millisecond, watch: test.watch, seen: func(f *File, err error) {
					if err != nil {
						states <- strings.TrimPrefix(err.Error(), path)
						return
					}
					s := spoken(f.Selected)
					for _, w := range f.Warnings {
						s += " " + w.Text
					}
					states <- s
				}}.run(ctx)
			}()
			expect := func(want string) {
				t.Helper()
				for {
					select {
					case got := <-states:
						if strings.Contains(got, want) {
							return
						}
					case <-time.After(20 * time.Second):
						t.Fatalf("never saw %q", want)
					}
				}
			}
			do := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			put := func(flag int, text string) {
				t.Helper()
				f, err := os.OpenFile(path, os.O_WRONLY|flag, 0o644)
				do(err)
				_, err = f.WriteString(text)
				do(err)
				do(f.Close())
			}
			expect("number 0")
			put(os.O_APPEND, line(1)[:40])
			expect("number 0 truncated last line")
			put(os.O_APPEND, line(1)[40:]+"\n")
			expect("number 0|number 1")
			put(os.O_TRUNC, line(2)+"\n")
			expect("number 2")
			do(os.WriteFile(path+".new", []byte(line(3)+"\n"), 0o644))
			do(os.Rename(path+".new", path))
			expect("number 3")
			do(os.Remove(path))
			expect(": no such file")
			do(os.WriteFile(path, []byte(line(4)+"\n"), 0o644))
			expect("number 4")
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

func TestFollowNeedsAFile(t *testing.T) {
	if err := Follow(context.Background(), "-", Options{}, nil); err == nil || !strings.Contains(err.Error(), "cannot be followed") {
		t.Errorf("error %v", err)
	}
}

// TestFollowReadsWhatIsNew: a long file that grows gives what reading it anew
// gives, of less text; one that changed otherwise is read anew.
func TestFollowReadsWhatIsNew(t *testing.T) {
	session := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","sessionId":"s","message":{"role":"user","content":"question %d %s"}}`+"\n", i, i, strings.Repeat("x", 6000))
			fmt.Fprintf(&b, `{"type":"assistant","uuid":"a%d","sessionId":"s","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"look","input":{"at":%d}}]}}`+"\n", i, i, i, i)
			fmt.Fprintf(&b, `{"type":"user","uuid":"r%d","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"seen %d"}]}}`+"\n", i, i, i)
			if i == 40 {
				b.WriteString("a line of something else\n")
			}
		}
		return b.String()
	}
	pi := func(from, to int) string {
		var b strings.Builder
		if from == 0 {
			b.WriteString(`{"type":"session","version":3,"id":"p","cwd":"/srv"}` + "\n")
		}
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, `{"type":"message","id":"%d","parentId":"%d","message":{"role":"user","content":"%d %s"}}`+"\n", i, i-1, i, strings.Repeat("x", 6000))
		}
		return b.String()
	}
	for _, test := range []struct {
		name    string
		session func(from, to int) string
	}{{"claude-code", session}, {"pi", pi}} {
		t.Run(test.name, func(t *testing.T) {
			path := write(t, "live.jsonl", []byte(test.session(0, 300)))
			before := &earlier{}
			same := func(what string) *File {
				t.Helper()
				got, err := Open(context.Background(), path, Options{earlier: before})
				if err != nil {
					t.Fatal(err)
				}
				want, err := Open(context.Background(), path, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if listing(got) != listing(want) {
					t.Errorf("%s: read otherwise than anew", what)
				}
				return got
			}
			grow := func(text string) {
				t.Helper()
				f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if _, err := f.WriteString(text); err != nil {
					t.Fatal(err)
				}
			}
			same("at first")
			if before.end.offset == 0 {
				t.Fatal("nothing was kept")
			}
			more := test.session(300, 320)
			grow(more[:len(more)-50])
			end := before.end.offset
			same("half-written")
			grow(more[len(more)-50:])
			if first := same("grown"); before.end.offset < end || len(first.Selected.Messages) < 320 {
				t.Errorf("kept up to %d, then to %d; %d messages", end, before.end.offset, len(first.Selected.Messages))
			}
			words := func() (parsed int) {
				d := &Document{Path: path, src: &source{ctx: context.Background(), path: path, limits: Limits{}.withDefaults(), earlier: before}}
				var n atomic.Int64
				if err := Map(d, func(r Record) string { n.Add(1); return "" }, func(string) error { return nil }); err != nil {
					t.Error(err)
				}
				return int(n.Load())
			}
			all := words() // another decoder takes nothing over
			grow(test.session(320, 321))
			if some := words(); all < 320 || some > all*2/3 {
				t.Errorf("read %d records again of %d", some, all)
			}
			same("read by another decoder in between")
			if err := os.WriteFile(path, []byte(test.session(0, 290)), 0o644); err != nil {
				t.Fatal(err)
			}
			same("cut")
			if err := os.WriteFile(path, []byte(strings.ReplaceAll(test.session(0, 330), "x", "y")), 0o644); err != nil {
				t.Fatal(err)
			}
			same("written anew")
			if err := os.WriteFile(path+".new", []byte(test.session(0, 310)), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
			same("replaced")
		})
	}
}
