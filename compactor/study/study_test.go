package study

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cinch/compactor"
	"cinch/compactor/interaction"
	"cinch/model/token"
)

func recording(t testing.TB, shape string) *compactor.Recording {
	t.Helper()
	messages, err := interaction.Shape(shape, token.Heuristic)
	if err != nil {
		t.Fatal(err)
	}
	return compactor.Prepare(messages, token.Heuristic, nil)
}

func thousand() compactor.Policy {
	p := compactor.DefaultPolicy()
	p.Window = 1000
	return p
}

func kinds(fs []Finding) string {
	var out []string
	for _, f := range fs {
		out = append(out, string(f.Kind))
	}
	return strings.Join(out, " ")
}

func TestExplain(t *testing.T) {
	tests := []struct {
		name, shape string
		set         func(*compactor.Policy)
		how         compactor.Driving
		main        Kind
		also        string
	}{
		{name: "no pass needed", shape: "U~20 A~20", main: NeverCompacted},
		{name: "a pass that helps", shape: "U~50 A(a)~50 R(a)~300 A(b)~50 R(b)~300 A~50 U~50 A~50", main: Compacted},
		{name: "one result larger than the window", shape: "U~20 A(a)~20 R(a)~1200 A~20", main: LastTooLarge},
		{name: "first message larger than the window", shape: "U~1200 A~20 U~20 A~20", main: FloorOverWindow},
		{name: "the tail is still past the threshold", shape: "U~20 A~20 U~20 A~20 U~400 A~20 U~400 A~20 U~400 A~20", main: SecondPass, also: "short_but_fat"},
		{name: "result over the window", shape: "U~20 A~20 U~20 A~20 U~20 A(x,y)~20 UR(x)+t~350 UR(y)+t~350 U~350 A~20", main: ResultTooLarge},
		{name: "short but fat", shape: "U~20 A(a)~20 R(a)~800 A~20", main: ShortButFat},
		{name: "preserve_recent covers all", shape: "U~20 A~20 U~20 A~20 U~20 A(a)~20 R(a)~800 A~20", set: func(p *compactor.Policy) { p.PreserveRecent = 50 }, main: CoversAll},
		{name: "one batch", shape: "U~20 A(1,2,3,4,5,6)~60 R(1)~140 R(2)~140 R(3)~140 R(4)~140 R(5)~140 R(6)~140 A~20", main: PinnedByPair},
		{name: "late result", shape: "A(L)~20 U~100 A~100 U~100 A~100 U~100 A~100 U~100 R(L)~150 A~20", main: PinnedByPair},
		{name: "death on the second pass", shape: "U~20 A~100 U~50 A~50 U~20 A(b)~10 R(b)~800 A~10", main: SecondPass, also: "short_but_fat"},
		{name: "auto-compact off", shape: "U~20 A(a)~20 R(a)~930 A~20", set: func(p *compactor.Policy) { p.AutoCompact = false }, main: ShortButFat, also: "auto_compact_off"},
		{name: "threshold over the emergency line", shape: "U~20 A(a)~20 R(a)~930 A~20", set: func(p *compactor.Policy) { p.Threshold = 97 }, main: ShortButFat, also: "threshold_dominated"},
		{name: "compacts every turn", shape: "U~780 A~20 U~20 A~20 U~20 A~20 U~20 A~20 U~20 A~20 U~20 A~20 U~20 A~20", set: func(p *compactor.Policy) { p.MinMessages, p.PreserveRecent = 2, 1 }, main: Compacted, also: "compacts_every_turn"},
		{name: "vetoed", shape: "U~20 A(a)~20 R(a)~800 A~20", how: compactor.Driving{Hooks: compactor.Hooks{PreCompact: func(compactor.PreCompact) compactor.Steering { return compactor.Steering{Veto: true} }}}, main: Veto},
		{name: "no manager", shape: "U~20 A(a)~20 R(a)~800 A~20", how: compactor.Driving{NoManager: true}, main: NoManager},
		{name: "the compactor fails", shape: "U~20 A(a)~20 R(a)~800 A~20", how: compactor.Driving{Compactor: noModel{}}, main: CompactorFailed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.how.Policy = thousand()
			if test.set != nil {
				test.set(&test.how.Policy)
			}
			e := Explain(compactor.Replay(recording(t, test.shape), test.how))
			if e.Main.Kind != test.main || kinds(e.Also) != test.also {
				t.Errorf("main %s (%s), also %q; want %s, %q", e.Main.Kind, e.Main.Text, kinds(e.Also), test.main, test.also)
			}
			if e.Main.Text == "" || e.Exceeded != nil && (e.Fix == "" || len(e.Events) == 0 || len(e.Largest) == 0) {
				t.Errorf("incomplete: %+v", e)
			}
			if got := e.Floor.Overhead + e.Floor.First + e.Floor.Tail; got != e.Floor.Total {
				t.Errorf("the floor's parts add up to %d, not %d", got, e.Floor.Total)
			}
		})
	}
}

