package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"nacre"
	"nacre/memory/vault"
)

const fileName = "nacre.db"

// Options say where the data lies.
type Options struct {
	Dir    string         // data directory, made with mode 0700 if missing
	Keys   string         // key file; made beside a new database only
	Master []byte         // secret that seals the key file; nil for none
	Zone   *time.Location // whose days usage is counted by; nil for UTC

	// Older opens a database from before the newest forgetting, such as a backup.
	// What was forgotten since stays unreadable, but nothing keeps it from being
	// learned again.
	Older bool

	// Beside makes files in Dir that are not the ledger's drop what was
	// overwritten in them, such as the log of another database. A forgetting calls
	// it before it looks through the files; after a Transient error it says that
	// they wait, and tries again later. Nil for none.
	Beside func(ctx context.Context) error
}

// Ledger is the open database of one data directory. Its methods may be called
// from any goroutine.
type Ledger struct {
	path    string // of the database
	vault   *vault.Vault
	lock    *dirLock
	writing *sql.DB
	reading *sql.DB
	writer  *writer
	tally   *tally
	stmts   sync.Map // query text to *sql.Stmt on reading
	files   *handles // of the data directory and the key file, to look through
	beside  func(context.Context) error

	mu       sync.RWMutex
	sessions map[sessionKey]nacre.SessionInfo // guarded by mu; filled after commit
}

// Open opens the data directory, or makes it. It takes the directory's lock,
// refuses a database that is newer than this program, damaged, or without its
// key file, and changes nothing then. Errors are sentences for the operator.
func Open(ctx context.Context, o Options) (*Ledger, error) {
	if err := makeDir(o.Dir); err != nil {
		return nil, err
	}
	lock, err := lockDir(o.Dir)
	if err != nil {
		return nil, err
	}
	l := &Ledger{path: filepath.Join(o.Dir, fileName), lock: lock, files: newHandles(o), beside: o.Beside, sessions: map[sessionKey]nacre.SessionInfo{}}
	l.tally = &tally{zone: cmp.Or(o.Zone, time.UTC), flush: l.flush, waiting: map[usageKey]nacre.Usage{}}
	if err := l.open(ctx, o); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func (l *Ledger) open(ctx context.Context, o Options) error {
	path := l.path
	if slices.Contains([]string{path, path + "-wal", path + "-shm", filepath.Join(o.Dir, lockName)}, filepath.Clean(o.Keys)) {
		return nacre.Errorf(nacre.Invalid, "the key file cannot be %s, which is a file of the database; set NACRE_KEYS to another place", o.Keys)
	}
	existing, err := exists(path)
	if err != nil {
		return err
	}
	if l.vault, err = openVault(o, existing); err != nil {
		return err
	}
	if !existing && l.vault.Used() {
		return nacre.Errorf(nacre.Conflict, "the key file %s has been used, but there is no database at %s; if the disk is not mounted, mount it, and to start empty move the key file away", o.Keys, path)
	}
	if err := l.connect(ctx, path, o); err != nil {
		return fmt.Errorf("open %s: %w", path, explain(err))
	}
	return nil
}

// openVault loads the key file, and makes one only where there is no database
// that could need an older one.
func openVault(o Options, existing bool) (*vault.Vault, error) {
	v, err := vault.Load(o.Keys, o.Master)
	if errors.Is(err, fs.ErrNotExist) && !existing {
		return vault.Create(o.Keys, o.Master, time.Now())
	}
	return v, err
}

// connect opens the writer's connection and the readers, compares the key file
// with the database, and only then brings the schema up to date.
func (l *Ledger) connect(ctx context.Context, path string, o Options) error {
	var err error
	if l.writing, err = sql.Open("sqlite", dsn(path, "")); err != nil {
		return err
	}
	l.writing.SetMaxOpenConns(1)
	if l.reading, err = sql.Open("sqlite", dsn(path, "&_pragma=query_only(1)")); err != nil {
		return err
	}
	l.reading.SetMaxOpenConns(4)
	l.reading.SetMaxIdleConns(2)
	if err := touch(path); err != nil {
		return err
	}
	conn, err := l.writing.Conn(ctx)
	if err != nil {
		return err
	}
	l.writer = newWriter(conn, l.tally)
	version, err := schemaVersion(ctx, conn)
	if err != nil {
		return err
	}
	if version > 0 {
		err = l.checkKeys(ctx, version, o.Older)
	} else {
		err = l.vault.Check(l.vault.ID(), 0, 0)
	}
	if err != nil {
		return err
	}
	if err := migrate(ctx, conn, version); err != nil {
		return err
	}
	if version > 0 {
		err = l.finishKeys(ctx)
	} else {
		err = l.setMeta(ctx, "vault", l.vault.ID())
	}
	if err != nil {
		return err
	}
	return l.vault.AddOwners(vault.Installation) // for what belongs to no owner, such as the audit log's key
}

// busyTimeout is how long, in milliseconds, a connection waits for another.
const busyTimeout = 5000

// dsn names everything that must hold for each connection; a pragma run later
// would reach only one of a pool.
func dsn(path, more string) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() +
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(" + strconv.Itoa(busyTimeout) + ")" +
		"&_pragma=foreign_keys(1)&_pragma=secure_delete(ON)&_pragma=temp_store(MEMORY)" +
		"&_txlock=immediate&_dqs=0" + more
}

