package ledger_test

import (
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// begun stores a task and begins its first run.
func begun(t testing.TB, l *ledger.Ledger, s nacre.SessionInfo) (nacre.Job, nacre.Run) {
	t.Helper()
	task := reminder(s, "read the news", at(0))
	task.Kind = nacre.Task
	task = storedJob(t, l, task)
	if !claimed(t, l, taskOf(task)) {
		t.Fatal("not taken")
	}
	run, err := l.Begin(ctx, runsOf(t, l, task)[0])
	must(t, err)
	return readJob(t, l, task), run
}

func TestRunIsBegunAndEnded(t *testing.T) {
	dir := t.TempDir()
	l, s := chatting(t, dir)
	job, run := begun(t, l, s)
	if run.State != nacre.Running || run.Attempts != 1 || time.Since(run.Began) > time.Minute || run.Job != job.ID || !run.Slot.Equal(at(0)) {
		t.Errorf("begun %+v", run)
	}
	run.State, run.NotUntil, run.Reason, run.Used = nacre.Claimed, at(5), "deadline", nacre.Usage{Calls: 1, Input: 10, Cost: 7}
	must(t, l.End(ctx, nacre.JobEnding{Run: run})) // to be tried again
	l.Close()

	l = open(t, dir)
	left, err := l.Open(ctx)
	if err != nil || len(left) != 1 || left[0].State != nacre.Claimed || !left[0].NotUntil.Equal(at(5)) || !left[0].Ended.IsZero() ||
		left[0].Used != run.Used || left[0].Attempts != 1 {
		t.Fatalf("open %+v, %v", left, err)
	}
	run, err = l.Begin(ctx, left[0])
	if err != nil || run.Attempts != 2 {
		t.Fatalf("begun again %+v, %v", run, err)
	}
	run.State, run.Reason, run.Ended = nacre.Done, "", at(6)
	run.Used = nacre.Usage{Calls: 3, Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, Cost: 5, Unpriced: 6}
	job.Failures = 0
	e := nacre.JobEnding{Run: run, Job: &job, Say: saidBy(job, at(0), "nothing new")}
	must(t, l.End(ctx, e))
	if e.Say.Session != s || e.Say.Message.Seq == 0 || len(due(t, l, s)) != 1 {
		t.Errorf("it says %+v", e.Say)
	}
	runs := runsOf(t, l, job)
	if len(runs) != 1 || runs[0].State != nacre.Done || runs[0].Used != run.Used || !runs[0].Ended.Equal(at(6)) || runs[0].Attempts != 2 {
		t.Errorf("its runs: %+v", runs)
	}
	if left, err := l.Open(ctx); err != nil || len(left) != 0 {
		t.Errorf("open %+v, %v", left, err)
	}
	e.Say = saidBy(job, at(1), "once more")
	if err := l.End(ctx, e); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("ended twice: %v", err)
	}
	if _, err := l.Begin(ctx, run); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("begun after its end: %v", err)
	}
	if n := len(due(t, l, s)); n != 1 {
		t.Errorf("said %d times", n)
	}
}

// An end leaves alone what the owner has decided during the run.
func TestEndChangesItsJob(t *testing.T) {
	for name, c := range map[string]struct {
		now, end, want nacre.JobState
	}{
		"goes on":                        {nacre.Active, nacre.Active, nacre.Active},
		"failed too often":               {nacre.Active, nacre.Disabled, nacre.Disabled},
		"chat is gone":                   {nacre.Active, nacre.Parked, nacre.Parked},
		"paused meanwhile":               {nacre.Paused, nacre.Active, nacre.Paused},
		"paused, and failed too often":   {nacre.Paused, nacre.Disabled, nacre.Paused},
		"given another time meanwhile":   {nacre.Active, nacre.Finished, nacre.Active},
		"finished when it was claimed":   {nacre.Finished, nacre.Active, nacre.Finished},
		"finished, and failed too often": {nacre.Finished, nacre.Disabled, nacre.Finished},
	} {
		l, s := chatting(t, t.TempDir())
		job, run := begun(t, l, s)
		changed := job
		changed.State, changed.Text = c.now, "read the papers"
		must(t, l.ChangeJob(ctx, job, changed))
		job.State, job.Failures, run.State = c.end, 3, nacre.Failure
		must(t, l.End(ctx, nacre.JobEnding{Run: run, Job: &job}))
		changed.State, changed.Failures = c.want, 3
		if got := readJob(t, l, job); !alike(got, changed) {
			t.Errorf("%s: the job is %+v, want %+v", name, got, changed)
		}
	}
}

