package bpe

// cl100k is the end of the piece that starts at s[i], for the pattern
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
//
// whose first alternative that matches wins. s is valid UTF-8.
func (c *classes) cl100k(s string, i int) int {
	if j := c.opening(s, i); j < len(s) && s[i] != '\'' {
		if end := letterRun(s, j); end > j && (end == len(s) || c.ascii[s[end]] != wide) {
			return end
		}
	}
	class, size := c.at(s, i)
	switch {
	case class&letter != 0:
		return c.run(s, i+size, letter)
	case class&digit != 0:
		return c.digits(s, i+size)
	case s[i] == '\'':
		if end := contraction(s, i); end > i {
			return end
		}
	}
	if class&newline == 0 && i+size < len(s) {
		if next, n := c.at(s, i+size); next&letter != 0 {
			return c.run(s, i+size+n, letter)
		}
	}
	if end := c.symbols(s, i, class); end > i {
		for end < len(s) && (s[end] == '\n' || s[end] == '\r') {
			end++
		}
		return end
	}
	return c.blank(s, i)
}

// o200k is the end of the piece that starts at s[i], for the pattern
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
//
// whose first alternative that matches wins. s is valid UTF-8.
func (c *classes) o200k(s string, i int) int {
	if j := c.opening(s, i); j < len(s) {
		end := j
		for end < len(s) && c.ascii[s[end]] == upper {
			end++
		}
		if end = smallRun(s, end); end > j && (end == len(s) || c.ascii[s[end]] != wide) {
			return contraction(s, end)
		}
	}
	class, size := c.at(s, i)
	switch {
	case class&letter != 0:
		end, _ := c.cased(s, i)
		return contraction(s, end)
	case class&digit != 0:
		return c.digits(s, i+size)
	}
	if class&newline == 0 && i+size < len(s) {
		if next, _ := c.at(s, i+size); next&(letter|mark) != 0 {
			end, first := c.cased(s, i+size)
			if !first && class&mark != 0 {
				// The first alternative gives the character in front back and takes it alone.
				end = i + size
			}
			return contraction(s, end)
		}
	}
	if class&mark != 0 {
		return contraction(s, i+size)
	}
	if end := c.symbols(s, i, class); end > i {
		for end < len(s) && (s[end] == '\n' || s[end] == '\r' || s[end] == '/') {
			end++
		}
		return end
	}
	return c.blank(s, i)
}

// opening is where a word that may start at s[i] has its first letter: behind the
// one ASCII character that can stand in front, if there is one.
func (c *classes) opening(s string, i int) int {
	if c.ascii[s[i]]&(letter|digit|newline|wide) == 0 {
		i++
	}
	return i
}

// cased is the end of the letters of o200k's first two alternatives, without the
// contraction, from s[i], a letter or mark, on. first tells which one matched:
// the first needs a character that can end a word, so after capitals alone it
// steps back to the last letter without case, or fails.
func (c *classes) cased(s string, i int) (end int, first bool) {
	last := -1
	for i < len(s) {
		class, size := c.at(s, i)
		if class&lower != 0 {
			return c.run(s, i+size, lower|caseless|mark), true
		}
		if class&(upper|caseless|mark) == 0 {
			break
		}
		i += size
		if class&upper == 0 {
			last = i
		}
	}
	if last >= 0 {
		return last, true
	}
	return i, false
}

// contraction is the end of the English contraction at s[i], i when there is none.
func contraction(s string, i int) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	switch s[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		if i+2 < len(s) && s[i+2]|0x20 == 'e' {
			return i + 3
		}
	case 'l':
		if i+2 < len(s) && s[i+2]|0x20 == 'l' {
			return i + 3
		}
	}
	return i
}

// digits is the end of a number of at most three digits whose first ends at s[i].
func (c *classes) digits(s string, i int) int {
	for n := 1; n < 3 && i < len(s); n++ {
		class, size := c.at(s, i)
		if class&digit == 0 {
			break
		}
		i += size
	}
	return i
}

// symbols is the end of the symbols at s[i], of the given class, or after one
// blank there; i when there are none.
func (c *classes) symbols(s string, i int, class uint8) int {
	switch {
	case class&word == 0:
		return c.runWithout(s, i, word)
	case s[i] == ' ' && i+1 < len(s):
		if end := c.runWithout(s, i+1, word); end > i+1 {
			return end
		}
	}
	return i
}

// blank is the end of the white space at s[i]: after its last line end, else all
// but its last character, which goes to what follows, unless it is the only one
// or nothing follows.
func (c *classes) blank(s string, i int) int {
	start, line, before := i, i, i
	for i < len(s) {
		class, size := c.at(s, i)
		if class&white == 0 {
			break
		}
		before = i
		i += size
		if class&newline != 0 {
			line = i
		}
	}
	switch {
	case line > start:
		return line
	case i == len(s) || before == start:
		return i
	}
	return before
}
