package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cinch/fixtures"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func (a *app) completionCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "completion SHELL",
		Short: "A completion script for bash, zsh, fish or powershell",
		Example: `  source <(cinch completion bash)
  cinch completion zsh > "${fpath[1]}/_cinch"
  cinch completion fish > ~/.config/fish/completions/cinch.fish
  cinch completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return fmt.Errorf("`cinch completion` takes one shell: %s", strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			switch args[0] {
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.out)
			}
			return root.GenBashCompletionV2(a.out, true)
		},
	})
}

// complete tells shells what the flags and files of a command may be.
func complete(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		switch v := f.Value.(type) {
		case *word:
			c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(v.of(), cobra.ShellCompDirectiveNoFileComp))
		case *words:
			c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(v.of(), cobra.ShellCompDirectiveNoFileComp))
		case *number:
			c.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
		case *windowSize:
			c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions([]string{fromModel, "200k", "1m"}, cobra.ShellCompDirectiveNoFileComp))
		case *counterName:
			c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(counterNames(), cobra.ShellCompDirectiveNoFileComp))
		}
	})
	if c.ValidArgsFunction == nil && c.ValidArgs == nil {
		c.ValidArgsFunction = completeFile
	}
}

// completeFile leaves files to the shell, and knows the lessons once the
// beginning of their prefix is typed.
func completeFile(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if typed == "" || !strings.HasPrefix(typed, fixtures.Prefix) && !strings.HasPrefix(fixtures.Prefix, typed) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []cobra.Completion
	for _, l := range fixtures.Lessons() {
		names = append(names, cobra.CompletionWithDesc(fixtures.Prefix+l.Name, l.Title))
	}
	return names, cobra.ShellCompDirectiveDefault
}
