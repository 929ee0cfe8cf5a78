package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/model/transcript"
	"cinch/ui/draw"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// asked is a session with what a person asked in it.
func asked(text string, turns int) string {
	var b strings.Builder
	for i := range turns {
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","sessionId":"s","cwd":"/home/ines/shop","message":{"role":"user","content":%q}}`+"\n", i, text)
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"a%d","sessionId":"s","cwd":"/home/ines/shop","message":{"id":"m%d","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"Done."}]}}`+"\n", i, i)
	}
	return b.String()
}

// machineOf plants sessions, an hour apart, and says where they are.
func machineOf(t testing.TB, contents ...string) []transcript.Session {
	t.Helper()
	dir := t.TempDir()
	var out []transcript.Session
	for i, text := range contents {
		path := filepath.Join(dir, fmt.Sprintf("s%d.jsonl", i))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		out = append(out, transcript.Session{Path: path, Agent: "Claude Code", Size: int64(len(text)), Modified: noon.Add(-time.Duration(i) * time.Hour)})
	}
	return out
}

// picking opens the picker.
func picking(t testing.TB, w, h int, sessions []transcript.Session, recent ...string) *driver {
	t.Helper()
	o := Options{
		Open: func(ctx context.Context, path string, progress func(done, total int64)) (*Opened, error) {
			if strings.HasPrefix(path, "lesson:") {
				return opener(nil)(ctx, path, progress)
			}
			f, err := transcript.Open(ctx, path, transcript.Options{Progress: progress})
			if err != nil {
				return nil, err
			}
			return openedFor(f), nil
		},
		Sessions: func(context.Context) ([]transcript.Session, error) { return slices.Clone(sessions), nil },
		Recent:   func() []string { return recent },
		Profile:  draw.ANSI256,
	}
	return driveWith(t, o, w, h, colours(), func(r *root) {
		r.picker.now = func() time.Time { return noon.Add(30 * time.Minute) }
	})
}

func fewSessions(t testing.TB) []transcript.Session {
	return machineOf(t, asked("Fix the flaky test", 1), asked("Write the changelog", 3), "not a session\n")
}

func TestPickerListsAndReads(t *testing.T) {
	sessions := fewSessions(t)
	d := picking(t, 150, 36, sessions, sessions[1].Path)
	d.has("3 sessions on this machine")
	for _, want := range []string{`30m +Claude Code +2 +\d+ .*shop +Fix the flaky test`, `1h +Claude Code +6 +\d+ .*shop +Write the changelog`, `2h +Claude Code +– +– .*cannot be read`} {
		d.matches(want)
	}
	d.matches(`recent files`)
	d.matches(`demo +A flaky test, hunted down`)
	d.press("j", "j")
	d.has("a session is JSON") // why it cannot be read
	d.press("k", "enter")
	if !d.s.loaded() || d.s.conv.Path != sessions[1].Path || d.front != nil {
		t.Fatalf("enter did not open %s", sessions[1].Path)
	}
	d.has("below the threshold")
}

func TestPickerComesBack(t *testing.T) {
	sessions := fewSessions(t)
	d := picking(t, 120, 36, sessions)
	d.press("j", "enter")
	opened := d.s.conv
	d.press("tab", "l", "O") // with a knob moved
	if d.front == nil {
		t.Fatal("O does not lead back")
	}
	if got := d.picker.selected(); got == nil || got.session.Path != sessions[1].Path {
		t.Error("the cursor is not where it was")
	}
	d.press("esc")
	if d.front != nil || d.s.conv != opened || d.s.policy.PreserveRecent != 5 {
		t.Error("esc does not come back to the conversation as it was left")
	}
	d.press("O", "k", "enter")
	if d.front != nil || d.s.conv.Path != sessions[0].Path {
		t.Error("another session cannot be opened")
	}
	d.press("O", "/")
	d.typed("changelog")
	d.press("enter", "O", "q") // also with a search left open in the list
	if d.quit || d.front != nil {
		t.Error("q does not go back to the conversation")
	}
	d = picking(t, 120, 36, sessions)
	d.press("q")
	if !d.quit {
		t.Error("q does not quit where nothing is open")
	}
}

func TestPickerSearch(t *testing.T) {
	sessions := fewSessions(t)
	d := picking(t, 120, 36, sessions)
	d.press("/")
	d.typed("wrchlog")
	if n := d.picker.shelves[onMachine].len(); n != 1 {
		t.Fatalf("%d sessions match", n)
	}
	d.press("enter")
	if !d.s.loaded() || d.s.conv.Path != sessions[1].Path {
		t.Error("enter does not open the match")
	}

	d = picking(t, 120, 36, sessions)
	d.press("/")
	d.typed("auto-off") // only a lesson is called that
	if d.picker.at != onLessons {
		t.Error("the keys do not go to the list that has a match")
	}
	d.press("esc")
	if d.picker.query != "" || d.picker.shelves[onMachine].len() != 3 {
		t.Error("esc does not take the search away")
	}
	d.press("tab", "tab", "/")
	d.typed("e")
	d.press("down", "down", "up")
	if s := d.picker.shelf(); s.cursor != 1 {
		t.Errorf("arrows while typing lead to row %d", s.cursor)
	}
	d.typed("zzzz")
	d.has("no match")
	d.press("enter")
	if d.s.loaded() {
		t.Error("enter opened something that does not match")
	}
	d.press("esc")
	if d.quit || d.picker.query != "" {
		t.Error("esc does not take the kept search away")
	}
}

func TestPickerFailure(t *testing.T) {
	d := picking(t, 120, 36, fewSessions(t))
	d.press("G", "enter")
	if d.front == nil || d.s.loaded() {
		t.Fatal("a file that cannot be read was opened")
	}
	d.matches(`s2.jsonl:1:1: .*a session is JSON`)
	d.press("k", "enter")
	if d.front != nil {
		t.Error("nothing can be opened after a failure")
	}
}

func TestPickerWithoutSessions(t *testing.T) {
	d := picking(t, 80, 24, nil)
	d.has("no sessions found on this machine")
	d.has("lessons 2")
	d.press("enter")
	if !d.s.loaded() || d.s.conv.Path != "lesson:demo" {
		t.Error("the demo is not at hand when there is nothing else")
	}
}

// The room of sessions that are not there goes to the lessons.
func TestPickerGivesRoom(t *testing.T) {
	room := func(sessions []transcript.Session) int {
		return picking(t, 120, 36, sessions).picker.place.list[onLessons].W
	}
	if with, without := room(fewSessions(t)), room(nil); without <= with {
		t.Errorf("the lessons have %d cells without sessions, and %d beside some", without, with)
	}
}

func onSession(n int) func(*driver) bool {
	return func(d *driver) bool { return d.picker.shelf().cursor == n }
}

func onShelf(n int) func(*driver) bool { return func(d *driver) bool { return d.picker.at == n } }

// Three sessions and a recent file.
var pickerCases = map[string]keyCase{
	"sessions/down": {nil, onSession(1)}, "sessions/up": {[]string{"j", "j"}, onSession(1)},
	"sessions/page down": {nil, onSession(2)}, "sessions/page up": {[]string{"G"}, onSession(0)},
	"sessions/first": {[]string{"G"}, onSession(0)}, "sessions/last": {nil, onSession(2)},
	"sessions/open":      {nil, func(d *driver) bool { return d.s.loaded() }},
	"sessions/search":    {nil, func(d *driver) bool { return d.mode == asking && d.prompt.label == "/" }},
	"sessions/next list": {nil, onShelf(onRecent)}, "sessions/previous list": {nil, onShelf(onLessons)},
	"sessions/look again": {nil, func(d *driver) bool { return d.picker.id == 2 && !d.picker.finding }},
}

func TestPickerKeepsTheKeysOfAConversation(t *testing.T) {
	d := picking(t, 120, 36, fewSessions(t))
	d.press("u", "1", "2", "y")
	if d.mode != browsing || d.at != 0 || d.front == nil {
		t.Error("keys of a conversation do something before one is open")
	}
}

func TestPickerMouse(t *testing.T) {
	sessions := fewSessions(t)
	d := picking(t, 120, 36, sessions)
	x, y := d.find("Write the changelog")
	d.click(x, y)
	if d.picker.shelf().cursor != 1 {
		t.Fatal("a click does not select")
	}
	d.send(wheelMsg{x, y, 1})
	d.send(wheelMsg{x, y, -1})
	if d.picker.shelf().cursor != 0 {
		t.Error("the wheel does not move")
	}
	x, y = d.find("Twelve messages")
	d.click(x, y)
	if d.picker.at != onLessons || d.picker.shelf().cursor != 1 {
		t.Error("a click does not give the keys to another list")
	}
	d.click(x, y)
	if !d.s.loaded() || d.s.conv.Path != "lesson:before-after" {
		t.Error("a second click does not open")
	}
}

func TestPickerEverySize(t *testing.T) {
	hostile := asked("\x1b[31mred\x1b[0m ‮back 日本語 "+strings.Repeat("wide", 40), 1)
	sessions := append(fewSessions(t), machineOf(t, hostile)...)
	for _, look := range []*draw.Look{colours(), draw.NewLook(draw.Mono, draw.Attributes, draw.ASCII)} {
		for what, keys := range map[string][]string{"list": nil, "lessons": {"tab", "tab"}, "search": {"/", "f"}, "none": {"/", "z", "z", "z"}, "help": {"?"}} {
			d := picking(t, 120, 36, sessions, sessions[0].Path)
			d.look = look
			d.press(keys...)
			for w := 0; w <= 170; w += 3 {
				for _, h := range []int{0, 11, 12, 13, 24, 36} {
					d.send(tea.WindowSizeMsg{Width: w, Height: h})
					checkFrame(t, what, d.View(), w, h, look.Glyphs.Set == draw.ASCII)
				}
			}
		}
	}
}

// TestPickerStaysFluid: a frame, a key and a search over thousands of sessions
// cost what is on the screen.
func TestPickerStaysFluid(t *testing.T) {
	cost := func(n int) float64 {
		sessions := make([]transcript.Session, n)
		for i := range sessions {
			sessions[i] = transcript.Session{Path: fmt.Sprintf("/nowhere/%d.jsonl", i), Agent: "pi", Size: 1, Modified: noon}
		}
		d := picking(t, 120, 36, sessions)
		return testing.AllocsPerRun(20, func() {
			d.picker.stop() // nothing is read meanwhile
			d.Update(keyMsg("j"))
			d.View()
		})
	}
	if few, many := cost(100), cost(5_000); many > few*1.2+10 {
		t.Errorf("%.0f allocations among 100 sessions, %.0f among 5,000", few, many)
	}
}

// TestPickerReadsWhatIsInView: what is far down is not measured.
func TestPickerReadsWhatIsInView(t *testing.T) {
	var texts []string
	for i := range 80 {
		texts = append(texts, asked(fmt.Sprint("task ", i), 1))
	}
	d := picking(t, 80, 24, machineOf(t, texts...))
	measured := func() (n int) {
		for _, o := range d.picker.offers[onMachine] {
			if o.session.Measured {
				n++
			}
			if o.session.Title == "" {
				t.Fatalf("%s was never looked at", o.session.Path)
			}
		}
		return n
	}
	rows := d.picker.shelf().rows
	if got := measured(); got != 2*rows {
		t.Errorf("%d are measured, %d are in view", got, rows)
	}
	d.press("G")
	if got := measured(); got != 3*rows {
		t.Errorf("%d are measured after going to the end", got)
	}
}

func TestAge(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"now": 59 * time.Second, "1m": time.Minute, "59m": time.Hour - 1, "47h": 47 * time.Hour, "2d": 48 * time.Hour,
		"2w": 14 * 24 * time.Hour, "52w": 364 * 24 * time.Hour, "1y": 400 * 24 * time.Hour,
	} {
		if got := Age(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
	if got := Age(-time.Hour); got != "now" {
		t.Errorf("a file from the future is %s", got)
	}
}

// TestPickerPictures compares the picker with pictures of it.
func TestPickerPictures(t *testing.T) {
	sessions := []transcript.Session{
		{Path: "/home/ines/.claude/projects/-home-ines-shop/5e1f.jsonl", Agent: "Claude Code", Size: 3_400_000, Modified: noon, Project: "/home/ines/shop", Title: "The cart forgets what was in it", Model: "claude-opus-4-6", Counts: transcript.Counts{Measured: true, Conversations: 1, Messages: 412, Tokens: 171_204, Compactions: 2}},
		{Path: "/home/ines/.codex/sessions/2026/02/28/rollout-a.jsonl", Agent: "Codex", Size: 820_000, Modified: noon.Add(-26 * time.Hour), Project: "/home/ines/mill", Title: "Why is the mill slow at night?", Model: "gpt-5.4", Counts: transcript.Counts{Measured: true, Conversations: 1, Messages: 96, Tokens: 48_900}},
		{Path: "/home/ines/.local/share/opencode/opencode.db", Agent: "opencode", Size: 90 << 20, Modified: noon.Add(-9 * 24 * time.Hour)},
		{Path: "/home/ines/.gemini/tmp/ab12/chats/session-1.json", Agent: "Gemini CLI", Size: 12_000, Modified: noon.Add(-40 * 24 * time.Hour), Project: "/home/ines/notes"},
	}
	plain := draw.NewLook(draw.Mono, draw.Plain, draw.UTF8)
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
		for name, look := range map[string]*draw.Look{"plain": plain, "256": colours()} {
			d := picking(t, size[0], size[1], nil)
			d.look = look
			for i := range sessions {
				o := &offer{session: sessions[i], state: looked}
				if sessions[i].Measured {
					o.state = done
				}
				d.picker.offers[onMachine] = append(d.picker.offers[onMachine], o)
			}
			last := d.picker.offers[onMachine][3]
			last.state, last.why = done, last.session.Path+":1:1: the file is empty"
			d.picker.shelves[onMachine].n = len(sessions)
			d.picker.at = onMachine
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			compare(t, fmt.Sprintf("picker-%dx%d-%s", size[0], size[1], name), d.View())
		}
	}
}
