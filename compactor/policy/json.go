package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// readJSON reads one JSON object with the places of its values.
func readJSON(raw []byte) (*node, error) {
	skip := 0
	if bytes.HasPrefix(raw, []byte("\ufeff")) {
		skip = len("\ufeff")
	}
	r := &jsonReader{raw: raw, skip: skip, in: json.NewDecoder(bytes.NewReader(raw[skip:]))}
	r.in.UseNumber()
	root, err := r.value(0)
	if err != nil {
		return nil, r.place(err)
	}
	at := r.next()
	if _, err := r.in.Token(); !errors.Is(err, io.EOF) {
		return nil, fail(at, errors.New("there is something after the policy's last brace"))
	}
	return root, nil
}

type jsonReader struct {
	raw  []byte
	skip int
	in   *json.Decoder
}

// maxDepth is far deeper than any policy, and keeps a hostile file from
// exhausting the stack.
const maxDepth = 100

// next is the offset of the token that comes next.
func (r *jsonReader) next() int {
	at := r.skip + int(r.in.InputOffset())
	for at < len(r.raw) && bytes.IndexByte([]byte(" \t\r\n,:"), r.raw[at]) >= 0 {
		at++
	}
	return at
}

// value reads the value that comes next.
func (r *jsonReader) value(depth int) (*node, error) {
	n := &node{offset: r.next()}
	if depth > maxDepth {
		return nil, fail(n.offset, errors.New("values are nested too deeply for a policy"))
	}
	t, err := r.in.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Number:
		n.value = number(t)
	case string, bool:
		n.value = t
	case nil:
		n.kind = "null"
	case json.Delim:
		if t == '[' {
			n.value, err = r.list(depth)
		} else {
			n.value, err = r.table(depth)
		}
		if err == nil {
			_, err = r.in.Token() // the closing bracket
		}
	}
	return n, err
}

func (r *jsonReader) list(depth int) (list, error) {
	out := list{}
	for r.in.More() {
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (r *jsonReader) table(depth int) (*table, error) {
	out := &table{}
	for r.in.More() {
		at := r.next()
		key, err := r.in.Token()
		if err != nil {
			return nil, err
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if err := out.put(key.(string), at, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// place finds where in the file JSON is broken.
func (r *jsonReader) place(err error) error {
	var broken *json.SyntaxError
	switch {
	case errors.As(err, new(*fault)):
		return err
	case errors.As(err, &broken):
		return fail(r.broken(broken), fmt.Errorf("not valid JSON: %w", broken))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fail(len(r.raw), errors.New("not valid JSON: the file ends before the policy does"))
	}
	return fail(r.next(), fmt.Errorf("not valid JSON: %w", err))
}

// broken is the offset of the character that a syntax error speaks of. The
// decoder counts it in or not, depending on where it found it.
func (r *jsonReader) broken(err *json.SyntaxError) int {
	at := r.skip + int(err.Offset)
	if at < len(r.raw) && strings.HasPrefix(err.Error(), "invalid character "+strconv.QuoteRune(rune(r.raw[at]))) {
		return at
	}
	return at - 1
}
