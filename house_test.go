package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// pkg is what the test wants to know of a package, as go list reports it.
type pkg struct {
	ImportPath, Dir string
	GoFiles         []string
	Imports, Deps   []string
}

func packages(t *testing.T) map[string]pkg {
	t.Helper()
	all, err := listPackages()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// listPackages asks go list once, by import path.
var listPackages = sync.OnceValues(func() (map[string]pkg, error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,Deps", "./...").Output()
	if err != nil {
		return nil, err
	}
	all := map[string]pkg{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all[p.ImportPath] = p
	}
})

// in reports whether path is root or below it.
func in(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// TestArrows: main → ui → compactor → model, and never back.
func TestArrows(t *testing.T) {
	layers := []string{"cinch/model", "cinch/compactor", "cinch/ui"}
	layer := func(path string) int {
		return slices.IndexFunc(layers, func(root string) bool { return in(path, root) })
	}
	for _, p := range packages(t) {
		own := layer(p.ImportPath)
		if own < 0 {
			continue
		}
		for _, dep := range p.Deps {
			if layer(dep) > own {
				t.Errorf("%s reaches %s: arrows point from ui to compactor to model", p.ImportPath, dep)
			}
			if own < layer("cinch/ui") && in(dep, "cinch/fixtures") {
				t.Errorf("%s reaches the bundled lessons: only the interface shows them", p.ImportPath)
			}
		}
	}
}

// TestOnlyTheInterfaceDraws: Bubble Tea and Lip Gloss belong to the interface.
func TestOnlyTheInterfaceDraws(t *testing.T) {
	for _, p := range packages(t) {
		if in(p.ImportPath, "cinch/ui") {
			continue
		}
		for _, dep := range p.Imports {
			if in(dep, "github.com/charmbracelet/bubbletea") || in(dep, "github.com/charmbracelet/bubbles") || in(dep, "github.com/charmbracelet/lipgloss") {
				t.Errorf("%s imports %s: only the packages under ui do", p.ImportPath, dep)
			}
		}
	}
}

// TestComponentsThatMayBeUsed: of the ready-made components only the line of text
// is used, and styles are written by ui/draw: lists, tables, viewports, help and
// progress of the library bind keys of their own, fail at small sizes, measure
// text in another way or ignore NO_COLOR. ui/dark answers for Lip Gloss.
func TestComponentsThatMayBeUsed(t *testing.T) {
	may := map[string]string{
		"github.com/charmbracelet/bubbles/textinput": "cinch/ui", "github.com/charmbracelet/bubbles/key": "cinch/ui", "github.com/charmbracelet/lipgloss": "cinch/ui/dark",
	}
	for _, p := range packages(t) {
		for _, dep := range p.Imports {
			shown := in(dep, "github.com/charmbracelet/bubbles") || in(dep, "github.com/charmbracelet/lipgloss") ||
				in(dep, "github.com/mattn/go-runewidth") || in(dep, "github.com/muesli/termenv") || in(dep, "github.com/muesli/reflow")
			if shown && may[dep] != p.ImportPath {
				t.Errorf("%s imports %s", p.ImportPath, dep)
			}
		}
	}
}

// TestPureNeedsNobody: the engines import the standard library and each other.
func TestPureNeedsNobody(t *testing.T) {
	all := packages(t)
	for _, path := range pure {
		for _, dep := range all[path].Imports {
			if root, _, _ := strings.Cut(dep, "/"); root != "cinch" && strings.Contains(root, ".") {
				t.Errorf("%s imports %s", path, dep)
			}
		}
	}
}

// pure are the packages that only compute: same input, same answer.
var pure = []string{"cinch/model", "cinch/compactor", "cinch/compactor/ladder", "cinch/compactor/study"}

// TestPureReachesNothing: no terminal and no network, however indirectly, and no
// files and processes of their own.
func TestPureReachesNothing(t *testing.T) {
	outside := []string{
		"net", "crypto/tls", "os/exec", "os/signal",
		"github.com/charmbracelet", "github.com/muesli", "golang.org/x/term",
	}
	ownOnly := []string{"os", "io/fs", "io/ioutil", "path/filepath", "syscall", "embed"}
	all := packages(t)
	for _, path := range pure {
		p, found := all[path]
		if !found {
			continue // not written yet
		}
		for _, dep := range p.Deps {
			for _, root := range outside {
				if in(dep, root) && dep != "net/netip" && dep != "net/url" {
					t.Errorf("%s reaches %s", path, dep)
				}
			}
		}
		for _, dep := range p.Imports {
			if slices.Contains(ownOnly, dep) {
				t.Errorf("%s imports %s", path, dep)
			}
		}
	}
}

// TestPureHasNoClock: what a pure package answers does not depend on when it is
// asked. Times that a recording holds are data, so the package time itself is allowed.
func TestPureHasNoClock(t *testing.T) {
	clock := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"}
	all := packages(t)
	for _, path := range pure {
		p := all[path]
		files := token.NewFileSet()
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(clock, s.Sel.Name) {
					if id, ok := s.X.(*ast.Ident); ok && id.Name == "time" {
						t.Errorf("%s: time.%s asks the clock", files.Position(s.Pos()), s.Sel.Name)
					}
				}
				return true
			})
		}
	}
}
