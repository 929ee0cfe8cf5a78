package transcript

import (
	"bufio"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// chain writes records that each name the one before them, as agents do that
// keep a session as a tree. Those left out leave no gap: the next one is hung on
// the last that was written.
type chain struct {
	out        *bufio.Writer
	id, parent string // the members' names
	last       string // the id written last
	wrote      bool
}

// line writes a record, relinked, on one line however its JSON was laid out.
func (c *chain) line(text string) {
	r := gjson.Parse(text)
	if r.Get(c.parent).Exists() {
		link := "null"
		if c.wrote {
			link = quote(c.last)
		}
		text = replaced(text, c.parent, link)
	}
	if id := r.Get(c.id); id.Type == gjson.String {
		c.last, c.wrote = id.Str, true
	}
	if strings.Contains(text, "\n") {
		text = model.CompactJSON(text)
	}
	c.out.WriteString(text)
	c.out.WriteByte('\n')
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
		case same || whole:
			lines = append(lines, text)
		case len(after) > 0:
			lines = append(lines, edit(text, before, after))
		}
	}
	return lines
}
