package ui

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/fixtures"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

// picker lists what can be opened: the sessions found on this machine, the
// files opened last, and the bundled lessons. It can be moved through at once;
// what a row says beyond the file's name, size and time is read in the
// background, for the rows in view first.
type picker struct {
	r *root

	w, h    int
	place   pickerPlaces
	shelves [shelves]shelf
	offers  [shelves][]*offer // what is on them
	handed  [shelves]int      // how many of those were handed out to be read
	at      int               // the shelf that has the keys
	query   string

	asked   bool // whether the machine was ever searched
	finding bool
	id      int // of the newest search; what an older one finds out is thrown away
	ctx     context.Context
	stop    context.CancelFunc
	running int                   // jobs in the background
	read    map[string]*offer     // by path, kept from one search to the next
	now     func() time.Time      // ages are told by it
	stat    func(string) *fileAge // nil for a file that is not there

	keymaps []*keymap
}

// The shelves of the picker.
const (
	onMachine = iota
	onRecent
	onLessons
	shelves
)

var shelfNames = [shelves]string{"sessions", "recent files", "lessons"}

// offer is something that can be opened.
type offer struct {
	session transcript.Session
	lesson  *fixtures.Lesson // nil for a file
	state   offerState
	why     string // it cannot be read
	words   string // what a search looks at
}

type offerState uint8

const (
	unread  offerState = iota
	reading            // a job has it
	looked             // its beginning was read
	done               // it was measured, or cannot be
)

// mostMeasured is how large a file may be to be measured in passing, in bytes.
const mostMeasured = 64 << 20

// target is what is handed to Open.
func (o *offer) target() string {
	if o.lesson != nil {
		return fixtures.Prefix + o.lesson.Name
	}
	return o.session.Path
}

// learned makes the words that a search looks at.
func (o *offer) learned() {
	if o.lesson != nil {
		o.words = o.lesson.Name + " " + o.lesson.Title
		return
	}
	s := &o.session
	o.words = strings.Join([]string{s.ProjectName(), s.Title, s.Agent, s.Model, filepath.Base(s.Path)}, " ")
}

func newPicker(r *root) *picker {
	p := &picker{r: r, read: map[string]*offer{}, now: time.Now, stat: ageOf, stop: func() {}}
	lessons := fixtures.Lessons()
	for i := range lessons {
		o := &offer{lesson: &lessons[i], state: done}
		o.learned()
		p.offers[onLessons] = append(p.offers[onLessons], o)
	}
	for i := range p.shelves {
		p.shelves[i].words = func(n int) string { return p.offers[i][n].words }
		p.shelves[i].n = len(p.offers[i])
	}
	p.keymaps = p.bindings()
	return p
}

func (p *picker) name() string { return "sessions" }

func (p *picker) keys() []*keymap { return p.keymaps }

func (p *picker) refresh() {}

func (p *picker) resize(w, h int) {
	p.w, p.h = w, h
	p.places()
	for i := range p.shelves {
		p.shelves[i].resize(p.rowsOf(i))
	}
}

// shown is called when the picker comes to the front: it looks at the machine
// anew, and goes on with what was left to read.
func (p *picker) shown() tea.Cmd {
	if p.finding || p.ctx != nil && p.ctx.Err() == nil {
		return p.work()
	}
	p.ctx, p.stop = context.WithCancel(p.r.ctx)
	p.id++
	p.finding, p.asked, p.running = true, true, 0
	return p.find()
}

// leave ends what goes on in the background.
func (p *picker) leave() {
	p.stop()
	p.finding = false
	for _, o := range p.read {
		if o.state == reading {
			o.state = unread
		}
	}
}

