package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestEveryDependencyHasAReason: a module that go.mod requires directly has a
// row in docs/dependencies.md that says why, and no other module has one.
func TestEveryDependencyHasAReason(t *testing.T) {
	out, err := exec.Command("go", "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.*) \\|$").FindAllStringSubmatch(string(page), -1) {
		reasons[row[1]] = strings.TrimSpace(row[2])
	}
	for _, r := range mod.Require {
		if r.Indirect {
			continue
		}
		if reasons[r.Path] == "" {
			t.Errorf("docs/dependencies.md does not say why %s is needed", r.Path)
		}
		delete(reasons, r.Path)
	}
	for path := range reasons {
		t.Errorf("docs/dependencies.md gives a reason for %s, which go.mod does not require", path)
	}
}
