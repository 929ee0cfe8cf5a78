package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError says what is wrong with a flag and what would be right.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			if _, err := os.Stat("-" + short); err == nil {
				return fmt.Errorf("no flag -%s: the file -%s goes after --, as in `%s -- -%s`", name, short, c.CommandPath(), short)
			}
			return fmt.Errorf("no flag -%s: see `%s --help`", name, c.CommandPath())
		}
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := nearest(name, names); near != "" {
			return fmt.Errorf("no flag --%s: did you mean --%s?", name, near)
		}
		return fmt.Errorf("no flag --%s: see `%s --help`", name, c.CommandPath())
	case errors.As(err, &value):
		return fmt.Errorf("--%s %q: want %s", value.GetFlag().Name, value.GetValue(), wanted(value.GetFlag()))
	case errors.As(err, &missing):
		return fmt.Errorf("--%s needs a value: %s", missing.GetSpecifiedName(), wanted(missing.GetFlag()))
	}
	return err
}

// wanted says what a flag takes.
func wanted(f *pflag.Flag) string {
	if v, ok := f.Value.(interface{ Wants() string }); ok {
		return v.Wants()
	}
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "int":
		return "a whole number"
	}
	return "a value"
}

// noArgs, upToOne and oneFile are the shapes of argument lists.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("`%s` takes no argument, but %q was given", c.CommandPath(), args[0])
	}
	return nil
}

func upToOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			var names []string
			for _, sub := range c.Commands() {
				names = append(names, sub.Name())
			}
			if near := nearest(args[0], names); near != "" {
				return fmt.Errorf("no command %q: did you mean `%s %s`?", args[0], c.CommandPath(), near)
			}
			return fmt.Errorf("`%s` takes one %s, but %d were given", c.CommandPath(), what, len(args))
		}
		return named(c, args)
	}
}

func oneFile(c *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return fmt.Errorf("`%s` needs a file: a session, - for standard input, or a lesson such as lesson:demo", c.CommandPath())
	case 1:
		return named(c, args)
	}
	return fmt.Errorf("`%s` takes one file, but %d were given", c.CommandPath(), len(args))
}

// named refuses a name that is empty: a variable of a script that is not set.
func named(c *cobra.Command, args []string) error {
	if slices.Contains(args, "") {
		return fmt.Errorf("`%s` was given an empty name", c.CommandPath())
	}
	return nil
}

// nearest is the candidate most like what was typed, "" when none is close.
func nearest(typed string, candidates []string) string {
	sort.Strings(candidates)
	best, at := 3, ""
	if len(typed) < 4 {
		best = 2
	}
	for _, c := range candidates {
		d := distance(typed, c)
		if len(typed) > 2 && strings.HasPrefix(c, typed) {
			d = min(d, 1)
		}
		if d < best {
			best, at = d, c
		}
	}
	return at
}

// distance is how many letters have to be changed, added, left out or swapped
// with their neighbour to make b of a.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		rows[0], rows[1], rows[2] = last, row, before
	}
	return rows[1][len(b)]
}
