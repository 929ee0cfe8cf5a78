package ladder

import (
	"context"

	"cinch/model"
)

// Summarizer writes the summary of a head. It is handed to the engine from
// outside; the engine itself calls no model.
type Summarizer interface {
	// Summarize answers with the summary as text. A blank answer is not an
	// error: the engine marks it as missing.
	Summarize(context.Context, Request) (string, error)
}

// Request is what a summariser is asked.
type Request struct {
	Prompt   string           // the policy's summaryPrompt, or a manual request's instructions
	Model    string           // the policy's summaryModel, "" for the run's own
	Messages []*model.Message // the head that the summary will stand for
	Tokens   int64            // the head's estimate, by the ladder's counter
}

// CompactionError is a summariser that failed. The run goes on with the messages
// as they were before the pass.
type CompactionError struct {
	Turn int
	Err  error
}

func (e *CompactionError) Error() string { return "CompactionError: " + e.Err.Error() }
func (e *CompactionError) Unwrap() error { return e.Err }
