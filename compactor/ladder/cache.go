package ladder

// Cache is what a pass costs in the provider's prompt cache: everything from
// the first changed message on must be read again.
type Cache struct {
	FirstChanged int   // index in the list after the pass, -1 when nothing changed
	Reread       int64 // tokens of the list from that message on
}

var unbroken = Cache{FirstChanged: -1}

// broken is the cost once a committed rung has changed the list too. What
// stands before a rung's first change keeps its index, so the smallest counts.
func (c Cache) broken(s *Step) Cache {
	first := s.Head[0]
	if s.Strategy == DropToolResults {
		first = s.Cleared.First()
	}
	if c.FirstChanged < 0 || first < c.FirstChanged {
		c.FirstChanged = first
	}
	v := s.State.View
	c.Reread = v.TokensOf(c.FirstChanged, v.Len())
	return c
}
