package ui

import (
	"fmt"
	"strings"

	"cinch/model"
	"cinch/ui/draw"
)

func (c *chooser) lines() []string {
	l := c.r.look
	f := draw.NewFrame(l, c.w, c.h)
	rest := draw.Rect{W: c.w, H: c.h}
	if c.h >= 12 {
		var facts, rule draw.Rect
		rest, facts = rest.Bottom(factLines)
		rest, rule = rest.Bottom(1)
		f.Put(rule, draw.Rule(l, rule.W, nil, nil))
		f.Put(facts, c.facts(facts.W, facts.H)...)
	}
	f.Put(rest, c.rows(rest.W)...)
	return f.Lines()
}

// nodeColumns are the cells of the columns.
type nodeColumns struct{ messages, tokens, passes, model int }

func (c *chooser) columns() nodeColumns {
	at := nodeColumns{messages: 8, tokens: 7}
	if c.w >= 60 {
		at.passes = 6
	}
	if c.w >= 100 {
		at.model = 20
	}
	return at
}

func (c *chooser) rows(w int) []string {
	l, at := c.r.look, c.columns()
	sheet := l.Sheet(w)
	pen := sheet.Line().Space(1)
	number := func(tone draw.Token, cells int, text string) {
		if cells > 0 {
			pen.Right(tone, own(l, text), pen.At()+cells).Space(2)
		}
	}
	head := draw.Dim
	number(head, at.messages, "messages")
	number(head, at.tokens, "tokens")
	number(head, at.passes, "passes")
	if at.model > 0 {
		end := pen.At() + at.model
		pen.Text(head, "model").To(end).Space(2)
	}
	pen.Text(head, "conversation")
	if c.list.len() == 0 {
		sheet.Line().Space(2).Text(draw.Dim, "no match")
	}
	for y := c.list.top; y < min(c.list.top+c.list.rows, c.list.len()); y++ {
		n := &c.nodes[c.list.at(y)]
		if y == c.list.cursor {
			pen = sheet.Line().On(draw.Cursor).Cell(draw.Accent, l.Glyphs.Cursor, 1)
		} else {
			pen = sheet.Line().Space(1)
		}
		messages, tokens, passes, name := len(n.conv.View(model.Context)), "·", "", ""
		if n.branch != nil {
			messages, tokens = n.branch.Messages, ""
		} else {
			if k, known := c.tokens[n.conv]; known {
				tokens = draw.Short(k)
			}
			if k := len(n.conv.Compactions); k > 0 {
				passes = draw.Tokens(int64(k))
			}
			name = n.conv.Model
		}
		number(draw.Text, at.messages, draw.Tokens(int64(messages)))
		number(draw.Strong, at.tokens, tokens)
		number(draw.Text, at.passes, passes)
		if at.model > 0 {
			end := pen.At() + at.model
			pen.Preview(draw.Dim, name, at.model).To(end).Space(2)
		}
		pen.Space(2 * min(n.depth, 8))
		switch {
		case n.branch != nil && n.branch.Active:
			pen.Text(draw.Good, "branch, active").Space(2).Preview(draw.Text, branchTitle(n.branch), pen.Left())
		case n.branch != nil:
			pen.Text(draw.Accent, "branch").Space(2).Preview(draw.Text, branchTitle(n.branch), pen.Left())
		case n.depth > 0:
			pen.Text(draw.Accent, n.number).Space(2).Preview(draw.Text, nameOf(n.conv), pen.Left())
		default:
			pen.Text(draw.Dim, n.number).Space(2).Preview(draw.Text, nameOf(n.conv), pen.Left())
		}
	}
	return sheet.Lines()
}

func branchTitle(b *model.Branch) string {
	if b.Title != "" {
		return b.Title
	}
	return b.ID
}

// facts says what is known of the row under the cursor.
func (c *chooser) facts(w, h int) []string {
	n := c.selected()
	if n == nil {
		return nil
	}
	l := c.r.look
	title, id := nameOf(n.conv), n.conv.ID
	var facts []string
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	switch {
	case n.branch != nil:
		title, id = branchTitle(n.branch), "--branch "+n.branch.ID
		add("%s", count(n.branch.Messages, "message"))
		if !n.branch.Time.IsZero() {
			add("%s", n.branch.Time.UTC().Format("2006-01-02 15:04"))
		}
	default:
		if id != "" {
			id = "--session " + id
		}
		if n.depth > 0 {
			add("subagent")
			if n.conv.CallID != "" {
				add("started by the call %s", n.conv.CallID)
			}
		}
		add("%s", count(len(n.conv.View(model.Context)), "message"))
		if k, known := c.tokens[n.conv]; known {
			add("~%s tokens", draw.Tokens(k))
		}
		if k := len(n.conv.Compactions); k > 0 {
			add("%s", count(k, "recorded compaction"))
		}
		if n.conv.Model != "" {
			add("%s", n.conv.Model)
		}
		if n.conv.Dir != "" {
			add("%s", n.conv.Dir)
		}
	}
	out := []string{
		l.Pen(w).Space(1).Preview(draw.Strong, title, w-2).String(),
		l.Pen(w).Space(1).Preview(draw.Dim, id, w-2).String(),
		l.Pen(w).Space(1).Preview(draw.Text, own(l, strings.Join(facts, " · ")), w-2).String(),
	}
	return out[:min(len(out), h)]
}
