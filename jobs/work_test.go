package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

// begins lets the Worker note when it is called, and then do something.
func (w *world) begins(then func(context.Context, nacre.Job) (jobs.Outcome, error)) *[]string {
	var list []string
	w.work = func(ctx context.Context, job nacre.Job, _ nacre.Run) (jobs.Outcome, error) {
		w.mu.Lock()
		list = append(list, w.now().UTC().Format("02T15:04:05"))
		w.mu.Unlock()
		return then(ctx, job)
	}
	return &list
}

// takes is work that takes a while, unless ctx ends.
func takes(ctx context.Context, d time.Duration, out jobs.Outcome) (jobs.Outcome, error) {
	select {
	case <-ctx.Done():
		return jobs.Outcome{}, ctx.Err()
	case <-time.After(d):
		return out, nil
	}
}

func TestTask(t *testing.T) {
	inWorld(t, "2026-11-30T08:20:00Z", func(w *world) {
		w.start()
		elsewhere := w.sessions[0]
		elsewhere.Chat.ID = "-77"
		used := nacre.Usage{Calls: 2, Input: 100, Output: 20, Cost: 7}
		w.begins(func(_ context.Context, job nacre.Job) (jobs.Outcome, error) {
			switch job.Text {
			case "be quiet":
				return jobs.Outcome{Used: used, Reason: "nothing"}, nil
			case "elsewhere":
				return jobs.Outcome{Text: "there", Where: &elsewhere}, nil
			}
			return jobs.Outcome{Text: "The news is good.", Strange: true, Used: used, Reason: "told"}, nil
		})
		news := w.do(0, w.onceIn(10*time.Minute), "read the news")
		quiet := w.do(0, w.onceIn(10*time.Minute), "be quiet")
		w.do(0, w.onceIn(11*time.Minute), "elsewhere")
		w.pass(11 * time.Minute)
		w.hears(0, "The news is good.")
		if last := w.woken[len(w.woken)-1]; last.Chat.ID != "-77" || last.Segments[0].Text != "there" {
			t.Errorf("said in %s", last.Chat.ID)
		}
		w.ran(news, "30T08:30:00 done told")
		w.ran(quiet, "30T08:30:00 quiet nothing")
		m := w.said(0)[0]
		if want := fmt.Sprintf("job:%s:%d:out", news.ID, news.Next.UnixMilli()); string(m.External) != want || !m.Due.Strange || m.Due.Kind != nacre.Task {
			t.Errorf("said as %s, %+v", m.External, m.Due)
		}
		runs, err := w.board.Runs(ctx, w.owners[0], quiet.ID, 10)
		if err != nil || runs[0].Used != used || runs[0].Attempts != 1 {
			t.Errorf("recorded %+v, %v", runs, err)
		}
	}, "UTC")
}

// Tasks that are due at the top of the hour begin apart, reminders do not.
func TestTopOfTheHour(t *testing.T) {
	inWorld(t, "2026-11-30T08:20:00Z", func(w *world) {
		w.start()
		begun := w.begins(func(context.Context, nacre.Job) (jobs.Outcome, error) { return jobs.Outcome{}, nil })
		for i := range 30 {
			w.do(0, w.onceIn(40*time.Minute), fmt.Sprint("task ", i))
		}
		w.remind(0, w.onceIn(40*time.Minute), "tea")
		w.pass(40 * time.Minute)
		w.hears(0, "⏰ tea")
		if len(*begun) == 30 {
			t.Error("all began at once")
		}
		w.pass(2 * time.Minute)
		at := map[string]bool{}
		for _, b := range *begun {
			at[b] = true
		}
		if len(*begun) != 30 || len(at) < 15 {
			t.Errorf("%d began, at %d moments", len(*begun), len(at))
		}
	}, "UTC")
}

var errSecret = errors.New("dial tcp 10.0.0.1: secret internals")

