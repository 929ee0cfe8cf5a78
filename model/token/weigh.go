package token

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"cinch/model"
	"cinch/model/token/bpe"
)

// stretch is the bytes of text a core weighs between two looks at the context: a
// few milliseconds of the slowest counter.
const stretch = 256 << 10

// WeighAll is [Weigh] for every message, in their order: see [WeighParts].
func WeighAll(ctx context.Context, c Counter, messages []*model.Message, progress func(done, total int64)) ([]int64, error) {
	parts, err := WeighParts(ctx, c, messages, progress)
	if err != nil {
		return nil, err
	}
	weights := make([]int64, len(messages))
	for i := range weights {
		weights[i] = c.Envelope()
		for _, w := range parts[i] {
			weights[i] += w
		}
	}
	return weights, nil
}

// WeighParts is the weight of every part of every message, in their order and
// without envelopes, worked out on all cores. A long text is divided among them
// too, at places where the counts add up. progress, unless nil, is called after
// every quarter megabyte or so, one call at a time, with the bytes of text done
// and their total. When ctx ends first, it returns the context's error and no weights.
func WeighParts(ctx context.Context, c Counter, messages []*model.Message, progress func(done, total int64)) ([][]int64, error) {
	weights, jobs, total := divide(messages)
	var next atomic.Int64
	var all sync.WaitGroup
	var report sync.Mutex
	var done int64
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		all.Go(func() {
			for ctx.Err() == nil {
				i := next.Add(1) - 1
				if i >= int64(len(jobs)) {
					return
				}
				jobs[i].weigh(c, messages, weights)
				if progress != nil {
					report.Lock()
					done += jobs[i].bytes
					progress(done, total)
					report.Unlock()
				}
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return weights, nil
}

// job is the messages from up to to, or a piece of one part of a long message,
// whose weight is added to sum.
type job struct {
	from, to int
	piece    *model.Part
	sum      *int64
	bytes    int64
}

func (j *job) weigh(c Counter, messages []*model.Message, weights [][]int64) {
	if j.piece != nil {
		atomic.AddInt64(j.sum, c.Part(j.piece))
		return
	}
	for i := j.from; i < j.to; i++ {
		for k := range messages[i].Parts {
			weights[i][k] = c.Part(&messages[i].Parts[k])
		}
	}
}

// divide makes room for the weights, and jobs of about a stretch of text each.
func divide(messages []*model.Message) (weights [][]int64, jobs []job, total int64) {
	parts := 0
	for _, m := range messages {
		parts += len(m.Parts)
	}
	flat := make([]int64, parts)
	weights = make([][]int64, len(messages))
	var open job
	flush := func(next int) {
		if open.to > open.from {
			jobs = append(jobs, open)
		}
		open = job{from: next, to: next}
	}
	for i, m := range messages {
		n := len(m.Parts)
		weights[i], flat = flat[:n:n], flat[n:]
		var size int64
		for k := range m.Parts {
			size += textBytes(&m.Parts[k])
		}
		total += size
		if size >= 2*stretch {
			flush(i + 1)
			for k := range m.Parts {
				split(&m.Parts[k], func(p *model.Part) {
					jobs = append(jobs, job{piece: p, sum: &weights[i][k], bytes: textBytes(p)})
				})
			}
			continue
		}
		open.to, open.bytes = i+1, open.bytes+size
		if open.bytes >= stretch {
			flush(i + 1)
		}
	}
	flush(len(messages))
	return weights, jobs, total
}

// split hands out parts that weigh together what p weighs, a long text in stretches.
func split(p *model.Part, each func(*model.Part)) {
	switch p.Kind {
	case model.Text, model.Thinking, model.ToolCall, model.ToolResult:
	default:
		each(p)
		return
	}
	first, rest := *p, p.Text
	first.List = nil
	next := &first
	for {
		n := len(rest)
		if n >= 2*stretch {
			n = bpe.Cut(rest, stretch)
		}
		next.Text, rest = rest[:n], rest[n:]
		each(next)
		if rest == "" {
			break
		}
		next = &model.Part{Kind: model.Text}
	}
	for i := range p.List {
		split(&p.List[i], each)
	}
}

// textBytes is the bytes of text that a counter reads of p.
func textBytes(p *model.Part) int64 {
	n := int64(len(p.Name) + len(p.Text))
	for i := range p.List {
		n += textBytes(&p.List[i])
	}
	return n
}
