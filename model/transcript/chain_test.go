package transcript

import (
	"context"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// TestWrittenChains: what is written of every session is one way that its agent
// can take up again.
func TestWrittenChains(t *testing.T) {
	for format, walk := range map[string]func(*testing.T, []gjson.Result){"claude-code": walkClaude, "codex": walkCodex, "pi": walkPi} {
		written := func(t *testing.T, f *File, c *model.Conversation) {
			for _, list := range [][]*model.Message{c.View(model.Context), without(c.View(model.Context)), c.View(model.History)} {
				if len(list) == 0 {
					continue
				}
				_, text := again(t, f, format, c, list)
				var records []gjson.Result
				for line := range strings.Lines(text) {
					records = append(records, gjson.Parse(line))
				}
				walk(t, records)
				if t.Failed() {
					t.Fatalf("in\n%s", text)
				}
			}
		}
		for _, path := range samples(t, format) {
			t.Run(path, func(t *testing.T) {
				f, err := Open(context.Background(), path, Options{})
				if err != nil {
					t.Skip("refused on purpose")
				}
				for _, c := range f.Conversations {
					written(t, f, c)
					for _, child := range c.Children {
						written(t, f, child)
					}
				}
			})
		}
		for _, path := range []string{"testdata/openai/request.json", "testdata/zed/thread.json", "testdata/gemini/request.json"} {
			t.Run(path+" as "+format, func(t *testing.T) {
				f := opened(t, path)
				written(t, f, f.Selected)
			})
		}
	}
}

// walkClaude: each record hangs on the one before it, names are unique, no
// boundary hides anything, a summary comes first if at all, and a file of one
// subagent says so on every line.
func walkClaude(t *testing.T, records []gjson.Result) {
	seen, calls := map[string]bool{}, map[string]bool{} // calls are those answered
	last, said := "", 0
	for i, r := range records {
		kind := r.Get("type").Str
		if kind == "custom-title" || kind == "ai-title" {
			continue
		}
		said++
		if link := r.Get("parentUuid"); link.Exists() && link.Str != last {
			t.Errorf("record %d hangs on %q, not on %q", i, link.Str, last)
		}
		if id := r.Get("uuid").Str; id != "" {
			if seen[id] {
				t.Errorf("record %d is named %s, as one before it", i, id)
			}
			seen[id], last = true, id
		}
		if r.Get("compactMetadata").Exists() || r.Get("microcompactMetadata").Exists() {
			t.Errorf("record %d is a boundary", i)
		}
		if r.Get("isCompactSummary").Bool() && said > 1 {
			t.Errorf("record %d hides what is before it", i)
		}
		if r.Get("isSidechain").Bool() != records[len(records)-1].Get("isSidechain").Bool() {
			t.Errorf("record %d is on another chain than the last", i)
		}
		answersLater(t, i, calls, func(visit func(call bool, id string)) {
			r.Get("message.content").ForEach(func(_, b gjson.Result) bool {
				if b.Get("type").Str == "tool_use" {
					visit(true, b.Get("id").Str)
				} else if id := b.Get("tool_use_id"); id.Exists() {
					visit(false, id.Str)
				}
				return true
			})
		})
	}
}

// answersLater notes the calls and results of record i, and reports a call whose
// result stood before it.
func answersLater(t *testing.T, i int, answered map[string]bool, each func(func(call bool, id string))) {
	each(func(call bool, id string) {
		if call && answered[id] {
			t.Errorf("record %d calls %s, which was answered before", i, id)
		}
		if !call {
			answered[id] = true
		}
	})
}

// walkCodex: one header and the settings come first, every line has the time
// without which Codex does not read it, nothing replaces or takes back what is
// there, and no output comes before its call.
func walkCodex(t *testing.T, records []gjson.Result) {
	bare := isCodexHeader(records[0])
	if kind := records[0].Get("type").Str; !bare && kind != "session_meta" {
		t.Errorf("the first line is %s", kind)
	}
	if !bare && records[1].Get("type").Str != "turn_context" {
		t.Errorf("the second line is %s", records[1].Get("type"))
	}
	calls := map[string]bool{}
	for i, r := range records {
		kind, item := r.Get("type").Str, r.Get("payload")
		if bare {
			kind, item = "response_item", r
		} else if !r.Get("timestamp").Exists() || !item.IsObject() {
			t.Errorf("line %d is no line of a rollout: %s", i, r.Raw)
		}
		switch {
		case kind == "session_meta" && i > 0:
			t.Errorf("line %d is a second header", i)
		case kind == "compacted" || item.Get("type").Str == "thread_rolled_back" || item.Get("type").Str == "context_compacted":
			t.Errorf("line %d is %s: what it stands for is not there", i, kind)
		}
		if id := item.Get("call_id"); id.Exists() {
			answersLater(t, i, calls, func(visit func(call bool, id string)) {
				visit(!strings.HasSuffix(item.Get("type").Str, "_output"), id.Str)
			})
		}
	}
}

// walkPi: the header comes first, each entry hangs on the one before it, names are
// unique, and no compaction refers to what is gone.
func walkPi(t *testing.T, records []gjson.Result) {
	if records[0].Get("type").Str != "session" {
		t.Errorf("the first line is %s", records[0].Raw)
	}
	linked := records[0].Get("version").Int() > 1
	seen, last := map[string]bool{}, ""
	for i, r := range records[1:] {
		switch id := r.Get("id").Str; {
		case r.Get("type").Str == "compaction" || r.Get("type").Str == "branch_summary":
			t.Errorf("line %d refers to what is gone", i+1)
		case !linked:
		case id == "" || seen[id]:
			t.Errorf("line %d has the name %q", i+1, id)
		case r.Get("parentId").Str != last:
			t.Errorf("line %d hangs on %q, not on %q", i+1, r.Get("parentId").Str, last)
		default:
			seen[id], last = true, id
		}
	}
}
