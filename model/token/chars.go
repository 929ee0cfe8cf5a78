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
func (heuristic) Part(p *model.Part) int64  { return chars(p, Runes) }
func (heuristic) Tokens(weight int64) int64 { return weight / charsPerToken }

// ratio counts the heuristic's characters by num/den characters a token, plus
// each tokens a message, in exact integers: a weight is tokens times num.
type ratio struct {
	name           string
	num, den, each int64
}

func (r ratio) Name() string              { return r.name }
func (r ratio) Envelope() int64           { return r.each * r.num }
func (r ratio) Part(p *model.Part) int64  { return chars(p, Runes) * r.den }
func (r ratio) Tokens(weight int64) int64 { return weight / r.num }

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

// chars is a part's characters by loopctl's rules: ids count nothing, an image
// is 256 wherever it stands, a call is its name and input, a result its output.
// Bytes that only the provider can read count nothing.
func chars(p *model.Part, count func(string) int64) int64 {
	switch p.Kind {
	case model.Image:
		return charsPerImage
	case model.Document:
		return charsPerImage + count(p.Text)
	case model.ToolCall:
		return count(p.Name) + count(p.Text)
	case model.ToolResult:
		n := count(p.Text)
		for i := range p.List {
			n += chars(&p.List[i], count)
		}
		return n
	case model.Opaque:
		return 0
	}
	return count(p.Text)
}

// Runes is the Unicode code points of s, a byte that is not UTF-8 counting as
// one. Valid text is counted eight bytes at a time by its non-continuation bytes.
func Runes(s string) int64 {
	if !utf8.ValidString(s) {
		return int64(utf8.RuneCountInString(s))
	}
	return int64(len(s) - continuation(s))
}

// continuation counts the bytes of the form 10xxxxxx.
func continuation(s string) (n int) {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	const high, low = 0x8080808080808080, 0x4040404040404040
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		n += bits.OnesCount64(w & high &^ ((w & low) << 1))
		b = b[8:]
	}
	for _, c := range b {
		if c&0xC0 == 0x80 {
			n++
		}
	}
	return n
}

// utf16Units is the length of s in UTF-16 code units: one a code point, two for
// those outside the basic plane, whose UTF-8 form starts with 0xF0 or above.
func utf16Units(s string) int64 {
	n := Runes(s)
	if !utf8.ValidString(s) {
		return n
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= 0xF0 {
			n++
		}
	}
	return n
}
