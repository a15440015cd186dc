package ledger_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"nacre/memory/ledger"
)

// first is a data directory of the program that had the first schema. It was killed
// while two people wrote to it: three messages are answered, one of them has a file,
// and the fourth waits. Everything is as the kill left it, with most of the database
// still in the write-ahead log.
func first(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if out, err := exec.Command("tar", "-xzf", "testdata/first.tar.gz", "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v, %s", err, out)
	}
	return dir
}

// read requires every message of the first version, and its file, to be readable.
func read(t *testing.T, l *ledger.Ledger) {
	t.Helper()
	owners, err := l.Owners(ctx)
	must(t, err)
	var said []string
	for _, o := range owners {
		must(t, l.Archive(lastLine).Everything(ctx, o.ID, func(s ledger.Saying) bool {
			if len(s.Files) > 0 {
				file, err := l.Attachment(ctx, o.ID, s.Message, 0)
				must(t, err)
				s.Text += "\n" + string(file)
			}
			said = append(said, s.Text)
			return true
		}))
	}
	slices.Sort(said)
	if want := []string{"Grüße aus Zürich", "[document: list.txt]\nthe list\nbread\nmilk\n", "are you there?", "my bike is green"}; !slices.Equal(said, want) {
		t.Errorf("there is %q, want %q", said, want)
	}
}

// An upgrade that ends anywhere, here where a name is taken, leaves the schema of the
// last migration that was whole, and the next start goes on from there.
func TestUpgradeGoesOnWhereItEnded(t *testing.T) {
	schemas, err := filepath.Glob("migrations/*.sql")
	must(t, err)
	made := regexp.MustCompile(`(?m)^CREATE (?:UNIQUE )?(?:TABLE|INDEX) (\w+)`)
	for version := 1; version < len(schemas); version++ {
		t.Run(filepath.Base(schemas[version]), func(t *testing.T) {
			text, err := os.ReadFile(schemas[version])
			must(t, err)
			names := made.FindAllStringSubmatch(string(text), -1)
			if len(names) == 0 {
				t.Fatal("it makes nothing whose name can be taken, so this test needs another way to end it")
			}
			last := names[len(names)-1][1]
			dir := first(t)
			execute(t, dir, fmt.Sprintf("CREATE TABLE %s (taken)", last))
			l, err := ledger.Open(ctx, ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre")})
			if err == nil || !strings.Contains(err.Error(), filepath.Base(schemas[version])) {
				t.Fatalf("opened %v, %v", l, err)
			}
			var at int
			must(t, database(t, dir).QueryRow("PRAGMA user_version").Scan(&at))
			if at != version {
				t.Errorf("it has version %d, want %d", at, version)
			}
			execute(t, dir, "DROP TABLE "+last)
			read(t, open(t, dir))
		})
	}
}
