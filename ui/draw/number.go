package draw

import (
	"bytes"
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

// Short writes a number of tokens in at most six cells, rounded to the nearest:
// 804, 8.1k, 171.2k, 2m. Of two numbers the larger is never written smaller, but
// both may be written alike: where that would hide which side of a line a number
// is on, as in a gauge, both are written in full.
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

// sizeWidth is the cells of a size as [Pen.size] writes it.
func sizeWidth(n int64, full bool) int {
	if full {
		return tokensWidth(n)
	}
	return shortWidth(n)
}

// sameShort reports whether Short writes two numbers alike.
func sameShort(a, b int64) bool {
	var one, other [numberRoom]byte
	return bytes.Equal(appendShort(one[:0], a), appendShort(other[:0], b))
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
		if u+unit.size/1000/20 < unit.size { // 999,950 is a million, to the nearest tenth of a thousand
			continue
		}
		tenths := (u + unit.size/20) / (unit.size / 10)
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
