package compactor

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"cinch/model"
	"cinch/model/token"
)

// eightThousand is the seed's worked example: lines at 6,400 and 7,600.
func eightThousand(auto bool) Policy {
	p := DefaultPolicy()
	p.Window, p.AutoCompact = 8000, auto
	return p
}

func TestDecide(t *testing.T) {
	tests := []struct {
		name             string
		tokens           int64
		auto             bool
		machine, manager Reason
	}{
		{"well under", 5500, true, None, None},
		{"exactly at the threshold: only the manager says yes", 6400, true, None, Threshold},
		{"one past the threshold", 6401, true, Threshold, Threshold},
		{"past the threshold", 6500, true, Threshold, Threshold},
		{"one below the emergency line", 7599, true, Threshold, Threshold},
		{"exactly at the emergency line", 7600, true, Emergency, Emergency},
		{"past the threshold, auto off", 6500, false, None, None},
		{"emergency, auto off: only the machine says yes", 7700, false, Emergency, None},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := eightThousand(test.auto)
			if got := p.Decide(test.tokens); got != test.machine {
				t.Errorf("the machine says %s, want %s", got, test.machine)
			}
			if got := p.ShouldCompact(test.tokens); got != test.manager {
				t.Errorf("the manager says %s, want %s", got, test.manager)
			}
		})
	}
}

func TestTargets(t *testing.T) {
	tests := []struct {
		name     string
		set      func(*Policy)
		reserved int64
		want     int64
	}{
		{"70 percent of the threshold line", func(*Policy) {}, 0, 112_000},
		{"less what is reserved", func(*Policy) {}, 2_000, 110_000},
		{"of the window", func(p *Policy) { p.TargetBase = OfWindow }, 0, 140_000},
		{"never negative", func(*Policy) {}, 1 << 40, 0},
		{"threshold clamped up", func(p *Policy) { p.Threshold = -5 }, 0, 1_400},
		{"percent clamped down", func(p *Policy) { p.TargetPercent = 900 }, 0, 160_000},
		{"no overflow for a huge window", func(p *Policy) { p.Window = 1 << 60; p.TargetPercent = 100; p.Threshold = 100 }, 0, 1 << 60},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := DefaultPolicy()
			test.set(&p)
			if got := p.Target(test.reserved); got != test.want {
				t.Errorf("target %d, want %d", got, test.want)
			}
		})
	}
}

func TestDominated(t *testing.T) {
	for threshold, want := range map[int]bool{80: false, 94: false, 95: true, 96: true, 100: true} {
		p := DefaultPolicy()
		p.Threshold = threshold
		if p.Dominated() != want {
			t.Errorf("threshold %d: dominated %v, want %v", threshold, !want, want)
		}
	}
}

func numbersFrom(n, count int32) Buffer { return Buffer{From: n, To: n + count} }

func TestMachinePostconditions(t *testing.T) {
	start := func() *Machine {
		return StartRun(eightThousand(true), 0, numbersFrom(0, 2), numbersFrom(2, 3), 6500)
	}
	t.Run("a result replaces history and clears pending", func(t *testing.T) {
		m := start()
		if got := m.NextStep(); got.Do != Compact || got.Reason != Threshold {
			t.Fatalf("next step %+v", got)
		}
		if err := m.CompactionResult(numbersFrom(4, 1), 6500, 900); err != nil {
			t.Fatal(err)
		}
		if m.History.Len() != 1 || m.Pending.Len() != 0 || m.Estimate != 900 || m.NextStep().Do != CallModel {
			t.Errorf("%+v, next %+v", m, m.NextStep())
		}
	})
	t.Run("a no-op that shaved something leaves both buffers", func(t *testing.T) {
		m := start()
		if err := m.CompactionNoop(6500, 6000); err != nil {
			t.Fatal(err)
		}
		if m.History.Len() != 2 || m.Pending.Len() != 3 || m.NextStep().Do != CallModel {
			t.Errorf("%+v", m)
		}
	})
	for name, feed := range map[string]func(*Machine) error{
		"no-op":  func(m *Machine) error { return m.CompactionNoop(6500, 6500) },
		"result": func(m *Machine) error { return m.CompactionResult(numbersFrom(0, 5), 6500, 6600) },
	} {
		t.Run("the guard holds on a "+name, func(t *testing.T) {
			m := start()
			if err := feed(m); err != nil {
				t.Fatal(err)
			}
			next := m.NextStep()
			if next.Do != Fail || next.Exceeded.Limit != 6500 || next.Exceeded.Used < 6500 || m.Pending.Len() != 0 {
				t.Errorf("%+v, next %+v", m, next)
			}
		})
	}
	t.Run("terminal is for ever", func(t *testing.T) {
		m := start()
		if err := m.Overflowed(&ContextExceeded{9000, 8000}); err != nil {
			t.Fatal(err)
		}
		before := *m
		var wrong *WrongFeed
		for name, err := range map[string]error{
			"response": m.Responded(9, false, 1), "results": m.Ran(nil, true, 1), "input": m.Told(9, 1),
			"result": m.CompactionResult(Buffer{}, 2, 1), "no-op": m.CompactionNoop(2, 1), "overflow": m.Overflowed(nil),
		} {
			if !errors.As(err, &wrong) {
				t.Errorf("%s was accepted: %v", name, err)
			}
		}
		m.End(Completed)
		m.Cancel()
		if !reflect.DeepEqual(*m, before) {
			t.Errorf("a failed run changed from %+v to %+v", before, *m)
		}
	})
	t.Run("cancelled wins over everything", func(t *testing.T) {
		m := start()
		m.Cancel()
		if got := m.NextStep(); got.Do != Stop || got.Ending != Cancelled {
			t.Errorf("next step %+v", got)
		}
	})
	t.Run("the turn limit wins over a pass", func(t *testing.T) {
		m := start()
		m.MaxTurns, m.Turn = 3, 3
		if got := m.NextStep(); got.Do != Stop || got.Ending != TurnLimit {
			t.Errorf("next step %+v", got)
		}
	})
	t.Run("next step changes nothing", func(t *testing.T) {
		m := start()
		before := *m
		for range 3 {
			m.NextStep()
		}
		if !reflect.DeepEqual(*m, before) {
			t.Errorf("%+v became %+v", before, *m)
		}
	})
}

