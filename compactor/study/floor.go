package study

import "cinch/compactor"

// Floor is what no pass of the truncating compactor can get under: overhead,
// the first message, and the tail closed over its pairs. All sizes are tokens.
type Floor struct {
	Overhead int64
	First    int64 // the first message and the results pulled back beside it
	Tail     int64 // the last preserve_recent messages and what their pairs keep
	Total    int64 // the three together
	Largest  int64 // the largest single message of the conversation
	At       int   // where it stands in the recording
	Messages int   // in the tail
	Cut      int   // where the tail starts, in the view
	Uncut    bool  // nothing can be dropped: the floor is the whole conversation
}

// FloorOf is the floor of a view under a policy, found by running a pass.
func FloorOf(v *compactor.View, policy compactor.Policy) Floor {
	p := compactor.MakePlan(v, policy)
	f := Floor{Overhead: p.Overhead, Total: p.After, Cut: max(p.Pass.Cut, 0), At: -1}
	f.Uncut = p.Pass.Reason != compactor.Changed
	for i := range v.Len() {
		if n := v.TokensOf(i); n > f.Largest {
			f.Largest, f.At = n, v.Recorded(i)
		}
	}
	if v.Len() > 0 {
		f.First = v.TokensOf(0)
		for _, i := range p.Pass.Reattached {
			f.First += v.TokensOf(i)
		}
	}
	f.First = min(f.First, f.Total-f.Overhead)
	f.Tail = f.Total - f.Overhead - f.First
	f.Messages = v.Len() - f.Cut
	if f.Uncut {
		f.Messages = max(v.Len()-1, 0)
	}
	return f
}
