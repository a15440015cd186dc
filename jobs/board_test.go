package jobs_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

func TestAddChecks(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		good := func() nacre.JobDraft { return w.draft(0, nacre.Task, every(time.Hour), "tea") }
		for _, c := range []struct {
			name string
			mar  func(*nacre.JobDraft)
			want nacre.Kind
			says string
		}{
			{"good", func(*nacre.JobDraft) {}, 0, ""},
			{"2,000 characters", func(d *nacre.JobDraft) { d.Text = strings.Repeat("é", 2000) }, 0, ""},
			{"a week of grace", func(d *nacre.JobDraft) { d.Grace = 7 * 24 * time.Hour }, 0, ""},
			{"an own hand that allows", func(d *nacre.JobDraft) { d.MayPlan = true }, 0, ""},
			{"no words", func(d *nacre.JobDraft) { d.Text = " \n" }, nacre.Invalid, "needs some words"},
			{"too many", func(d *nacre.JobDraft) { d.Text = strings.Repeat("é", 2001) }, nacre.Invalid, "2001 characters"},
			{"no kind", func(d *nacre.JobDraft) { d.Kind = "" }, nacre.Invalid, "a reminder or a task"},
			{"little grace", func(d *nacre.JobDraft) { d.Grace = time.Second }, nacre.Invalid, "within a minute"},
			{"much grace", func(d *nacre.JobDraft) { d.Grace = 8 * 24 * time.Hour }, nacre.Invalid, "seven days"},
			{"every second", func(d *nacre.JobDraft) { d.Schedule = every(time.Second) }, nacre.Invalid, "least"},
			{"a past time", func(d *nacre.JobDraft) { d.Schedule = w.onceIn(-time.Minute) }, nacre.Invalid, "past"},
			{"no cron expression", func(d *nacre.JobDraft) { d.Schedule = cron("every day", "") }, nacre.Invalid, "cannot be read"},
			{"no such zone", func(d *nacre.JobDraft) { d.Schedule = cron("0 9 * * *", "Mars/Olympus") }, nacre.Invalid, "no time zone"},
			{"the conversation of somebody else", func(d *nacre.JobDraft) { d.Session = w.sessions[1] }, nacre.Denied, "somebody else"},
			{"a model that allows", func(d *nacre.JobDraft) { d.MayPlan, d.By.Own = true, false }, nacre.Denied, "own hand"},
		} {
			d := good()
			d.Text += c.name // so that none is the double of another
			c.mar(&d)
			_, err := w.board.Add(ctx, d)
			if c.want == 0 && err != nil || c.want != 0 && (nacre.KindOf(err) != c.want || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}, "UTC", "UTC")
}

// What hides in a text, or turns it round, is left out of it.
func TestTextIsLegible(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		job := w.remind(0, w.onceIn(time.Hour), "pay \u202e\u2066001\u2069\x1b[31m\x00\r\n\tשלום 👩\u200d🚀")
		if want := "pay 001[31m\n\tשלום 👩\u200d🚀"; job.Text != want {
			t.Errorf("the text is %q, want %q", job.Text, want)
		}
		if got := w.change(job, nacre.JobChange{Text: "\u202etea"}).Text; got != "tea" {
			t.Errorf("the text is %q then", got)
		}
		for _, text := range []string{"\u202e", "\x00 \x1b"} {
			if _, err := w.board.Add(ctx, w.draft(0, nacre.Reminder, w.onceIn(time.Hour), text)); nacre.KindOf(err) != nacre.Invalid {
				t.Errorf("%q: %v", text, err)
			}
		}
	}, "UTC")
}

func TestHeartbeatIsNotAdded(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		if _, err := w.board.Add(ctx, w.draft(0, nacre.Heartbeat, every(time.Hour), "tea")); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("a draft made a heartbeat: %v", err)
		}
	}, "UTC")
}

