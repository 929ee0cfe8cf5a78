package bpe

import "math/bits"

// Most text is words of ASCII letters. Their ends are found eight bytes at a time,
// without a branch for each letter: in a word of eight bytes, adding to each byte
// without its top bit carries into that bit where the byte reaches a bound.
const (
	ones = 0x0101010101010101
	tops = 0x80 * ones
)

// outside has the top bit of every byte of w set that is not between lo and hi,
// both ASCII.
func outside(w uint64, lo, hi uint64) uint64 {
	low := w &^ tops
	return ((low + (0x80-lo)*ones) &^ (low + (0x7f-hi)*ones) &^ w & tops) ^ tops
}

// smallRun is the end of the run of a to z from s[i] on.
func smallRun(s string, i int) int {
	for i+8 <= len(s) {
		if end := outside(load(s, i), 'a', 'z'); end != 0 {
			return i + bits.TrailingZeros64(end)>>3
		}
		i += 8
	}
	for i < len(s) && 'a' <= s[i] && s[i] <= 'z' {
		i++
	}
	return i
}

// letterRun is the end of the run of a to z and A to Z from s[i] on.
func letterRun(s string, i int) int {
	for i+8 <= len(s) {
		w := load(s, i)
		if end := outside(w|0x20*ones, 'a', 'z'); end != 0 {
			return i + bits.TrailingZeros64(end)>>3
		}
		i += 8
	}
	for i < len(s) && 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z' {
		i++
	}
	return i
}
