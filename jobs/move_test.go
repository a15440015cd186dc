package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

// moves lets an owner live elsewhere, and their jobs follow.
func (w *world) moves(owner int, from, to string) (moved bool) {
	w.t.Helper()
	w.setZone(w.owners[owner], to)
	moved, err := w.board.Move(ctx, w.owners[owner], loadZone(w.t, from))
	if err != nil {
		w.t.Fatal(err)
	}
	w.settle()
	return moved
}

// While the clock runs, jobs without a zone of their own follow their owner, those of
// others do not, and what happens once stays the moment that it is.
func TestJobsFollowTheirOwner(t *testing.T) {
	inWorld(t, "2026-11-30T12:00:00Z", func(w *world) {
		w.start()
		second := every(48 * time.Hour)
		second.At = at(t, "2026-11-30T08:00:00Z") // nine in Vienna
		planned := map[string]nacre.Job{
			"daily": w.remind(0, cron("0 9 * * *", ""), "tea"), "elsewhere": w.remind(0, cron("0 9 * * *", "Asia/Tokyo"), "sake"),
			"second day": w.remind(0, second, "water"), "hours": w.remind(0, w.from(2*time.Hour), "stretch"),
			"once": w.remind(0, w.onceIn(3*time.Hour), "bread"), "another's": w.remind(1, cron("0 9 * * *", ""), "coffee"),
			"resting": w.remind(0, cron("0 10 * * *", ""), "post"),
		}
		w.change(planned["resting"], nacre.JobChange{State: nacre.Paused})
		if !w.moves(0, "Europe/Vienna", "America/New_York") {
			t.Error("no job is said to have moved")
		}
		for name, want := range map[string]string{
			"daily": "2026-11-30T14:00:00Z", "elsewhere": "2026-12-01T00:00:00Z", "second day": "2026-11-30T14:00:00Z",
			"hours": "2026-11-30T14:00:00Z", "once": "2026-11-30T15:00:00Z", "another's": "2026-12-01T08:00:00Z",
			"resting": "2026-12-01T09:00:00Z", // as it was: worked out when it goes on
		} {
			if got := w.job(planned[name]).Next; !got.Equal(at(t, want)) {
				t.Errorf("%s: next %s, want %s", name, got.UTC().Format(time.RFC3339), want)
			}
		}
		w.until("2026-11-30T14:00:00Z")
		if got := w.texts(0); len(got) != 3 {
			t.Errorf("said %q", got)
		}
		if got := w.change(planned["resting"], nacre.JobChange{State: nacre.Active}).Next; !got.Equal(at(t, "2026-11-30T15:00:00Z")) {
			t.Errorf("what goes on is due at %s", got)
		}
		if w.moves(0, "America/New_York", "America/Toronto") {
			t.Error("a zone with the same clock moved a job")
		}
	}, "Europe/Vienna", "Europe/Vienna")
}

// A job that is changed at the same moment follows as well.
func TestMoveMeetsAChange(t *testing.T) {
	inWorld(t, "2026-11-30T12:00:00Z", func(w *world) {
		meets := &meeting{}
		w.wrap = func(s jobs.Store) jobs.Store { meets.Store = s; return meets }
		w.close()
		w.open()
		job, gone := w.remind(0, cron("0 9 * * *", ""), "tea"), w.remind(0, cron("0 8 * * *", ""), "sugar")
		meets.first = func() {
			text := "green tea"
			w.change(job, nacre.JobChange{Text: text})
			if err := w.board.Drop(ctx, w.by(0), gone.ID); err != nil {
				t.Error(err)
			}
		}
		w.moves(0, "Europe/Vienna", "America/New_York")
		if got := w.job(job); got.Text != "green tea" || !got.Next.Equal(at(t, "2026-11-30T14:00:00Z")) {
			t.Errorf("the job is %+v", got)
		}
		meets.fail = errors.New("broken")
		w.setZone(w.owners[0], "Asia/Tokyo")
		if _, err := w.board.Move(ctx, w.owners[0], loadZone(t, "America/New_York")); !errors.Is(err, meets.fail) {
			t.Errorf("a ledger that cannot be written gives %v", err)
		}
	}, "Europe/Vienna")
}

// meeting is a store in which something else is done just before the first change.
type meeting struct {
	jobs.Store
	first func()
	fail  error
}

func (m *meeting) ChangeJob(ctx context.Context, was, job nacre.Job, missed ...nacre.Run) error {
	if first := m.first; first != nil {
		m.first = nil
		first()
	}
	if m.fail != nil {
		return m.fail
	}
	return m.Store.ChangeJob(ctx, was, job, missed...)
}