// checkKeys compares the key file with what the database knows of it. A first
// start that was cut short may not have come to name its key file.
func (l *Ledger) checkKeys(ctx context.Context, version int, older bool) error {
	id, err := l.meta(ctx, "vault")
	if err != nil {
		return err
	}
	if id == "" {
		if err := l.vault.Check(l.vault.ID(), 0, 0); err != nil {
			return err
		}
		return l.setMeta(ctx, "vault", l.vault.ID())
	}
	punctures, err := l.meta(ctx, "punctures")
	if err != nil {
		return err
	}
	done, _ := strconv.ParseUint(punctures, 10, 64)
	if id == l.vault.ID() && done < l.vault.Punctures() && !older {
		if err := l.checkAge(ctx, version); err != nil {
			return err
		}
	}
	highest, err := l.highestRecord(ctx, version)
	if err != nil {
		return err
	}
	return l.vault.Check(id, done, highest)
}

// memorySchema is the version of the schema from which on there is memory.
const memorySchema = 2

// vectorSchema is that from which on there are vectors.
const vectorSchema = 3

// jobSchema is that from which on there are jobs.
const jobSchema = 4

// pageSchema is that from which on there is what owners set on the page.
const pageSchema = 6

// checkAge tells a database that a crash left in the middle of a forgetting from
// one that is older than the forgetting as a whole.
func (l *Ledger) checkAge(ctx context.Context, version int) error {
	var underWay bool
	if version >= memorySchema {
		err := l.reading.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM doomed) OR EXISTS (SELECT 1 FROM erasures WHERE done_ms IS NULL)").Scan(&underWay)
		if err != nil {
			return explain(err)
		}
	}
	if underWay {
		return nil
	}
	return nacre.Errorf(nacre.Conflict, "the database is an older copy, from before something was forgotten; put the newest one back, or go on with this one by nacre rebuild --older: what was forgotten since stays unreadable, but could be learned again")
}

// query runs a read that is prepared once for the life of the Ledger.
func (l *Ledger) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	st, ok := l.stmts.Load(query)
	if !ok {
		fresh, err := l.reading.PrepareContext(ctx, query)
		if err != nil {
			return nil, explain(err)
		}
		var raced bool
		if st, raced = l.stmts.LoadOrStore(query, fresh); raced {
			fresh.Close()
		}
	}
	rows, err := st.(*sql.Stmt).QueryContext(ctx, args...)
	return rows, explain(err)
}

// row is query for one row at most, which it scans; sql.ErrNoRows where there is
// none.
func (l *Ledger) row(ctx context.Context, query string, args []any, into ...any) error {
	rows, err := l.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		return explain(rows.Scan(into...))
	}
	return cmp.Or(explain(rows.Err()), sql.ErrNoRows)
}

