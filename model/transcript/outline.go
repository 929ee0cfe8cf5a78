package transcript

import (
	"strings"

	"github.com/tidwall/gjson"
)

const (
	outlineFrom = 1 << 20 // bytes from which a record is outlined before formats look at it
	outlineList = 200     // elements of a list that they get to see
	outlineText = 4 << 10 // bytes of a string
)

// outline is a large record with its long lists and strings cut short. Formats
// look for their signs many times over, and all of them look at how things begin.
func outline(v gjson.Result) gjson.Result {
	if len(v.Raw) < outlineFrom {
		return v
	}
	var b strings.Builder
	outlineTo(&b, v)
	return gjson.Parse(b.String())
}

func outlineTo(b *strings.Builder, v gjson.Result) {
	switch {
	case len(v.Raw) < outlineText:
		b.WriteString(v.Raw)
		return
	case v.Type == gjson.String:
		b.WriteString(outlineString(v.Raw))
		return
	case v.Type != gjson.JSON:
		b.WriteString(v.Raw)
		return
	}
	list := v.IsArray()
	b.WriteByte(v.Raw[0])
	n := 0
	v.ForEach(func(key, value gjson.Result) bool {
		if n > 0 {
			b.WriteByte(',')
		}
		if !list {
			b.WriteString(key.Raw)
			b.WriteByte(':')
		}
		outlineTo(b, value)
		n++
		return !list || n < outlineList
	})
	if list {
		b.WriteByte(']')
	} else {
		b.WriteByte('}')
	}
}

// outlineString is the beginning of a string literal, cut where no escape stands.
func outlineString(raw string) string {
	const escape = len(`\u0000`)
	for end := outlineText / 2; end > escape; end-- {
		if strings.IndexByte(raw[end-escape:end], '\\') < 0 {
			return strings.ToValidUTF8(raw[:end], "") + `"`
		}
	}
	return `""`
}
