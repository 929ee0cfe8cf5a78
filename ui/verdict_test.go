package ui

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cinch/compactor"
	"cinch/model"
)

// set moves the knobs of a driver by hand.
func (d *driver) set(do func(*setup)) {
	d.s.change("test", 0, do)
	d.send(nil)
}

func TestStateInWords(t *testing.T) {
	for _, c := range []struct {
		name   string
		window int64
		do     func(*compactor.Policy)
		want   []string
	}{
		{"over the threshold", 10_000, nil, []string{"OVER THRESHOLD by 1,382 → Compact(ThresholdExceeded) before the next call → compacted; next pass in about 26 turns", "machine: 9,382 > 8,000, the threshold"}},
		{"emergency", 9_800, nil, []string{"EMERGENCY, 72 past the line at 9,310 → Compact(Emergency) before the next call → compacted"}},
		{"emergency with auto-compact off", 9_800, func(p *compactor.Policy) { p.AutoCompact = false }, []string{"→ Compact(Emergency)", "whatever auto-compact says", "the manager's should_compact would say none"}},
		{"over, but off", 10_000, func(p *compactor.Policy) { p.AutoCompact = false }, []string{"over the threshold by 1,382, auto-compact is off: no pass before the emergency line, 118 away"}},
		{"fine", 20_000, nil, []string{"ok, 6,618 below the threshold; next pass in about", "a pass now: 69 messages → 9", "machine: 9,382 ≤ 16,000"}},
		{"exactly at the threshold", 11_728, nil, []string{"ok, 0 below", "the manager's should_compact would say threshold"}},
		{"dominated", 20_000, func(p *compactor.Policy) { p.Threshold = 97 }, []string{"a threshold of 97% never fires first: the emergency line does"}},
		{"does not fit", 1_000, nil, []string{"→ does not fit: ContextExceeded{used 1,390, limit 1,000} ends the run"}},
		{"dies on the second pass", 1_500, nil, []string{"→ compacted, still over a line → pass 2 at once → shaves nothing: ContextExceeded{used"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := demo(t, 200, 40)
			d.set(func(s *setup) {
				s.policy.Window = c.window
				if c.do != nil {
					c.do(&s.policy)
				}
			})
			for _, want := range c.want {
				if !strings.Contains(strings.Join(strings.Fields(d.plain()), " "), want) {
					t.Errorf("the screen does not say %q:\n%s", want, strings.Join(strings.Split(d.plain(), "\n")[:8], "\n"))
				}
			}
		})
	}
}

// cuts reports whether a pass drops something.
func cuts(v *compactor.View, p compactor.Policy) bool {
	pass := compactor.Truncate(v, p)
	return pass.Reason == compactor.Changed && pass.Kept() < v.Len()
}

// TestAdviceHolds: what is said to make a pass cut does make it cut, and where it
// is said that nothing would, nothing does.
func TestAdviceHolds(t *testing.T) {
	talks := map[string][]*model.Message{
		"short":           long(5),
		"two":             long(2),
		"pinned":          {calls("a"), says(model.User, "x"), says(model.User, "x"), says(model.User, "x"), says(model.User, "x"), says(model.User, "x"), says(model.User, "x"), results("a")},
		"pinned by one":   append([]*model.Message{calls("a")}, append(long(8), results("a"), says(model.User, "more"))...),
		"all recent":      long(9),
		"nothing between": {calls("a"), results("a"), calls("b"), results("b"), says(model.User, "x"), says(model.User, "x"), says(model.User, "x")},
		"short and pairs": {says(model.User, "go"), calls("a"), results("a")},
	}
	number := regexp.MustCompile(`(preserve_recent|min_messages) (\d+)`)
	for name, messages := range talks {
		for _, recent := range []int{1, 4, 9, 20} {
			for _, least := range []int{2, 6, 30} {
				d := talk(t, 120, 36, messages...)
				d.set(func(s *setup) { s.policy.PreserveRecent, s.policy.MinMessages = recent, least })
				p, v := d.s.policy, d.s.now.view
				if cuts(v, p) {
					continue
				}
				what := fmt.Sprintf("%s, preserve_recent %d, min_messages %d", name, recent, least)
				text, advice := unchanged(d.s)
				if text == "" || advice == "" {
					t.Errorf("%s: %q and the advice %q", what, text, advice)
					continue
				}
				if strings.Contains(advice, "no setting") {
					for r := 1; r <= 30; r++ {
						p.PreserveRecent, p.MinMessages = r, 2
						if cuts(v, p) {
							t.Errorf("%s: %q, but preserve_recent %d cuts", what, text, r)
							break
						}
					}
					continue
				}
				for _, m := range number.FindAllStringSubmatch(advice, -1) {
					n, _ := strconv.Atoi(m[2])
					if m[1] == "preserve_recent" {
						p.PreserveRecent = n
					} else {
						p.MinMessages = n
					}
				}
				if !cuts(v, p) {
					t.Errorf("%s: the advice %q does not cut", what, advice)
				}
			}
		}
	}
	d := talk(t, 200, 40, long(6)...)
	d.has("6 messages, min_messages is 6: nothing is cut below 7 (min_messages 5 with preserve_recent 3 would cut)")
	d.press("a")
	d.has("the pass changes nothing")
}
