package token

import "strconv"

// Format writes a number of tokens with thousands separators: 171,204.
func Format(n int64) string {
	var room [32]byte
	return string(AppendFormat(room[:0], n))
}

// AppendFormat appends Format's text to dst.
func AppendFormat(dst []byte, n int64) []byte {
	var digits [20]byte
	s := strconv.AppendInt(digits[:0], n, 10)
	if s[0] == '-' {
		dst, s = append(dst, '-'), s[1:]
	}
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, c)
	}
	return dst
}
