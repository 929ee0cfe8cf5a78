package transcript

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isATIF knows a trajectory by the version it states.
func isATIF(head []gjson.Result, _ bool) bool {
	for _, r := range head {
		if strings.HasPrefix(r.Get("schema_version").Str, "ATIF") && r.Get("steps").IsArray() {
			return true
		}
	}
	return false
}

// atif reads one trajectory.
type atif struct {
	doc              *Document
	conv             *model.Conversation
	calls            pending
	history, context []*model.Message
	line             int
	agents           []atifAgent // whom its steps name
}

// atifAgent is a trajectory that a step names: one it delegated to.
type atifAgent struct {
	id, path, call string
	line           int
}

// decodeATIF reads all trajectories.
func decodeATIF(doc *Document) ([]*model.Conversation, error) {
	return atifDocument(doc, map[string]bool{filepath.Base(doc.Path): true})
}

// atifDocument reads the trajectories of a document, and those in files beside it
// that they name; seen are the names of the files on the way there.
func atifDocument(doc *Document, seen map[string]bool) ([]*model.Conversation, error) {
	var all []*model.Conversation
	err := doc.Each(func(rec Record) error {
		all = append(all, atifTrajectory(doc, rec.JSON, in(rec), seen))
		return nil
	})
	return all, err
}

// atifTrajectory reads one trajectory.
func atifTrajectory(doc *Document, r gjson.Result, here *inside, seen map[string]bool) *model.Conversation {
	d, n := &atif{doc: doc, conv: &model.Conversation{
		ID: str(r.Get("session_id")), Title: str(r.Get("agent.name")), Model: str(r.Get("agent.model_name")),
		Parent: str(r.Get("agent.extra.parent_session_id")),
	}}, 0
	if tools := r.Get("agent.tool_definitions"); tools.IsArray() {
		d.conv.Tools = compact(tools)
	}
	r.Get("steps").ForEach(func(_, step gjson.Result) bool {
		d.step(step, here.span(step, fmt.Sprintf("steps[%d]", n)))
		n++
		return true
	})
	if next := r.Get("continued_trajectory_ref"); next.Exists() {
		line, col := here.place(next)
		doc.Warn(line, col, "the trajectory goes on in %s", str(next))
	}
	if len(d.conv.Compactions) > 0 {
		d.conv.SetViews(d.history, d.context)
	}
	held := map[string]*model.Conversation{}
	r.Get("subagent_trajectories").ForEach(func(_, sub gjson.Result) bool {
		c := atifTrajectory(doc, sub, here, seen)
		c.ID = str(first(sub, "trajectory_id", "session_id"))
		held[c.ID] = c
		d.conv.Children = append(d.conv.Children, c)
		c.Parent = d.conv.ID
		return true
	})
	for _, a := range d.agents {
		c := held[a.id]
		if c == nil {
			if c = d.beside(a, seen); c == nil {
				continue
			}
			d.conv.Children = append(d.conv.Children, c)
		}
		c.Parent, c.CallID = d.conv.ID, a.call
	}
	return d.conv
}

// beside reads a trajectory that a step names from the file beside; nil when it is
// not there.
func (d *atif) beside(a atifAgent, seen map[string]bool) *model.Conversation {
	if a.path == "" || seen[filepath.Base(a.path)] {
		return nil
	}
	path := filepath.Join(filepath.Dir(d.doc.Path), a.path)
	var sub *Document
	err := fs.ErrNotExist // for one elsewhere
	if filepath.IsLocal(a.path) {
		sub, err = d.doc.beside(path)
	}
	if err == nil {
		err = sub.peek()
	}
	var found []*model.Conversation
	if err == nil {
		deeper := maps.Clone(seen)
		deeper[filepath.Base(a.path)] = true
		found, err = atifDocument(sub, deeper)
	}
	if err != nil || len(found) == 0 {
		d.doc.Warn(a.line, 0, "the trajectory of a subagent is not beside this one: %s", a.path)
		return nil
	}
	c := found[0]
	c.Format, c.Path, c.Warnings = "atif", path, sub.Warnings
	return c
}