// TestMachineResumes writes the machine out after every feed of a run and goes
// on with what is read back: the decisions stay the same.
func TestMachineResumes(t *testing.T) {
	run := func(between func(*Machine) *Machine) (decisions []Directive) {
		m := StartRun(eightThousand(true), 0, Buffer{}, numbersFrom(0, 1), 100)
		feeds := []func(*Machine) error{
			func(m *Machine) error { return m.Responded(1, true, 3000) },
			func(m *Machine) error { return m.Ran([]int32{2}, true, 7000) },
			func(m *Machine) error {
				return m.CompactionResult(Buffer{Head: []int32{0}, From: 1, To: 3}, 7000, 3500)
			},
			func(m *Machine) error { return m.Responded(3, false, 3600) },
		}
		for _, feed := range feeds {
			m = between(m)
			decisions = append(decisions, m.NextStep())
			if err := feed(m); err != nil {
				t.Fatal(err)
			}
		}
		return append(decisions, m.NextStep())
	}
	straight := run(func(m *Machine) *Machine { return m })
	resumed := run(func(m *Machine) *Machine {
		raw, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		back := &Machine{}
		if err := json.Unmarshal(raw, back); err != nil {
			t.Fatal(err)
		}
		return back
	})
	if !reflect.DeepEqual(straight, resumed) {
		t.Errorf("straight %+v\nresumed %+v", straight, resumed)
	}
	if straight[2].Do != Compact || straight[4].Ending != Completed {
		t.Errorf("decisions %+v", straight)
	}
}

func TestHooks(t *testing.T) {
	messages := shape(t, "U A(a) R(a) A(b) R(b) A(c) R(c) A U A")
	for i := range messages {
		messages[i].Parts[0].Text += strings.Repeat("x", 400)
	}
	r := Prepare(messages, token.Heuristic, nil)
	policy := DefaultPolicy()
	policy.Window = 900
	observed := func(h Hooks, how Driving) (*Timeline, int) {
		n := 0
		h.OnCompaction = func(c Compaction) {
			n++
			if c.After >= c.Before || c.MessagesAfter >= c.MessagesBefore {
				t.Errorf("told of a compaction that is none: %+v", c)
			}
		}
		how.Policy, how.Hooks = policy, h
		return Replay(r, how), n
	}
	t.Run("observers hear of real compactions", func(t *testing.T) {
		tl, n := observed(Hooks{}, Driving{})
		if tl.End.Outcome != OutcomeCompleted || n == 0 || n != len(tl.Passes) {
			t.Errorf("%d told, %d passes, %+v", n, len(tl.Passes), tl.End)
		}
	})
	t.Run("a veto over the threshold ends the run", func(t *testing.T) {
		tl, n := observed(Hooks{PreCompact: func(PreCompact) Steering { return Steering{Veto: true} }}, Driving{})
		if n != 0 || tl.End.Cause != CauseNoProgress || !tl.Passes[0].Vetoed || tl.End.Exceeded.Used != tl.End.Exceeded.Limit {
			t.Errorf("%d told, %+v", n, tl.End)
		}
	})
	t.Run("no manager, no progress", func(t *testing.T) {
		tl, n := observed(Hooks{}, Driving{NoManager: true})
		if n != 0 || tl.End.Cause != CauseNoProgress || !tl.Passes[0].NoManager {
			t.Errorf("%d told, %+v", n, tl.End)
		}
	})
	t.Run("a failing compactor overflows", func(t *testing.T) {
		tl, n := observed(Hooks{}, Driving{Compactor: failing{}})
		if n != 0 || tl.End.Cause != CauseWindow || tl.Passes[0].Failure == nil || tl.End.Exceeded.Limit != policy.Window || tl.End.Exceeded.Used != tl.Passes[0].Before {
			t.Errorf("%d told, %+v", n, tl.End)
		}
	})
	t.Run("instructions reach the compactor", func(t *testing.T) {
		var got Input
		spy := compactorFunc(func(in Input) (Outcome, error) {
			got = in
			return Truncating{PreserveRecent: 4, MinMessages: 6}.Compact(in)
		})
		observed(Hooks{PreCompact: func(PreCompact) Steering { return Steering{Instructions: "keep the test", Context: "more"} }}, Driving{Compactor: spy})
		if got.Instructions != "keep the test" || got.Context != "more" || got.Target != policy.Target(0) || got.Counter == nil || got.Turn == 0 {
			t.Errorf("the compactor was told %+v", got)
		}
	})
	t.Run("a turn limit ends the run without a failure", func(t *testing.T) {
		tl, _ := observed(Hooks{}, Driving{MaxTurns: 1})
		if tl.Runs[0].Ending != TurnLimit || tl.End.Exceeded != nil || len(tl.Calls) != 2 {
			t.Errorf("%d calls, runs %+v", len(tl.Calls), tl.Runs)
		}
	})
	t.Run("a replay can be stopped", func(t *testing.T) {
		asked := 0
		tl, _ := observed(Hooks{}, Driving{Stop: func() bool { asked++; return asked > 2 }})
		if tl.End.Outcome != OutcomeStopped || len(tl.Calls) != 2 {
			t.Errorf("%d calls, %+v", len(tl.Calls), tl.End)
		}
	})
}

