package jobs_test

import (
	"context"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

// beat makes the heartbeat of an owner as a start does.
func (w *world) beat(owner int, s nacre.Schedule) nacre.Job {
	w.t.Helper()
	job, err := w.board.EnsureHeartbeat(ctx, w.owners[owner], w.sessions[owner], s)
	if err != nil {
		w.t.Fatal(err)
	}
	w.settle()
	return job
}

// Heartbeats that are made together come apart, each within its interval, and at
// the same times whenever they are made.
func TestHeartbeatsAreSpread(t *testing.T) {
	inWorld(t, "2026-05-01T08:00:00Z", func(w *world) {
		seen := map[time.Time]bool{}
		for owner := range w.owners {
			next := w.beat(owner, every(30*time.Minute)).Next
			if d := next.Sub(w.now()); d <= 0 || d > 30*time.Minute {
				t.Errorf("the first comes in %v", d)
			}
			seen[next] = true
		}
		if len(seen) < 3 {
			t.Errorf("six heartbeats come at %d moments", len(seen))
		}
	}, "UTC", "UTC", "UTC", "UTC", "UTC", "UTC")
}

// A heartbeat follows the usual interval until somebody chooses another one.
func TestHeartbeatFollowsWhatIsUsual(t *testing.T) {
	inWorld(t, "2026-05-01T08:00:00Z", func(w *world) {
		job := w.beat(0, every(30*time.Minute))
		w.change(job, nacre.JobChange{State: nacre.Paused})
		w.change(job, nacre.JobChange{State: nacre.Active})
		w.pass(7 * time.Minute)
		if same := w.beat(0, every(30*time.Minute)); !same.Schedule.At.Equal(job.Schedule.At) {
			t.Errorf("it counts from %s, before from %s", same.Schedule.At, job.Schedule.At)
		}
		got := w.beat(0, every(time.Hour))
		if d := got.Next.Sub(w.now()); got.ID != job.ID || got.Schedule.Every != time.Hour || d <= 0 || d > time.Hour || w.job(job).Schedule.Every != time.Hour {
			t.Errorf("it became %+v", got)
		}
		chosen := every(2 * time.Hour)
		w.change(job, nacre.JobChange{Schedule: &chosen})
		if got := w.beat(0, every(30*time.Minute)); got.Schedule.Every != 2*time.Hour {
			t.Errorf("what was chosen became %+v", got.Schedule)
		}
	}, "UTC")
}

// A heartbeat speaks where its owner is, so it does not depend on the chat in which
// it was made; a reminder does.
func TestHeartbeatOfAChatThatIsGone(t *testing.T) {
	inWorld(t, "2026-05-01T08:00:00Z", func(w *world) {
		w.wrap = func(s jobs.Store) jobs.Store {
			return &spoiled{s, func(*nacre.Job) {}, func(nacre.Chat) bool { return true }}
		}
		w.close()
		w.open()
		begun := w.begins(func(context.Context, nacre.Job) (jobs.Outcome, error) { return jobs.Outcome{}, nil })
		beat, tea := w.beat(0, w.from(30*time.Minute)), w.remind(0, w.onceIn(30*time.Minute), "tea")
		w.start()
		w.pass(31 * time.Minute)
		if got := w.job(beat).State; got != nacre.Active || len(*begun) != 1 {
			t.Errorf("the heartbeat is %s and began %d times", got, len(*begun))
		}
		if got := w.job(tea).State; got != nacre.Parked {
			t.Errorf("the reminder is %s", got)
		}
	}, "UTC")
}
