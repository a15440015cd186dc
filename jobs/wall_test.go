package jobs_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

// A machine that slept has what is due said within a tick of its waking.
func TestMachineSleeps(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		w.start()
		job := w.remind(0, cron("30 * * * *", ""), "tea")
		w.pass(time.Minute)
		w.jump(3 * time.Hour) // to 11:01
		w.hears(0)
		w.pass(5 * time.Second)
		w.hears(0, "⏰ (due at Mon 30 Nov 2026, 10:30; 2 times before that left out) tea")
		w.ran(job, "30T10:30:00 done", "30T09:30:00 missed made up x2")
		w.until("2026-11-30T11:30:00Z")
		if got := w.texts(0); len(got) != 2 || got[1] != "⏰ tea" {
			t.Errorf("said %q", got)
		}
	}, "UTC")
}

// A clock that ran ahead and is set right again lets nothing wait for the future
// that it showed, and nothing is said twice.
func TestClockIsSetBack(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
			back := func() {
				if stopped {
					w.close()
				}
				w.jump(-365 * 24 * time.Hour)
				if stopped {
					w.open()
					w.start()
				}
			}
			w.start()
			job := w.remind(0, cron("30 9 * * *", ""), "tea")
			w.until("2026-11-30T09:30:00Z")
			w.jump(365 * 24 * time.Hour)
			w.pass(time.Minute)
			if got := w.job(job).Next.Year(); got != 2027 {
				t.Fatalf("next in %d", got)
			}
			back()
			w.pass(time.Minute)
			if got, want := w.job(job).Next, at(t, "2026-12-01T09:30:00Z"); !got.Equal(want) {
				t.Errorf("stopped %v: next %s, want %s", stopped, got, want)
			}
			w.until("2026-12-01T09:30:00Z")
			if got := w.texts(0); got[len(got)-1] != "⏰ tea" || len(got) != 3 {
				t.Errorf("stopped %v: said %q", stopped, got)
			}
		}, "UTC")
	}
}

// A run that waits for a time of a clock that was wrong does not wait for it when
// the clock is right.
func TestRetryAfterAWrongClock(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		w.start()
		fails := true
		begun := w.begins(func(context.Context, nacre.Job) (jobs.Outcome, error) {
			if fails {
				return jobs.Outcome{}, errSecret
			}
			return jobs.Outcome{Text: "done"}, nil
		})
		w.jump(30 * 24 * time.Hour)
		w.do(0, w.onceIn(10*time.Minute), "try")
		w.pass(10*time.Minute + time.Second)
		w.hears(0)
		fails = false
		w.jump(-30 * 24 * time.Hour)
		w.pass(time.Minute)
		w.hears(0, "done")
		if len(*begun) != 2 {
			t.Errorf("began at %v", *begun)
		}
	}, "UTC")
}

// An hour that the clock shows again says again what is due in it: what was said
// before was not at its time.
func TestHourIsRepeated(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		w.start()
		job := w.remind(0, cron("*/15 * * * *", ""), "tea")
		w.until("2026-11-30T09:00:00Z")
		if n := len(w.texts(0)); n != 4 {
			t.Fatalf("said %d times", n)
		}
		w.jump(-45 * time.Minute)
		w.until("2026-11-30T08:29:00Z")
		if n := len(w.texts(0)); n != 4 {
			t.Errorf("said %d times before a slot was repeated", n)
		}
		w.until("2026-11-30T09:15:00Z")
		w.ran(job, "30T09:15:00 done", "30T09:00:00 done", "30T08:45:00 done", "30T08:30:00 done", "30T08:15:00 done")
		if n := len(w.texts(0)); n != 8 {
			t.Errorf("said %d times", n)
		}
	}, "UTC")
}

// Jobs without a zone go where their owner lives.
func TestOwnerMoves(t *testing.T) {
	inWorld(t, "2026-11-30T12:00:00Z", func(w *world) {
		w.start()
		moves := w.remind(0, cron("0 9 * * *", ""), "tea")
		stays := w.remind(0, cron("0 9 * * *", "Asia/Tokyo"), "sake")
		w.close()
		w.setZone(w.owners[0], "America/New_York")
		w.open()
		w.start()
		if got, want := w.job(moves).Next, at(t, "2026-11-30T14:00:00Z"); !got.Equal(want) {
			t.Errorf("next %s, want %s", got, want)
		}
		if got, want := w.job(stays).Next, at(t, "2026-12-01T00:00:00Z"); !got.Equal(want) {
			t.Errorf("one with a zone moved to %s, want %s", got, want)
		}
		w.until("2026-11-30T14:00:00Z")
		w.hears(0, "⏰ tea")
	}, "Europe/Vienna")
}

