package token

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
	"unsafe"

	"cinch/model"
)

// Heuristic is loopctl's default: characters over four, 20 characters a message,
// 256 an image. Characters are Unicode code points.
var Heuristic Counter = heuristic{}

const (
	charsPerToken   = 4
	charsPerMessage = 20
	charsPerImage   = 256
)

type heuristic struct{}

func (heuristic) Name() string              { return "heuristic" }
func (heuristic) Envelope() int64           { return charsPerMessage }
func (heuristic) Part(p *model.Part) int64  { return chars(p) }
func (heuristic) Tokens(weight int64) int64 { return weight / charsPerToken }
func (heuristic) perToken() int64           { return charsPerToken }

// ratio counts the heuristic's characters by num/den characters a token, plus
// each tokens a message, in exact integers: a weight is tokens times num.
type ratio struct {
	name           string
	num, den, each int64
}

func (r ratio) Name() string              { return r.name }
func (r ratio) Envelope() int64           { return r.each * r.num }
func (r ratio) Part(p *model.Part) int64  { return chars(p) * r.den }
func (r ratio) Tokens(weight int64) int64 { return weight / r.num }
func (r ratio) perToken() int64           { return r.num }

// Drover is the ladder engine's own: UTF-16 code units over four, rounded up,
// 8 a message, 1,500 an image.
var Drover Counter = drover{}

const (
	unitsPerMessage = 8
	unitsPerImage   = 1500
)

type drover struct{}

func (drover) Name() string    { return "drover" }
func (drover) Envelope() int64 { return unitsPerMessage }
func (drover) Part(p *model.Part) int64 {
	switch p.Kind {
	case model.Image, model.Document:
		return unitsPerImage
	case model.ToolCall:
		return utf16Units(p.Name) + utf16Units(p.Text)
	case model.ToolResult:
		n := utf16Units(p.Name) + utf16Units(p.Text)
		for i := range p.List {
			n += Drover.Part(&p.List[i])
		}
		return n
	case model.Opaque:
		return 0
	}
	return utf16Units(p.Text)
}
func (drover) Tokens(weight int64) int64 { return (weight + charsPerToken - 1) / charsPerToken }
func (drover) perToken() int64           { return charsPerToken }

// chars is a part's characters by loopctl's rules: ids count nothing, an image
// is 256 wherever it stands, a call is its name and input, a result its output.
// Bytes that only the provider can read count nothing.
func chars(p *model.Part) int64 {
	switch p.Kind {
	case model.Image:
		return charsPerImage
	case model.Document:
		return charsPerImage + Runes(p.Text)
	case model.ToolCall:
		return Runes(p.Name) + Runes(p.Text)
	case model.ToolResult:
		n := Runes(p.Text)
		for i := range p.List {
			n += chars(&p.List[i])
		}
		return n
	case model.Opaque:
		return 0
	}
	return Runes(p.Text)
}

// Runes is the Unicode code points of s, a byte that is not UTF-8 counting as one.
func Runes(s string) int64 {
	runes, _ := measure(s)
	return runes
}

// utf16Units is the length of s in UTF-16 code units: one a code point, two for
// those outside the basic plane. A byte that is not UTF-8 counts as one.
func utf16Units(s string) int64 {
	runes, wide := measure(s)
	return runes + wide
}

// measure counts the code points of s and, of those, the ones outside the basic
// plane. It does what [utf8.RuneCountInString] does, but takes eight ASCII bytes
// in one step and checks a longer sequence with one comparison.
func measure(s string) (runes, wide int64) {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	const high = 0x8080808080808080
	i := 0
	for i+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[i:])
		if w&high == 0 {
			runes += 8
			i += 8
			continue
		}
		ascii := bits.TrailingZeros64(w&high) / 8
		runes += int64(ascii)
		i += ascii
		for i+4 <= len(b) && b[i] >= 0x80 {
			n := sequence(binary.LittleEndian.Uint32(b[i:]))
			wide += int64(n >> 2)
			runes++
			i += n
		}
	}
	for i < len(b) {
		r, n := utf8.DecodeRune(b[i:])
		if r >= 0x10000 {
			wide++
		}
		runes++
		i += n
	}
	return runes, wide
}

// sequence is the length of the UTF-8 sequence that a little-endian word starts
// with, 1 when it is ill-formed: too long a form, a surrogate, past U+10FFFF.
func sequence(w uint32) int {
	switch {
	case w&0xC0C0F0 == 0x8080E0:
		if lead := w & 0x200F; lead != 0 && lead != 0x200D {
			return 3
		}
	case w&0xC0E0 == 0x80C0:
		if w&0x1E != 0 {
			return 2
		}
	case w&0xC0C0C0F8 == 0x808080F0:
		if top := w&7<<2 | w>>12&3; top != 0 && top <= 16 {
			return 4
		}
	}
	return 1
}