// step reads a step: what somebody said, and beside an agent's calls their results.
func (d *atif) step(s gjson.Result, span model.Span) {
	d.line = span.Line
	m := &model.Message{
		Wrote: str(s.Get("source")), Time: moment(s.Get("timestamp")), Spans: []model.Span{span},
		Parts: content(s.Get("message"), atifBlock, d.odd),
	}
	results := s.Get("observation.results")
	results.ForEach(func(_, r gjson.Result) bool {
		r.Get("subagent_trajectory_ref").ForEach(func(_, ref gjson.Result) bool {
			d.agents = append(d.agents, atifAgent{
				str(first(ref, "trajectory_id", "session_id")), str(ref.Get("trajectory_path")), str(r.Get("source_call_id")), span.Line,
			})
			return true
		})
		return true
	})
	switch {
	case m.Wrote == "agent" || m.Wrote != "user" && m.Wrote != "system" && (s.Get("metrics").Exists() || s.Get("tool_calls").Exists()):
		m.Role, m.Model = model.Assistant, str(s.Get("model_name"))
		if m.Model == "" {
			m.Model = d.conv.Model
		}
		d.agent(s, m)
	case m.Wrote == "system":
		m.Role = model.System
		if results.Get("#(subagent_trajectory_ref)").Exists() {
			d.summarised(s, m)
			return
		}
	}
	d.say(m)
	if observed := d.results(results, span); observed != nil {
		d.say(observed)
	}
}

func (d *atif) odd(kind string) { leftOut(d.doc, d.line, kind) }

// say adds a message to all views.
func (d *atif) say(m *model.Message) {
	d.conv.Messages = append(d.conv.Messages, m)
	d.history = append(d.history, m)
	d.context = append(d.context, m)
}

// agent reads the reasoning, the calls and the metrics of an agent's step.
func (d *atif) agent(s gjson.Result, m *model.Message) {
	d.calls.drop()
	if t := s.Get("reasoning_content"); t.Str != "" {
		m.Parts = append([]model.Part{{Kind: model.Thinking, Text: str(t)}}, m.Parts...)
	}
	s.Get("tool_calls").ForEach(func(_, c gjson.Result) bool {
		name := str(c.Get("function_name"))
		id := d.calls.call(str(c.Get("tool_call_id")), name)
		m.Parts = append(m.Parts, toolCall(id, name, c.Get("arguments")))
		return true
	})
	if u := s.Get("metrics"); u.Get("prompt_tokens").Exists() {
		m.Usage = &model.Usage{
			Input: u.Get("prompt_tokens").Int(), CacheRead: u.Get("cached_tokens").Int(), Output: u.Get("completion_tokens").Int(),
		}
	}
}

// results reads what a step observed: results of its calls, in their order
// where no id is given, or text when it called nothing.
func (d *atif) results(results gjson.Result, span model.Span) *model.Message {
	m := &model.Message{Role: model.User, Wrote: "observation", Spans: []model.Span{span}}
	results.ForEach(func(_, r gjson.Result) bool {
		id, output := str(r.Get("source_call_id")), r.Get("content")
		if id == "" && len(d.calls.open) == 0 {
			m.Parts = append(m.Parts, content(output, atifBlock, d.odd)...)
			return true
		}
		m.Parts = append(m.Parts, result(d.calls.result(id, ""), "", output, atifBlock))
		return true
	})
	if len(m.Parts) == 0 {
		return nil
	}
	return m
}

// summarised notes a handoff to a fresh context: the task stays, the summary is
// told in the messages that follow.
func (d *atif) summarised(s gjson.Result, m *model.Message) {
	m.Mark = model.Boundary
	k := model.Compaction{
		Kind: "summarization", Trigger: "auto", Log: len(d.conv.Messages), History: len(d.history), Line: m.Line(), Time: m.Time,
	}
	for i := len(d.history) - 1; i >= 0 && k.Before == 0; i-- {
		if u := d.history[i].Usage; u != nil {
			k.Before = u.Input + u.Output
		}
	}
	d.conv.Compactions = append(d.conv.Compactions, k)
	d.conv.Messages = append(d.conv.Messages, m)
	keep := 0
	for keep < len(d.context) && d.context[keep].Role != model.Assistant {
		keep++
	}
	d.context = d.context[:keep:keep]
}

// atifBlock reads a part of a message or result.
func atifBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	if b.Get("type").Str == "image" {
		image := picture(str(b.Get("source.media_type")), str(first(b, "source.data", "source.url", "source.path")))
		if !b.Get("source.data").Exists() {
			image.Media.Encoding = "url"
		}
		return append(parts, image), true
	}
	return openaiBlock(parts, b)
}
