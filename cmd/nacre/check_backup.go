package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"nacre/memory/backup"
	"nacre/memory/ledger"
	"nacre/web"
)

// backups looks at the directory of backups from outside, and asks a running server
// about the key bundle. Nothing is said of them while there is nothing to back up.
func (x *examination) backups(ctx context.Context) []finding {
	if !ledger.Exists(x.cfg.Data) {
		return nil
	}
	set := backup.Set{Dir: x.cfg.Backup.Dir}
	list, err := set.Snapshots()
	if err == nil && len(list) > 0 {
		err = syscall.Access(set.Dir, allAccess)
	}
	if err != nil {
		return []finding{{Name: "backups", Level: problem, Found: fmt.Sprintf("%s cannot be used (%v)", set.Dir, bare(err)),
			Do: "give this user the right to write there, or set NACRE_BACKUP to another directory"}}
	}
	if len(list) == 0 {
		return []finding{x.noBackup()}
	}
	return []finding{x.newest(list[0]), x.keyBundle(ctx, set)}
}

// firstBackup is how long a server may run without having made one.
const firstBackup = 2 * time.Hour

// noBackup tells that there is none, which is as it should be only in the beginning.
func (x *examination) noBackup() finding {
	f := finding{Name: "backups", Level: fine, Found: "none yet", Do: "the running server makes the first within an hour, and nacre backup makes one now"}
	switch {
	case x.cfg.Backup.Every == 0:
		f.Level, f.Found, f.Do = warning, "none, and none is made by itself", "set NACRE_BACKUP_EVERY, or make one now and then with nacre backup"
	case x.status != nil && time.Since(x.status.Since) > firstBackup:
		f.Level, f.Do = warning, "make one with nacre backup, which says what is wrong"
	}
	return f
}

// lateBackup is how much later than due the newest backup may be.
const lateBackup = 24 * time.Hour

// newest looks at the newest snapshot.
func (x *examination) newest(s backup.Snapshot) finding {
	f := finding{Name: "backups", Level: fine, Found: fmt.Sprintf("the newest is of %s, in %s", s.At.Local().Format("2006-01-02 15:04"), x.cfg.Backup.Dir)}
	switch every := x.cfg.Backup.Every; {
	case every > 0 && time.Since(s.At) > every+lateBackup:
		f.Level, f.Do = warning, "it should be newer; make one with nacre backup, which says what is wrong"
	case sameDisk(x.cfg.Data, x.cfg.Backup.Dir):
		f.Do = "that is the disk of the data; set NACRE_BACKUP to another one, or copy them elsewhere, for when this one dies"
	}
	return f
}

// keyBundle looks at what opens the snapshots.
func (x *examination) keyBundle(ctx context.Context, set backup.Set) finding {
	f := finding{Name: "key bundle", Level: fine, Found: "of " + set.KeysAt().Local().Format("2006-01-02 15:04")}
	if set.KeysAt().IsZero() {
		f.Level, f.Found, f.Do = warning, "none, so that without the key file "+filepath.Base(x.cfg.Keys)+" nobody can restore a backup", "make a recovery key once: nacre backup key"
		return f
	}
	if !x.running {
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if list, err := web.NewClient(x.cfg.Data).Backups().List(ctx); err == nil && list.Stale {
		f.Level, f.Found, f.Do = warning, f.Found+", and older than what was forgotten since", "make it anew with nacre backup, which says what is wrong"
	}
	return f
}

// sameDisk reports whether two directories lie on one file system.
func sameDisk(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	if err != nil || err2 != nil {
		return false
	}
	x, ok := one.Sys().(*syscall.Stat_t)
	y, ok2 := other.Sys().(*syscall.Stat_t)
	return ok && ok2 && x.Dev == y.Dev
}
