package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cinch/ui"
)

// run runs a command line without a terminal and returns its exit code and output.
func run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	a := &app{in: strings.NewReader(stdin), out: bufio.NewWriter(&out), err: &errs, getenv: func(string) string { return "" }, width: textWidth}
	code = a.main(context.Background(), args)
	return code, out.String(), errs.String()
}

// members lists the members of JSON in the order in which they stand, with
// where they are nested; of a list, those of its first element.
func members(t *testing.T, text string) []string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	var out []string
	var value func(path string, keep bool)
	value = func(path string, keep bool) {
		tok, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		switch tok {
		case json.Delim('{'):
			for d.More() {
				key, _ := d.Token()
				at := strings.TrimPrefix(fmt.Sprintf("%s.%s", path, key), ".")
				if keep {
					out = append(out, at)
				}
				value(at, keep)
			}
			d.Token()
		case json.Delim('['):
			for first := true; d.More(); first = false {
				value(path+"[]", keep && first)
			}
			d.Token()
		}
	}
	value("", true)
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("more than one value: %v", err)
	}
	return out
}

// The contract of the manual, by example.
const planContract = `{"engine":"truncating","counter":"heuristic","format":"claude-code","messages":8,
 "decision":"none","result":"compacted","reason":"",
 "tokens":{"overhead":0,"before":123,"after":45,"saved":78,"target":112000,"threshold":160000,"emergency":190000,"window":200000,"window_from":"model"},
 "kinds":{"before":{"overhead":0,"system":0,"summary":0,"user":100,"assistant":23,"thinking":0,"sealed":0,"calls":0,"results":0,"images":0,"documents":0},
  "after":{"overhead":0,"system":0,"summary":0,"user":30,"assistant":15,"thinking":0,"sealed":0,"calls":0,"results":0,"images":0,"documents":0}},
 "split":{"provisional":6,"final":5},
 "output":[0,5,6,7],"output_parts":[1,1,1,1],
 "fates":[{"index":0,"role":"user","tokens":6,"fate":"first","why":"","removed_parts":[]}],
 "pairs":[{"id":"a","call":{"message":5,"part":0},"result":{"message":6,"part":0}}],
 "lone":[{"id":"z","kind":"result","at":{"message":3,"part":0}}],
 "steps":[{"step":2,"title":"","detail":"","split":6}]}`

const replayContract = `{"event":"call","message":3,"turn":1,"tokens":123}
{"event":"compact","message":7,"turn":3,"reason":"threshold","result":"compacted","before":200,"after":90,"messages_before":9,"messages_after":5}
{"event":"end","outcome":"completed","cause":"","used":1,"limit":1,"message":9,"tokens":90,"passes":1,"calls":4}`

// chat is a conversation with a pair that moves the cut and a lone result.
const chat = `[{"role":"user","content":"one"},
{"role":"tool","tool_call_id":"z","content":"answers nothing"},
{"role":"assistant","content":"two, and quite a lot of it, so that there is something to drop"},
{"role":"user","content":"three"},
{"role":"assistant","content":"four"},
{"role":"assistant","content":"five","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"a","content":"six"},
{"role":"assistant","content":"seven"},
{"role":"user","content":"eight"},
{"role":"assistant","content":"nine"}]`

func TestPlanKeepsItsContract(t *testing.T) {
	code, out, errs := run(chat, "plan", "-", "--json")
	if code != fine {
		t.Fatal(code, errs)
	}
	want, got := members(t, planContract), members(t, out)
	if !slices.Equal(got, want) {
		t.Errorf("members are\n%v\nwant\n%v", got, want)
	}
	if strings.Count(out, "\n") != 1 {
		t.Error("a plan is one line of JSON")
	}
}

