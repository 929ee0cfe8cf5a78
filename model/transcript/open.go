package transcript

import (
	"context"

	"cinch/model"
)

// Options say how a file is to be read. The zero value reads what is there.
type Options struct {
	Format   string // a format's name; "" or "auto" detects
	Session  string // one of several conversations, by 1-based number or id; "" is the last
	Branch   string // a branch of a conversation that is a tree; "" is the active one
	Progress func(done, total int64)
}

// File is an opened file with everything it holds.
type File struct {
	Path          string
	Format        string
	Size          int64 // bytes
	Conversations []*model.Conversation
	Warnings      []model.Warning
}

// Open reads the conversations of a file; "-" is standard input. A file that
// cannot be read gives an *Error: one sentence with its line and column.
func Open(ctx context.Context, path string, opt Options) (*File, error) {
	panic("not written yet")
}
