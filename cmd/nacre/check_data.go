package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"nacre/memory/ledger"
	"nacre/memory/vault"
	"nacre/web"
)

// The free space below which Nacre soon stops, in bytes.
const (
	littleSpace = 200 << 20
	noSpace     = 20 << 20
)

// fewFiles is how many more files a disk must take, as a database and its backups need
// some beside them now and then.
const fewFiles = 100

// Bits of access(2): to read, write and enter.
const allAccess = 4 | 2 | 1

const ownDirectory = "give this user the right to write there, or choose another place with NACRE_DATA"

// directory looks at the data directory without making it.
func (x *examination) directory(context.Context) []finding {
	dir := x.cfg.Data
	st, err := os.Stat(dir)
	if missing(err) {
		return []finding{x.absent()}
	}
	f := finding{Name: "directory", Level: problem}
	switch {
	case err != nil:
		f.Found, f.Do = fmt.Sprintf("%s cannot be reached (%v)", dir, bare(err)), ownDirectory
	case !st.IsDir():
		f.Found, f.Do = dir+" is not a directory", "choose another place with NACRE_DATA"
	default:
		return x.rights(st)
	}
	return []finding{f}
}

// absent looks at a data directory that does not exist yet.
func (x *examination) absent() finding {
	dir, above := x.cfg.Data, existing(x.cfg.Data)
	st, err := os.Stat(above)
	if err == nil && !st.IsDir() {
		err = syscall.ENOTDIR
	}
	if err == nil {
		err = syscall.Access(above, allAccess)
	}
	if err != nil {
		return finding{Name: "directory", Level: problem, Do: ownDirectory,
			Found: fmt.Sprintf("%s does not exist and cannot be made in %s (%v)", dir, above, bare(err))}
	}
	return finding{Name: "directory", Level: fine, Found: dir + " does not exist yet", Do: "the first start makes it"}
}

// rights looks at who may do what in the data directory.
func (x *examination) rights(st fs.FileInfo) []finding {
	dir := x.cfg.Data
	if err := syscall.Access(dir, allAccess); err != nil {
		return []finding{{Name: "directory", Level: problem, Do: ownDirectory, Found: fmt.Sprintf("%s cannot be written (%v)", dir, err)}}
	}
	var faults []finding
	if uid := ownerOf(st); uid != os.Geteuid() {
		faults = append(faults, finding{Name: "directory", Level: warning,
			Found: fmt.Sprintf("%s belongs to %s and this is %s", dir, userName(uid), userName(os.Geteuid())),
			Do:    "run Nacre, and this, as the user to whom it belongs; files that another makes there are lost to it"})
	}
	if st.Mode().Perm()&0o077 != 0 {
		faults = append(faults, finding{Name: "directory", Level: warning,
			Found: fmt.Sprintf("%s is open to other users (mode %04o)", dir, st.Mode().Perm()), Do: "make it yours alone: chmod 700 " + dir})
	}
	if faults == nil {
		return []finding{{Name: "directory", Level: fine, Found: dir}}
	}
	return faults
}

// space looks at the file system of the data directory, or of the place where
// that is going to be.
func (x *examination) space(context.Context) []finding {
	var st syscall.Statfs_t
	if err := syscall.Statfs(existing(x.cfg.Data), &st); err != nil {
		return nil // the directory has the same problem
	}
	free := st.Bavail * uint64(st.Bsize)
	f := finding{Name: "disk", Level: fine, Found: size(free) + " free"}
	switch {
	case free < noSpace:
		f.Level, f.Do = problem, "free some space; nothing can be stored soon"
	case free < littleSpace:
		f.Level, f.Do = warning, "free some space before it is full"
	}
	list := []finding{f}
	if st.Files > 0 && st.Ffree < fewFiles { // 0 files is a kind of disk that does not count them
		list = append(list, finding{Name: "disk", Level: warning, Found: fmt.Sprintf("room for only %s more", number(int(st.Ffree), "file", "files")),
			Do: "delete files that nobody needs; their number is the limit there, not their size"})
	}
	if kind := networked(uint32(st.Type)); kind != "" {
		list = append(list, finding{Name: "disk", Level: warning, Found: "the data lies on " + kind + ", whose locks and writes cannot be relied on",
			Do: "set NACRE_DATA to a directory on a disk of this machine"})
	}
	return list
}

// networked names the file system of an f_type if another machine, or a
// program, is behind it; see statfs(2).
func networked(kind uint32) string {
	switch kind {
	case 0x6969:
		return "NFS"
	case 0xFF534D42, 0xFE534D42, 0x517B:
		return "a Windows share"
	case 0x65735546:
		return "FUSE"
	}
	return ""
}

// database opens the database if nobody else has it, as a start would, and
// closes it again. Where there is none it makes none.
func (x *examination) database(ctx context.Context) []finding {
	path := filepath.Join(x.cfg.Data, "nacre.db")
	st, err := os.Stat(path)
	f := finding{Name: "database", Level: fine}
	switch {
	case missing(err), err == nil && st.Size() == 0: // as ledger.Exists has it
		return []finding{x.noDatabase()}
	case err != nil || !x.ours():
		return nil // the directory has the same problem
	case x.running:
		f = x.openDatabase(path)
	default:
		counts, err := x.read(ctx)
		if err != nil {
			return []finding{{Name: "database", Level: problem, Found: err.Error()}}
		}
		f.Found = fmt.Sprintf("%s with %s of %s", size(uint64(st.Size())), number(counts.Messages, "message", "messages"), number(counts.Owners, "owner", "owners"))
	}
	return slices.Concat([]finding{f}, x.pages(ctx, path), x.auditLog(ctx))
}

