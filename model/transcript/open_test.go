package transcript

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"

	"cinch/model"
)

// line is a record of a small session, numbered.
func line(n int) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":"s","message":{"role":"user","content":"number %d"}}`, n, n)
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

func write(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func zstdded(data []byte) []byte {
	w, _ := zstd.NewWriter(nil)
	return w.EncodeAll(data, nil)
}

func zipped(files ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, _ := w.Create(files[i])
		f.Write([]byte(files[i+1]))
	}
	w.Close()
	return b.Bytes()
}

func inUTF16(order unicode.Endianness, s string) []byte {
	b, _ := unicode.UTF16(order, unicode.UseBOM).NewEncoder().Bytes([]byte(s))
	return b
}

func TestWrappersReadAsWhatTheyHold(t *testing.T) {
	plain := []byte(lines(5))
	for name, data := range map[string][]byte{
		"as it is":           plain,
		"gzip":               gzipped(plain),
		"zstd":               zstdded(plain),
		"zstd in gzip":       gzipped(zstdded(plain)),
		"zip":                zipped("b/second.jsonl", lines(5)[len(line(0))+1:], "first.json", line(0), "notes.txt", "not JSON"),
		"UTF-8 mark":         append([]byte("\uFEFF"), plain...),
		"UTF-16 little":      inUTF16(unicode.LittleEndian, string(plain)),
		"UTF-16 big":         inUTF16(unicode.BigEndian, string(plain)),
		"no last newline":    bytes.TrimSpace(plain),
		"CRLF":               bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n")),
		"blank lines":        bytes.ReplaceAll(plain, []byte("\n"), []byte("\n \n\n")),
		"slurped":            []byte("[" + strings.ReplaceAll(strings.TrimSpace(string(plain)), "\n", ",") + "]"),
		"pretty, in a row":   bytes.ReplaceAll(bytes.ReplaceAll(plain, []byte(","), []byte(",\n  ")), []byte("{"), []byte("{\n  ")),
		"pretty, no newline": bytes.ReplaceAll(bytes.ReplaceAll(plain, []byte("\n"), nil), []byte(","), []byte(",\n  ")),
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Open(context.Background(), write(t, "a.bin", data), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := spoken(f.Selected); got != "number 0|number 1|number 2|number 3|number 4" {
				t.Errorf("read %q", got)
			}
			if f.Size != int64(len(data)) {
				t.Errorf("size %d, want %d", f.Size, len(data))
			}
			for _, w := range f.Warnings {
				if !strings.Contains(w.Text, "missing newline") {
					t.Errorf("warning %+v", w)
				}
			}
		})
	}
}

// spoken is all the text of a conversation.
func spoken(c *model.Conversation) string {
	var out []string
	for _, m := range c.Messages {
		for _, p := range m.Parts {
			out = append(out, p.Text)
		}
	}
	return strings.Join(out, "|")
}

