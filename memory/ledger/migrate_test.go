package ledger_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nacre/memory"
)

// oldest makes of a used data directory what the first version left: its schema,
// with what was stored then.
func oldest(t *testing.T, dir string) {
	t.Helper()
	schema, err := os.ReadFile("migrations/0001_spine.sql")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "nacre.db")
	if err := os.Rename(path, path+".new"); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	run := func(query string) {
		t.Helper()
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	run(string(schema))
	run("ATTACH '" + path + ".new' AS new")
	for _, table := range tables(t, db) {
		run(fmt.Sprintf("INSERT INTO main.%s SELECT * FROM new.%s", table, table))
	}
	run("PRAGMA main.user_version = 1")
}

func tables(t *testing.T, db *sql.DB) (names []string) {
	t.Helper()
	rows, err := db.Query("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if len(names) == 0 || rows.Err() != nil {
		t.Fatal(names, rows.Err())
	}
	return names
}

func TestOldestSchemaIsUpgraded(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	in := put(t, l, message(o, "1001", "7", "hello"))
	l.Close()
	oldest(t, dir)
	if _, err := database(t, dir).Exec("SELECT * FROM ops"); err == nil {
		t.Fatal("the oldest schema has ops")
	}

	l = open(t, dir)
	if got, err := l.Pending(ctx, in[0].Session, 0); err != nil || len(got) != 1 || got[0].Text() != "hello" {
		t.Errorf("what was stored: %+v, %v", got, err)
	}
	ops := appended(t, l, o, 0, opAdding("a"))
	l.Close()
	l = open(t, dir)
	if got := history(t, l, o); len(got) != 1 || got[0].ID != ops[0].ID {
		t.Errorf("what was remembered since: %+v", got)
	}
}

// A key file that was put back from a copy of before gives no record of memory
// its number twice.
func TestOlderKeyFileGoesOnBehindMemory(t *testing.T) {
	for _, table := range []string{"ops", "asks", "files"} {
		dir := t.TempDir()
		keys := filepath.Join(dir, "keys.nacre")
		l := open(t, dir)
		o := owners(t, l, "1001")[0]
		s := put(t, l, message(o, "1001", "7", "hello"))[0].Session
		l.Close()
		old, err := os.ReadFile(keys)
		if err != nil {
			t.Fatal(err)
		}

		l = open(t, dir) // with another block of numbers
		switch table {
		case "ops":
			_, err = l.Append(ctx, o, 0, []memory.Op{opAdding("a"), opAdding("b")})
		case "asks":
			err = l.PutAsk(ctx, s, json.RawMessage("{}"), time.Now())
		case "files":
			err = l.PutFile(ctx, o, "MEMORY.md", nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		used := newestRecord(t, dir, table)
		overwrite(t, keys, 0, old)

		l = open(t, dir)
		put(t, l, message(o, "1001", "8", "hello"))
		if again := newestRecord(t, dir, "inbox"); again <= used {
			t.Errorf("%s have record %d, and then a message got %d", table, used, again)
		}
	}
}

func newestRecord(t *testing.T, dir, table string) (n uint64) {
	t.Helper()
	if err := database(t, dir).QueryRow("SELECT max(record) FROM " + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
