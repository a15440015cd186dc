package ledger_test

import (
	"testing"

	"nacre"
)

func TestFileIsAsItWasWritten(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	who := owners(t, l, "1001", "1002")
	if _, err := l.File(ctx, who[0], "MEMORY.md"); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("before it was written: %v", err)
	}
	for _, content := range []string{"old", "", "new \x00\xff"} {
		if err := l.PutFile(ctx, who[0], "MEMORY.md", []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := l.File(ctx, who[0], "MEMORY.md"); err != nil || string(got) != content {
			t.Errorf("got %q, %v; want %q", got, err, content)
		}
	}
	l.Close()
	l = open(t, dir)
	if got, err := l.File(ctx, who[0], "MEMORY.md"); err != nil || string(got) != "new \x00\xff" {
		t.Errorf("after a restart: %q, %v", got, err)
	}
	if _, err := l.File(ctx, who[1], "MEMORY.md"); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("another owner's: %v", err)
	}
}
