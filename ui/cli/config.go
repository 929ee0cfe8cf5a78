package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cinch/compactor/policy"
	"cinch/ui"
	"cinch/ui/draw"
)

// configuration is what the user's file says of how things look and which keys
// they have. It says nothing of what is computed: an answer depends on a command
// line and its files, and on nobody's home.
type configuration struct {
	path  string // "" where there is no place for one
	found bool
	given map[string]entry // by the name of the setting
	keys  []ui.Key
}

// configurable are the settings a file may hold beside keys.
var configurable = []struct {
	name string
	of   []string // the words it takes; nil for true and false
}{
	{"theme", ui.Themes}, {"color", colors}, {"glyphs", glyphSets}, {"mouse", nil}, {"recent", nil},
}

// configPath is where the file is, and whether somebody said so: then it has to be there.
func (a *app) configPath(flag string) (path string, named bool) {
	if flag != "" {
		return flag, true
	}
	if path := a.getenv("CINCH_CONFIG"); path != "" {
		return path, true
	}
	folder := a.getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) { // as the XDG rules want it
		home := a.getenv("HOME")
		if home == "" {
			return "", false
		}
		folder = filepath.Join(home, ".config")
	}
	return filepath.Join(folder, "cinch", "config.toml"), false
}

// configure reads the configuration file, where there is one.
func (a *app) configure(l *look) (*configuration, error) {
	if l.config == "" && l.changed("config") {
		return nil, errors.New("--config needs the name of a file")
	}
	path, named := a.configPath(l.config)
	if path == "" {
		return &configuration{}, nil
	}
	raw, err := policy.Read(path)
	if errors.Is(err, os.ErrNotExist) && !named {
		return &configuration{path: path}, nil
	}
	if cause := (*os.PathError)(nil); errors.As(err, &cause) {
		return nil, fmt.Errorf("%s: %w", path, cause.Err)
	}
	if err != nil {
		return nil, err
	}
	return parseConfig(path, raw)
}

// parseConfig reads a configuration; path is what errors call it.
func parseConfig(path string, raw []byte) (*configuration, error) {
	c := &configuration{path: path, found: true, given: map[string]entry{}}
	entries, err := readTOML(raw)
	for i := 0; i < len(entries) && err == nil; i++ {
		err = c.take(entries[i])
	}
	if err == nil {
		_, err = ui.Keys(c.keys)
	}
	var bad *ui.KeyError
	var placed *misplaced
	switch {
	case errors.As(err, &bad):
		if bad.Names != nil {
			err = fmt.Errorf("%w%s", err, choices(bad.Typed, bad.Names))
		}
		err = fmt.Errorf("%s:%d: %w", path, bad.Line, err)
	case errors.As(err, &placed):
		err = fmt.Errorf("%s:%d: %w", path, placed.line, err)
	}
	return c, err
}

// take takes what one entry of the file says.
func (c *configuration) take(e entry) error {
	name := strings.Join(e.path, ".")
	if e.path[0] == "keys" {
		return c.takeKeys(name, e)
	}
	names := []string{"keys"}
	for _, s := range configurable {
		names = append(names, s.name)
		if s.name != e.path[0] {
			continue
		}
		text, isText := e.value.(string)
		_, isSwitch := e.value.(bool)
		switch {
		case len(e.path) > 1:
			return at(e.line, "%s: %s is no table", name, s.name)
		case s.of == nil && !isSwitch:
			return at(e.line, "%s: want true or false, not %s", name, inWords(e.value))
		case s.of != nil && (!isText || !slices.Contains(s.of, text)):
			return at(e.line, "%s: want one of %s, not %s", name, strings.Join(s.of, ", "), inWords(e.value))
		}
		c.given[s.name] = e
		return nil
	}
	return at(e.line, "%s: there is no such setting%s", oneLine(name), choices(e.path[0], names))
}

