package transcript

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestUnquote holds the decoder of strings against the standard library's.
func TestUnquote(t *testing.T) {
	for _, raw := range []string{
		`""`, `"plain"`, `"a\nb\tc\"d\\e\/f\b\f\r"`, `"\\"`, `"ends\\\""`, `"caf\u00e9 \u65e5\u672c"`, `"\ud83d\ude00!"`,
		`"lone \ud83d half"`, `"lone \ude00 half"`, `"\ud83d\ud83d\ude00"`, `"\u0000\u001f"`, `"日本 \n 語"`,
		`"` + strings.Repeat(`0123456789\n`, 50) + `"`,
	} {
		var want string
		if err := json.Unmarshal([]byte(raw), &want); err != nil {
			t.Fatal(err)
		}
		if got := unquote(raw); got != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
	}
	for raw, want := range map[string]string{
		`"a\xb"`: `a\xb`, `"\u12"`: `\u12`, `"\uzzzz"`: `\uzzzz`, `"` + strings.Repeat(`\u`, 100) + `"`: strings.Repeat(`\u`, 100), "\"tab\there\\n\"": "tab\there\n", `"`: "", `"a\"`: `a\`,
	} {
		if got := unquote(raw); got != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
	}
}

// TestWalk: every member and element comes once, whether the visitor goes down
// into it or passes over it.
func TestWalk(t *testing.T) {
	const raw = ` {"a": {"x": [1, "]}", {}]} , "b\u0062": [ "\"]", [2,[3]], true,], "c":null,} rest`
	for _, deep := range []bool{false, true} {
		var seen []string
		end := walkMembers(raw, 1, func(name string, at int) int {
			v, end := valueAt(raw, at)
			seen = append(seen, name+"="+v)
			switch {
			case !deep:
				return passed
			case raw[at] == '[':
				return walkElements(raw, at, func(at int) int {
					v, end := valueAt(raw, at)
					seen = append(seen, "·"+v)
					return end
				})
			}
			return end
		})
		if raw[end:] != " rest" {
			t.Errorf("deep %v: it ends before %q", deep, raw[end:])
		}
		want := `a={"x": [1, "]}", {}]}|bb=[ "\"]", [2,[3]], true,]|c=null`
		if deep {
			want = `a={"x": [1, "]}", {}]}|bb=[ "\"]", [2,[3]], true,]|·"\"]"|·[2,[3]]|·true|c=null`
		}
		if got := strings.Join(seen, "|"); got != want {
			t.Errorf("deep %v: %s", deep, got)
		}
	}
}

// FuzzWalk: what the scanner passes is walked to its end, anything else at least
// without leaving the data.
func FuzzWalk(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":"c\n"}],"d":null}`, `[{"a":1},[2,"x\"y"]]`, `{"a":`, `["\`, `{"a" 1}`, `[1 2]`, `{"a":1,}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		raw := string(data)
		var down func(at int) int
		down = func(at int) int {
			if at < 0 || at >= len(raw) {
				t.Fatalf("visited at %d of %d", at, len(raw))
			}
			switch raw[at] {
			case '{':
				return walkMembers(raw, at, func(_ string, at int) int { return down(at) })
			case '[':
				return walkElements(raw, at, down)
			case '"':
				v, end := valueAt(raw, at)
				unquote(v)
				return end
			}
			return passed
		}
		if raw == "" {
			return
		}
		s := scanner{maxDepth: 500}
		end, bad := s.value(data, 0)
		if at := skipSpace(data, 0); bad == nil && (data[at] == '{' || data[at] == '[') {
			if got := down(at); got != end {
				t.Fatalf("walked %q to %d, scanned to %d", raw, got, end)
			}
		} else if len(raw) < 500 {
			down(0)
		}
	})
}
