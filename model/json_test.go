package model

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestCompactJSON(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"already compact", `{"a":[1,"b",null]}`, `{"a":[1,"b",null]}`},
		{"spaces between", " { \"a\" :\t[ 1 ,\r\n2 ] } ", `{"a":[1,2]}`},
		{"spaces inside a string", `{"a b": " c  d "}`, `{"a b":" c  d "}`},
		{"numbers as written", `[1.0, 1e5, -0, 1E+2, 12345678901234567890]`, `[1.0,1e5,-0,1E+2,12345678901234567890]`},
		{"members in their order", `{"b":1,"a":2,"b":3}`, `{"b":1,"a":2,"b":3}`},
		{"markup", `"<a href='x'>&amp;</a>"`, `"<a href='x'>&amp;</a>"`},
		{"escaped markup", `"\u003c\u0026\u003E"`, `"<&>"`},
		{"accent", `"\u00e9\u00C9"`, `"éÉ"`},
		{"line separators", `"\u2028\u2029"`, "\"\u2028\u2029\""},
		{"slash", `"\/a\/"`, `"/a/"`},
		{"surrogate pair", `"\uD83D\ude42"`, `"🙂"`},
		{"lone first half", `"\ud83d"`, `"` + "\ufffd" + `"`},
		{"lone second half", `"\ude42x"`, `"` + "\ufffd" + `x"`},
		{"first half before a letter", `"\ud83d\u0041"`, `"` + "\ufffd" + `A"`},
		{"halves in the wrong order", `"\ude42\ud83d"`, `"` + "\ufffd\ufffd" + `"`},
		{"two first halves", `"\ud83d\ud83d\ude42"`, `"` + "\ufffd" + `🙂"`},
		{"quotation mark and backslash", `"\u0022\u005c\"\\"`, `"\"\\\"\\"`},
		{"short control escapes", `"\u000a\u000d\u0009\u0008\u000c\n\r\t\b\f"`, `"\n\r\t\b\f\n\r\t\b\f"`},
		{"other control escapes", `"\u0000\u001F\u007f"`, `"\u0000\u001f` + "\u007f" + `"`},
		{"escaped backslash before u", `"\\u00e9"`, `"\\u00e9"`},
		{"escaped quotation mark before a space", `["\" ", 1]`, `["\" ",1]`},
		{"key with escapes", `{"\u00e9\/": {}}`, `{"é/":{}}`},
		{"bare string", ` "x" `, `"x"`},
		{"nothing", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := CompactJSON(tc.in); got != tc.want {
				t.Errorf("%s became %s, want %s", tc.in, got, tc.want)
			}
		})
	}
}

func TestCompactJSONCopiesNothingItNeedNot(t *testing.T) {
	in := `{"path":"a/b c.go","n":[1,2,3],"s":"\"\\\n"}`
	if n := testing.AllocsPerRun(10, func() { CompactJSON(in) }); n != 0 {
		t.Errorf("%v allocations for JSON that is compact already", n)
	}
}

func TestQuoteJSON(t *testing.T) {
	for _, s := range []string{"", "plain", "é<&>\u2028/", "\"\\\n\r\t\b\f\x00\x1f\x7f", "🙂", "a\xffb"} {
		quoted := QuoteJSON(s)
		var back string
		if err := json.Unmarshal([]byte(quoted), &back); err != nil {
			t.Errorf("QuoteJSON(%q) = %s: %v", s, quoted, err)
		} else if want := strings.ToValidUTF8(s, "\ufffd"); back != want {
			t.Errorf("QuoteJSON(%q) reads back as %q", s, back)
		}
		if again := CompactJSON(quoted); again != quoted {
			t.Errorf("QuoteJSON(%q) = %s is not compact: %s", s, quoted, again)
		}
	}
}

// FuzzCompactJSON holds three laws on every input that is JSON: the value stays
// the same, nothing is left that could be shorter, and a second time changes nothing.
func FuzzCompactJSON(f *testing.F) {
	for _, s := range []string{
		`{ "a" : [ 1 , true , null ] , "é\u00e9" : "\ud83d\ude42 \ud83d \/ \" \\ \n \u0001" }`,
		`"\\u0041 \\\u0041"`, "\"\u2028<&>\"", `[1e5, -0.0]`, `{"":{"":[]}}`, "\"\x7f\xff\"", `"\uDEAD\uD83D\uDE42"`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got := CompactJSON(raw)
		if !json.Valid([]byte(raw)) {
			return
		}
		if want := value(t, raw); !reflect.DeepEqual(value(t, got), want) {
			t.Fatalf("%q became %q, another value", raw, got)
		}
		if again := CompactJSON(got); again != got {
			t.Fatalf("%q became %q, then %q", raw, got, again)
		}
		if odd := excess(got); odd != "" {
			t.Fatalf("%q became %q: %s", raw, got, odd)
		}
	})
}

func value(t *testing.T, raw string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q is not JSON any more: %v", raw, err)
	}
	return v
}

// excess says what in valid JSON could be left out, "" for nothing.
func excess(s string) string {
	inString := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			inString = !inString
		case !inString && strings.IndexByte(" \t\r\n", c) >= 0:
			return "a space between tokens"
		case c == '\\':
			i++
			if s[i] != 'u' {
				if s[i] == '/' {
					return "an escaped slash"
				}
				continue
			}
			if h := s[i+1 : i+5]; h[:2] != "00" || h[2] > '1' || h == "000a" || h == "000d" || h == "0009" || h == "0008" || h == "000c" {
				return "an escape without need: u" + h
			}
			i += 4
		}
	}
	return ""
}
