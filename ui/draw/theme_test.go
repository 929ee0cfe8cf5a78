package draw

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// graphics are tokens that are never letters; they need less contrast.
var graphics = map[Token]bool{Border: true, TrackCell: true, GhostCell: true, ReserveCell: true, KindOverhead: true}

// TestContrast computes how well every token can be read, by WCAG 2.
func TestContrast(t *testing.T) {
	for _, theme := range []ThemeName{Dark, Light, HighContrast} {
		pal := palettes[theme]
		want := 4.5
		if theme == HighContrast {
			want = 7
		}
		for _, profile := range []Profile{ANSI256, TrueColour} {
			l := NewLook(theme, profile, UTF8)
			for g := Base; g < grounds; g++ {
				under := pal.assumed
				if pal.grounds[g] != noColour {
					under = pal.grounds[g].shown(profile)
				}
				for tok := Text; tok < tokens; tok++ {
					fg, bg, reversed := parse(t, pal.on(tok, g, profile))
					if bg == nil {
						bg = &under
					}
					if fg == nil { // the terminal's own text colour
						if pal.grounds[g] != noColour {
							t.Errorf("%v %v: token %d on ground %d leaves its colour to the terminal", theme, profile, tok, g)
						}
						continue
					}
					least := want
					if graphics[tok] {
						least = 3
					}
					if c := contrast(*fg, *bg); c < least {
						t.Errorf("%v %v: token %d on ground %d: %06x on %06x (reversed %v) is %.1f:1", theme, profile, tok, g, *fg, *bg, reversed, c)
					}
				}
			}
			for i, s := range pal.ramp {
				if c := contrast(s.ink.shown(profile), s.ground.shown(profile)); c < 4.5 {
					t.Errorf("%v %v: step %d of the ramp is %.1f:1", theme, profile, i, c)
				}
			}
			kinds := map[string]Token{}
			for _, k := range []Token{KindOverhead, KindUser, KindAssistant, KindThinking, KindCalls, KindResults, KindImages, KindSummary, KindDocuments, KindSealed} {
				look := fmt.Sprintf("%06x %s", pal.inks[k].fg.shown(profile), l.shade(k))
				if other, ok := kinds[look]; ok {
					t.Errorf("%v %v: kinds %d and %d have one colour and one fill", theme, profile, k, other)
				}
				kinds[look] = k
			}
		}
	}
}

// TestNoColourOfItsOwn: mono and what NO_COLOR asks for leave every colour to the
// terminal, and of the sixteen colours the bright black, which many palettes make
// the background's, is never one to read or to read on.
func TestNoColourOfItsOwn(t *testing.T) {
	for tok := Text; tok < tokens; tok++ {
		for g := Base; g < grounds; g++ {
			for _, l := range []*Look{NewLook(Mono, TrueColour, UTF8), NewLook(Light, Attributes, UTF8), NewLook(HighContrast, Attributes, UTF8)} {
				for _, p := range strings.Split(strings.Trim(l.On(tok, g).Prefix, "\x1b[m"), ";") {
					if p != "" && p != "1" && p != "4" && p != "7" {
						t.Errorf("%v %v: token %d on ground %d is written with %q", l.Theme, l.Profile, tok, g, l.On(tok, g).Prefix)
					}
				}
			}
			for th := Dark; th <= Mono; th++ {
				for _, p := range strings.Split(strings.Trim(NewLook(th, ANSI16, UTF8).On(tok, g).Prefix, "\x1b[m"), ";") {
					if p == "90" || p == "100" {
						t.Errorf("%v: token %d on ground %d is bright black in sixteen colours", th, tok, g)
					}
				}
			}
		}
	}
}

// parse reads the colours back from the parameters of an escape code.
func parse(t *testing.T, params string) (fg, bg *uint32, reversed bool) {
	t.Helper()
	list := strings.Split(params, ";")
	num := func(i int) int {
		n := 0
		for _, c := range list[i] {
			n = n*10 + int(c-'0')
		}
		return n
	}
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case "7":
			reversed = true
		case "38", "48":
			var c uint32
			into := &fg
			if list[i] == "48" {
				into = &bg
			}
			if list[i+1] == "5" {
				c = xterm(num(i + 2))
				i += 2
			} else {
				c = uint32(num(i+2)<<16 | num(i+3)<<8 | num(i+4))
				i += 4
			}
			*into = &c
		}
	}
	return fg, bg, reversed
}

