package transcript

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"

	"cinch/model"
)

// What is wrong with bytes that should be MessagePack.
var (
	errPacked      = errors.New("it is not valid MessagePack")
	errPackedKey   = errors.New("it is not valid MessagePack of a state: the key of a map is a list, a map or an object, and not a text or a number")
	errPackedLarge = errors.New("it is too large as JSON")
)

// unpackJSON is a MessagePack value as JSON. Bytes become base64. Python objects,
// which LangGraph packs as extensions, become what LangChain writes of them in
// JSON: the constructor's name and its arguments, or the argument alone. JSON of
// more than most bytes is errPackedLarge.
func unpackJSON(data []byte, most int64) (string, error) {
	u := &packed{data: data, most: most}
	u.value(0)
	if u.err == nil && len(u.data) > 0 {
		u.err = errPacked
	}
	if u.err != nil {
		return "", u.err
	}
	return u.out.String(), nil
}

// packed is what is left of MessagePack data, and the JSON so far.
type packed struct {
	data []byte
	out  strings.Builder
	most int64 // bytes of JSON
	err  error // the first one
}

// fail ends the reading.
func (u *packed) fail(err error) {
	if u.err == nil {
		u.err = err
	}
	u.data = nil
}

// inner begins a value whose JSON is needed by itself.
func (u *packed) inner(data []byte) *packed { return &packed{data: data, most: u.most} }

// take is the next n bytes; none when there are fewer.
func (u *packed) take(n int) []byte {
	if u.err != nil || n < 0 || n > len(u.data) {
		u.fail(errPacked)
		return nil
	}
	b := u.data[:n]
	u.data = u.data[n:]
	return b
}

// number is the next big-endian number of n bytes.
func (u *packed) number(n int) uint64 {
	b := u.take(n)
	if b == nil {
		return 0
	}
	var wide [8]byte
	copy(wide[8-n:], b)
	return binary.BigEndian.Uint64(wide[:])
}

// size is the next number of n bytes, as a length of what follows.
func (u *packed) size(n int) int { return int(min(u.number(n), math.MaxInt32)) }

func (u *packed) value(depth int) {
	tag := u.take(1)
	if tag == nil || depth > maxDepth {
		u.fail(errPacked)
		return
	}
	switch c := tag[0]; {
	case c < 0x80:
		u.write(int64(c))
	case c < 0x90:
		u.object(int(c&0x0f), depth)
	case c < 0xa0:
		u.list(int(c&0x0f), depth)
	case c < 0xc0:
		u.text(int(c & 0x1f))
	case c >= 0xe0:
		u.write(int64(int8(c)))
	case c == 0xc0:
		u.out.WriteString("null")
	case c == 0xc2, c == 0xc3:
		u.out.WriteString(strconv.FormatBool(c == 0xc3))
	case c >= 0xc4 && c <= 0xc6:
		u.out.WriteString(model.QuoteJSON(base64.StdEncoding.EncodeToString(u.take(u.size(1 << (c - 0xc4))))))
	case c >= 0xc7 && c <= 0xc9:
		u.extension(u.size(1<<(c-0xc7)), depth)
	case c == 0xca:
		u.float(float64(math.Float32frombits(uint32(u.number(4)))))
	case c == 0xcb:
		u.float(math.Float64frombits(u.number(8)))
	case c >= 0xcc && c <= 0xcf:
		u.out.WriteString(strconv.FormatUint(u.number(1<<(c-0xcc)), 10))
	case c >= 0xd0 && c <= 0xd3:
		n := 1 << (c - 0xd0)
		shift := 64 - 8*n
		u.write(int64(u.number(n)) << shift >> shift)
	case c >= 0xd4 && c <= 0xd8:
		u.extension(1<<(c-0xd4), depth)
	case c >= 0xd9 && c <= 0xdb:
		u.text(u.size(1 << (c - 0xd9)))
	case c == 0xdc, c == 0xdd:
		u.list(u.size(2<<(c-0xdc)), depth)
	case c == 0xde, c == 0xdf:
		u.object(u.size(2<<(c-0xde)), depth)
	default:
		u.fail(errPacked)
	}
	if int64(u.out.Len()) > u.most {
		u.fail(errPackedLarge)
	}
}

