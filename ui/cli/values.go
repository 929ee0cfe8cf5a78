package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cinch/model/token"
	"cinch/ui"
)

// number is a flag that takes a whole number within limits, or a size in tokens.
type number struct {
	n    *int64
	min  int64
	max  int64 // 0 for no limit
	size bool
	want string
}

func (v *number) Set(s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if v.size {
		n, err = ui.ParseSize(s)
	}
	if err != nil || n < v.min || v.max > 0 && n > v.max {
		return fmt.Errorf("want %s", v.want)
	}
	*v.n = n
	return nil
}

func (v *number) String() string {
	if v.n == nil {
		return ""
	}
	return strconv.FormatInt(*v.n, 10)
}

func (v *number) Type() string {
	if v.size {
		return "tokens"
	}
	if v.max == 100 {
		return "percent"
	}
	return "n"
}

func (v *number) Wants() string { return v.want }

// word is a flag that takes one of a few words.
type word struct {
	s    *string
	name string // of what it is, for help
	of   func() []string
}

func (v *word) Set(s string) error {
	if !slices.Contains(v.of(), s) {
		return fmt.Errorf("want %s", v.Wants())
	}
	*v.s = s
	return nil
}

func (v *word) String() string {
	if v.s == nil {
		return ""
	}
	return *v.s
}

func (v *word) Type() string  { return v.name }
func (v *word) Wants() string { return "one of " + strings.Join(v.of(), ", ") }

// words is a flag that takes one of a few words, and may be repeated.
type words struct {
	s    *[]string
	name string
	of   func() []string
}

func (v *words) Set(s string) error {
	one := ""
	if err := (&word{&one, v.name, v.of}).Set(s); err != nil {
		return err
	}
	*v.s = append(*v.s, one)
	return nil
}

func (v *words) String() string {
	if v.s == nil {
		return ""
	}
	return strings.Join(*v.s, ",")
}

func (v *words) Type() string  { return v.name }
func (v *words) Wants() string { return (&word{of: v.of}).Wants() }

// windowSize is a flag that takes a size in tokens, or "model".
type windowSize struct{ s *string }

const wantWindow = "a size in tokens such as 200k, 1m or 131072, or model"

func (v *windowSize) Set(s string) error {
	if s != fromModel {
		if n, err := ui.ParseSize(s); err != nil || n < 1 {
			return errors.New("want " + wantWindow)
		}
	}
	*v.s = s
	return nil
}

func (v *windowSize) String() string {
	if v.s == nil {
		return ""
	}
	return *v.s
}

func (v *windowSize) Type() string  { return "size" }
func (v *windowSize) Wants() string { return wantWindow }

// counterName is a flag that takes the name of a counter.
type counterName struct{ s *string }

func (v *counterName) Set(s string) error {
	under, _, _ := strings.Cut(s, ",image:")
	switch name, of := strings.CutPrefix(under, calibrated); {
	case !of: // every other counter can be made now
		under = s
	case name == "":
		under = token.O200k.Name()
	default: // made once a conversation is there to calibrate on
		under = strings.TrimPrefix(name, ":")
	}
	if _, err := token.Parse(under); err != nil {
		return err
	}
	*v.s = s
	return nil
}

func (v *counterName) String() string {
	if v.s == nil {
		return ""
	}
	return *v.s
}

func (v *counterName) Type() string { return "name" }
func (v *counterName) Wants() string {
	return "one of " + strings.Join(append(slices.Clone(token.Names), calibrated), ", ") + ", or ratio:CHARS+TOKENS such as ratio:3.9+4"
}

// overheadRule is the flag for what rides every request beside the messages.
type overheadRule struct{ o *token.OverheadRule }

func (v *overheadRule) Set(s string) error {
	o, err := token.ParseOverhead(s)
	if err == nil {
		*v.o = o
	}
	return err
}

func (v *overheadRule) String() string {
	if v.o == nil {
		return ""
	}
	return v.o.String()
}

func (v *overheadRule) Type() string  { return "tokens" }
func (v *overheadRule) Wants() string { return "auto, or a number of tokens such as 12k; 0 for none" }

// byteSize is a flag that takes a size in bytes.
type byteSize struct{ n *int64 }

const wantBytes = "a size in bytes such as 4g, 500m or 2GiB"

func (v *byteSize) Set(s string) error {
	digits, unit := strings.ToLower(s), int64(1)
	digits = strings.TrimSuffix(strings.TrimSuffix(digits, "b"), "i")
	if digits != "" {
		if at := strings.IndexByte("kmgt", digits[len(digits)-1]); at >= 0 {
			digits, unit = digits[:len(digits)-1], int64(1)<<(10*(at+1))
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > (1<<50)/unit {
		return errors.New("want " + wantBytes)
	}
	*v.n = n * unit
	return nil
}

func (v *byteSize) String() string {
	if v.n == nil || *v.n == 0 {
		return ""
	}
	return strconv.FormatInt(*v.n, 10)
}

func (v *byteSize) Type() string  { return "bytes" }
func (v *byteSize) Wants() string { return wantBytes }
