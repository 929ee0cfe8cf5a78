package transcript

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"
)

// benchmarkSession writes a Claude Code session of about size bytes in the
// proportions of recorded ones: half of it is what tools returned to the agent
// and the model never sees.
func benchmarkSession(b *testing.B, size int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "session.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	source := strings.Repeat("\tif err := cart.Add(item); err != nil {\n\t\treturn fmt.Errorf(\"add %q: %w\", item.Name, err)\n\t}\n", 30)
	quoted, _ := json.Marshal(source)
	parent, written := "null", 0
	record := func(kind, uuid, rest string) {
		n, _ := fmt.Fprintf(w, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/srv/shop","sessionId":"7d1f0c52-0000-4000-8000-000000000001","version":"2.1.170","gitBranch":"main","type":%q,%s,"uuid":%q,"timestamp":"2026-03-01T10:00:00.000Z"}`+"\n", parent, kind, rest, uuid)
		parent, written = `"`+uuid+`"`, written+n
	}
	for i := 0; written < size; i++ {
		usage := `"usage":{"input_tokens":3,"cache_creation_input_tokens":100,"cache_read_input_tokens":9000,"output_tokens":50,"service_tier":"standard"}`
		answer := func(block string) string {
			return fmt.Sprintf(`"message":{"model":"claude-opus-4-6","id":"msg_%d","type":"message","role":"assistant","content":[%s],"stop_reason":null,%s},"requestId":"req_%d"`, i, block, usage, i)
		}
		if i%20 == 0 {
			record("user", fmt.Sprintf("0000-user-%d", i), fmt.Sprintf(`"message":{"role":"user","content":"Question %d, please."}`, i))
		}
		record("assistant", fmt.Sprintf("0000-text-%d", i), answer(fmt.Sprintf(`{"type":"text","text":"I read file %d and change it."}`, i)))
		record("assistant", fmt.Sprintf("0000-call-%d", i), answer(fmt.Sprintf(`{"type":"tool_use","id":"toolu_%d","name":"Read","input":{"file_path":"/srv/shop/file%d.go","limit":100}}`, i, i)))
		record("user", fmt.Sprintf("0000-result-%d", i), fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":%s}]},"toolUseResult":{"type":"text","file":{"filePath":"/srv/shop/file%d.go","content":%s,"numLines":90}}`, i, quoted, i, quoted))
		record("progress", fmt.Sprintf("0000-progress-%d", i), `"data":{"type":"hook_progress","hookEvent":"PostToolUse","command":"gofmt -l ."},"parentToolUseID":"toolu_1","toolUseID":"toolu_1"`)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return path
}

const benchmarkSize = 100 << 20

// BenchmarkOpen opens a session of 100 MB and reports how many times faster that
// was than json.Unmarshal of each of its lines into an any, with all cores and
// with one: medians over the iterations, each of which does both. The heap at its
// largest while the file is opened is reported as a multiple of the file's size.
func BenchmarkOpen(b *testing.B) {
	path := benchmarkSession(b, benchmarkSize)
	opened := func() time.Duration {
		start := time.Now()
		f, err := Open(context.Background(), path, Options{})
		if err != nil || len(f.Selected.Messages) < 1000 {
			b.Fatal(f, err)
		}
		return time.Since(start)
	}
	unmarshalled := func() time.Duration {
		start := time.Now()
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var v any
			if err := json.Unmarshal(line, &v); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(start)
	}
	for _, cores := range []int{runtime.NumCPU(), 1} {
		b.Run(fmt.Sprintf("cores-%d", cores), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			b.SetBytes(benchmarkSize)
			var ratios, peaks []float64
			for b.Loop() {
				stop := make(chan bool)
				peak := make(chan uint64)
				b.StopTimer()
				runtime.GC()
				go sampleHeap(stop, peak)
				b.StartTimer()
				ours := opened()
				b.StopTimer()
				close(stop)
				peaks = append(peaks, float64(<-peak)/benchmarkSize)
				runtime.GC()
				ratios = append(ratios, float64(unmarshalled())/float64(ours))
				b.StartTimer()
			}
			slices.Sort(ratios)
			slices.Sort(peaks)
			b.ReportMetric(ratios[len(ratios)/2], "x-vs-Unmarshal")
			b.ReportMetric(peaks[len(peaks)/2], "peak-heap/file")
		})
	}
}

// BenchmarkBeginning reads the first megabyte of a session of 100 MB, which is
// what there is to look at first, and reports how many times sooner that is there
// than the whole.
func BenchmarkBeginning(b *testing.B) {
	path := benchmarkSession(b, benchmarkSize)
	var ratios []float64
	for b.Loop() {
		start := time.Now()
		f, err := Beginning(context.Background(), path, 1<<20, Options{})
		if err != nil || len(f.Selected.Messages) < 10 {
			b.Fatal(f, err)
		}
		first := time.Since(start)
		b.StopTimer()
		start = time.Now()
		if _, err := Open(context.Background(), path, Options{}); err != nil {
			b.Fatal(err)
		}
		ratios = append(ratios, float64(time.Since(start))/float64(first))
		b.StartTimer()
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "x-sooner-than-the-whole")
}

// sampleHeap gives the largest heap, in bytes, that it sees until it is stopped.
func sampleHeap(stop chan bool, peak chan uint64) {
	var largest uint64
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	for {
		metrics.Read(heap)
		largest = max(largest, heap[0].Value.Uint64()+heap[1].Value.Uint64())
		select {
		case <-stop:
			peak <- largest
			return
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// BenchmarkSplit is the part of opening that finds and checks the records.
func BenchmarkSplit(b *testing.B) {
	data, err := os.ReadFile(benchmarkSession(b, 4<<20))
	if err != nil {
		b.Fatal(err)
	}
	s := splitter{scan: scanner{maxDepth: 1000}}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		s.split(stretch{data: data, line: 1, last: true})
	}
}
