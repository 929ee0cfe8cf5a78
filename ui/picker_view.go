package ui

import (
	"fmt"
	"strings"
	"time"

	"cinch/ui/draw"
)

// pickerPlaces is where the parts of the picker are. On a wide screen the
// sessions stand beside the other two lists; on a narrow one the list that has
// the keys is the only one.
type pickerPlaces struct {
	names  draw.Rect // on a narrow screen, what the lists are called
	list   [shelves]draw.Rect
	bar    draw.Rect
	rules  [2]draw.Rect // between recent files and lessons, and above the facts
	facts  draw.Rect
	beside bool
}

const (
	factLines   = 3
	besideWidth = 36
	noneWidth   = 60 // of the sessions when there are none
)

func (p *picker) places() {
	at := &p.place
	*at = pickerPlaces{beside: p.w >= wideFrom}
	rest := draw.Rect{W: p.w, H: p.h}
	if p.h >= 12 {
		rest, at.facts = rest.Bottom(factLines)
		rest, at.rules[1] = rest.Bottom(1)
	}
	if !at.beside {
		at.names, rest = rest.Top(1)
		for i := range at.list {
			at.list[i] = rest
		}
		return
	}
	side := min(max(p.w/3, besideWidth), 64)
	if p.none() {
		side = max(side, p.w-noneWidth)
	}
	left, right := rest.Right(side)
	at.list[onMachine] = left
	at.bar, right = right.Left(1)
	files := min(max(right.H/3, 3), 12)
	if n := len(p.offers[onRecent]); n+1 < files {
		files = max(n+1, 2)
	}
	at.list[onRecent], right = right.Top(files)
	at.rules[0], at.list[onLessons] = right.Top(1)
}

// rowsOf is how many rows of a shelf there is room for.
func (p *picker) rowsOf(i int) int { return max(p.place.list[i].H-1, 1) } // less its head

// none reports that the machine was looked through and has no session.
func (p *picker) none() bool { return p.asked && !p.finding && len(p.offers[onMachine]) == 0 }

// heading is what the header says.
func (p *picker) heading() (left, right string) {
	n := len(p.offers[onMachine])
	switch {
	case p.finding && n == 0:
		return "choose what to look at", "looking for sessions …"
	case p.none():
		return "choose what to look at", "no sessions found on this machine"
	}
	return "choose what to look at", count(n, "session") + " on this machine"
}

func (p *picker) lines() []string {
	l := p.r.look
	f := draw.NewFrame(l, p.w, p.h)
	at := &p.place
	if at.beside {
		for i := range p.shelves {
			f.Put(at.list[i], p.shelfLines(i)...)
		}
		f.Put(at.bar, draw.Bar(l, at.bar.H)...)
		f.Put(at.rules[0], draw.Rule(l, at.rules[0].W, nil, nil))
	} else {
		f.Put(at.names, p.names())
		f.Put(at.list[p.at], p.shelfLines(p.at)...)
	}
	if at.facts.H > 0 {
		var join []int
		if at.beside {
			join = []int{at.bar.X}
		}
		f.Put(at.rules[1], draw.Rule(l, at.rules[1].W, join, nil))
		f.Put(at.facts, p.facts(at.facts.W, at.facts.H)...)
	}
	return f.Lines()
}

// names says which lists there are, and which one is shown.
func (p *picker) names() string {
	pen := p.r.look.Pen(p.w).Space(1)
	for i := range p.shelves {
		tone := draw.Dim
		if i == p.at {
			tone = draw.Title
		}
		mark := " "
		if i == p.at {
			mark = p.r.look.Glyphs.Cursor
		}
		pen.Cell(draw.Accent, mark, 1).Text(tone, fmt.Sprintf("%s %s", shelfNames[i], draw.Tokens(int64(p.shelves[i].len())))).Space(2)
	}
	return pen.String()
}

// shelfLines draws a list: its head, and the rows in view.
func (p *picker) shelfLines(at int) []string {
	l, s, w := p.r.look, &p.shelves[at], p.place.list[at].W
	c := columnsOf(at, w)
	out := []string{p.head(at, &c, w)}
	if s.len() == 0 {
		text := [shelves]string{"none found in the usual places; name a file: cinch FILE", "none yet", "none"}[at]
		switch {
		case p.query != "":
			text = "no match"
		case p.finding:
			text = "looking …"
		}
		return append(out, l.Pen(w).Space(2).Text(draw.Dim, text).String())
	}
	for y := s.top; y < min(s.top+s.rows, s.len()); y++ {
		out = append(out, p.offerLine(at, p.row(at, y), &c, w, y == s.cursor))
	}
	return out
}

// offerColumns are the cells of the columns of a list; zero leaves one out.
type offerColumns struct {
	age, agent, size, messages, tokens, passes, model, project int
}

func columnsOf(at, w int) offerColumns {
	if at == onLessons {
		return offerColumns{}
	}
	c := offerColumns{age: 4}
	if at == onRecent {
		return c
	}
	show := func(from, cells int) int {
		if w >= from {
			return cells
		}
		return 0
	}
	c.agent = show(44, 11)
	c.tokens = show(54, 6)
	c.project = show(60, min(max(w/6, 10), 24))
	c.messages = show(72, 6)
	c.passes = show(80, 6)
	c.size = show(104, 8)
	c.model = show(132, 20)
	return c
}

