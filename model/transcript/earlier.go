package transcript

import (
	"bytes"
	"io"
	"os"
)

// earlier is what one reading of a file leaves to the next, so that of a file that
// has only grown no more than the new is read.
type earlier struct {
	info   os.FileInfo
	end    blockEnd
	before []byte // what stood right before end
	blocks any    // a []keptBlock of what the format's decoder makes of a record
}

// keptBlock is a block that was read.
type keptBlock[T any] struct {
	out   []T
	notes []note
	end   blockEnd
}

// keptTail is how much of what was read is compared to tell whether a file has
// only grown.
const keptTail = 64 << 10

// keptBlocks are the blocks of a document that need not be read again, and the
// rest of its text.
func keptBlocks[T any](d *Document) ([]keptBlock[T], *blocks, error) {
	k := d.src.earlier
	if !keeps[T](d) {
		in, err := d.src.blocks()
		return nil, in, err
	}
	known, ok := k.blocks.([]keptBlock[T])
	if ok && len(known) > 0 {
		if in := d.src.blocksFrom(k); in != nil {
			return known[:len(known):len(known)], in, nil
		}
	}
	*k = earlier{}
	in, err := d.src.blocks()
	return nil, in, err
}

// keeps reports whether what becomes of a document's records is kept. Records
// themselves are not: they hold the whole text.
func keeps[T any](d *Document) bool {
	_, raw := any(*new(T)).(Record)
	return d.src.earlier != nil && !raw
}

// keepBlocks keeps the blocks of a text that is a file as it stands.
func keepBlocks[T any](d *Document, in *blocks, known []keptBlock[T]) {
	k, f := d.src.earlier, in.file()
	if f == nil || len(known) == 0 {
		return
	}
	end := known[len(known)-1].end
	before := make([]byte, min(keptTail, end.offset))
	info, err := f.Stat()
	if err == nil {
		_, err = f.ReadAt(before, end.offset-int64(len(before)))
	}
	if err != nil {
		*k = earlier{}
		return
	}
	*k = earlier{info, end, before, known}
}

// file is the file that the text is, nil for text that was unpacked or decoded.
func (b *blocks) file() *os.File {
	t, ok := b.text.(*unpacked)
	if !ok || t.packed || t.recoded {
		return nil
	}
	f, _ := t.file.(*os.File)
	return f
}

// blocksFrom is the text behind what is kept, nil when the file is not the one
// that was read, or has not just grown.
func (s *source) blocksFrom(k *earlier) *blocks {
	f, err := os.Open(s.path)
	if err != nil {
		return nil
	}
	now := make([]byte, len(k.before))
	info, err := f.Stat()
	if err == nil && os.SameFile(info, k.info) {
		_, err = f.ReadAt(now, k.end.offset-int64(len(now)))
		if err == nil && bytes.Equal(now, k.before) {
			rest := io.NewSectionReader(f, k.end.offset, 1<<62)
			t := &unpacked{source: s, file: f, counts: &counting{r: rest, n: k.end.offset}, given: k.end.offset}
			t.r = t.counts
			return &blocks{src: s, text: t, offset: k.end.offset, line: k.end.line}
		}
	}
	f.Close()
	return nil
}
