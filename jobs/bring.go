package jobs

import (
	"context"
	"fmt"
	"time"

	"nacre"
)

// Bring makes a job that was made elsewhere. It rests until its owner lets it go on,
// so that nobody is told anything, and nothing is done, that they have not looked at
// here. If there is the same one already, in whatever state, that is known. With dry
// it only tells what it would make.
func (b *Board) Bring(ctx context.Context, d nacre.JobDraft, dry bool) (job nacre.Job, known bool, err error) {
	if d.Kind == nacre.Heartbeat {
		return nacre.Job{}, false, errOneHeartbeat
	}
	b.adding.Lock()
	defer b.adding.Unlock()
	have, err := b.opts.Store.Jobs(ctx, d.By.Owner)
	if err != nil {
		return nacre.Job{}, false, fmt.Errorf("list jobs: %w", err)
	}
	now, left := b.opts.Now(), 0
	for _, h := range have {
		if broughtBefore(d, h, now) {
			return h, true, nil
		}
		if h.State != nacre.Finished && h.Kind != nacre.Heartbeat {
			left++
		}
	}
	if job, err = newJob(d, b.opts.Zone(d.By.Owner), now); err != nil {
		return nacre.Job{}, false, err
	}
	if left >= maxJobs {
		return nacre.Job{}, false, errTooMany
	}
	if job.State = nacre.Paused; !dry {
		job, err = b.put(ctx, job)
	}
	return job, false, err
}

// broughtBefore reports whether a job does the same as a draft, at the same times.
func broughtBefore(d nacre.JobDraft, h nacre.Job, now time.Time) bool {
	s := tidy(d.Schedule, now)
	if d.Schedule.At.IsZero() && s.Kind == nacre.Every {
		s.At = h.Schedule.At // as twinOf
	}
	return h.Kind == d.Kind && h.Text == legible(d.Text) && same(h.Schedule, s)
}
