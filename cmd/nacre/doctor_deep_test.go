package main

import (
	"database/sql"
	"os"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// Only --deep sees an audit log in which somebody wrote.
func TestDoctorVerifiesTheAuditLog(t *testing.T) {
	c := newClinic(t).used()
	c.serving = true // opening the database tidies its files
	if out, code := c.run("", "memory", "add", "people/ann", "Ann lives in Kyoto"); code != exitOK {
		t.Fatalf("memory add: %d %s", code, out)
	}
	if out, code := c.doctor(t.Context(), "--deep"); code != exitOK || !strings.Contains(out, "  in order: ") || strings.Contains(out, "no entries") {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	db, err := sql.Open("sqlite", c.data("nacre.db"))
	c.must(err)
	var guard string
	c.must(db.QueryRow("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'leaves' AND sql LIKE '%UPDATE%'").Scan(&guard))
	_, err = db.Exec("DROP TRIGGER " + guard)
	c.must(err)
	_, err = db.Exec("UPDATE leaves SET leaf = zeroblob(length(leaf)) WHERE n = (SELECT max(n) FROM leaves)")
	c.must(err)
	c.must(db.Close())
	if out, code := c.doctor(t.Context()); code != exitOK {
		t.Errorf("exit code %d without --deep:\n%s", code, out)
	}
	out, code := c.doctor(t.Context(), "--deep")
	if lines := unwell(out); code != exitFault || len(lines) != 1 || !strings.HasPrefix(lines[0], "FAIL  audit log") {
		t.Errorf("exit code %d, lines %q", code, lines)
	}
}

// A page that nothing reads at a start can be damaged for long; --deep finds it. What is
// read or missing is found without.
func TestDoctorLooksThroughAllPages(t *testing.T) {
	t.Parallel()
	well := newClinic(t).used()
	for _, test := range []struct {
		name       string
		spoil      func(c *clinic, size int64)
		line, deep string // how the one line begins; empty for none
	}{
		{"whole", func(*clinic, int64) {}, "", ""},
		{"page of zeroes", func(c *clinic, _ int64) { c.patch("nacre.db", c.page("hits"), strings.Repeat("\x00", 4096)) }, "", "FAIL  pages"},
		{"cut", func(c *clinic, size int64) { c.must(os.Truncate(c.data("nacre.db"), size/4096/2*4096)) }, "FAIL  database", "FAIL  database"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newClinic(t)
			c.like(well)
			test.spoil(c, length(c.data("nacre.db")))
			for args, want := range map[string]string{"": test.line, "--deep": test.deep} {
				out, _ := c.doctor(t.Context(), strings.Fields(args)...)
				if lines := unwell(out); want == "" && len(lines) > 0 || want != "" && (len(lines) != 1 || !strings.HasPrefix(lines[0], want)) {
					t.Errorf("doctor %s: lines %q, want %q", args, lines, want)
				}
				if args != "" && want == "" && !strings.Contains(out, "whole") {
					t.Errorf("it does not tell of whole pages:\n%s", out)
				}
			}
		})
	}
}

// page is where the first page of a table begins.
func (c *clinic) page(table string) int64 {
	c.t.Helper()
	db, err := sql.Open("sqlite", "file:"+c.data("nacre.db")+"?mode=ro&immutable=1")
	c.must(err)
	defer db.Close()
	var n int64
	c.must(db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = ?", table).Scan(&n))
	return (n - 1) * 4096
}
