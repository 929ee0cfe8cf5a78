package transcript

import (
	"database/sql"
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// pairs is an object with its members in order, and python one of Python, as
// LangGraph packs it.
type (
	pairs  []any
	python struct {
		kind  byte
		parts []any
	}
)

// pack writes MessagePack.
func pack(v any) []byte {
	var b []byte
	all := func(values []any) {
		for _, v := range values {
			b = append(b, pack(v)...)
		}
	}
	switch v := v.(type) {
	case nil:
		b = append(b, 0xc0)
	case bool:
		b = append(b, 0xc2)
		if v {
			b[0]++
		}
	case int:
		b = binary.BigEndian.AppendUint64(append(b, 0xd3), uint64(v))
	case float32:
		b = append(b, 0xca, 0x3f, 0, 0, 0) // a half
	case string:
		if len(v) < 32 {
			b = append(b, 0xa0|byte(len(v)))
		} else {
			b = binary.BigEndian.AppendUint16(append(b, 0xda), uint16(len(v)))
		}
		b = append(b, v...)
	case []byte:
		b = append(append(b, 0xc4, byte(len(v))), v...)
	case []any:
		b = append(b, 0x90|byte(len(v)))
		all(v)
	case pairs:
		b = binary.BigEndian.AppendUint16(append(b, 0xde), uint16(len(v)/2))
		all(v)
	case python:
		body := pack(v.parts)
		b = binary.BigEndian.AppendUint16(append(b, 0xc8), uint16(len(body)))
		b = append(append(b, v.kind), body...)
	}
	return b
}

func TestUnpack(t *testing.T) {
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"small numbers", []byte{0x94, 0x07, 0xff, 0xcc, 0xff, 0xd0, 0x80}, "[7,-1,255,-128]"},
		{"large numbers", append([]byte{0x92}, append(pack(-70000), 0xce, 0xff, 0xff, 0xff, 0xff)...), "[-70000,4294967295]"},
		{"words", pack([]any{nil, true, false, float32(0.5), "a \"b\"", []byte("hi")}), `[null,true,false,0.5,"a \"b\"","aGk="]`},
		{"object", pack(pairs{"a", 1, 2, "b"}), `{"a":1,"2":"b"}`},
		{"a long text", pack(strings.Repeat("x", 300)), `"` + strings.Repeat("x", 300) + `"`},
		{"what has a constructor", pack(python{5, []any{"m", "AIMessage", pairs{"content", "hi"}, "model_construct"}}), `{"lc":1,"type":"constructor","id":["m","AIMessage"],"kwargs":{"content":"hi"}}`},
		{"what has one argument", pack(python{0, []any{"uuid", "UUID", "7"}}), `"7"`},
		{"what is called", pack(python{3, []any{"datetime", "datetime", "2026-01-01", "fromisoformat"}}), `"2026-01-01"`},
		{"somebody else's", []byte{0xd4, 0x2a, 0x01}, `"AQ=="`},
		{"nothing", nil, ""},
		{"cut off", pack(pairs{"a", 1})[:8], ""},
		{"too much", append(pack(1), 0), ""},
		{"other keys", []byte{0x83, 0xc0, 0x01, 0xc3, 0x02, 0xc4, 0x01, 'a', 0x03}, `{"null":1,"true":2,"YQ==":3}`},
		{"a length of nothing", []byte{0xdd, 0xff, 0xff, 0xff, 0xff}, ""},
		{"too deep", []byte(strings.Repeat("\x91", 2*maxDepth)), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := unpackJSON(test.data, 1<<20)
			if got != test.want || (err != nil) != (test.want == "") {
				t.Errorf("%s (%v), want %s", got, err, test.want)
			}
		})
	}
}

