package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cinch/ui/draw"
)

// Commands stand in the order in which they were added, the ones for a
// conversation first.
func init() { cobra.EnableCommandSorting = false }

// help says what a command does: how it is typed comes first, then what there is.
func (a *app) help(c *cobra.Command) {
	about := c.Long
	if about == "" {
		about = c.Short + "."
	}
	a.wrap("", strings.ReplaceAll(about, "\n", " "))
	a.say("\nUsage:\n  %s\n\nExamples:\n%s", c.UseLine(), c.Example)
	if c.HasAvailableSubCommands() {
		a.say("\nCommands:")
	}
	for _, sub := range c.Commands() {
		if sub.Hidden {
			continue
		}
		name := fmt.Sprintf("  %-*s  ", sub.NamePadding(), sub.Name())
		for i, line := range draw.Wrap(sub.Short, max(a.width-len(name), 20)) {
			if i > 0 {
				name = strings.Repeat(" ", len(name))
			}
			a.say("%s%s", name, line)
		}
	}
	for _, g := range flagGroups(c) {
		a.say("\n%s:\n%s", g.title, usages(g.flags, a.width))
	}
}

// optional is what pflag writes behind a flag that may stand without a value,
// where that means a blank one.
const optional = "[= ]"

// usages are the lines of flags, in so many cells.
func usages(fs *pflag.FlagSet, width int) string {
	lines := strings.Split(strings.TrimRight(fs.FlagUsagesWrapped(max(width, 60)), "\n"), "\n")
	for i, line := range lines {
		if name, rest, ok := strings.Cut(line, optional); ok {
			at := strings.LastIndexByte(name, ' ')
			lines[i] = name[:at] + "[=" + name[at+1:] + "]" + strings.Repeat(" ", len(optional)-2) + rest
		}
	}
	return strings.Join(lines, "\n")
}

type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// groupKey is the annotation that says under which heading of help a flag stands.
const groupKey = "group"

// flagGroups are a command's flags under their headings, in the order in which
// they were added.
func flagGroups(c *cobra.Command) []flagGroup {
	c.InitDefaultHelpFlag()
	c.Flags().Lookup("help").Usage = "say what the command does, with examples"
	c.Flags().SortFlags = false
	var out []flagGroup
	c.Flags().VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if g := f.Annotations[groupKey]; g != nil {
			title = g[0]
		}
		for _, g := range out {
			if g.title == title {
				g.flags.AddFlag(f)
				return
			}
		}
		g := flagGroup{title, pflag.NewFlagSet(title, pflag.ContinueOnError)}
		g.flags.SortFlags = false
		g.flags.AddFlag(f)
		out = append(out, g)
	})
	return out
}

// group puts the flags that add adds under a heading.
func group(fs *pflag.FlagSet, title string, add func()) {
	before := map[string]bool{}
	fs.VisitAll(func(f *pflag.Flag) { before[f.Name] = true })
	add()
	fs.VisitAll(func(f *pflag.Flag) {
		if !before[f.Name] {
			fs.SetAnnotation(f.Name, groupKey, []string{title})
		}
	})
}

// helpCommand is `cinch help`: the same as --help, and a name that is no
// command's is an error.
func (a *app) helpCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "What a command does, with examples and flags",
		Example: "  cinch help plan",
		Args:    upToOne("command"),
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			if len(args) == 0 {
				a.help(root)
				return nil
			}
			var names []string
			for _, sub := range root.Commands() {
				if sub.Name() == args[0] {
					a.help(sub)
					return nil
				}
				names = append(names, sub.Name())
			}
			if near := nearest(args[0], names); near != "" {
				return fmt.Errorf("no command %q: did you mean `%s %s`?", args[0], c.CommandPath(), near)
			}
			return fmt.Errorf("no command %q: see `cinch --help`", args[0])
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			for _, sub := range c.Root().Commands() {
				if len(args) == 0 && sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), typed) {
					names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	})
}
