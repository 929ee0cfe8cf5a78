package draw

import "strconv"

// Who is who a message is from, as the list says it.
type Who uint8

const (
	WhoUser Who = iota
	WhoAssistant
	WhoCall
	WhoResult
	WhoSystem
	WhoSummary
)

func (w Who) String() string { return who[w].word }

var who = [...]struct {
	word, short string
	tone        Token
}{
	{"user", "user", KindUser}, {"assistant", "asst", KindAssistant}, {"call", "call", KindCalls},
	{"result", "res", KindResults}, {"system", "sys", KindSystem}, {"summary", "sum", KindSummary},
}

// Fate is what a pass makes of a message, or which of the two buffers it stands
// in where no pass runs: one word each.
type Fate uint8

const (
	NoFate Fate = iota
	First
	Recent
	Paired
	Reattached
	Dropped
	Emptied
	Cleared
	Summarised
	Inserted
	History
	Pending
)

func (f Fate) String() string {
	return [...]string{"", "first", "recent", "paired", "reattached", "dropped", "emptied", "cleared", "summarised", "inserted", "history", "pending"}[f]
}

var fateTones = [...]Token{Text, FateFirst, FateRecent, FatePaired, FateReattached, FateDropped, FateEmptied, FateShrunk, FateShrunk, FateInserted, Dim, Dim}

func (g *Glyphs) fate(f Fate) string {
	switch f {
	case First, Recent:
		return g.Kept
	case Paired:
		return g.Guarded
	case Reattached, Inserted:
		return g.Inserted
	case Dropped:
		return g.Dropped
	case Emptied:
		return g.Emptied
	case Cleared, Summarised:
		return g.Shrunk
	}
	return " "
}

// gone reports whether the message is not sent any more.
func (f Fate) gone() bool { return f == Dropped || f == Emptied }

// Row is one message of a list.
type Row struct {
	Index  int // the message's number, -1 for one that has none
	Who    Who
	Tokens int64
	Fate   Fate
	Note   string // a word before the text: open, lone, 2/3 answered
	Text   string // of the conversation; shown as Line makes it
	Hits   []int  // ascending byte offsets into Text that a search found; Text must then be as Line leaves it
	Ground Ground
}

// List is the columns of a list of messages, the same for all its rows, each of
// which is a line of a sheet. Text of the conversation is the last column, so that
// nothing depends on how wide a terminal draws it.
type List struct {
	Gutter  *Gutter
	Count   int   // messages in the conversation
	Largest int64 // tokens of the largest message
	Brackets
	Estimate bool
}

// columns is where the columns of a list begin; a width of zero leaves one out.
type columns struct {
	numbers, who, tokens, fate int // cells
	words                      bool
}

func (t *List) columns(width int) columns {
	c := columns{numbers: digits(int64(t.Count - 1)), who: 9, tokens: tokensWidth(t.Largest), fate: 12, words: true}
	c.tokens = max(c.tokens, len("tokens"))
	c.numbers = max(c.numbers, 2)
	base := 1 + t.gutter().Width() + 1
	room := func() int { return width - base - c.numbers - c.who - c.tokens - c.fate - 8 }
	if room() < 16 {
		c.fate, c.words = 1, false
	}
	if room() < 12 {
		c.who = 4
	}
	if room() < 10 {
		c.tokens = 0
	}
	return c
}

var noGutter = NewGutter(nil, nil, nil)

func (t *List) gutter() *Gutter {
	if t.Gutter == nil {
		return noGutter
	}
	return t.Gutter
}

// Header names the columns.
func (t *List) Header(s *Sheet) {
	p := s.Line()
	c := t.columns(p.max)
	p.To(2+t.gutter().Width()).Right(Dim, "#", p.At()+c.numbers)
	p.Space(2).TextIn(Dim, "who", c.who).To(2 + t.gutter().Width() + c.numbers + 2 + c.who)
	if c.tokens > 0 {
		p.Right(Dim, "tokens", p.At()+1+c.tokens)
	}
	p.Space(2)
	if c.words {
		p.Text(Dim, "fate").To(p.At() - 4 + c.fate)
	} else {
		p.Space(c.fate)
	}
	p.Space(2).Text(Dim, "what")
}

