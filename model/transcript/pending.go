package transcript

import (
	"strconv"

	"cinch/model"
)

// pending gives ids to the calls and results that a file wrote without any, so
// that they pair as they stand: a result answers the oldest waiting call of its
// tool, or the oldest at all when it names none.
type pending struct {
	made int
	open []waiting
}

type waiting struct{ id, name string }

// call notes a tool call and returns its id, made up when the file has none.
func (p *pending) call(id, name string) string {
	if id == "" {
		id = p.make()
	}
	p.open = append(p.open, waiting{id, name})
	return id
}

// result takes the call a tool result answers and returns its id. A result
// without an id that no call waits for gets one of its own, so it stays alone.
func (p *pending) result(id, name string) string {
	for i, w := range p.open {
		if id != "" && w.id != id || id == "" && name != "" && w.name != name {
			continue
		}
		p.open = append(p.open[:i], p.open[i+1:]...)
		return w.id
	}
	if id == "" {
		id = p.make()
	}
	return id
}

// pair gives the calls and results among parts their ids.
func (p *pending) pair(parts []model.Part) {
	for i := range parts {
		switch part := &parts[i]; part.Kind {
		case model.ToolCall:
			part.ID = p.call(part.ID, part.Name)
		case model.ToolResult:
			part.ID = p.result(part.ID, part.Name)
		}
	}
}

// drop forgets the calls that still wait: nothing that follows answers them.
func (p *pending) drop() { p.open = p.open[:0] }

// make is an id no file writes.
func (p *pending) make() string {
	p.made++
	return "#" + strconv.Itoa(p.made)
}