func TestReplayKeepsItsContract(t *testing.T) {
	code, out, errs := run(chat, "replay", "-", "--json", "--window", "75")
	if code != fine {
		t.Fatal(code, errs)
	}
	want := map[string][]string{}
	for line := range strings.Lines(replayContract) {
		m := members(t, line)
		want[event(t, line)] = m
	}
	seen := map[string]bool{}
	for line := range strings.Lines(out) {
		kind := event(t, line)
		seen[kind] = true
		if got := members(t, line); !slices.Equal(got, want[kind]) {
			t.Errorf("a %s line has %v, want %v", kind, got, want[kind])
		}
	}
	for kind := range want {
		if !seen[kind] {
			t.Errorf("no %s line in\n%s", kind, out)
		}
	}
}

func event(t *testing.T, line string) string {
	t.Helper()
	var e struct{ Event string }
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		t.Fatal(err)
	}
	return e.Event
}

// TestOneSum: the list adds up to the gauge, and the kept part of it, less what
// was taken out of messages, to the number after the pass.
func TestOneSum(t *testing.T) {
	for _, counter := range []string{"heuristic", "ratio:anthropic", "ratio:3.9+4", "drover"} {
		for _, reserve := range []string{"0", "500"} {
			_, out, _ := run(chat, "plan", "-", "--json", "--counter", counter, "--reserve", reserve)
			var p struct {
				Tokens struct{ Overhead, Before, After, Saved int64 }
				Kinds  struct{ Before, After map[string]int64 }
				Fates  []struct {
					Tokens int64
					Fate   string
				}
			}
			if err := json.Unmarshal([]byte(out), &p); err != nil {
				t.Fatal(err)
			}
			sum := p.Tokens.Overhead
			for _, f := range p.Fates {
				sum += f.Tokens
			}
			if sum != p.Tokens.Before {
				t.Errorf("%s: the list and the overhead are %d tokens, the gauge says %d", counter, sum, p.Tokens.Before)
			}
			for _, side := range []struct {
				kinds  map[string]int64
				tokens int64
			}{{p.Kinds.Before, p.Tokens.Before}, {p.Kinds.After, p.Tokens.After}} {
				sum := int64(0)
				for _, n := range side.kinds {
					sum += n
				}
				if sum != side.tokens {
					t.Errorf("%s: the kinds %v are not %d tokens", counter, side.kinds, side.tokens)
				}
			}
			if p.Tokens.Saved != p.Tokens.Before-p.Tokens.After {
				t.Errorf("%s: saved is not before less after: %+v", counter, p.Tokens)
			}
			_, text, _ := run(chat, "plan", "-", "--counter", counter, "--reserve", reserve)
			if want := fmt.Sprintf("~%d / ", p.Tokens.Before); !strings.Contains(text, want) {
				t.Errorf("%s: the report does not say %q:\n%s", counter, want, text)
			}
		}
	}
}

// commands are all that help lists.
func commands(t *testing.T) []*cobra.Command {
	t.Helper()
	a := &app{out: bufio.NewWriter(io.Discard), err: io.Discard, getenv: func(string) string { return "" }}
	root := a.root()
	return append([]*cobra.Command{root}, root.Commands()...)
}

func TestEveryCommandShowsAnExample(t *testing.T) {
	for _, c := range commands(t) {
		code, out, errs := run("", append(strings.Fields(c.CommandPath())[1:], "--help")...)
		if code != fine || errs != "" {
			t.Errorf("%s --help: exit %d, stderr %q", c.CommandPath(), code, errs)
		}
		if !strings.Contains(out, "\nExamples:\n  ") || !strings.Contains(out, c.CommandPath()+" ") && !strings.HasSuffix(c.Example, c.CommandPath()) {
			t.Errorf("%s --help shows no example:\n%s", c.CommandPath(), out)
		}
		if c.Short == "" {
			t.Errorf("%s has no short description", c.CommandPath())
		}
	}
}

