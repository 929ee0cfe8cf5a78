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
}
