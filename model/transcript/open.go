package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// Options say how a file is to be read. The zero value reads what is there.
type Options struct {
	Format   string // a format's name; "" or "auto" detects
	Session  string // one of several conversations, by 1-based number or id; "" is the last that has messages
	Branch   string // a branch of a conversation that is a tree; "" is the active one
	Limits   Limits
	earlier  *earlier                // what a reading of the file leaves to the next one, nil for nothing
	Progress func(done, total int64) // bytes as stored; total is 0 when unknown. Called from another goroutine, one call at a time
}

// File is an opened file with everything it holds.
type File struct {
	Path          string
	Format        string
	Size          int64 // bytes as stored
	Conversations []*model.Conversation
	Selected      *model.Conversation // what Options asked for
	Warnings      []model.Warning

	src     *source // to be read again when conversations are written back
	slurped bool    // the records are the elements of one list
}

// headRecords is how many records detection looks at.
const headRecords = 50

// Open reads the conversations of a file; "-" is standard input. A file that
// cannot be read gives an *Error: one sentence with its line and column.
func Open(ctx context.Context, path string, opt Options) (*File, error) {
	src, err := newSource(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	return open(src, path, opt)
}

// Read is [Open] for what is not a file, such as a bundled conversation. Errors
// call it path.
func Read(ctx context.Context, path string, r io.Reader, opt Options) (*File, error) {
	src := &source{ctx: ctx, path: path, limits: opt.Limits.withDefaults(), progress: opt.Progress}
	if err := src.hold(r); err != nil {
		return nil, err
	}
	return open(src, path, opt)
}

func open(src *source, path string, opt Options) (*File, error) {
	d := &Document{Path: path, Branch: opt.Branch, src: src}
	format, sure, err := d.identify(opt.Format)
	if err != nil {
		return nil, err
	}
	all, err := format.Decode(d)
	switch {
	case !sure && (err != nil || !d.readsAll(all)):
		return nil, d.refused(format)
	case err != nil:
		return nil, err
	case countParts(all) == 0 && !d.isOnly(format):
		return nil, d.refused(format)
	}
	src.earlier = nil // for the next reading alone, not for what is written back
	if !slices.ContainsFunc(all, func(c *model.Conversation) bool { return len(c.Messages) > 0 }) {
		return nil, d.silent(format)
	}
	f := &File{Path: path, Format: format.Name, Size: src.size, Conversations: all, Warnings: d.Warnings, src: src, slurped: d.slurped}
	sort.SliceStable(f.Warnings, func(i, j int) bool { return f.Warnings[i].Line < f.Warnings[j].Line })
	for _, c := range all {
		c.Path = path
		c.Warnings = f.Warnings
		if c.Tools == "[]" {
			c.Tools = "" // no tools are sent, so none count
		}
		if c.Format == "" {
			c.Format = format.Name
		}
		for i := len(c.Messages) - 1; i >= 0 && c.Model == ""; i-- {
			c.Model = c.Messages[i].Model
		}
	}
	if f.Selected, err = f.Select(opt.Session); err != nil {
		return nil, err
	}
	if err := f.checkBranch(opt.Branch); err != nil {
		return nil, err
	}
	return f, nil
}

// silent is the error for a file in which nobody says anything: what was odd about
// it may be why, and otherwise it is early.
func (d *Document) silent(f Format) error {
	if len(d.Warnings) > 0 {
		w := d.Warnings[0]
		return d.Fail(w.Line, w.Col, "read as %s, but no message could be read: %s", f.Name, w.Text)
	}
	if len(d.records) == 0 { // a store
		return d.Fail(0, 0, "read as %s, but there is no message in it: nothing was said in it yet", f.Name)
	}
	r := d.records[0]
	return d.Fail(r.Line, r.Col, "read as %s, but there is no message in it: nothing was said in it yet, or --format says better what it is", f.Name)
}

// Select finds one of the file's conversations, by 1-based number or by id (or
// an id's beginning, where only one has it). "" is the last that has messages.
// Subagents are found by their ids.
func (f *File) Select(session string) (*model.Conversation, error) {
	if session == "" {
		for i := len(f.Conversations) - 1; i >= 0; i-- {
			if len(f.Conversations[i].Messages) > 0 {
				return f.Conversations[i], nil
			}
		}
		return f.Conversations[0], nil // open refuses a file without a message
	}
	if n, err := strconv.Atoi(session); err == nil && n >= 1 && n <= len(f.Conversations) {
		return f.Conversations[n-1], nil
	}
	var begins []*model.Conversation
	var walk func([]*model.Conversation) *model.Conversation
	walk = func(list []*model.Conversation) *model.Conversation {
		for _, c := range list {
			if c.ID == session {
				return c
			}
			if strings.HasPrefix(c.ID, session) {
				begins = append(begins, c)
			}
			if found := walk(c.Children); found != nil {
				return found
			}
		}
		return nil
	}
	if c := walk(f.Conversations); c != nil {
		return c, nil
	}
	if len(begins) == 1 {
		return begins[0], nil
	}
	n := len(f.Conversations)
	if len(begins) > 1 {
		return nil, &Error{Path: f.Path, Text: fmt.Sprintf("session %q could be any of %d: give more of its id", session, len(begins))}
	}
	if n == 1 {
		return nil, &Error{Path: f.Path, Text: fmt.Sprintf("no session %q: the file holds one conversation", session)}
	}
	return nil, &Error{Path: f.Path, Text: fmt.Sprintf("no session %q: give a number from 1 to %d or an id", session, n)}
}

// checkBranch reports a branch that the selected conversation does not have.
func (f *File) checkBranch(branch string) error {
	if branch == "" {
		return nil
	}
	var ids []string
	for _, b := range f.Selected.Branches {
		if b.ID == branch {
			return nil
		}
		ids = append(ids, b.ID)
	}
	if ids == nil {
		return &Error{Path: f.Path, Text: fmt.Sprintf("no branch %q: the conversation has one way through it", branch)}
	}
	return &Error{Path: f.Path, Text: fmt.Sprintf("no branch %q: one of %s", branch, strings.Join(ids, ", "))}
}

// Named finds a format by its name.
func Named(name string) (Format, bool) {
	for _, f := range formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// identify finds the format to read the document as. A format that was asked for
// is taken; sure says that the document also looks like it.
func (d *Document) identify(forced string) (format Format, sure bool, err error) {
	var wanted Format
	force := forced != "" && forced != "auto"
	if force {
		var ok bool
		if wanted, ok = Named(forced); !ok {
			var names []string
			for _, f := range formats {
				names = append(names, f.Name)
			}
			return Format{}, false, fmt.Errorf("unknown format %q: one of %s", forced, strings.Join(names, ", "))
		}
	}
	head, isDir, err := d.prefix()
	if err != nil {
		return Format{}, false, err
	}
	for _, f := range formats {
		if f.Sniff != nil && (!force || f.Name == forced) && f.Sniff(d.Path, head) {
			return f, true, nil
		}
	}
	switch {
	case isDir:
		return Format{}, false, d.Fail(0, 0, "a folder that is not a session store cinch knows: name a session file in it")
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		return Format{}, false, d.Fail(0, 0, "an SQLite database that is not a session store cinch knows: export the session with its agent first")
	case isBinary(head):
		return Format{}, false, d.Fail(0, 0, "not a text; a session is JSON, one record a line or one document")
	case force && wanted.Sniff != nil && wanted.Detect == nil:
		return Format{}, false, d.Fail(0, 0, "it is not of the %s format", forced)
	}
	if err := d.begin(head); err != nil {
		return Format{}, false, err
	}
	if force {
		whole := d.records
		if d.fits(wanted) || d.unslurp() && d.fits(wanted) {
			return wanted, true, nil
		}
		d.records, d.slurped = whole, false
		return wanted, false, nil
	}
	if f, ok := d.detect(); ok {
		return f, true, nil
	}
	if d.unslurp() {
		if f, ok := d.detect(); ok {
			return f, true, nil
		}
	}
	return Format{}, false, d.unknown()
}

// refused says that the document is not of the format that was asked for.
func (d *Document) refused(wanted Format) error {
	is := "and of no other format either"
	if f, ok := d.detect(); ok {
		is = "it looks like " + f.Name
	}
	return d.Fail(d.records[0].Line, d.records[0].Col, "it is not of the %s format: %s", wanted.Name, is)
}

// readsAll reports whether conversations hold something, and no less than the
// format finds in the document that it looks like.
func (d *Document) readsAll(all []*model.Conversation) bool {
	found := countParts(all)
	looks, ok := d.detect()
	if found == 0 || !ok {
		return found > 0
	}
	again, err := reread(d.Path, d.src, d.slurped)
	if err != nil {
		return false
	}
	again.Branch = d.Branch
	other, err := looks.Decode(again)
	return err != nil || found >= countParts(other)
}

// reread begins a document again whose records are known to stand in a list, or not.
func reread(path string, src *source, slurped bool) (*Document, error) {
	d := &Document{Path: path, src: src}
	head, _, err := d.prefix()
	if err == nil {
		err = d.begin(head)
	}
	if err == nil && slurped {
		d.unslurp()
	}
	return d, err
}

// isOnly reports whether the document looks like nothing but a format.
func (d *Document) isOnly(f Format) bool {
	if len(d.records) == 0 {
		return true // it is no JSON
	}
	looks, ok := d.detect()
	return !ok || looks.Name == f.Name
}

func countParts(all []*model.Conversation) (n int) {
	for _, c := range all {
		for _, m := range c.Messages {
			n += len(m.Parts)
		}
	}
	return n
}

// isBinary knows what is no text by zero bytes, where no record is in sight: a
// crash leaves them between records.
func isBinary(head []byte) bool {
	text := bytes.TrimLeft(head, "\x00 \t\r\n\uFEFF")
	return len(text) > 0 && text[0] != '{' && text[0] != '[' && !bytes.Contains(text, []byte("\n{")) && bytes.IndexByte(text, 0) >= 0
}

// prefix gives the first bytes of the text.
func (d *Document) prefix() (head []byte, isDir bool, err error) {
	if d.src.held == nil && d.src.size == 0 {
		if isDir = isFolder(d.Path); isDir {
			return nil, true, nil
		}
	}
	r, err := d.src.reader()
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	head = make([]byte, 4096)
	n, err := io.ReadFull(r, head)
	if n == 0 && err != io.EOF && !errors.Is(err, errCutArchive) {
		return nil, false, err
	}
	return head[:n], false, nil
}

// begin reads the first records of a text that begins with head.
func (d *Document) begin(head []byte) error {
	if isEventStream(string(head)) {
		return d.unstream()
	}
	return d.peek()
}

// peek reads the first records, or all of them where the file is small.
func (d *Document) peek() error {
	in, err := d.src.blocks()
	if err != nil {
		return err
	}
	defer in.close()
	s := splitter{scan: scanner{maxDepth: d.src.limits.Depth}}
	const enough = 16 << 20
	var notes []note
	blocks := 0
	for {
		blk, ok, err := in.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		s.split(blk)
		d.records = append(d.records, s.records...)
		notes = append(notes, s.notes...)
		blocks++
		if blk.last {
			break
		}
		if len(d.records) >= headRecords || in.offset > enough {
			if len(d.records) == 0 {
				return d.nothing(notes, fmt.Sprintf("there is no JSON in its first %s", bytesText(enough)))
			}
			return nil
		}
	}
	d.whole = true
	if len(d.records) == 0 {
		why := "the file holds nothing but white space"
		switch {
		case in.cut:
			why = "the compressed data ends before its first record"
		case in.offset == 0:
			why = "the file is empty"
		}
		return d.nothing(notes, why)
	}
	d.take(blocks-1, notes)
	if in.cut {
		d.takeCut(blocks)
	}
	return nil
}

// nothing says why a file without a single record cannot be read: what was
// noted first, or why.
func (d *Document) nothing(notes []note, why string) error {
	line, col := 0, 0
	if len(notes) > 0 {
		n := notes[0]
		line, col, why = n.line, n.col, n.fatal
		if why == "" {
			why = fmt.Sprintf(n.format, n.args...)
		}
	}
	return d.Fail(line, col, "%s; a session is JSON, one record a line or one document", why)
}

func (d *Document) head() ([]gjson.Result, bool) {
	var head []gjson.Result
	for _, r := range d.records[:min(len(d.records), headRecords)] {
		head = append(head, outline(r.JSON))
	}
	return head, d.whole && len(d.records) == 1
}

func (d *Document) fits(f Format) bool {
	head, single := d.head()
	return f.Detect != nil && f.Detect(head, single)
}

func (d *Document) detect() (Format, bool) {
	head, single := d.head()
	for _, f := range formats {
		if f.Detect != nil && f.Detect(head, single) {
			return f, true
		}
	}
	return Format{}, false
}

// unslurp takes a document that is one array of objects apart into records, as
// if they stood on lines of their own: what `jq -s` makes of a session.
func (d *Document) unslurp() bool {
	if _, single := d.head(); !single || !d.records[0].JSON.IsArray() {
		return false
	}
	whole := d.records[0]
	raw := whole.JSON.Raw
	var out []Record
	line, start, at := whole.Line, 1-whole.Col, 0
	whole.JSON.ForEach(func(_, v gjson.Result) bool {
		if !v.IsObject() {
			return true
		}
		for at < v.Index {
			n := strings.IndexByte(raw[at:v.Index], '\n')
			if n < 0 {
				break
			}
			at += n + 1
			line, start = line+1, at
		}
		at = v.Index
		out = append(out, Record{Line: line, Col: v.Index - start + 1, Offset: whole.Offset + int64(v.Index), Length: int64(len(v.Raw)), JSON: v})
		return true
	})
	if len(out) == 0 {
		return false
	}
	d.records, d.slurped = out, true
	return true
}

// unknown says what an unrecognised file looks like.
func (d *Document) unknown() error {
	first := d.records[0]
	var keys []string
	first.JSON.ForEach(func(k, _ gjson.Result) bool {
		if k.Type == gjson.String {
			keys = append(keys, clip(k.String()))
		}
		return len(keys) < 6
	})
	const try = "see `cinch formats` for what can be read, and --format to say which it is"
	switch {
	case len(keys) > 0:
		return d.Fail(first.Line, first.Col, "not a format cinch knows (the first record has %s): %s", strings.Join(keys, ", "), try)
	case first.JSON.IsArray() && len(first.JSON.Array()) == 0:
		return d.Fail(first.Line, first.Col, "an empty list: it holds no messages")
	}
	return d.Fail(first.Line, first.Col, "not a format cinch knows: %s", try)
}