type compactorFunc func(Input) (Outcome, error)

func (f compactorFunc) Compact(in Input) (Outcome, error) { return f(in) }

type failing struct{}

func (failing) Compact(Input) (Outcome, error) { return Outcome{}, errors.New("no model") }

func TestManagerForHosts(t *testing.T) {
	messages := shape(t, "U A U A U A U A U A")
	m := &Manager{Policy: eightThousand(true), Compactor: Truncating{PreserveRecent: 4, MinMessages: 6}, Counter: token.Heuristic}
	if v := m.EnsureContextFits(messages, 1); v != nil {
		t.Errorf("it fits, but a pass was run: %+v", v)
	}
	if v := m.CompactManual(messages, 1); v.Result != Compacted || len(v.Messages) != 5 {
		t.Errorf("a manual pass: %+v", v)
	}
	messages[1].Parts[0].Text = strings.Repeat("x", 4*6400)
	if v := m.EnsureContextFits(messages, 1); v == nil || v.Result != Compacted {
		t.Errorf("past the threshold: %+v", v)
	}
	m.Policy.AutoCompact = false
	if v := m.EnsureContextFits(messages, 1); v != nil {
		t.Errorf("auto-compact is off, but a pass was run: %+v", v)
	}
	m.Hooks.PreCompact = func(p PreCompact) Steering {
		if p.Reason != Manual {
			t.Errorf("the hook was told %s", p.Reason)
		}
		return Steering{Veto: true}
	}
	if v := m.CompactManual(messages, 1); v.Result != NoAction || len(v.Messages) != len(messages) {
		t.Errorf("vetoed: %+v", v)
	}
}

func TestClassify(t *testing.T) {
	tests := []struct {
		name                      string
		window, reserved          int64
		messagesBefore, after     int
		tokensBefore, tokensAfter int64
		want                      Result
	}{
		{"does not fit", 100, 0, 5, 2, 300, 101, Overflow},
		{"fits exactly", 100, 0, 5, 2, 300, 100, Compacted},
		{"does not fit beside what is reserved", 100, 20, 5, 2, 300, 81, Overflow},
		{"nothing happened", 100, 0, 5, 5, 90, 90, NoAction},
		{"as many messages, fewer tokens", 100, 0, 5, 5, 90, 89, Compacted},
		{"fewer messages, as many tokens", 100, 0, 5, 4, 90, 90, Compacted},
		{"reserve over the window leaves no room", 100, 200, 5, 4, 90, 1, Overflow},
		{"reserve over the window, nothing left", 100, 200, 5, 0, 90, 0, Compacted},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Classify(test.window, test.reserved, test.messagesBefore, test.after, test.tokensBefore, test.tokensAfter); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// A compactor's own numbers are hints: the manager's count decides.
func TestHintsDoNotDecide(t *testing.T) {
	liar := compactorFunc(func(in Input) (Outcome, error) {
		return Outcome{Messages: in.Messages, Before: in.Before, After: 1}, nil
	})
	m := &Manager{Policy: eightThousand(true), Compactor: liar, Counter: token.Heuristic}
	v := m.CompactManual([]*model.Message{{Parts: []model.Part{{Kind: model.Text, Text: "hello"}}}}, 1)
	if v.Result != NoAction || v.Hint.After != 1 || v.After != v.Before {
		t.Errorf("%+v", v)
	}
}