func TestRefusals(t *testing.T) {
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	bomb := []byte(`{"a":"` + strings.Repeat("x", 80<<20) + `"}`)
	const bombed = ": expands to more than 1000 times its size (the limit): if it is not a bomb, give --max-size"
	for _, test := range []struct {
		name string
		data []byte
		opt  Options
		want string // the error less its path
	}{
		{"empty", nil, Options{}, ": the file is empty"},
		{"white space", []byte(" \n\n"), Options{}, ": the file holds nothing but white space"},
		{"a scalar", []byte("\"hello\"\n"), Options{}, `:1:1: not a JSON object or list: "\"hello\""`},
		{"a text", []byte("\nDear diary,\n"), Options{}, `:2:1: not a JSON object or list: "Dear diary,"`},
		{"a program", []byte("\x7fELF\x02\x01\x00\x00\n[]\n"), Options{}, ": not a text; a session is JSON"},
		{"an event stream", []byte("data: {\"a\":1}\n\n"), Options{}, ":1:1: an event stream in which cinch finds no model's answer: name the request"},
		{"unknown", []byte("\n {\"a\":1,\"b\":2}"), Options{}, ":2:2: not a format cinch knows (the first record has a, b)"},
		{"an empty list", []byte("[]"), Options{}, ":1:1: an empty list"},
		{"SQLite", []byte("SQLite format 3\x00\x10"), Options{}, ": an SQLite database that is not"},
		{"broken JSON", []byte(`{"a":1 "b":2}` + "\n"), Options{}, `:1:8: not valid JSON, record skipped: '"' where a comma or '}' was expected`},
		{"cut off", []byte(`{"ty`), Options{}, ":1:1: the file is cut off in its first record"},
		{"damaged gzip", []byte("\x1f\x8b\x08\x00rubbish"), Options{}, ": the compressed data ends before its first record"},
		{"damaged zstd", []byte("\x28\xb5\x2f\xfdrubbish"), Options{}, ": damaged compressed file"},
		{"zip of nothing", zipped("a.txt", "x"), Options{}, ": the zip file holds no .json"},
		{"too deep", []byte(deep), Options{}, ":1:1001: not valid JSON, record skipped: nested more than 1000 levels deep (the limit; --max-depth raises it)"},
		{"too deep for a limit", []byte(`{"a":[[1]]}`), Options{Limits: Limits{Depth: 2}}, "nested more than 2 levels deep"},
		{"too large", []byte(lines(20)), Options{Limits: Limits{File: 1 << 10}}, ": larger than 1 KiB (the limit"},
		{"too large by its size alone", []byte("not a session\n" + lines(20)), Options{Limits: Limits{File: 1 << 10}}, ": larger than 1 KiB (the limit for a file, after decompression): raise the limit with --max-size"},
		{"record too large", []byte(`{"a":"` + strings.Repeat("x", 3<<20) + `"}`), Options{Limits: Limits{Record: 1 << 20}}, ":1: a record is larger than 1 MiB (the limit): raise the limit with --max-size"},
		{"record too large behind another", []byte(lines(1) + `{"a":"` + strings.Repeat("x", 3<<20) + `"}`), Options{Limits: Limits{Record: 1 << 20}}, ":2: a record is larger than 1 MiB (the limit): raise the limit with --max-size"},
		{"too large when unpacked", gzipped([]byte(lines(200))), Options{Limits: Limits{File: 10 << 10}}, ": larger than 10 KiB (the limit for a file, after decompression): raise the limit with --max-size"},
		{"a zstd bomb", zstdded(bomb), Options{}, bombed},
		{"a gzip bomb", gzipped(bomb), Options{}, bombed},
		{"a zip bomb", zipped("a.json", string(bomb)), Options{}, bombed},
		{"a bomb in a bomb", gzipped(zstdded(bomb)), Options{}, bombed},
		{"no messages", []byte("\n{\"messages\":[]}"), Options{}, ":2:1: read as openai, but there is no message in it: nothing was said in it yet"},
		{"no messages beside what describes them", []byte(`{"sessionId":"e","agent":"x","messages":[],"timestamp":"2026-01-15T10:00:00Z"}`), Options{}, ":1:1: read as openai, but there is no message in it"},
		{"Codex before the first word", []byte(`{"timestamp":"2026-01-15T10:00:00Z","type":"session_meta","payload":{"id":"a","cwd":"/a"}}`), Options{}, ":1:1: read as codex, but there is no message in it"},
		{"Claude Code before the first word", []byte(`{"type":"summary","summary":"A title","leafUuid":"a"}`), Options{}, ":1:1: read as claude-code, but there is no message in it"},
		{"pi before the first word", []byte(`{"type":"session","version":3,"id":"a","cwd":"/a"}`), Options{}, ":1:1: read as pi, but there is no message in it"},
		{"only what cannot be read", []byte("\n" + `{"type":"user","uuid":"a","sessionId":"s","message":"oops"}` + "\n" + `{"type":"summary","summary":"A title","leafUuid":"a"}`), Options{}, ":2:1: read as claude-code, but no message could be read: user record whose message is not an object"},
		{"forced and not so", []byte(lines(2)), Options{Format: "pi"}, ":1:1: it is not of the pi format: it looks like claude-code"},
		{"no such session", []byte(lines(2)), Options{Session: "9"}, `: no session "9": the file holds one conversation`},
		{"no such branch", []byte(lines(2)), Options{Branch: "x"}, `: no branch "x": the conversation has one way through it`},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := write(t, "a.jsonl", test.data)
			_, err := Open(context.Background(), path, test.opt)
			if err == nil {
				t.Fatal("opened")
			}
			got := strings.TrimPrefix(err.Error(), path)
			if !strings.Contains(got, test.want) || strings.Contains(got, "\n") {
				t.Errorf("error %q, want %q in it", got, test.want)
			}
			var told *Error
			if !errors.As(err, &told) {
				t.Errorf("%T is not an *Error", err)
			}
		})
	}
	if _, err := Open(context.Background(), "no/such/file", Options{}); err == nil || err.Error() != "no/such/file: no such file" {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Open(context.Background(), write(t, "a", []byte(lines(1))), Options{Format: "nonsense"}); err == nil || !strings.Contains(err.Error(), "one of claude-code") {
		t.Errorf("unknown format: %v", err)
	}
}

