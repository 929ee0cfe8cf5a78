package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"cinch/compactor/ladder"
)

// request is a pass of the ladder that is asked for by hand, as a flag whose
// value, if there is one, is the instructions for its summary.
type request struct{ call **ladder.Call }

func (r request) String() string {
	if r.call == nil || *r.call == nil {
		return ""
	}
	return (*r.call).Instructions
}

func (r request) Set(s string) error {
	*r.call = &ladder.Call{Instructions: strings.TrimSpace(s)}
	return nil
}

func (request) Type() string { return "instructions" }

// addRequest gives a command that runs one pass the flag that asks for it.
func addRequest(fs *pflag.FlagSet, k *knobs) {
	fs.Var(request{&k.request}, "manual", "ask the ladder for the pass, whatever its trigger says, with `instructions` in place of the summary prompt")
	fs.Lookup("manual").NoOptDefVal = " "
}

// requests are passes asked for by hand over a run, each as TURN or
// TURN=INSTRUCTIONS.
type requests []string

// addRequests gives a command that runs a whole recording the flag that asks for passes.
func addRequests(fs *pflag.FlagSet, k *knobs) {
	fs.StringArrayVar((*[]string)(&k.requests), "manual", nil, "ask the ladder for a pass before the call of a `turn`, whatever its trigger says; TURN=INSTRUCTIONS takes the place of the summary prompt; may be repeated")
}

// of are the requests of a run of so many turns.
func (r requests) of(turns int) (map[int]ladder.Call, error) {
	if len(r) == 0 {
		return nil, nil
	}
	out := map[int]ladder.Call{}
	for _, text := range r {
		number, instructions, _ := strings.Cut(text, "=")
		turn, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || turn < 1 || turn > turns {
			return nil, fmt.Errorf("--manual %s: want a turn from 1 to %d, or TURN=INSTRUCTIONS", oneLine(text), turns)
		}
		out[turn] = ladder.Call{Instructions: strings.TrimSpace(instructions)}
	}
	return out, nil
}
