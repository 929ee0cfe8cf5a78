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
	case []byte:
		return string(v)
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

// query reads all rows that a query gives.
func query(db *sql.DB, text string, args ...any) ([]row, error) {
	rows, err := db.Query(text, args...)
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
			r[name] = values[i]
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// decodeDB reads the database a document is.
func decodeDB(doc *Document, read func(*Document, *sql.DB) ([]*model.Conversation, error)) ([]*model.Conversation, error) {
	db, err := openDB(doc.Path)
	if err != nil {
		return nil, doc.Fail(0, 0, "the database cannot be opened: %v", err)
	}
	defer db.Close()
	all, err := read(doc, db)
	var told *Error
	if errors.As(err, &told) {
		return nil, err
	}
	if err != nil {
		return nil, doc.Fail(0, 0, "the database cannot be read: %v", err)
	}
	return all, nil
}
