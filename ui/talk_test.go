package ui

import (
	"fmt"
	"strings"
	"testing"
)

// converse gives commands and returns what is answered.
func converse(t *testing.T, lines ...string) string {
	t.Helper()
	var out strings.Builder
	o := Options{Path: "lesson:demo", Open: opener(nil), PlanJSON: func(of PlanOf) string { return "{}\n" },
		PassJSON: func(of PassOf) string {
			return fmt.Sprintf("{turn %d, %d rungs}\n", of.Outcome.Turn, len(of.Outcome.Events))
		}}
	if err := Talk(t.Context(), o, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTalk(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  []string
	}{
		{nil, []string{"69 messages", "Now about 9,382 of 10,000 tokens, 93.8%", "OVER THRESHOLD by 1,382 -> Compact(ThresholdExceeded) before the next call -> compacted; next pass in about 26 turns.", "Type help"}},
		{[]string{"help"}, []string{"set KNOB VALUE: give a setting a value"}},
		{[]string{"reset", "step", "step", "step"}, []string{"Before step 1 (0 of 9)", "Step 3 pair safety (3 of 9): result #65 pairs with call #62 -> the cut moves from 65 to 62."}},
		{[]string{"back", "run", "step"}, []string{"Step 7 sanitise (8 of 9)", "Step 8 re-count (9 of 9): 69 messages -> 9 messages, ~9,382 -> ~1,390 with overhead 451.", "The pass has taken its last step."}},
		{[]string{"set threshold 97"}, []string{"a threshold of 97% never fires first"}},
		{[]string{"set threshold 0", "set auto maybe", "set nosuch 1"}, []string{"threshold takes from 1% to 100%.", "auto takes one of off, on.", "There is no knob nosuch"}},
		{[]string{"set auto off"}, []string{"auto-compact is off"}},
		{[]string{"set counter drover", "undo"}, []string{"counter drover", "Undone: counter is heuristic again (was drover)."}},
		{[]string{"list reattached"}, []string{"43, result soak, 68 tokens, reattached, answers call #0:", "1 message."}},
		{[]string{"list kept 0 62", "list blue"}, []string{"3 messages.", "not blue."}},
		{[]string{"show 62", "show 99"}, []string{"Why: the cut stood at 65", "All three at once.", "A message has a number from 0 to 68."}},
		{[]string{"find watcher"}, []string{"watcher"}},
		{[]string{"apply", "apply", "undo", "redo", "undo", "undo"}, []string{"9 messages of native", "The pass changes nothing: all that stands before the cut is kept as well (preserve_recent 3 would cut).", "Undone: pass applied.", "nothing to take back"}},
		{[]string{"set preserve_recent 8", "flags", "json", "knobs"}, []string{"--preserve-recent 8", "{}", "preserve_recent 8: messages kept at the end"}},
		{[]string{"re", "dance"}, []string{"re could be reset or redo or replay or recipe or request.", "There is no command dance"}},
		{[]string{"ladder"}, []string{"A pass is due at 8,000 tokens", "rung 1 drop-tool-results:", "pinned: remember, recall", "30 calls, 1 pass, ~4,986 reclaimed for ~2,994 read again"}},
		{[]string{"passes"}, []string{"Turn 28: auto, about 8,196 -> 3,210 tokens, prompt cache broken from #3 on"}},
		{[]string{"set value 5%", "set cooldown 4", "passes"}, []string{"A pass is due at 500 tokens", "due, and no rung committed anything"}},
		{[]string{"set value 30%", "set minReclaim 0", "set cooldown 20", "passes"}, []string{"skipped: 9 turns since the last pass, cooldownTurns is 20"}},
		{[]string{"rungs", "rungs 5", "rungs 99"}, []string{
			"Before turn 28 of 30.", "1 drop-tool-results: clearing 23 tool results in the head [0,56)", "stop: ~3,210 tokens are under the trigger",
			"trigger: ~2,136 tokens are below the trigger at 8,000", "The prompt cache is untouched", "A turn has a number from 1 to 31",
		}},
		{[]string{"set minReclaim 0", "compact 12", "compact 12", "compact"}, []string{
			"A pass before turn 12 is asked for.", "trigger: a pass was asked for at ~3,114 tokens", "~1,942 reclaimed",
			"A pass before turn 12 is no longer asked for.", "Before the next call, turn 31.",
		}},
		{[]string{"why"}, []string{"1 pass, and every call is sent under the trigger at 8,000."}},
		{[]string{"strategy summarize", "why"}, []string{"nobody to ask.", "  1 summarize: no summariser was given", "Try a summariser.", "  summaries by extract: the run ends under its trigger"}},
		{[]string{"strategy summarize", "summariser cmd:exit 4", "ask", "why"}, []string{"the summariser failed", "each try would ask exit 4 again."}},
		{[]string{"recipe", "recipe 3"}, []string{"2 clear only:", "There is no trigger: a pass runs only when compact asks for it."}},
		{[]string{"strategy sliding-window", "rungs", "strategy x", "strategy"}, []string{"rung 1 sliding-window: deletes the head", "deleting the head [0,56)", "There is no rung x", "The rungs are sliding-window, of"}},
		{[]string{"pin run", "pin", "undo"}, []string{"pinned: remember, recall, run", "Tools with results: read_file, grep,", "Undone: pin run."}},
		{[]string{"strategy summarize", "summariser text:It went well.", "rungs"}, []string{"Summaries by text:It went well.", "[compacted] It went well."}},
		{[]string{"strategy summarize", "summariser text: ", "rungs"}, []string{"1 with a blank summary", "the summariser returned nothing, so (no summary available) is all that stands"}},
		{[]string{"strategy summarize", "summariser cmd:wc -c", "rungs", "request 28", "ask", "rungs", "ask"}, []string{
			"About 1 summary to be written by cmd:wc -c: nothing has been sent", "1 summarize: the summariser has not been asked yet",
			"</transcript>", "Request 1 of about 1", "[compacted] ", "Nothing has to be sent.",
		}},
		{[]string{"set value 9%", "set minReclaim 0", "strategy drop-tool-results summarize", "summariser cmd:exit 4", "ask", "rungs 30", "passes"}, []string{
			"taken back because a summariser failed", "stop: the pass ends here: the run goes on with the messages as they were before it", "failed: CompactionError:",
		}},
		{[]string{"summariser nobody", "summariser", "prompt Be brief.", "prompt"}, []string{`unknown summariser "nobody"`, "Summaries by none;", "\n> Be brief."}},
		{[]string{"request 5", "request 3"}, []string{"does not get to a summary"}},
		{[]string{"json ladder", "json ladder 5", "json x"}, []string{"{turn 28, 1 rungs}", "{turn 5, 0 rungs}", "not x."}},
		{[]string{"replay"}, []string{"The run: 13 runs, ", "  pass 1 before #", "The run completes."}},
		{[]string{"set window 1000", "replay", "explain"}, []string{"The run fails before #", "The least changes, each by itself:", "is the smallest with which the run completes"}},
		{[]string{"sweep", "sweep peak", "sweep x"}, []string{"  preserve_recent 4: 50% 2; ", "peak, tokens of the largest request", "sweep takes one of passes, dropped, reclaimed, peak, sent, end, not x."}},
		{[]string{"set threshold 70", "export toml", "export ladder json", "export typescript"}, []string{"threshold = 70", `"engine": "ladder"`, "The truncating policy can be written as toml, json, rust: export toml."}},
		{[]string{"knobs"}, []string{"Of the ladder:", "recentTurns 3: turns kept"}},
		{[]string{"quit", "state"}, []string{"> "}},
	} {
		got := converse(t, c.lines...)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%v does not answer %q:\n%s", c.lines, want, got)
			}
		}
		for _, r := range got {
			if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x2500 && r < 0x2600 || r >= 0x2800 && r < 0x2900 { // controls, boxes, braille
				t.Errorf("%v answers with %q", c.lines, r)
				break
			}
		}
	}
	if got := converse(t, "quit", "state"); strings.Count(got, "Now about") != 1 {
		t.Error("quit does not quit")
	}
}

// TestEveryOrder: each command does something, also without what it needs.
func TestEveryOrder(t *testing.T) {
	silent := converse(t, "quit")
	for _, o := range orders {
		if o.name == "quit" {
			continue
		}
		if got := converse(t, o.name, "quit"); len(got) <= len(silent)+2 {
			t.Errorf("%s answers nothing", o.name)
		}
	}
}
