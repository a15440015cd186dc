package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nacre/configs"
	"nacre/memory/backup"
	"nacre/web"
)

// What the doctor says of backups, in all the states in which they can be.
func TestDoctorLooksAtBackups(t *testing.T) {
	day := 24 * time.Hour
	made := func(ago time.Duration, keys bool) func(t *testing.T, s backup.Set) {
		return func(t *testing.T, s backup.Set) {
			err := s.Make()
			if err == nil {
				err = os.WriteFile(s.Path(time.Now().Add(-ago)), []byte("x"), 0o600)
			}
			if err == nil && keys {
				err = os.WriteFile(s.Keys(), []byte("x"), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name   string
		spoil  func(t *testing.T, s backup.Set)
		change func(x *examination)
		want   []string // level and what it says, of each
	}{
		{"none yet", nil, nil, []string{"ok none yet"}},
		{"none by itself", nil, func(x *examination) { x.cfg.Backup.Every = 0 }, []string{"warning none is made by itself"}},
		{"none for hours", nil, func(x *examination) { x.status = &web.Status{Since: time.Now().Add(-3 * time.Hour)} }, []string{"warning says what is wrong"}},
		{"none so far", nil, func(x *examination) { x.status = &web.Status{Since: time.Now().Add(-time.Hour)} }, []string{"ok none yet"}},
		{"all well, but on one disk", made(day, true), nil, []string{"ok that is the disk of the data", "ok of 2"}},
		{"without a recovery key", made(day, false), nil, []string{"ok the newest is of", "warning nacre backup key"}},
		{"too old", made(3*day, true), nil, []string{"warning it should be newer", "ok of 2"}},
		{"old, as it is made by hand", made(3*day, true), func(x *examination) { x.cfg.Backup.Every = 0 }, []string{"ok the newest is of", "ok of 2"}},
		{"no directory", func(t *testing.T, s backup.Set) {
			if err := os.WriteFile(s.Dir, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, nil, []string{"problem NACRE_BACKUP"}},
		{"no data", nil, func(x *examination) { x.cfg.Data = filepath.Join(x.cfg.Data, "none") }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "nacre.db"), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			x := &examination{cfg: &configs.Config{Data: dir, Keys: filepath.Join(dir, "keys.nacre"), Backup: configs.Backup{Dir: filepath.Join(dir, "backups"), Every: day, Keep: 7}}}
			if c.spoil != nil {
				c.spoil(t, backup.Set{Dir: x.cfg.Backup.Dir})
			}
			if c.change != nil {
				c.change(x)
			}
			found := x.backups(t.Context())
			if len(found) != len(c.want) {
				t.Fatalf("found %+v", found)
			}
			for i, f := range found {
				level, says, _ := strings.Cut(c.want[i], " ")
				if string(f.Level) != level || !strings.Contains(f.Found+"; "+f.Do, says) {
					t.Errorf("found %+v, want %s", f, c.want[i])
				}
			}
		})
	}
}
