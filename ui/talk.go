package ui

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cinch/compactor"
	"cinch/compactor/policy"
	"cinch/compactor/summarize"
	"cinch/model"
	"cinch/model/token"
	"cinch/ui/draw"
)

// talker is the inspector's screens as a conversation in lines, for
// screen readers, braille displays and scripts: no drawing, no colour, nothing
// that moves, and every answer in words, in the same order each time. It works on
// the same session as the screens.
type talker struct {
	ctx  context.Context
	s    *session
	opts *Options
	out  *bufio.Writer
	done bool

	ladder  talkedLadder
	history *weighed // the recorded history, once it was asked about
}

// Talk reads commands from in, a line each, and answers on out until the user
// quits, in ends, or ctx does.
func Talk(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	t := &talker{ctx: ctx, s: &session{}, opts: &o, out: bufio.NewWriter(out)}
	t.ladder.summaries = newSummaries()
	defer t.out.Flush()
	opened := o.Opened
	if opened == nil {
		t.say("reading %s", o.Path)
		t.out.Flush()
		var err error
		if opened, err = o.Open(ctx, o.Path, func(int64, int64) {}); err != nil {
			return err
		}
	}
	conv := opened.File.Selected
	if conv == nil {
		return fmt.Errorf("%s: no conversation in it", opened.File.Path)
	}
	set, err := opened.Settings(conv)
	if err != nil {
		return err
	}
	w, err := weighConversation(ctx, conv, set.View, set.Counter, set.Overhead, nil)
	if err != nil {
		return err
	}
	t.s.begin(opened, w, set)
	if set.Engine == policy.Ladder {
		t.climb("")
	} else {
		t.state("")
	}
	t.say("Type help for the commands.")
	lines := bufio.NewScanner(in)
	for !t.done {
		t.out.WriteString("> ")
		t.out.Flush()
		if ctx.Err() != nil || !lines.Scan() {
			t.say("")
			return cmp.Or(ctx.Err(), lines.Err())
		}
		t.command(lines.Text())
	}
	return nil
}

func (t *talker) say(format string, args ...any) {
	text, _ := draw.Clean(plainWords.Replace(fmt.Sprintf(format, args...)))
	t.out.WriteString(text + "\n")
}

// order is one command of the conversation.
type order struct {
	name, args, about string
	do                func(*talker, string)
}

var orders []order

func init() {
	orders = []order{
		{"state", "", "how full the window is, and what happens next", (*talker).state},
		{"list", "[kept|dropped|first|recent|paired|reattached|emptied] [FROM TO]", "the messages, one a line", (*talker).list},
		{"show", "N", "message N: what becomes of it, why, and its text", (*talker).show},
		{"find", "TEXT", "the messages that hold a text", (*talker).find},
		{"knobs", "", "every setting with its value", (*talker).knobs},
		{"set", "KNOB VALUE", "give a setting a value, such as set threshold 70", (*talker).set},
		{"step", "", "take the next step of the pass", (*talker).step},
		{"back", "", "take the last step back", (*talker).back},
		{"run", "", "take all steps that are left", (*talker).run},
		{"reset", "", "go back to the conversation as recorded", (*talker).reset},
		{"apply", "", "make what the pass leaves the conversation", (*talker).apply},
		{"undo", "", "take the last change back", (*talker).undo},
		{"redo", "", "do again what undo took back", (*talker).redo},
		{"flags", "", "the settings as flags for the command line", (*talker).flags},
		{"json", "[ladder [TURN]]", "the plan as JSON, or a pass up the ladder", (*talker).json},
		{"replay", "", "the passes of the whole recorded run under these settings, and how it ends", (*talker).replay},
		{"explain", "", "why that run ends so, and the least changes that would help", (*talker).explain},
		{"sweep", "[NUMBER]", "every threshold with every preserve_recent: passes, dropped, reclaimed, peak, sent or end", (*talker).sweep},
		{"export", "[ladder] FORM", "the tuned policy as toml, json or rust; the ladder's as toml, json or typescript", (*talker).export},
		{"ladder", "", "drover's policy over the recorded run: its rungs, and what its passes come to", (*talker).climb},
		{"passes", "", "the passes up the ladder, and those that were due and skipped, with why", (*talker).passes},
		{"rungs", "[TURN]", "the pass before a turn, rung by rung, and what it breaks of the prompt cache", (*talker).rungs},
		{"why", "", "why the run under the ladder went as it did, and what would have helped", (*talker).why},
		{"compact", "[TURN [INSTRUCTIONS]]", "ask for a pass before a turn, the next without one, or take that back", (*talker).compact},
		{"recipe", "[NUMBER]", "drover's recipes, or begin with one", (*talker).recipe},
		{"strategy", "[RUNG ...]", "the rungs to climb, in their order", (*talker).strategy},
		{"pin", "TOOL", "keep the results of a tool from being cleared, or let go of it", (*talker).pin},
		{"summariser", "[SPEC]", "who writes summaries: none, " + strings.Join(summarize.Specs, ", "), (*talker).summariser},
		{"prompt", "[TEXT]", "what a summariser is told to do", (*talker).prompt},
		{"request", "[TURN]", "what a summariser would be sent before a turn, without sending it", (*talker).request},
		{"ask", "", "send what the summariser has not been asked yet", (*talker).ask},
		{"help", "", "the commands", (*talker).help},
		{"quit", "", "leave", func(t *talker, _ string) { t.done = true }},
	}
}