func (u *packed) write(n int64) { u.out.WriteString(strconv.FormatInt(n, 10)) }

func (u *packed) float(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		u.out.WriteString("null")
		return
	}
	u.out.WriteString(strconv.FormatFloat(f, 'g', -1, 64))
}

func (u *packed) text(n int) {
	u.out.WriteString(model.QuoteJSON(strings.ToValidUTF8(string(u.take(n)), "\uFFFD")))
}

func (u *packed) list(n, depth int) {
	u.out.WriteByte('[')
	for i := 0; i < n && u.err == nil; i++ {
		if i > 0 {
			u.out.WriteByte(',')
		}
		u.value(depth + 1)
	}
	u.out.WriteByte(']')
}

func (u *packed) object(n, depth int) {
	u.out.WriteByte('{')
	for i := 0; i < n && u.err == nil; i++ {
		if i > 0 {
			u.out.WriteByte(',')
		}
		u.key(depth)
		u.out.WriteByte(':')
		u.value(depth + 1)
	}
	u.out.WriteByte('}')
}

// key writes the key of a map, which JSON has as a text. Only what holds nothing
// else can be one: a quoted key in a quoted key would double with every level.
func (u *packed) key(depth int) {
	if len(u.data) > 0 && holdsValues(u.data[0]) {
		u.fail(errPackedKey)
		return
	}
	name := u.inner(u.data)
	name.value(depth + 1)
	if name.err != nil {
		u.fail(name.err)
		return
	}
	u.data = name.data
	if key := name.out.String(); strings.HasPrefix(key, `"`) {
		u.out.WriteString(key)
	} else {
		u.out.WriteString(model.QuoteJSON(key))
	}
}

// holdsValues reports whether a tag begins a list, a map or an extension.
func holdsValues(c byte) bool {
	return c >= 0x80 && c < 0xa0 || c >= 0xc7 && c <= 0xc9 || c >= 0xd4 && c <= 0xd8 || c >= 0xdc && c <= 0xdf
}

// packedCopy is how many levels a value counts for that is written twice, so that
// a hundred of them inside one another are the most.
const packedCopy = maxDepth / 100

// What LangGraph packs as extensions, by number: a list of the module, the class,
// and what it was made with.
const (
	packedSingle   = 0 // one argument
	packedMany     = 1 // a list of arguments
	packedNamed    = 2 // arguments by name
	packedMethod   = 3 // one argument of a method
	packedPydantic = 4 // the fields of a model, of pydantic's first version and, as 5, of its second
)

func (u *packed) extension(n, depth int) {
	kind := u.take(1)
	body := u.inner(u.take(n))
	if u.err != nil {
		return
	}
	inner := body.data
	if count := body.take(1); count == nil || count[0] < 0x93 || count[0] > 0x94 {
		u.out.WriteString(model.QuoteJSON(base64.StdEncoding.EncodeToString(inner))) // somebody else's
		return
	}
	var parts [3]string
	for i := range parts {
		one := u.inner(body.data)
		one.value(depth + packedCopy)
		if one.err != nil {
			u.fail(one.err)
			return
		}
		parts[i], body.data = one.out.String(), one.data
	}
	switch kind[0] {
	case packedSingle, packedMany, packedMethod:
		u.out.WriteString(parts[2])
	case packedNamed, packedPydantic, packedPydantic + 1:
		u.out.WriteString(`{"lc":1,"type":"constructor","id":[` + parts[0] + `,` + parts[1] + `],"kwargs":` + parts[2] + `}`)
	default:
		u.out.WriteString("null")
	}
}
