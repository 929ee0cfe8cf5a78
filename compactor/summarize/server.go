package summarize

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"cinch/compactor/ladder"
)

// KeyVariable is the environment variable a server's key is read from, when a
// request is sent and never before. A server that needs none works without it.
const KeyVariable = "OPENAI_API_KEY"

// Server is an OpenAI-compatible server that is asked for one chat completion:
// no tools, a capped answer, tried again with growing pauses while it is busy
// or broken.
type Server struct {
	Model   string   // "" for the policy's summaryModel
	Base    *url.URL // such as http://localhost:11434/v1
	Timeout time.Duration
}

// tries is how often a request is sent before the server's answer is believed.
const tries = 4

// The limits of an answer, in tokens. Within them it gets a quarter of what it replaces.
const (
	minAnswer = 256
	maxAnswer = 2048
)

// parseServer reads MODEL@BASE_URL. A model's name may hold an @ of its own.
func parseServer(rest string) (Summarizer, error) {
	fail := func(why string) (Summarizer, error) {
		return nil, fmt.Errorf("summariser openai: %s: openai:MODEL@BASE_URL, such as openai:llama3.2@http://localhost:11434/v1", why)
	}
	at := strings.LastIndex(rest, "@http")
	if at < 0 {
		return fail("it names no server")
	}
	base, err := url.Parse(rest[at+1:])
	switch {
	case err != nil:
		return fail("the server's address cannot be read")
	case base.Scheme != "http" && base.Scheme != "https" || base.Host == "":
		return fail("the server's address starts with http:// or https:// and a host")
	case base.User != nil:
		return fail("a password does not belong into the address; the key is read from " + KeyVariable)
	case base.RawQuery != "" || base.Fragment != "":
		return fail("the server's address has no ? and no #")
	}
	return Server{Model: rest[:at], Base: base, Timeout: DefaultTimeout}, nil
}

func (s Server) String() string   { return "openai:" + s.Model + "@" + s.Base.String() }
func (s Server) Receiver() string { return s.Base.Host }

// Payload is what the server is sent, without the envelope of the request.
func (s Server) Payload(req ladder.Request) string {
	return "[system]\n" + req.Prompt + "\n[user]\n" + enclosed(req)
}

// answerTokens is how long an answer may be.
func answerTokens(req ladder.Request) int64 {
	return min(max(req.Tokens/4, minAnswer), maxAnswer)
}

// Summarize asks the server. Its errors name the model, the host and what the
// server said, and never the key.
func (s Server) Summarize(ctx context.Context, req ladder.Request) (string, error) {
	name := s.Model
	if name == "" {
		name = req.Model
	}
	if name == "" {
		return "", fmt.Errorf("no model is named for %s: neither openai:MODEL@… nor the policy's summaryModel", s.Base.Host)
	}
	key := os.Getenv(KeyVariable)
	run := ctx
	if s.Timeout > 0 {
		var cancel context.CancelFunc
		run, cancel = context.WithTimeout(ctx, s.Timeout)
		defer cancel()
	}
	answer, err := s.ask(run, name, key, req)
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case run.Err() != nil:
		return "", fmt.Errorf("%s at %s gave no summary within %s", name, s.Base.Host, s.Timeout)
	}
	return "", fmt.Errorf("%s at %s %s", name, s.Base.Host, without(key, failure(err)))
}

func (s Server) ask(ctx context.Context, name, key string, req ladder.Request) (string, error) {
	opts := []option.RequestOption{
		option.WithBaseURL(strings.TrimRight(s.Base.String(), "/") + "/"),
		option.WithMaxRetries(tries - 1),
	}
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
	}
	params := openai.ChatCompletionNewParams{
		Model: name,
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage(req.Prompt),
			openai.UserMessage(enclosed(req)),
		},
	}
	// OpenAI itself takes only the newer name of the cap, many other servers only the older.
	if s.Base.Hostname() == "api.openai.com" {
		params.MaxCompletionTokens = openai.Int(answerTokens(req))
	} else {
		params.MaxTokens = openai.Int(answerTokens(req))
	}
	params.ReasoningEffort = openai.ReasoningEffortNone
	service := openai.NewChatCompletionService(opts...)
	got, err := service.New(ctx, params)
	if aboutReasoning(err) {
		params.ReasoningEffort = ""
		got, err = service.New(ctx, params)
	}
	if err != nil {
		return "", err
	}
	if len(got.Choices) == 0 {
		return "", notCompletion
	}
	message := got.Choices[0].Message
	if message.Content == "" && message.Refusal != "" {
		return "", said("refused: " + shorten(message.Refusal, 200))
	}
	return thoughts.ReplaceAllString(message.Content, ""), nil
}

// aboutReasoning reports whether a server refuses a request because it says that
// there shall be no reasoning, which models without any, and some that cannot do
// without, do not let one say.
func aboutReasoning(err error) bool {
	var api *openai.Error
	return errors.As(err, &api) && (api.StatusCode == http.StatusBadRequest || api.StatusCode == http.StatusUnprocessableEntity) &&
		strings.Contains(strings.ToLower(api.RawJSON()), "reasoning")
}

// said is a server's answer that holds no summary, as the end of a sentence.
type said string

func (s said) Error() string { return string(s) }

const notCompletion = said("answered with something that is not a chat completion")

// thoughts is the reasoning that some servers put before the answer.
var thoughts = regexp.MustCompile(`(?s)^\s*<think>.*?</think>`)

// failure says what went wrong, as the end of a sentence that starts with the server.
func failure(err error) string {
	var api *openai.Error
	if errors.As(err, &api) {
		text := fmt.Sprintf("answered %d %s", api.StatusCode, http.StatusText(api.StatusCode))
		if retried(api.StatusCode) {
			text += fmt.Sprintf(" %d times", tries)
		}
		if api.Message != "" {
			text += ": " + shorten(api.Message, 300)
		}
		return text
	}
	var address *url.Error
	if errors.As(err, &address) {
		return "cannot be reached: " + address.Err.Error()
	}
	var words said
	if errors.As(err, &words) {
		return string(words)
	}
	return string(notCompletion)
}

// retried reports whether an answer with this status is asked for again.
func retried(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusConflict ||
		status == http.StatusTooManyRequests || status >= 500
}

// without is text with a key taken out, also where a server shows only most of
// it, as servers do that say which key they were given.
func without(key, text string) string {
	if key == "" {
		return text
	}
	text = strings.ReplaceAll(text, key, "[key]")
	return keyLike.ReplaceAllString(text, "[key]")
}

// keyLike is what looks like a key, whole or with its middle starred out.
var keyLike = regexp.MustCompile(`\bsk-[\w*.…-]+`)
