package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"cinch/compactor/study"
	"cinch/model"
	"cinch/model/transcript"
)

// destination is where a command writes a conversation to.
type destination struct {
	path  string
	force bool
}

func (d *destination) add(c *cobra.Command) {
	c.Flags().StringVarP(&d.path, "output", "o", d.path, "the `file` to write; - for stdout")
	c.Flags().BoolVar(&d.force, "force", false, "allow writing over the input")
}

// write writes messages of the conversation to a destination, and says on stderr
// what was done, if anything, and what the format has no place for.
func (a *app) write(ctx context.Context, d *destination, in *loaded, input, format string, messages []*model.Message, done string) error {
	text, lost, err := in.file.Encode(ctx, format, in.settings.carried(in.file.Selected), messages)
	if err != nil {
		return err
	}
	if d.path == "-" {
		_, err = a.out.Write(text)
	} else {
		err = transcript.Save(d.path, []string{input, in.file.Selected.Path}, d.force, text)
	}
	if err != nil {
		return err
	}
	if done != "" {
		fmt.Fprintf(a.err, "cinch: %s\n", done)
	}
	if len(lost) > 0 {
		fmt.Fprintf(a.err, "cinch: not in it, since the %s format has no place for it: %s\n", format, strings.Join(lost, ", "))
	}
	return nil
}

// sentTo is the provider whose rules a format's requests have to keep.
var sentTo = map[string]string{
	"claude-code": "anthropic", "anthropic": "anthropic", "openai": "openai", "codex": "openai-responses",
	"openai-responses": "openai-responses", "gemini": "gemini",
}

// refused warns when the provider would refuse what a pass has left, and would not
// have refused it before.
func (a *app) refused(format string, refusals []study.Refusal) {
	for _, r := range refusals {
		if r.Provider.Name == sentTo[format] && len(r.Caused) > 0 {
			fmt.Fprintf(a.err, "cinch: %s would refuse it, which the pass has caused: %s; `cinch lint` says more\n", r.Provider.Name, oneLine(r.Caused[0].Text))
		}
	}
}

// carried is a conversation with the overhead that was inferred for it: from what
// is written it may no longer be.
func (s *settings) carried(c *model.Conversation) *model.Conversation {
	if _, set := s.Overhead.Fixed(); set {
		return c
	}
	tokens, inferred := s.Overhead.Of(s.Counter, c, nil)
	if !inferred {
		return c
	}
	carried := *c
	carried.Overhead = tokens
	return &carried
}

func (a *app) compactCommand() *cobra.Command {
	k, to := newKnobs(), &destination{}
	c := a.command(&cobra.Command{
		Use:   "compact FILE -o OUT",
		Short: "Write the conversation as one pass leaves it",
		Long: `Run one pass over a conversation as it stands and write what it leaves: in the format
of the input where that can be written, else in the native one. What the pass did is
said on stderr. A result that does not fit the window is not written.`,
		Example: `  cinch compact session.jsonl -o smaller.json
  cinch compact session.jsonl --preserve-recent 10 -o - | cinch plan -
  cinch compact session.json --force -o session.json`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if to.path == "" {
				return errors.New("`cinch compact` needs -o with the file to write, or -o - for stdout")
			}
			in, err := a.load(c.Context(), args[0], k)
			if err != nil {
				return err
			}
			left, err := in.pass(c.Context())
			if err != nil {
				return err
			}
			if left.overflow {
				fmt.Fprintf(a.err, "cinch: nothing written: what the pass leaves does not fit the window of %d: %s\n", in.settings.Policy.Window, left.did)
				return errFailed
			}
			format := transcript.WrittenAs(in.file.Selected.Format)
			done := fmt.Sprintf("%s; written as %s", left.did, format)
			if err := a.write(c.Context(), to, in, args[0], format, left.messages, done); err != nil {
				return err
			}
			a.refused(format, study.LintLists(in.file.Selected.View(in.settings.View), left.messages, left.numbers))
			return nil
		},
	})
	addKnobs(c.Flags(), k, model.Context)
	addRequest(c.Flags(), k)
	to.add(c)
	return c
}

func (a *app) convertCommand() *cobra.Command {
	k, to, format := newKnobs(), &destination{path: "-"}, ""
	c := a.command(&cobra.Command{
		Use:   "convert FILE --to FORMAT",
		Short: "Write a conversation in another format",
		Long: `Write a conversation in another format, without running a pass. The context view is
what the model would be sent next; --view history and --view log write more.`,
		Example: `  cinch convert session.jsonl --to native > session.json
  cinch convert session.jsonl --to native --view history -o whole.json`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if format == "" {
				return fmt.Errorf("`cinch convert` needs --to with the format to write: %s", (&word{of: transcript.Writable}).Wants())
			}
			in, err := a.load(c.Context(), args[0], k)
			if err != nil {
				return err
			}
			return a.write(c.Context(), to, in, args[0], format, in.file.Selected.View(in.settings.View), "")
		},
	})
	k.view = model.Context.String()
	c.Flags().Var(&word{&format, "format", transcript.Writable}, "to", "the format to write: "+(&word{of: transcript.Writable}).Wants())
	group(c.Flags(), "The file", func() {
		c.Flags().Var(&word{&k.view, "view", viewNames}, "view", "what of the recording is written: context, history, log")
	})
	addReading(c.Flags(), k)
	to.add(c)
	return c
}
