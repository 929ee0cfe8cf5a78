package bpe

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// none is the rank of what is no token; it is larger than every rank.
const none = 1<<32 - 1

// vocabulary finds the rank of a token by its bytes. It is small, because most of
// the time of a count goes to waiting for memory: two megabytes for the table of
// o200k's 200,000 tokens, and under four for their bytes, of which the common
// tokens with their low ranks share the same few lines.
type vocabulary struct {
	pairs   [1 << 16]uint32 // the rank of a two-byte token, by its bytes
	slots   []uint32        // open addressing, at most half full: tag | rank + 1, 0 when empty
	shift   uint            // from a hash to its slot
	text    []byte          // the tokens end to end, from lead on
	ends    []uint32        // token r is text[ends[r]:ends[r+1]]
	tails   []uint64        // the tail of token r, 0 when it is longer than eight bytes
	longest int             // bytes of the longest token
}

const (
	lead     = 8  // bytes in front of text, so that eight can be read up to any end
	rankBits = 18 // of a slot; the rest is the tag, part of the hash
	rankMask = 1<<rankBits - 1
)

func newVocabulary(file string) *vocabulary {
	v := new(vocabulary)
	v.text, v.ends = ranks(file)
	n := len(v.ends) - 1
	v.shift = 64 - uint(bits.Len(uint(2*n-1)))
	v.slots = make([]uint32, 1<<(64-v.shift))
	for i := range v.pairs {
		v.pairs[i] = none
	}
	v.tails = make([]uint64, n)
	text := textOf(v.text)
	for rank := range n {
		i, j := int(v.ends[rank]), int(v.ends[rank+1])
		v.longest = max(v.longest, j-i)
		if j-i == 2 {
			v.pairs[binary.LittleEndian.Uint16(v.text[i:])] = uint32(rank)
		}
		if j-i <= 8 {
			v.tails[rank] = tail(text, i, j)
		}
		h := hash(text, i, j)
		at := int(h >> v.shift)
		for v.slots[at] != 0 {
			at = (at + 1) & (len(v.slots) - 1)
		}
		v.slots[at] = uint32(h)<<rankBits | uint32(rank+1)
	}
	return v
}

// rank is the rank of s[i:j], none when it is no token. h is hash(s, i, j).
func (v *vocabulary) rank(s string, i, j int, h uint64) uint32 {
	for at := int(h >> (v.shift & 63)); ; at++ {
		slot := v.slots[at&(len(v.slots)-1)]
		if slot == 0 {
			return none
		}
		if (slot^uint32(h)<<rankBits)>>rankBits == 0 {
			rank := slot&rankMask - 1
			if v.is(rank, s, i, j) {
				return rank
			}
		}
	}
}

// first is the slot where the search for a hash begins, 0 when it ends there too.
func (v *vocabulary) first(h uint64) uint32 {
	return v.slots[int(h>>(v.shift&63))&(len(v.slots)-1)]
}

// is reports whether s[i:j] is the token of that rank.
func (v *vocabulary) is(rank uint32, s string, i, j int) bool {
	if j-i <= 8 && s[i] != 0 {
		// Without zeros in front the tail tells the length too.
		return v.tails[rank] == tail(s, i, j)
	}
	from, to := int(v.ends[rank]), int(v.ends[rank+1])
	if to-from != j-i {
		return false
	}
	text := textOf(v.text)
	switch {
	case j-i <= 8:
		return tail(s, i, j) == tail(text, from, to)
	case j-i <= 16:
		return load(s, i) == load(text, from) && load(s, j-8) == load(text, to-8)
	}
	return s[i:j] == text[from:to]
}

// join is the rank of s[i:j], none when it is no token.
func (v *vocabulary) join(s string, i, j int) uint32 {
	switch n := j - i; {
	case n == 2:
		return v.pairs[uint(s[i])|uint(s[i+1])<<8]
	case n > v.longest:
		return none
	}
	return v.rank(s, i, j, hash(s, i, j))
}

// hash mixes the bytes and the length of s[i:j], which is not empty.
func hash(s string, i, j int) uint64 {
	n := j - i
	h := uint64(n) * mixer
	if n <= 8 {
		return fold(h ^ tail(s, i, j))
	}
	for ; i < j-8; i += 8 {
		h = fold(h ^ load(s, i))
	}
	return fold(h ^ load(s, j-8))
}

// tail is the one to eight bytes s[i:j] in the upper bytes of a word, last byte
// highest, zeros below: together with the length it is the text itself.
func tail(s string, i, j int) uint64 {
	if j >= 8 {
		unused := uint(8-(j-i)) * 8 & 63
		return load(s, j-8) >> unused << unused
	}
	var w uint64
	for k := i; k < j; k++ {
		w = w>>8 | uint64(s[k])<<56
	}
	return w
}

const (
	mixer      = 0x9E3779B97F4A7C15 // 2^64 over the golden ratio, odd
	multiplier = 0xD6E8FEB86659FD93 // odd, its bits well spread
)

// fold multiplies to 128 bits and joins the halves, which carries every bit to every other.
func fold(x uint64) uint64 {
	hi, lo := bits.Mul64(x, multiplier)
	return hi ^ lo
}

// load is the eight bytes at s[i], first byte lowest.
func load(s string, i int) uint64 {
	return binary.LittleEndian.Uint64(unsafe.Slice(unsafe.StringData(s[i:i+8]), 8))
}

// textOf is b as a string, without a copy.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