type noModel struct{}

func (noModel) Compact(compactor.Input) (compactor.Outcome, error) {
	return compactor.Outcome{}, fmt.Errorf("no model")
}

// TestChangesAreTrue runs every change that is found: it completes, and one
// step less does not.
func TestChangesAreTrue(t *testing.T) {
	shapes := []string{
		"U~20 A(a)~20 R(a)~1200 A~20",
		"U~20 A(a)~20 R(a)~800 A~20",
		"U~20 A~20 U~20 A~20 U~20 A(x,y)~20 UR(x)+t~350 UR(y)+t~350 U~350 A~20",
		"U~20 A~100 U~50 A~50 U~20 A(b)~10 R(b)~800 A~10",
		"A(L)~20 U~100 A~100 U~100 A~100 U~100 A~100 U~100 R(L)~150 A~20",
		"U~20 A(a)~300 R(a)~300 A(b)~300 R(b)~20 A~10 U~300 A~300 U~300 A~40",
	}
	for _, shape := range shapes {
		t.Run(shape, func(t *testing.T) {
			r := recording(t, shape)
			how := compactor.Driving{Policy: thousand()}
			ok := func(p compactor.Policy) bool {
				return compactor.Replay(r, compactor.Driving{Policy: p}).End.Outcome == compactor.OutcomeCompleted
			}
			for _, c := range Changes(r, how) {
				if c.Possible != ok(c.Policy) {
					t.Errorf("%s: possible %v, but the replay completes: %v", c.Text, c.Possible, ok(c.Policy))
				}
				if !c.Possible {
					continue
				}
				less := c.Policy
				switch c.Knob {
				case "window":
					less.Window--
				case "preserve_recent":
					less.PreserveRecent++
				case "min_messages":
					less.MinMessages++
				default:
					continue
				}
				if ok(less) {
					t.Errorf("%s: but one step less completes too", c.Text)
				}
			}
		})
	}
}

// TestSmallestWindow holds the walk over windows against trying every one.
func TestSmallestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var shape strings.Builder
		shape.WriteString("U~10 ")
		for i := range rapid.IntRange(1, 12).Draw(t, "turns") {
			fmt.Fprintf(&shape, "A(%d)~%d R(%d)~%d ", i, rapid.IntRange(8, 30).Draw(t, "call"), i, rapid.IntRange(8, 90).Draw(t, "result"))
		}
		shape.WriteString("A~10")
		messages, err := interaction.Shape(shape.String(), token.Heuristic)
		if err != nil {
			t.Fatal(err)
		}
		r := compactor.Prepare(messages, token.Heuristic, nil)
		policy := compactor.DefaultPolicy()
		policy.Window = int64(rapid.IntRange(20, 200).Draw(t, "window"))
		policy.PreserveRecent = rapid.IntRange(1, 6).Draw(t, "preserve_recent")
		for _, c := range Changes(r, compactor.Driving{Policy: policy}) {
			if c.Knob != "window" {
				continue
			}
			try := policy
			for try.Window++; compactor.Replay(r, compactor.Driving{Policy: try}).End.Outcome != compactor.OutcomeCompleted; try.Window++ {
			}
			if try.Window != c.To {
				t.Fatalf("%s, but %d completes", c.Text, try.Window)
			}
		}
	})
}
