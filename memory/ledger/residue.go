package ledger

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"nacre"
)

// handles reads the files of an installation as bytes. It keeps open what is a
// SQLite database in use: a process that closes any handle of such a file loses all
// its locks on it, and another program could then write over what SQLite relies
// on (sqlite.org/howtocorrupt.html, 2.2). A copy that nobody has open, such as a
// backup, is closed, so that its space is free once it is deleted.
type handles struct {
	dir, keys string

	mu   sync.Mutex
	kept map[string]*os.File // by path; guarded by mu
}

func newHandles(o Options) *handles {
	return &handles{dir: o.Dir, keys: o.Keys, kept: map[string]*os.File{}}
}

// close closes what was kept, when the databases are closed.
func (h *handles) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.kept {
		f.Close()
	}
	clear(h.kept)
}

// residue is what is found of some wordings in the bytes of every file, but for
// those of other owners, which are theirs.
type residue struct {
	files  *handles
	owner  nacre.OwnerID
	owners []nacre.Owner // of the installation
	wanted *literals

	found  int // files that hold one
	unread int // files and directories that could not be read
}

func (r *residue) look(ctx context.Context) error {
	if r.wanted.none() {
		return nil
	}
	err := filepath.WalkDir(r.files.dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			r.note(false, err)
			return nil
		case d.IsDir() && isAnother(r.owner, r.owners, d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular() || strings.HasSuffix(path, "-shm"): // locks and page numbers; closing it would cost locks
			return nil
		}
		r.note(r.files.holds(ctx, path, r.wanted))
		return ctx.Err()
	})
	if err == nil && filepath.Dir(r.files.keys) != filepath.Clean(r.files.dir) {
		r.note(r.files.holds(ctx, r.files.keys, r.wanted))
	}
	return err
}

// note counts what came of a file. One that is gone meanwhile holds nothing.
func (r *residue) note(holds bool, err error) {
	switch {
	case holds:
		r.found++
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		r.unread++
	}
}

func isAnother(owner nacre.OwnerID, owners []nacre.Owner, name string) bool {
	for _, o := range owners {
		if string(o.ID) == name {
			return o.ID != owner
		}
	}
	return false
}

// open opens a file, or finds it open. A database is kept open.
func (h *handles) open(path string) (f *os.File, database bool, done func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now, err := os.Stat(path)
	if err != nil {
		return nil, false, nil, err
	}
	if f := h.kept[path]; f != nil {
		if old, err := f.Stat(); err == nil && os.SameFile(old, now) {
			return f, true, func() {}, nil
		}
	}
	if f, err = os.Open(path); err != nil {
		return nil, false, nil, err
	}
	if isDatabase(f) && inUse(path) {
		h.kept[path] = f
		return f, true, func() {}, nil
	}
	return f, isDatabase(f), func() { f.Close() }, nil
}

// inUse reports whether somebody may have a database open. Beside each that is, all
// being in the write-ahead mode, lies the index of its log (sqlite.org/walformat.html).
func inUse(path string) bool {
	_, err := os.Stat(path + "-shm")
	return !errors.Is(err, fs.ErrNotExist)
}

// isDatabase knows a SQLite database by how it begins (sqlite.org/fileformat.html,
// 1.3.1).
func isDatabase(f *os.File) bool {
	magic := []byte("SQLite format 3\x00")
	head := make([]byte, len(magic))
	f.ReadAt(head, 0)
	return bytes.Equal(head, magic)
}

// pieceSize is how much of a file is looked at at once.
const pieceSize = 1 << 20

// holds reports whether a file holds one of some wordings. In a database the
// numbers of people's addresses stand in clear, so that a number alone says
// nothing there.
func (h *handles) holds(ctx context.Context, path string, wanted *literals) (bool, error) {
	f, database, done, err := h.open(path)
	if err != nil {
		return false, err
	}
	defer done()
	database = database || strings.HasSuffix(path, "-wal")
	piece, kept := make([]byte, pieceSize), 0
	for at := int64(0); ctx.Err() == nil; {
		n, err := f.ReadAt(piece[kept:], at)
		if wanted.in(piece[:kept+n], database) {
			return true, nil
		}
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return false, err
		}
		at += int64(n)
		// What is at the end of this piece may go on in the next.
		kept = copy(piece, piece[len(piece)-wanted.overlap():])
	}
	return false, ctx.Err()
}
