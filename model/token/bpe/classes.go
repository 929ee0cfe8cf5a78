package bpe

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// What the split patterns ask of a character, as bits of one byte. A character
// with none of them is punctuation or a symbol.
const (
	upper    = 1 << iota // \p{Lu}, \p{Lt}
	lower                // \p{Ll}
	caseless             // \p{Lm}, \p{Lo}
	mark                 // \p{M}
	digit                // \p{N}
	space                // \s other than a line end
	newline              // \r, \n
	wide                 // first byte of a longer UTF-8 sequence: look at the whole

	letter = upper | lower | caseless
	white  = space | newline
	word   = letter | digit | white // what [^\s\p{L}\p{N}] excludes
)

// classes answers for every character: ascii by byte, with wide from 0x80 up,
// and all by code point.
type classes struct {
	ascii [256]uint8
	all   [unicode.MaxRune + 1]uint8
}

// newClasses fills the table from the tables of package unicode, once for both encodings.
var newClasses = sync.OnceValue(func() *classes {
	c := new(classes)
	for _, set := range []struct {
		table *unicode.RangeTable
		bit   uint8
	}{
		{unicode.Lu, upper}, {unicode.Lt, upper}, {unicode.Ll, lower}, {unicode.Lm, caseless}, {unicode.Lo, caseless},
		{unicode.M, mark}, {unicode.N, digit}, {unicode.White_Space, space},
	} {
		for _, r := range set.table.R16 {
			for x := int(r.Lo); x <= int(r.Hi); x += int(r.Stride) {
				c.all[x] |= set.bit
			}
		}
		for _, r := range set.table.R32 {
			for x := int(r.Lo); x <= int(r.Hi); x += int(r.Stride) {
				c.all[x] |= set.bit
			}
		}
	}
	c.all['\r'], c.all['\n'] = newline, newline
	copy(c.ascii[:], c.all[:utf8.RuneSelf])
	for i := utf8.RuneSelf; i < len(c.ascii); i++ {
		c.ascii[i] = wide
	}
	return c
})

// at is the class and the length of the character at s[i].
func (c *classes) at(s string, i int) (class uint8, size int) {
	if class = c.ascii[s[i]]; class != wide {
		return class, 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	return c.all[r], size
}

// run is the end of the run of characters from s[i] on that have one of the bits.
func (c *classes) run(s string, i int, bits uint8) int {
	for i < len(s) {
		class := c.ascii[s[i]]
		size := 1
		if class == wide {
			class, size = c.at(s, i)
		}
		if class&bits == 0 {
			break
		}
		i += size
	}
	return i
}

// runWithout is the end of the run of characters that have none of the bits.
func (c *classes) runWithout(s string, i int, bits uint8) int {
	for i < len(s) {
		class := c.ascii[s[i]]
		size := 1
		if class == wide {
			class, size = c.at(s, i)
		}
		if class&bits != 0 {
			break
		}
		i += size
	}
	return i
}
