package jobs_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

// An orderly end gives a run back without counting the attempt, and the next
// start works it.
func TestEndInARun(t *testing.T) {
	inWorld(t, "2026-11-01T08:00:00Z", func(w *world) {
		w.start()
		begun := w.begins(func(ctx context.Context, _ nacre.Job) (jobs.Outcome, error) {
			return takes(ctx, 10*time.Minute, jobs.Outcome{Text: "done"})
		})
		job := w.do(0, w.onceIn(time.Minute), "long")
		w.pass(2 * time.Minute)
		for range 3 {
			w.restart(time.Minute)
			w.pass(time.Minute)
		}
		w.pass(10 * time.Minute)
		w.hears(0, "done")
		w.ran(job, "01T08:01:00 done")
		runs, err := w.board.Runs(ctx, w.owners[0], job.ID, 1)
		if err != nil || runs[0].Attempts != 1 || len(*begun) != 4 {
			t.Errorf("%d attempts counted of %d, %v", runs[0].Attempts, len(*begun), err)
		}
	}, "UTC")
}

// A heartbeat that waits too long for its turn is left to the next one.
func TestHeartbeatBehindTasks(t *testing.T) {
	inWorld(t, "2026-11-01T08:00:00Z", func(w *world) {
		w.start()
		var mu sync.Mutex
		var beats []string // guarded by mu: two runs may begin at once
		w.work = func(ctx context.Context, job nacre.Job, _ nacre.Run) (jobs.Outcome, error) {
			if job.Kind == nacre.Heartbeat {
				mu.Lock()
				defer mu.Unlock()
				beats = append(beats, w.now().Format("15:04:05"))
				return jobs.Outcome{}, nil
			}
			return takes(ctx, 14*time.Minute, jobs.Outcome{})
		}
		for i := range 3 {
			w.do(0, w.onceIn(time.Duration(59*60+i)*time.Second), fmt.Sprint("long ", i))
		}
		for i := range 2 {
			w.do(1, w.onceIn(time.Duration(59*60+i)*time.Second), fmt.Sprint("long ", i))
		}
		job, err := w.board.EnsureHeartbeat(ctx, w.owners[0], w.sessions[0], w.from(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.board.EnsureHeartbeat(ctx, w.owners[1], w.sessions[1], w.from(time.Hour)); err != nil {
			t.Fatal(err)
		}
		w.pass(2*time.Hour + time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if want := []string{"09:27:00", "10:00:00", "10:00:00"}; !equal(beats, want) {
			t.Errorf("beats at %v, want %v", beats, want)
		}
		w.ran(job, "01T09:00:00 missed late")
	}, "UTC", "UTC")
}

// A run that does not notice the end holds it up for seconds only.
func TestEndDoesNotWaitForEver(t *testing.T) {
	inWorld(t, "2026-11-01T08:00:00Z", func(w *world) {
		w.start()
		release := make(chan struct{})
		w.begins(func(context.Context, nacre.Job) (jobs.Outcome, error) {
			<-release
			return jobs.Outcome{Text: "too late"}, nil
		})
		w.do(0, w.onceIn(time.Minute), "hang")
		w.pass(2 * time.Minute)
		begin := time.Now()
		w.stop()
		if took := time.Since(begin); took != 10*time.Second {
			t.Errorf("the end took %v", took)
		}
		close(release)
	}, "UTC")
}

// What a process died in is tried once more, and then reported. A heartbeat is
// neither.
func TestInterrupted(t *testing.T) {
	for _, c := range []struct {
		name   string
		deaths int
		said   []string
		run    string
	}{
		{"once", 1, []string{"done"}, "01T08:01:00 done"},
		{"twice", 2, []string{"It was interrupted twice: long\nI do not try it again by myself; you can run it from the list of jobs."}, "01T08:01:00 broken interrupted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, "2026-11-01T08:00:00Z", func(w *world) {
				hangs := true
				begun := w.begins(func(ctx context.Context, _ nacre.Job) (jobs.Outcome, error) {
					if hangs {
						<-ctx.Done()
						return jobs.Outcome{}, ctx.Err()
					}
					return jobs.Outcome{Text: "done"}, nil
				})
				var m *mortal
				w.wrap = func(s jobs.Store) jobs.Store { m = newMortal(s, 1_000, false); return m }
				w.close()
				w.open()
				w.start()
				job := w.do(0, w.onceIn(time.Minute), "long")
				beat, err := w.board.EnsureHeartbeat(ctx, w.owners[1], w.sessions[1], nacre.Schedule{Kind: nacre.Every, Every: time.Hour, At: w.now().Add(time.Minute)})
				if err != nil {
					t.Fatal(err)
				}
				w.pass(time.Minute)
				for i := range c.deaths {
					hangs = i+1 < c.deaths
					m.left.Store(0)
					w.restart(time.Minute)
				}
				w.hears(0, c.said...)
				w.ran(job, c.run)
				w.hears(1)
				w.ran(beat, "01T08:01:00 broken interrupted")
				w.change(beat, nacre.JobChange{State: nacre.Paused})
				w.restart(time.Minute)
				w.pass(time.Hour)
				w.hears(0, c.said...)
				if want := 2 + min(c.deaths, 1); len(*begun) != want {
					t.Errorf("%d attempts of both jobs, want %d", len(*begun), want)
				}
			}, "UTC", "UTC")
		})
	}
}

// A job that is paused or deleted between its slot and its turn does not run, and
// what a deleted one has to say is not said.
func TestChangedBeforeItsTurn(t *testing.T) {
	inWorld(t, "2026-11-01T08:00:00Z", func(w *world) {
		w.start()
		begun := w.begins(func(ctx context.Context, _ nacre.Job) (jobs.Outcome, error) {
			return takes(ctx, 10*time.Minute, jobs.Outcome{Text: "done"})
		})
		first := w.do(0, w.onceIn(time.Minute), "first")
		paused := w.do(0, nacre.Schedule{Kind: nacre.Every, Every: 24 * time.Hour, At: w.now().Add(61 * time.Second)}, "second")
		dropped := w.do(0, w.onceIn(62*time.Second), "third")
		w.pass(2 * time.Minute)
		w.change(paused, nacre.JobChange{State: nacre.Paused})
		for _, j := range []nacre.Job{first, dropped} {
			if err := w.board.Drop(ctx, w.by(0), j.ID); err != nil {
				t.Fatal(err)
			}
		}
		w.pass(time.Hour)
		w.hears(0)
		if len(*begun) != 1 {
			t.Errorf("%d began", len(*begun))
		}
		w.ran(paused, "01T08:01:01 missed paused")
		w.ran(dropped, "01T08:01:02 missed deleted")
		w.ran(first, "01T08:01:00 done")
	}, "UTC")
}
