package cli

import (
	"fmt"
	"strconv"
	"strings"

	"cinch/ui"
	"cinch/ui/draw"
)

// configJSON is all settings for programs.
type configJSON struct {
	Path     string    `json:"path"`
	Found    bool      `json:"found"`
	Settings []settled `json:"settings"`
}

// printConfig prints every setting with where it is from, in the form of the
// configuration file itself.
func (a *app) printConfig(l *look, asJSON bool) error {
	c, err := a.settle(l)
	if err != nil {
		return err
	}
	table, err := ui.Keys(c.keys)
	if err != nil {
		return err
	}
	from := func(k ui.Key) string {
		if k.Line > 0 {
			return fmt.Sprintf("line %d", k.Line)
		}
		return "default"
	}
	if asJSON {
		all := configJSON{c.path, c.found, l.settled}
		for _, k := range table {
			all.Settings = append(all.Settings, settled{"keys." + k.Place + "." + k.Action, k.Keys, from(k)})
		}
		a.jsonLine(all)
		return nil
	}
	state := ""
	switch {
	case c.path == "":
		state = "none: neither XDG_CONFIG_HOME nor HOME is set"
	case !c.found:
		state = oneLine(c.path) + ", which does not exist"
	default:
		state = oneLine(c.path)
	}
	// The words go out as they are even where only ASCII is drawn: a key may be
	// any character, and this can be read back.
	fmt.Fprintf(a.out, "# The configuration file: %s\n# A flag wins over the environment, that over the file, and that over the default.\n\n", state)
	var lines [][2]string
	flush := func() {
		wide := 0
		for _, line := range lines {
			wide = max(wide, draw.Width(line[0]))
		}
		for _, line := range lines {
			fmt.Fprintf(a.out, "%s%*s  # %s\n", line[0], wide-draw.Width(line[0]), "", line[1])
		}
		lines = nil
	}
	for _, s := range l.settled {
		lines = append(lines, [2]string{fmt.Sprintf("%s = %s", s.Name, inTOML(s.Value)), s.From})
	}
	flush()
	place := ""
	for _, k := range table {
		if k.Place != place {
			flush()
			place = k.Place
			fmt.Fprintf(a.out, "\n[keys.%s]\n", place)
		}
		lines = append(lines, [2]string{fmt.Sprintf("%s = %s", k.Action, inTOML(k.Keys)), from(k)})
	}
	flush()
	return nil
}

// inTOML writes a value as a configuration file has it.
func inTOML(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case []string:
		if len(v) == 1 {
			return strconv.Quote(v[0])
		}
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = strconv.Quote(s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return fmt.Sprint(v)
}
