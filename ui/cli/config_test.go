package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"cinch/ui/draw"
)

// asked is a look with its flags parsed, in a world of its own.
func asked(t *testing.T, env map[string]string, terminal bool, args ...string) (*app, *look) {
	t.Helper()
	a := &app{err: &bytes.Buffer{}, getenv: func(name string) string { return env[name] }, terminal: terminal}
	l := &look{}
	fs := pflag.NewFlagSet("look", pflag.ContinueOnError)
	addLook(fs, l)
	addScreen(fs, l)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return a, l
}

// written is a configuration file with a text.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestColourPrecedence goes through all that may say whether there are colours,
// in every combination: the first that says anything decides.
func TestColourPrecedence(t *testing.T) {
	type say struct{ flag, env, value, file string }
	levels := []struct {
		name        string
		always, not *say // how it says so; nil where it cannot
	}{
		{"--color", &say{flag: "--color=always"}, &say{flag: "--color=never"}},
		{"NO_COLOR", nil, &say{env: "NO_COLOR", value: "1"}},
		{"CLICOLOR_FORCE", &say{env: "CLICOLOR_FORCE", value: "1"}, nil},
		{"CLICOLOR", nil, &say{env: "CLICOLOR", value: "0"}},
		{"the file", &say{file: `color = "always"`}, &say{file: `color = "never"`}},
	}
	// What says nothing, whether it is there or not.
	silent := []map[string]string{{}, {"NO_COLOR": "", "CLICOLOR_FORCE": "0", "CLICOLOR": "1"}}
	files := map[string]string{}
	for _, text := range []string{"", `color = "always"`, `color = "never"`, `color = "auto"`} {
		files[text] = written(t, text)
	}
	tried := 0
	var try func(at int, says []*say, want *bool)
	try = func(at int, says []*say, want *bool) {
		if at < len(levels) {
			yes, no := true, false
			try(at+1, says, want)
			for _, way := range []struct {
				say    *say
				colour *bool
			}{{levels[at].always, &yes}, {levels[at].not, &no}} {
				if way.say != nil {
					decided := want
					if decided == nil {
						decided = way.colour
					}
					try(at+1, append(slices.Clone(says), way.say), decided)
				}
			}
			return
		}
		for _, quiet := range silent {
			for _, terminal := range []bool{true, false} {
				for _, term := range []string{"xterm", "dumb"} {
					colour := terminal && term != "dumb"
					if want != nil {
						colour = *want
					}
					env := map[string]string{"TERM": term, "CINCH_CONFIG": files[""]}
					for name, value := range quiet {
						env[name] = value
					}
					args := []string{}
					for _, s := range says {
						switch {
						case s.flag != "":
							args = append(args, s.flag)
						case s.env != "":
							env[s.env] = s.value
						default:
							env["CINCH_CONFIG"] = files[s.file]
						}
					}
					a, l := asked(t, env, terminal, args...)
					if _, err := a.settle(l); err != nil {
						t.Fatal(err)
					}
					tried++
					if got := a.profile(l, draw.Plain) != draw.Plain; got != colour {
						t.Errorf("%v %v, a terminal %v: colours %v, want %v", args, env, terminal, got, colour)
					}
				}
			}
		}
	}
	try(0, nil, nil)
	if tried != 3*2*2*2*3*8 {
		t.Errorf("%d combinations were tried", tried)
	}

	// An auto on the command line leaves the environment its say, and wins over the file.
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{{map[string]string{}, true}, {map[string]string{"NO_COLOR": "1"}, false}} {
		c.env["CINCH_CONFIG"] = files[`color = "never"`]
		a, l := asked(t, c.env, true, "--color=auto")
		if _, err := a.settle(l); err != nil {
			t.Fatal(err)
		}
		if got := a.profile(l, draw.Plain) != draw.Plain; got != c.want {
			t.Errorf("--color=auto with %v: colours %v", c.env, got)
		}
	}
}