// command does what a line says. The beginning of a command's name is enough
// where it is no other's.
func (t *talker) command(line string) {
	name, args, _ := strings.Cut(strings.TrimSpace(line), " ")
	if name == "" {
		return
	}
	var found []order
	for _, o := range orders {
		if o.name == name {
			found = []order{o}
			break
		}
		if strings.HasPrefix(o.name, name) {
			found = append(found, o)
		}
	}
	switch len(found) {
	case 1:
		found[0].do(t, strings.TrimSpace(args))
	case 0:
		t.say("There is no command %s; type help for those there are.", name)
	default:
		var names []string
		for _, o := range found {
			names = append(names, o.name)
		}
		t.say("%s could be %s.", name, strings.Join(names, " or "))
	}
}

func (t *talker) state(string) {
	s := t.s
	v := verdictOf(s)
	t.say("%s: %s of %s, %s.", s.conv.Path, count(s.now.view.Len(), "message"), s.conv.Format, count(len(s.now.runs), "run"))
	t.say("Now about %s of %s tokens, %s, window from %s, counter %s.", draw.Tokens(s.plan.Before), draw.Tokens(s.policy.Window), draw.Percent(s.plan.Before, s.policy.Window), s.windowFrom, s.counter().Name())
	for k, n := range s.before {
		if n > 0 {
			t.say("  %s %s", token.Kind(k), draw.Tokens(n))
		}
	}
	t.say("Target %s, threshold %s, emergency %s.", draw.Tokens(s.plan.Target), draw.Tokens(s.policy.ThresholdLine()), draw.Tokens(s.policy.EmergencyLine()))
	if s.counted() {
		t.say("After the pass about %s tokens, %s.", draw.Tokens(s.plan.After), draw.Percent(s.plan.After, s.policy.Window))
	} else {
		t.say("After the pass: not counted yet, step 8 counts again.")
	}
	t.say("%s%s.", v.state, strings.Join(v.then, ""))
	t.say("%s.", v.rule)
	t.stepped()
}

// stepped says where in the pass things stand.
func (t *talker) stepped() {
	s := t.s
	switch s.step {
	case whole:
		t.say("The whole pass is shown, %s.", count(s.steps, "step"))
	case 0:
		t.say("Before step 1 (0 of %d): as recorded, no cut yet.", s.steps)
	default:
		t.say("Step %d %s (%d of %d): %s.", s.last.N, s.last.Title(), s.step, s.steps, s.last.Detail())
	}
}

// row says one message in a line.
func (t *talker) row(i int) {
	s := t.s
	m := s.now.view.Message(i)
	pair := strings.Join(pairWords(s.now.view, i), ", ")
	if pair != "" {
		pair = ", " + pair
	}
	fate := ""
	if s.fated() {
		fate = ", " + s.shown.Fate(i).String()
	}
	t.say("%d, %s, %s tokens%s%s: %s", i, whoWords(m), draw.Tokens(s.now.view.TokensOf(i)), fate, pair, draw.Truncate(gist(m), 100))
}

func (t *talker) list(args string) {
	from, to := 0, t.s.now.view.Len()-1
	match := func(compactor.Fate) bool { return true }
	var numbers []int
	for _, word := range strings.Fields(args) {
		at := slices.IndexFunc(compactor.Fates, func(f compactor.Fate) bool { return f.String() == word })
		n, err := strconv.Atoi(word)
		switch {
		case word == "kept":
			match = compactor.Fate.Kept
		case at >= 0:
			match = func(f compactor.Fate) bool { return f == compactor.Fates[at] }
		case err == nil:
			numbers = append(numbers, n)
		default:
			t.say("list takes kept, a fate, and two numbers, not %s.", word)
			return
		}
	}
	if len(numbers) > 0 {
		from, to = max(from, numbers[0]), min(to, numbers[len(numbers)-1])
	}
	n := 0
	for i := from; i <= to; i++ {
		if match(t.s.shown.Fate(i)) {
			t.row(i)
			n++
		}
	}
	t.say("%s.", count(n, "message"))
}

// number reads the number of a message.
func (t *talker) number(args string) (int, bool) {
	last := t.s.now.view.Len() - 1
	n, err := strconv.Atoi(strings.TrimPrefix(args, "#"))
	if err != nil || n < 0 || n > last {
		t.say("A message has a number from 0 to %d.", last)
		return 0, false
	}
	return n, true
}

func (t *talker) show(args string) {
	i, ok := t.number(args)
	if !ok {
		return
	}
	s := t.s
	m := s.now.view.Message(i)
	t.row(i)
	t.say("Why: %s.", s.shown.Why(i))
	if at := place(s.conv, m); at != "" {
		t.say("In %s.", at)
	}
	for k := range m.Parts {
		for _, part := range partTexts(&m.Parts[k], len(m.Parts) > 1) {
			t.say("%s", part.raw)
		}
	}
}

