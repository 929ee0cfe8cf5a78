//go:build e2e

package e2e

import (
	"path/filepath"
	"testing"
)

// TestWriteCompacted writes from the inspector what the pass leaves, and opens it.
func TestWriteCompacted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.json")
	s := inspector(t, 120, 36)
	s.Keys("e")
	s.Wait(`c compacted conversation`)
	s.Keys("c")
	s.Wait(`write to demo-compacted\.json`)
	s.Keys("C-u")
	s.Type(file)
	s.Keys("Enter")
	s.Wait(`9 messages written to`)
	s.Keys("q")
	closed(t, s)
	s.Command("cinch %s", file)
	s.Wait(`\b9 messages`)
}
