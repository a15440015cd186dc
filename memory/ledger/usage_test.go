package ledger_test

import (
	"database/sql"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// Usage is there at once, survives a restart whether something was committed
// after it or not, and belongs to a day of the installation's zone.
func TestUsage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		zone := time.FixedZone("east", 9*3600)
		begin := func() *ledger.Ledger {
			l, err := ledger.Open(ctx, ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys"), Zone: zone})
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		l := begin()
		both := owners(t, l, "1001", "1002")
		day := time.Now() // midnight in UTC, nine in the morning there
		one := nacre.Usage{Calls: 1, Input: 100, Output: 10, CacheRead: 80, CacheWrite: 5, Cost: 7}
		l.Spend(both[0], "m", one)
		l.Spend(both[0], "m", one)
		l.Spend(both[1], "n", nacre.Usage{Calls: 1, Input: 3, Output: 4, Unpriced: 7})
		check := func(what string, owner nacre.OwnerID, from, to time.Time, want map[string]nacre.Usage) {
			t.Helper()
			got, err := l.Usage(ctx, owner, from, to)
			if err != nil || !maps.Equal(got, want) {
				t.Errorf("%s: %v, %v; want %v", what, got, err, want)
			}
		}
		two := map[string]nacre.Usage{"m": one.Plus(one)}
		check("at once", both[0], day, day, two)
		l.Close()
		l = begin()
		check("after an orderly end", both[0], day, day, two)
		check("everybody", "", day, day, map[string]nacre.Usage{"m": one.Plus(one), "n": {Calls: 1, Input: 3, Output: 4, Unpriced: 7}})

		time.Sleep(15*time.Hour + time.Second) // past midnight there
		next := time.Now()
		l.Spend(both[0], "m", one)
		put(t, l, message(both[0], "1001", "1", "x")) // it rides along
		check("the day before", both[0], day, day, two)
		check("the next day", both[0], next, next, map[string]nacre.Usage{"m": one})
		check("both days", both[0], day, next, map[string]nacre.Usage{"m": one.Plus(one).Plus(one)})
		check("another day", both[0], next.AddDate(0, 0, 1), next.AddDate(0, 0, 2), map[string]nacre.Usage{})

		byDay, err := l.UsageByDay(ctx, "", day, next)
		want := map[string]map[string]nacre.Usage{"2000-01-01": {"m": one.Plus(one), "n": {Calls: 1, Input: 3, Output: 4, Unpriced: 7}}, "2000-01-02": {"m": one}}
		if err != nil || !reflect.DeepEqual(byDay, want) {
			t.Errorf("by day: %v, %v; want %v", byDay, err, want)
		}
		l.Spend(both[1], "n", one) // waits
		l.Spend(both[0], "m", one)
		byDay, err = l.UsageByDay(ctx, both[0], next, next)
		want = map[string]map[string]nacre.Usage{"2000-01-02": {"m": one.Plus(one)}}
		if err != nil || !reflect.DeepEqual(byDay, want) {
			t.Errorf("one owner's of one day, a part of which waits: %v, %v; want %v", byDay, err, want)
		}
		time.Sleep(3 * time.Second) // by itself
		check("written by itself", both[0], next, next, map[string]nacre.Usage{"m": one.Plus(one)})
		if n := writtenCalls(t, dir); n != 6 {
			t.Errorf("%d calls are in the database, want all 6", n)
		}
		l.Close()
	})
}

// writtenCalls is how many calls the database itself holds.
func writtenCalls(t *testing.T, dir string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "nacre.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("SELECT sum(calls) FROM usage").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A reader finds each call once, while it moves into the database.
func TestUsageIsCountedOnce(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	var begun, ended atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 500 {
			begun.Add(1)
			l.Spend(o, "m", nacre.Usage{Calls: 1})
			ended.Add(1)
			put(t, l, message(o, "1001", fmt.Sprint(i), "x"))
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		least := ended.Load()
		u, err := l.Usage(ctx, o, time.Now(), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if n := int64(u["m"].Calls); n < least || n > begun.Load() {
			t.Fatalf("%d calls are counted of %d to %d", n, least, begun.Load())
		}
	}
}
