package jobs_test

import (
	"context"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

// A task that was claimed before a stop is made up for within its grace period
// only, and does not take the place of what is due when the program starts.
func TestClaimedBeforeAStop(t *testing.T) {
	for _, c := range []struct {
		name string
		off  time.Duration
		said []string
		ran  []string
	}{
		{"shorter than the grace period", 30 * time.Minute, []string{"done"}, []string{"01T09:00:00 done"}},
		{"longer", 72*time.Hour - 2*time.Minute, []string{
			"I did not come to it on Fri 1 May 2026, 09:00, so I left out: brief\nNext time: Tue 5 May 2026, 09:00 (UTC), in 24 hours", "done",
		}, []string{"04T09:00:00 done", "03T09:00:00 missed made up x2", "01T09:00:00 missed late"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, "2026-05-01T08:00:00Z", func(w *world) {
				w.begins(func(ctx context.Context, _ nacre.Job) (jobs.Outcome, error) {
					return takes(ctx, time.Hour, jobs.Outcome{})
				})
				d := w.draft(0, nacre.Task, cron("0 9 * * *", ""), "brief")
				d.Grace = time.Hour
				job := w.add(d)
				w.start()
				w.until("2026-05-01T09:03:00Z")
				w.close()
				time.Sleep(c.off)
				w.work = func(context.Context, nacre.Job, nacre.Run) (jobs.Outcome, error) {
					return jobs.Outcome{Text: "done"}, nil
				}
				w.open()
				w.start()
				w.pass(5 * time.Minute)
				w.hears(0, c.said...)
				w.ran(job, c.ran...)
			}, "UTC")
		})
	}
}

// What waits to be tried again is not late for that.
func TestRetryBeyondTheGracePeriod(t *testing.T) {
	inWorld(t, "2026-05-01T08:30:00Z", func(w *world) {
		fails := 2
		w.begins(func(context.Context, nacre.Job) (jobs.Outcome, error) {
			if fails--; fails >= 0 {
				return jobs.Outcome{}, errSecret
			}
			return jobs.Outcome{Text: "done"}, nil
		})
		d := w.draft(0, nacre.Task, w.onceIn(15*time.Minute), "brief")
		d.Grace = time.Minute
		w.add(d)
		w.start()
		w.pass(30 * time.Minute)
		w.hears(0, "done")
	}, "UTC")
}

// The tenth failure stops a job and says so, also if processes died in it.
func TestTenthInterruption(t *testing.T) {
	inWorld(t, "2026-05-01T00:00:00Z", func(w *world) {
		job := w.do(0, cron("0 9 * * *", ""), "brief")
		w.close()
		w.damage("UPDATE jobs SET failures = 9 WHERE id = ?", job.ID)
		w.damage("INSERT INTO runs (job, owner, slot_ms, state, attempts, reason) VALUES (?, ?, ?, 'running', 2, 'interrupted')", job.ID, job.Owner, w.now().UnixMilli())
		w.open()
		w.start()
		w.pass(time.Minute)
		w.hears(0, "I have stopped job 1, because it failed 10 times in a row: brief\nIt was interrupted twice. Resume it from the list of jobs when that is mended.")
		if got := w.job(job).State; got != nacre.Disabled {
			t.Errorf("it is %s", got)
		}
	}, "UTC")
}

// A slot that came while nothing ran is on record, whatever becomes of its job
// before the next start.
func TestChangedBeforeTheClockLooked(t *testing.T) {
	later := cron("30 9 * * *", "")
	for _, c := range []struct {
		name   string
		change []nacre.JobChange
		want   []string
	}{
		{"paused", []nacre.JobChange{{State: nacre.Paused}}, []string{"01T09:00:00 missed paused"}},
		{"paused and resumed", []nacre.JobChange{{State: nacre.Paused}, {State: nacre.Active}}, []string{"01T09:00:00 missed paused"}},
		{"moved", []nacre.JobChange{{Schedule: &later}}, []string{"01T09:00:00 missed changed"}},
		{"said otherwise", []nacre.JobChange{{Text: "coffee"}}, []string{"01T09:00:00 done"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, "2026-05-01T08:00:00Z", func(w *world) {
				job := w.remind(0, cron("0 9 * * *", ""), "tea")
				w.pass(2 * time.Hour)
				for _, change := range c.change {
					w.change(job, change)
				}
				w.start()
				w.pass(time.Minute)
				w.ran(job, c.want...)
				if got := w.job(job).Last; !got.Equal(at(t, "2026-05-01T09:00:00Z")) {
					t.Errorf("it came last at %s", got)
				}
			}, "UTC")
		})
	}
}

// Words of strangers are known as such in all that repeats them, until the owner
// gives a job other ones.
func TestStrangeWords(t *testing.T) {
	inWorld(t, "2026-05-01T08:00:00Z", func(w *world) {
		w.start()
		d := w.draft(0, nacre.Reminder, every(time.Hour), "tea")
		d.Strange, d.By.Own = true, false
		job := w.add(d)
		steps := []struct {
			by     nacre.JobAuthor
			change nacre.JobChange
			want   bool
		}{
			{d.By, nacre.JobChange{Grace: time.Hour}, true},
			{d.By, nacre.JobChange{Text: "coffee"}, true},
			{w.by(0), nacre.JobChange{Text: "milk"}, false},
			{d.By, nacre.JobChange{Text: "beer"}, false},
			{d.By, nacre.JobChange{Text: "wine", Strange: true}, true},
		}
		for i, s := range steps {
			if _, err := w.board.Change(ctx, s.by, job.ID, s.change); err != nil {
				t.Fatal(err)
			}
			w.pass(time.Hour)
			if said := w.said(0); len(said) != i+1 || said[i].Due.Strange != s.want {
				t.Errorf("after %+v it said %d messages, the last %+v", s.change, len(said), said[len(said)-1].Due)
			}
		}
	}, "UTC")
}

// A clock that was ahead for a while and is set right keeps nothing silent that is
// still to come.
func TestClockAheadForAWhile(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		inWorld(t, "2026-05-10T00:00:00Z", func(w *world) {
			daily, once := w.remind(0, cron("0 9 * * *", ""), "tea"), w.remind(0, w.onceIn(72*time.Hour), "call")
			w.start()
			w.until("2026-05-11T10:00:00Z")
			w.jump(10 * 24 * time.Hour)
			w.pass(2 * time.Minute)
			if got := w.job(once).State; got != nacre.Finished {
				t.Fatalf("ahead of its time it is %s", got)
			}
			if stopped {
				w.close()
			}
			w.jump(-10 * 24 * time.Hour)
			if stopped {
				w.open()
				w.start()
			}
			w.pass(2 * time.Minute)
			before := len(w.texts(0))
			w.until("2026-05-13T10:00:00Z")
			if got := w.texts(0)[before:]; !equal(got, []string{"⏰ tea", "⏰ call", "⏰ tea"}) {
				t.Errorf("stopped %v: said %q", stopped, got)
			}
			w.ran(daily, "13T09:00:00 done", "12T09:00:00 done", "11T09:00:00 done", "10T09:00:00 done")
			w.ran(once, "13T00:00:00 done")
		}, "UTC")
	}
}
