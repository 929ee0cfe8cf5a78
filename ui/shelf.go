package ui

import (
	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"cinch/ui/draw"
)

// shelf is a list that can be moved through and narrowed by a search. What is
// on it is known to whoever draws it; a shelf knows places and words.
type shelf struct {
	n      int
	words  func(i int) string // what a search looks at
	found  []int              // what the search left, the best first; nil when there is none
	cursor int                // row
	top    int                // first row shown
	rows   int                // rows there is room for
}

// len is how many rows there are.
func (s *shelf) len() int {
	if s.found != nil {
		return len(s.found)
	}
	return s.n
}

// at is what row y shows, -1 for none.
func (s *shelf) at(y int) int {
	switch {
	case y < 0 || y >= s.len():
		return -1
	case s.found != nil:
		return s.found[y]
	}
	return y
}

// selected is what the cursor stands on, -1 for nothing.
func (s *shelf) selected() int { return s.at(s.cursor) }

// moveTo puts the cursor on a row, and the row on the screen.
func (s *shelf) moveTo(y int) {
	s.cursor = min(max(y, 0), max(s.len()-1, 0))
	s.top = max(min(s.top, s.cursor), s.cursor-s.rows+1)
	s.top = max(0, min(s.top, s.len()-s.rows))
}

// find puts the cursor on something, where it is shown.
func (s *shelf) find(i int) {
	for y := range s.len() {
		if s.at(y) == i {
			s.moveTo(y)
			return
		}
	}
}

func (s *shelf) resize(rows int) {
	s.rows = max(rows, 1)
	s.moveTo(s.cursor)
}

// String and Len are what package fuzzy searches.
func (s *shelf) String(i int) string { return s.words(i) }
func (s *shelf) Len() int            { return s.n }

// search narrows the list, and goes to the best match.
func (s *shelf) search(query string) {
	s.found = nil
	if query != "" {
		matches := fuzzy.FindFrom(query, s)
		s.found = make([]int, len(matches))
		for i, m := range matches {
			s.found[i] = m.Index
		}
	}
	s.moveTo(0)
}

// again searches anew after words have changed, and stays where it was.
func (s *shelf) again(query string) {
	was := s.selected()
	s.search(query)
	s.find(was)
}

// choice is a screen of shelves, one of which has the keys.
type choice interface {
	shelf() *shelf
	moved() tea.Cmd      // the cursor has moved
	open() tea.Cmd       // what it stands on is to be opened
	narrow(string)       // a search is being typed
	turn(by int) tea.Cmd // another shelf is to have the keys
	searchHint() string  // what a search looks at
	searchedFor() string // the search in force
}

func stepIn(c choice, by int) tea.Cmd {
	c.shelf().moveTo(c.shelf().cursor + by)
	return c.moved()
}

func goIn(c choice, y int) tea.Cmd {
	c.shelf().moveTo(y)
	return c.moved()
}

// choiceKeys are the bindings that every choice has.
func choiceKeys(r *root, c choice) []binding {
	return []binding{
		{[]string{"j", "down"}, "down", "the next row", func() tea.Cmd { return stepIn(c, 1) }},
		{[]string{"k", "up"}, "up", "the row before", func() tea.Cmd { return stepIn(c, -1) }},
		{[]string{"ctrl+d", "pgdown"}, "page down", "one page down", func() tea.Cmd { return stepIn(c, c.shelf().rows) }},
		{[]string{"ctrl+u", "pgup"}, "page up", "one page up", func() tea.Cmd { return stepIn(c, -c.shelf().rows) }},
		{[]string{"g", "home"}, "first", "the first row", func() tea.Cmd { return goIn(c, 0) }},
		{[]string{"G", "end"}, "last", "the last row", func() tea.Cmd { return goIn(c, 1<<30) }},
		{[]string{"enter", "right", "l"}, "open", "open what is under the cursor", c.open},
		{[]string{"/"}, "search", "narrow the list as you type: " + c.searchHint(), func() tea.Cmd { return askNarrow(r, c) }},
	}
}

// askNarrow asks for a search that narrows as it is typed. The arrows move
// meanwhile, enter opens.
func askNarrow(r *root, c choice) tea.Cmd {
	pr := newPrompt("/", c.searchHint()+"; enter opens, esc leaves", c.searchedFor(), func(string) (tea.Cmd, error) {
		if c.shelf().selected() < 0 {
			return nil, nil
		}
		return c.open(), nil
	})
	narrow := func(text string) tea.Cmd {
		c.narrow(text)
		return c.moved()
	}
	pr.change = narrow
	pr.cancel = func() tea.Cmd { return narrow("") }
	page := func() int { return c.shelf().rows }
	pr.keys = map[string]func() tea.Cmd{
		"up": func() tea.Cmd { return stepIn(c, -1) }, "ctrl+p": func() tea.Cmd { return stepIn(c, -1) },
		"down": func() tea.Cmd { return stepIn(c, 1) }, "ctrl+n": func() tea.Cmd { return stepIn(c, 1) },
		"pgup": func() tea.Cmd { return stepIn(c, -page()) }, "pgdown": func() tea.Cmd { return stepIn(c, page()) },
		"tab": func() tea.Cmd { return c.turn(1) },
	}
	return r.ask(pr)
}

// searchStatusOf says how a search that is in force stands.
func searchStatusOf(c choice) string {
	n := c.shelf().len()
	if n == 1 {
		return "/" + c.searchedFor() + "  1 match"
	}
	return "/" + c.searchedFor() + "  " + draw.Tokens(int64(n)) + " matches"
}
