package transcript

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// chain writes records that each name the one before them, as agents do that
// keep a session as a tree. Those left out leave no gap: the next one is hung on
// the last that was written. A name that was written before is replaced, since
// the way through the tree would end where it comes again.
type chain struct {
	out        *bufio.Writer
	id, parent string                             // the members' names
	named      func(sum [sha256.Size]byte) string // a name in the agent's form
	last       string                             // the name written last, "" for none
	used       map[string]bool
	kept       map[string]bool // the names of the records that survive
	stamp      string          // the time of the last record, as it was written
}

// newChain begins one; from is what survives, once it has been read, nil for nothing.
func newChain(w io.Writer, from *original, id, parent string, named func([sha256.Size]byte) string) *chain {
	c := &chain{out: bufio.NewWriter(w), id: id, parent: parent, named: named, used: map[string]bool{}, kept: map[string]bool{}}
	if from != nil {
		for _, text := range from.text {
			c.kept[str(gjson.Get(text, id))] = true
		}
	}
	return c
}

// line writes a record, relinked, on one line however its JSON was laid out.
func (c *chain) line(text string) {
	r := gjson.Parse(text)
	if r.Get(c.parent).Exists() {
		link := "null"
		if c.last != "" {
			link = quote(c.last)
		}
		text = replaced(text, c.parent, link)
		if !r.Get(c.id).Exists() { // the next one must not hang on the same
			text = members(text, nil, quote(c.id)+":"+quote(c.fresh(text)))
			r = gjson.Parse(text)
		}
	}
	if id := r.Get(c.id); id.Type == gjson.String {
		name := id.Str
		if c.used[name] {
			name = c.fresh(text)
			text = replaced(text, c.id, quote(name))
		}
		c.last, c.used[name] = name, true
	}
	if stamp := r.Get("timestamp"); stamp.Type == gjson.String {
		c.stamp = stamp.Str
	}
	c.out.WriteString(oneLine(text))
	c.out.WriteByte('\n')
}

// fresh is a name that no record has: the same one for the same record in the
// same place, so that what is written does not depend on when it is.
func (c *chain) fresh(text string) string {
	for n := 0; ; n++ {
		if name := c.named(sha256.Sum256(fmt.Appendf(nil, "%s %d %s", c.last, n, text))); !c.used[name] && !c.kept[name] {
			return name
		}
	}
}

// at is the time for a record made from the model: its own, or that of the
// record before it.
func (c *chain) at(t time.Time) string {
	if t.IsZero() && c.stamp != "" {
		return c.stamp
	}
	return timeText(t)
}

// timeText is a time as agents write it.
func timeText(t time.Time) string {
	if t.IsZero() {
		t = time.Unix(0, 0)
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// uuid is a random-looking UUID.
func uuid(sum [sha256.Size]byte) string {
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // version 8: made by a rule of one's own
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// oneLine is a JSON text without line breaks; its strings and numbers stay as written.
func oneLine(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		return gjson.Get(text, "@ugly").Raw
	}
	return text
}

// keptLines are the records of a message that survive, in order: those of which
// nothing was taken as they stand, and others as edit leaves them. nil when the
// message has to be made from the model.
func keptLines(from *original, m *model.Message, edit func(text string, was, now []model.Part) string) []string {
	was, same := from.before(m)
	if was == nil {
		return nil
	}
	at := kept(was.Parts, m.Parts)
	lines := []string{}
	for i, span := range was.Spans {
		text := from.text[span]
		if text == "" {
			return nil
		}
		var before, after []model.Part
		whole := true
		for n, p := range was.Parts {
			if int(p.Span) != i {
				continue
			}
			before = append(before, p)
			if at[n] < 0 {
				whole = false
				continue
			}
			now := m.Parts[at[n]]
			whole = whole && now.Output() == p.Output() && len(now.List) == len(p.List)
			after = append(after, now)
		}
		switch {
		case from.in[span] > 1 && len(before) > 0:
			return nil // the rest of the record is in other messages
		case from.in[span] > 1:
		case same || whole:
			lines = append(lines, text)
		case len(after) > 0:
			lines = append(lines, edit(text, before, after))
		}
	}
	return lines
}
