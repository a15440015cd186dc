package jobs_test

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"nacre"
	"nacre/jobs"
)

// slate is a Store of reminders in memory, for more years than a disk would like.
type slate struct {
	jobs.Store // nil: what reminders do not need

	mu   sync.Mutex // guards everything below
	jobs map[nacre.JobID]nacre.Job
	runs map[string]time.Time // the slots that were taken
	seq  int64
}

func newSlate() *slate {
	return &slate{jobs: map[nacre.JobID]nacre.Job{}, runs: map[string]time.Time{}}
}

func (s *slate) PutJob(_ context.Context, job nacre.Job) (nacre.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	job.Number = len(s.jobs) + 1
	s.jobs[job.ID] = job
	return job, nil
}

func (s *slate) ChangeJob(_ context.Context, was, job nacre.Job, _ ...nacre.Run) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.jobs[was.ID] != was {
		return nacre.Errorf(nacre.Conflict, "the job was changed")
	}
	s.jobs[job.ID] = job
	return nil
}

func (s *slate) JobsLeft(_ context.Context, owner nacre.OwnerID) ([]nacre.Job, error) {
	return s.list(func(j nacre.Job) bool { return j.State != nacre.Finished && j.Owner == owner }), nil
}

func (s *slate) Active(context.Context) ([]nacre.Job, error) {
	return s.list(func(j nacre.Job) bool { return j.State == nacre.Active }), nil
}

func (s *slate) Parked(context.Context) ([]nacre.Job, error) {
	return s.list(func(j nacre.Job) bool { return j.State == nacre.Parked }), nil
}

func (s *slate) Rewind(_ context.Context, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.runs, func(_ string, slot time.Time) bool { return slot.After(now) })
	return nil
}

func (s *slate) list(which func(nacre.Job) bool) (list []nacre.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.jobs {
		if which(j) {
			list = append(list, j)
		}
	}
	return list
}

func (s *slate) Due(_ context.Context, now time.Time, _ int) ([]nacre.Job, error) {
	return s.list(func(j nacre.Job) bool { return j.State == nacre.Active && !j.Next.After(now) }), nil
}

func (s *slate) NextDue(context.Context) (next time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.jobs {
		if j.State == nacre.Active && (next.IsZero() || j.Next.Before(next)) {
			next = j.Next
		}
	}
	return next, nil
}

func (s *slate) Claim(_ context.Context, claims []nacre.JobClaim) ([]bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := make([]bool, len(claims))
	for i, c := range claims {
		if s.jobs[c.Was.ID] != c.Was {
			continue
		}
		taken[i] = true
		s.jobs[c.Job.ID] = c.Job
		if s.take(c.Runs) {
			s.seq++
			c.Say.Message.Seq = s.seq
		}
	}
	return taken, nil
}

// take stores runs, and reports whether the first of them is new.
func (s *slate) take(runs []nacre.Run) (fresh bool) {
	for i, r := range runs {
		key := fmt.Sprint(r.Job, r.Slot.UnixMilli())
		_, known := s.runs[key]
		fresh = fresh || i == 0 && !known
		s.runs[key] = r.Slot
	}
	return fresh
}

func (s *slate) Open(context.Context) ([]nacre.Run, error) { return nil, nil }

func (s *slate) Gone(context.Context, nacre.Chat) (bool, error) { return false, nil }
