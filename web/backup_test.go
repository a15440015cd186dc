package web

import (
	"testing"

	"nacre"
	"nacre/memory"
)

// A login may ask for a backup, but only who is on the machine says where to.
func TestWhoNamesADirectoryForBackups(t *testing.T) {
	for _, c := range []struct {
		by      memory.Writer
		to      string
		refused bool
	}{
		{memory.ByPage, "", false},
		{memory.ByPage, "/mnt/stick", true},
		{memory.ByShell, "/mnt/stick", false},
	} {
		b, err := handedBackups{canaryBackups{}, Hand{By: c.by}}.make(t.Context(), BackupOrder{To: c.to})
		if refused := nacre.KindOf(err) == nacre.Denied; refused != c.refused || (b.Path == "") != c.refused {
			t.Errorf("%s to %q: %+v, %v", c.by, c.to, b, err)
		}
	}
}
