package jobs_test

import (
	"testing"
	"time"

	"nacre"
)

// What was made elsewhere rests here, comes once, and goes on from when its owner says
// so.
func TestBring(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		w.start()
		d := w.draft(0, nacre.Task, every(time.Hour), "tea")
		bring := func(dry, wantKnown bool) nacre.Job {
			t.Helper()
			job, known, err := w.board.Bring(ctx, d, dry)
			if err != nil || known != wantKnown {
				t.Fatalf("%+v, known %v, %v", job, known, err)
			}
			return job
		}
		count := func(want int) {
			t.Helper()
			if list, err := w.board.Jobs(ctx, w.owners[0]); err != nil || len(list) != want {
				t.Errorf("there are %d jobs, %v; want %d", len(list), err, want)
			}
		}
		bring(true, false)
		count(0)
		job := bring(false, false)
		w.pass(3 * time.Hour)
		if runs, err := w.board.Runs(ctx, w.owners[0], job.ID, 10); err != nil || len(runs) != 0 || job.State != nacre.Paused {
			t.Errorf("it is %s and ran %d times, %v", job.State, len(runs), err)
		}
		if again := bring(false, true); again.ID != job.ID {
			t.Error("it came twice")
		}
		w.change(job, nacre.JobChange{State: nacre.Active})
		bring(true, true)
		bring(false, true)
		count(1)
		w.pass(2 * time.Hour)
		if runs, err := w.board.Runs(ctx, w.owners[0], job.ID, 10); err != nil || len(runs) == 0 {
			t.Errorf("it goes on, and ran %d times, %v", len(runs), err)
		}
		d.Schedule = cron("0 9 * * 1", "")
		bring(false, false)
		count(2)
		for _, c := range []nacre.JobDraft{
			w.draft(0, nacre.Heartbeat, every(time.Hour), "tea"),
			w.draft(0, nacre.Reminder, w.onceIn(-time.Hour), "tea"),
			w.draft(0, nacre.Reminder, cron("soon", ""), "tea"),
		} {
			if job, _, err := w.board.Bring(ctx, c, true); nacre.KindOf(err) != nacre.Invalid {
				t.Errorf("%+v became %+v, %v", c, job, err)
			}
		}
	}, "UTC")
}
