package main

import (
	"database/sql"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newFirst is a world whose data directory is from the program that had the first
// schema, killed before it answered the last of four messages.
func newFirst(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	if err := os.Mkdir(w.env["NACRE_DATA"], 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("tar", "-xzf", "../../memory/ledger/testdata/first.tar.gz", "-C", w.env["NACRE_DATA"]).CombinedOutput()
	if err != nil {
		t.Fatalf("tar: %v, %s", err, out)
	}
	w.api.Know(1001, 1002)
	return w
}

// asked requires the newest request to hold all these words.
func (w *world) asked(words ...string) {
	w.t.Helper()
	all := w.model.Received()
	request := string(all[len(all)-1].Body)
	for _, word := range words {
		if !strings.Contains(request, word) {
			w.t.Errorf("the model was not asked with %q", word)
		}
	}
}

// goesOn requires a world of the first version to answer what waited and what is new,
// with everything that was said before, and to remember.
func (w *world) goesOn() {
	w.t.Helper()
	p := w.start()
	if got := w.sent(1); got[0] != "echo: are you there?" {
		w.t.Errorf("what waited is answered with %q", got)
	}
	w.asked("my bike is green", "echo: my bike is green", "bread", "are you there?")
	w.confirmed(w.api.Text(1002, "and now?"))
	if got := w.sent(2); got[1] != "echo: and now?" {
		w.t.Errorf("sent %q", got)
	}
	w.asked("Grüße aus Zürich", "echo: Grüße aus Zürich", "and now?")
	w.says("memory", "add", "about/bike", "My bike is green.")
	if out := w.says("verify"); !strings.HasPrefix(out, "The audit log is in order: 1 ") {
		w.t.Errorf("verify prints %q", out)
	}
	if err := p.stop(); err != nil {
		w.t.Error(err)
	}
}

func TestFirstVersionIsUpgraded(t *testing.T) {
	newFirst(t).goesOn()
}

// Whenever an upgrade is killed, the next start goes on with it.
func TestKilledUpgradeGoesOn(t *testing.T) {
	reached := map[int]int{}
	for range 10 {
		w := newFirst(t)
		cmd := w.command("verify") // upgrades as every command does, and answers nobody
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		patience := w.patience()
		for shared := filepath.Join(w.env["NACRE_DATA"], "nacre.db-shm"); ; {
			if _, err := os.Stat(shared); err == nil {
				break // it has the database open
			}
			if patience.Err() != nil {
				t.Fatal("it does not open the database")
			}
		}
		time.Sleep(rand.N(15 * time.Millisecond)) // any moment: this is the point of the test, not a wait
		cmd.Process.Kill()
		cmd.Wait()
		reached[schema(t, w.env["NACRE_DATA"])]++
		w.goesOn()
	}
	t.Logf("kills by the version of the schema that they left: %v", reached)
}

// schema is the version of the schema in a data directory, which is copied first, so
// that looking changes nothing.
func schema(t *testing.T, dir string) (version int) {
	t.Helper()
	looked := t.TempDir()
	copyFiles(t, dir, looked)
	db, err := sql.Open("sqlite", filepath.Join(looked, "nacre.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		t.Fatal(err)
	}
	return version
}

// A database that a newer program wrote is left alone, by every command.
func TestNewerDatabaseIsLeftAlone(t *testing.T) {
	w := newFirst(t)
	w.says("verify")
	path := filepath.Join(w.env["NACRE_DATA"], "nacre.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 999"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"serve", "chat", "status", "verify"} {
		out, code := w.run("hi\n", command)
		if code == exitOK || !strings.Contains(out, "it was last opened by a newer Nacre, so run that version or a newer one") {
			t.Errorf("%s: %d %q", command, code, out)
		}
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the database was changed (%v)", err)
	}
}
