package ui

import (
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"cinch/model"
	"cinch/ui/draw"
)

// codePage437 is what the upper half of the oldest fonts draws.
const codePage437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■" +
	"☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼⌂"

// TestOldestFonts: on a console without a font of its own every character of
// ours can be drawn, and of the colours only the sixteen are used.
func TestOldestFonts(t *testing.T) {
	console := draw.NewLook(draw.Dark, draw.ANSI16, draw.Safe)
	many := regexp.MustCompile(`\x1b\[[0-9;]*[34]8[;m]`)
	for what, keys := range situations {
		for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 36}} {
			d := talk(t, size[0], size[1], long(60)...)
			d.look, d.stale = console, true
			d.set(func(s *setup) { s.policy.Window = 2_000 })
			d.press(keys...)
			if code := many.FindString(d.View()); code != "" {
				t.Errorf("%s: %q is none of sixteen colours", what, code)
			}
			for _, line := range strings.Split(d.plain(), "\n") {
				for _, r := range line {
					if r >= 0x80 && !strings.ContainsRune(codePage437, r) {
						t.Fatalf("%s: %q in %s", what, r, line)
					}
				}
			}
		}
	}
}

// TestStatesWithoutColour: with no colour and no attribute the cursor, every
// fate, the cut, a pair and a selected pair still are characters or words.
func TestStatesWithoutColour(t *testing.T) {
	for _, set := range []draw.GlyphSet{draw.UTF8, draw.Safe, draw.ASCII} {
		g := draw.GlyphsOf(set)
		d := demo(t, 120, 36)
		d.look, d.stale = draw.NewLook(draw.Dark, draw.Plain, set), true
		if strings.Contains(d.View(), "\x1b") {
			t.Fatal("an escape code is drawn")
		}
		for what, text := range map[string]string{
			"the cursor, on a selected pair": g.Cursor + g.PairTopSel, "its other end": " " + g.PairEndSel, "a pair": " " + g.PairTop, "the first": g.Kept + " first",
			"reattached": g.Inserted + " reattached", "dropped": g.Dropped + " dropped", "paired": g.Guarded + " paired",
			"recent": g.Kept + " recent", "the cut": strings.Repeat(g.Heavy, 3) + " cut 65 " + g.Arrow + " 62", "a fold": g.Fold, "over": "OVER THRESHOLD",
			"the screen in front": "1 pass",
		} {
			if !strings.Contains(d.plain(), text) {
				t.Errorf("%v: %s: no %q on the screen:\n%s", set, what, text, d.plain())
			}
		}
		d.press("tab")
		if knob := g.KnobLeft; !strings.Contains(d.plain(), "preserve_recent "+knob) {
			t.Errorf("%v: the knob that has the keys has no %s:\n%s", set, knob, d.plain())
		}
		d.press("esc", "enter")
		if !strings.Contains(d.plain(), g.Cursor+"#0 call") {
			t.Errorf("%v: that the message has the keys cannot be seen:\n%s", set, d.plain())
		}
	}
}

// TestEveryCellIsPainted: a theme that brings its own background leaves no cell
// to the terminal's, which may be white.
func TestEveryCellIsPainted(t *testing.T) {
	styled := regexp.MustCompile("\x1b\\[[0-9;]*m[^\x1b]*\x1b\\[0m")
	look := draw.NewLook(draw.HighContrast, draw.ANSI256, draw.UTF8)
	ways := maps.Clone(situations)
	for _, key := range []string{"2", "3", "4", "O", "T"} {
		ways[key] = []string{key}
	}
	for what, keys := range ways {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 12}} {
			d := demo(t, size[0], size[1])
			d.look, d.stale = look, true
			d.press(keys...)
			d.settle()
			for y, line := range strings.Split(d.View(), "\n") {
				if bare := styled.ReplaceAllString(line, ""); bare != "" {
					t.Fatalf("%s at %v, line %d: %q is not painted: %q", what, size, y, bare, line)
				}
			}
		}
	}
}

// hostile is text with everything in it that a terminal would obey or measure in
// its own way.
const hostile = "\x1b]52;c;aGk=\x07\x1b]0;title\x1b\\\x1b]8;;http://x\x07link\x1b]8;;\x07\x1b[6n\x1bc\x1bPtmux;\x1b\x1b[2J\x1b\\\x1b_x\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\" +
	"\x1b[2J\x9b31m\u009b31m\u202ea\u2066b\u200fc\u061cd\u200be\u2060f\ufeffg\U000e0041\r\x00\x08\x7f\tend\xff ❤️ ⚠️ 🇩🇪 👨‍👩‍👧 👍🏽 1️⃣ 日本語 e\u0301\u0301\u0301\u0301\u0301\u0301 \x1b]0;never ended"

// TestWidthsAreNotDisputed: what is shown of any text is measured alike by
// terminals that join characters and by those that do not, so that nothing
// behind it is moved. It stands behind everything else of its row, with nothing
// but blanks up to the edge of its pane.
func TestWidthsAreNotDisputed(t *testing.T) {
	call := calls("a")
	call.Parts[0].Name, call.Parts[0].Text = "look"+hostile, `{"`+hostile+`":"`+hostile+`"}`
	answer := results("a")
	answer.Parts[0].Text, answer.ID = hostile, hostile
	c := &model.Conversation{Format: "native", Path: "dir/" + hostile, Messages: []*model.Message{says(model.User, hostile), call, answer, says(model.System, hostile)}}
	for _, size := range [][2]int{{120, 36}, {81, 24}, {40, 12}, {199, 50}} {
		d := drive(t, Options{Path: "talk", Open: opener(map[string]*model.Conversation{"talk": c})}, size[0], size[1], colours())
		for _, keys := range [][]string{{"g"}, {"j"}, {"j"}, {"enter"}, {"esc", "f", "t"}, {"esc", "?"}, {"esc", "y"}, {"esc", "/", "e", "n", "d"}, {"enter", "2"}, {"1", "G"}} {
			d.press(keys...)
			checkFrame(t, strings.Join(keys, " "), d.View(), size[0], size[1], false)
			for _, line := range strings.Split(d.plain(), "\n") {
				if a, b := ansi.StringWidth(line), ansi.StringWidthWc(line); a != b {
					t.Errorf("%d cells for some terminals and %d for others: %q", a, b, line)
				}
			}
		}
	}
	d := drive(t, Options{Path: "talk", Open: opener(map[string]*model.Conversation{"talk": c})}, 120, 36, colours())
	bar := d.pass().place.bar.X
	for _, line := range strings.Split(d.plain(), "\n")[headLines+d.pass().place.list.Y+1:][:4] {
		if got := ansi.Cut(line, bar, bar+1); got != "│" {
			t.Errorf("the line between list and message is not at column %d of %q", bar, line)
		}
	}
}
