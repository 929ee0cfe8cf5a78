package token

import (
	"encoding/base64"
	"fmt"
	"image"
	_ "image/gif" // the picture formats whose size is read from their first bytes
	_ "image/jpeg"
	_ "image/png"
	"math"
	"slices"
	"strings"

	"cinch/model"
)

// imageRules are the providers' own rules for the tokens of a picture, by the
// name --counter takes behind "image:".
var imageRules = map[string]func(*model.Media) int64{
	"openai":    openaiImage,
	"anthropic": anthropicImage,
	"gemini":    geminiImage,
	"chars":     func(*model.Media) int64 { return charsPerImage / charsPerToken },
}

// ImageRules lists the names WithImages takes.
var ImageRules = []string{"openai", "anthropic", "gemini", "chars"}

// WithImages is c with pictures counted by the named provider's rule.
func WithImages(c Counter, rule string) (Counter, error) {
	tokens, ok := imageRules[rule]
	if !ok {
		return nil, fmt.Errorf("unknown image rule %q: one of %s", rule, strings.Join(ImageRules, ", "))
	}
	return withImages{c, rule, tokens}, nil
}

type withImages struct {
	Counter
	rule   string
	tokens func(*model.Media) int64
}

func (w withImages) Name() string    { return w.Counter.Name() + ",image:" + w.rule }
func (w withImages) base() Counter   { return w.Counter }
func (w withImages) perToken() int64 { return perToken(w.Counter) }

func (w withImages) Part(p *model.Part) int64 {
	isImage := func(p model.Part) bool { return p.Kind == model.Image }
	switch {
	case p.Kind == model.Image:
		return w.tokens(p.Media) * w.perToken()
	case slices.ContainsFunc(p.List, isImage):
		rest := *p
		rest.List = slices.DeleteFunc(slices.Clone(p.List), isImage)
		n := w.Counter.Part(&rest)
		for i := range p.List {
			if isImage(p.List[i]) {
				n += w.Part(&p.List[i])
			}
		}
		return n
	}
	return w.Counter.Part(p)
}

// perToken is the weight of one token in c's units, to the nearest below.
func perToken(c Counter) int64 {
	if k, ok := c.(interface{ perToken() int64 }); ok {
		return k.perToken()
	}
	const many = 1 << 40
	return many / max(1, c.Tokens(many))
}

// openaiImage is OpenAI's rule for high detail: fitted into 2,048 pixels square,
// the shorter side down to 768, 85 tokens and 170 for each tile of 512 pixels.
// 765, four tiles, when the size is unknown.
func openaiImage(m *model.Media) int64 {
	w, h := pixels(m)
	if w == 0 || h == 0 {
		return 765
	}
	w, h = shrink(w, h, 2048/max(w, h))
	w, h = shrink(w, h, 768/min(w, h))
	return 85 + 170*tiles(w, 512)*tiles(h, 512)
}

// anthropicImage is Anthropic's rule: width times height over 750, after the
// longer side was brought down to 1,568 pixels, and at most about 1,600, which
// also stands for a picture of unknown size.
func anthropicImage(m *model.Media) int64 {
	w, h := pixels(m)
	if w == 0 || h == 0 {
		return 1600
	}
	w, h = shrink(w, h, 1568/max(w, h))
	return min(1600, int64(math.Ceil(w*h/750)))
}

// geminiImage is Gemini's rule: 258 tokens up to 384 pixels square, else for each
// tile of 768 pixels. 258 when the size is unknown.
func geminiImage(m *model.Media) int64 {
	w, h := pixels(m)
	if max(w, h) <= 384 {
		return 258
	}
	return 258 * tiles(w, 768) * tiles(h, 768)
}

func shrink(w, h, by float64) (float64, float64) {
	if by >= 1 {
		return w, h
	}
	return math.Round(w * by), math.Round(h * by)
}

func tiles(side, tile float64) int64 { return int64(math.Ceil(side / tile)) }

// pixels is the size of a picture, as recorded or from the first bytes of its
// data; 0, 0 when neither says.
func pixels(m *model.Media) (w, h float64) {
	if m == nil {
		return 0, 0
	}
	if m.Width > 0 && m.Height > 0 {
		return float64(m.Width), float64(m.Height)
	}
	if m.Encoding != "base64" {
		return 0, 0
	}
	config, _, err := image.DecodeConfig(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m.Data)))
	if err != nil {
		return 0, 0
	}
	return float64(config.Width), float64(config.Height)
}