// auditLog verifies the audit log of memory from its beginning, if that was asked for,
// through the server where one runs.
func (x *examination) auditLog(ctx context.Context) []finding {
	if !x.deep {
		return nil
	}
	ok, entries, err := x.verify(ctx)
	f := finding{Name: "audit log", Level: fine, Found: "in order: " + number(int(entries), "entry", "entries")}
	switch {
	case err != nil:
		f.Level, f.Found, f.Do = problem, fmt.Sprintf("it cannot be read (%v)", err), "keep a copy of the data directory, and put back the newest backup"
	case !ok:
		f.Level, f.Found, f.Do = problem, "not in order", "nacre verify tells what is wrong; keep a copy of the data directory, and put back the newest backup"
	}
	return []finding{f}
}

func (x *examination) verify(ctx context.Context) (ok bool, entries int64, err error) {
	if x.running {
		v, err := web.NewClient(x.cfg.Data).Memory(web.Hand{}).Verify(ctx, web.Check{})
		return v.OK, v.Size, err
	}
	l, err := ledger.Open(ctx, ledger.Options{Dir: x.cfg.Data, Keys: x.cfg.Keys, Master: x.master()})
	if err != nil {
		return false, 0, err
	}
	defer l.Close()
	r, err := l.VerifyMemory(ctx)
	return r.OK(), r.Size, err
}

// longLog is from what length on, in bytes, the write-ahead log of the database is no
// longer written back as it should be.
const longLog = 256 << 20

// openDatabase looks from outside at the database that the server has.
func (x *examination) openDatabase(path string) finding {
	f := finding{Name: "database", Level: fine, Found: "open in the running server"}
	if n := length(path + "-wal"); n > longLog {
		f.Level, f.Found = warning, fmt.Sprintf("%s, with %s in its write-ahead log that should be in the database", f.Found, size(uint64(n)))
		f.Do = "restart Nacre, which writes it back"
	}
	return f
}

// ours reports whether we may open the database without leaving files that its
// owner cannot use.
func (x *examination) ours() bool {
	st, err := os.Stat(x.cfg.Data)
	return err == nil && ownerOf(st) == os.Geteuid() && syscall.Access(x.cfg.Data, allAccess) == nil
}

// read opens the database, which checks it and its key file. Nothing of its
// content changes, but what is left to do at any start is done: what a crash
// left in the write-ahead log or half-written in the key file is put in order.
func (x *examination) read(ctx context.Context) (ledger.Counts, error) {
	l, err := ledger.Open(ctx, ledger.Options{Dir: x.cfg.Data, Keys: x.cfg.Keys, Master: x.master()})
	if err != nil {
		return ledger.Counts{}, err
	}
	defer l.Close()
	return l.Counts(ctx)
}

// noDatabase looks for a sign that there should be a database.
func (x *examination) noDatabase() finding {
	none := finding{Name: "database", Level: fine, Found: "none yet", Do: "the first start makes it"}
	v, err := vault.Load(x.cfg.Keys, x.master())
	if missing(err) {
		return none
	}
	if err != nil {
		return finding{Name: "database", Level: problem, Found: err.Error()}
	}
	defer v.Close()
	if v.Used() {
		return finding{Name: "database", Level: problem, Found: fmt.Sprintf("the key file %s has been used, but there is no database in %s", x.cfg.Keys, x.cfg.Data),
			Do: "if the disk is not mounted, mount it, and to start empty move the key file away"}
	}
	return none
}

// master is the master key, nil if there is none.
func (x *examination) master() []byte {
	if text := x.cfg.MasterKey.Reveal(); text != "" {
		return []byte(text)
	}
	return nil
}

// keyFile looks at the key file from outside. Whether it fits, the database
// tells.
func (x *examination) keyFile(context.Context) []finding {
	keys := x.cfg.Keys
	st, err := os.Stat(keys)
	if err != nil {
		return nil // there is no database yet, or it tells
	}
	f := finding{Name: "key file", Level: fine, Found: keys}
	switch {
	case st.Mode().Perm()&0o077 != 0:
		f.Level, f.Found = warning, fmt.Sprintf("%s is open to other users (mode %04o)", keys, st.Mode().Perm())
		f.Do = "make it yours alone: chmod 600 " + keys
	case filepath.Dir(keys) == x.cfg.Data:
		f.Do = "it lies beside the database, so leave it out of backups of the data and keep its copy elsewhere"
	}
	master := finding{Name: "master key", Level: fine, Found: "set"}
	if x.master() == nil {
		master.Found, master.Do = "not set", "NACRE_MASTER_KEY_FILE would seal the key file against whoever copies it"
	}
	return []finding{f, master}
}

// existing is the path itself or the nearest directory above it that is there.
func existing(path string) string {
	for {
		above := filepath.Dir(path)
		if _, err := os.Stat(path); !missing(err) || above == path {
			return path
		}
		path = above
	}
}

func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// bare is the cause of a file error, since our sentence names the path.
func bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

func ownerOf(st fs.FileInfo) int {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return int(sys.Uid)
	}
	return os.Geteuid()
}

func userName(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		return u.Username
	}
	return "user " + strconv.Itoa(uid)
}

// size is a number of bytes for people.
func size(bytes uint64) string {
	const kib, mib, gib = 1 << 10, 1 << 20, 1 << 30
	switch {
	case bytes >= 10*gib:
		return strconv.FormatUint(bytes/gib, 10) + " GiB"
	case bytes >= mib:
		return strconv.FormatUint(bytes/mib, 10) + " MiB"
	}
	return strconv.FormatUint(bytes/kib, 10) + " KiB"
}
