package jobs

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"nacre"
)

// heartbeatText stands where other jobs have their words.
const heartbeatText = "Look after what is written in HEARTBEAT.md."

// heartbeatsWithin is over how long heartbeats are spread that are made together.
// Those of a day stay near the hour at which they were made.
const heartbeatsWithin = time.Hour

// EnsureHeartbeat makes the heartbeat of an owner, if there is none. One that is
// there follows the schedule only as long as nobody has changed its times. If s has
// no moment from which to count, owners who are admitted together get others. To be
// called when the program starts, and when an owner is admitted.
func (b *Board) EnsureHeartbeat(ctx context.Context, owner nacre.OwnerID, session nacre.SessionInfo, s nacre.Schedule) (nacre.Job, error) {
	b.adding.Lock()
	defer b.adding.Unlock()
	have, err := b.opts.Store.Jobs(ctx, owner)
	if err != nil {
		return nacre.Job{}, fmt.Errorf("list jobs: %w", err)
	}
	job, err := newJob(nacre.JobDraft{Session: session, Kind: nacre.Heartbeat, Schedule: beats(s, owner, b.opts.Now()), Text: heartbeatText,
		By: nacre.JobAuthor{Owner: owner}}, b.opts.Zone(owner), b.opts.Now())
	if err != nil {
		return nacre.Job{}, err
	}
	for _, h := range have {
		if h.Kind == nacre.Heartbeat {
			return b.follow(ctx, h, job)
		}
	}
	return b.put(ctx, job)
}

// follow gives a heartbeat the times of what is usual now, unless they were chosen.
func (b *Board) follow(ctx context.Context, was, usual nacre.Job) (nacre.Job, error) {
	times := usual.Schedule
	times.At = was.Schedule.At
	if was.Chosen || same(was.Schedule, times) {
		return was, nil
	}
	job := was
	job.Schedule, job.Next = usual.Schedule, usual.Next
	if err := b.opts.Store.ChangeJob(ctx, was, job); err != nil {
		return was, fmt.Errorf("change a heartbeat: %w", err)
	}
	b.opts.Changed()
	return job, nil
}

// beats is the schedule of an owner's heartbeat, with a moment from which to count
// that is the same whenever it is made.
func beats(s nacre.Schedule, owner nacre.OwnerID, now time.Time) nacre.Schedule {
	if within := min(s.Every, heartbeatsWithin); s.Kind == nacre.Every && s.At.IsZero() && within >= time.Second {
		h := fnv.New32a()
		h.Write([]byte(owner))
		s.At = now.Truncate(within).Add(time.Duration(h.Sum32()) % (within / time.Second) * time.Second)
	}
	return s
}