func TestKnownContrasts(t *testing.T) {
	for _, c := range []struct {
		a, b uint32
		want float64
	}{{0, 0xffffff, 21}, {0xffffff, 0xffffff, 1}, {0x767676, 0xffffff, 4.54}} {
		if got := contrast(c.a, c.b); got < c.want-0.01 || got > c.want+0.01 {
			t.Errorf("contrast(%06x, %06x) = %.2f, want %.2f", c.a, c.b, got, c.want)
		}
	}
	if xterm(16) != 0 || xterm(231) != 0xffffff || xterm(214) != 0xffaf00 || xterm(232) != 0x080808 || xterm(255) != 0xeeeeee {
		t.Error("the 256 colours are wrong")
	}
}

// TestStyles shows what a token becomes in each profile.
func TestStyles(t *testing.T) {
	for _, c := range []struct {
		name    string
		theme   ThemeName
		profile Profile
		token   Token
		ground  Ground
		want    string
	}{
		{"plain writes nothing", Dark, Plain, Emergency, Cursor, "x"},
		{"attributes, no colour", Dark, Attributes, Over, Base, "\x1b[1mx\x1b[0m"},
		{"mono ignores colour", Mono, TrueColour, Over, Base, "\x1b[1mx\x1b[0m"},
		{"the cursor without colour is reverse", Mono, Attributes, Text, Cursor, "\x1b[7mx\x1b[0m"},
		{"sixteen colours", Dark, ANSI16, KindUser, Base, "\x1b[93mx\x1b[0m"},
		{"the cursor in sixteen colours is reverse", Dark, ANSI16, KindUser, Cursor, "\x1b[7mx\x1b[0m"},
		{"256 colours", Dark, ANSI256, KindCalls, Base, "\x1b[38;5;214mx\x1b[0m"},
		{"the row's background is merged in", Dark, ANSI256, KindCalls, Cursor, "\x1b[38;5;214;48;5;236mx\x1b[0m"},
		{"24 bit", Dark, TrueColour, KindCalls, Base, "\x1b[38;2;255;175;0mx\x1b[0m"},
		{"high contrast paints its page", HighContrast, ANSI256, Text, Base, "\x1b[38;5;231;48;5;16mx\x1b[0m"},
	} {
		if got := NewLook(c.theme, c.profile, UTF8).On(c.token, c.ground).Render("x"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	for th := Dark; th <= Mono; th++ {
		if got, err := ParseTheme(th.String()); err != nil || got != th {
			t.Errorf("ParseTheme(%q) = %v, %v", th, got, err)
		}
	}
	for g := UTF8; g <= Braille; g++ {
		if got, err := ParseGlyphs(g.String()); err != nil || got != g {
			t.Errorf("ParseGlyphs(%q) = %v, %v", g, got, err)
		}
	}
	if _, err := ParseTheme("solarized"); err == nil || !strings.Contains(err.Error(), "dark, light, high-contrast, mono") {
		t.Errorf("an unknown theme: %v", err)
	}
	if _, err := ParseGlyphs(""); err == nil {
		t.Error("an empty glyph set is accepted")
	}
}

// codePage437 is what its upper half draws.
const codePage437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■" +
	"☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼⌂"

// TestGlyphs: every glyph takes one cell, so that sets can be changed without
// moving anything, and ASCII is ASCII.
func TestGlyphs(t *testing.T) {
	longer := map[string]bool{"Fold": true, "Arrow": true}
	for set := UTF8; set <= Braille; set++ {
		v := reflect.ValueOf(*GlyphsOf(set))
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			var all []string
			switch f := v.Field(i).Interface().(type) {
			case string:
				all = []string{f}
			case []string:
				all = f
			default:
				continue
			}
			for _, g := range all {
				if w := Width(g); w != 1 && !(longer[name] && set == ASCII) {
					t.Errorf("%v: %s %q takes %d cells", set, name, g, w)
				}
				if set == ASCII && !isPlain(g, false) {
					t.Errorf("%v: %s is %q", set, name, g)
				}
				for _, r := range g {
					if set == Safe && r >= 0x80 && !strings.ContainsRune(codePage437, r) {
						t.Errorf("%v: %s is %q, which the oldest fonts do not hold", set, name, g)
					}
					if set != Braille && r >= 0x2800 && r <= 0x28ff || set == Safe && r >= 0x2581 && r <= 0x258f && r != '▄' && r != '█' && r != '▌' {
						t.Errorf("%v: %s is %q", set, name, g)
					}
				}
			}
		}
		if n := len(v.FieldByName("Shades").Interface().([]string)); n != int(KindSealed-KindOverhead)+1 {
			t.Errorf("%v: %d shades", set, n)
		}
		fills := map[string]bool{} // of which no two are alike
		for _, f := range v.FieldByName("Fills").Interface().([]string) {
			fills[f] = true
		}
		if len(fills) != int(KindSealed-KindOverhead)+1 {
			t.Errorf("%v: %d different fills: %v", set, len(fills), fills)
		}
	}
}
