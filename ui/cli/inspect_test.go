package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"cinch/model"
	"cinch/model/transcript"
)

// TestBegin: the beginning of a session is looked at under the knobs that were
// given for the whole.
func TestBegin(t *testing.T) {
	var b strings.Builder
	parent := "null"
	for i := range 100 {
		who := []string{"user", "assistant"}[i%2]
		fmt.Fprintf(&b, `{"type":%q,"uuid":"u%d","parentUuid":%s,"sessionId":"s","message":{"role":%q,"content":"message %d %s"}}`+"\n",
			who, i, parent, who, i, strings.Repeat("x", 400))
		parent = fmt.Sprintf(`"u%d"`, i)
	}
	path := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	k := newKnobs()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	addKnobs(flags, k, model.Context)
	if err := flags.Parse([]string{"--window", "50k"}); err != nil {
		t.Fatal(err)
	}
	o, err := k.begin(t.Context(), path, 4<<10)
	if err != nil {
		t.Fatal(err)
	}
	set, err := o.Settings(o.File.Selected)
	if n := len(o.File.Selected.Messages); err != nil || n < 2 || n > 20 || set.Policy.Window != 50_000 {
		t.Errorf("%d messages, a window of %d, %v", n, set.Policy.Window, err)
	}
	if _, err := k.begin(t.Context(), path, 1<<20); !errors.Is(err, transcript.ErrNoBeginning) {
		t.Errorf("a small file has a beginning: %v", err)
	}
}
