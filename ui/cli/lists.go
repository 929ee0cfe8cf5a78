package cli

import (
	"github.com/spf13/cobra"

	"cinch/compactor/policy"
	"cinch/fixtures"
	"cinch/model/transcript"
)

func (a *app) formatsCommand() *cobra.Command {
	r := &report{}
	c := a.command(&cobra.Command{
		Use:   "formats",
		Short: "The formats that can be read, and what each carries",
		Example: `  cinch formats
  cinch formats --json | jq -r .name`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			t := newTable()
			t.row("format", "of", "carries, and where it is kept")
			for _, f := range transcript.Formats() {
				if r.json {
					a.jsonLine(formatLine{f.Name, f.Title, f.Where, f.Carries})
					continue
				}
				carries := f.Carries
				if f.Where != "" {
					carries += "; " + f.Where
				}
				t.row(f.Name, f.Title, carries)
			}
			if !r.json {
				a.print(t, "")
			}
			return nil
		},
	})
	r.add(c, "")
	return c
}

type formatLine struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Where   string `json:"where"`
	Carries string `json:"carries"`
}

// engines are what --engine takes; the first is the default.
var engines = []engine{
	{policy.Truncating, "loopctl", "drop the middle: keep the first message and the last few, never split a tool pair"},
	{policy.Ladder, "drover", "clear old tool results, then summarise, then delete, until under the trigger; needs --policy"},
}

type engine struct{ name, from, about string }

func engineNames() []string {
	names := make([]string, len(engines))
	for i, e := range engines {
		names[i] = e.name
	}
	return names
}

func (a *app) enginesCommand() *cobra.Command {
	r := &report{}
	c := a.command(&cobra.Command{
		Use:   "engines",
		Short: "The engines that shrink a conversation",
		Example: `  cinch engines
  cinch engines --json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			t := newTable()
			t.row("engine", "from", "how")
			for _, e := range engines {
				if r.json {
					a.jsonLine(engineLine{e.name, e.from, e.about})
					continue
				}
				t.row(e.name, e.from, e.about)
			}
			if !r.json {
				a.print(t, "")
			}
			return nil
		},
	})
	r.add(c, "")
	return c
}

type engineLine struct {
	Name  string `json:"name"`
	From  string `json:"from"`
	About string `json:"about"`
}

func (a *app) lessonsCommand() *cobra.Command {
	r := &report{}
	c := a.command(&cobra.Command{
		Use:   "lessons [NAME]",
		Short: "The bundled conversations; with a name, that one as JSON",
		Long: `List the bundled conversations. Each is opened like a file under its name, as in
` + "`cinch lesson:demo`" + `. With a name the conversation itself is printed, in the native
format.`,
		Example: `  cinch lessons
  cinch lessons demo > demo.json`,
		Args: upToOne("lesson"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			for _, l := range fixtures.Lessons() {
				names = append(names, cobra.CompletionWithDesc(l.Name, l.Title))
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				l, err := findLesson(args[0])
				if err != nil {
					return err
				}
				_, err = a.out.Write(l.Data())
				return err
			}
			if r.json {
				for _, l := range fixtures.Lessons() {
					a.jsonLine(lessonLine{fixtures.Prefix + l.Name, l.Title, l.About, append([]string{}, l.Flags...)})
				}
				return nil
			}
			for i, l := range fixtures.Lessons() {
				if i > 0 {
					a.say("")
				}
				a.say("%s%s  %s", fixtures.Prefix, l.Name, l.Title)
				a.wrap("    ", l.About)
			}
			return nil
		},
	})
	r.add(c, "")
	return c
}

type lessonLine struct {
	Name  string   `json:"name"`
	Title string   `json:"title"`
	About string   `json:"about"`
	Flags []string `json:"flags"`
}
