package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// shape makes a native conversation of a few words: U and A are texts, S a
// system message, A(a,b) an assistant message with calls a and b, R(a) the
// result of a; a size behind a word, as in R(a)*900, makes its text so long.
func shape(t *testing.T, words string) string {
	t.Helper()
	type part map[string]any
	type message struct {
		Role  string `json:"role"`
		Parts []part `json:"parts"`
	}
	var out []message
	for _, word := range strings.Fields(words) {
		size := 4
		if at := strings.Index(word, "*"); at > 0 {
			fmt.Sscan(word[at+1:], &size)
			word = word[:at]
		}
		text := strings.Repeat("x", size)
		kind, ids, _ := strings.Cut(strings.TrimSuffix(word, ")"), "(")
		m := message{Role: map[string]string{"U": "user", "A": "assistant", "S": "system", "R": "user"}[kind]}
		if m.Role == "" {
			t.Fatalf("no shape is called %q", word)
		}
		if kind != "R" && ids == "" {
			m.Parts = append(m.Parts, part{"type": "text", "text": text})
		}
		for _, id := range strings.FieldsFunc(ids, func(r rune) bool { return r == ',' }) {
			if kind == "R" {
				m.Parts = append(m.Parts, part{"type": "tool_result", "call_id": id, "output": text})
			} else {
				m.Parts = append(m.Parts, part{"type": "tool_call", "id": id, "name": "f", "input": part{}})
			}
		}
		out = append(out, m)
	}
	b, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestShapes puts the shapes at which truncation goes wrong through the command
// line: what is kept, with how many parts, and what lint has against it.
func TestShapes(t *testing.T) {
	for _, test := range []struct {
		name, shape   string
		result        string
		output, parts string
		anthropic     string // rules the pass breaks with this provider
	}{
		{"a pair pulls in the next", "U A(a) A(b) R(a) R(b) A U A", "no_action", "0 1 2 3 4 5 6 7", "1 1 1 1 1 1 1 1", ""},
		{"an id used again, on this side of the cut", "U A(c) R(c) A U A(c) R(c) A U A", "compacted", "0 5 6 7 8 9", "1 1 1 1 1 1", ""},
		{"an id used again, across the cut", "U A U A(x) R(x) A(x) R(x) A", "compacted", "0 3 4 5 6 7", "1 1 1 1 1 1", ""},
		{"the first message calls", "A(p) R(p) A U A U A U A", "compacted", "0 1 5 6 7 8", "1 1 1 1 1 1", ""},
		{"one message answers the first and another", "A(p) A(q) R(p,q) A U A U A U A", "compacted", "0 2 6 7 8 9", "1 1 1 1 1 1", ""},
		{"a system message first", "S U A(a) R(a) A(b) R(b) A(c) R(c) A(d) R(d)", "compacted", "0 6 7 8 9", "1 1 1 1 1", "user-first"},
		{"a lone result first", "R(z) A U A U A U A U A", "compacted", "6 7 8 9", "1 1 1 1", ""},
		{"two of the user's meet", "U A U A U A U A", "compacted", "0 4 5 6 7", "1 1 1 1 1", ""},
		{"one batch longer than what is kept", "U A(a,b,c,d,e,f) R(a) R(b) R(c) R(d) R(e) R(f) A", "no_action", "0 1 2 3 4 5 6 7 8", "1 6 1 1 1 1 1 1 1", ""},
		{"a late result", "U A(l) U A U A U A U A R(l) A", "no_action", "0 1 2 3 4 5 6 7 8 9 10 11", "1 1 1 1 1 1 1 1 1 1 1 1", ""},
		{"a result before its call", "U A R(x) A U A(x) U A", "compacted", "0 4 5 6 7", "1 1 1 1 1", ""},
		{"short but fat", "U A(a) R(a)*3000 A", "no_action", "0 1 2 3", "1 1 1 1", ""},
		{"a fat tail", "U A U A U A U A(x) R(x)*3000 A U", "compacted", "0 7 8 9 10", "1 1 1 1 1", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := shape(t, test.shape)
			code, out, errs := run(text, "plan", "-", "--json", "--window", "1000")
			if code != fine {
				t.Fatal(errs)
			}
			var p struct {
				Result string
				Output []int
				Parts  []int `json:"output_parts"`
			}
			if err := json.Unmarshal([]byte(out), &p); err != nil {
				t.Fatal(err)
			}
			spaced := func(n []int) string { return strings.Trim(fmt.Sprint(n), "[]") }
			if p.Result != test.result || spaced(p.Output) != test.output || spaced(p.Parts) != test.parts {
				t.Errorf("%s keeps %v with %v parts, want %s keeping %s with %s", p.Result, p.Output, p.Parts, test.result, test.output, test.parts)
			}
			code, out, errs = run(text, "lint", "-", "--json", "--window", "1000", "--provider", "anthropic")
			var l lintLine
			if err := json.Unmarshal([]byte(out), &l); err != nil {
				t.Fatal(err, errs)
			}
			rules := ""
			for _, d := range l.Caused {
				rules += d.Rule
			}
			if rules != test.anthropic || (code == failed) != (rules != "") {
				t.Errorf("lint exits with %d and says %q, want %q", code, rules, test.anthropic)
			}
		})
	}
}