// Row draws one message.
func (t *List) Row(s *Sheet, r *Row) {
	p := s.Line().On(r.Ground)
	c, g := t.columns(p.max), p.l.Glyphs
	if r.Ground == Cursor {
		p.Cell(Accent, g.Cursor, 1)
	} else {
		p.Space(1)
	}
	t.gutter().draw(p, r.Index, &t.Brackets)
	text, tone := Text, who[r.Who].tone
	if r.Fate.gone() {
		text, tone = Dim, Dim
	}
	if r.Index >= 0 {
		p.number(Dim, int64(r.Index), p.At()+c.numbers, false)
	} else {
		p.Space(c.numbers)
	}
	p.Space(2)
	at := p.At()
	name := who[r.Who].word
	if len(name) > c.who {
		name = who[r.Who].short
	}
	p.Text(tone, name).To(at + c.who)
	if c.tokens > 0 {
		p.number(text, r.Tokens, p.At()+1+c.tokens, true)
	}
	p.Space(2)
	at = p.At()
	if r.Fate != NoFate {
		p.Cell(fateTones[r.Fate], g.fate(r.Fate), 1)
		if c.words {
			p.Space(1).Text(fateTones[r.Fate], r.Fate.String())
		}
	}
	p.To(at + c.fate).Space(2)
	if r.Note != "" {
		p.Text(Warning, r.Note).Space(1)
	}
	if len(r.Hits) == 0 {
		p.Preview(text, r.Text, p.Left())
	} else {
		hits(p, text, r.Text, r.Hits)
	}
}

// hits writes text with the characters at the given byte offsets marked.
func hits(p *Pen, tone Token, s string, at []int) {
	shown := p.l.Glyphs.Line(s, p.Left())
	if shown != s && !sharesPrefix(shown, s, p.l.Glyphs.Ellipsis) {
		p.Preview(tone, s, p.Left())
		return
	}
	same := len(shown) // bytes shown and s have in common
	if shown != s {
		same -= len(p.l.Glyphs.Ellipsis)
	}
	from, mark := 0, false // the piece that is still to be written, and its look
	next := 0
	for i := 0; i < same; {
		n, w := cluster(shown[i:])
		for next < len(at) && at[next] < i {
			next++
		}
		hit := next < len(at) && at[next] < i+n
		if hit != mark && w > 0 {
			p.Text(hitTone(tone, mark), shown[from:i])
			from, mark = i, hit
		}
		i += n
	}
	p.Text(hitTone(tone, mark), shown[from:same])
	p.Text(tone, shown[same:])
}

func hitTone(tone Token, hit bool) Token {
	if hit {
		return Match
	}
	return tone
}

// sharesPrefix reports whether shown is s cut short with an ellipsis.
func sharesPrefix(shown, s, ellipsis string) bool {
	n := len(shown) - len(ellipsis)
	return n >= 0 && n <= len(s) && shown[:n] == s[:n]
}

// Fold draws a run of messages as one row: ⋯  404 messages, 3–406.
func (t *List) Fold(s *Sheet, first, last int, tokens int64, fate Fate, ground Ground) {
	p := s.Line().On(ground)
	c, g := t.columns(p.max), p.l.Glyphs
	if ground == Cursor {
		p.Cell(Accent, g.Cursor, 1)
	} else {
		p.Space(1)
	}
	t.gutter().drawFold(p, first, last, &t.Brackets)
	at := p.At()
	p.Right(Dim, g.Fold, at+c.numbers).Space(2 + c.who)
	if c.tokens > 0 {
		p.number(Dim, tokens, p.At()+1+c.tokens, true)
	}
	p.Space(2)
	at = p.At()
	if fate != NoFate {
		p.Cell(fateTones[fate], g.fate(fate), 1)
		if c.words {
			p.Space(1).Text(fateTones[fate], fate.String())
		}
	}
	p.To(at + c.fate).Space(2)
	p.Text(Dim, Tokens(int64(last-first+1))+" messages, "+strconv.Itoa(first)+g.Dash+strconv.Itoa(last))
}

// Cut draws the line at which a pass cuts. Where pair safety moved it, from is
// where it stood before; else from and to are the same.
func (t *List) Cut(s *Sheet, from, to int) {
	p := s.Line()
	g := p.l.Glyphs
	text := " cut " + strconv.Itoa(to) + " "
	if from != to {
		text = " cut " + strconv.Itoa(from) + " " + g.Arrow + " " + strconv.Itoa(to) + " "
	}
	p.Cell(CutLine, g.Heavy, 3).Text(CutLine, text).Cell(CutLine, g.Heavy, p.Left())
}