func TestWhatTerminalsShow(t *testing.T) {
	for _, c := range []struct {
		term, colorterm, locale string
		profile                 draw.Profile
		set                     draw.GlyphSet
	}{
		{"xterm-256color", "", "en_US.UTF-8", draw.ANSI256, draw.UTF8},
		{"xterm-256color", "truecolor", "en_US.UTF-8", draw.TrueColour, draw.UTF8},
		{"xterm-256color", "24bit", "C.utf8", draw.TrueColour, draw.UTF8},
		{"xterm", "", "C", draw.ANSI16, draw.ASCII},
		{"", "", "", draw.ANSI16, draw.ASCII},
		{"linux", "", "en_US.UTF-8", draw.ANSI16, draw.Safe},
		{"linux", "truecolor", "en_US.UTF-8", draw.ANSI16, draw.Safe},
		{"dumb", "", "en_US.UTF-8", draw.Plain, draw.UTF8},
		{"dumb", "truecolor", "en_US.UTF-8", draw.Plain, draw.UTF8},
	} {
		a, l := asked(t, map[string]string{"TERM": c.term, "COLORTERM": c.colorterm, "LC_ALL": c.locale}, true)
		if _, err := a.settle(l); err != nil {
			t.Fatal(err)
		}
		if p, s := a.profile(l, draw.Plain), a.set(l); p != c.profile || s != c.set {
			t.Errorf("TERM=%s COLORTERM=%s in %q: %v, %v; want %v, %v", c.term, c.colorterm, c.locale, p, s, c.profile, c.set)
		}
	}
}

// TestSettled: each setting comes from the flag, else the environment, else the
// file, else the default.
func TestSettled(t *testing.T) {
	file := written(t, "theme = \"light\"\ncolor = \"never\"\nglyphs = \"utf8-safe\"\nmouse = false\nrecent = false\n")
	for _, c := range []struct {
		name string
		env  map[string]string
		args []string
		want string
	}{
		{"nothing", nil, nil, "theme auto default, color auto default, glyphs auto default, mouse true default, recent true default"},
		{"the file", map[string]string{"CINCH_CONFIG": file}, nil,
			"theme light line 1, color never line 2, glyphs utf8-safe line 3, mouse false line 4, recent false line 5"},
		{"the environment over the file", map[string]string{"CINCH_CONFIG": file, "CINCH_THEME": "mono", "CLICOLOR_FORCE": "1", "CINCH_NO_RECENT": "1"}, nil,
			"theme mono CINCH_THEME, color always CLICOLOR_FORCE, glyphs utf8-safe line 3, mouse false line 4, recent false CINCH_NO_RECENT"},
		{"flags over both", map[string]string{"CINCH_CONFIG": file, "CINCH_THEME": "mono", "CLICOLOR_FORCE": "1", "CINCH_NO_RECENT": "1"},
			[]string{"--theme=dark", "--color=never", "--glyphs=braille", "--no-mouse=false", "--no-recent=false"},
			"theme dark --theme, color never --color, glyphs braille --glyphs, mouse true --no-mouse, recent true --no-recent"},
		{"the file of a flag over that of the environment", map[string]string{"CINCH_CONFIG": "/no/such/file"}, []string{"--config", file, "--ascii", "--glyphs=utf8"},
			"theme light line 1, color never line 2, glyphs ascii --ascii, mouse false line 4, recent false line 5"},
		{"a theme of the environment that a flag makes no matter", map[string]string{"CINCH_THEME": "plaid"}, []string{"--theme=dark"},
			"theme dark --theme, color auto default, glyphs auto default, mouse true default, recent true default"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, l := asked(t, c.env, true, c.args...)
			if _, err := a.settle(l); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range l.settled {
				got = append(got, fmt.Sprint(s.Name, " ", s.Value, " ", s.From))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), c.want)
			}
			if l.theme != l.settled[0].Value || l.color != l.settled[1].Value || l.glyphs != l.settled[2].Value || l.noMouse == l.settled[3].Value || l.noRecent == l.settled[4].Value {
				t.Errorf("it is drawn as %+v", l)
			}
		})
	}
	a, l := asked(t, map[string]string{"CINCH_THEME": "plaid"}, true)
	if _, err := a.settle(l); err == nil || err.Error() != `CINCH_THEME: want one of auto, dark, light, high-contrast, mono, not "plaid"` {
		t.Errorf("a theme that does not exist: %v", err)
	}
}

