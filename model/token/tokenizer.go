package token

import (
	"slices"
	"strings"

	"cinch/model"
	"cinch/model/token/bpe"
)

// O200k and Cl100k count the tokens of OpenAI's encodings, exactly, for each
// part's text, plus 3 a message. They are neither Claude's vocabulary nor
// Gemini's. The ranks are read on the first count, not before.
var (
	O200k  Counter = tokenizer{"o200k", bpe.O200k}
	Cl100k Counter = tokenizer{"cl100k", bpe.Cl100k}
)

const tokensPerMessage = 3

type tokenizer struct {
	name string
	enc  *bpe.Encoding
}

func (t tokenizer) Name() string              { return t.name }
func (t tokenizer) Envelope() int64           { return tokensPerMessage }
func (t tokenizer) Tokens(weight int64) int64 { return weight }
func (t tokenizer) perToken() int64           { return 1 }

func (t tokenizer) Part(p *model.Part) int64 {
	switch p.Kind {
	case model.Image:
		return openaiImage(p.Media)
	case model.Document:
		return openaiImage(nil) + t.text(p.Text)
	case model.ToolCall:
		return t.text(p.Name) + t.text(p.Text)
	case model.ToolResult:
		n := t.text(p.Text)
		for i := range p.List {
			n += t.Part(&p.List[i])
		}
		return n
	case model.Opaque:
		return opaqueTokens(p.Media)
	}
	return t.text(p.Text)
}

// text is the tokens of s. A base64 payload inside it, such as a picture in a
// data: URL, counts as one image, not as text.
func (t tokenizer) text(s string) (tokens int64) {
	for {
		start, end := payload(s)
		if start == end {
			return tokens + t.enc.Count(s)
		}
		tokens += t.enc.Count(s[:start]) + openaiImage(&model.Media{Encoding: "base64", Data: s[start:end]})
		s = s[end:]
	}
}

// Approximate reports whether c's number for p is an estimate where its other
// numbers are exact: a text holds a piece too long to be merged in one go. Such a
// number is shown with ≈. Counters that estimate everything are never marked.
func Approximate(c Counter, p *model.Part) bool {
	t, ok := base(c).(tokenizer)
	if !ok {
		return false
	}
	if t.enc.Approximate(p.Text) {
		return true
	}
	for i := range p.List {
		if Approximate(t, &p.List[i]) {
			return true
		}
	}
	return false
}

// Approximated is how many messages c's number is an estimate for, where its other
// numbers are exact: see [Approximate].
func Approximated(c Counter, messages []*model.Message) (n int) {
	for _, m := range messages {
		if slices.ContainsFunc(m.Parts, func(p model.Part) bool { return Approximate(c, &p) }) {
			n++
		}
	}
	return n
}

// base is the counter beneath one that changes it.
func base(c Counter) Counter {
	for {
		inner, ok := c.(interface{ base() Counter })
		if !ok {
			return c
		}
		c = inner.base()
	}
}

const (
	payloadMark = ";base64,"
	minPayload  = 256 // bytes of base64 that count as a payload
)

// payload is the first long run of base64 behind ";base64," in s, 0, 0 when there is none.
func payload(s string) (start, end int) {
	for at := 0; ; {
		i := strings.Index(s[at:], payloadMark)
		if i < 0 {
			return 0, 0
		}
		start = at + i + len(payloadMark)
		for end = start; end < len(s) && isBase64(s[end]); end++ {
		}
		if end-start >= minPayload {
			return start, end
		}
		at = end
	}
}

func isBase64(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '+' || b == '/' || b == '='
}

// opaqueTokens estimates reasoning that only the provider can read: the bytes that
// its base64 holds, less the 650 or so that encryption adds, at four a token.
func opaqueTokens(m *model.Media) int64 {
	if m == nil {
		return 0
	}
	return max(0, int64(len(m.Data))*3/4-650) / charsPerToken
}
