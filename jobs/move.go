package jobs

import (
	"context"
	"fmt"
	"time"

	"nacre"
	"nacre/jobs/timetable"
)

// Move lets the jobs of an owner follow them from a zone into the one where they
// live now, which Zone tells already. It is called once the owner has moved. What
// names a zone of its own stays, and so does what is due already and what happens
// once: that is a moment, wherever they are. It reports whether any job is due at
// another time than before.
//
// If it fails, or never ends, the next start of the Clock works the slots out.
func (b *Board) Move(ctx context.Context, owner nacre.OwnerID, from *time.Location) (moved bool, err error) {
	list, err := b.opts.Store.JobsLeft(ctx, owner)
	if err != nil {
		return false, fmt.Errorf("list jobs: %w", err)
	}
	for _, job := range list {
		one, err := b.move(ctx, job, from)
		if err != nil {
			return moved, fmt.Errorf("move a job: %w", err)
		}
		moved = moved || one
	}
	if moved {
		b.opts.Changed()
	}
	return moved, nil
}

// move is Move for one job, which may be changed or deleted meanwhile.
func (b *Board) move(ctx context.Context, was nacre.Job, from *time.Location) (moved bool, err error) {
	for range maxTries {
		home := b.opts.Zone(was.Owner)
		job := was
		job.Schedule = timetable.Moved(was.Schedule, from, home)
		job, moved = replanned(job, home, b.opts.Now())
		if !moved && job.Schedule.At.Equal(was.Schedule.At) {
			return false, nil
		}
		if err = b.opts.Store.ChangeJob(ctx, was, job); nacre.KindOf(err) != nacre.Conflict {
			return moved, err
		}
		was, err = b.opts.Store.Job(ctx, was.Owner, was.ID)
		if nacre.KindOf(err) == nacre.NotFound {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, err
}