func TestWarningsNameTheirPlace(t *testing.T) {
	for _, test := range []struct {
		name, text string
		read       string
		warnings   []string
	}{
		{"glued", line(0) + line(1) + "\n" + line(2), "number 0|number 1|number 2", []string{fmt.Sprintf("1:%d second JSON value", len(line(0))+1)}},
		{"glued and garbage", line(0) + " tail\n" + line(1), "number 0|number 1", []string{fmt.Sprintf("1:%d text after a record, ignored: \"tail\"", len(line(0))+2)}},
		{"garbage", line(0) + "\noops\noops\n" + line(1), "number 0|number 1", []string{`2:1 not a JSON record, line skipped: "oops" ×2`}},
		{"conflict", "<<<<<<< a\n" + line(0) + "\n=======\n" + line(1) + "\n>>>>>>> b", "number 0|number 1", []string{"1:1 git conflict marker, skipped; both sides are read ×3"}},
		{"NUL", line(0) + "\n\x00\x00\x00" + line(1), "number 0|number 1", []string{"2:1 NUL bytes"}},
		{"cut in a string", line(0) + "\n" + line(1)[:40], "number 0", []string{"2:1 truncated last line (session still being written?), ignored 40 bytes"}},
		{"cut behind a comma", line(0) + "\n" + `{"type":"user",`, "number 0", []string{"2:1 truncated last line (session still being written?), ignored 15 bytes"}},
		{"cut in a character", line(0) + "\n{\"type\":\"caf\xc3", "number 0", []string{"2:1 truncated last line"}},
		{"cut in the middle", line(0)[:50] + "\n" + line(1) + "\n" + line(2), "number 1|number 2", []string{"1:51 not valid JSON, record skipped: a string is not closed"}},
		{"cut at a bracket", `{"type":"user","message":{"role":"user",` + "\n" + line(1) + "\n" + line(2), "number 1|number 2", []string{"1:1 not valid JSON, record skipped: it is not closed before the next one starts"}},
		{"started again", line(0)[:30] + line(0) + "\n" + line(1), "number 0|number 1", []string{"1:1 half-written record, ignored 30 bytes"}},
		{"trailing comma", strings.Replace(line(0), `"}}`, `",},}`, 1), "number 0", []string{fmt.Sprintf("1:%d trailing comma", len(line(0))-1)}},
		{"NaN", strings.Replace(line(0), `"sessionId"`, `"n":NaN,"sessionId"`, 1), "number 0", []string{fmt.Sprintf("1:%d NaN", strings.Index(line(0), `"sessionId"`)+5)}},
		{"invalid UTF-8", strings.Replace(line(0), "number", "n\xffmber", 1), "n\uFFFDmber 0", []string{fmt.Sprintf("1:%d invalid UTF-8", strings.Index(line(0), "number")+2)}},
		{"unknown type", line(0) + "\n{\"type\":\"x\"}\n{\"type\":\"x\"}", "number 0", []string{`2:1 unknown record type "x" skipped ×2`}},
		{"cut document", "[\n " + line(0) + ",\n " + line(1)[:60], "number 0", []string{fmt.Sprintf("3:%d the document is cut off here, read as far as it goes", strings.Index(line(1), `,"message"`)+2)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := Open(context.Background(), write(t, "a.jsonl", []byte(test.text)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := spoken(f.Selected); got != test.read {
				t.Errorf("read %q, want %q", got, test.read)
			}
			var got []string
			for _, w := range f.Warnings {
				text := fmt.Sprintf("%d:%d %s", w.Line, w.Col, w.Text)
				if w.N > 1 {
					text += fmt.Sprintf(" ×%d", w.N)
				}
				got = append(got, text)
			}
			for i, want := range test.warnings {
				if i >= len(got) || !strings.HasPrefix(got[i], want) {
					t.Errorf("warnings %q, want %q", got, test.warnings)
				}
			}
		})
	}
}

func TestManyWarningsAreFolded(t *testing.T) {
	var b strings.Builder
	b.WriteString(line(0) + "\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "garbage %d\n", i)
	}
	f, err := Open(context.Background(), write(t, "a.jsonl", []byte(b.String())), Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, w := range f.Warnings {
		n += w.N
	}
	if len(f.Warnings) != maxWarnings+1 || n != 1000 {
		t.Errorf("%d warnings that stand for %d, want %d for 1000", len(f.Warnings), n, maxWarnings+1)
	}
}

// Blocks must not change what is read: records of every size around a block's
// edge, with damage between them.
func TestBlockEdges(t *testing.T) {
	var b strings.Builder
	var want []string
	for i := range 40 {
		text := strings.Repeat("x", (i*i*911)%(blockSize/4))
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","sessionId":"s","message":{"role":"user","content":"%d %s\n}"}}`+"\n", i, i, text)
		want = append(want, fmt.Sprintf("%d %s\n}", i, text))
		if i%7 == 3 {
			b.WriteString("garbage }\n{ more\n")
		}
	}
	huge := strings.Repeat("y", 3*blockSize)
	fmt.Fprintf(&b, `{"type":"user","uuid":"z","sessionId":"s","message":{"role":"user","content":"%s"}}`, huge)
	want = append(want, huge)
	f, err := Open(context.Background(), write(t, "a.jsonl", []byte(b.String())), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := spoken(f.Selected); got != strings.Join(want, "|") {
		t.Errorf("read %d bytes, want %d", len(got), len(strings.Join(want, "|")))
	}
	text := b.String()
	for i, m := range f.Selected.Messages {
		s := m.Spans[0]
		if at := strings.Count(text[:s.Offset], "\n") + 1; at != s.Line {
			t.Errorf("message %d: line %d, want %d", i, s.Line, at)
		}
		if !strings.HasPrefix(text[s.Offset:s.Offset+s.Length], `{"type":"user"`) || text[s.Offset+s.Length-1] != '}' {
			t.Errorf("message %d: span %+v does not hold its record", i, s)
		}
	}
}

func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	feed := func(n int) {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer f.Close()
		for range n {
			if _, err := f.WriteString(lines(3)); err != nil {
				return
			}
		}
	}
	go feed(1)
	f, err := Open(context.Background(), path, Options{})
	if err != nil || len(f.Selected.Messages) != 3 {
		t.Fatalf("%v, %v", f, err)
	}
	go feed(1 << 30)
	_, err = Open(context.Background(), path, Options{Limits: Limits{Pipe: 1 << 20}})
	if err == nil || !strings.Contains(err.Error(), "more than 1 MiB came through the pipe (the limit): write it to a file first, or raise the limit with --max-size") {
		t.Errorf("endless pipe: %v", err)
	}
}

func TestCancel(t *testing.T) {
	path := write(t, "a.jsonl", []byte(lines(60_000)))
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := Open(ctx, path, Options{Progress: func(done, total int64) {
		if calls++; calls == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
}

func TestProgressEndsAtTheWhole(t *testing.T) {
	data := []byte(lines(30_000))
	var last, total int64
	if _, err := Open(context.Background(), write(t, "a.jsonl", data), Options{Progress: func(d, of int64) {
		if d < last/2 {
			t.Errorf("went back from %d to %d", last, d)
		}
		last, total = d, of
	}}); err != nil {
		t.Fatal(err)
	}
	if last != int64(len(data)) || total != last {
		t.Errorf("ended at %d of %d, want %d", last, total, len(data))
	}
}

func TestSelect(t *testing.T) {
	path := "testdata/claude-code/sessions.jsonl"
	for _, test := range []struct{ session, want string }{
		{"", "s-two"}, {"1", "s-one"}, {"2", "s-two"}, {"s-one", "s-one"}, {"s-o", "s-one"},
	} {
		f, err := Open(context.Background(), path, Options{Session: test.session})
		if err != nil || f.Selected.ID != test.want {
			t.Errorf("session %q: %v, want %s (%v)", test.session, f, test.want, err)
		}
	}
	if _, err := Open(context.Background(), path, Options{Session: "s-"}); err == nil || !strings.Contains(err.Error(), "could be any of 2") {
		t.Errorf("ambiguous: %v", err)
	}
	f, err := Open(context.Background(), "testdata/claude-code/subagents/main.jsonl", Options{Session: "a77"})
	if err != nil || f.Selected.CallID != "t3" {
		t.Errorf("subagent: %+v, %v", f, err)
	}
}

func TestBranches(t *testing.T) {
	for _, test := range []struct{ path, branch, want string }{
		{"claude-code/rewound.jsonl", "", "Pick a colour.|Blue or red?|Red.|It is red."},
		{"claude-code/rewound.jsonl", "u2", "Pick a colour.|Blue or red?|Blue.|{\"colour\":\"blue\"}|painted blue|It is blue.|Darker.|Darker blue."},
		{"claude-code/rewound.jsonl", "u3", "Pick a colour.|Blue or red?|Blue.|{\"colour\":\"blue\"}|painted blue|It is blue.|Brighter.|Brighter blue."},
		{"pi/tree.jsonl", "a2", "A framework?|What matters?|Types.|Take X."},
	} {
		f, err := Open(context.Background(), "testdata/"+test.path, Options{Branch: test.branch})
		if err != nil {
			t.Errorf("%s: %v", test.branch, err)
			continue
		}
		if got := spoken(f.Selected); got != test.want {
			t.Errorf("branch %q reads %q, want %q", test.branch, got, test.want)
		}
		active := slices.IndexFunc(f.Selected.Branches, func(b model.Branch) bool { return b.Active && b.ID == test.branch })
		if test.branch != "" && active < 0 {
			t.Errorf("branch %q is not active: %+v", test.branch, f.Selected.Branches)
		}
	}
	_, err := Open(context.Background(), "testdata/claude-code/rewound.jsonl", Options{Branch: "u9"})
	if err == nil || !strings.HasSuffix(err.Error(), `no branch "u9": one of u3, u4, u2, u5`) {
		t.Errorf("unknown branch: %v", err)
	}
}

func TestSubagentTimes(t *testing.T) {
	f, err := Open(context.Background(), "testdata/claude-code/subagents/main.jsonl", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Selected.Children {
		if len(c.Messages) == 0 || c.Messages[0].Time.Before(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)) || c.Parent != f.Selected.ID {
			t.Errorf("child %+v", c)
		}
	}
}
