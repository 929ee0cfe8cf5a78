package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// FuzzConfig: whatever a configuration file holds, it is refused in one sentence
// with its line, or it is taken, and what is printed of it says the same when it
// is read.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{
		"", "theme = \"light\"\nmouse = false\n", "[keys.anywhere]\nundo = [\"z\", \"alt+ü\"]\n", "keys = {pass = {step = 'x'}}",
		"thme = 1", "theme = [", "[[keys]]", "keys.\"a\\u001bb\".c = 2026-01-01", "[keys.knob]\nless = []\n\"more\" = \"\\\\\"",
	} {
		f.Add([]byte(text))
	}
	file := filepath.Join(f.TempDir(), "config.toml")
	refused := regexp.MustCompile(`^cinch: ` + regexp.QuoteMeta(file) + `:[1-9]\d*: [^\x00-\x1f\x7f]+\n$`)
	comment := regexp.MustCompile(`(?m) *# .*$`)
	f.Fuzz(func(t *testing.T, raw []byte) {
		printed := func(raw []byte) (string, string) {
			if err := os.WriteFile(file, raw, 0o666); err != nil {
				t.Fatal(err)
			}
			_, out, errs := run("", "--print-config", "--config", file)
			return comment.ReplaceAllString(out, ""), errs
		}
		first, errs := printed(raw)
		if errs != "" {
			if !refused.MatchString(errs) || first != "" {
				t.Errorf("refused with %q, and %q on stdout", errs, first)
			}
			return
		}
		if again, errs := printed([]byte(first)); again != first || errs != "" {
			t.Errorf("read back it is\n%s\nand was\n%s\n%s", again, first, errs)
		}
	})
}
