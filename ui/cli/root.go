package cli

import (
	"github.com/spf13/cobra"

	"cinch/model"
	"cinch/ui"
)

func (a *app) root() *cobra.Command {
	k, r, l := newKnobs(), &report{}, &look{}
	c := a.command(&cobra.Command{
		Use:   "cinch [FILE|-]",
		Short: "An inspector for context compaction",
		Long: `Open a recorded agent conversation and see what compaction does to it: how full
the context window is, when a pass would run, what it keeps and drops, and why.
Without FILE choose among the sessions on this machine, recent files and bundled
lessons; there ? shows every key, and q leaves. Where stdout is no terminal the
answer is printed as ` + "`cinch plan`" + ` prints it, and the sessions as ` + "`cinch sessions`" + `
lists them.`,
		Example: `  cinch                            what there is on this machine
  cinch session.jsonl              a session of Claude Code, Codex, pi, …
  cinch lesson:demo                a bundled conversation
  cinch plan session.jsonl --json  the same answer for programs
  cinch session.jsonl --window 50k --threshold 70`,
		Version: readBuild().String(),
		Args:    upToOne("file"),
		RunE: func(c *cobra.Command, args []string) error {
			path, printed := a.named(args), r.json || l.plain
			if l.print {
				return a.printConfig(l, r.json)
			}
			if !r.json { // for then nothing is drawn
				if _, err := a.settle(l); err != nil {
					return err
				}
			}
			l.accessible = l.accessible || a.getenv("ACCESSIBLE") != ""
			noScreen := printed || l.accessible || !ui.Drawable(a.screen)
			switch {
			case noScreen && l.follow:
				return a.follow(c.Context(), path, k, r)
			case noScreen && path == "":
				return a.machine(c.Context(), r)
			case noScreen && (printed || !l.accessible):
				return a.plan(c, path, k, r, l)
			}
			return a.inspect(c.Context(), path, k, l)
		},
	})
	addScreen(c.Flags(), l)
	addKnobs(c.Flags(), k, model.Context)
	addLook(c.Flags(), l)
	group(c.Flags(), "Drawing", func() {
		c.Flags().BoolVar(&l.print, "print-config", false, "print the settings of drawing and keys, where each is from, and nothing else")
	})
	r.add(c, planExitCode)
	for _, sub := range []*cobra.Command{
		a.planCommand(), a.replayCommand(), a.explainCommand(), a.sweepCommand(), a.checkCommand(), a.lintCommand(), a.compactCommand(), a.convertCommand(),
		a.sessionsCommand(), a.lessonsCommand(), a.formatsCommand(), a.countersCommand(), a.enginesCommand(),
		a.completionCommand(), a.manCommand(), a.versionCommand(),
	} {
		complete(sub)
		c.AddCommand(sub)
	}
	help := a.helpCommand()
	c.AddCommand(help)
	c.SetHelpCommand(help)
	c.SetHelpFunc(func(c *cobra.Command, _ []string) { a.help(c) })
	c.InitDefaultHelpFlag() // else `cinch -h plan` takes plan for its value
	c.InitDefaultVersionFlag()
	c.Flags().Lookup("version").Usage = "say which build this is"
	complete(c)
	c.CompletionOptions.DisableDefaultCmd = true
	c.SetVersionTemplate("{{.Version}}\n")
	return c
}