// takeKeys takes the keys of one action: [keys.PLACE], then ACTION = KEY or a
// list of keys.
func (c *configuration) takeKeys(name string, e entry) error {
	_, isTable := e.value.(tomlTable)
	k := ui.Key{Line: e.line}
	switch {
	case len(e.path) == 1 && isTable:
		return nil
	case len(e.path) == 2 && isTable:
		k.Place = e.path[1]
	case len(e.path) == 3 && !isTable:
		k.Place, k.Action = e.path[1], e.path[2]
		list, ok := e.value.([]any)
		if !ok {
			list = []any{e.value}
		}
		for _, v := range list {
			key, ok := v.(string)
			if !ok {
				return at(e.line, `%s: want a key such as "z", or a list of keys, not %s`, oneLine(name), inWords(v))
			}
			k.Keys = append(k.Keys, key)
		}
	default:
		return at(e.line, `%s: keys stand under a place and an action, as in keys.anywhere.undo = "z"`, oneLine(name))
	}
	c.keys = append(c.keys, k)
	return nil
}

// choices is the end of a sentence about a name that does not exist.
func choices(typed string, names []string) string {
	text := "; there are " + strings.Join(names, ", ")
	if near := nearest(typed, slices.Clone(names)); near != "" {
		text = "; did you mean " + near + "?" + strings.Replace(text, "; there", " There", 1)
	}
	return text
}

// settled is the value of a setting, and who said so.
type settled struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
	From  string `json:"from"` // a flag, a variable of the environment, a line of the file, or "default"
}

// settle decides how things are drawn: as a flag says, else the environment,
// else the configuration file, else as it is by default.
func (a *app) settle(l *look) (*configuration, error) {
	c, err := a.configure(l)
	if err != nil {
		return nil, err
	}
	type source struct {
		given bool
		value any
		from  string
	}
	set := map[string]any{}
	choose := func(name string, byDefault any, sources ...source) {
		e, ok := c.given[name]
		sources = append(sources, source{ok, e.value, fmt.Sprintf("line %d", e.line)}, source{true, byDefault, "default"})
		s := sources[slices.IndexFunc(sources, func(s source) bool { return s.given })]
		set[name] = s.value
		l.settled = append(l.settled, settled{name, s.value, s.from})
	}
	theme, force := a.getenv("CINCH_THEME"), a.getenv("CLICOLOR_FORCE")
	if theme != "" && !slices.Contains(ui.Themes, theme) && !l.changed("theme") {
		return nil, fmt.Errorf("CINCH_THEME: want one of %s, not %q", strings.Join(ui.Themes, ", "), oneLine(theme))
	}
	choose("theme", ui.Themes[0],
		source{l.changed("theme"), l.theme, "--theme"},
		source{theme != "", theme, "CINCH_THEME"})
	choose("color", colors[0],
		source{l.changed("color") && l.color != colors[0], l.color, "--color"},
		source{a.getenv("NO_COLOR") != "", "never", "NO_COLOR"},
		source{force != "" && force != "0", "always", "CLICOLOR_FORCE"},
		source{a.getenv("CLICOLOR") == "0", "never", "CLICOLOR"},
		source{l.changed("color"), l.color, "--color"})
	choose("glyphs", glyphSets[0],
		source{l.ascii, draw.ASCII.String(), "--ascii"},
		source{l.changed("glyphs"), l.glyphs, "--glyphs"})
	choose("mouse", true,
		source{l.changed("no-mouse"), !l.noMouse, "--no-mouse"})
	choose("recent", true,
		source{l.changed("no-recent"), !l.noRecent, "--no-recent"},
		source{a.getenv("CINCH_NO_RECENT") != "", false, "CINCH_NO_RECENT"})
	l.theme, l.color, l.glyphs = set["theme"].(string), set["color"].(string), set["glyphs"].(string)
	l.noMouse, l.noRecent, l.keys = !set["mouse"].(bool), !set["recent"].(bool), c.keys
	a.ascii = a.set(l) == draw.ASCII
	return c, nil
}