// TestSameKnobsEverywhere: a command that has one knob has them all, with the
// same defaults and the same words, but for the view.
func TestSameKnobsEverywhere(t *testing.T) {
	want := map[string]*pflag.Flag{}
	fs := pflag.NewFlagSet("knobs", pflag.ContinueOnError)
	addKnobs(fs, newKnobs(), 0)
	fs.VisitAll(func(f *pflag.Flag) { want[f.Name] = f })
	having := 0
	for _, c := range commands(t) {
		if c.Flags().Lookup("engine") == nil {
			continue
		}
		having++
		for name, w := range want {
			f := c.Flags().Lookup(name)
			if f == nil {
				t.Errorf("%s has no --%s", c.CommandPath(), name)
				continue
			}
			if f.Usage != w.Usage || f.DefValue != w.DefValue && name != "view" {
				t.Errorf("%s --%s: %q (%s), elsewhere %q (%s)", c.CommandPath(), name, f.Usage, f.DefValue, w.Usage, w.DefValue)
			}
		}
	}
	if having < 3 {
		t.Errorf("only %d commands have knobs", having)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"plan", "replay", "check", "completion"}
	for typed, want := range map[string]string{
		"paln": "plan", "pln": "plan", "plans": "plan", "rep": "replay", "chekc": "check", "complet": "completion",
		"session.jsonl": "", "x": "", "replace-all": "",
	} {
		if got := nearest(typed, names); got != want {
			t.Errorf("%q is taken for %q, want %q", typed, got, want)
		}
	}
}

// TestManual: the manual names every command and every flag.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands(t) {
		if c.HasParent() && !strings.Contains(string(manual), c.Name()) {
			t.Errorf("docs/cli.md does not name the command %s", c.Name())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !regexp.MustCompile("--" + f.Name + `\b[^-]`).Match(manual) {
				t.Errorf("docs/cli.md does not name --%s of %s", f.Name, c.CommandPath())
			}
		})
	}
}

// TestEveryFlagIsCompletedAndInTheManualPage: what shells offer and what man
// shows come from the flags themselves, and leave none out.
func TestEveryFlagIsCompletedAndInTheManualPage(t *testing.T) {
	_, page, _ := run("", "man")
	for _, c := range commands(t) {
		path := strings.Fields(c.CommandPath())[1:]
		_, offered, _ := run("", slices.Concat([]string{"__complete"}, path, []string{"--"})...)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(offered, "--"+f.Name+"\t") {
				t.Errorf("%s: --%s is not offered:\n%s", c.CommandPath(), f.Name, offered)
			}
			if name := strings.ReplaceAll("--"+f.Name, "-", `\-`); !strings.Contains(page, name) {
				t.Errorf("the manual page does not name --%s of %s", f.Name, c.CommandPath())
			}
		})
		if c.HasParent() && !strings.Contains(page, "\n.SS "+roff(c.UseLine())+"\n") {
			t.Errorf("the manual page does not name %s", c.CommandPath())
		}
	}
}

// TestHelpIsAsWideAsTheTerminal: the lines of flags, commands and sentences fit
// where eighty cells are to be had.
func TestHelpIsAsWideAsTheTerminal(t *testing.T) {
	for _, c := range commands(t) {
		for _, width := range []int{80, 120} {
			var out bytes.Buffer
			a := &app{in: strings.NewReader(""), out: bufio.NewWriter(&out), err: io.Discard, getenv: func(string) string { return "" }, width: width}
			a.main(context.Background(), append(strings.Fields(c.CommandPath())[1:], "--help"))
			for line := range strings.Lines(out.String()) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width && !strings.HasPrefix(line, "  cinch") && !strings.HasPrefix(line, "  echo") {
					t.Errorf("%s at %d: a line of %d: %s", c.CommandPath(), width, n, line)
				}
			}
		}
	}
}