func TestWhereTheFileIs(t *testing.T) {
	for _, c := range []struct {
		env   map[string]string
		flag  string
		path  string
		named bool
	}{
		{map[string]string{}, "", "", false},
		{map[string]string{"HOME": "/h"}, "", "/h/.config/cinch/config.toml", false},
		{map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/x"}, "", "/x/cinch/config.toml", false},
		{map[string]string{"XDG_CONFIG_HOME": "/x"}, "", "/x/cinch/config.toml", false},
		{map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "not/absolute"}, "", "/h/.config/cinch/config.toml", false},
		{map[string]string{"HOME": "/h", "CINCH_CONFIG": "here.toml"}, "", "here.toml", true},
		{map[string]string{"HOME": "/h", "CINCH_CONFIG": "here.toml"}, "there.toml", "there.toml", true},
	} {
		a := &app{getenv: func(name string) string { return c.env[name] }}
		if path, named := a.configPath(c.flag); path != c.path || named != c.named {
			t.Errorf("%v --config %q: %q, %v; want %q, %v", c.env, c.flag, path, named, c.path, c.named)
		}
	}
}

// TestConfigErrors: one sentence with the line, what is wrong, and what would be right.
func TestConfigErrors(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"an unknown setting":       {"# mine\nthme = \"dark\"\n", `:2: thme: there is no such setting; did you mean theme? There are keys, theme, color, glyphs, mouse, recent`},
		"one of another tool":      {"window = 200_000\n", `:1: window: there is no such setting; there are keys, theme, color, glyphs, mouse, recent`},
		"an unknown table":         {"\n[kyes.anywhere]\n", `:2: kyes.anywhere: there is no such setting; did you mean keys? There are keys, theme, color, glyphs, mouse, recent`},
		"a word that is none":      {`theme = "blue"`, `:1: theme: want one of auto, dark, light, high-contrast, mono, not "blue"`},
		"a number for a word":      {"theme = 3", `:1: theme: want one of auto, dark, light, high-contrast, mono, not 3`},
		"colours":                  {`color = true`, `:1: color: want one of auto, always, never, not true`},
		"glyphs":                   {`glyphs = ["utf8"]`, `:1: glyphs: want one of auto, utf8, utf8-safe, ascii, braille, not a list`},
		"a word for a switch":      {`mouse = "off"`, `:1: mouse: want true or false, not "off"`},
		"a date for a switch":      {`recent = 2026-01-01`, `:1: recent: want true or false, not a date`},
		"a table for a switch":     {"[recent]\nfiles = 3", `:1: recent: want true or false, not a table`},
		"a setting as a table":     {`theme.name = "dark"`, `:1: theme.name: theme is no table`},
		"no TOML":                  {"theme = dark\n", `:1: not valid TOML: `},
		"set twice":                {"theme = \"dark\"\ntheme = \"light\"\n", `:2: not valid TOML: `},
		"keys without a place":     {"[keys]\nundo = \"z\"", `:2: keys.undo: keys stand under a place and an action, as in keys.anywhere.undo = "z"`},
		"keys that are no table":   {`keys = "vim"`, `:1: keys: keys stand under a place and an action, as in keys.anywhere.undo = "z"`},
		"keys too deep":            {`keys.anywhere.undo.key = "z"`, `:1: keys.anywhere.undo.key: keys stand under a place and an action, as in keys.anywhere.undo = "z"`},
		"a list of tables":         {"[[keys.anywhere]]\nundo = \"z\"", `:1: keys.anywhere: keys stand under a place and an action, as in keys.anywhere.undo = "z"`},
		"a key that is a number":   {"[keys.anywhere]\n\nundo = 3", `:3: keys.anywhere.undo: want a key such as "z", or a list of keys, not 3`},
		"one in a list":            {"keys.anywhere = {undo = [\"z\", true]}", `:1: keys.anywhere.undo: want a key such as "z", or a list of keys, not true`},
		"no such place":            {"[keys.mesages]\nsearch = \"s\"", `:1: keys.mesages: there is no such place; did you mean messages? There are anywhere, conversations, file, knob, ladder, message, messages, pass, `},
		"no such action":           {"[keys.messages]\nserch = \"s\"", `:2: keys.messages.serch: there is no such action; did you mean search? There are down, up, `},
		"no such key":              {"[keys.messages]\nsearch = \"cmd+f\"", `:2: keys.messages.search: "cmd+f" is no key that terminals send; a key is `},
		"a key that is taken":      {"[keys.pass]\nstep = \"u\"", `:2: keys.pass.step: u is the key of undo in anywhere as well: give one of them another`},
		"two with one key":         {"[keys.pass]\nstep = \"z\"\n\n[keys.anywhere]\nundo = \"z\"", `:5: keys.anywhere.undo: z is the key of step in pass as well, which line 2 says: give one of them another`},
		"text that acts on a line": {"\"th\\u001b[2Jme\" = 1", `:1: th`},
	} {
		t.Run(name, func(t *testing.T) {
			path := written(t, c.text)
			code, out, errs := run("", "--print-config", "--config", path)
			if code != wrong || out != "" || !strings.HasPrefix(errs, "cinch: "+path+c.says) || strings.Count(errs, "\n") != 1 || strings.ContainsRune(errs, '\x1b') {
				t.Errorf("exit %d, stdout %q, stderr\n%swant\ncinch: %s%s", code, out, errs, path, c.says)
			}
		})
	}
	if code, _, errs := run("", "--print-config", "--config", "/no/such/file.toml"); code != wrong || errs != "cinch: /no/such/file.toml: no such file or directory\n" {
		t.Errorf("a file that was named and is not there: exit %d, %q", code, errs)
	}
	if code, _, errs := run("", "--print-config", "--config", t.TempDir()); code != wrong || !strings.HasSuffix(errs, ": is a directory\n") {
		t.Errorf("a folder: exit %d, %q", code, errs)
	}
}