// head names a list and its columns.
func (p *picker) head(at int, c *offerColumns, w int) string {
	pen := p.r.look.Pen(w)
	tone := draw.Dim
	if p.place.beside && at == p.at {
		tone = draw.Title
	}
	pen.Space(1)
	if at != onMachine {
		if !p.place.beside {
			return pen.Space(1).Text(tone, "what").String()
		}
		return pen.Text(tone, shelfNames[at]).String()
	}
	number := func(cells int, name string) {
		if cells > 0 {
			pen.Right(tone, name, pen.At()+cells).Space(2)
		}
	}
	word := func(cells int, name string) {
		if cells > 0 {
			end := pen.At() + cells
			pen.TextIn(tone, name, cells).To(end).Space(2)
		}
	}
	number(c.age, "age")
	word(c.agent, "agent")
	number(c.messages, "msgs")
	number(c.tokens, "tokens")
	number(c.passes, "passes")
	number(c.size, "size")
	word(c.model, "model")
	word(c.project, "project")
	return pen.Text(tone, "what").String()
}

func (p *picker) offerLine(at int, o *offer, c *offerColumns, w int, here bool) string {
	l := p.r.look
	pen := l.Pen(w)
	if here && at == p.at {
		pen.On(draw.Cursor).Cell(draw.Accent, l.Glyphs.Cursor, 1)
	} else {
		pen.Space(1)
	}
	if o.lesson != nil {
		end := pen.At() + min(20, w/2)
		return pen.TextIn(draw.Key, o.lesson.Name, min(20, w/2)).To(end).Space(2).Text(draw.Text, own(l, o.lesson.Title)).String()
	}
	s := &o.session
	number := func(cells int, tone draw.Token, text string) {
		if cells > 0 {
			pen.Right(tone, own(l, text), pen.At()+cells).Space(2)
		}
	}
	word := func(cells int, tone draw.Token, text string) {
		if cells > 0 {
			end := pen.At() + cells
			pen.Preview(tone, text, cells).To(end).Space(2)
		}
	}
	messages, tokens, passes := "·", "·", ""
	switch {
	case s.Measured:
		messages, tokens = draw.Tokens(int64(s.Messages)), draw.Short(s.Tokens)
		if s.Compactions > 0 {
			passes = draw.Tokens(int64(s.Compactions))
		}
	case o.state == done, s.Size > mostMeasured:
		messages, tokens = "–", "–"
	}
	number(c.age, draw.Dim, Age(p.now().Sub(s.Modified)))
	word(c.agent, draw.Accent, s.Agent)
	number(c.messages, draw.Text, messages)
	number(c.tokens, draw.Strong, tokens)
	number(c.passes, draw.Text, passes)
	number(c.size, draw.Dim, megabytes(s.Size))
	word(c.model, draw.Dim, s.Model)
	word(c.project, draw.Text, s.ProjectName())
	switch {
	case o.why != "":
		pen.Text(draw.Fault, "cannot be read")
	case at == onRecent:
		pen.Preview(draw.Text, baseName(s.Path), pen.Left())
	default:
		if s.Conversations > 1 {
			pen.Text(draw.Dim, own(l, count(s.Conversations, "conversation")+" · "))
		}
		text := s.Title
		if text == "" {
			text = baseName(s.Path)
		}
		pen.Preview(draw.Text, text, pen.Left())
	}
	return pen.String()
}

// facts says all that is known of what is under the cursor.
func (p *picker) facts(w, h int) []string {
	l, o := p.r.look, p.selected()
	if o == nil {
		return nil
	}
	var out []string
	if o.lesson != nil {
		out = append(out, l.Pen(w).Space(1).Text(draw.Strong, own(l, o.lesson.Title)).String())
		for _, line := range draw.Wrap(own(l, o.lesson.About), max(w-2, 1)) {
			out = append(out, l.Pen(w).Space(1).Text(draw.Text, line).String())
		}
		return out[:min(len(out), h)]
	}
	s := &o.session
	title := s.Title
	if title == "" {
		title = baseName(s.Path)
	}
	var facts []string
	add := func(text string) {
		if text != "" {
			facts = append(facts, text)
		}
	}
	add(s.Agent)
	add(s.Model)
	switch {
	case o.why != "":
	case s.Measured:
		if s.Conversations > 1 {
			add(count(s.Conversations, "conversation") + ", the last:")
		}
		add(count(s.Messages, "message"))
		add("~" + draw.Tokens(s.Tokens) + " tokens")
		if s.Compactions > 0 {
			add(count(s.Compactions, "recorded compaction"))
		}
	case s.Size > mostMeasured:
		add("too large to be counted in passing")
	}
	add(megabytes(s.Size))
	add(s.Modified.In(p.now().Location()).Format("2006-01-02 15:04"))
	out = append(out, l.Pen(w).Space(1).Preview(draw.Strong, title, w-2).String())
	if o.why != "" {
		out = append(out, l.Pen(w).Space(1).Preview(draw.Fault, o.why, w-2).String())
	} else {
		out = append(out, l.Pen(w).Space(1).Preview(draw.Dim, s.Path, w-2).String())
	}
	out = append(out, l.Pen(w).Space(1).Preview(draw.Text, own(l, strings.Join(facts, " · ")), w-2).String())
	return out[:min(len(out), h)]
}

// Age says how long ago something was, in at most four cells.
func Age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 2*day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 14*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 365*day:
		return fmt.Sprintf("%dw", d/(7*day))
	}
	return fmt.Sprintf("%dy", min(d/(365*day), 999))
}
