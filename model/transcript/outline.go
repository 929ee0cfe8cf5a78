package transcript

import (
	"strings"

	"github.com/tidwall/gjson"
)

const (
	outlineFrom = 1 << 20 // bytes from which a record is outlined before formats look at it
	outlineList = 200     // elements of a list that they get to see
)

// outline is a large record with its long lists cut short. Formats look for
// their signs many times over, and all of them look at how lists begin.
func outline(v gjson.Result) gjson.Result {
	if len(v.Raw) < outlineFrom {
		return v
	}
	var b strings.Builder
	outlineTo(&b, v)
	return gjson.Parse(b.String())
}

func outlineTo(b *strings.Builder, v gjson.Result) {
	if len(v.Raw) < outlineFrom/outlineList || v.Type != gjson.JSON {
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
