package transcript

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isCodex knows a rollout by its envelopes, and one from before they existed by
// the header of its first line.
func isCodex(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		switch r.Get("type").Str {
		case "session_meta", "response_item", "event_msg", "turn_context", "compacted":
			if r.Get("payload").IsObject() {
				return true
			}
		}
	}
	return len(head) > 0 && isCodexHeader(head[0])
}

// isCodexHeader knows the first line of a rollout whose other lines are bare items.
func isCodexHeader(r gjson.Result) bool {
	return !r.Get("type").Exists() && r.Get("id").Exists() && r.Get("timestamp").Exists() && r.Get("instructions").Exists()
}

// codex reads a rollout. The conversation is in the response items; events tell
// the same story to the screen and are used only for what the items leave out:
// usage, the window, rollbacks, and who spoke in files that kept no items of theirs.
type codex struct {
	doc   *Document
	conv  *model.Conversation
	items items

	rec                   Record
	history, context      []*model.Message
	answered              *model.Message // the last assistant message
	total, spent          int64          // tokens of the last call, and of all calls, as last reported
	compacted             bool           // the newest compaction still waits for its size afterwards
	userEvents, botEvents bool           // take this speaker's words from events
}

// decodeCodex reads the conversation of a rollout.
func decodeCodex(doc *Document) ([]*model.Conversation, error) {
	d := &codex{doc: doc, conv: &model.Conversation{}}
	d.items.odd = func(kind string) { leftOut(d.doc, d.rec.Line, kind) }
	d.userEvents = !speaks(doc, "user")
	d.botEvents = !speaks(doc, "assistant")
	err := doc.Each(func(rec Record) error {
		d.rec = rec
		d.record(rec.JSON)
		return nil
	})
	if len(d.conv.Compactions) > 0 {
		d.conv.SetViews(d.history, d.context)
	}
	return []*model.Conversation{d.conv}, err
}

// speaks reports whether any item of the rollout is a message from a role.
func speaks(doc *Document, role string) bool {
	found := errors.New("found")
	return doc.Each(func(rec Record) error {
		it := rec.JSON.Get("payload")
		if !it.Exists() {
			it = rec.JSON
		} else if rec.JSON.Get("type").Str != "response_item" {
			return nil
		}
		if it.Get("role").Str == role {
			return found
		}
		return nil
	}) == found
}

// record reads one line.
func (d *codex) record(r gjson.Result) {
	payload := r.Get("payload")
	switch kind := r.Get("type").Str; kind {
	case "session_meta":
		d.meta(payload)
	case "turn_context":
		d.items.end()
		if name := payload.Get("model"); name.Str != "" {
			d.conv.Model = str(name)
		}
	case "response_item":
		d.item(payload)
	case "event_msg":
		d.event(payload)
	case "compacted":
		d.compact(payload)
	case "world_state", "inter_agent_communication", "inter_agent_communication_metadata":
	default:
		switch {
		case payload.Exists():
			d.items.odd(kind)
		case isCodexHeader(r):
			d.meta(r)
		case r.Get("record_type").Exists():
		default:
			d.item(r)
		}
	}
}

// meta reads the session's header. It is written again on every resume, and a
// fork also carries that of the session it came from: the first one counts.
func (d *codex) meta(p gjson.Result) {
	if d.conv.ID != "" {
		return
	}
	d.conv.ID = str(p.Get("id"))
	d.conv.Dir = str(p.Get("cwd"))
	d.conv.Parent = str(first(p, "parent_thread_id", "source.subagent.thread_spawn.parent_thread_id"))
	d.conv.System = str(first(p, "base_instructions.text", "instructions"))
	d.conv.Window = p.Get("context_window").Int()
	if tools := p.Get("dynamic_tools"); tools.IsArray() {
		d.conv.Tools = compact(tools)
	}
}

// item adds a response item to all views.
func (d *codex) item(p gjson.Result) {
	before := len(d.items.messages)
	m := d.items.add(item{p, d.rec.Span(str(p.Get("id"))), moment(d.rec.JSON.Get("timestamp"))})
	if m == nil {
		return
	}
	if m.Role == model.Assistant {
		d.answered, m.Model = m, d.conv.Model
	} else if isInjected(m) {
		m.Mark = model.Meta
	}
	if len(d.items.messages) > before {
		d.conv.Messages = append(d.conv.Messages, m)
		d.history = append(d.history, m)
		d.context = append(d.context, m)
	}
}

// isInjected reports whether a user message was put there by Codex itself.
func isInjected(m *model.Message) bool {
	if m.Role != model.User || len(m.Parts) == 0 || m.Parts[0].Kind != model.Text {
		return false
	}
	for _, opening := range []string{
		"<environment_context>", "<user_instructions>", "<skills_instructions>", "<skill>", "<turn_aborted>",
		"<subagent_notification>", "<user_shell_command>", "# AGENTS.md instructions for",
	} {
		if strings.HasPrefix(m.Parts[0].Text, opening) {
			return true
		}
	}
	return false
}

// event takes from an event what no item says.
func (d *codex) event(p gjson.Result) {
	switch p.Get("type").Str {
	case "token_count":
		d.usage(p.Get("info"))
	case "task_started":
		d.window(p.Get("model_context_window"))
	case "thread_name_updated":
		d.conv.Title = str(p.Get("thread_name"))
	case "thread_rolled_back":
		d.rollback(int(p.Get("num_turns").Int()))
	case "user_message":
		if d.userEvents {
			d.speak("user", p.Get("message"))
		}
	case "agent_message":
		if d.botEvents {
			d.speak("assistant", p.Get("message"))
		}
	}
}

// speak adds a message that only an event recorded.
func (d *codex) speak(role string, said gjson.Result) {
	if said.Type == gjson.String {
		d.item(gjson.Parse(fmt.Sprintf(`{"role":%q,"content":%s}`, role, said.Raw)))
	}
}

// window notes the context window that is in force.
func (d *codex) window(v gjson.Result) {
	if n := v.Int(); n > 0 {
		d.conv.Window = n
	}
}

// usage attaches what the last call cost to the answer it brought. The same
// report comes again with every change of the rate limits. After a compaction
// there is one without a call, with the new size alone.
func (d *codex) usage(info gjson.Result) {
	d.window(info.Get("model_context_window"))
	last := info.Get("last_token_usage")
	size := last.Get("total_tokens").Int()
	if size == 0 {
		return
	}
	usage := openaiUsage(last)
	if d.compacted {
		d.compacted = false
		after := &d.conv.Compactions[len(d.conv.Compactions)-1].After
		if *after = usage.Input; *after == 0 {
			*after = size
		}
	}
	spent := info.Get("total_token_usage.total_tokens").Int()
	if d.answered != nil && d.answered.Usage == nil && usage.Input > 0 && (spent == 0 || spent != d.spent) {
		d.answered.Usage = usage
		d.items.end()
	}
	d.total, d.spent = size, spent
}
