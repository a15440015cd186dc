package ledger_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"nacre"
	"nacre/memory"
)

// holding begins a transaction of another program, which keeps everybody else
// from writing until the function that it returns is called.
func holding(t *testing.T, dir string) (release func()) {
	t.Helper()
	conn, err := database(t, dir).Conn(ctx)
	if err == nil {
		_, err = conn.ExecContext(ctx, "BEGIN IMMEDIATE")
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
			t.Error(err)
		}
		conn.Close()
	}
}

// Another program that holds the database for a while costs writers time and
// nothing else.
func TestWritersWaitForAnotherProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := open(t, dir)
	owner := owners(t, l, "1001")[0]
	release := holding(t, dir)
	const each = 50
	errs := make([]error, 2*each)
	var writers sync.WaitGroup
	for i := range each {
		writers.Go(func() {
			errs[2*i] = l.Put(ctx, []nacre.Inbound{message(owner, "1001", fmt.Sprint("held/", i), "hello")})
		})
		writers.Go(func() { _, errs[2*i+1] = l.Append(ctx, owner, 0, []memory.Op{opRefusing(memory.IsSecret)}, nil) })
	}
	release()
	writers.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Errorf("writers failed: %v", err)
	}
	if c, err := l.Counts(ctx); err != nil || c.Messages != each {
		t.Errorf("%d messages are stored, want %d, %v", c.Messages, each, err)
	}
	if ops := history(t, l, owner); len(ops) != each {
		t.Errorf("%d entries of the log are stored, want %d", len(ops), each)
	}
}

// One that holds it for longer than writers wait costs them an error that says
// so, and they write again as soon as it is gone.
func TestAnotherProgramHoldsTheDatabaseForLong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := open(t, dir)
	owner := owners(t, l, "1001")[0]
	release := holding(t, dir)
	_, err := l.Append(ctx, owner, 0, []memory.Op{opRefusing(memory.IsSecret)}, nil)
	release()
	if nacre.KindOf(err) != nacre.Transient {
		t.Errorf("while it is held: %v, want an error that passes", err)
	}
	if ops := history(t, l, owner); len(ops) != 0 {
		t.Errorf("%d entries were stored although that failed", len(ops))
	}
	put(t, l, message(owner, "1001", "after", "hello"))
	appended(t, l, owner, 0, opRefusing(memory.IsSecret))
}
