package bpe

// Cut is a place at or after near where s can be cut so that both sides, counted
// apart, add up to the whole: before a blank that follows a character other than
// white space, or after a line end that such a character follows. Only ASCII is
// considered, and never a slash, which o200k may join to line ends. It is len(s)
// when there is no such place.
func Cut(s string, near int) int {
	for i := max(near, 1); i < len(s); i++ {
		before, after := s[i-1], s[i]
		switch {
		case after == ' ' && visible(before):
			return i
		case (before == '\n' || before == '\r') && visible(after) && after != '/':
			return i
		}
	}
	return len(s)
}

func visible(b byte) bool { return b > ' ' && b < 0x7f }
