package summarize

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cinch/compactor/ladder"
	"cinch/model"
	"cinch/model/token"
)

const secret = "sk-proj-veryverysecret0123456789"

// serve is a server on loopback, with how often it has been asked.
func serve(t *testing.T, handler func(n int32, w http.ResponseWriter, r *http.Request)) (Server, *atomic.Int32) {
	t.Helper()
	asked := new(atomic.Int32)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After-Ms", "1")
		handler(asked.Add(1), w, r)
	}))
	t.Cleanup(srv.Close)
	s, err := Parse("openai:small@" + srv.URL + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	return s.(Server), asked
}

// say writes a chat completion.
func say(w http.ResponseWriter, content string) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "c1", "object": "chat.completion", "model": "small",
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": content}}},
	})
}

// refuse writes an error as OpenAI words it.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message, "type": "t", "code": "c"}})
}

func TestServerIsAsked(t *testing.T) {
	t.Setenv(KeyVariable, secret)
	var got struct {
		Model     string
		Messages  []struct{ Role, Content string }
		Tools     []any
		MaxTokens int64  `json:"max_tokens"`
		Reasoning string `json:"reasoning_effort"`
	}
	var path, key string
	s, _ := serve(t, func(_ int32, w http.ResponseWriter, r *http.Request) {
		path, key = r.URL.Path, r.Header.Get("Authorization")
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		say(w, "<think>\nhm\n</think>The import is fixed.")
	})
	req := request(work())
	req.Prompt, req.Model = "Only the facts.", "the policy's"
	answer, err := s.Summarize(context.Background(), req)
	if err != nil || strings.TrimSpace(answer) != "The import is fixed." {
		t.Fatalf("got %q, %v", answer, err)
	}
	if path != "/v1/chat/completions" || key != "Bearer "+secret {
		t.Errorf("asked %s with %q", path, key)
	}
	if got.Model != "small" || len(got.Tools) > 0 || got.MaxTokens != req.Tokens/4 || got.Reasoning != "none" {
		t.Errorf("asked %s with %d tools and reasoning %q for %d tokens", got.Model, len(got.Tools), got.Reasoning, got.MaxTokens)
	}
	var said strings.Builder
	for _, m := range got.Messages {
		said.WriteString("[" + m.Role + "]\n" + m.Content)
		if m.Role == "system" {
			said.WriteString("\n")
		}
	}
	if said.String() != s.Payload(req) {
		t.Errorf("what was sent is not what was shown before:\n%s\n----\n%s", said.String(), s.Payload(req))
	}
}

// A model that does not let reasoning be turned off is asked without a word of it,
// and a request that is wrong for another reason is not asked again.
func TestServerThatKnowsNoReasoning(t *testing.T) {
	t.Setenv(KeyVariable, "")
	for _, c := range []struct {
		refusal string
		asked   int32
		fails   bool
	}{
		{"Unrecognized request argument supplied: reasoning_effort", 2, false},
		{"Unsupported value: 'reasoning_effort' does not support 'none' with this model.", 2, false},
		{"messages: too many", 1, true},
	} {
		s, asked := serve(t, func(_ int32, w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			if strings.Contains(string(body), "reasoning_effort") {
				refuse(w, 400, c.refusal)
				return
			}
			say(w, "fine")
		})
		got, err := s.Summarize(context.Background(), request(work()))
		if (err != nil) != c.fails || !c.fails && got != "fine" || asked.Load() != c.asked {
			t.Errorf("%s: got %q, %v after %d requests", c.refusal, got, err, asked.Load())
		}
	}
}

