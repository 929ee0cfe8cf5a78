package summarize

import (
	"context"

	"cinch/compactor/ladder"
)

// Text answers every request with itself.
type Text string

func (t Text) Summarize(ctx context.Context, _ ladder.Request) (string, error) {
	return string(t), ctx.Err()
}

func (t Text) String() string              { return "text:" + string(t) }
func (Text) Receiver() string              { return "" }
func (Text) Payload(ladder.Request) string { return "" }
