package jobs_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

// In chats and zones that come back, jobs go on by themselves. What they missed is
// made up for within its grace period, and told after it.
func TestRevived(t *testing.T) {
	for name, c := range map[string]struct {
		schedule nacre.Schedule
		zone     bool // that is what is gone, not the chat
		back     string
		hears    []string
		next     string
		runs     []string
	}{
		"in time": {cron("30 8 * * *", "Europe/Vienna"), false, "2026-11-30T10:00:00Z",
			[]string{"⏰ (due at Mon 30 Nov 2026, 08:30) tea"}, "2026-12-01T07:30:00Z", []string{"30T07:30:00 done"}},
		"a zone": {cron("30 8 * * *", "Europe/Vienna"), true, "2026-11-30T10:00:00Z",
			[]string{"⏰ (due at Mon 30 Nov 2026, 08:30) tea"}, "2026-12-01T07:30:00Z", []string{"30T07:30:00 done"}},
		"too late": {cron("30 8 * * *", "Europe/Vienna"), false, "2026-12-03T03:00:00Z",
			[]string{"It was put aside on Wed 2 Dec 2026, 08:30 and 2 times before that, so I left out: tea\nNext time: Thu 3 Dec 2026, 08:30 (Europe/Vienna), in 4 hours"},
			"2026-12-03T07:30:00Z", []string{"02T07:30:00 missed late x3"}},
		"once, too late": {nacre.Schedule{Kind: nacre.Once, At: at(t, "2026-11-30T07:30:00Z")}, false, "2026-12-03T03:00:00Z",
			[]string{"It was put aside on Mon 30 Nov 2026, 07:30, so I left out: tea"}, "", []string{"30T07:30:00 missed late"}},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, "2026-11-30T06:00:00Z", func(w *world) {
				w.tick = time.Minute
				var bad atomic.Bool
				w.wrap = func(s jobs.Store) jobs.Store {
					return &spoiled{s, func(j *nacre.Job) {
						if bad.Load() && c.zone {
							j.Schedule.Zone = "Mars/Olympus"
						}
					}, func(nacre.Chat) bool { return bad.Load() && !c.zone }}
				}
				w.close()
				w.open()
				w.start()
				job := w.remind(0, c.schedule, "tea")
				bad.Store(true)
				w.until(c.back)
				w.hears(0)
				if got := w.job(job).State; got != nacre.Parked || len(w.told) != 1 {
					t.Errorf("it is %s, told %q", got, w.told)
				}
				bad.Store(false)
				w.pass(6 * time.Minute)
				w.hears(0, c.hears...)
				w.ran(job, c.runs...)
				want, next := nacre.Active, time.Time{}
				if c.next == "" {
					want = nacre.Finished
				} else {
					next = at(t, c.next)
				}
				if got := w.job(job); got.State != want || !got.Next.Equal(next) || len(w.told) != 1 {
					t.Errorf("afterwards it is %s, next %s, told %q", got.State, got.Next, w.told)
				}
			}, "UTC")
		})
	}
}

// Other words or times mend a job that lacked them; why one cannot go on is told.
func TestMended(t *testing.T) {
	at9 := cron("0 9 * * *", "")
	for name, c := range map[string]struct {
		damage, says string
		change       nacre.JobChange
		want         nacre.JobState
	}{
		"words":              {"sealed = x'00'", "The words of this job", nacre.JobChange{Text: "coffee"}, nacre.Active},
		"times":              {"schedule = ''", "The times of this job", nacre.JobChange{Schedule: &at9}, nacre.Active},
		"zone":               {`schedule = '{"kind":"cron","cron":"0 9 * * *","zone":"Mars/Olympus"}'`, "The time zone Mars/Olympus", nacre.JobChange{Schedule: &at9}, nacre.Active},
		"words for a time":   {"schedule = ''", "The times of this job", nacre.JobChange{Text: "coffee"}, nacre.Parked},
		"nothing that lacks": {"sealed = x'00'", "The words of this job", nacre.JobChange{Grace: time.Hour}, nacre.Parked},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, "2026-05-01T00:00:00Z", func(w *world) {
				job := w.remind(0, at9, "tea")
				w.close()
				w.damage("UPDATE jobs SET "+c.damage+" WHERE id = ?", job.ID)
				w.open()
				w.start()
				if got := w.job(job).State; got != nacre.Parked {
					t.Fatalf("it is %s", got)
				}
				if _, err := w.board.Change(ctx, w.by(0), job.ID, nacre.JobChange{State: nacre.Active}); err == nil || !strings.HasPrefix(err.Error(), c.says) {
					t.Errorf("to go on: %v", err)
				}
				if got := w.change(job, c.change); got.State != c.want {
					t.Errorf("it is %s then, want %s", got.State, c.want)
				}
			}, "UTC")
		})
	}
}

// A job whose chat is gone does not go on before that is mended.
func TestResumeInAChatThatIsGone(t *testing.T) {
	inWorld(t, "2026-05-01T08:00:00Z", func(w *world) {
		w.wrap = func(s jobs.Store) jobs.Store {
			return &spoiled{s, func(*nacre.Job) {}, func(nacre.Chat) bool { return true }}
		}
		w.close()
		w.open()
		tea := w.remind(0, w.onceIn(30*time.Minute), "tea")
		w.start()
		w.pass(31 * time.Minute)
		if _, err := w.board.Change(ctx, w.by(0), tea.ID, nacre.JobChange{State: nacre.Active}); err == nil || !strings.HasPrefix(err.Error(), "Its chat does not take") {
			t.Errorf("to go on: %v", err)
		}
	}, "UTC")
}

// What an owner wrote is shown as they wrote it: a link is no link, and no letter
// is lost to emphasis.
func TestWordsAreLiteral(t *testing.T) {
	inWorld(t, "2026-05-01T08:00:00Z", func(w *world) {
		w.remind(0, w.onceIn(time.Minute), "see [Bank](https://evil.example)\nand __init__")
		w.do(0, w.onceIn(2*time.Minute), "*x*")
		w.begins(func(context.Context, nacre.Job) (jobs.Outcome, error) { return jobs.Outcome{Text: "**done**"}, nil })
		w.start()
		w.pass(5 * time.Minute)
		w.hears(0, "⏰ see \\[Bank](https://evil.example)\nand \\_\\_init\\_\\_", "**done**")
	}, "UTC")
}
