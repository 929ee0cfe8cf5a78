package summarize

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// list is what was found, in order, each thing once and where it was last seen.
type list struct{ items []string }

func (l *list) add(item string) {
	if item == "" {
		return
	}
	if at := slices.Index(l.items, item); at >= 0 {
		l.items = slices.Delete(l.items, at, at+1)
	}
	l.items = append(l.items, item)
	if len(l.items) > 64 { // far more than is ever written
		l.items = slices.Delete(l.items, 1, 2)
	}
}

// newest is the last n of the list; of a goal, of which there is one, the first.
func (l *list) newest(n int) []string {
	if n == 1 && len(l.items) > 0 {
		return l.items[:1]
	}
	return l.items[max(0, len(l.items)-n):]
}

// files is the files that calls named, the last touched last, with the tools
// that touched them.
type files struct {
	order list
	tools map[string][]string
}

func (f *files) touch(path, tool string) {
	if f.tools == nil {
		f.tools = map[string][]string{}
	}
	f.order.add(path)
	if tool != "" && !slices.Contains(f.tools[path], tool) {
		f.tools[path] = append(f.tools[path], tool)
	}
}

func (f *files) lines(n int) []string {
	var out []string
	for _, path := range f.order.newest(n) {
		line := path
		if tools := f.tools[path]; len(tools) > 0 {
			line += " (" + strings.Join(tools, ", ") + ")"
		}
		out = append(out, line)
	}
	return out
}

// tally counts words.
type tally struct {
	order []string
	count map[string]int
}

func (t *tally) add(word string) {
	if t.count == nil {
		t.count = map[string]int{}
	}
	if t.count[word]++; t.count[word] == 1 {
		t.order = append(t.order, word)
	}
}

// read counts the identifiers in a text.
func (t *tally) read(text string) {
	for _, m := range identifiers.FindAllStringSubmatch(text, -1) {
		word := m[1] + m[2]
		if n := utf8.RuneCountInString(word); n > 2 && n <= 60 {
			t.add(word)
		}
	}
}

// most is the n words seen most often, in one line.
func (t *tally) most(n int) []string {
	words := slices.Clone(t.order)
	slices.SortStableFunc(words, func(a, b string) int { return t.count[b] - t.count[a] })
	if len(words) == 0 {
		return nil
	}
	return []string{strings.Join(words[:min(n, len(words))], ", ")}
}

// text writes the digest in at most limit characters: the longest section loses
// an item until it fits, and what is left is cut off last of all.
func (d *digest) text(limit int) string {
	all := d.sections()
	for {
		out := write(all)
		if utf8.RuneCountInString(out) <= limit {
			return out
		}
		longest := -1
		for i, s := range all {
			if len(s.items) > 1 && (longest < 0 || size(s.items) > size(all[longest].items)) {
				longest = i
			}
		}
		if longest < 0 {
			return clip(all, limit)
		}
		if s := &all[longest]; s.last {
			s.items = s.items[1:]
		} else {
			s.items = s.items[:len(s.items)-1]
		}
	}
}

// clip writes sections of one item each: whole ones from the end are left out,
// then what is left is cut off.
func clip(all []section, limit int) string {
	for i := len(all) - 1; i > 0; i-- {
		all[i].items = nil
		if out := write(all); out != "" && utf8.RuneCountInString(out) <= limit {
			return out
		}
	}
	runes := []rune(write(all))
	if len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return string(runes)
}

func size(items []string) (n int) {
	for _, s := range items {
		n += len(s)
	}
	return n
}

func write(all []section) string {
	var b strings.Builder
	for _, s := range all {
		if len(s.items) == 0 {
			continue
		}
		b.WriteString(s.name + ":\n")
		for _, item := range s.items {
			b.WriteString("- " + item + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
