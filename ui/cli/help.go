package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usage is how help is laid out: what is typed comes first, then what there is.
const usage = `Usage:
  {{.UseLine}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{range flagGroups .}}

{{.Title}}:
{{.Text}}{{end}}{{if .HasAvailableSubCommands}}

` + "`{{.CommandPath}} help COMMAND`" + ` says more about one.{{end}}
`

func init() { cobra.AddTemplateFunc("flagGroups", flagGroups) }

type flagGroup struct {
	Title, Text string
	flags       *pflag.FlagSet
}

// groupKey is the annotation that says under which heading of help a flag stands.
const groupKey = "group"

// flagGroups are a command's flags under their headings, in the order in which
// they were added.
func flagGroups(c *cobra.Command) []flagGroup {
	var out []flagGroup
	sets := map[string]*pflag.FlagSet{}
	var order []string
	c.InitDefaultHelpFlag()
	c.Flags().SortFlags = false
	c.Flags().VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if g := f.Annotations[groupKey]; g != nil {
			title = g[0]
		}
		if sets[title] == nil {
			sets[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			sets[title].SortFlags = false
			order = append(order, title)
		}
		sets[title].AddFlag(f)
	})
	for _, title := range order {
		out = append(out, flagGroup{title, strings.TrimRight(sets[title].FlagUsages(), "\n"), sets[title]})
	}
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
