// Package model says what a recorded agent conversation is: messages made of
// parts, who said them, where in the file they stand, and which tool results
// answer which tool calls. It imports nothing else of the project.
package model

import "time"

// Role is who a message is from, as the truncating engine sees it: tool results
// travel in user messages, so there is no tool role. What the file called the
// role is kept in [Message.Wrote].
type Role uint8

const (
	User Role = iota
	Assistant
	System
)

func (r Role) String() string {
	switch r {
	case User:
		return "user"
	case Assistant:
		return "assistant"
	case System:
		return "system"
	}
	return "unknown"
}

// Kind is what a part is.
type Kind uint8

const (
	Text       Kind = iota
	Thinking        // readable reasoning
	Image           // a picture; its bytes are in Media
	ToolCall        // ID, Name and Text = the input as compact JSON
	ToolResult      // ID of the call it answers, Name, Text or List, IsError
	Document        // a file handed to the model, such as a PDF; Text holds what could be read of it
	Opaque          // bytes only the provider can read: encrypted reasoning, remote compaction items
)

func (k Kind) String() string {
	switch k {
	case Text:
		return "text"
	case Thinking:
		return "thinking"
	case Image:
		return "image"
	case ToolCall:
		return "tool_call"
	case ToolResult:
		return "tool_result"
	case Document:
		return "document"
	case Opaque:
		return "opaque"
	}
	return "unknown"
}

// Part is one block of a message.
type Part struct {
	Kind    Kind
	IsError bool   // tool result: the tool reported a failure
	Span    uint16 // which of the message's Spans the part was read from
	ID      string // tool call: its id; tool result: the id of the call it answers
	Name    string // tool call and tool result: the tool's name, "" where the file has none
	Text    string // text, thinking: the text; tool call: compact JSON; tool result: the output when it is one string
	List    []Part // tool result: the output when it is a list of text, image and document parts
	Media   *Media // image, document, opaque
}

// Media describes bytes that are not text. Data is as the file wrote it
// (base64, or a URL), so that a conversation can be written back unchanged.
type Media struct {
	Type     string // media type, such as image/png
	Encoding string // "base64" or "url"
	Data     string
	Width    int // pixels, 0 when unknown
	Height   int
}

// Output is a tool result's text: the string it was, or its text parts joined by newlines.
func (p *Part) Output() string {
	if p.List == nil {
		return p.Text
	}
	n, at := 0, -1
	for i := range p.List {
		if p.List[i].Kind == Text {
			n, at = n+1, i
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return p.List[at].Text
	}
	var b []byte
	for i := range p.List {
		if p.List[i].Kind != Text {
			continue
		}
		if len(b) > 0 {
			b = append(b, '\n')
		}
		b = append(b, p.List[i].Text...)
	}
	return string(b)
}

// Span is where in the file something stands.
type Span struct {
	Line   int    // 1-based; 0 when the file is not made of lines
	Offset int64  // bytes from the start of the (decompressed) file
	Length int64  // bytes
	Record string // the record's own name: a uuid, an id, or a path such as messages[3]
}

// Mark says that a message is more than something somebody said.
type Mark uint8

const (
	Plain    Mark = iota
	Summary       // inserted by a recorded compaction in place of older messages
	Boundary      // a recorded compaction's boundary record; never sent to the model
	Cleared       // a recorded compaction cleared some of its tool results
	Meta          // written by the agent, not the person: reminders, command echoes
)

// Usage is what the provider said a request cost, in tokens, normalised so that
// Input counts the whole prompt, cached or not.
type Usage struct {
	Input      int64 // everything that was sent, cache included
	CacheRead  int64 // the part of Input read from the provider's cache
	CacheWrite int64 // the part of Input written to it
	Output     int64
}

// Message is one entry of a conversation.
type Message struct {
	Role  Role
	Mark  Mark
	Wrote string // the role as the file wrote it: tool, developer, function …
	ID    string // the record's id, "" where the file has none
	Model string // assistant messages: the model that answered
	Time  time.Time
	Parts []Part
	Spans []Span
	Usage *Usage // assistant messages, where recorded
}

// Line is the first line of the file the message was read from, 0 when unknown.
func (m *Message) Line() int {
	if len(m.Spans) == 0 {
		return 0
	}
	return m.Spans[0].Line
}

// HasCall reports whether the message asks for a tool.
func (m *Message) HasCall() bool { return m.has(ToolCall) }

// HasResult reports whether the message carries a tool result.
func (m *Message) HasResult() bool { return m.has(ToolResult) }

func (m *Message) has(k Kind) bool {
	for i := range m.Parts {
		if m.Parts[i].Kind == k {
			return true
		}
	}
	return false
}
