// Package backup keeps a directory of backups: snapshots of the database, which hold
// ciphertext alone, and beside them the one key bundle that opens them, encrypted to the
// operator's recovery key (age, https://age-encryption.org/v1).
//
// Of the bundle only the newest exists. One from before a forgetting opens what was
// forgotten, so the bytes of the old one are overwritten before they go. Copies of it
// that somebody made elsewhere are beyond its reach.
package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nacre"
)

// Names of what lies in the directory.
const (
	prefix  = "nacre-"
	suffix  = ".db"
	layout  = "20060102T150405.000Z" // in UTC
	keyName = "keys.age"
)

// Set is a directory of backups. Whoever uses it sees to it that one at a time writes.
type Set struct{ Dir string }

// Snapshot is one of its snapshots, as far as its name and size tell.
type Snapshot struct {
	Path  string
	At    time.Time
	Bytes int64
}

// Make makes the directory, with mode 0700, if it is missing. The directory above has to
// be there: it may be a disk that is not mounted. Transient, in a sentence, if it cannot
// be made or is none.
func (s Set) Make() error {
	err := os.Mkdir(s.Dir, 0o700)
	if errors.Is(err, fs.ErrExist) {
		var st fs.FileInfo
		if st, err = os.Stat(s.Dir); err == nil && !st.IsDir() {
			err = errors.New("it is no directory")
		}
	}
	if err != nil {
		return nacre.Errorf(nacre.Transient, "the directory for backups, %s, cannot be made (%w); see that its disk is mounted and that this user may write there, or set NACRE_BACKUP to another", s.Dir, err)
	}
	return nil
}

// Path is where a snapshot of an instant goes.
func (s Set) Path(at time.Time) string {
	return filepath.Join(s.Dir, prefix+at.UTC().Format(layout)+suffix)
}

// Snapshots lists the snapshots, the newest first. Files with other names are none of
// ours. A directory that is not there has none.
func (s Set) Snapshots() ([]Snapshot, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, nacre.Errorf(nacre.Transient, "the directory of backups, %s, cannot be read (%w); give this user the right to", s.Dir, err)
	}
	var list []Snapshot
	for _, e := range entries {
		at, ok := instant(e.Name())
		st, err := e.Info()
		if ok && err == nil && st.Mode().IsRegular() {
			list = append(list, Snapshot{filepath.Join(s.Dir, e.Name()), at, st.Size()})
		}
	}
	slices.SortFunc(list, func(a, b Snapshot) int { return b.At.Compare(a.At) })
	return list, nil
}

// instant reads a snapshot's name.
func instant(name string) (time.Time, bool) {
	middle, ok := strings.CutPrefix(name, prefix)
	if middle, ok2 := strings.CutSuffix(middle, suffix); ok && ok2 {
		at, err := time.Parse(layout, middle)
		return at, err == nil
	}
	return time.Time{}, false
}

// Keep deletes all snapshots but the newest n, at least one, and what an interrupted
// snapshot left. It returns how many went.
func (s Set) Keep(n int) (int, error) {
	list, err := s.Snapshots()
	if err != nil {
		return 0, err
	}
	parts, err := filepath.Glob(filepath.Join(s.Dir, prefix+"*"+suffix+".part*"))
	if err != nil {
		return 0, err
	}
	old := list[min(max(n, 1), len(list)):]
	for _, o := range old {
		parts = append(parts, o.Path)
	}
	for _, path := range parts {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, nacre.Errorf(nacre.Transient, "an old backup cannot be deleted (%w); give this user the right to", err)
		}
	}
	return len(old), nil
}
