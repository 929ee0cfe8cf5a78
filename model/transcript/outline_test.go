package transcript

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestOutline: a large record keeps its members and the beginnings of its
// lists; a small one is not touched.
func TestOutline(t *testing.T) {
	small := gjson.Parse(`{"messages": [1, 2]}`)
	if got := outline(small); got.Raw != small.Raw {
		t.Errorf("a small record became %s", got.Raw)
	}
	message := `{"role": "user", "content": "` + strings.Repeat("x", 1000) + `"}`
	large := gjson.Parse(`{"a": {"messages": [` + strings.Repeat(message+",", 5000) + message + `]}, "model": "m"}`)
	got := outline(large)
	if !gjson.Valid(got.Raw) || len(got.Raw) > len(large.Raw)/10 {
		t.Fatalf("%d bytes of %d are no outline", len(got.Raw), len(large.Raw))
	}
	if n := got.Get("a.messages.#").Int(); n != outlineList || got.Get("model").Str != "m" {
		t.Errorf("%d messages of model %q", n, got.Get("model").Str)
	}
	for name, text := range map[string]string{
		"letters": "x", "escapes": `\u00e9`, "escaped quotes": `\"`, "backslashes": `\\`, "characters": "é", "mixed": `plain words and a quote \" `,
	} {
		long := gjson.Parse(`{"role": "user", "content": "` + strings.Repeat(text, 2<<20/len(text)) + `", "model": "m"}`)
		got := outline(long)
		if !gjson.Valid(got.Raw) || len(got.Raw) > 2*outlineText || got.Get("content").Type != gjson.String || got.Get("model").Str != "m" {
			t.Errorf("%s: %d bytes of %d are no outline", name, len(got.Raw), len(long.Raw))
		}
	}
}
