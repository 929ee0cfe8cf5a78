package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"cinch/model"
	"cinch/model/transcript"
)

// writable is the format itself when it can be written, else the native one.
func writable(format string) string {
	if slices.Contains(transcript.Writable(), format) {
		return format
	}
	return "native"
}

// destination is where a command writes a conversation to.
type destination struct {
	path  string
	force bool
}

func (d *destination) add(c *cobra.Command) {
	c.Flags().StringVarP(&d.path, "output", "o", d.path, "the `file` to write; - for stdout")
	c.Flags().BoolVar(&d.force, "force", false, "allow writing over the input")
}

// save writes to the destination, by way of a temporary file beside it, so that
// a file is replaced whole or not at all. A link is followed to its file, and
// what is no file, such as /dev/null or a pipe, is written to and stays.
func (a *app) save(d *destination, input string, write func(io.Writer) error) error {
	if d.path == "-" {
		return write(a.out)
	}
	if same(d.path, input) && !d.force {
		return fmt.Errorf("%s is the input: name another file, or give --force to replace it", d.path)
	}
	path := d.path
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return d.pour(write)
	} else if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", d.path, cause(err))
	}
	defer os.Remove(f.Name())
	out := bufio.NewWriter(f)
	err = errors.Join(write(out), out.Flush(), f.Chmod(modeOf(path)), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", d.path, cause(err))
	}
	return nil
}

// pour writes to what is there under the destination's name and is no file.
func (d *destination) pour(write func(io.Writer) error) error {
	f, err := os.OpenFile(d.path, os.O_WRONLY, 0)
	if err == nil {
		out := bufio.NewWriter(f)
		err = errors.Join(write(out), out.Flush(), f.Close())
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", d.path, cause(err))
	}
	return nil
}

// modeOf is the mode a file keeps when it is replaced, or that a new one gets.
func modeOf(path string) os.FileMode {
	if info, err := os.Stat(path); err == nil {
		return info.Mode().Perm()
	}
	return 0o600
}

// same reports whether two paths name one file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// cause is a file error without the path, which the sentence names already.
func cause(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
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
			format := writable(in.file.Selected.Format)
			err = a.save(to, args[0], func(out io.Writer) error {
				return in.file.Write(out, format, in.file.Selected, left.messages)
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(a.err, "cinch: %s; written as %s\n", left.did, format)
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
			return a.save(to, args[0], func(out io.Writer) error {
				return in.file.Write(out, format, in.file.Selected, in.file.Selected.View(in.settings.View))
			})
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
