package transcript

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Save puts a text where a path leads, by way of a temporary file beside it, so
// that a file is replaced whole or not at all, and keeps its permissions. A link is
// followed to its file, and what is no file, such as /dev/null or a pipe, is
// written to and stays. What was read, by whichever name, is written over only when
// force says so.
func Save(path string, read []string, force bool, text []byte) error {
	is := func(input string) bool { return sameFile(path, input) }
	if !force && slices.ContainsFunc(read, is) {
		return fmt.Errorf("%s is the input: name another file, or give --force to replace it", path)
	}
	if err := replaceFile(path, text); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, WithoutPath(err))
	}
	return nil
}

func replaceFile(path string, text []byte) error {
	mode := os.FileMode(0o600)
	switch info, err := os.Stat(path); {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	case err == nil && info.IsDir():
		return errors.New("it is a folder")
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		return errors.Join(err, f.Close())
	case err == nil:
		mode = info.Mode().Perm()
		// Replacing needs a writable folder alone, but a file that nobody may
		// write to is to stay.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		f.Close()
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	} else if to, err := os.Readlink(path); err == nil { // to a file that is not there yet
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// sameFile reports whether two paths lead to one file; - is standard input.
func sameFile(path, input string) bool {
	x, err := os.Stat(path)
	if err != nil {
		return false
	}
	y, err := os.Stat(input)
	if input == "-" {
		y, err = os.Stdin.Stat()
	}
	return err == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}

// WithoutPath is a file error without its path, for a sentence that names it already.
func WithoutPath(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