func TestAddTwice(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:30Z", func(w *world) {
		first := w.remind(0, cron("0  9 * * 1", ""), "tea")
		tasks := w.do(0, every(time.Hour), "tea")
		w.pass(time.Second)
		if again := w.remind(0, cron("0 9 * * 1 ", ""), "tea"); again.ID != first.ID || again.Number != first.Number {
			t.Error("a double was made of a reminder")
		}
		if again := w.do(0, every(time.Hour), "tea"); again.ID != tasks.ID {
			t.Error("a double was made of an interval")
		}
		if !tasks.Schedule.At.Equal(at(w.t, "2026-11-30T08:00:30Z")) || !tasks.Next.Equal(at(w.t, "2026-11-30T09:00:30Z")) {
			t.Errorf("from %s, next %s", tasks.Schedule.At, tasks.Next)
		}
		other := w.remind(0, cron("0 9 * * 1", ""), "coffee")
		w.change(first, nacre.JobChange{State: nacre.Paused})
		anew := w.remind(0, cron("0 9 * * 1", ""), "tea")
		if other.ID == first.ID || anew.ID == first.ID || anew.Number != 4 {
			t.Errorf("a job was taken for the same: %d, %d", other.Number, anew.Number)
		}
		of := w.remind(1, cron("0 9 * * 1", ""), "tea")
		if of.Owner != w.owners[1] || of.Number != 1 {
			t.Errorf("another owner's job is %d of %s", of.Number, of.Owner)
		}
	}, "UTC", "UTC")
}

func TestMostJobs(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		var last nacre.Job
		for i := range 200 {
			last = w.remind(0, w.onceIn(time.Hour), fmt.Sprint("tea ", i))
		}
		over := w.draft(0, nacre.Reminder, w.onceIn(time.Hour), "one more")
		if _, err := w.board.Add(ctx, over); nacre.KindOf(err) != nacre.Invalid || !strings.Contains(err.Error(), "200 jobs") {
			t.Errorf("the 201st: %v", err)
		}
		w.remind(1, w.onceIn(time.Hour), "another owner's first")
		if err := w.board.Drop(ctx, w.by(0), last.ID); err != nil {
			t.Fatal(err)
		}
		w.add(over)
		w.start()
		w.pass(time.Hour)
		w.remind(0, w.onceIn(time.Hour), "after the others are finished")
	}, "UTC", "UTC")
}

// What a run wants is refused, unless the owner allowed it of that job; and what
// it makes is never allowed the same.
func TestJobsOfARun(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		task := w.do(0, every(time.Hour), "plan")
		other := w.remind(0, w.onceIn(time.Hour), "tea")
		by := nacre.JobAuthor{Owner: w.owners[0], Run: &nacre.Run{Job: task.ID, Owner: w.owners[0]}}
		yes := true
		all := map[string]func() error{
			"add": func() error {
				d := w.draft(0, nacre.Task, every(time.Hour), "more")
				d.By = by
				_, err := w.board.Add(ctx, d)
				return err
			},
			"change": func() error {
				_, err := w.board.Change(ctx, by, other.ID, nacre.JobChange{Text: "coffee"})
				return err
			},
			"run":  func() error { return w.board.RunNow(ctx, by, other.ID) },
			"drop": func() error { return w.board.Drop(ctx, by, other.ID) },
		}
		for name, do := range all {
			if err := do(); nacre.KindOf(err) != nacre.Denied || !strings.HasPrefix(err.Error(), "A running job cannot make jobs; ") {
				t.Errorf("%s: %v", name, err)
			}
		}
		w.change(task, nacre.JobChange{MayPlan: &yes})
		for _, name := range []string{"add", "change", "run", "drop"} {
			if err := all[name](); err != nil {
				t.Errorf("%s, allowed: %v", name, err)
			}
		}
		if err := w.board.RunNow(ctx, by, task.ID); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("a run started its own job: %v", err)
		}
		d := w.draft(0, nacre.Task, every(time.Hour), "and more")
		d.By, d.MayPlan = by, true
		if _, err := w.board.Add(ctx, d); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("a run made a job that may make jobs: %v", err)
		}
		if _, err := w.board.Change(ctx, by, task.ID, nacre.JobChange{State: nacre.Paused}); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("a run paused its own job: %v", err)
		}
		if err := w.board.Drop(ctx, by, task.ID); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("a run deleted its own job: %v", err)
		}
		if _, err := w.board.Change(ctx, by, task.ID, nacre.JobChange{MayPlan: &yes}); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("a run allowed a job to make jobs: %v", err)
		}
		if made := w.job(task); !made.MayPlan {
			t.Error("the owner's hand did not allow it")
		}
	}, "UTC")
}

