package ui

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cinch/model"
	"cinch/model/token"
	"cinch/ui/draw"
)

// chooser lists what a file holds: its conversations, the branches of those that
// are trees, and the subagents they started, each below its parent.
type chooser struct {
	r *root

	w, h   int
	list   shelf
	query  string
	opened *Opened
	nodes  []node
	tokens map[*model.Conversation]int64
	id     int
	busy   bool
	ctx    context.Context
	stop   context.CancelFunc

	keymaps []*keymap
}

// node is one row: a conversation, or a branch of one.
type node struct {
	conv    *model.Conversation
	branch  *model.Branch // nil for the conversation itself
	session string        // what finds the conversation in the file
	number  string        // what the row is called: a number, or what it is
	depth   int
	words   string
}

// countedMsg carries sizes in tokens that were counted in the background.
type countedMsg struct {
	id     int
	tokens map[*model.Conversation]int64
}

func newChooser(r *root) *chooser {
	c := &chooser{r: r, stop: func() {}}
	c.list.words = func(i int) string { return c.nodes[i].words }
	c.keymaps = []*keymap{{title: "conversations", bindings: append(choiceKeys(r, c),
		binding{[]string{"O"}, "sessions", "back to the sessions on this machine", func() tea.Cmd { return r.face(r.picker) }})}}
	return c
}

// take lists what a file holds, with the cursor on a conversation.
func (c *chooser) take(o *Opened, at *model.Conversation) {
	if c.opened != o {
		c.opened, c.query, c.tokens = o, "", map[*model.Conversation]int64{}
		c.nodes = nil
		for _, conv := range o.File.Conversations {
			session := sessionName(o.File, conv)
			c.add(conv, session, session, 0)
		}
		c.list.n = len(c.nodes)
		c.list.search("")
	}
	for i := range c.nodes {
		if n := &c.nodes[i]; n.conv == at && (n.branch == nil || n.branch.Active) {
			c.list.find(i)
		}
	}
}

func (c *chooser) add(conv *model.Conversation, session, number string, depth int) {
	c.nodes = append(c.nodes, node{conv: conv, session: session, number: number, depth: depth, words: strings.Join([]string{nameOf(conv), conv.ID, conv.Model}, " ")})
	if len(conv.Branches) > 1 {
		for i := range conv.Branches {
			b := &conv.Branches[i]
			c.nodes = append(c.nodes, node{conv: conv, branch: b, session: session, number: "branch", depth: depth + 1, words: b.Title + " " + b.ID})
		}
	}
	for _, child := range conv.Children {
		c.add(child, child.ID, "subagent", depth+1)
	}
}

func (c *chooser) name() string        { return "conversations" }
func (c *chooser) keys() []*keymap     { return c.keymaps }
func (c *chooser) refresh()            {}
func (c *chooser) shelf() *shelf       { return &c.list }
func (c *chooser) moved() tea.Cmd      { return c.work() }
func (c *chooser) turn(int) tea.Cmd    { return nil }
func (c *chooser) searchHint() string  { return "letters in order, of titles and ids" }
func (c *chooser) searchedFor() string { return c.query }

func (c *chooser) resize(w, h int) {
	c.w, c.h = w, h
	rows := h - 1
	if h >= 12 {
		rows -= factLines + 1
	}
	c.list.resize(rows)
}

func (c *chooser) narrow(query string) {
	c.query = query
	c.list.search(query)
}

func (c *chooser) shown() tea.Cmd {
	if c.ctx == nil || c.ctx.Err() != nil {
		c.ctx, c.stop = context.WithCancel(c.r.ctx)
		c.id++
		c.busy = false
	}
	return c.work()
}

func (c *chooser) leave() { c.stop() }

// countAtOnce is how long one job counts before it tells what it has.
const countAtOnce = 50 * time.Millisecond

// work counts the conversations in view, and then the others.
func (c *chooser) work() tea.Cmd {
	if c.busy || c.ctx == nil || c.ctx.Err() != nil {
		return nil
	}
	var todo []*model.Conversation
	want := func(i int) {
		if conv := c.nodes[i].conv; c.nodes[i].branch == nil && len(todo) < 256 {
			if _, known := c.tokens[conv]; !known {
				todo = append(todo, conv)
			}
		}
	}
	for y := c.list.top; y < min(c.list.top+c.list.rows, c.list.len()); y++ {
		want(c.list.at(y))
	}
	if len(todo) == 0 {
		for i := range c.nodes {
			want(i)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	c.busy = true
	id, ctx := c.id, c.ctx
	return func() tea.Msg {
		m := countedMsg{id, map[*model.Conversation]int64{}}
		for begun := time.Now(); len(todo) > 0 && ctx.Err() == nil && (len(m.tokens) == 0 || time.Since(begun) < countAtOnce); todo = todo[1:] {
			m.tokens[todo[0]] = token.Size(todo[0])
		}
		return m
	}
}

func (c *chooser) update(msg tea.Msg) tea.Cmd {
	m, ok := msg.(countedMsg)
	if !ok || m.id != c.id || c.ctx.Err() != nil {
		return nil
	}
	c.busy = false
	for conv, n := range m.tokens {
		c.tokens[conv] = n
	}
	return c.work()
}

// selected is the row under the cursor, nil for none.
func (c *chooser) selected() *node {
	if i := c.list.selected(); i >= 0 {
		return &c.nodes[i]
	}
	return nil
}

// open looks at the conversation, or reads the file again for another branch.
func (c *chooser) open() tea.Cmd {
	n := c.selected()
	switch {
	case n == nil:
		return c.r.say(draw.Dim, "nothing is selected")
	case n.branch != nil && !n.branch.Active:
		return c.r.branch(c.opened.File.Path, n.session, n.branch.ID)
	case len(n.conv.Messages) == 0:
		return c.r.say(draw.Dim, "nothing was said in this conversation")
	case c.r.s.conv == n.conv:
		c.r.unface()
		return nil
	}
	return c.r.takeFrom(c.opened, n.conv, nil)
}

func (c *chooser) back() bool {
	switch {
	case c.query != "":
		c.narrow("")
	case !c.r.s.loaded():
		c.r.face(c.r.picker)
	default:
		return false
	}
	return true
}

func (c *chooser) status() status {
	st := status{tone: draw.Dim}
	for _, name := range []string{"open", "search"} {
		st.hints = append(st.hints, c.keymaps[0].named(name))
	}
	if c.query != "" {
		st.text = searchStatusOf(c)
	}
	return st
}

func (c *chooser) heading() (left, right string) {
	return baseName(c.opened.File.Path), c.opened.File.Format + " · " + count(len(c.opened.File.Conversations), "conversation")
}

func (c *chooser) mouse(m tea.MouseMsg) tea.Cmd {
	y := c.list.top + m.Y - 1
	if m.Action != tea.MouseActionPress || m.Y < 1 || m.Y > c.list.rows || y >= c.list.len() {
		return nil
	}
	if y == c.list.cursor {
		return c.open()
	}
	return goIn(c, y)
}

func (c *chooser) wheel(_, _, down int) tea.Cmd { return stepIn(c, down) }
