package jobs

import (
	"context"
	"fmt"

	"nacre"
)

// heartbeatText stands where other jobs have their words.
const heartbeatText = "Look after what is written in HEARTBEAT.md."

// EnsureHeartbeat makes the heartbeat of an owner, if there is none; one that is
// there stays as its owner left it. To be called when the program starts, and
// when an owner is admitted.
func (b *Board) EnsureHeartbeat(ctx context.Context, owner nacre.OwnerID, session nacre.SessionInfo, s nacre.Schedule) (nacre.Job, error) {
	b.adding.Lock()
	defer b.adding.Unlock()
	have, err := b.opts.Store.Jobs(ctx, owner)
	if err != nil {
		return nacre.Job{}, fmt.Errorf("list jobs: %w", err)
	}
	for _, h := range have {
		if h.Kind == nacre.Heartbeat {
			return h, nil
		}
	}
	job, err := newJob(nacre.JobDraft{Session: session, Kind: nacre.Heartbeat, Schedule: s, Text: heartbeatText, By: nacre.JobAuthor{Owner: owner}},
		b.opts.Zone(owner), b.opts.Now())
	if err != nil {
		return nacre.Job{}, err
	}
	return b.put(ctx, job)
}
