package draw

import (
	"strconv"

	"cinch/model/token"
)

// Tokens writes a number of tokens, or any other count, in full: 171,204.
func Tokens(n int64) string { return token.Format(n) }

// tokensWidth is the cells of Tokens(n) for n of zero or more.
func tokensWidth(n int64) int {
	d := digits(n)
	return d + (d-1)/3
}

func digits(n int64) int {
	d := 1
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

// Short writes a number of tokens in at most six cells: 804, 8.1k, 171.2k, 2m.
// It never says more than there is: 199,999 is 199.9k.
func Short(n int64) string {
	var room [numberRoom]byte
	return string(appendShort(room[:0], n))
}

// numberRoom is the bytes that any number fits in.
const numberRoom = 32

// shortWidth is the cells of Short(n).
func shortWidth(n int64) int {
	var room [numberRoom]byte
	return len(appendShort(room[:0], n))
}

// appendShort appends what Short says of n.
func appendShort(b []byte, n int64) []byte {
	u := uint64(n)
	if n < 0 {
		b, u = append(b, '-'), -u
	}
	for _, unit := range []struct {
		size uint64
		name byte
	}{{1e12, 't'}, {1e9, 'g'}, {1e6, 'm'}, {1e3, 'k'}} {
		if u < unit.size {
			continue
		}
		tenths := u / (unit.size / 10)
		b = strconv.AppendUint(b, tenths/10, 10)
		if d := tenths % 10; d != 0 {
			b = append(b, '.', '0'+byte(d))
		}
		return append(b, unit.name)
	}
	return strconv.AppendUint(b, u, 10)
}

// Signed writes a change with its sign, the minus as the glyph set has it: +1,204, −152,993.
func (l *Look) Signed(n int64) string {
	switch {
	case n > 0:
		return "+" + Tokens(n)
	case n < 0:
		return l.Glyphs.Minus + Tokens(n)[1:]
	}
	return "0"
}

// Percent writes the share part has of whole with one decimal, rounded down, so
// that 100.0% is never said of less. A whole of zero or less gives "".
func Percent(part, whole int64) string {
	var room [numberRoom]byte
	return string(appendPercent(room[:0], part, whole))
}

// appendPercent appends what Percent says.
func appendPercent(b []byte, part, whole int64) []byte {
	if whole <= 0 {
		return b
	}
	tenths := int64(float64(part) / float64(whole) * 1000)
	if part >= 0 && part < 1<<52 {
		tenths = part * 1000 / whole
	}
	if tenths < 0 {
		b, tenths = append(b, '-'), -tenths
	}
	b = strconv.AppendInt(b, tenths/10, 10)
	return append(b, '.', '0'+byte(tenths%10), '%')
}
