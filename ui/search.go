package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"cinch/compactor"
	"cinch/model"
	"cinch/ui/draw"
)

// search finds messages. What is typed is looked for in the whole text; where
// nothing holds it, letters in the right order in the list's own line are enough.
// It runs in the background, and only the newest counts.
type search struct {
	query string
	id    int
	stop  context.CancelFunc
	hits  []int // positions, ascending
	fuzzy bool
	busy  bool
	jump  bool // the cursor goes to the first match once it is found
}

type foundMsg struct {
	of    *search
	id    int
	hits  []int
	fuzzy bool
}

func (s *search) clear() {
	if s.stop != nil {
		s.stop()
	}
	*s = search{id: s.id + 1}
}

// start looks for a query in messages.
func (s *search) start(parent context.Context, messages []*model.Message, query string) tea.Cmd {
	s.clear()
	s.query = query
	if query == "" {
		return nil
	}
	ctx, stop := context.WithCancel(parent)
	s.stop, s.busy = stop, true
	id := s.id
	return func() tea.Msg {
		hits, loose := find(ctx, messages, query)
		return foundMsg{s, id, hits, loose}
	}
}

// found takes a result, and reports whether it is the one waited for.
func (s *search) found(m foundMsg) bool {
	if m.of != s || m.id != s.id {
		return false
	}
	s.hits, s.fuzzy, s.busy = m.hits, m.fuzzy, false
	return true
}

// from is the match that comes next from a message on, in a direction, around
// the ends; there must be one.
func (s *search) from(message, by int) (hit int, around bool) {
	i, here := slices.BinarySearch(s.hits, message)
	if by < 0 {
		i--
	} else if here {
		i++
	}
	if i < 0 || i >= len(s.hits) {
		i, around = (i+len(s.hits))%len(s.hits), true
	}
	return s.hits[i], around
}

// first is the match a search goes to: the first from a message on.
func (s *search) first(message int) int {
	i, _ := slices.BinarySearch(s.hits, message)
	return s.hits[i%len(s.hits)]
}

// status is the query with the place of a message among its matches.
func (s *search) status(message int) string {
	how := ""
	if s.fuzzy {
		how = ", letters in order"
	}
	switch at, here := slices.BinarySearch(s.hits, message); {
	case s.busy:
		return "/" + s.query + "  searching …"
	case len(s.hits) == 0:
		return "/" + s.query + "  not found"
	case here:
		return fmt.Sprintf("/%s  %d/%d%s", s.query, at+1, len(s.hits), how)
	}
	return fmt.Sprintf("/%s  %s%s", s.query, count(len(s.hits), "message"), how)
}

// find gives the messages that hold a query, or else those whose line in the
// list has its letters in order.
func find(ctx context.Context, messages []*model.Message, query string) (hits []int, loose bool) {
	needle := newNeedle(query)
	for i, m := range messages {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, false
		}
		if needle.inMessage(m) {
			hits = append(hits, i)
		}
	}
	if len(hits) > 0 {
		return hits, false
	}
	lines := make([]string, len(messages))
	for i, m := range messages {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, false
		}
		lines[i] = gist(m)
	}
	for _, f := range fuzzy.FindNoSort(query, lines) {
		if near(f.MatchedIndexes, len(query)) {
			hits = append(hits, f.Index)
		}
	}
	slices.Sort(hits)
	return hits, true
}

// near reports whether letters stand close enough together to be meant: on
// average no more than two others between them.
func near(at []int, letters int) bool {
	return len(at) > 0 && at[len(at)-1]-at[0] < 4*letters
}

// needle is a query with smart case: a capital letter in it makes case count.
type needle struct {
	text string
	fold bool
}

func newNeedle(query string) needle {
	lower := strings.ToLower(query)
	if lower == query {
		return needle{lower, true}
	}
	return needle{query, false}
}

func (n needle) inMessage(m *model.Message) bool {
	for i := range m.Parts {
		if n.inPart(&m.Parts[i]) {
			return true
		}
	}
	return false
}

func (n needle) inPart(p *model.Part) bool {
	if n.in(p.Text) >= 0 || n.in(p.Name) >= 0 {
		return true
	}
	for i := range p.List {
		if n.inPart(&p.List[i]) {
			return true
		}
	}
	return false
}

// in is where the needle is in s, -1 when it is not.
func (n needle) in(s string) int {
	if !n.fold {
		return strings.Index(s, n.text)
	}
	first, size := utf8.DecodeRuneInString(n.text)
	upper := unicode.ToUpper(first)
	if size > 1 || upper >= utf8.RuneSelf {
		return strings.Index(strings.ToLower(s), n.text)
	}
	for from := 0; from+len(n.text) <= len(s); {
		rest := s[from:]
		at := strings.IndexByte(rest, byte(first))
		if byte(upper) != byte(first) {
			if up := strings.IndexByte(rest[:end(at, len(rest))], byte(upper)); up >= 0 {
				at = up
			}
		}
		if at < 0 || at+len(n.text) > len(rest) {
			return -1
		}
		if strings.EqualFold(rest[at:at+len(n.text)], n.text) {
			return from + at
		}
		from += at + 1
	}
	return -1
}

func end(at, n int) int {
	if at < 0 {
		return n
	}
	return at
}

// marks is where a row's text shows what was searched for, as byte offsets.
func (s *search) marks(line string) []int {
	if s.query == "" {
		return nil
	}
	var out []int
	n := newNeedle(s.query)
	for from := 0; ; {
		at := n.in(line[from:])
		if at < 0 {
			break
		}
		for i := range len(s.query) {
			out = append(out, from+at+i)
		}
		from += at + len(s.query)
	}
	if out != nil || !s.fuzzy {
		return out
	}
	if f := fuzzy.Find(s.query, []string{line}); len(f) > 0 && near(f[0].MatchedIndexes, len(s.query)) {
		return f[0].MatchedIndexes
	}
	return nil
}

// fates that the list draws.
var drawnFate = map[compactor.Fate]draw.Fate{
	compactor.First: draw.First, compactor.Recent: draw.Recent, compactor.Paired: draw.Paired,
	compactor.Reattached: draw.Reattached, compactor.Dropped: draw.Dropped, compactor.Emptied: draw.Emptied,
}
