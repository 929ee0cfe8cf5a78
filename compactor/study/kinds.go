package study

import (
	"cinch/compactor"
	"cinch/model/token"
)

// Kept is what a pass keeps by kind, without overhead, given the running sums of
// its view's messages, one more than there are. Neighbours are taken together, so
// the cost is that of the pass and not of the text.
func Kept(p *compactor.Pass, sums []token.Weights) token.Weights {
	c := p.View.Recording().Counter
	var w token.Weights
	out := p.Output()
	for a := 0; a < len(out); {
		b := a + 1
		for b < len(out) && out[b] == out[b-1]+1 {
			b++
		}
		w.Add(&sums[out[b-1]+1], 1)
		w.Add(&sums[out[a]], -1)
		a = b
	}
	for i, parts := range p.Removed {
		if p.Fate(i) == compactor.Emptied {
			continue
		}
		m := p.View.Message(i)
		for _, at := range parts {
			w[token.KindOf(m, &m.Parts[at])] -= c.Part(&m.Parts[at])
		}
	}
	return w
}
