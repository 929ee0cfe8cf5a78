package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cinch/ui/draw"
)

// say writes a line of text for people.
func (a *app) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if a.ascii {
		line = inASCII(line)
	}
	a.out.WriteString(line)
	a.out.WriteByte('\n')
}

// lines writes lines that are drawn already.
func (a *app) lines(drawn []string) {
	for _, line := range drawn {
		a.say("%s", strings.TrimRight(line, " "))
	}
}

// plainer are the stand-ins for the characters that our own sentences use, as
// wide as those.
var plainer = strings.NewReplacer("·", "-", "→", ">", "⋯", "~", "…", "~", "–", "-", "−", "-", "±", "+", "×", "x", "≈", "~", "‹", "<", "›", ">")

// inASCII is a line in ASCII of the same width: what has no stand-in becomes
// question marks.
func inASCII(line string) string {
	var b strings.Builder
	for _, r := range plainer.Replace(line) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Repeat("?", draw.Width(string(r))))
		}
	}
	return b.String()
}

// oneLine is text of a file or a user, fit to stand in a line of ours.
func oneLine(s string) string { return draw.Line(s, 1000) }

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return draw.Tokens(int64(n)) + " " + what + "s"
}

// table lays cells out in columns two cells apart. The last column takes what
// room is left and is cut there; it is the one for text of a conversation.
type table struct {
	right []bool // which columns are numbers, set flush right
	whole bool   // the last column is not cut
	rows  [][]string
}

func newTable(right ...bool) *table { return &table{right: right} }

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

func (a *app) print(t *table, indent string) {
	var wide []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			wide[i] = max(wide[i], draw.Width(cell))
		}
	}
	for _, row := range t.rows {
		var b strings.Builder
		used := len(indent)
		for i, cell := range row {
			if i == len(row)-1 && (i >= len(t.right) || !t.right[i]) {
				if !t.whole {
					cell = draw.Truncate(cell, max(a.width-used, 20))
				}
				b.WriteString(cell)
				break
			}
			pad := strings.Repeat(" ", wide[i]-draw.Width(cell))
			if i < len(t.right) && t.right[i] {
				b.WriteString(pad + cell)
			} else {
				b.WriteString(cell + pad)
			}
			b.WriteString("  ")
			used += wide[i] + 2
		}
		a.say("%s%s", indent, strings.TrimRight(b.String(), " "))
	}
}

// about is a number of tokens as an estimate.
func about(n int64) string { return "~" + draw.Tokens(n) }

// signed is a change in tokens.
func signed(n int64) string {
	switch {
	case n > 0:
		return "+" + draw.Tokens(n)
	case n < 0:
		return "−" + draw.Tokens(-n)
	}
	return "±0"
}

// wrap writes a sentence of ours in lines that begin with an indent.
func (a *app) wrap(indent, sentence string) {
	for _, line := range draw.Wrap(sentence, max(a.width-len(indent), 20)) {
		a.say("%s%s", indent, line)
	}
}
