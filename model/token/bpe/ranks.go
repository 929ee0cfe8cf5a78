package bpe

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// ranks reads an embedded vocabulary: lines of a token in base64, a space and the
// token's rank, in the order of ranks from 0. The tokens come back end to end,
// after lead bytes; token r is text[ends[r-1]:ends[r]]. The file is part of the program,
// so that anything wrong with it is a bug and panics.
func ranks(file string) (text []byte, ends []uint32) {
	data, err := assets.Assets.ReadFile(file)
	if err != nil {
		panic(err)
	}
	lines := bytes.Count(data, []byte("\n")) + 1
	text = make([]byte, lead, len(data)/2)
	ends = append(make([]uint32, 0, lines+1), lead)
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if len(line) == 0 {
			continue
		}
		token, rank, _ := bytes.Cut(line, []byte(" "))
		next := len(ends) - 1
		if text, err = base64.StdEncoding.AppendDecode(text, token); err != nil {
			panic(fmt.Sprintf("%s: token %d: %v", file, next, err))
		}
		if n, err := strconv.Atoi(string(rank)); err != nil || n != next {
			panic(fmt.Sprintf("%s: token %d has rank %q", file, next, rank))
		}
		ends = append(ends, uint32(len(text)))
	}
	return text, ends
}
