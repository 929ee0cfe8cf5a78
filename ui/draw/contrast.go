package draw

import "math"

// shown is the colour a profile shows, as 0xRRGGBB.
func (c colour) shown(p Profile) uint32 {
	if p == TrueColour {
		return c.rgb
	}
	return xterm(int(c.c256))
}

// xterm is the fixed colours of the 256: a cube from 16 on, then greys.
func xterm(n int) uint32 {
	if n >= 232 {
		v := uint32(8 + 10*(n-232))
		return v<<16 | v<<8 | v
	}
	n -= 16
	level := func(i int) uint32 {
		if i == 0 {
			return 0
		}
		return uint32(55 + 40*i)
	}
	return level(n/36)<<16 | level(n/6%6)<<8 | level(n%6)
}

// contrast is the ratio of two colours' luminance as WCAG 2 defines it, 1 to 21.
func contrast(a, b uint32) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c uint32) float64 {
	linear := func(v uint32) float64 {
		f := float64(v&255) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c>>16) + 0.7152*linear(c>>8) + 0.0722*linear(c)
}