func TestChange(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		w.start()
		job := w.remind(0, cron("30 8 * * *", ""), "tea")
		w.change(job, nacre.JobChange{Text: "coffee", Grace: time.Hour})
		w.until("2026-11-30T08:30:00Z")
		w.hears(0, "⏰ coffee")

		w.change(job, nacre.JobChange{State: nacre.Paused})
		w.until("2026-12-02T08:00:00Z")
		w.hears(0, "⏰ coffee")
		if got := w.change(job, nacre.JobChange{State: nacre.Active}); !got.Next.Equal(at(t, "2026-12-02T08:30:00Z")) || got.Grace != time.Hour {
			t.Errorf("resumed: %+v", got)
		}
		s := cron("0 7 * * *", "")
		w.change(job, nacre.JobChange{Schedule: &s})
		w.until("2026-12-02T09:00:00Z")
		w.hears(0, "⏰ coffee") // what was missed while it rested, or by an edit, is not made up for
		w.until("2026-12-03T07:00:00Z")
		w.hears(0, "⏰ coffee", "⏰ coffee")
	}, "UTC")
}

func TestChangeOfWhatIsOver(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		w.start()
		job := w.remind(0, w.onceIn(time.Minute), "tea")
		paused := w.remind(0, w.onceIn(time.Minute), "coffee")
		w.change(paused, nacre.JobChange{State: nacre.Paused})
		w.pass(time.Hour)
		for _, j := range []nacre.Job{job, paused} {
			if _, err := w.board.Change(ctx, w.by(0), j.ID, nacre.JobChange{State: nacre.Active}); nacre.KindOf(err) != nacre.Invalid || !strings.Contains(err.Error(), "past") {
				t.Errorf("%s resumed: %v", j.Text, err)
			}
		}
		later := w.onceIn(time.Minute)
		w.change(paused, nacre.JobChange{State: nacre.Active, Schedule: &later})
		w.change(job, nacre.JobChange{Schedule: &later})
		w.pass(time.Minute)
		got := w.texts(0)
		slices.Sort(got)
		if !equal(got, []string{"⏰ coffee", "⏰ tea", "⏰ tea"}) {
			t.Errorf("said %q", got)
		}
	}, "UTC")
}

func TestChangeRefuses(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		job := w.job(w.remind(0, every(10*time.Minute), "tea"))
		yes := true
		second := every(time.Second)
		for _, c := range []struct {
			name string
			by   nacre.JobAuthor
			c    nacre.JobChange
			want nacre.Kind
		}{
			{"no such owner", w.by(1), nacre.JobChange{Text: "x"}, nacre.NotFound},
			{"too long", w.by(0), nacre.JobChange{Text: strings.Repeat("x", 2001)}, nacre.Invalid},
			{"too often", w.by(0), nacre.JobChange{Schedule: &second}, nacre.Invalid},
			{"too often for a task", w.by(0), nacre.JobChange{Kind: nacre.Task}, nacre.Invalid},
			{"no such kind", w.by(0), nacre.JobChange{Kind: "alarm"}, nacre.Invalid},
			{"a heartbeat", w.by(0), nacre.JobChange{Kind: nacre.Heartbeat}, nacre.Invalid},
			{"no such state", w.by(0), nacre.JobChange{State: nacre.Parked}, nacre.Invalid},
			{"no grace", w.by(0), nacre.JobChange{Grace: time.Second}, nacre.Invalid},
			{"a model that allows", nacre.JobAuthor{Owner: w.owners[0]}, nacre.JobChange{MayPlan: &yes}, nacre.Denied},
		} {
			if _, err := w.board.Change(ctx, c.by, job.ID, c.c); nacre.KindOf(err) != c.want {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if got := w.job(job); got != job {
			t.Errorf("the job was changed to %+v", got)
		}
		if got := w.change(job, nacre.JobChange{Text: "coffee"}); got.Text != "coffee" {
			t.Errorf("a good change: %+v", got)
		}
	}, "UTC", "UTC")
}

