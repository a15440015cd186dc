package jobs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
	"nacre/jobs/timetable"
)

// witness is a Store that remembers which claims were taken.
type witness struct {
	jobs.Store
	seen *sightings
}

type sightings struct {
	mu     sync.Mutex
	claims map[nacre.JobID][]nacre.JobClaim
	said   map[nacre.ExternalID]int
	missed map[string]bool // slots that are so on record, by job
}

func slotKey(job nacre.JobID, slot time.Time) string { return fmt.Sprint(job, slot.UnixMilli()) }

// see remembers a claim that was taken.
func (s *sightings) see(c nacre.JobClaim) {
	s.claims[c.Job.ID] = append(s.claims[c.Job.ID], c)
	if c.Say != nil && c.Say.Message.Seq > 0 {
		s.said[c.Say.Message.External]++
	}
	for _, r := range c.Runs {
		if r.State == nacre.Missed {
			s.missed[slotKey(r.Job, r.Slot)] = true
		}
	}
}

func (s *witness) Claim(ctx context.Context, claims []nacre.JobClaim) ([]bool, error) {
	taken, err := s.Store.Claim(ctx, claims)
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	for i, ok := range taken {
		if ok && len(claims[i].Runs) > 0 { // others mend jobs
			s.seen.see(claims[i])
		}
	}
	return taken, err
}

// zones are those with the oddest clocks.
var zones = []string{"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Beirut", "America/Santiago", "Africa/Casablanca"}

// TestYear lets a year pass in two of the zones, in which the process ends and
// starts, the machine sleeps, and the clock is set, at random. Each slot comes once:
// it is said, made up for, or missed on record.
func TestYear(t *testing.T) {
	for _, steps := range []bool{false, true} {
		t.Run(fmt.Sprintf("clock is set %v", steps), func(t *testing.T) {
			inWorld(t, "2026-01-01T00:00:00Z", func(w *world) {
				kept := newSlate()
				w.keep = true
				w.live(rand.New(rand.NewPCG(1, 7)), 365, steps, func(jobs.Store) jobs.Store { return kept })
			}, zones[2:4]...)
		})
	}
}

// TestWeeks does the same to the ledger itself in three zones whose clocks are set
// then.
func TestWeeks(t *testing.T) {
	for _, steps := range []bool{false, true} {
		t.Run(fmt.Sprintf("clock is set %v", steps), func(t *testing.T) {
			inWorld(t, "2026-03-24T00:00:00Z", func(w *world) {
				w.live(rand.New(rand.NewPCG(5, 7)), 14, steps, func(s jobs.Store) jobs.Store { return s })
			}, zones[1:4]...)
		})
	}
}

// live lets days pass over jobs of all kinds of schedules, in a Store.
func (w *world) live(random *rand.Rand, days int, steps bool, store func(jobs.Store) jobs.Store) {
	seen := &sightings{claims: map[nacre.JobID][]nacre.JobClaim{}, said: map[nacre.ExternalID]int{}, missed: map[string]bool{}}
	w.wrap = func(s jobs.Store) jobs.Store { return &witness{store(s), seen} }
	w.tick = 10 * time.Minute // it takes that long to notice that the machine slept
	w.close()
	w.open()
	var all []nacre.Job
	for owner := range w.owners {
		for _, expression := range []string{"30 2 * * *", "0 0 * * 1-5", "15 */6 * * *", "0 9 29 2 *", "59 23 31 * *"} {
			all = append(all, w.remind(owner, cron(expression, ""), "tea"))
		}
		all = append(all, w.remind(owner, every(7*time.Hour+13*time.Second), "tea"))
	}
	for owner := range min(3, len(w.owners)) {
		all = append(all, w.remind(owner, cron("5 * * * *", ""), "tea"))
	}
	w.start()
	begin := w.now()
	for end := begin.AddDate(0, 0, days); w.now().Before(end); {
		w.somethingHappens(random, steps)
	}
	w.pass(time.Hour)
	w.stop()
	for _, job := range all {
		w.comesOnce(job, seen, begin, steps)
	}
}

// somethingHappens lets the process, the machine or the clock do what they do now
// and then.
func (w *world) somethingHappens(random *rand.Rand, steps bool) {
	upTo := func(d time.Duration) time.Duration { return time.Duration(random.Int64N(int64(d))) }
	w.pass(upTo(72 * time.Hour))
	switch n := random.IntN(10); {
	case n < 2:
		w.restart(upTo(2 * time.Minute))
	case n < 4:
		w.restart(upTo(36 * time.Hour))
	case n < 5:
		w.jump(upTo(20 * time.Second))
	case n < 7:
		w.jump(upTo(36 * time.Hour))
	case n == 7 && steps:
		w.jump(-upTo(3 * time.Hour))
	case n == 8 && steps: // the clock is wrong for a while
		wrong := upTo(20 * 24 * time.Hour)
		w.jump(wrong)
		w.pass(upTo(4 * time.Hour))
		w.jump(-wrong)
	case n == 9 && steps: // and is put right while the process is down
		wrong := upTo(20 * 24 * time.Hour)
		w.jump(wrong)
		w.pass(upTo(4 * time.Hour))
		w.close()
		w.jump(-wrong)
		w.open()
		w.start()
	}
}

// comesOnce fails unless each slot of a job is in a claim, and each claim accounts
// for its slots. Where the clock is set a slot may come up again, and is said again.
func (w *world) comesOnce(job nacre.Job, seen *sightings, begin time.Time, steps bool) {
	w.t.Helper()
	home := w.zone(job.Owner)
	times := map[int64]int{}
	for _, c := range seen.claims[job.ID] {
		n := 0
		for s := c.Was.Next; !s.IsZero() && !s.After(c.Job.Last); s = timetable.Next(job.Schedule, home, s) {
			times[s.UnixMilli()]++
			n++
		}
		if got := accounted(w.t, c); got != n {
			w.t.Errorf("%s in %s: a claim accounts for %d of %d slots up to %s", job.Schedule.Cron, home, got, n, c.Job.Last)
		}
		said := seen.said[c.Say.Message.External]
		if said > 1 && !steps || said == 0 && !seen.missed[slotKey(job.ID, c.Job.Last)] {
			w.t.Errorf("%s in %s: %s was said %d times", job.Schedule.Cron, home, c.Job.Last, said)
		}
	}
	slots := 0
	for s := timetable.Next(job.Schedule, home, begin); !s.IsZero() && !s.After(w.furthest); s = timetable.Next(job.Schedule, home, s) {
		slots++
		if n := times[s.UnixMilli()]; n == 0 || n > 1 && !steps {
			w.t.Errorf("%s in %s: %s came %d times", job.Schedule.Cron, home, s, n)
		}
	}
	if len(times) != slots {
		w.t.Errorf("%s in %s: %d slots came of %d", job.Schedule.Cron, home, len(times), slots)
	}
}

// accounted is for how many slots the runs of a claim stand.
func accounted(t testing.TB, c nacre.JobClaim) (n int) {
	t.Helper()
	for _, r := range c.Runs {
		_, count, many := strings.Cut(r.Reason, " x")
		if !many {
			n++
			continue
		}
		k, err := strconv.Atoi(count)
		if err != nil {
			t.Fatal(err)
		}
		n += k
	}
	return n
}
