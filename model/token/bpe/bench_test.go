package bpe

import (
	"encoding/json"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// megabyte is the size of every benchmark input.
const megabyte = 1 << 20

// inputs are real text that is at hand wherever Go is: the source of its standard
// library, the English of its comments, and a recorded session made of both.
var inputs = sync.OnceValue(func() map[string]string {
	var code, prose, session strings.Builder
	files, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", "net", "http", "*.go"))
	more, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", "*", "*.go"))
	files = append(files, more...)
	out := json.NewEncoder(&session)
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil || strings.Contains(name, "tables") {
			continue
		}
		said := comments(source)
		if code.Len() < megabyte {
			code.Write(source)
		}
		if prose.Len() < megabyte {
			prose.WriteString(said)
		}
		if session.Len() < megabyte {
			id := "toolu_" + filepath.Base(name)
			out.Encode(map[string]any{"type": "assistant", "message": map[string]any{"role": "assistant", "content": []any{
				map[string]any{"type": "text", "text": said[:min(len(said), 2000)]},
				map[string]any{"type": "tool_use", "id": id, "name": "Read", "input": map[string]any{"file_path": name, "limit": 200}}}}})
			out.Encode(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": []any{
				map[string]any{"type": "tool_result", "tool_use_id": id, "content": string(source[:min(len(source), 6000)])}}}})
		}
	}
	cut := func(b *strings.Builder) string { return strings.ToValidUTF8(b.String()[:min(b.Len(), megabyte)], "") }
	return map[string]string{"english": cut(&prose), "code": cut(&code), "session": cut(&session)}
})

// comments is the text of a Go file's line comments.
func comments(source []byte) string {
	var b strings.Builder
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(source)), source, nil, scanner.ScanComments)
	for {
		_, kind, text := s.Scan()
		if kind == token.EOF {
			return b.String()
		}
		if kind == token.COMMENT && strings.HasPrefix(text, "// ") {
			b.WriteString(text[len("// "):])
			b.WriteByte('\n')
		}
	}
}

// BenchmarkCount counts one megabyte with an empty cache on one core and reports
// how many times faster that was than the library over the same text in the same
// run: the median over the benchmark's iterations.
func BenchmarkCount(b *testing.B) {
	for _, encoding := range []string{"o200k", "cl100k"} {
		for _, input := range []string{"english", "code", "session"} {
			e, s := encodings[encoding], inputs()[input]
			b.Run(encoding+"/"+input, func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
				lib := library[e]()
				e.Count(s[:1000])
				b.SetBytes(int64(len(s)))
				var cold, warm []float64
				for b.Loop() {
					fresh := &Encoding{split: e.split, vocab: e.vocab, classes: e.classes}
					fresh.load.Do(func() {})
					start := time.Now()
					fresh.Count(s)
					first := time.Since(start)
					b.StopTimer()
					start = time.Now()
					fresh.Count(s)
					second := time.Since(start)
					start = time.Now()
					lib.EncodeOrdinary(s)
					theirs := time.Since(start)
					cold = append(cold, float64(theirs)/float64(first))
					warm = append(warm, float64(theirs)/float64(second))
					b.StartTimer()
				}
				b.ReportMetric(median(cold), "x-vs-EncodeOrdinary")
				b.ReportMetric(median(warm), "x-warm")
			})
		}
	}
}

// BenchmarkLongPieces counts text that the split pattern does not take apart, and
// reports how many times longer a megabyte took than a tenth of it: ten is linear.
func BenchmarkLongPieces(b *testing.B) {
	for name, letter := range map[string]string{
		"letter": "a", "spaces": " ", "newlines": "\n", "equals": "=", "box": "─", "thai": "ก",
	} {
		b.Run(name, func(b *testing.B) {
			e := encodings["o200k"]
			e.Load()
			count := func(s string) time.Duration {
				fresh := &Encoding{split: e.split, vocab: e.vocab, classes: e.classes}
				fresh.load.Do(func() {})
				start := time.Now()
				fresh.Count(s)
				return time.Since(start)
			}
			long := strings.Repeat(letter, megabyte/len(letter))
			short := long[:len(long)/10/len(letter)*len(letter)]
			b.SetBytes(megabyte)
			var grown []float64
			for b.Loop() {
				b.StopTimer()
				one := count(short)
				b.StartTimer()
				grown = append(grown, float64(count(long))/float64(one))
			}
			b.ReportMetric(median(grown), "x-for-10x-text")
		})
	}
}

// BenchmarkTwoCores reports how many times faster two goroutines count the
// messages of a session than one does.
func BenchmarkTwoCores(b *testing.B) {
	if runtime.NumCPU() < 2 {
		b.Skip("one core only")
	}
	for _, encoding := range []string{"o200k", "cl100k"} {
		e := encodings[encoding]
		b.Run(encoding, func(b *testing.B) {
			e.Load()
			var texts []string
			for _, s := range inputs() {
				for len(s) > 0 {
					n := min(len(s), 2<<10)
					texts, s = append(texts, s[:n]), s[n:]
				}
			}
			count := func(workers int) time.Duration {
				fresh := &Encoding{split: e.split, vocab: e.vocab, classes: e.classes}
				fresh.load.Do(func() {})
				start := time.Now()
				var all sync.WaitGroup
				for k := range workers {
					all.Go(func() {
						for i := k; i < len(texts); i += workers {
							fresh.Count(texts[i])
						}
					})
				}
				all.Wait()
				return time.Since(start)
			}
			var gain []float64
			for b.Loop() {
				one := count(1)
				gain = append(gain, float64(one)/float64(count(2)))
			}
			b.ReportMetric(median(gain), "x-on-two-cores")
		})
	}
}

// BenchmarkLoad is the cost of the first count: reading the ranks.
func BenchmarkLoad(b *testing.B) {
	for name, e := range encodings {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				newVocabulary(e.file)
			}
		})
	}
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
