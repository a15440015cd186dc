package ledger_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
)

// killed returns what a process that dies now leaves of its data directory.
func killed(t *testing.T, dir string) string {
	t.Helper()
	left := t.TempDir()
	for name, content := range bytesIn(t, dir) {
		if !strings.HasSuffix(name, "-shm") { // which SQLite makes anew
			must(t, os.WriteFile(filepath.Join(left, name), content, 0o600))
		}
	}
	return left
}

// TestForgettingSurvivesAKill kills the process at every point of a forgetting
// and starts another one, which finishes it.
func TestForgettingSurvivesAKill(t *testing.T) {
	type point struct {
		name  string
		steps int // of Erase that were done before
		more  func(*ledger.Ledger, *diary) error
	}
	var points []point
	for n := 1; n <= 5; n++ {
		points = append(points, point{fmt.Sprintf("after step %d", n), n, nil})
	}
	puncture := func(l *ledger.Ledger, d *diary) error { return l.PunctureDoomed(d.owner) }
	closed := func(l *ledger.Ledger, d *diary) error { return l.CloseErasure(d.e.ID) }
	said := append(points[:5:5], point{"keys destroyed, and the database does not know", 2, puncture},
		point{"keys of the rest destroyed, and the database does not know", 4, puncture}, point{"finished, but for the plan's key", 5, closed})
	all := append(points[:5:5], point{"keys destroyed, and no others made", 2, func(l *ledger.Ledger, d *diary) error { return l.DropKeys(d.owner) }},
		point{"finished, but for the log", 5, closed})
	for _, p := range said {
		t.Run("said, "+p.name, func(t *testing.T) { killAndResume(t, false, p.steps, p.more) })
	}
	for _, p := range all {
		t.Run("all, "+p.name, func(t *testing.T) { killAndResume(t, true, p.steps, p.more) })
	}
}

func killAndResume(t *testing.T, all bool, steps int, more func(*ledger.Ledger, *diary) error) {
	dir := t.TempDir()
	l := open(t, dir)
	d := keep(t, l, "1001")
	d.plan(t, l)
	if all {
		d.everything()
	}
	copied, err := l.Copy(d.owner)
	must(t, err)
	for _, step := range l.EraseSteps(d.owner, d.e)[:steps] {
		must(t, step(ctx))
	}
	plans, err := l.Copy(d.owner)
	must(t, err)
	if more != nil {
		must(t, more(l, d))
	}

	left := killed(t, dir)
	l = open(t, left)
	owners(t, l, "1001", "1002")
	unfinished, err := l.Unfinished(ctx)
	must(t, err)
	if finished := steps == 5 && more != nil; len(unfinished) == 0 != finished {
		t.Fatalf("%d forgettings are unfinished", len(unfinished))
	}
	var early []nacre.Inbound
	if !all || steps > 2 || more != nil { // the owner has the keys that they will have
		early = put(t, l, message(d.owner, "1001", "8", "and on it goes"))
	}
	for _, u := range unfinished {
		if u.Owner != d.owner || u.Erasure.ID != d.e.ID || u.Erasure.Size != d.e.Size || u.Erasure.Writer != memory.ByCommand || u.Erasure.Needle == nil {
			t.Errorf("unfinished %+v", u)
		}
		d.e = u.Erasure
		d.forget(t, l)
	}
	d.gone(t, l, append(copied, plans...))
	if text := d.said(t, l); finds(text) > 0 || strings.Contains(text, "zqxgreen") == all {
		t.Errorf("what is left: %s", text)
	}
	in := append(early, put(t, l, message(d.owner, "1001", "9", "and on it goes"))...)
	read, err := l.Sources(ctx, d.owner, idsOf(in))
	must(t, err)
	for i, id := range idsOf(in) {
		if len(read[id].Segments) != 2 {
			t.Errorf("new message %d reads as %v", i, read[id])
		}
	}
	l.Close()
	if r := verified(t, left); !r.OK() {
		t.Errorf("the log after it: %v", r.Findings)
	}
}

// gone wants that old copies of the rows that said it can be read no more, and
// those that said something else can.
func (d *diary) gone(t *testing.T, l *ledger.Ledger, copied []ledger.Copied) {
	t.Helper()
	opened := 0
	for _, c := range copied {
		opens := l.Opens(d.owner, c)
		if opens {
			opened++
		}
		if opens && (finds(c.Plain) > 0 || d.e.Size == memory.SizeAll || c.Table == "files" || c.Table == "erasures") {
			t.Errorf("an old copy of a row of %s can still be read: %s", c.Table, c.Plain)
		}
	}
	if opened == 0 && d.e.Size != memory.SizeAll {
		t.Error("no old copy of anything can be read")
	}
}

// TestOlderKeyFileIsRefusedAfterForgetting: with it what was forgotten could be
// read in an old copy of the database.
func TestOlderKeyFileIsRefusedAfterForgetting(t *testing.T) {
	for _, all := range []bool{false, true} {
		dir := t.TempDir()
		l := open(t, dir)
		d := keep(t, l, "1001")
		keys := bytesIn(t, dir)["keys.nacre"]
		if all {
			d.everything()
		}
		d.forget(t, l)
		l.Close()
		must(t, reopen(dir))
		must(t, os.WriteFile(filepath.Join(dir, "keys.nacre"), keys, 0o600))
		if err := reopen(dir); nacre.KindOf(err) != nacre.Conflict || !strings.Contains(err.Error(), "old copy") {
			t.Errorf("all %v: opened with an old key file: %v", all, err)
		}
	}
}