func TestFailingTask(t *testing.T) {
	for _, c := range []struct {
		name  string
		err   error
		every time.Duration // 0 for once
		begun []string
		said  []string
	}{
		{"once", errSecret, 0, []string{"30T08:30:00", "30T08:31:00", "30T08:36:00", "30T08:51:00"},
			[]string{"I could not do this: try\nSomething went wrong; the log says what."}},
		{"a sentence for people", nacre.Errorf(nacre.Denied, "The model refuses."), 0, []string{"30T08:30:00", "30T08:31:00", "30T08:36:00", "30T08:51:00"},
			[]string{"I could not do this: try\nThe model refuses."}},
		{"a provider that asks for patience", &nacre.Error{Kind: nacre.Transient, Text: "the model rests", After: 10 * time.Minute}, 0,
			[]string{"30T08:30:00", "30T08:40:00", "30T08:50:00", "30T09:05:00"},
			[]string{"I could not do this: try\nthe model rests."}},
		{"while before the next slot", errSecret, 15 * time.Minute, []string{"30T08:35:00", "30T08:36:00", "30T08:41:00", "30T08:50:00", "30T08:51:00", "30T08:56:00", "30T09:05:00", "30T09:06:00"},
			[]string{"I could not do this: try\nSomething went wrong; the log says what.\nNext time: Mon 30 Nov 2026, 08:50 (UTC), in 9 minutes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, "2026-11-30T08:20:00Z", func(w *world) {
				w.start()
				begun := w.begins(func(context.Context, nacre.Job) (jobs.Outcome, error) { return jobs.Outcome{Text: "lost"}, c.err })
				s := w.onceIn(10 * time.Minute)
				if c.every > 0 {
					s = every(c.every)
				}
				job := w.do(0, s, "try")
				w.until("2026-11-30T09:09:00Z")
				if !equal(*begun, c.begun) {
					t.Errorf("began at %v, want %v", *begun, c.begun)
				}
				w.hears(0, c.said...)
				runs, err := w.board.Runs(ctx, w.owners[0], job.ID, 10)
				if err != nil || runs[len(runs)-1].State != nacre.Failure {
					t.Errorf("runs %+v, %v", runs, err)
				}
			}, "UTC")
		})
	}
}

func TestTenFailures(t *testing.T) {
	inWorld(t, "2026-11-01T08:20:00Z", func(w *world) {
		w.start()
		fails := true
		begun := w.begins(func(context.Context, nacre.Job) (jobs.Outcome, error) {
			if fails {
				return jobs.Outcome{}, errSecret
			}
			return jobs.Outcome{Text: "at last"}, nil
		})
		job := w.do(0, cron("30 * * * *", ""), "try")
		w.until("2026-11-01T17:20:00Z")
		if got := w.job(job); got.Failures != 9 || got.State != nacre.Active {
			t.Errorf("after nine failures: %d, %s", got.Failures, got.State)
		}
		if n := len(w.texts(0)); n != 1 {
			t.Errorf("told %d times in a day", n)
		}
		w.until("2026-11-01T18:20:00Z")
		if got := w.job(job); got.Failures != 10 || got.State != nacre.Disabled {
			t.Errorf("after ten failures: %d, %s", got.Failures, got.State)
		}
		if got, want := w.texts(0)[1], "I have stopped job 1, because it failed 10 times in a row: try\nSomething went wrong; the log says what. Resume it from the list of jobs when that is mended."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		n := len(*begun)
		w.pass(48 * time.Hour)
		if len(*begun) != n {
			t.Error("a disabled job began")
		}
		fails = false
		if got := w.change(job, nacre.JobChange{State: nacre.Active}); got.Failures != 0 || !got.Next.Equal(at(t, "2026-11-03T18:30:00Z")) {
			t.Errorf("resumed: %d failures, next %s", got.Failures, got.Next)
		}
		w.pass(15 * time.Minute)
		if got := w.texts(0); got[len(got)-1] != "at last" || len(got) != 3 {
			t.Errorf("said %q", got)
		}
	}, "UTC")
}

func TestSuccessForgivesFailures(t *testing.T) {
	inWorld(t, "2026-11-01T08:20:00Z", func(w *world) {
		w.start()
		fails := true
		w.begins(func(context.Context, nacre.Job) (jobs.Outcome, error) {
			if fails {
				return jobs.Outcome{}, errSecret
			}
			return jobs.Outcome{}, nil
		})
		job := w.do(0, cron("30 * * * *", ""), "try")
		w.until("2026-11-03T08:25:00Z")
		if got := w.texts(0); len(got) != 2 || w.job(job).State != nacre.Disabled {
			t.Errorf("said %q, %s", got, w.job(job).State)
		}
		w.change(job, nacre.JobChange{State: nacre.Active})
		w.until("2026-11-03T11:20:00Z")
		if got := w.job(job).Failures; got != 3 {
			t.Errorf("%d failures", got)
		}
		if got := w.texts(0); len(got) != 3 {
			t.Errorf("on another day it was told %d times", len(got)-2)
		}
		fails = false
		w.until("2026-11-03T12:20:00Z")
		if got := w.job(job).Failures; got != 0 {
			t.Errorf("%d failures after a success", got)
		}
	}, "UTC")
}