// TestUnpackBombs: what would grow with every level, and what is too large as JSON,
// is refused as soon as it is seen.
func TestUnpackBombs(t *testing.T) {
	nested := func(before string) []byte {
		const n = 32
		return []byte(strings.Repeat(before, n) + "\xa1a" + strings.Repeat("\xc0", n))
	}
	for _, test := range []struct {
		name string
		data []byte
		want error
	}{
		{"a map as a key", nested("\x81"), errPackedKey},
		{"a long map as a key", nested("\xde\x00\x01"), errPackedKey},
		{"a list as a key", nested("\x81\x91"), errPackedKey},
		{"a long list as a key", nested("\x81\xdd\x00\x00\x00\x01"), errPackedKey},
		{"an object as a key", append([]byte{0x81}, pack(python{0, []any{"m", "C", "x"}})...), errPackedKey},
		{"a map of a cut key", []byte{0x81}, errPacked},
		{"more than the limit", pack(strings.Repeat("x", 999)), errPackedLarge},
		{"escapes beyond the limit", pack(strings.Repeat("\x01", 200)), errPackedLarge},
		{"a list beyond the limit", []byte("\xdc\x01\x00" + strings.Repeat("\xc2", 256)), errPackedLarge},
		{"an object's part beyond the limit", pack(python{0, []any{"m", "C", strings.Repeat("x", 999)}}), errPackedLarge},
		{"a key beyond the limit", pack(pairs{strings.Repeat("x", 999), 1}), errPackedLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, err := unpackJSON(test.data, 900); err != test.want {
				t.Errorf("%d bytes (%v), want %v", len(got), err, test.want)
			}
		})
	}
}

// FuzzUnpack: whatever comes is JSON or an error.
func FuzzUnpack(f *testing.F) {
	f.Add(pack(pairs{"a", []any{1, true, nil, float32(0.5), []byte("hi"), python{5, []any{"m", "C", pairs{"x", "y"}, "z"}}}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if text, err := unpackJSON(data, 1<<20); err == nil && !gjson.Valid(text) {
			t.Errorf("%x became %s", data, text)
		}
	})
}

// TestLangGraphDB: of each thread the newest state, packed or as JSON; what an
// inner graph keeps lies below.
func TestLangGraphDB(t *testing.T) {
	message := func(class string, fields ...any) any {
		return python{5, []any{"langchain_core.messages." + strings.ToLower(class), class + "Message", pairs(fields), "model_construct"}}
	}
	state := func(messages ...any) []byte {
		return pack(pairs{"v", 4, "id", "1f", "channel_values", pairs{"draft", "x", "messages", messages}})
	}
	path := filepath.Join(t.TempDir(), "checkpoints.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	do := func(statement string, args ...any) {
		t.Helper()
		if _, err := db.Exec(statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	do(`create table checkpoints(thread_id text not null, checkpoint_ns text not null default '', checkpoint_id text not null, parent_checkpoint_id text, type text, checkpoint blob, metadata blob, primary key (thread_id, checkpoint_ns, checkpoint_id))`)
	do(`create table writes(thread_id text not null, checkpoint_ns text not null default '', checkpoint_id text not null, task_id text not null, idx integer not null, channel text not null, type text, value blob)`)
	add := func(thread, inner, id string, checkpoint any) {
		t.Helper()
		do(`insert into checkpoints values(?, ?, ?, null, 'msgpack', ?, x'80')`, thread, inner, id, checkpoint)
	}
	asked := message("Human", "content", "Weather?", "type", "human", "id", "h1")
	called := message("AI", "content", "", "type", "ai", "id", "a1", "tool_calls", []any{pairs{"name", "weather", "args", pairs{"city", "Oslo"}, "id", "c1", "type", "tool_call"}},
		"usage_metadata", pairs{"input_tokens", 40, "output_tokens", 9}, "response_metadata", pairs{"model_name", "gpt-5"})
	add("trip", "", "1f01", state(asked))
	add("trip", "", "1f03", state(asked, called, message("Tool", "content", "rain", "type", "tool", "tool_call_id", "c1", "name", "weather")))
	add("trip", "inner:7", "1f02", state(message("Human", "content", "Below.", "type", "human")))
	add("old", "", "1e00", `{"channel_values":{"messages":[{"type":"human","content":"As JSON."}]}}`)
	add("empty", "", "1f09", state())
	add("broken", "", "1f0a", []byte{0xc1})
	check(t, opened(t, path),
		"langgraph\n", `conversation 1 id="old"`, `text "" "" "As JSON."`,
		`conversation 2 id="trip" model="gpt-5"`, "0 user/human id=h1", `text "" "" "Weather?"`,
		"1 assistant/ai id=a1 model=gpt-5 usage={40 0 0 9}", `tool_call "c1" "weather" "{\"city\":\"Oslo\"}"`,
		"2 user/tool", `tool_result "c1" "weather" "rain"`, "pairs [{{1 0} {2 0}}]",
		`conversation 2.1 id="trip inner:7" parent="trip"`, `text "" "" "Below."`,
		"left out thread broken: it is not valid MessagePack")
}
