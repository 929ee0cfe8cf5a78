package transcript

import (
	"context"
	"runtime"
	"sync"
)

// job is one block on its way through the cores.
type job[T any] struct {
	block   stretch
	records []Record // given instead of a block when the document is held
	notes   []note
	out     []T
	end     blockEnd
	done    chan struct{}
	err     error
}

// Map reads a document's records on all cores: parse is called for each record,
// concurrently and in no order, and fold gets its results in file order, on the
// caller's goroutine. What a record points to is only good during parse.
func Map[T any](d *Document, parse func(Record) T, fold func(T) error) error {
	if d.whole {
		return mapHeld(d, parse, fold)
	}
	ctx, cancel := context.WithCancel(d.src.ctx)
	defer cancel()
	n, keep := 0, keeps[T](d) // n is how many blocks were read
	known, in, err := keptBlocks[T](d)
	if err != nil {
		return err
	}
	defer in.close()
	for _, k := range known {
		d.take(n, k.notes)
		n++
		for _, v := range k.out {
			if err := fold(v); err != nil {
				return err
			}
		}
	}

	workers := max(1, runtime.GOMAXPROCS(0))
	work := make(chan *job[T])
	order := make(chan *job[T], workers+1)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel() // before waiting

	running.Go(func() {
		defer close(order)
		defer close(work)
		for {
			blk, ok, err := in.next()
			if !ok && err == nil {
				return
			}
			j := &job[T]{block: blk, err: err, done: make(chan struct{})}
			select {
			case order <- j:
			case <-ctx.Done():
				return
			}
			if err != nil {
				close(j.done)
				return
			}
			select {
			case work <- j:
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		running.Go(func() {
			s := splitter{scan: scanner{maxDepth: d.src.limits.Depth}}
			for j := range work {
				s.split(j.block)
				j.out = make([]T, len(s.records))
				for i, r := range s.records {
					j.out[i] = parse(r)
				}
				j.notes, j.end, j.block = s.notes, j.block.end(), stretch{}
				s.b = stretch{}
				close(j.done)
			}
		})
	}
	for j := range order {
		select {
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if j.err != nil {
			return j.err
		}
		d.take(n, j.notes)
		n++
		if keep && !j.end.last {
			known = append(known, keptBlock[T]{j.out, j.notes, j.end})
		}
		for _, v := range j.out {
			if err := fold(v); err != nil {
				return err
			}
		}
	}
	if in.cut {
		d.takeCut(n)
	}
	if keep {
		keepBlocks(d, in, known)
	}
	return ctx.Err()
}

// mapHeld is Map for a document whose records are all in memory already.
func mapHeld[T any](d *Document, parse func(Record) T, fold func(T) error) error {
	workers := runtime.GOMAXPROCS(0)
	const few = 64
	if len(d.records) < few || workers < 2 {
		for _, r := range d.records {
			if err := fold(parse(r)); err != nil {
				return err
			}
		}
		return nil
	}
	out := make([]T, len(d.records))
	var running sync.WaitGroup
	part := (len(out) + workers - 1) / workers
	for from := 0; from < len(out); from += part {
		running.Go(func() {
			for i := from; i < min(from+part, len(out)); i++ {
				out[i] = parse(d.records[i])
			}
		})
	}
	running.Wait()
	for _, v := range out {
		if err := fold(v); err != nil {
			return err
		}
	}
	return nil
}

// Each hands over the records in file order until visit fails. The JSON of a
// record is only good during the call.
func (d *Document) Each(visit func(Record) error) error {
	return Map(d, func(r Record) Record { return r }, visit)
}
