// Package summarize holds what can write a summary for the ladder: an extract
// that needs no model, a command, an OpenAI-compatible server, a fixed text.
// Only a command or a server that the user named ever gets to see a conversation.
package summarize

import (
	"fmt"
	"strings"
	"time"

	"cinch/compactor/ladder"
	"cinch/model"
	"cinch/model/token"
)

// DefaultPrompt is what a policy is given that turns on the summarize rung and
// brings no prompt of its own.
const DefaultPrompt = `Summarise the part of an agent's work below, so that the agent can go on from your summary without having seen it.
Keep: what was asked for, what was decided and why, files and identifiers by their exact names, commands and their outcome, errors word for word, and what is still open.
Leave out greetings, repetition and anything that later work undid. Write plain text and nothing but the summary.`

// DefaultTimeout is how long a command or a server may take for one summary.
const DefaultTimeout = 2 * time.Minute

// Summarizer is a summariser that can say beforehand what it would send, and where to.
type Summarizer interface {
	ladder.Summarizer

	// String is the spec that [Parse] reads, without anything secret.
	String() string
	// Receiver is who would get to see the conversation: a command or a host. It
	// is "" when the conversation stays in this program.
	Receiver() string
	// Payload is everything the receiver would be sent for a request, as text;
	// "" when there is no receiver.
	Payload(ladder.Request) string
}

// Specs lists the forms that [Parse] reads, for help and completion.
var Specs = []string{"extract", "cmd:COMMAND", "openai:MODEL@BASE_URL", "text:TEXT"}

// Parse makes the summariser that a spec names.
func Parse(spec string) (Summarizer, error) {
	kind, rest, colon := strings.Cut(spec, ":")
	switch {
	case spec == "extract":
		return Extract{}, nil
	case kind == "text" && colon:
		return Text(rest), nil
	case kind == "cmd" && colon:
		if strings.TrimSpace(rest) == "" {
			return nil, fmt.Errorf("summariser %q names no command: cmd:COMMAND, such as cmd:./summarise.sh", spec)
		}
		return Command{Line: rest, Timeout: DefaultTimeout}, nil
	case kind == "openai" && colon:
		return parseServer(rest)
	}
	return nil, fmt.Errorf("unknown summariser %q: one of %s", spec, strings.Join(Specs, ", "))
}

// Tokens estimates what a summariser would be sent for a request, to be held
// against its own context window. It is 0 when nothing is sent.
func Tokens(c token.Counter, s Summarizer, req ladder.Request) int64 {
	text := s.Payload(req)
	if text == "" {
		return 0
	}
	m := &model.Message{Parts: []model.Part{{Kind: model.Text, Text: text}}}
	return token.Count(c, []*model.Message{m})
}
