package jobs_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
	"nacre/memory/ledger"
)

// A job's own zone counts, not that of the process, and an unknown one is
// refused.
func TestZoneOfAJob(t *testing.T) {
	inWorld(t, "2026-05-01T00:30:00Z", func(w *world) {
		w.start()
		job := w.remind(0, cron("0 9 * * *", "Asia/Shanghai"), "tea")
		if want := at(t, "2026-05-01T01:00:00Z"); !job.Next.Equal(want) {
			t.Errorf("next %s, want %s", job.Next, want)
		}
		w.until("2026-05-01T01:00:00Z")
		w.hears(0, "⏰ tea")
		_, err := w.board.Add(ctx, w.draft(0, nacre.Reminder, cron("0 9 * * *", "Asia/Atlantis"), "tea"))
		if nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("an unknown zone: %v", err)
		}
	}, "UTC")
}

// A restart does not say again what was said.
func TestRestartAfterASlot(t *testing.T) {
	inWorld(t, "2026-05-01T12:00:00Z", func(w *world) {
		w.start()
		w.remind(0, cron("0 22 * * *", "America/Santiago"), "digest") // 02:00 UTC
		w.until("2026-05-02T02:00:00Z")
		w.hears(0, "⏰ digest")
		w.restart(30 * time.Minute)
		w.pass(10 * time.Hour)
		w.hears(0, "⏰ digest")
		w.until("2026-05-03T02:00:00Z")
		w.hears(0, "⏰ digest", "⏰ digest")
	}, "UTC")
}

// A slot that fell into a stop is made up for once, or left out visibly.
func TestSlotWhileStopped(t *testing.T) {
	inWorld(t, "2026-05-01T12:30:00Z", func(w *world) {
		w.start()
		job := w.remind(0, cron("37 12 * * *", ""), "lunch")
		w.until("2026-05-01T12:36:00Z")
		w.restart(3 * time.Minute)
		w.hears(0, "⏰ (due at Fri 1 May 2026, 12:37) lunch")
		w.until("2026-05-02T12:00:00Z")
		w.restart(30 * time.Hour)
		w.hears(0, "⏰ (due at Fri 1 May 2026, 12:37) lunch", "⏰ (due at Sun 3 May 2026, 12:37; once before that left out) lunch")
		w.ran(job, "03T12:37:00 done", "02T12:37:00 missed made up", "01T12:37:00 done")
		w.until("2026-05-04T12:00:00Z")
		w.restart(13 * time.Hour)
		w.ran(job, "04T12:37:00 missed late", "03T12:37:00 done", "02T12:37:00 missed made up", "01T12:37:00 done")
		if got := w.texts(0)[2]; got != "I was not running on Mon 4 May 2026, 12:37, so I left out: lunch\nNext time: Tue 5 May 2026, 12:37 (UTC), in 12 hours" {
			t.Errorf("said %q", got)
		}
	}, "UTC")
}

// A time in the spring gap comes once, just after it; one that the autumn repeats
// comes once; every real hour comes once.
func TestClocksAreSet(t *testing.T) {
	for _, c := range []struct {
		name, zone, expression, begin, end string
		want                               []string
	}{
		{"New York, spring", "America/New_York", "30 2 * * *", "2026-03-08T06:58:00Z", "2026-03-09T12:00:00Z", []string{"09T06:30:00 done", "08T07:00:00 done"}},
		{"New York, autumn", "America/New_York", "30 1 * * *", "2026-11-01T04:00:00Z", "2026-11-02T12:00:00Z", []string{"02T06:30:00 done", "01T05:30:00 done"}},
		{"New York, each hour of autumn", "America/New_York", "30 * * * *", "2026-11-01T05:00:00Z", "2026-11-01T07:59:00Z", []string{"01T07:30:00 done", "01T06:30:00 done", "01T05:30:00 done"}},
		{"New York, each hour of spring", "America/New_York", "0 * * * *", "2026-03-08T05:30:00Z", "2026-03-08T08:30:00Z", []string{"08T08:00:00 done", "08T07:00:00 done", "08T06:00:00 done"}},
		{"Lord Howe, half an hour", "Australia/Lord_Howe", "15 2 * * *", "2026-10-03T14:00:00Z", "2026-10-04T20:00:00Z", []string{"04T15:15:00 done", "03T15:30:00 done"}},
		{"Beirut, no midnight", "Asia/Beirut", "0 0 * * *", "2026-03-28T21:00:00Z", "2026-03-29T21:30:00Z", []string{"29T21:00:00 done", "28T22:00:00 done"}},
		{"Berlin, 00:01 at the end of summer", "Europe/Berlin", "1 0 * * *", "2026-10-23T20:00:00Z", "2026-10-27T00:00:00Z",
			[]string{"26T23:01:00 done", "25T23:01:00 done", "24T22:01:00 done", "23T22:01:00 done"}},
		{"a leap day", "UTC", "0 9 29 2 *", "2028-02-27T00:00:00Z", "2028-03-01T00:00:00Z", []string{"29T09:00:00 done"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, c.begin, func(w *world) {
				w.clock.SetTick(time.Minute)
				w.start()
				job := w.remind(0, cron(c.expression, ""), "tea")
				w.until(c.end)
				w.ran(job, c.want...)
				if n := len(w.texts(0)); n != len(c.want) {
					t.Errorf("said %d times", n)
				}
			}, c.zone)
		})
	}
}

