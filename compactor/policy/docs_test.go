package policy

import (
	"os"
	"regexp"
	"testing"
)

var example = regexp.MustCompile("(?s)```(?:toml|json)\n(.*?)```")

// The manual's examples are policies.
func TestManual(t *testing.T) {
	page, err := os.ReadFile("../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := example.FindAllSubmatch(page, -1)
	if len(blocks) != 3 {
		t.Fatalf("%d examples, not 3", len(blocks))
	}
	for i, want := range []string{Truncating, Ladder, Ladder} {
		p, err := Parse("docs/policy.md", blocks[i][1])
		if err != nil || p.Engine != want {
			t.Errorf("example %d: %v", i+1, err)
		}
	}
}
