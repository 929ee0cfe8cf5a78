package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// FuzzScan holds the scanner against the standard library: what is JSON there
// is scanned to its end here, and what is scanned here without forgiving
// anything is JSON there, but for escapes and numbers, which are not looked into.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `{"a":[1,2,{"b":null}],"c":"\"\\é"}`, "{\n \"a\" : -1.5e3 }", `[1,]`, `{"a":NaN}`,
		`{"a" 1}`, `{"a":1,}`, `[[[[`, `"a`, `{"a":tru`, `[1 2]`, `{a:1}`, "[\"a\nb\"]", `["\u00e9","ab"]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := scanner{maxDepth: 1000}
		at := skipSpace(data, 0)
		end, fault := s.value(data, at)
		if fault != nil {
			if fault.at < 0 || fault.at > len(data) || fault.text == "" {
				t.Fatalf("fault %+v of %d bytes", fault, len(data))
			}
			if json.Valid(data) && !strings.Contains(fault.text, "nested more") {
				t.Fatalf("%q is JSON, but %s", data, fault.text)
			}
			return
		}
		if json.Valid(data) && skipSpace(data, end) != len(data) {
			t.Fatalf("%q scanned to %d only", data, end)
		}
		v := gjson.ParseBytes(data[at:end])
		if n := len(s.members); v.IsObject() {
			seen := 0
			v.ForEach(func(k, m gjson.Result) bool {
				if seen < n {
					if got := string(data[s.members[seen].value:s.members[seen].valueEnd]); json.Valid(data) && got != m.Raw {
						t.Fatalf("member %d is %q, want %q", seen, got, m.Raw)
					}
				}
				seen++
				return true
			})
			if json.Valid(data) && seen != n {
				t.Fatalf("%d members, want %d", n, seen)
			}
		}
	})
}

// FuzzSplit checks that whatever is in a file, records stand where they say.
func FuzzSplit(f *testing.F) {
	f.Add([]byte(lines(3)))
	f.Add([]byte("\uFEFF{\"a\":1}{\"b\":2}\r\n\x00\x00\n<<<<<<< x\n[1,\n{\"c\":3}\n{\"d\":\"\xff\"}\n{\"e\":{\"f\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := splitter{scan: scanner{maxDepth: 100}}
		s.split(stretch{data: data, line: 1, last: true})
		last := int64(0)
		for _, r := range s.records {
			if r.Offset < last || r.Offset+r.Length > int64(len(data)) {
				t.Fatalf("record at %d+%d of %d, behind %d", r.Offset, r.Length, len(data), last)
			}
			last = r.Offset + r.Length
			if c := data[r.Offset]; c != '{' && c != '[' {
				t.Fatalf("record begins with %q", c)
			}
			before := data[:r.Offset]
			line := 1 + bytes.Count(before, newline)
			col := len(before) - bytes.LastIndexByte(before, '\n')
			if r.Line != line || r.Col != col {
				t.Fatalf("record at %d:%d, want %d:%d", r.Line, r.Col, line, col)
			}
			r.eachMember(func(name, raw string) {
				if raw == "" {
					t.Fatalf("member %q without a value", name)
				}
			})
		}
		for _, n := range s.notes {
			if n.line < 1 || n.col < 1 {
				t.Fatalf("note %+v without a place", n)
			}
		}
	})
}
