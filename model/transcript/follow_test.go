package transcript

import (
	"context"
	"errors"
	"os"
	"strings"
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