// spoiled is a ledger of which the key of some words is gone, or the rules of some
// zone.
type spoiled struct {
	jobs.Store
	spoil func(*nacre.Job)
	gone  func(nacre.Chat) bool
}

func (s *spoiled) Active(ctx context.Context) ([]nacre.Job, error) {
	all, err := s.Store.Active(ctx)
	for i := range all {
		s.spoil(&all[i])
	}
	return all, err
}

func (s *spoiled) Parked(ctx context.Context) ([]nacre.Job, error) {
	all, err := s.Store.Parked(ctx)
	for i := range all {
		s.spoil(&all[i])
	}
	return all, err
}

func (s *spoiled) Due(ctx context.Context, now time.Time, most int) ([]nacre.Job, error) {
	all, err := s.Store.Due(ctx, now, most)
	for i := range all {
		s.spoil(&all[i])
	}
	return all, err
}

func (s *spoiled) Gone(ctx context.Context, chat nacre.Chat) (bool, error) {
	if s.gone != nil {
		return s.gone(chat), nil
	}
	return s.Store.Gone(ctx, chat)
}

// Claim gives the ledger a job as it knows it, for it to compare.
func (s *spoiled) Claim(ctx context.Context, claims []nacre.JobClaim) ([]bool, error) {
	claims = slices.Clone(claims)
	for i := range claims {
		was, err := s.Store.Job(ctx, claims[i].Was.Owner, claims[i].Was.ID)
		if err != nil {
			return nil, err
		}
		claims[i].Was = was
		claims[i].Job.Text, claims[i].Job.Schedule = was.Text, was.Schedule
	}
	return s.Store.Claim(ctx, claims)
}

// A job that cannot run is put aside, and its owner is told once, not in the chat
// that it is about.
func TestParked(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*nacre.Job)
		gone  bool
		says  string
	}{
		{"words forgotten", func(j *nacre.Job) { j.Text = "" }, false, "its words can no longer be read"},
		{"times unreadable", func(j *nacre.Job) { j.Schedule = nacre.Schedule{} }, false, "its times can no longer be read"},
		{"zone abolished", func(j *nacre.Job) { j.Schedule.Zone = "Mars/Olympus" }, false, "its time zone Mars/Olympus is not known here any more"},
		{"chat gone", func(*nacre.Job) {}, true, "its chat does not take my messages any more"},
	} {
		for _, when := range []string{"at the start", "when due"} {
			t.Run(c.name+", found "+when, func(t *testing.T) {
				inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
					w.tick = time.Minute
					bad := false
					w.wrap = func(s jobs.Store) jobs.Store {
						return &spoiled{s, func(j *nacre.Job) {
							w.mu.Lock()
							defer w.mu.Unlock()
							if bad && j.Text == "tea" {
								c.spoil(j)
							}
						}, func(nacre.Chat) bool {
							w.mu.Lock()
							defer w.mu.Unlock()
							return bad && c.gone
						}}
					}
					w.close()
					w.open()
					if when == "when due" {
						w.start()
					}
					job := w.remind(0, cron("30 8 * * *", ""), "tea")
					other := w.remind(1, cron("30 8 * * *", ""), "coffee")
					w.mu.Lock()
					bad = true
					w.mu.Unlock()
					if when != "when due" {
						w.start()
					}
					w.until("2026-11-30T08:30:00Z")
					if got := w.job(job).State; got != nacre.Parked {
						t.Errorf("the job is %s", got)
					}
					w.ran(job)
					if len(w.told) < 1 || w.told[0] != "I have put job 1 aside, because "+c.says+". You find it in the list of jobs." {
						t.Errorf("told %q", w.told)
					}
					if !c.gone {
						w.hears(1, "⏰ coffee")
						if got := w.job(other).State; got != nacre.Active || len(w.told) != 1 {
							t.Errorf("another job is %s, told %d times", got, len(w.told))
						}
					}
					n := len(w.told)
					w.restart(48 * time.Hour)
					w.pass(24 * time.Hour)
					w.hears(0)
					if len(w.told) != n {
						t.Errorf("told again: %q", w.told[n:])
					}
					w.mu.Lock()
					bad = false
					w.mu.Unlock()
					w.change(job, nacre.JobChange{State: nacre.Active})
					w.ran(job, "03T08:30:00 missed parked x4")
					w.pass(24 * time.Hour)
					if got := w.texts(0); len(got) != 1 || !strings.HasSuffix(got[0], "tea") {
						t.Errorf("after it was mended it said %q", got)
					}
				}, "UTC", "UTC")
			})
		}
	}
}
