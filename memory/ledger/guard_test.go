package ledger_test

import (
	"strings"
	"testing"
)

// What the triggers go by is no part of the log, but of what verify compares.
func TestVerifyMemoryLooksAtTombstones(t *testing.T) {
	for _, c := range []struct{ name, query, want string }{
		{"as it was", "", ""},
		{"deleted", "DELETE FROM tombstones", "Unguarded: what keeps the value of change 1"},
		{"of another value", "UPDATE tombstones SET exact = zeroblob(32)", "Unguarded: what keeps the value of change 1"},
		{"lifted by nobody", "UPDATE tombstones SET lifted = op", "Unguarded: what keeps the value of change 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			l := open(t, dir)
			o := owners(t, l, "1001")[0]
			added := appended(t, l, o, 0, opAdding("green"))
			appended(t, l, o, 1, opRejecting(added[0].Note, "green"))
			l.Close()
			execute(t, dir, "DROP TRIGGER tombstones_stay; DROP TRIGGER tombstones_only_lift; "+c.query)
			r := verified(t, dir)
			switch {
			case c.want == "" && !r.OK():
				t.Errorf("found %v", r.Findings)
			case c.want != "" && (len(r.Findings) != 1 || !strings.HasPrefix(r.Findings[0].String(), c.want)):
				t.Errorf("found %v, want %q", r.Findings, c.want)
			}
		})
	}
}

// A tombstone that an Op lifts is no finding.
func TestVerifyMemoryKnowsLifts(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	added := appended(t, l, o, 0, opAdding("green"))
	rejected := appended(t, l, o, 1, opRejecting(added[0].Note, "green"))
	appended(t, l, o, 2, opLifting(rejected[0].ID))
	l.Close()
	if r := verified(t, dir); !r.OK() {
		t.Errorf("found %v", r.Findings)
	}
	execute(t, dir, "DROP TRIGGER tombstones_only_lift; UPDATE tombstones SET lifted = NULL")
	if r := verified(t, dir); r.OK() {
		t.Error("an undone lift is not found")
	}
}
