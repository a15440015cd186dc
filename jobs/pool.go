package jobs

import (
	"slices"
	"time"

	"nacre"
)

// maxRunning is how many runs are worked at once; of one owner it is one.
const maxRunning = 4

// pool is the runs that wait or are being worked. It belongs to one goroutine.
type pool struct {
	waiting []nacre.Run // in the order in which they came
	known   map[nacre.JobID][]time.Time
	busy    map[nacre.OwnerID]bool // owners of whom a run is being worked
}

func newPool() pool {
	return pool{known: map[nacre.JobID][]time.Time{}, busy: map[nacre.OwnerID]bool{}}
}

// add lets a run wait, if it is not known.
func (p *pool) add(r nacre.Run) {
	if !slices.ContainsFunc(p.known[r.Job], r.Slot.Equal) {
		p.known[r.Job] = append(p.known[r.Job], r.Slot)
		p.waiting = append(p.waiting, r)
	}
}

// take takes the next run that may be worked now. over must follow.
func (p *pool) take(now time.Time) (nacre.Run, bool) {
	if len(p.busy) == maxRunning {
		return nacre.Run{}, false
	}
	for i, r := range p.waiting {
		if ready(r, now) && !p.busy[r.Owner] {
			p.waiting = slices.Delete(p.waiting, i, i+1)
			p.busy[r.Owner] = true
			return r, true
		}
	}
	return nacre.Run{}, false
}

// ready reports whether a run need not wait any longer.
func ready(r nacre.Run, now time.Time) bool {
	wait := r.NotUntil.Sub(now)
	return wait <= 0 || wait > longestWait
}

// over says that a run is not worked any more: it ended, or waits again.
func (p *pool) over(r nacre.Run, again *nacre.Run) {
	delete(p.busy, r.Owner)
	if again != nil {
		p.waiting = append(p.waiting, *again)
		return
	}
	left := slices.DeleteFunc(p.known[r.Job], r.Slot.Equal)
	if p.known[r.Job] = left; len(left) == 0 {
		delete(p.known, r.Job)
	}
}

// open reports whether a run of a job has not ended, but for those that are too
// late to begin.
func (p *pool) open(job nacre.Job, now time.Time) bool {
	n := len(p.known[job.ID])
	for _, r := range p.waiting {
		if r.Job == job.ID && overdue(job, r, now) {
			n--
		}
	}
	return n > 0
}

// earliest is when the first of the runs may begin that wait for a time; zero if
// none does.
func (p *pool) earliest() (t time.Time) {
	for _, r := range p.waiting {
		if !p.busy[r.Owner] && len(p.busy) < maxRunning && (t.IsZero() || r.NotUntil.Before(t)) {
			t = r.NotUntil
		}
	}
	return t
}