func TestServerNeedsNoKey(t *testing.T) {
	t.Setenv(KeyVariable, "")
	s, _ := serve(t, func(_ int32, w http.ResponseWriter, r *http.Request) {
		if h := r.Header.Get("Authorization"); h != "" {
			t.Errorf("sent %q", h)
		}
		say(w, "fine")
	})
	if got, err := s.Summarize(context.Background(), request(work())); got != "fine" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestServerIsAskedAgain(t *testing.T) {
	s, asked := serve(t, func(n int32, w http.ResponseWriter, r *http.Request) {
		switch n {
		case 1:
			refuse(w, http.StatusTooManyRequests, "slow down")
		case 2:
			refuse(w, http.StatusInternalServerError, "broken")
		default:
			say(w, "at last")
		}
	})
	got, err := s.Summarize(context.Background(), request(work()))
	if got != "at last" || err != nil || asked.Load() != 3 {
		t.Errorf("got %q, %v after %d tries", got, err, asked.Load())
	}
}

func TestServerFails(t *testing.T) {
	t.Setenv(KeyVariable, secret)
	for _, c := range []struct {
		name, says string
		asked      int32
		handler    func(w http.ResponseWriter, r *http.Request)
	}{
		{"always busy", "answered 429 Too Many Requests 4 times: slow down", 4, func(w http.ResponseWriter, r *http.Request) {
			refuse(w, 429, "slow down")
		}},
		{"always broken", "answered 500 Internal Server Error 4 times", 4, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(500)
		}},
		{"wrong key, repeated by the server", "answered 401 Unauthorized: Incorrect API key provided: [key]", 1, func(w http.ResponseWriter, r *http.Request) {
			refuse(w, 401, "Incorrect API key provided: "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		}},
		{"wrong key, starred out", "provided: [key]", 1, func(w http.ResponseWriter, r *http.Request) {
			refuse(w, 401, "Incorrect API key provided: sk-proj-very****6789")
		}},
		{"no such model", "answered 404 Not Found: no model small", 1, func(w http.ResponseWriter, r *http.Request) {
			refuse(w, 404, "no model small")
		}},
		{"a web page", "not a chat completion", 1, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>sign in</html>")
		}},
		{"JSON that breaks off", "not a chat completion", 1, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"half`)
		}},
		{"JSON of another kind", "not a chat completion", 1, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"result":"ok"}`)
		}},
		{"a refusal", "refused: I would rather not.", 1, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":null,"refusal":"I would rather not."}}]}`)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, asked := serve(t, func(_ int32, w http.ResponseWriter, r *http.Request) { c.handler(w, r) })
			got, err := s.Summarize(context.Background(), request(work()))
			if err == nil || got != "" || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("got %q, %v; want an error that says %q", got, err, c.says)
			}
			if !strings.HasPrefix(err.Error(), "small at 127.0.0.1:") {
				t.Errorf("%q does not say who failed", err)
			}
			if asked.Load() != c.asked {
				t.Errorf("asked %d times, want %d", asked.Load(), c.asked)
			}
			if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "6789") {
				t.Errorf("the key is in %q", err)
			}
		})
	}
}

func TestServerIsNotThere(t *testing.T) {
	t.Setenv(KeyVariable, secret)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	s, err := Parse("openai:small@" + gone.URL)
	if err != nil {
		t.Fatal(err)
	}
	server := s.(Server)
	server.Timeout = 300 * time.Millisecond // while it is tried again
	_, err = server.Summarize(context.Background(), request(work()))
	if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "small at 127.0.0.1:") {
		t.Errorf("got %v", err)
	}
}

func TestServerIsSlow(t *testing.T) {
	s, _ := serve(t, func(_ int32, w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then is a client seen to go away
		<-r.Context().Done()
	})
	s.Timeout = 100 * time.Millisecond
	if _, err := s.Summarize(context.Background(), request(work())); err == nil || !strings.Contains(err.Error(), "no summary within 100ms") {
		t.Errorf("got %v", err)
	}
	s.Timeout = DefaultTimeout
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := s.Summarize(ctx, request(work())); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, it says %v", err)
	}
}

func TestServerWithoutAModel(t *testing.T) {
	s, err := Parse("openai:@http://localhost:1/v1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Summarize(context.Background(), request(work())); err == nil || !strings.Contains(err.Error(), "summaryModel") {
		t.Errorf("got %v", err)
	}
}

// What becomes of a server's answer in a pass: a good one is committed, a blank
// one is marked, one longer than the head is left, and a failure ends the pass.
func TestServerInAPass(t *testing.T) {
	policy := ladder.Policy{
		Strategy:      []ladder.Strategy{ladder.Summarize},
		Preserve:      ladder.Preserve{FirstUserTurn: true},
		Trigger:       &ladder.Trigger{Kind: ladder.InputTokens, Value: 100},
		SummaryPrompt: DefaultPrompt,
	}
	for _, c := range []struct {
		name    string
		handler func(w http.ResponseWriter)
		verdict ladder.Verdict
		text    string
	}{
		{"success", func(w http.ResponseWriter) { say(w, " The import is fixed. ") }, ladder.Committed, "[compacted] The import is fixed."},
		{"empty", func(w http.ResponseWriter) { say(w, " \n") }, ladder.Committed, "[compacted] (no summary available)"},
		{"longer than what it replaces", func(w http.ResponseWriter) { say(w, strings.Repeat("and so on ", 3000)) }, ladder.NoGain, ""},
		{"failure", func(w http.ResponseWriter) { refuse(w, 400, "no") }, ladder.Failed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := serve(t, func(_ int32, w http.ResponseWriter, _ *http.Request) { c.handler(w) })
			rec := ladder.NewRecord(work(), token.Drover)
			e, err := ladder.New(policy, 0, rec)
			if err != nil {
				t.Fatal(err)
			}
			out := ladder.Run(e.Start(len(rec.Entries)).Pass(context.Background(), 1, nil, s))
			var rung ladder.Step
			for _, step := range out.Steps {
				if step.Kind == ladder.Rung {
					rung = step
				}
			}
			if rung.Verdict != c.verdict || (out.Err != nil) != (c.verdict == ladder.Failed) {
				t.Fatalf("the rung is %s, the error %v", rung.Verdict, out.Err)
			}
			var texts []string
			for _, o := range out.State.View.Output() {
				if o.Message.Mark == model.Summary {
					texts = append(texts, o.Message.Parts[0].Text)
				}
			}
			if got := strings.Join(texts, "|"); got != c.text {
				t.Errorf("the summary is %q, want %q", got, c.text)
			}
		})
	}
}