func TestRunNow(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		w.start()
		w.begins(func(ctx context.Context, _ nacre.Job) (jobs.Outcome, error) {
			return takes(ctx, time.Minute, jobs.Outcome{Text: "done"})
		})
		reminder := w.remind(0, cron("0 9 * * *", ""), "tea")
		task := w.do(0, cron("0 9 * * *", ""), "news")
		w.change(task, nacre.JobChange{State: nacre.Paused})
		for _, j := range []nacre.Job{reminder, task} {
			if err := w.board.RunNow(ctx, w.by(0), j.ID); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.board.RunNow(ctx, w.by(0), task.ID); nacre.KindOf(err) != nacre.Conflict {
			t.Errorf("run twice at once: %v", err)
		}
		w.pass(2 * time.Minute)
		w.hears(0, "⏰ tea", "done")
		w.ran(task, "30T08:00:00 done")
		if got := w.job(reminder); !got.Next.Equal(reminder.Next) || !got.Last.IsZero() {
			t.Errorf("its times were touched: %+v", got)
		}
		runs, err := w.board.Runs(ctx, w.owners[0], "", 10)
		if err != nil || len(runs) != 2 || !runs[0].ByHand || !runs[1].ByHand {
			t.Errorf("runs %+v, %v", runs, err)
		}
		w.until("2026-11-30T09:00:00Z")
		w.hears(0, "⏰ tea", "done", "⏰ tea")
		if len(w.woken) != 3 {
			t.Errorf("sessions were woken %d times", len(w.woken))
		}
	}, "UTC")
}

func TestHeartbeatStaysAHeartbeat(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		w.start()
		begun := w.begins(func(context.Context, nacre.Job) (jobs.Outcome, error) { return jobs.Outcome{}, nil })
		job, err := w.board.EnsureHeartbeat(ctx, w.owners[0], w.sessions[0], w.from(30*time.Minute))
		if err != nil || job.Kind != nacre.Heartbeat {
			t.Fatal(job, err)
		}
		if err := w.board.Drop(ctx, w.by(0), job.ID); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("deleted: %v", err)
		}
		for _, c := range []nacre.JobChange{{Text: "tea"}, {Kind: nacre.Reminder}} {
			if _, err := w.board.Change(ctx, w.by(0), job.ID, c); nacre.KindOf(err) != nacre.Denied {
				t.Errorf("changed: %v", err)
			}
		}
		hourly := nacre.Schedule{Kind: nacre.Every, Every: time.Hour, At: w.now()}
		w.change(job, nacre.JobChange{Schedule: &hourly})
		if again, err := w.board.EnsureHeartbeat(ctx, w.owners[0], w.sessions[0], every(30*time.Minute)); err != nil || again.ID != job.ID || again.Schedule.Every != time.Hour {
			t.Errorf("made again as %+v, %v", again, err)
		}
		if err := w.board.RunNow(ctx, w.by(0), job.ID); err != nil {
			t.Fatal(err)
		}
		w.until("2026-11-30T09:30:00Z")
		w.change(job, nacre.JobChange{State: nacre.Paused})
		w.until("2026-11-30T11:30:00Z")
		w.change(job, nacre.JobChange{State: nacre.Active})
		w.until("2026-11-30T12:30:00Z")
		if want := []string{"30T08:00:00", "30T09:00:00", "30T12:00:00"}; !equal(*begun, want) {
			t.Errorf("began at %v, want %v", *begun, want)
		}
	}, "UTC")
}