// What is said once a day is not said again on that day, but on the next; other
// things are said nevertheless.
func TestEndSaysOnceADay(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	job := storedJob(t, l, reminder(s, "read the news", at(0)))
	for i, c := range []struct {
		day  string
		said int
	}{{"2026-12-01", 1}, {"2026-12-01", 1}, {"", 2}, {"2026-12-02", 3}} {
		claim := taskOf(readJob(t, l, job))
		if !claimed(t, l, claim) {
			t.Fatal("not taken")
		}
		run := claim.Runs[0]
		run.Job, run.Owner, run.State = job.ID, job.Owner, nacre.Failure
		must(t, l.End(ctx, nacre.JobEnding{Run: run, Say: saidBy(job, at(i), "it failed"), Day: c.day}))
		if n := len(due(t, l, s)); n != c.said {
			t.Errorf("after end %d on %q: said %d times, want %d", i, c.day, n, c.said)
		}
	}
}

func TestQuietRunLeavesNothing(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	for calls, want := range []int{0, 1} {
		job, run := begun(t, l, s)
		run.State, run.Used.Calls = nacre.Quiet, calls
		must(t, l.End(ctx, nacre.JobEnding{Run: run, Job: &job}))
		if runs := runsOf(t, l, job); len(runs) != want {
			t.Errorf("after %d calls: %+v", calls, runs)
		}
		if err := l.End(ctx, nacre.JobEnding{Run: run}); nacre.KindOf(err) != nacre.Conflict {
			t.Errorf("ended twice: %v", err)
		}
	}
}

// Nobody hears of a job any more that was dropped, or forgotten, while it ran.
func TestDroppedJobSaysNothing(t *testing.T) {
	for _, dropped := range []bool{false, true} {
		l, s := chatting(t, t.TempDir())
		job, run := begun(t, l, s)
		if dropped {
			must(t, l.DropJob(ctx, job.Owner, job.ID))
		}
		run.State = nacre.Done
		e := nacre.JobEnding{Run: run, Job: &job, Say: saidBy(job, at(0), "the news")}
		e.Say.Message.Seq = 99 // as an attempt leaves it that failed
		must(t, l.End(ctx, e))
		if said := due(t, l, s); (len(said) == 0) != dropped || (e.Say.Message.Seq == 0) != dropped {
			t.Errorf("dropped %v: said %+v", dropped, said)
		}
		if runs := runsOf(t, l, job); len(runs) != 1 || runs[0].State != nacre.Done {
			t.Errorf("dropped %v: %+v", dropped, runs)
		}
	}
}

func TestRunOfARoundIsStoredByItsEnd(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	round := nacre.Run{Job: nacre.RoundReflect, Owner: s.Owner, Slot: at(7), State: nacre.Done, Attempts: 1, Began: at(7), Ended: at(8),
		Reason: "3 notes", Used: nacre.Usage{Calls: 2, Cost: 9}}
	must(t, l.End(ctx, nacre.JobEnding{Run: round}))
	runs, err := l.Runs(ctx, s.Owner, nacre.RoundReflect, 10)
	if err != nil || len(runs) != 1 || runs[0].Reason != "3 notes" || runs[0].Used != round.Used || !runs[0].Began.Equal(at(7)) || !runs[0].Ended.Equal(at(8)) {
		t.Errorf("its runs: %+v, %v", runs, err)
	}
	if err := l.End(ctx, nacre.JobEnding{Run: round}); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("ended twice: %v", err)
	}
	quiet := nacre.Run{Job: nacre.RoundRepair, Owner: s.Owner, Slot: at(7), State: nacre.Quiet}
	must(t, l.End(ctx, nacre.JobEnding{Run: quiet}))
	if all, err := l.Runs(ctx, s.Owner, "", 10); err != nil || len(all) != 1 {
		t.Errorf("all runs: %+v, %v", all, err)
	}
	job := reminder(s, "never stored", at(0))
	if err := l.End(ctx, nacre.JobEnding{Run: nacre.Run{Job: job.ID, Owner: s.Owner, Slot: at(0), State: nacre.Done}}); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("the end of what was never begun: %v", err)
	}
}