// highestRecord is the highest record number in a database of a schema version.
// Records are numbered before their writers' turn, and Ops by the hundred, so
// that the newest row of those need not have the highest.
func (l *Ledger) highestRecord(ctx context.Context, version int) (uint64, error) {
	query := `SELECT max(
		coalesce((SELECT max(record) FROM (SELECT record FROM inbox ORDER BY seq DESC LIMIT 1000)), 0),
		coalesce((SELECT record FROM turns WHERE record IS NOT NULL ORDER BY seq DESC LIMIT 1), 0),
		coalesce((SELECT record FROM outbox ORDER BY seq DESC LIMIT 1), 0),
		coalesce((SELECT max(record) FROM questions), 0),
		coalesce((SELECT max(record) FROM heads), 0),
		coalesce((SELECT max(record) FROM readings), 0),
		coalesce((SELECT max(record) FROM attachments), 0)`
	if version >= memorySchema {
		query += `,
		coalesce((SELECT max(record) FROM (SELECT record FROM ops ORDER BY seq DESC LIMIT 1000)), 0),
		coalesce((SELECT max(record) FROM erasures), 0),
		coalesce((SELECT max(record) FROM asks), 0),
		coalesce((SELECT max(record) FROM files), 0)`
	}
	if version >= vectorSchema {
		query += ", coalesce((SELECT max(record) FROM vectors), 0)"
	}
	if version >= jobSchema {
		query += ", coalesce((SELECT max(record) FROM jobs), 0)"
	}
	if version >= pageSchema {
		query += `,
		coalesce((SELECT max(record) FROM settings), 0),
		coalesce((SELECT max(record) FROM logins), 0),
		coalesce((SELECT max(record) FROM passwords), 0)`
	}
	var n uint64
	err := l.reading.QueryRowContext(ctx, query+")").Scan(&n)
	return n, explain(err)
}

func (l *Ledger) meta(ctx context.Context, name string) (string, error) {
	var v string
	err := l.reading.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = ?", name).Scan(&v)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return v, explain(err)
}

func (l *Ledger) setMeta(ctx context.Context, name, value string) error {
	return l.writer.do(ctx, func(t *tx) error { return t.setMeta(name, value) })
}

func (t *tx) setMeta(name, value string) error {
	_, err := t.exec("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value)
	return err
}

// Close lets queued writes finish, folds the write-ahead log into the file and
// gives the directory free. Writes after it get a Transient error.
func (l *Ledger) Close() error {
	if l.writer != nil {
		if len(l.tally.pending()) > 0 {
			l.flush()
		}
		l.writer.close()
		l.writer.conn.ExecContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
		l.writer.conn.Close()
	}
	return l.release()
}

// flush writes what waits for a transaction to ride on. A failure leaves it
// waiting for the next one.
func (l *Ledger) flush() {
	l.writer.do(context.Background(), func(*tx) error { return nil })
}

func (l *Ledger) release() error {
	var errs []error
	for _, db := range []*sql.DB{l.reading, l.writing} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if l.vault != nil {
		errs = append(errs, l.vault.Close())
	}
	l.files.close()
	return errors.Join(append(errs, l.lock.release())...)
}

func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nacre.Errorf(nacre.Invalid, "the data directory %s cannot be made (%s); choose another with NACRE_DATA or give this user the right to write there", dir, reason(err))
	}
	return nil
}

// touch makes a new database file readable by its owner alone; SQLite gives the
// files beside it the same rights.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nacre.Errorf(nacre.Invalid, "the database %s cannot be opened (%s); give this user the right to read and write it", path, reason(err))
	}
	return f.Close()
}

// Exists reports whether a data directory holds a database, for commands that
// make none.
func Exists(dir string) bool {
	there, err := exists(filepath.Join(dir, fileName))
	return there && err == nil
}

// exists tells a database that is there from one that never was. An empty file
// is what a crash in the very first moment leaves, and counts as none.
func exists(path string) (bool, error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, nacre.Errorf(nacre.Invalid, "the database %s cannot be reached (%s); check the rights of the data directory", path, reason(err))
	}
	return st.Size() > 0, nil
}

// reason is the bare cause of a file error, since our sentence names the path.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return strings.TrimSpace(err.Error())
}
