package ui

import (
	"io"
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
)

// probeLimit is how long a terminal gets to say what its background is.
const probeLimit = 150 * time.Millisecond

// The question for the background colour is followed by one for the terminal's
// name, which every terminal answers: one that does not know colours need not be
// waited for.
const backgroundQuestion = "\x1b]11;?\x07\x1b[c"

var (
	backgroundAnswer = regexp.MustCompile(`\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})`)
	nameAnswer       = regexp.MustCompile(`\x1b\[\?[0-9;]*c`)
)

// isLight asks the terminal whether its background is light. No answer in time,
// and any trouble, means dark unless COLORFGBG says otherwise.
func isLight(in, out *os.File) bool {
	fallback := lightByEnvironment(os.Getenv("COLORFGBG"))
	state, err := term.MakeRaw(in.Fd())
	if err != nil {
		return fallback
	}
	defer term.Restore(in.Fd(), state)
	r, err := cancelreader.NewReader(in)
	if err != nil {
		return fallback
	}
	defer r.Close()
	if _, err := out.WriteString(backgroundQuestion); err != nil {
		return fallback
	}
	timer := time.AfterFunc(probeLimit, func() { r.Cancel() })
	defer timer.Stop()
	if light, ok := readBackground(r); ok {
		return light
	}
	return fallback
}

// readBackground reads answers until the terminal has named itself or the
// reader is cancelled.
func readBackground(r io.Reader) (light, ok bool) {
	var got []byte
	buf := make([]byte, 256)
	for len(got) < 4096 {
		n, err := r.Read(buf)
		got = append(got, buf[:n]...)
		if nameAnswer.Match(got) || err != nil {
			break
		}
	}
	m := backgroundAnswer.FindSubmatch(got)
	if m == nil {
		return false, false
	}
	var part [3]float64
	for i := range part {
		v, _ := strconv.ParseUint(string(m[i+1]), 16, 16)
		part[i] = float64(v) / float64(uint64(1)<<(4*len(m[i+1]))-1)
	}
	return 0.2126*part[0]+0.7152*part[1]+0.0722*part[2] > 0.5, true
}

// lightByEnvironment reads COLORFGBG: the last number is the background, and 7
// and the bright ones but 8 are light.
func lightByEnvironment(value string) bool {
	for i := len(value) - 1; i >= 0; i-- {
		if value[i] == ';' {
			n, err := strconv.Atoi(value[i+1:])
			return err == nil && n >= 7 && n <= 15 && n != 8
		}
	}
	return false
}
