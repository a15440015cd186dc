package jobs_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

// damage changes a row of a database that is not open.
func (w *world) damage(query string, args ...any) {
	w.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(w.dir, "nacre.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	done, err := db.Exec(query, args...)
	if err := errors.Join(err, db.Close()); err != nil {
		w.t.Fatal(err)
	}
	if n, err := done.RowsAffected(); n != 1 {
		w.t.Fatalf("%d rows were damaged, %v", n, err)
	}
}

// A job that is damaged is put aside and reported, or goes on; it is never lost,
// and keeps no other back.
func TestDamagedJob(t *testing.T) {
	const words, times, place = "its words can no longer be read", "its times can no longer be read", "the conversation in which it was made is gone"
	for damage, says := range map[string]string{
		`schedule = '{"kind":"cron","cron":"0 9 * *"}'`:                                times,
		`schedule = '{"kind":"weekly"}'`:                                               times,
		`schedule = '{"kind":"every","every":0,"at":"2026-05-01T00:00:00Z"}'`:          times,
		`schedule = '{"kind":"every","every":1,"at":"2026-05-01T00:00:00Z"}'`:          times,
		`schedule = '{"kind":"every","every":1000000000,"at":"2026-05-01T00:00:00Z"}'`: times,
		`schedule = '{"kind":"once"}'`:                                                 times,
		`schedule = '{"kind":"cron","cron":"0 9 30 2 *"}'`:                             times,
		`schedule = '{"kind":"cron","cron":"* * * * *"}'`:                              times,
		`schedule = 'null'`:                         times,
		`schedule = ''`:                             times,
		`session = 'nowhere'`:                       place,
		`owner = 'nobody', number = 1`:              place,
		`record = -5`:                               words,
		`sealed = x'00'`:                            words,
		`next_ms = -9000000000000000`:               "",
		`next_ms = 9000000000000000`:                "",
		`last_ms = 9000000000000000000`:             "",
		`may_plan = 7, strange = -2, grace_ms = -1`: "",
	} {
		t.Run(damage, func(t *testing.T) {
			inWorld(t, "2026-05-01T00:00:00Z", func(w *world) {
				bad, good := w.remind(0, cron("0 9 * * *", ""), "tea"), w.remind(0, cron("30 9 * * *", ""), "coffee")
				w.close()
				w.damage("UPDATE jobs SET "+damage+" WHERE id = ?", bad.ID)
				w.tick = time.Minute
				w.open()
				w.start()
				w.until("2026-05-01T09:30:00Z")
				if damage[:5] == "owner" {
					bad.Owner = "nobody"
				}
				got := w.job(bad)
				if says == "" {
					w.hears(0, "⏰ tea", "⏰ coffee")
				} else {
					w.hears(0, "⏰ coffee")
					if want := "I have put job 1 aside, because " + says + ". You find it in the list of jobs."; got.State != nacre.Parked || !equal(w.told, []string{want}) {
						t.Errorf("it is %s, told %q", got.State, w.told)
					}
				}
				w.ran(good, "01T09:30:00 done")
			}, "UTC")
		})
	}
}

// strict is a ledger that refuses to say something, or hides what is due.
type strict struct {
	jobs.Store
	refuses nacre.JobID

	mu    sync.Mutex // guards everything below
	hides bool
	asked int
}

func (s *strict) Due(ctx context.Context, now time.Time, most int) ([]nacre.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked++; s.hides {
		return nil, nil
	}
	return s.Store.Due(ctx, now, most)
}

func (s *strict) Claim(ctx context.Context, claims []nacre.JobClaim) ([]bool, error) {
	i := slices.IndexFunc(claims, func(c nacre.JobClaim) bool { return c.Job.ID == s.refuses && c.Say != nil })
	if i < 0 {
		return s.Store.Claim(ctx, claims)
	}
	if len(claims) == 1 {
		return []bool{false}, errSecret
	}
	taken, err := s.Store.Claim(ctx, slices.Concat(claims[:i], claims[i+1:]))
	return slices.Insert(taken, i, false), err
}

// What the ledger refuses again and again is put aside, and keeps no other back.
func TestRefusedJob(t *testing.T) {
	inWorld(t, "2026-05-01T00:00:00Z", func(w *world) {
		s := &strict{}
		w.wrap = func(store jobs.Store) jobs.Store { s.Store = store; return s }
		w.close()
		w.open()
		bad := w.remind(0, cron("0 9 * * *", ""), "tea")
		w.remind(0, cron("0 9 * * *", ""), "coffee")
		s.refuses = bad.ID
		w.start()
		w.until("2026-05-01T09:00:00Z")
		w.hears(0, "⏰ coffee")
		w.pass(time.Minute)
		if got := w.job(bad).State; got != nacre.Parked || len(w.told) != 1 {
			t.Errorf("it is %s, told %q", got, w.told)
		}
		w.pass(time.Hour)
		if got := w.job(bad).State; got != nacre.Parked || len(w.told) != 1 {
			t.Errorf("an hour later it is %s, told %q", got, w.told)
		}
		w.ran(bad)
		w.change(bad, nacre.JobChange{State: nacre.Active})
		w.ran(bad, "01T09:00:00 missed parked")
	}, "UTC")
}

// A ledger that says that a job is due and does not give it is not asked without
// a rest.
func TestNothingIsDue(t *testing.T) {
	inWorld(t, "2026-05-01T08:59:00Z", func(w *world) {
		s := &strict{hides: true}
		w.wrap = func(store jobs.Store) jobs.Store { s.Store = store; return s }
		w.close()
		w.open()
		w.remind(0, cron("0 9 * * *", ""), "tea")
		w.start()
		w.pass(2 * time.Minute)
		s.mu.Lock()
		if s.asked < 5 || s.asked > 60 {
			t.Errorf("it was asked %d times in a minute", s.asked)
		}
		s.hides = false
		s.mu.Unlock()
		w.pass(10 * time.Second)
		w.hears(0, "⏰ (due at Fri 1 May 2026, 09:00) tea")
	}, "UTC")
}
