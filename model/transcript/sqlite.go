package transcript

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"cinch/model"
)

// openDB opens a session store for reading. Nothing is written, not even the
// files SQLite keeps beside a database: they are used only where the agent that
// holds the store has made them.
func openDB(path string) (*sql.DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	mode := "mode=ro&immutable=1"
	if log, err := os.Stat(absolute + "-wal"); err == nil && log.Size() > 0 {
		if _, err := os.Stat(absolute + "-shm"); err == nil {
			mode = "mode=ro&_pragma=busy_timeout(2000)"
		}
	}
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: mode}).String())
}

// magicDB is how every SQLite database begins.
const magicDB = "SQLite format 3\x00"

// isDB reports whether a path names a database.
func isDB(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(magicDB))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == magicDB
}

// hasTables makes the test for a store: a database with these tables, the first
// of which has these columns.
func hasTables(tables []string, columns ...string) func(string, []byte) bool {
	return func(path string, head []byte) bool {
		if !strings.HasPrefix(string(head), magicDB) {
			return false
		}
		db, err := openDB(path)
		if err != nil {
			return false
		}
		defer db.Close()
		for _, table := range tables {
			var n int
			if db.QueryRow("select count(*) from sqlite_master where type = 'table' and name = ?", table).Scan(&n) != nil || n == 0 {
				return false
			}
		}
		for _, column := range columns {
			var n int
			if db.QueryRow("select count(*) from pragma_table_info(?) where name = ?", tables[0], column).Scan(&n) != nil || n == 0 {
				return false
			}
		}
		return true
	}
}

// row is one row of a query, by column.
type row map[string]any

// text is a column's text, "" when it is missing or null.
func (r row) text(column string) string {
	switch v := r[column].(type) {
	case string:
		return v
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

// number is a column's whole number, 0 when it is none.
func (r row) number(column string) int64 {
	switch v := r[column].(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	}
	return 0
}

// store is a database that is being read, and what was read of it: the limits hold
// for the sum, as a file may give the same rows to many queries.
type store struct {
	doc              *Document
	db               *sql.DB
	given            int64 // bytes of its values, decompressed
	packed, expanded int64 // bytes of those that were compressed, before and after
}

// take counts bytes that the store gave, less than none where others stand for
// them now: an *Error when they are too many.
func (s *store) take(n int) error {
	s.given += int64(n)
	return s.doc.src.beyond(s.given, s.expanded, s.packed)
}

// unpack decompresses a value that is zstd: an *Error when it is beyond the limits,
// another error when it is damaged.
func (s *store) unpack(data string) (string, error) {
	z, err := newZstd(strings.NewReader(data))
	if err != nil {
		return "", err
	}
	defer z.Close()
	s.packed += int64(len(data))
	s.given -= int64(len(data)) // the text stands for it
	var text strings.Builder
	for piece := make([]byte, 64<<10); ; {
		n, err := z.Read(piece)
		text.Write(piece[:n])
		s.expanded += int64(n)
		if err := s.take(n); err != nil {
			return "", err
		}
		if int64(text.Len()) > s.doc.src.limits.Record {
			return "", s.doc.src.largeRecord(0)
		}
		if err == io.EOF {
			return text.String(), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// query reads all rows that a query gives.
func (s *store) query(text string, args ...any) ([]row, error) {
	rows, err := s.db.Query(text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var all []row
	for rows.Next() {
		values, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			return all, err
		}
		r := row{}
		for i, name := range columns {
			size := 8 // what a number or nothing counts for
			switch v := values[i].(type) {
			case string:
				size = len(v)
			case []byte:
				values[i], size = string(v), len(v)
			}
			if err := s.take(size); err != nil {
				return nil, err
			}
			r[name] = values[i]
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// decodeDB reads the database a document is.
func decodeDB(doc *Document, read func(*store) ([]*model.Conversation, error)) ([]*model.Conversation, error) {
	db, err := openDB(doc.Path)
	if err != nil {
		return nil, doc.Fail(0, 0, "the database cannot be opened: %v", err)
	}
	defer db.Close()
	all, err := read(&store{doc: doc, db: db})
	var told *Error
	if errors.As(err, &told) {
		return nil, err
	}
	if err != nil {
		return nil, doc.Fail(0, 0, "the database cannot be read: %v", err)
	}
	return all, nil
}
