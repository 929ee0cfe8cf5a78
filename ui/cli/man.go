package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) manCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "man",
		Short: "The manual page, for man",
		Example: `  cinch man | man -l -
  cinch man > ~/.local/share/man/man1/cinch.1`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			manual(a.out, c.Root())
			return nil
		},
	})
}

// manual writes the manual page of a command and those below it.
func manual(w *bufio.Writer, root *cobra.Command) {
	fmt.Fprintf(w, ".TH CINCH 1\n.SH NAME\ncinch \\- %s\n.SH SYNOPSIS\n", roff(strings.ToLower(root.Short[:1])+root.Short[1:]))
	fmt.Fprintf(w, ".B %s\n", roff(root.UseLine()))
	for _, c := range root.Commands() {
		if !c.Hidden {
			fmt.Fprintf(w, ".br\n.B %s\n", roff(c.UseLine()))
		}
	}
	fmt.Fprintf(w, ".SH DESCRIPTION\n%s\n", roff(root.Long))
	var shared []string // what is told here and not again with each command
	for _, g := range flagGroups(root) {
		shared = append(shared, g.title)
		fmt.Fprintf(w, ".SH %s\n", roff(strings.ToUpper(g.title)))
		g.flags.VisitAll(func(f *pflag.Flag) { option(w, f) })
	}
	fmt.Fprint(w, ".SH COMMANDS\n")
	for _, c := range root.Commands() {
		if c.Hidden {
			continue
		}
		about := c.Long
		if about == "" {
			about = c.Short + "."
		}
		fmt.Fprintf(w, ".SS %s\n%s\n", roff(c.UseLine()), roff(about))
		for _, g := range flagGroups(c) {
			if own := g.title == "Flags" || !slices.Contains(shared, g.title); own {
				g.flags.VisitAll(func(f *pflag.Flag) {
					if f.Name != "help" {
						option(w, f)
					}
				})
			}
		}
		fmt.Fprintf(w, ".PP\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	fmt.Fprint(w, `.SH EXIT STATUS
0 when all is fine, 1 when a check failed, 2 for wrong usage or an input that
cannot be read, 128 and the number of the signal that ended it.
.SH ENVIRONMENT
.BR NO_COLOR ,
.BR CLICOLOR ,
.B CLICOLOR_FORCE
say whether there are colours,
.B COLUMNS
how wide text may be where stdout is no terminal,
.B OPENAI_API_KEY
is the key of a summariser that was chosen with openai:MODEL@BASE_URL,
.B CINCH_CONFIG
names the configuration file,
.B CINCH_THEME
the theme,
.B CINCH_NO_RECENT
turns the list of recent files off, and
.B ACCESSIBLE
the screen into lines.
.SH FILES
.I $XDG_CONFIG_HOME/cinch/config.toml
or
.I ~/.config/cinch/config.toml
says how things are drawn and gives keys to actions;
.B cinch \-\-print\-config
prints all that it can hold.
`)
}

// option writes one flag as an entry of a list.
func option(w *bufio.Writer, f *pflag.Flag) {
	if f.Hidden {
		return
	}
	name, usage := pflag.UnquoteUsage(f)
	short := ""
	if f.Shorthand != "" {
		short = "-" + f.Shorthand + ", "
	}
	if name != "" && f.NoOptDefVal == " " {
		name = "[=" + name + "]"
	} else if name != "" {
		name = " " + name
	}
	if !slices.Contains([]string{"", "0", "false", "[]"}, f.DefValue) {
		usage += " (default " + f.DefValue + ")"
	}
	fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(short+"--"+f.Name+name), roff(usage))
}

// roff is text that the formatter takes as it is.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "…", "...").Replace(s)
	s = inASCII(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
