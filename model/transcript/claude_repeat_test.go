package transcript

import (
	"context"
	"os"
	"reflect"
	"strings"
	"testing"

	"cinch/model"
)

// What a session is does not change when records of it stand in the file twice,
// its compactions among them, whether it is read at once or followed.
func TestRecordsWrittenTwiceAreReadOnce(t *testing.T) {
	for _, sample := range []string{"compacted", "compacted-twice", "rewound", "streamed"} {
		data, err := os.ReadFile("testdata/claude-code/" + sample + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		text := strings.TrimRight(string(data), "\n") + "\n"
		lines := strings.SplitAfter(text, "\n")
		boundary := ""
		for _, line := range lines {
			if strings.Contains(line, `"compact_boundary"`) {
				boundary = line
			}
		}
		want := views(t, sample, text)
		for _, test := range []struct{ name, text string }{
			{"the whole file", text + text},
			{"a boundary", text + boundary},
			{"a boundary with other counts", text + strings.Replace(boundary, `"preTokens":1`, `"preTokens":9`, 1)},
			{"each record behind itself", strings.Join(doubled(lines), "")},
		} {
			if test.text == text {
				continue // nothing was compacted in it
			}
			t.Run(sample+"/"+test.name, func(t *testing.T) {
				if got := views(t, sample, test.text); !reflect.DeepEqual(got, want) {
					t.Errorf("read %q,\nwant %q", got, want)
				}
				path := write(t, "live.jsonl", []byte(text))
				opt := Options{earlier: &earlier{}}
				for _, now := range []string{text, test.text} {
					if err := os.WriteFile(path, []byte(now), 0o644); err != nil {
						t.Fatal(err)
					}
					f, err := Open(context.Background(), path, opt)
					if err != nil {
						t.Fatal(err)
					}
					if got := viewsOf(f); !reflect.DeepEqual(got, want) {
						t.Errorf("followed: read %q,\nwant %q", got, want)
					}
					again := 0
					for _, w := range f.Warnings {
						if w.Text == claudeRepeated {
							again += w.N
						}
					}
					if had := strings.Count(now, "\n") > strings.Count(text, "\n"); had != (again > 0) && sample != "streamed" {
						t.Errorf("followed: %d repeats told of in %d lines", again, strings.Count(now, "\n"))
					}
				}
			})
		}
	}
}

func doubled(lines []string) (out []string) {
	for _, line := range lines {
		out = append(out, line, line)
	}
	return out
}

func views(t *testing.T, name, text string) []string {
	t.Helper()
	f, err := Read(context.Background(), name, strings.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return viewsOf(f)
}

// viewsOf is what the views of a file's conversation say, and of what compactions it tells.
func viewsOf(f *File) (out []string) {
	for _, v := range []model.View{model.Log, model.History, model.Context} {
		out = append(out, spoken(&model.Conversation{Messages: f.Selected.View(v)}))
	}
	for _, k := range f.Selected.Compactions {
		out = append(out, k.Kind+" "+k.Summary)
	}
	return out
}