// found takes what is on the machine. What was read of a file that has not
// changed is kept, and so is the place of the cursor.
func (p *picker) found(sessions []transcript.Session, recent []string) {
	keep := func(s transcript.Session) *offer {
		o := p.read[s.Path]
		if o == nil || o.session.Size != s.Size || !o.session.Modified.Equal(s.Modified) {
			o = &offer{session: s}
			o.learned()
			p.read[s.Path] = o
		}
		return o
	}
	put := func(at int, offers []*offer) {
		s := &p.shelves[at]
		was := ""
		if o := p.row(at, s.cursor); o != nil {
			was = o.target()
		}
		p.offers[at], s.n, p.handed[at] = offers, len(offers), 0
		s.search(p.query)
		if i := slices.IndexFunc(offers, func(o *offer) bool { return o.target() == was }); i > 0 {
			s.find(i)
		}
	}
	all := make([]*offer, len(sessions))
	agents := map[string]string{}
	for i, s := range sessions {
		all[i] = keep(s)
		agents[s.Path] = s.Agent
	}
	put(onMachine, all)
	var files []*offer
	for _, path := range recent {
		if age := p.stat(path); age != nil {
			files = append(files, keep(transcript.Session{Path: path, Agent: agents[path], Size: age.size, Modified: age.modified}))
		}
	}
	put(onRecent, files)
	if p.at == onMachine && len(all) == 0 && p.query == "" {
		p.at = onLessons
		if len(files) > 0 {
			p.at = onRecent
		}
	}
}

// narrow searches all shelves, and gives the keys to one that has a match.
func (p *picker) narrow(query string) {
	p.query = query
	for i := range p.shelves {
		p.shelves[i].search(query)
	}
	for i := 0; i < shelves && p.shelf().len() == 0; i++ {
		p.at = (p.at + 1) % shelves
	}
}

func (p *picker) shelf() *shelf { return &p.shelves[p.at] }

// row is the offer on a row of a shelf, nil for none.
func (p *picker) row(at, y int) *offer {
	if i := p.shelves[at].at(y); i >= 0 {
		return p.offers[at][i]
	}
	return nil
}

// selected is the offer under the cursor, nil for none.
func (p *picker) selected() *offer { return p.row(p.at, p.shelf().cursor) }

func (p *picker) moved() tea.Cmd { return p.work() }

func (p *picker) searchHint() string {
	return "letters in order, of project, title, agent or model"
}

func (p *picker) searchedFor() string { return p.query }

// turn gives the keys to another shelf.
func (p *picker) turn(by int) tea.Cmd {
	p.at = (p.at + by + shelves) % shelves
	p.resize(p.w, p.h)
	return p.work()
}

// open opens what is under the cursor.
func (p *picker) open() tea.Cmd {
	o := p.selected()
	if o == nil {
		return p.r.say(draw.Dim, "nothing is selected")
	}
	return p.r.open(o.target())
}

// back takes the search away.
func (p *picker) back() bool {
	if p.query == "" {
		return false
	}
	p.narrow("")
	return true
}

func (p *picker) status() status {
	st := status{tone: draw.Dim, hints: p.named("open", "search", "next list")}
	switch {
	case p.query != "":
		st.text = searchStatusOf(p)
	case p.finding:
		st.text = "looking for sessions …"
	case p.running > 0:
		st.text = "reading what is in view …"
	}
	return st
}

func (p *picker) named(names ...string) []*binding {
	var out []*binding
	for _, name := range names {
		out = append(out, p.keymaps[0].named(name))
	}
	return out
}

// bindings are the keys of the picker.
func (p *picker) bindings() []*keymap {
	return []*keymap{{title: "sessions", bindings: append(choiceKeys(p.r, p),
		binding{[]string{"tab"}, "next list", "sessions on this machine, recent files, lessons", func() tea.Cmd { return p.turn(1) }},
		binding{[]string{"shift+tab"}, "previous list", "the list before", func() tea.Cmd { return p.turn(-1) }},
		binding{[]string{"r"}, "look again", "look for sessions again", p.again},
	)}}
}

// again searches the machine anew.
func (p *picker) again() tea.Cmd {
	p.leave()
	return p.shown()
}