func (t *talker) find(args string) {
	if args == "" {
		t.say("find what?")
		return
	}
	hits, loose := find(t.ctx, t.s.now.view.Messages(), args)
	for _, i := range hits {
		t.row(i)
	}
	if loose && len(hits) > 0 {
		t.say("%s with these letters in order.", count(len(hits), "message"))
		return
	}
	t.say("%s.", count(len(hits), "message"))
}

func (t *talker) knobs(string) {
	for _, i := range shownKnobs(t.s) {
		k := knobs[i]
		t.say("%s %s: %s", k.name, k.say(k.get(&t.s.setup)), k.about)
	}
	t.say("Of the ladder:")
	for _, k := range t.ladderKnobs() {
		t.say("%s %s: %s", k.name, k.say(k.get(&t.s.setup)), k.about)
	}
}

func (t *talker) set(args string) {
	name, text, _ := strings.Cut(args, " ")
	all := slices.Concat(knobs, t.ladderKnobs())
	at := slices.IndexFunc(all, func(k *knob) bool { return k.name == name })
	if at < 0 {
		t.say("There is no knob %s; knobs lists them.", name)
		return
	}
	k := all[at]
	was := k.get(&t.s.setup)
	v, err := int64(slices.Index(k.choices, strings.TrimSpace(text))), error(nil)
	switch {
	case !k.choice():
		v, err = k.read(text)
	case v < 0:
		err = fmt.Errorf("one of %s", strings.Join(k.choices, ", "))
	}
	if err != nil {
		t.say("%s takes %v.", name, err)
		return
	}
	d := deed{name, k.say(was), k.say(v)}
	if k.set != nil {
		t.s.do(d, 0, func(u *setup) { k.set(u, v) })
	} else if err := t.reweigh(d, k, v); err != nil {
		t.say("%v.", err)
		return
	}
	if at >= len(knobs) {
		t.climb("")
		return
	}
	t.state("")
}

// reweigh is for the knobs that have text read again.
func (t *talker) reweigh(d deed, k *knob, v int64) error {
	view, counter := t.s.weighed.view, t.s.counter()
	if k.name == "view" {
		view = model.View(v)
	} else {
		var err error
		if counter, err = token.ParseAlong(t.ctx, k.choices[v], t.s.conv, nil); err != nil {
			return err
		}
	}
	w, err := weighConversation(t.ctx, t.s.conv, view, counter, t.s.weighed.overhead, nil)
	if err != nil {
		return err
	}
	t.s.reweigh(d, w)
	return nil
}

func (t *talker) step(string) {
	switch s := t.s; {
	case s.step == whole:
		s.stepTo(1)
	case s.step == s.steps:
		t.say("The pass has taken its last step.")
	default:
		s.stepTo(s.step + 1)
	}
	t.stepped()
}

func (t *talker) back(string) {
	switch s := t.s; {
	case s.step == whole:
		s.stepTo(s.steps - 1)
	case s.step == 0:
		t.say("Nothing comes before.")
	default:
		s.stepTo(s.step - 1)
	}
	t.stepped()
}

func (t *talker) run(string) {
	t.s.stepTo(t.s.steps)
	t.stepped()
}

func (t *talker) reset(string) {
	t.s.stepTo(0)
	t.stepped()
}

func (t *talker) apply(string) {
	if why, advice := unchanged(t.s); why != "" {
		t.say("The pass changes nothing: %s (%s).", why, advice)
		return
	}
	if t.s.plan.Result == compactor.Overflow {
		t.say("The pass leaves %s tokens, which do not fit the window: the run would end here.", draw.Tokens(t.s.plan.After))
		return
	}
	t.s.apply()
	t.state("")
}

func (t *talker) undo(string) { t.travelled("Undone", t.s.undo()) }
func (t *talker) redo(string) { t.travelled("Done again", t.s.redo()) }

func (t *talker) travelled(how, what string) {
	if what == "" {
		t.say("There is nothing to take back or to do again.")
		return
	}
	t.say("%s: %s.", how, what)
}

func (t *talker) flags(string) { t.say("%s", flags(&t.s.setup, t.s.started.Window)) }

func (t *talker) json(args string) {
	what, turn, _ := strings.Cut(args, " ")
	switch {
	case what == "ladder":
		if c, _, o := t.before(turn); c != nil && t.opts.PassJSON != nil {
			t.out.WriteString(t.opts.PassJSON(t.s.passOf(c.engine, o)))
		}
	case what != "":
		t.say("json takes nothing, or ladder and a turn, not %s.", what)
	case t.opts.PlanJSON != nil:
		t.out.WriteString(t.opts.PlanJSON(t.s.planOf()))
	}
}

func (t *talker) help(string) {
	for _, o := range orders {
		t.say("%s: %s.", strings.TrimSpace(o.name+" "+o.args), o.about)
	}
}
