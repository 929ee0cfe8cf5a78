package transcript

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"cinch/model"
)

// claudeSessions sorts records into conversations, the one written to last
// coming last. Records of several session ids are one conversation when a parent
// link leads from one id to the other, as after a resume.
func claudeSessions(all []*claudeRecord) [][]*claudeRecord {
	session := ""
	if !slices.ContainsFunc(all, func(r *claudeRecord) bool {
		if session == "" {
			session = r.session
		}
		return r.session != "" && r.session != session
	}) {
		return [][]*claudeRecord{all}
	}
	home := map[string]string{} // uuid to session
	into := map[string]string{} // session to the session it belongs with
	for _, r := range all {
		if r.session == "" {
			continue
		}
		into[r.session] = r.session
		if _, taken := home[r.uuid]; !taken {
			home[r.uuid] = r.session
		}
	}
	root := func(s string) string {
		for into[s] != s {
			into[s] = into[into[s]]
			s = into[s]
		}
		return s
	}
	for _, r := range all {
		for _, link := range []string{r.parent, r.logical} {
			if from, ok := home[link]; ok && link != "" && r.session != "" {
				into[root(r.session)] = root(from)
			}
		}
	}
	// Records without a session, such as titles and snapshots, belong to the next one.
	groups := map[string][]*claudeRecord{}
	last := map[string]int{}
	var order []string
	var waiting []*claudeRecord
	for i, r := range all {
		if r.session == "" {
			waiting = append(waiting, r)
			continue
		}
		s := root(r.session)
		if groups[s] == nil {
			order = append(order, s)
		}
		groups[s] = append(append(groups[s], waiting...), r)
		waiting = waiting[:0]
		if r.hasMessage {
			last[s] = i
		}
	}
	if len(order) == 0 {
		return [][]*claudeRecord{waiting}
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(last[a], last[b]) })
	end := order[len(order)-1]
	groups[end] = append(groups[end], waiting...)
	var out [][]*claudeRecord
	for _, s := range order {
		if g := groups[s]; len(order) == 1 || slices.ContainsFunc(g, func(r *claudeRecord) bool { return r.hasMessage }) {
			out = append(out, g)
		}
	}
	if out == nil {
		out = append(out, groups[end])
	}
	return out
}

// claudeTree knows the links between a session's records.
type claudeTree struct {
	records []*claudeRecord
	at      map[string]int // uuid to index
	up      []int          // index of the parent, -1 at a root
	down    [][]int
}

func newClaudeTree(records []*claudeRecord) *claudeTree {
	t := &claudeTree{records: records, at: make(map[string]int, len(records)), up: make([]int, len(records)), down: make([][]int, len(records))}
	for i, r := range records {
		if r.uuid == "" {
			continue
		}
		if _, taken := t.at[r.uuid]; !taken {
			t.at[r.uuid] = i
		}
	}
	for i, r := range records {
		t.up[i] = -1
		for _, link := range []string{r.parent, r.logical} {
			if p, ok := t.at[link]; ok && link != "" && p != i {
				t.up[i] = p
				t.down[p] = append(t.down[p], i)
				break
			}
		}
	}
	return t
}

// claudeAgent is a subagent recorded inside its parent's file.
type claudeAgent struct {
	id, call string
	records  []*claudeRecord
}

// sidechains takes the subagents' records out. A file of sidechain records
// alone is a subagent's own file, and those are its conversation.
func (t *claudeTree) sidechains() (main []*claudeRecord, agents []*claudeAgent) {
	own := func(r *claudeRecord) bool { return r.hasMessage && !r.sidechain }
	if !slices.ContainsFunc(t.records, own) {
		return t.records, nil
	}
	byName := map[string]*claudeAgent{}
	name := make([]string, len(t.records))
	for i, r := range t.records {
		if !r.sidechain {
			main = append(main, r)
			continue
		}
		switch p := t.up[i]; {
		case r.agent != "":
			name[i] = r.agent
		case p >= 0 && p < i && name[p] != "":
			name[i] = name[p]
		default:
			name[i] = r.uuid
		}
		a := byName[name[i]]
		if a == nil {
			a = &claudeAgent{id: name[i], call: r.call}
			byName[name[i]] = a
			agents = append(agents, a)
		}
		a.records = append(a.records, r)
	}
	talks := func(a *claudeAgent) bool {
		return !slices.ContainsFunc(a.records, func(r *claudeRecord) bool { return r.hasMessage })
	}
	return main, slices.DeleteFunc(agents, talks)
}

// rewinds finds where the person went back and said something else instead: two
// prompts with the same parent. The newest stands, unless the branch asked for
// says otherwise; what hangs on the others is dropped.
func (t *claudeTree) rewinds(main []*claudeRecord, branch string) (dropped map[*claudeRecord]bool, branches []model.Branch) {
	alternatives := map[int][]int{}
	var forks []int
	for i, r := range t.records {
		p := t.up[i]
		if p < 0 || r.kind != "user" || r.results || r.meta || r.summary || r.sidechain {
			continue
		}
		if len(alternatives[p]) == 1 {
			forks = append(forks, p)
		}
		alternatives[p] = append(alternatives[p], i)
	}
	if len(forks) == 0 {
		return nil, nil
	}
	wanted := map[int]bool{} // the way up from the branch asked for
	if at, ok := t.at[branch]; ok {
		for i := at; i >= 0 && !wanted[i]; i = t.up[i] {
			wanted[i] = true
		}
	}
	dropped = map[*claudeRecord]bool{}
	sizes := map[int]int{}
	for _, p := range forks {
		ways := alternatives[p]
		stays := ways[len(ways)-1]
		for _, w := range ways {
			if wanted[w] {
				stays = w
			}
		}
		for _, w := range ways {
			under := t.under(w)
			for _, i := range under {
				if t.records[i].hasMessage {
					sizes[w]++
				}
				if w != stays {
					dropped[t.records[i]] = true
				}
			}
		}
	}
	for _, p := range forks {
		for _, w := range alternatives[p] {
			r := t.records[w]
			branches = append(branches, model.Branch{
				ID: r.uuid, Title: claudeTitle(r), Messages: sizes[w], Active: !dropped[r], Time: t.newest(w),
			})
		}
	}
	return dropped, branches
}

// under is a record and all that hangs on it.
func (t *claudeTree) under(i int) []int {
	out := []int{i}
	seen := map[int]bool{i: true}
	for n := 0; n < len(out); n++ {
		for _, c := range t.down[out[n]] {
			if !seen[c] {
				seen[c] = true
				out = append(out, c)
			}
		}
	}
	return out
}

func (t *claudeTree) newest(i int) (newest time.Time) {
	for _, n := range t.under(i) {
		if at := t.records[n].time; at.After(newest) {
			newest = at
		}
	}
	return newest
}

// claudeTitle is the beginning of what a record says.
func claudeTitle(r *claudeRecord) string {
	for i := range r.parts {
		if r.parts[i].Kind == model.Text {
			return headline(r.parts[i].Text)
		}
	}
	return ""
}

// headline is the first line of a text, shortened.
func headline(s string) string {
	const most = 80
	s = strings.TrimSpace(s)
	if line, _, cut := strings.Cut(s, "\n"); cut {
		s = strings.TrimSpace(line)
	}
	if len(s) <= most {
		return strings.Clone(s)
	}
	r := []rune(s[:min(len(s), 4*most)])
	return string(r[:min(len(r), most)]) + "…"
}