// TestSameAnswerAgain: what is traced is the same to the byte when it is asked for
// again, whatever runs beside it.
func TestSameAnswerAgain(t *testing.T) {
	steps := filepath.Join(t.TempDir(), "steps.json")
	if err := os.WriteFile(steps, []byte(`{"strategy":["drop-tool-results","sliding-window"],"preserve":{"firstUserTurn":true,"recentTurns":4},"trigger":{"kind":"context_fraction","value":0.5}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"plan", "lesson:demo", "--json"}, {"plan", "lesson:demo"}, {"replay", "lesson:demo", "--json"}, {"replay", "lesson:demo", "--json", "--go-on", "--window", "2000"},
		{"plan", "lesson:demo", "--json", "--policy", steps}, {"replay", "lesson:demo", "--json", "--policy", steps},
		{"sweep", "lesson:demo", "lesson:second-pass", "--json"}, {"check", "lesson:demo", "lesson:second-pass", "--json"}, {"lint", "lesson:demo", "--json"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			code, first, errs := run("", args...)
			if first == "" || errs != "" {
				t.Fatalf("exit %d, %q", code, errs)
			}
			for range 3 {
				if again, out, _ := run("", args...); again != code || out != first {
					t.Fatalf("exit %d, then %d:\n%s\nthen\n%s", code, again, first, out)
				}
			}
		})
	}
}

// TestFaultsAreTold: a fault is told with its stack on stderr, and no success.
func TestFaultsAreTold(t *testing.T) {
	var out, errs bytes.Buffer
	a := &app{out: bufio.NewWriter(&out), err: &errs}
	code := a.ended(context.Background(), fmt.Errorf("on the way: %w", &ui.Panic{Value: "no such lane", Stack: []byte("goroutine 7 [running]:\ncinch/ui.drawLane()")}))
	if code == fine || out.Len() > 0 || !strings.Contains(errs.String(), "a fault in cinch: no such lane\n\ngoroutine 7") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, &out, &errs)
	}
}

// broken is an output that cannot be written to.
type broken struct{ error }

func (b broken) Write([]byte) (int, error) { return 0, b.error }

// TestOutputThatFails: a reader that has gone is no failure and hides none; any
// other trouble with the output is one.
func TestOutputThatFails(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	full := broken{errors.New("no space left on device")}
	for _, test := range []struct {
		name string
		out  io.Writer
		args []string
		code int
		says string
	}{
		{"closed pipe", w, []string{"plan", "-"}, fine, ""},
		{"closed pipe, JSON", w, []string{"plan", "-", "--json"}, fine, ""},
		{"closed pipe, failed check", w, []string{"plan", "-", "--window", "10", "--exit-code"}, failed, ""},
		{"full disk", full, []string{"plan", "-"}, wrong, "cinch: no space left on device\n"},
		{"full disk, failed check", full, []string{"plan", "-", "--window", "10", "--exit-code"}, wrong, "cinch: no space left on device\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var errs bytes.Buffer
			a := &app{in: strings.NewReader(chat), out: bufio.NewWriterSize(test.out, 16), err: &errs, getenv: func(string) string { return "" }, width: textWidth}
			if code := a.main(context.Background(), test.args); code != test.code || errs.String() != test.says {
				t.Errorf("exit %d saying %q, want %d saying %q", code, errs.String(), test.code, test.says)
			}
		})
	}
}

// TestLadderOnEveryFormat climbs a ladder over a session of every format there
// is: in each a pass commits something, and none breaks a pair or fails a run.
func TestLadderOnEveryFormat(t *testing.T) {
	policy := filepath.Join(t.TempDir(), "ladder.json")
	if err := os.WriteFile(policy, []byte(`{"strategy": ["drop-tool-results", "summarize", "sliding-window"], "summaryPrompt": "S",
		"preserve": {"firstUserTurn": false, "recentTurns": 0}, "trigger": {"kind": "input_tokens", "value": 1}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := run("", "check", "../../model/transcript/testdata", "--policy", policy, "--summarizer", "text:fine", "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	passes := map[string]int{}
	for line := range strings.Lines(out) {
		var c checked
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if !c.OK {
			t.Errorf("not well: %s", line)
		}
		passes[c.Format] += c.Passes
	}
	for format, n := range passes {
		if n == 0 {
			t.Errorf("no pass over any session of %s", format)
		}
	}
	if len(passes) < 25 {
		t.Errorf("only %d formats were climbed", len(passes))
	}
}