// TestConfigForms: all that TOML has for saying the same.
func TestConfigForms(t *testing.T) {
	for name, text := range map[string]string{
		"tables":        "theme = \"mono\"\n[keys.anywhere]\nundo = \"z\"\nredo = [\"Z\", \"alt+z\"]\n",
		"inline":        "theme = 'mono'\r\nkeys = { anywhere = { undo = [\"z\"], redo = [\"Z\", \"alt+z\"] } }\r\n",
		"dotted":        "\ufefftheme = \"mono\" # no colours\nkeys.anywhere.undo = \"z\"\nkeys.\"anywhere\".redo = [\n  \"Z\", # the other way\n  \"alt+z\",\n]\n",
		"a table alone": "theme = \"mono\"\n[keys]\n[keys.anywhere]\nundo = \"\\u007a\"\nredo = [\"Z\", \"alt+z\"]\n[keys.pass]\n",
	} {
		code, out, errs := run("", "--print-config", "--json", "--config", written(t, text))
		var got configJSON
		if err := json.Unmarshal([]byte(out), &got); code != fine || err != nil {
			t.Errorf("%s: exit %d, %v: %s", name, code, err, errs)
			continue
		}
		said := map[string]string{}
		for _, s := range got.Settings {
			if s.From != "default" {
				said[s.Name] = fmt.Sprint(s.Value)
			}
		}
		if len(said) != 3 || said["theme"] != "mono" || said["keys.anywhere.undo"] != "[z]" || said["keys.anywhere.redo"] != "[Z alt+z]" {
			t.Errorf("%s: %v", name, said)
		}
	}
}

