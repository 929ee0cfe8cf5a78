package transcript

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"
)

// TestStoreLimits: what is read of a database, decompressed, stays within the limits,
// and what does not is refused in the words in which any file is.
func TestStoreLimits(t *testing.T) {
	const (
		whole  = "larger than %d bytes (the limit for a file, after decompression): raise the limit with --max-size"
		record = "a record is larger than %d bytes (the limit): raise the limit with --max-size"
	)
	long := strings.Repeat("x", 10_000) // more than what is read of a file to know it
	said := `{"version":"0.3.0","messages":[{"User":{"id":"u","content":[{"Text":"` + long + `"}]}}]}`
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := func(text string) string { return fmt.Sprintf("x'%x'", z.EncodeAll([]byte(text), nil)) }
	zed := func(texts ...string) []string {
		all := []string{`create table threads(id text primary key, summary text, updated_at text, data_type text, data blob)`}
		for i, text := range texts {
			all = append(all, fmt.Sprintf(`insert into threads values('%d', 'T', '2026-01-01', 'zstd', %s)`, i, packed(text)))
		}
		return all
	}
	for _, test := range []struct {
		name   string
		store  []string
		limits Limits
		want   string // "" when it is read
	}{
		{"zed within", zed(said, said), Limits{File: 21_000, Record: 10_200}, ""},
		{"zed beyond in all", zed(said, said, said), Limits{File: 21_000}, fmt.Sprintf(whole, 21_000)},
		{"zed beyond a record", zed(said), Limits{Record: 9000}, fmt.Sprintf(record, 9000)},
		{"zed beyond the ratio", zed(said, said+strings.Repeat(" ", 65<<20)), Limits{}, "expands to more than 1000 times its size (the limit): if it is not a bomb, give --max-size with the size it may have"},
		{"opencode", []string{
			`create table session(id text, title text, directory text, parent_id text, revert text, time_created integer)`,
			`create table message(id text, session_id text, time_created integer, data text)`,
			`create table part(id text, message_id text, data text)`,
			`insert into session values('s', 'T', '/srv', null, null, 1)`,
			`insert into message values('m', 's', 1, '{"role":"user"}')`,
			`insert into part values('p', 'm', '{"type":"text","text":"` + long + `"}')`,
		}, Limits{File: 9000}, fmt.Sprintf(whole, 9000)},
		{"crush", []string{
			`create table sessions(id text, parent_session_id text, title text, created_at integer, summary_message_id text)`,
			`create table messages(id text, session_id text, role text, parts text, created_at integer)`,
			`insert into sessions values('s', null, 'T', 1, null)`,
			`insert into messages values('m', 's', 'user', '[{"type":"text","data":{"text":"` + long + `"}}]', 1)`,
		}, Limits{File: 9000}, fmt.Sprintf(whole, 9000)},
		{"crush, a session many times", []string{
			`create table sessions(id text, parent_session_id text, title text, created_at integer, summary_message_id text)`,
			`create table messages(id text, session_id text, role text, parts text, created_at integer)`,
			`insert into sessions with recursive n(i) as (select 1 union all select i+1 from n where i < 50) select 's', null, 'T', 1, null from n`,
			`insert into messages values('m', 's', 'user', '[{"type":"text","data":{"text":"` + long + `"}}]', 1)`,
		}, Limits{File: 100_000}, fmt.Sprintf(whole, 100_000)},
		{"goose", []string{
			`create table sessions(id text, name text, description text, working_dir text, created_at text)`,
			`create table messages(id integer, message_id text, session_id text, role text, content_json text, created_timestamp integer, metadata_json text)`,
			`insert into sessions values('s', 'T', '', '/srv', '1')`,
			`insert into messages values(1, 'm', 's', 'user', '[{"type":"text","text":"` + long + `"}]', 1, null)`,
		}, Limits{File: 9000}, fmt.Sprintf(whole, 9000)},
		{"kiro", []string{
			`create table conversations_v2(key text, conversation_id text, value text, updated_at integer)`,
			`insert into conversations_v2 values('/srv', 'k', '{"conversation_id":"k","history":[{"user":{"content":{"Prompt":{"prompt":"` + long + `"}}}}]}', 1)`,
		}, Limits{File: 9000}, fmt.Sprintf(whole, 9000)},
		{"langgraph", []string{
			`create table checkpoints(thread_id text, checkpoint_ns text, checkpoint_id text, checkpoint blob)`,
			`insert into checkpoints values('t', '', '1', '{"channel_values":{"messages":[{"type":"human","content":"` + long + `"}]}}')`,
		}, Limits{File: 9000}, fmt.Sprintf(whole, 9000)},
		{"langgraph, as JSON beyond in all", []string{
			`create table checkpoints(thread_id text, checkpoint_ns text, checkpoint_id text, checkpoint blob)`,
			fmt.Sprintf(`insert into checkpoints values('t', '', '1', x'%x')`, pack(strings.Repeat("\x01", 2000))),
		}, Limits{File: 9000}, fmt.Sprintf(whole, 9000)},
		{"langgraph beyond a record", []string{
			`create table checkpoints(thread_id text, checkpoint_ns text, checkpoint_id text, checkpoint blob)`,
			fmt.Sprintf(`insert into checkpoints values('t', '', '1', x'%x')`, pack(strings.Repeat("\x01", 2000))),
		}, Limits{Record: 9000}, fmt.Sprintf(record, 9000)},
		{"cursor", []string{
			`create table cursorDiskKV(key text, value blob)`,
			`insert into cursorDiskKV values('composerData:k', '{"composerId":"k","conversation":[{"bubbleId":"b","type":1,"text":"` + long + `"}]}')`,
		}, Limits{File: 9000}, fmt.Sprintf(whole, 9000)},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Open(context.Background(), build(t, test.store...), Options{Limits: test.limits})
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.HasSuffix(err.Error(), ": "+test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

// TestLangGraphKeys: a thread whose keys are no texts is left out, and said.
func TestLangGraphKeys(t *testing.T) {
	path := build(t,
		`create table checkpoints(thread_id text, checkpoint_ns text, checkpoint_id text, checkpoint blob)`,
		`insert into checkpoints values('good', '', '1', '{"channel_values":{"messages":[{"type":"human","content":"hi"}]}}')`,
		fmt.Sprintf(`insert into checkpoints values('odd', '', '2', x'%x')`, strings.Repeat("\x81", 32)+"\xa1a"+strings.Repeat("\xc0", 32)),
	)
	check(t, opened(t, path), "langgraph\n", `conversation 1 id="good"`,
		"left out thread odd: it is not valid MessagePack of a state: the key of a map is a list, a map or an object, and not a text or a number")
}

// allocated is how many bytes are allocated while f runs.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// linear fails when ten times as much takes more than thirteen times the memory.
func linear(t *testing.T, n int, f func(n int)) {
	t.Helper()
	f(n) // what is made only once
	one, ten := allocated(func() { f(n) }), allocated(func() { f(10 * n) })
	if ten > 13*one {
		t.Errorf("%d take %.0f bytes, ten times as many take %.1f times as much", n, one, ten/one)
	}
}

// TestChangesLinear: a log that appends one element after the other copies none.
func TestChangesLinear(t *testing.T) {
	one := Record{Line: 1, JSON: gjson.Parse(`{"kind":2,"k":["requests",0,"response"],"v":[{"value":"x"}]}`)}
	linear(t, 500, func(n int) {
		m := &mutations{}
		m.apply(Record{Line: 1, JSON: gjson.Parse(`{"kind":0,"v":{"requests":[{"response":[]}]}}`)})
		for range n {
			if !m.apply(one) {
				t.Fatal("not applied")
			}
		}
		if got := len(m.document().Get("requests.0.response").Array()); got != n {
			t.Fatalf("%d elements, want %d", got, n)
		}
	})
}

// TestStreamLinear: the name of a call that comes in pieces is not copied with each,
// and the newest of many calls and blocks is found about as soon as the first.
func TestStreamLinear(t *testing.T) {
	piece := gjson.Parse(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"n","arguments":"1"}}]}}]}`)
	linear(t, 1000, func(n int) {
		a := &assembly{}
		for range n {
			a.event(piece)
		}
		if got := gjson.Get(a.response(), "choices.0.message.tool_calls.0.function.name").Str; len(got) != n {
			t.Fatalf("a name of %d, want %d", len(got), n)
		}
	})
	const many, times = 50_000, 500
	took := func(f func()) time.Duration {
		least := time.Hour
		for range 3 {
			begun := time.Now()
			for range times {
				f()
			}
			least = min(least, time.Since(begun))
		}
		return max(least, time.Microsecond)
	}
	a := &assembly{}
	event := func(format string, index int) gjson.Result { return gjson.Parse(fmt.Sprintf(format, index)) }
	const call = `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"function":{"arguments":"1"}}]}}]}`
	const begun, delta = `{"type":"content_block_start","index":%d,"content_block":{"type":"text"}}`, `{"type":"content_block_delta","index":%d,"delta":{"text":"x"}}`
	for i := range many {
		a.event(event(call, i))
		a.event(event(begun, i))
	}
	for name, format := range map[string]string{"call": call, "block": delta} {
		one, last := event(format, 0), event(format, many-1)
		first, newest := took(func() { a.event(one) }), took(func() { a.event(last) })
		if newest > 5*first {
			t.Errorf("the newest %s takes %.1f times as long to find as the first", name, float64(newest)/float64(first))
		}
	}
	if len(a.chat.calls) != many || len(a.blocks) != many {
		t.Errorf("%d calls and %d blocks, want %d", len(a.chat.calls), len(a.blocks), many)
	}
}

// TestCursorRepeats: a bubble that its chat names again and again is read once.
func TestCursorRepeats(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const n = 500
	headers := strings.TrimSuffix(strings.Repeat(`{"bubbleId":"b1"},`, n), ",")
	for _, statement := range [][]any{
		{`create table cursorDiskKV(key text, value blob)`},
		{`insert into cursorDiskKV values('composerData:k', ?)`, `{"composerId":"k","fullConversationHeadersOnly":[` + headers + `,{"bubbleId":"b2"}]}`},
		{`insert into cursorDiskKV values('bubbleId:k:b1', '{"bubbleId":"b1","type":1,"text":"Once."}')`},
		{`insert into cursorDiskKV values('bubbleId:k:b2', '{"bubbleId":"b2","type":2,"text":"Yes."}')`},
	} {
		if _, err := db.Exec(statement[0].(string), statement[1:]...); err != nil {
			t.Fatal(err)
		}
	}
	f := opened(t, path)
	check(t, f, "cursor\n", "0 user/user id=b1", `"Once."`, "1 assistant/ai id=b2", "left out a message that its chat names again")
	if got := len(f.Selected.Messages); got != 2 {
		t.Errorf("%d messages, want 2", got)
	}
	if w := f.Warnings[0]; w.N != n-1 {
		t.Errorf("told %d times, want %d", w.N, n-1)
	}
}
