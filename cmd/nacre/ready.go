package main

import (
	"context"
	"sync"

	"nacre"
	"nacre/jobs"
)

// wellness is what is known of what runs by itself: the clock, and for whom the newest of
// each round failed.
type wellness struct {
	mu     sync.Mutex
	clock  bool                                   // guarded by mu; it runs
	failed map[nacre.JobID]map[nacre.OwnerID]bool // guarded by mu; of each round that ran since the start
}

func (w *wellness) setClock(runs bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock = runs
}

// watch are rounds of which it is noted how they went, also where they found nothing to do.
func (w *wellness) watch(list []jobs.Round) []jobs.Round {
	for i, r := range list {
		list[i].Do = func(ctx context.Context, owner nacre.OwnerID) (jobs.Outcome, error) {
			out, err := r.Do(ctx, owner)
			if err == nil || ctx.Err() == nil { // else Nacre ends
				w.ran(r.Name, owner, err)
			}
			return out, err
		}
	}
	return list
}

// ran notes how a round of an owner went.
func (w *wellness) ran(name nacre.JobID, owner nacre.OwnerID, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil {
		w.failed = map[nacre.JobID]map[nacre.OwnerID]bool{}
	}
	if w.failed[name] == nil {
		w.failed[name] = map[nacre.OwnerID]bool{}
	}
	delete(w.failed[name], owner)
	if err != nil {
		w.failed[name][owner] = true
	}
}

// Ready tells whether the clock runs, and which of the rounds that ran went well for
// everybody; see web.Readiness.
func (a *app) Ready(context.Context) (clock bool, rounds map[nacre.JobID]bool) {
	a.well.mu.Lock()
	defer a.well.mu.Unlock()
	rounds = map[nacre.JobID]bool{}
	for name, failed := range a.well.failed {
		rounds[name] = len(failed) == 0
	}
	return a.well.clock, rounds
}