// Heartbeats fail in silence, and that nobody is reached does not count.
func TestFailingHeartbeat(t *testing.T) {
	inWorld(t, "2026-11-01T08:00:00Z", func(w *world) {
		w.start()
		err := error(nacre.Errorf(nacre.Transient, "nobody answers"))
		begun := w.begins(func(context.Context, nacre.Job) (jobs.Outcome, error) { return jobs.Outcome{}, err })
		job, bad := w.board.EnsureHeartbeat(ctx, w.owners[0], w.sessions[0], w.from(30*time.Minute))
		if bad != nil {
			t.Fatal(bad)
		}
		w.pass(24*time.Hour + time.Minute)
		if got := w.job(job); got.Failures != 0 || len(*begun) != 48 {
			t.Errorf("%d failures, %d attempts", got.Failures, len(*begun))
		}
		err = errSecret
		w.pass(4*time.Hour + 30*time.Minute)
		if got := w.job(job).Failures; got != 9 {
			t.Errorf("%d failures", got)
		}
		w.hears(0)
		w.pass(30 * time.Minute)
		if got := w.texts(0); len(got) != 1 || !strings.HasPrefix(got[0], "I have stopped the heartbeat, ") || w.job(job).State != nacre.Disabled {
			t.Errorf("said %q, %s", got, w.job(job).State)
		}
	}, "UTC")
}

func TestPanicAndDeadline(t *testing.T) {
	inWorld(t, "2026-11-01T08:00:00Z", func(w *world) {
		w.start()
		w.begins(func(ctx context.Context, job nacre.Job) (jobs.Outcome, error) {
			switch job.Text {
			case "panic":
				panic("secret")
			case "hang":
				<-ctx.Done()
				return jobs.Outcome{}, ctx.Err()
			}
			return jobs.Outcome{Text: "fine"}, nil
		})
		panics := w.do(0, w.onceIn(time.Minute), "panic")
		hangs := w.do(1, w.onceIn(time.Minute), "hang")
		w.do(2, w.onceIn(time.Minute), "work")
		w.pass(3 * time.Hour)
		w.hears(0, "I could not do this: panic\nSomething went wrong; the log says what.")
		w.hears(1, "I could not do this: hang\nIt took too long.")
		w.hears(2, "fine")
		w.ran(panics, "01T08:01:00 failed panic")
		w.ran(hangs, "01T08:01:00 failed deadline")
		runs, err := w.board.Runs(ctx, w.owners[1], hangs.ID, 1)
		if err != nil || runs[0].Ended.Sub(runs[0].Began) != 15*time.Minute {
			t.Errorf("ran from %s to %s", runs[0].Began, runs[0].Ended)
		}
	}, "UTC", "UTC", "UTC")
}

// Four runs at once, and one of each owner.
func TestHowManyAtOnce(t *testing.T) {
	inWorld(t, "2026-11-01T08:00:00Z", func(w *world) {
		w.start()
		ofOwner, most, mostOfOne, all := map[nacre.OwnerID]int{}, 0, 0, 0
		w.work = func(_ context.Context, job nacre.Job, _ nacre.Run) (jobs.Outcome, error) {
			count := func(d int) {
				w.mu.Lock()
				defer w.mu.Unlock()
				ofOwner[job.Owner] += d
				all += d
				most, mostOfOne = max(most, all), max(mostOfOne, ofOwner[job.Owner])
			}
			count(1)
			time.Sleep(time.Minute)
			count(-1)
			return jobs.Outcome{Text: "done"}, nil
		}
		for i := range 6 {
			w.do(i, w.onceIn(time.Minute), "one")
			w.do(i, w.onceIn(time.Minute), "two")
		}
		w.pass(2*time.Minute - time.Second)
		w.mu.Lock()
		if all != 4 {
			t.Errorf("%d run", all)
		}
		w.mu.Unlock()
		w.pass(time.Hour)
		if most != 4 || mostOfOne != 1 {
			t.Errorf("%d at once, %d of one owner", most, mostOfOne)
		}
		for i := range 6 {
			w.hears(i, "done", "done")
		}
	}, "UTC", "UTC", "UTC", "UTC", "UTC", "UTC")
}