// TestPrintedConfigIsOne: what is printed can be read back, and says the same.
func TestPrintedConfigIsOne(t *testing.T) {
	path := written(t, "glyphs = \"ascii\"\n[keys.anywhere]\nundo = [\"\\\"\", \"\\\\\", \"é\"]\nsuspend = []\nmouse = \"ctrl+space\"\n")
	_, first, errs := run("", "--print-config", "--config", path, "--theme", "light", "--no-mouse")
	if errs != "" {
		t.Fatal(errs)
	}
	spaces := regexp.MustCompile(` +`).ReplaceAllString(first, " ")
	for _, line := range []string{
		"# The configuration file: " + path, `theme = "light" # --theme`, `glyphs = "ascii" # line 1`, `mouse = false # --no-mouse`, `recent = true # default`,
		`undo = ["\"", "\\", "é"] # line 3`, `suspend = [] # line 4`, `mouse = "ctrl+space" # line 5`, `redo = "ctrl+r" # default`,
	} {
		if !strings.Contains(spaces, "\n"+line+"\n") && !strings.HasPrefix(spaces, line+"\n") {
			t.Errorf("no line %q in\n%s", line, first)
		}
	}
	_, second, errs := run("", "--print-config", "--config", written(t, first))
	if errs != "" {
		t.Fatal(errs)
	}
	comment := regexp.MustCompile(`(?m) *# .*$`)
	if a, b := comment.ReplaceAllString(first, ""), comment.ReplaceAllString(second, ""); a != b {
		t.Errorf("read back it is\n%s\nand was\n%s", b, a)
	}
}

// TestConfigManual: the example of the manual is one, and every setting is explained there.
func TestConfigManual(t *testing.T) {
	page, err := os.ReadFile("../../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```toml\n(.*?)```").FindSubmatch(page)
	if example == nil {
		t.Fatal("docs/config.md shows no configuration file")
	}
	if code, _, errs := run("", "--print-config", "--config", written(t, string(example[1]))); code != fine {
		t.Errorf("the example of docs/config.md: %s", errs)
	}
	for _, s := range configurable {
		if !strings.Contains(string(page), "| `"+s.name+"` |") {
			t.Errorf("docs/config.md does not explain %s", s.name)
		}
		for _, word := range s.of {
			if !strings.Contains(string(page), "`"+word+"`") {
				t.Errorf("docs/config.md does not name %s of %s", word, s.name)
			}
		}
	}
}

// TestBrokenConfigStopsWhatItIsFor: a configuration that is wrong stops what draws, and
// nothing that is meant for programs or for finding out what is wrong.
func TestBrokenConfigStopsWhatItIsFor(t *testing.T) {
	path := written(t, "thme = 1")
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"plan", "-"}, wrong}, {[]string{"-"}, wrong}, {[]string{"--print-config"}, wrong},
		{[]string{"plan", "-", "--json"}, fine}, {[]string{"-", "--json"}, fine}, {[]string{"replay", "-"}, fine}, {[]string{"check", "-"}, fine}, {[]string{"version"}, fine}, {[]string{"--help"}, fine},
		{[]string{"--version"}, fine}, {[]string{"completion", "bash"}, fine}, {[]string{"lessons"}, fine},
	} {
		var out, errs bytes.Buffer
		a := &app{in: strings.NewReader(chat), out: bufio.NewWriter(&out), err: &errs, width: textWidth, getenv: func(name string) string {
			return map[string]string{"CINCH_CONFIG": path}[name]
		}}
		if code := a.main(context.Background(), c.args); code != c.code {
			t.Errorf("%v exits with %d, want %d: %s", c.args, code, c.code, &errs)
		}
	}
}
