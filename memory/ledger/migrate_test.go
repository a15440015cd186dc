package ledger_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
)

// older makes of a used data directory what an older version left: its schema,
// with what was stored then.
func older(t *testing.T, dir string, version int) {
	t.Helper()
	schemas, err := filepath.Glob("migrations/*.sql")
	if err != nil || version >= len(schemas) {
		t.Fatal(schemas, err)
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
	for _, name := range schemas[:version] {
		schema, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		run(string(schema))
	}
	run("ATTACH '" + path + ".new' AS new")
	for _, table := range tables(t, db) {
		run(fmt.Sprintf("INSERT INTO main.%s SELECT %s FROM new.%s", table, columns(t, db, table), table))
	}
	run(fmt.Sprintf("PRAGMA main.user_version = %d", version))
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

// columns are those that a table had in the older version.
func columns(t *testing.T, db *sql.DB, table string) (names string) {
	t.Helper()
	if err := db.QueryRow("SELECT group_concat(name) FROM pragma_table_info(?, 'main')", table).Scan(&names); err != nil {
		t.Fatal(err)
	}
	return names
}

func TestOldestSchemaIsUpgraded(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	in := put(t, l, message(o, "1001", "7", "hello"))
	l.Close()
	older(t, dir, 1)
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

// What was remembered and said under the schema that had no archive yet is there,
// and can be forgotten with what is made of it since.
func TestSchemaWithMemoryIsUpgraded(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	d := keep(t, l, "1001")
	before := d.said(t, l)
	l.Close()
	older(t, dir, 2)
	if _, err := database(t, dir).Exec("SELECT * FROM vectors"); err == nil {
		t.Fatal("the schema with memory has vectors")
	}

	l = open(t, dir)
	if got := d.said(t, l); got != before {
		t.Errorf("it says %s, want %s", got, before)
	}
	if r, err := l.VerifyMemory(ctx); err != nil || !r.OK() {
		t.Errorf("verified: %+v, %v", r, err)
	}
	a, said := embedded(t, l, d)
	if len(said) != 3 {
		t.Errorf("the archive has %+v", said)
	}
	d.forget(t, l)
	if left := vectors(t, a, d.owner, "small"); len(left) != 2 {
		t.Errorf("%d vectors are left", len(left))
	}
}

// What was said and found under the schema that had no jobs yet is there, and
// there can be jobs.
func TestSchemaWithArchiveIsUpgraded(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	d := keep(t, l, "1001")
	embedded(t, l, d)
	before := d.said(t, l)
	l.Close()
	older(t, dir, 3)
	if _, err := database(t, dir).Exec("SELECT job FROM inbox"); err == nil {
		t.Fatal("the schema with an archive has jobs in the inbox")
	}

	l = open(t, dir)
	if got := d.said(t, l); got != before {
		t.Errorf("it says %s, want %s", got, before)
	}
	a := l.Archive(lastLine)
	if left := vectors(t, a, d.owner, "small"); len(left) == 0 {
		t.Error("the vectors are gone")
	}
	if home, err := l.Home(ctx, d.owner); err != nil || home != d.session {
		t.Errorf("home is %v, %v", home, err)
	}
	job := storedJob(t, l, reminder(d.session, "water the plants", time.Now().Add(-time.Second)))
	if c := claimOf(job); !claimed(t, l, c) || c.Say.Message.Seq == 0 {
		t.Error("a job is not due there")
	}
}

// What waits and what was asked under the schema that kept nothing of what was
// sent is there, and what is sent from now on can be kept.
func TestSchemaWithJobsIsUpgraded(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	d := keep(t, l, "1001")
	d.plan(t, l)
	before := d.said(t, l)
	l.Close()
	older(t, dir, 4)
	if _, err := database(t, dir).Exec("SELECT keep_until_ms FROM outbox"); err == nil {
		t.Fatal("the schema with jobs keeps what was sent")
	}

	l = open(t, dir)
	if got := d.said(t, l); got != before {
		t.Errorf("it says %s, want %s", got, before)
	}
	waiting, err := l.Undelivered(ctx)
	must(t, err)
	part := waiting[len(waiting)-1]
	part.State, part.Keep = nacre.Sent, week
	settle(t, l, part, externalIDOf(part), "")
	if got := sentText(t, l, part); got == "" {
		t.Error("nothing is kept of what is sent")
	}
	d.forget(t, l)
}

// A key file that was put back from a copy of before gives no record of memory
// its number twice.
func TestOlderKeyFileGoesOnBehindMemory(t *testing.T) {
	for _, table := range []string{"ops", "asks", "files", "vectors", "jobs", "settings"} {
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
			_, err = l.Append(ctx, o, 0, []memory.Op{opAdding("a"), opAdding("b")}, nil)
		case "asks":
			err = l.PutAsk(ctx, s, json.RawMessage("{}"), time.Now())
		case "files":
			err = l.PutFile(ctx, o, "MEMORY.md", nil)
		case "settings":
			err = l.PutSettings(ctx, o, map[string]json.RawMessage{"name": json.RawMessage(`"Ada"`)})
		case "jobs":
			_, err = l.PutJob(ctx, reminder(s, "water the plants", time.Now()))
		case "vectors":
			err = l.Archive(lastLine).PutVectors(ctx, o, "small", map[int64][]float32{2: {1}})
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
