//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cinch/e2e/tmux"
)

// climb opens the demo on the Ladder screen.
func climb(t *testing.T, width, height int) *tmux.Screen {
	t.Helper()
	s := terminal(t, width, height)
	s.Command("cinch lesson:demo")
	s.Wait(`1 pass`)
	s.Keys("3")
	s.Wait(`call 28/30`)
	return s
}

// TestLadderPass: the rung table says what a pass gave, the list shows what it
// cleared, and steps take it apart.
func TestLadderPass(t *testing.T) {
	s := climb(t, 120, 36)
	s.Wait(`1 drop-tool-results +8,196 +3,210 +4,986 .*committed: 23 results cleared`)
	s.Wait(`2 summarize .*not reached`)
	s.Wait(`- sliding-window .*off`)
	s.Wait(`result +175  ~ cleared +→ 11`)
	s.Wait(`prompt cache broken from #3 on`)
	s.Keys("s")
	s.Wait(`1/3  trigger: ~8,196 tokens have reached the trigger`)
	s.WaitGone(`~ cleared`)
	s.Keys("s")
	s.Wait(`2/3  1 drop-tool-results: clearing 23 tool results`)
	s.Wait(`~ cleared`)
	s.Keys("S", "Left")
	s.Wait(`no pass, under budget`)
	s.Keys("c")
	s.Wait(`manual: a pass was asked for`)
	s.Keys("u")
	s.Wait(`no pass, under budget`)
}

// TestLadderExtract: with another rung a summary is drawn and stands in the list,
// and undo brings the cleared results back.
func TestLadderExtract(t *testing.T) {
	s := climb(t, 120, 36)
	s.Keys("w", "e")
	s.Wait(`summaries by extract`)
	s.Keys("BTab", "k", "k", "Space")
	s.Wait(`1 summarize .*committed: one summary for 56 messages`)
	s.Wait(`summary +[\d,]+  \+ inserted +for 56 messages`)
	s.Wait(`\[compacted\] Goal`)
	s.Keys("u")
	s.Wait(`committed: 23 results cleared`)
	s.Wait(`~ cleared`)
	s.WaitGone(`inserted`)
}

// TestLadderCommand: a command is asked only when it was said so, its work can be
// watched and given up, and what it wrote stands in the list.
func TestLadderCommand(t *testing.T) {
	s := climb(t, 120, 36)
	s.Keys("BTab", "k", "k", "Space", "w", "c")
	s.Type("cat > asked; until [ -e go ]; do sleep 0.1; done; echo All is well.")
	s.Keys("Enter")
	s.Wait(`send ~[\d,]+ tokens \([\d.]+% of 10k\) to .*about 1 request in all`)
	s.Keys("v")
	s.Wait(`what a summariser would be sent`)
	s.Wait(`nothing has been sent`)
	s.Keys("Escape")
	s.Wait(`skipped: not asked yet, g asks`)
	if _, err := os.Stat(filepath.Join(s.Home(), "asked")); err == nil {
		t.Fatal("the command ran before it was asked")
	}
	s.Keys("g", "y")
	s.Wait(`esc gives up  call \d+ of 31, summary 1 of ~6,989 tokens`)
	s.Keys("Escape")
	s.Wait(`gave up asking`)
	s.Wait(`skipped: not asked yet, g asks`)
	s.Keys("g", "y")
	s.Wait(`esc gives up`)
	if err := os.WriteFile(filepath.Join(s.Home(), "go"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s.Wait(`was asked for 1 summary`)
	s.Wait(`\[compacted\] All is well\.`)
	s.Keys("u")
	s.WaitGone(`All is well`)
}

// TestLadderServer: a server is asked only when it was said so; giving up ends its
// request; and what it answers stands in the list.
func TestLadderServer(t *testing.T) {
	asked, given, answer := make(chan string, 8), make(chan bool, 8), make(chan string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked <- string(body)
		select {
		case <-r.Context().Done():
			given <- true
		case text := <-answer:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%q}}]}`, text)
		}
	}))
	defer server.Close()
	s := climb(t, 120, 36)
	s.Keys("BTab", "k", "k", "Space", "w", "o")
	s.Type("small@" + server.URL + "/v1")
	s.Keys("Enter")
	s.Wait(`send ~[\d,]+ tokens \([\d.]+% of 10k\) to 127\.0\.0\.1:\d+\? about 1 request in all`)
	if len(asked) > 0 {
		t.Fatal("the server was asked before it was said so")
	}
	s.Keys("y")
	if body := <-asked; !strings.Contains(body, "TestFairShare") || strings.Contains(body, `"tools"`) {
		t.Errorf("the server was sent %.200s", body)
	}
	s.Wait(`esc gives up  call \d+ of 31, summary 1 of ~6,989 tokens`)
	s.Keys("Escape")
	s.Wait(`gave up asking`)
	<-given
	s.Keys("g", "y")
	<-asked
	answer <- "All is well."
	s.Wait(`was asked for 1 summary`)
	s.Wait(`\[compacted\] All is well\.`)
}

// TestLadderFailingCommand: a command that fails leaves the messages as they were,
// and says how it ended.
func TestLadderFailingCommand(t *testing.T) {
	s := climb(t, 80, 24)
	s.Keys("BTab", "k", "k", "Space", "w", "c")
	s.Type("echo no more paper >&2; exit 7")
	s.Keys("Enter")
	s.Wait(`send ~`)
	s.Keys("y")
	s.Wait(`✖ failed`)
	s.Wait(`CompactionError: the command "echo no more paper >&2; exit 7" ended`)
	s.Wait(`code 7: no more paper`)
	s.Wait(`1 summarize .*failed`)
}

// TestLadderPlays: the cursor moves by itself.
func TestLadderPlays(t *testing.T) {
	s := climb(t, 120, 36)
	s.Keys("0", "+", "+", "+", "+", "+", "Space")
	s.Wait(`playing: call \d+ of 31, 32 calls a second`)
	s.Wait(`next call after 30`)
	s.WaitGone(`playing`)
}