func TestOldRoundsArePruned(t *testing.T) {
	const kept = 200
	l, s := chatting(t, t.TempDir())
	for i := range kept + 5 {
		must(t, l.End(ctx, nacre.JobEnding{Run: nacre.Run{Job: nacre.RoundReflect, Owner: s.Owner, Slot: at(60 * i), State: nacre.Done}}))
	}
	runs, err := l.Runs(ctx, s.Owner, nacre.RoundReflect, 1000)
	if err != nil || len(runs) != kept || !runs[kept-1].Slot.Equal(at(60*5)) {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}

func TestRunsAndWhatTheySpent(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	job := storedJob(t, l, reminder(s, "read the news", at(0)))
	var runs []nacre.Run
	for i, state := range []nacre.RunState{nacre.Done, nacre.Quiet, nacre.Failure, nacre.Done} {
		runs = append(runs, nacre.Run{Slot: at(i), State: state, Used: nacre.Usage{Calls: 1, Input: 10, Output: 20, Cost: 100}})
	}
	if !claimed(t, l, nacre.JobClaim{Was: job, Job: job, Runs: runs}) {
		t.Fatal("not taken")
	}
	claimed(t, l, claimOf(storedJob(t, l, reminder(s, "another", at(2)))))
	for _, c := range []struct {
		since       time.Time
		calls, said int
	}{{at(0), 4, 2}, {at(1), 3, 1}, {at(4), 0, 0}} {
		used, said, err := l.Spent(ctx, job.ID, c.since)
		if err != nil || said != c.said || used != (nacre.Usage{Calls: c.calls, Input: int64(10 * c.calls), Output: int64(20 * c.calls), Cost: int64(100 * c.calls)}) {
			t.Errorf("spent since %v: %+v, %d, %v", c.since, used, said, err)
		}
	}
	newest, err := l.Runs(ctx, s.Owner, job.ID, 2)
	if err != nil || len(newest) != 2 || !newest[0].Slot.Equal(at(3)) || !newest[1].Slot.Equal(at(2)) {
		t.Errorf("the newest runs: %+v, %v", newest, err)
	}
	if all, err := l.Runs(ctx, s.Owner, "", 10); err != nil || len(all) != 5 || !all[0].Slot.Equal(at(3)) {
		t.Errorf("all runs: %+v, %v", all, err)
	}
	if theirs, err := l.Runs(ctx, owners(t, l, "1001", "1002")[1], "", 10); err != nil || len(theirs) != 0 {
		t.Errorf("another owner's runs: %+v, %v", theirs, err)
	}
}

// What is finished for long goes, and what ran for jobs that are gone; what is still
// to come stays, with its history.
func TestClearJobs(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	over := storedJob(t, l, reminder(s, "over", at(0)))
	claim := claimOf(over)
	claim.Job.State, claim.Job.Next = nacre.Finished, time.Time{}
	if !claimed(t, l, claim) {
		t.Fatal("the last slot is not taken")
	}
	stays := storedJob(t, l, reminder(s, "stays", at(0)))
	gone := storedJob(t, l, reminder(s, "gone", at(0)))
	if !claimed(t, l, claimOf(stays)) || !claimed(t, l, claimOf(gone)) {
		t.Fatal("slots are not taken")
	}
	must(t, l.DropJob(ctx, s.Owner, gone.ID))
	left := func() (jobs, runs int) {
		list, err := l.Jobs(ctx, s.Owner)
		must(t, err)
		history, err := l.Runs(ctx, s.Owner, "", 10)
		must(t, err)
		return len(list), len(history)
	}
	must(t, l.ClearJobs(ctx, at(0)))
	if jobs, runs := left(); jobs != 2 || runs != 3 {
		t.Errorf("too early %d jobs and %d runs are left", jobs, runs)
	}
	must(t, l.ClearJobs(ctx, at(0).Add(time.Second)))
	if jobs, runs := left(); jobs != 1 || runs != 1 {
		t.Errorf("%d jobs and %d runs are left, want one each", jobs, runs)
	}
}
