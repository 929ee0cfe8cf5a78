package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSave: a file is replaced whole or not at all, by whichever name it goes, and
// what was read only when that was said.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	holds := func(name, want string) {
		t.Helper()
		if got, err := os.ReadFile(at(name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}
	put := func(name string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(at(name), []byte("old"), mode); err != nil {
			t.Fatal(err)
		}
	}
	put("input", 0o640)
	put("subagent", 0o600)
	if err := os.Symlink("input", at("link")); err != nil {
		t.Skip("no links here")
	}
	if err := os.Link(at("input"), at("hard")); err != nil {
		t.Fatal(err)
	}
	os.Symlink("later", at("dangling"))
	os.Symlink("loop", at("loop"))

	read := []string{at("input"), at("subagent")}
	for _, name := range []string{"input", "link", "hard", "subagent", "./input", "../" + filepath.Base(dir) + "/input"} {
		if err := Save(dir+"/"+name, read, false, []byte("new")); err == nil || !strings.HasSuffix(err.Error(), name+" is the input: name another file, or give --force to replace it") {
			t.Errorf("%s: %v", name, err)
		}
	}
	holds("input", "old")

	if err := Save(at("link"), read, true, []byte("new")); err != nil {
		t.Error(err)
	}
	holds("input", "new")
	holds("hard", "old") // another name of what was there
	if info, err := os.Lstat(at("link")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v (%v)", info.Mode(), err)
	}
	if info, _ := os.Stat(at("input")); info.Mode().Perm() != 0o640 {
		t.Errorf("its permissions became %v", info.Mode())
	}

	if err := Save(at("dangling"), read, false, []byte("new")); err != nil {
		t.Error(err)
	}
	holds("later", "new")
	if info, _ := os.Stat(at("later")); info.Mode().Perm() != 0o600 {
		t.Errorf("a new file is open to %v", info.Mode())
	}

	for name, want := range map[string]string{
		".":         "it is a folder",
		"none/file": "no such file or directory",
		"loop":      "too many levels of symbolic links",
	} {
		err := Save(dir+"/"+name, read, true, []byte("new"))
		if err == nil || !strings.HasSuffix(err.Error(), name+" cannot be written: "+want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	put("kept", 0o444)
	if err := Save(at("kept"), read, true, []byte("new")); os.Getuid() != 0 && (err == nil || !strings.HasSuffix(err.Error(), "kept cannot be written: permission denied")) {
		t.Errorf("a file that nobody may write to: %v", err)
	}
	left, err := filepath.Glob(at(".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
