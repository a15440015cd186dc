package ledger_test

import (
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
)

func markOf(t testing.TB, l *ledger.Ledger, o nacre.OwnerID) int64 {
	t.Helper()
	through, _, err := l.Mark(ctx, o, "reflect")
	must(t, err)
	return through
}

func batches(t testing.TB, l *ledger.Ledger, o nacre.OwnerID) []memory.Batch {
	t.Helper()
	list, err := l.Batches(ctx, o)
	must(t, err)
	return list
}

func failed(t testing.TB, l *ledger.Ledger, o nacre.OwnerID, first, through int64, want int) {
	t.Helper()
	if n, err := l.Failed(ctx, o, "reflect", first, through, "no answer"); err != nil || n != want {
		t.Errorf("failed %d times, %v; want %d", n, err, want)
	}
}

func TestMarkIsStartedOnce(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	if _, known, err := l.Mark(ctx, o, "reflect"); known || err != nil {
		t.Errorf("before: known %v, %v", known, err)
	}
	for _, through := range []int64{7, 9} {
		must(t, l.StartMark(ctx, o, "reflect", through))
		if got, known, err := l.Mark(ctx, o, "reflect"); got != 7 || !known || err != nil {
			t.Errorf("after %d: %d, known %v, %v", through, got, known, err)
		}
	}
}

func TestFailedBatchIsSetAside(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	must(t, l.StartMark(ctx, o, "reflect", 10))
	failed(t, l, o, 11, 50, 1)
	failed(t, l, o, 11, 48, 2) // something of it was erased
	got := batches(t, l, o)
	if len(got) != 1 || time.Since(got[0].At) > time.Minute {
		t.Fatalf("batches %+v", got)
	}
	want := memory.Batch{Owner: o, Reader: "reflect", First: 11, Through: 48, Failures: 2, Reason: "no answer", At: got[0].At}
	if got[0] != want || markOf(t, l, o) != 10 {
		t.Errorf("batches %+v, mark %d", got, markOf(t, l, o))
	}
	if err := l.SetAside(ctx, o, "reflect", 12); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("set aside what is not there: %v", err)
	}
	must(t, l.SetAside(ctx, o, "reflect", 11))
	want.Aside = true
	if got := batches(t, l, o); len(got) != 1 || got[0] != want || markOf(t, l, o) != 48 {
		t.Errorf("set aside: %+v, mark %d", got, markOf(t, l, o))
	}
	_, err := l.Append(ctx, o, 0, nil, &memory.Mark{Reader: "reflect", Through: 90})
	must(t, err)
	if got := batches(t, l, o); len(got) != 1 {
		t.Errorf("the reader went on, and what was set aside is %+v", got)
	}
	must(t, l.DropBatch(ctx, o, "reflect", 11))
	if got := batches(t, l, o); len(got) != 0 {
		t.Errorf("dropped: %+v", got)
	}
}

// What failed goes once it was read after all: together with what it gave.
func TestBatchThatIsReadIsNoLongerFailed(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	failed(t, l, o, 11, 50, 1)
	failed(t, l, o, 51, 60, 1)
	if _, err := l.Append(ctx, o, 7, []memory.Op{opAdding("a")}, &memory.Mark{Reader: "reflect", Through: 50}); nacre.KindOf(err) != nacre.Conflict {
		t.Fatalf("appended at another version: %v", err)
	}
	if got := batches(t, l, o); len(got) != 2 || markOf(t, l, o) != 0 {
		t.Errorf("nothing was appended: %+v, mark %d", got, markOf(t, l, o))
	}
	for _, reader := range []string{"another", "reflect"} {
		_, err := l.Append(ctx, o, 0, nil, &memory.Mark{Reader: reader, Through: 50})
		must(t, err)
	}
	if got := batches(t, l, o); len(got) != 1 || got[0].First != 51 || markOf(t, l, o) != 50 {
		t.Errorf("read: %+v, mark %d", got, markOf(t, l, o))
	}
}

// After everything was forgotten nobody reads what was said before.
func TestForgettingEverythingEndsReading(t *testing.T) {
	l := open(t, t.TempDir())
	d, other := keep(t, l, "1001"), keep(t, l, "1002")
	for _, x := range []*diary{d, other} {
		must(t, l.StartMark(ctx, x.owner, "reflect", 1))
		failed(t, l, x.owner, 2, 3, 1)
		spoke(t, l, x.session, "water the plants")
		if _, err := l.Told(ctx, x.owner, "failing", "2026-12-01"); err != nil {
			t.Fatal(err)
		}
	}
	heard, err := l.Heard(ctx, d.owner)
	must(t, err)
	d.everything()
	d.forget(t, l)
	for _, x := range []*diary{d, other} {
		mine := x == d
		runs, err := l.Runs(ctx, x.owner, "", 10)
		must(t, err)
		told, err := l.Told(ctx, x.owner, "failing", "2026-12-01")
		must(t, err)
		if got := markOf(t, l, x.owner); (got == heard) != mine || (len(batches(t, l, x.owner)) == 0) != mine || (len(runs) == 0) != mine || told == mine {
			t.Errorf("mine %v: mark %d, batches %v, runs %v, told %v", mine, got, batches(t, l, x.owner), runs, told)
		}
	}
}
