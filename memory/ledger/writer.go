package ledger

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"time"

	"nacre"
)

// mostPerCommit bounds how many closures share a transaction, so that the
// first of them does not wait long for the last.
const mostPerCommit = 256

// errClosed is what a write gets after Close.
var errClosed = nacre.Errorf(nacre.Transient, "the database is closed; Nacre is shutting down")

// tx is one transaction of the writer. It carries the moment it began; all
// rows written in it agree on that moment.
type tx struct {
	w     *writer
	nowMs int64
}

// exec runs a statement, prepared once for the life of the writer.
func (t *tx) exec(query string, args ...any) (sql.Result, error) {
	st, err := t.w.prepared(query)
	if err != nil {
		return nil, err
	}
	return st.ExecContext(context.Background(), args...)
}

// row runs a query that gives at most one row and scans it; the error is
// sql.ErrNoRows where there is none.
func (t *tx) row(query string, args []any, into ...any) error {
	st, err := t.w.prepared(query)
	if err != nil {
		return err
	}
	return st.QueryRowContext(context.Background(), args...).Scan(into...)
}

// query runs a query; its rows must be closed before the next statement.
func (t *tx) query(query string, args ...any) (*sql.Rows, error) {
	st, err := t.w.prepared(query)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(context.Background(), args...)
}

// count runs a statement and returns how many rows it changed.
func (t *tx) count(query string, args ...any) (int64, error) {
	res, err := t.exec(query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// write is a closure that waits for its transaction.
type write struct {
	run  func(*tx) error
	done chan error
}

// writer owns the only connection that writes.
type writer struct {
	conn  *sql.Conn
	tally *tally               // rides along with every transaction
	stmts map[string]*sql.Stmt // touched by the writer goroutine alone
	queue chan write
	gone  chan struct{} // closed when the goroutine has ended

	mu     sync.RWMutex // guards closed against a send on queue
	closed bool
}

func newWriter(conn *sql.Conn, y *tally) *writer {
	w := &writer{conn: conn, tally: y, stmts: map[string]*sql.Stmt{}, queue: make(chan write, mostPerCommit), gone: make(chan struct{})}
	go w.loop()
	return w
}

// do runs a closure in a transaction shared with whoever else waits, and
// returns when it is durable, or failed and left nothing. The context only
// bounds the wait for a place in the queue.
func (w *writer) do(ctx context.Context, run func(*tx) error) error {
	j := write{run: run, done: make(chan error, 1)}
	if err := w.enqueue(ctx, j); err != nil {
		return err
	}
	return <-j.done
}

func (w *writer) enqueue(ctx context.Context, j write) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return errClosed
	}
	select {
	case w.queue <- j:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close lets what is queued finish and stops the goroutine.
func (w *writer) close() {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
	w.mu.Unlock()
	<-w.gone
}

func (w *writer) loop() {
	defer close(w.gone)
	var batch []write
	for j := range w.queue {
		batch = append(batch[:0], j)
		for len(batch) < mostPerCommit && len(w.queue) > 0 {
			batch = append(batch, <-w.queue)
		}
		w.commit(batch)
	}
	for _, st := range w.stmts {
		st.Close()
	}
}

// commit runs a batch in one transaction. A closure that fails gets its error,
// and the others run again without it.
func (w *writer) commit(batch []write) {
	for len(batch) > 0 {
		guilty, err := w.transact(batch)
		if guilty < 0 {
			for _, j := range batch {
				j.done <- err
			}
			return
		}
		batch[guilty].done <- err
		batch = slices.Delete(batch, guilty, guilty+1)
	}
}

// transact runs a batch. guilty is the closure that failed, -1 if none did; err
// is then that of the transaction as a whole.
func (w *writer) transact(batch []write) (guilty int, err error) {
	t := &tx{w: w}
	if _, err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return -1, explain(err)
	}
	t.nowMs = time.Now().UnixMilli()
	guilty, err = runAll(t, batch)
	if err == nil {
		err = w.finish(t)
	}
	if err != nil {
		_, undo := t.exec("ROLLBACK")
		err = explain(errors.Join(err, ignoreNoTransaction(undo)))
	}
	return guilty, err
}

// finish commits, with what rides along.
func (w *writer) finish(t *tx) error {
	w.tally.whole.Lock()
	defer w.tally.whole.Unlock()
	err := w.tally.ride(t)
	if err == nil {
		_, err = t.exec("COMMIT")
	}
	w.tally.settle(err == nil)
	return err
}

func runAll(t *tx, batch []write) (guilty int, err error) {
	for i, j := range batch {
		if err := j.run(t); err != nil {
			return i, err
		}
	}
	return -1, nil
}

func (w *writer) prepared(query string) (*sql.Stmt, error) {
	if st := w.stmts[query]; st != nil {
		return st, nil
	}
	st, err := w.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	w.stmts[query] = st
	return st, nil
}
