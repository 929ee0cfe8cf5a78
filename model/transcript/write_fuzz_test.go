package transcript

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// FuzzWriteBack reads whatever comes, takes the middle out, and writes it back in
// its own format. What could be read can be written, and what is written is JSON,
// one document or a record a line, unless it was none before.
func FuzzWriteBack(f *testing.F) {
	for _, format := range Writable() {
		for _, path := range samples(f, format) {
			if b, err := os.ReadFile(path); err == nil {
				f.Add(b, uint8(3))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, keep uint8) {
		file, err := Read(context.Background(), "fuzzed", bytes.NewReader(data), Options{})
		if err != nil || WrittenAs(file.Selected.Format) != file.Selected.Format {
			return
		}
		c := file.Selected
		left := c.View(model.Context)
		if n := int(keep) % 8; len(left) > n+1 {
			left = append(left[:1:1], left[len(left)-n:]...)
		}
		var b bytes.Buffer
		if err := file.Write(context.Background(), &b, c.Format, c, left); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		switch c.Format {
		case claudeName, "codex", piName:
			for line := range strings.Lines(text) {
				if !gjson.Valid(line) && !bytes.Contains(data, []byte(strings.TrimSpace(line))) {
					t.Errorf("not JSON: %s", line)
				}
			}
		default:
			if !gjson.Valid(text) && gjson.ValidBytes(data) {
				t.Errorf("not JSON: %s", text)
			}
		}
	})
}
