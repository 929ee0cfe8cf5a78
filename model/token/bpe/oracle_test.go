package bpe

import (
	"fmt"
	"path"
	"sync"
	"testing"

	"github.com/pkoukk/tiktoken-go"
)

// loader hands the library the very ranks that ours count with, so that no test
// reaches for the network and both speak of the same vocabulary.
type loader struct{}

func (loader) LoadTiktokenBpe(address string) (map[string]int, error) {
	for _, e := range []*Encoding{O200k, Cl100k} {
		if e.file == path.Base(address) {
			e.Load()
			m := make(map[string]int, len(e.vocab.ends))
			for rank, start := range e.vocab.ends[:len(e.vocab.ends)-1] {
				m[string(e.vocab.text[start:e.vocab.ends[rank+1]])] = rank
			}
			return m, nil
		}
	}
	return nil, fmt.Errorf("no ranks for %s", address)
}

var library = map[*Encoding]func() *tiktoken.Tiktoken{
	O200k:  sync.OnceValue(func() *tiktoken.Tiktoken { return reference(tiktoken.MODEL_O200K_BASE) }),
	Cl100k: sync.OnceValue(func() *tiktoken.Tiktoken { return reference(tiktoken.MODEL_CL100K_BASE) }),
}

var setLoader = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader{}) })

func reference(name string) *tiktoken.Tiktoken {
	setLoader()
	t, err := tiktoken.GetEncoding(name)
	if err != nil {
		panic(err)
	}
	return t
}

// agree fails the test when ours and the library count s differently.
func agree(t testing.TB, s string) {
	t.Helper()
	for name, e := range encodings {
		got, want := e.Count(s), int64(len(library[e]().EncodeOrdinary(s)))
		if got != want {
			shown := s
			if len(shown) > 300 {
				shown = shown[:300] + "…"
			}
			t.Fatalf("%s: %d tokens, the library says %d: %q", name, got, want, shown)
		}
	}
}

var encodings = map[string]*Encoding{"o200k": O200k, "cl100k": Cl100k}
