package shot

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, screen string
		want         []cell
	}{
		{"plain", "ab", []cell{{0, 0, 1, "a", style{}}, {0, 1, 1, "b", style{}}}},
		{"second line", "\nx", []cell{{1, 0, 1, "x", style{}}}},
		{"wide", "界x", []cell{{0, 0, 2, "界", style{}}, {0, 2, 1, "x", style{}}}},
		{"a colour and its end", "\x1b[31ma\x1b[0mb", []cell{{0, 0, 1, "a", style{fg: "#cd3131"}}, {0, 1, 1, "b", style{}}}},
		{"bright", "\x1b[94ma", []cell{{0, 0, 1, "a", style{fg: "#3b8eea"}}}},
		{"of 256", "\x1b[48;5;196ma", []cell{{0, 0, 1, "a", style{bg: "#ff0000"}}}},
		{"grey", "\x1b[38;5;232ma", []cell{{0, 0, 1, "a", style{fg: "#080808"}}}},
		{"true colour, then bold", "\x1b[38;2;1;2;255;1ma", []cell{{0, 0, 1, "a", style{fg: "#0102ff", bold: true}}}},
		{"a style lasts over lines", "\x1b[7ma\nb", []cell{{0, 0, 1, "a", style{reversed: true}}, {1, 0, 1, "b", style{reversed: true}}}},
		{"ends of single attributes", "\x1b[1;2;3;4;7;9m\x1b[22;23;24;27;29ma", []cell{{0, 0, 1, "a", style{}}}},
		{"other escapes are left out", "\x1b]0;title\x07\x1b[2Ja", []cell{{0, 0, 1, "a", style{}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := parse(tt.screen)
			if len(got) != len(tt.want) {
				t.Fatalf("got %v, want %v", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("cell %d: got %+v, want %+v", i, got[i], tt.want[i])
				}
			}
		})
	}
}

func TestSVGIsWellFormedAndTheSameAgain(t *testing.T) {
	screen := "\x1b[1m<&> \"quoted\"\x1b[0m ██▍┊ ┌─┐ ╌╌ ░▒▓ ▁▄▇ ┏┃┗\n\x1b[7mcursor\x1b[0m 界 ❤️"
	svg := SVG(screen, 40, 2, Dark)
	if svg != SVG(screen, 40, 2, Dark) {
		t.Error("the same screen gives another picture")
	}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
	}
	for _, want := range []string{"&lt;&amp;&gt;", "cursor", "界", `width="380"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("%q is not in the picture", want)
		}
	}
	for _, shape := range "█▍┊┌─░▁┏" {
		if strings.ContainsRune(svg, shape) {
			t.Errorf("%c is written as a letter, not drawn", shape)
		}
	}
}

func TestReverse(t *testing.T) {
	svg := SVG("\x1b[7ma", 1, 1, Theme{"#000001", "#000002"})
	if !strings.Contains(svg, `fill="#000001"/>`) || !strings.Contains(svg, `fill="#000002">a`) {
		t.Errorf("fore- and background are not exchanged:\n%s", svg)
	}
}

// TestEighths: a gauge that is drawn must be as full as its characters say.
func TestEighths(t *testing.T) {
	for r, want := range map[rune]string{'▏': `width="1.125" height="18"`, '▉': `width="7.875" height="18"`, '▌': `width="4.5" height="18"`, '▁': `width="9" height="2.25"`, '▇': `width="9" height="15.75"`} {
		if svg := SVG(string(r), 1, 1, Dark); !strings.Contains(svg, want) {
			t.Errorf("%c: %s is not in\n%s", r, want, svg)
		}
	}
}