// Restarts neither reset an interval nor make a tick of their own.
func TestRestartsAndIntervals(t *testing.T) {
	inWorld(t, "2026-05-01T09:00:00Z", func(w *world) {
		w.start()
		if _, err := w.board.EnsureHeartbeat(ctx, w.owners[0], w.sessions[0], w.from(2*time.Hour)); err != nil {
			t.Fatal(err)
		}
		var beats []string
		w.work = func(context.Context, nacre.Job, nacre.Run) (jobs.Outcome, error) {
			beats = append(beats, w.now().Format("15:04:05"))
			return jobs.Outcome{}, nil
		}
		for _, at := range []string{"2026-05-01T11:38:00Z", "2026-05-01T11:49:00Z", "2026-05-01T11:52:00Z"} {
			w.until(at)
			w.restart(0)
			if _, err := w.board.EnsureHeartbeat(ctx, w.owners[0], w.sessions[0], w.from(2*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		w.until("2026-05-01T18:00:00Z")
		if got, want := beats, []string{"11:00:00", "13:00:00", "15:00:00", "17:00:00"}; !equal(got, want) {
			t.Errorf("beats at %v, want %v", got, want)
		}
	}, "UTC")
}

func equal[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// A heartbeat that takes longer than its interval is alone, and ticks merge.
func TestHeartbeatsDoNotPile(t *testing.T) {
	inWorld(t, "2026-05-01T09:00:00Z", func(w *world) {
		w.start()
		job, err := w.board.EnsureHeartbeat(ctx, w.owners[0], w.sessions[0], w.from(5*time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		begun, atOnce, most := 0, 0, 0
		w.work = func(ctx context.Context, _ nacre.Job, _ nacre.Run) (jobs.Outcome, error) {
			begun++
			atOnce++
			most = max(most, atOnce)
			defer func() { atOnce-- }()
			return takes(ctx, 12*time.Minute, jobs.Outcome{})
		}
		w.pass(51 * time.Minute) // ten ticks
		if begun != 4 || most != 1 {
			t.Errorf("%d heartbeats began, %d at once", begun, most)
		}
		w.pass(7 * time.Minute)
		w.stop()
		if runs := w.runs(job); len(runs) > 1 {
			t.Errorf("the merged ticks left %v", runs)
		}
	}, "UTC")
}

// Jobs outlive a database that cannot be read whole: it is refused, and never
// written over.
func TestDamagedDatabase(t *testing.T) {
	inWorld(t, "2026-05-01T09:00:00Z", func(w *world) {
		for i := range 9 {
			w.remind(0, w.onceIn(time.Duration(i+1)*time.Hour), "tea")
		}
		w.close()
		path := filepath.Join(w.dir, "nacre.db")
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		half := whole[:len(whole)/2]
		if err := os.WriteFile(path, half, 0o600); err != nil {
			t.Fatal(err)
		}
		if l, err := ledger.Open(ctx, ledger.Options{Dir: w.dir, Keys: filepath.Join(w.dir, "keys.nacre")}); err == nil {
			l.Close()
			t.Fatal("a damaged database was opened")
		}
		if left, _ := os.ReadFile(path); string(left) != string(half) {
			t.Error("the damaged database was written to")
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		w.open()
		if all, err := w.board.Jobs(ctx, w.owners[0]); err != nil || len(all) != 9 {
			t.Errorf("%d jobs after it was put back: %v", len(all), err)
		}
	}, "UTC")
}
