package ui

import (
	"strconv"
	"strings"

	"cinch/model"
)

// Gist is a message in one clean line, as the list shows it and a search looks at it.
func Gist(m *model.Message) string { return gist(m) }

// Who is who a message is from, as the list says it: tool traffic by what it is.
func Who(m *model.Message) string { return whoIs(m).String() }

// ParseSize reads a number of tokens: 131072, 131,072, 200k, 1m, 1.5m.
func ParseSize(s string) (int64, error) {
	digits, unit := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(s), ",", "")), int64(1)
	switch {
	case strings.HasSuffix(digits, "k"):
		digits, unit = digits[:len(digits)-1], 1_000
	case strings.HasSuffix(digits, "m"):
		digits, unit = digits[:len(digits)-1], 1_000_000
	}
	whole, frac, dot := strings.Cut(digits, ".")
	if dot && (unit == 1 || frac == "" || len(frac) > 6) {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.ParseUint(whole, 10, 40)
	if err != nil {
		return 0, err
	}
	size := int64(n) * unit
	if dot {
		f, err := strconv.ParseUint(frac, 10, 40)
		if err != nil {
			return 0, err
		}
		part := int64(f) * unit
		for range frac {
			if part%10 != 0 {
				return 0, strconv.ErrSyntax
			}
			part /= 10
		}
		size += part
	}
	return size, nil
}
