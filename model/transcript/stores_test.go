package transcript

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cinch/model"
)

// build makes a database with the statements given and leaves it closed.
func build(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store #1?.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	// Paths with characters that mean something in a URL must open too.
	odd := filepath.Join(filepath.Dir(path), "store #1%3f?.db")
	if matches, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "store*")); len(matches) == 1 {
		if err := os.Rename(matches[0], odd); err != nil {
			t.Fatal(err)
		}
	}
	return odd
}

func opened(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// check compares a listing's lines, all of which must occur in order.
func check(t *testing.T, f *File, want ...string) {
	t.Helper()
	got := listing(f)
	rest := got
	for _, line := range want {
		i := strings.Index(rest, line)
		if i < 0 {
			t.Fatalf("no %q, in its place, in\n%s", line, got)
		}
		rest = rest[i+len(line):]
	}
}

func TestCrush(t *testing.T) {
	path := build(t,
		`create table sessions(id text primary key, parent_session_id text, title text, created_at integer, summary_message_id text)`,
		`create table messages(id text primary key, session_id text, role text, parts text, model text, created_at integer, is_summary_message integer default 0)`,
		`insert into sessions values('s1', null, 'Tests', 1770000000, 'm4'), ('m2$$c1', 's1', 'Helper', 1770000001, null)`,
		`insert into messages values('m1','s1','user','[{"type":"text","data":{"text":"run tests"}},{"type":"image_url","data":{"url":"https://example.org/a.png"}}]',null,1770000001,0)`,
		`insert into messages values('m2','s1','assistant','[{"type":"reasoning","data":{"thinking":"hm"}},{"type":"tool_call","data":{"id":"c1","name":"bash","input":"{\"cmd\":\"go test\"}","finished":true}},{"type":"finish","data":{"reason":"tool_use"}},{"type":"new","data":{}}]','claude',1770000002,0)`,
		`insert into messages values('m3','s1','tool','[{"type":"tool_result","data":{"tool_call_id":"c1","name":"bash","content":"ok","data":"aGk=","mime_type":"image/png","is_error":true}}]',null,1770000003,0)`,
		`insert into messages values('m4','s1','assistant','[{"type":"text","data":{"text":"Ran the tests."}}]','claude',1770000004,1)`,
		`insert into messages values('m5','s1','user','[{"type":"text","data":{"text":"next"}}]',null,1770000005,0)`,
		`insert into messages values('m6','m2$$c1','user','[{"type":"binary","data":{"mime_type":"application/pdf","data":"aGk="}}]',null,1770000005,0)`,
	)
	f := opened(t, path)
	check(t, f,
		"crush\n", `conversation 1 id="s1" title="Tests" model="claude"`,
		"0 user/user id=m1 02:40:01", `text "" "" "run tests"`, `image "" "" ""  url "https://example.org/a.png"`,
		"1 assistant/assistant id=m2 model=claude", `thinking "" "" "hm"`, `tool_call "c1" "bash" "{\"cmd\":\"go test\"}"`,
		"2 user/tool id=m3", `tool_result error "c1" "bash" "" [text "" "" "ok"] [image "" "" "" image/png base64 "aGk="]`,
		"3 assistant/assistant summary id=m4", "4 user/user id=m5",
		"history: 0 1 2 4", "context: [new5: user/assistant summary id=m4", "4\n",
		`compaction summary  before=0 after=0 log=3 history=3 line=0 02:40:04 "Ran the tests."`,
		`conversation 1.1 id="m2$$c1" title="Helper" parent="s1" call="c1"`, "document", "application/pdf base64",
		`left out "new", which no reader knows`)
}

// TestReadsWhileHeld: what the agent has written but not yet folded into its
// database is read too, and nothing is written beside it.
func TestReadsWhileHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crush.db")
	agent, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	agent.SetMaxOpenConns(1)
	for _, s := range []string{
		`pragma journal_mode=wal`,
		`create table sessions(id text primary key, parent_session_id text, title text, created_at integer, summary_message_id text)`,
		`create table messages(id text primary key, session_id text, role text, parts text, model text, created_at integer)`,
		`insert into sessions values('s1', null, 'Live', 1770000000, null)`,
		`insert into messages values('m1','s1','user','[{"type":"text","data":{"text":"hello"}}]',null,1770000001)`,
	} {
		if _, err := agent.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	files := func() []string {
		found, _ := filepath.Glob(path + "*")
		return found
	}
	before := files()
	if len(before) < 2 {
		t.Skip("no write-ahead log here")
	}
	if f := opened(t, path); len(f.Selected.View(model.Context)) != 1 {
		t.Errorf("the turn in the log was not read: %s", listing(f))
	}
	if after := files(); len(after) != len(before) {
		t.Errorf("files beside the database: %v, were %v", after, before)
	}
}

func TestOpencodeDB(t *testing.T) {
	path := build(t,
		`create table project(id text primary key, worktree text not null, vcs text, name text, time_created integer not null, time_updated integer not null, sandboxes text not null)`,
		`create table session(id text primary key, project_id text not null references project(id), workspace_id text, parent_id text, slug text not null, directory text not null, path text, title text not null, version text not null,
			share_url text, summary_additions integer, summary_deletions integer, summary_files integer, summary_diffs text, revert text, permission text,
			time_created integer not null, time_updated integer not null, time_compacting integer, time_archived integer)`,
		`create table message(id text primary key, session_id text not null references session(id), time_created integer not null, time_updated integer not null, data text not null)`,
		`create table part(id text primary key, message_id text not null references message(id), session_id text not null, time_created integer not null, time_updated integer not null, data text not null)`,
		`create table session_message(id text primary key, session_id text not null, type text not null, seq integer not null, time_created integer not null, time_updated integer not null, data text not null)`,
		`insert into project values('p', '/srv', 'git', null, 1, 1, '[]')`,
		`insert into session(id, project_id, slug, directory, title, version, revert, time_created, time_updated) values('ses_1', 'p', 'cart', '/srv', 'Cart', '1.2.0', '{"messageID":"msg_3"}', 1770000000000, 1)`,
		`insert into session(id, project_id, parent_id, slug, directory, title, version, time_created, time_updated) values('ses_2', 'p', 'ses_1', 'look', '/srv', 'Look', '1.2.0', 1770000001000, 1)`,
		`insert into session(id, project_id, slug, directory, title, version, time_created, time_updated) values('ses_3', 'p', 'new', '/srv', 'New', '1.4.0', 1770000009000, 1)`,
		`insert into session_message values('evt_1', 'ses_3', 'user', 1, 1, 1, '{"text":"in the newer table"}')`,
		`insert into message values('msg_1','ses_1',1770000001000,1,'{"role":"user","time":{"created":1770000001000}}')`,
		`insert into message values('msg_2','ses_1',1770000002000,1,'{"role":"assistant","modelID":"gpt-5","time":{"created":1770000002000}}')`,
		`insert into message values('msg_3','ses_1',1770000003000,1,'{"role":"user","time":{"created":1770000003000}}')`,
		`insert into message values('msg_4','ses_2',1770000004000,1,'{"role":"user","time":{"created":1770000004000}}')`,
		`insert into part values('prt_1','msg_1','ses_1',1,1,'{"type":"text","text":"hello"}')`,
		`insert into part values('prt_2','msg_2','ses_1',1,1,'{"type":"tool","callID":"c1","tool":"task","state":{"status":"completed","input":{},"output":"ok","metadata":{"sessionId":"ses_2"}}}')`,
		`insert into part values('prt_3','msg_3','ses_1',1,1,'{"type":"text","text":"taken back"}')`,
		`insert into part values('prt_4','msg_4','ses_2',1,1,'{"type":"text","text":"look"}')`,
	)
	check(t, opened(t, path),
		"opencode\n", `conversation 1 id="ses_1" title="Cart" dir="/srv" model="gpt-5"`,
		"0 user/user id=msg_1", `text "" "" "hello"`, `tool_call "c1" "task" "{}"`, `tool_result "c1" "task" "ok"`,
		"history: 0 1 2", "context: 0 1 2\n", "compaction revert manual",
		`conversation 1.1 id="ses_2" title="Look" dir="/srv" parent="ses_1" call="c1"`,
		`session ses_3 is kept in the table session_message, which is not read`)
}

// TestCursorDB: what the model said in one call is one message with all its tools,
// results follow it; chats of nothing are left out; subagents lie below their chat.
func TestCursorDB(t *testing.T) {
	path := build(t,
		`create table ItemTable(key text unique on conflict replace, value blob)`,
		`create table cursorDiskKV(key text unique on conflict replace, value blob)`,
		`insert into cursorDiskKV values('composerData:k1', cast('{"composerId":"k1","name":"Cart","createdAt":1770000000000,"modelConfig":{"modelName":"claude-4.5-sonnet"},"contextTokenLimit":176000,
			"latestConversationSummary":{"summary":{"summary":"The cart was read.","truncationLastBubbleIdInclusive":"b4"}},
			"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2},{"bubbleId":"b3","type":2},{"bubbleId":"b4","type":2},{"bubbleId":"b5","type":2},{"bubbleId":"gone","type":2},{"bubbleId":"b6","type":2},{"bubbleId":"b7","type":2}]}' as blob))`,
		`insert into cursorDiskKV values('composerData:k2', '{"composerId":"k2","name":"Helper","createdAt":1770000001000,"subagentInfo":{"parentComposerId":"k1","toolCallId":"t3"},"conversation":[{"bubbleId":"x1","type":1,"text":"look","images":[{"data":"aGk=","mimeType":"image/png"}]}]}')`,
		`insert into cursorDiskKV values('composerData:k3', '{"composerId":"k3","createdAt":1770000002000}')`,
		`insert into cursorDiskKV values('composerData:k4', null)`,
		`insert into cursorDiskKV values('composerData:k5', 'not json')`,
		`insert into cursorDiskKV values('bubbleId:k1:b1', '{"bubbleId":"b1","type":1,"text":"Read the cart.","createdAt":"2026-02-02T02:40:01Z"}')`,
		`insert into cursorDiskKV values('bubbleId:k1:b2', '{"bubbleId":"b2","type":2,"text":"","thinking":{"text":"hm","signature":"c2ln"}}')`,
		`insert into cursorDiskKV values('bubbleId:k1:b3', '{"bubbleId":"b3","type":2,"toolFormerData":{"name":"read_file","toolCallId":"t1","modelCallId":"m1","rawArgs":"{\"path\":\"a\"}","status":"completed","result":"{\"contents\":\"A\"}"},"tokenCount":{"inputTokens":900,"outputTokens":12}}')`,
		`insert into cursorDiskKV values('bubbleId:k1:b4', '{"bubbleId":"b4","type":2,"toolFormerData":{"name":"read_file","toolCallId":"t2","modelCallId":"m1","params":"{\"path\":\"b\"}","status":"error","error":"no such file"}}')`,
		`insert into cursorDiskKV values('bubbleId:k1:b5', '{"bubbleId":"b5","type":2,"toolFormerData":{"name":"task","toolCallId":"t3","modelCallId":"m2","rawArgs":"{}","status":"completed"}}')`,
		`insert into cursorDiskKV values('bubbleId:k1:b6', '{"bubbleId":"b6","type":2,"text":"Done."}')`,
		`insert into cursorDiskKV values('bubbleId:k1:b7', '{"bubbleId":"b7","type":2,"toolFormerData":{"name":"run","toolCallId":"t4","rawArgs":"{}","status":"running"}}')`,
	)
	check(t, opened(t, path),
		"cursor\n", `conversation 1 id="k1" title="Cart" model="claude-4.5-sonnet" window=176000`,
		"0 user/user id=b1 02:40:01", `text "" "" "Read the cart."`,
		"1 assistant/ai id=b2 usage={900 0 0 12}", `thinking "" "" "hm"`, "opaque", `tool_call "t1" "read_file" "{\"path\":\"a\"}"`, `tool_call "t2" "read_file" "{\"path\":\"b\"}"`,
		"2 user/tool id=b3", `tool_result "t1" "read_file" "{\"contents\":\"A\"}"`, `tool_result error "t2" "read_file" "no such file"`,
		"3 user/summary summary", `text "" "" "The cart was read."`,
		"4 assistant/ai id=b5", `tool_call "t3" "task" "{}"`, "5 user/tool id=b5", `tool_result "t3" "task" ""`,
		"6 assistant/ai id=b6", `text "" "" "Done."`, `tool_call "t4" "run" "{}"`,
		"history: 0 1 2 4 5 6", "context: 3 4 5 6", `compaction summary auto`,
		`conversation 1.1 id="k2" title="Helper" parent="k1" call="t3"`, `image "" "" "" image/png base64 "aGk="`,
		"left out composerData: it is not valid JSON", "left out a message that the database no longer holds")
}

func TestGooseDB(t *testing.T) {
	path := build(t,
		`create table sessions(id text primary key, name text, description text, working_dir text, created_at text)`,
		`create table messages(id integer primary key, message_id text, session_id text, role text, content_json text, created_timestamp integer, metadata_json text)`,
		`insert into sessions values('g1', '', 'Tests', '/srv', '2026-01-01')`,
		`insert into messages values(1,'m1','g1','user','[{"type":"text","text":"run"}]',1770000000,'{"userVisible":true,"agentVisible":false}')`,
		`insert into messages values(2,'m2','g1','user','[{"type":"text","text":"Ran it."}]',1770000001,'{"userVisible":false,"agentVisible":true}')`,
		`insert into messages values(3,'m3','g1','assistant','[{"type":"text","text":"next"}]',1770000002,null)`,
		`insert into messages values(4,'m4','g1','user','not json',1770000003,null)`,
	)
	check(t, opened(t, path),
		"goose\n", `conversation 1 id="g1" title="Tests" dir="/srv"`,
		"0 user/user id=m1", `text "" "" "run"`, "1 user/user summary id=m2", "2 assistant/assistant id=m3",
		"history: 0 2 3", "context: 1 2 3\n", `compaction compaction`, `"Ran it."`)
}

// TestKiroDB: both forms of the database; a folder's conversation goes on from its summary.
func TestKiroDB(t *testing.T) {
	turn := func(id, said, answer string) string {
		return `{"conversation_id":"` + id + `","history":[{"user":{"content":{"Prompt":{"prompt":"` + said + `"}}},"assistant":{"Response":{"message_id":"m","content":"` + answer + `"}}}],"model_info":{"model_id":"claude-sonnet-4.5","context_window_tokens":200000},"latest_summary":["They met.",{}]}`
	}
	newer := build(t,
		`create table conversations_v2(key text not null, conversation_id text not null, value text not null, created_at integer not null, updated_at integer not null, primary key (key, conversation_id))`,
		`insert into conversations_v2 values('/srv/late', 'k2', '`+turn("k2", "hello", "hi")+`', 1, 9)`,
		`insert into conversations_v2 values('/srv/early', 'k1', '`+strings.Replace(turn("k1", "first", "yes"), `["They met.",{}]`, "null", 1)+`', 1, 5)`,
		`insert into conversations_v2 values('/srv/odd', 'k3', 'oops', 1, 7)`,
		`insert into conversations_v2 values('/srv/new', 'k4', '{"conversation_id":"k4","history":[]}', 1, 8)`,
	)
	check(t, opened(t, newer),
		"kiro\n", `conversation 1 id="k1" dir="/srv/early" model="claude-sonnet-4.5" window=200000`, "0 user/user", `text "" "" "first"`,
		`conversation 2 id="k2" dir="/srv/late"`, "0 user/summary summary", `text "" "" "They met."`, "1 user/user", "2 assistant/assistant id=m", `text "" "" "hi"`,
		"history: 1 2", "context: 0 1 2", "compaction summary  before=0 after=0 log=0 history=0",
		"left out the conversation in /srv/odd: it is not valid JSON")
	older := build(t,
		`create table conversations(key text primary key, value text)`, `create table history(id integer primary key, command text)`,
		`insert into conversations values('/srv', '`+turn("k", "hello", "hi")+`')`,
	)
	check(t, opened(t, older), "kiro\n", `conversation 1 id="k" dir="/srv"`, "1 user/user")
}

func TestZedDB(t *testing.T) {
	path := build(t,
		`create table threads(id text primary key, summary text, updated_at text, data_type text, data blob)`,
		`insert into threads values('a', 'T', '2026-01-01', 'json', '{"version":"0.3.0","title":"T","messages":[{"User":{"id":"u","content":[{"Text":"hi"}]}}]}')`,
		`insert into threads values('b', 'U', '2026-01-02', 'zstd', x'00')`,
	)
	check(t, opened(t, path), "zed\n", `conversation 1 id="a" title="T"`, "0 user/User id=u", `text "" "" "hi"`, "warning 0:0 left out thread b:")
}

// TestNotAStore: a database of something else is refused in one sentence.
func TestNotAStore(t *testing.T) {
	path := build(t, `create table birds(name text)`)
	_, err := Open(context.Background(), path, Options{})
	if err == nil || !strings.Contains(err.Error(), "an SQLite database that is not a session store") {
		t.Errorf("got %v", err)
	}
}
