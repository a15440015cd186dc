package ledger_test

import (
	"testing"
	"time"

	"nacre"
)

// What was claimed while the clock was ahead is claimed again, and said again;
// what was claimed before stays.
func TestRewind(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	ahead := time.Now().AddDate(1, 0, 0)
	hourly, once := storedJob(t, l, reminder(s, "water the plants", at(0))), reminder(s, "call the vet", ahead)
	once.Schedule = nacre.Schedule{Kind: nacre.Once, At: ahead}
	once = storedJob(t, l, once)
	before := claimOf(hourly)
	before.Job.Next = ahead
	wrong, last := claimOf(before.Job), claimOf(once)
	last.Job.Next, last.Job.State = time.Time{}, nacre.Finished
	for _, c := range []*nacre.JobClaim{&wrong, &last} {
		c.Say.Message.Received = ahead
	}
	for _, c := range []nacre.JobClaim{before, wrong, last} {
		if !claimed(t, l, c) {
			t.Fatal("not taken")
		}
	}
	must(t, l.Rewind(ctx, ahead.Add(-time.Second)))
	if n := len(runsOf(t, l, hourly)); n != 2 {
		t.Errorf("by a second there are %d runs", n)
	}
	must(t, l.Rewind(ctx, ahead.Add(-time.Hour)))
	if runs := runsOf(t, l, hourly); len(runs) != 1 || !runs[0].Slot.Equal(at(0)) {
		t.Errorf("the runs are %+v", runs)
	}
	if got := readJob(t, l, hourly); !got.Last.Equal(at(0)) {
		t.Errorf("it came to %v last", got.Last)
	}
	got := readJob(t, l, once)
	if got.State != nacre.Active || got.Next.UnixMilli() != ahead.UnixMilli() || !got.Last.IsZero() {
		t.Errorf("the one that was over is %+v", got)
	}
	again := claimOf(got)
	if !claimed(t, l, again) || again.Say.Message.Seq == 0 {
		t.Error("its slot is not said again")
	}
}

// What a change passes over is on record.
func TestChangeLeavesARun(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	was := storedJob(t, l, reminder(s, "water the plants", at(0)))
	job := was
	job.State = nacre.Paused
	missed := nacre.Run{Job: was.ID, Owner: was.Owner, Slot: at(0), State: nacre.Missed, Reason: "paused"}
	must(t, l.ChangeJob(ctx, was, job, missed))
	if runs := runsOf(t, l, was); len(runs) != 1 || runs[0].Reason != "paused" {
		t.Errorf("the runs are %+v", runs)
	}
	if err := l.ChangeJob(ctx, was, job, nacre.Run{Job: was.ID, Owner: was.Owner, Slot: at(1), State: nacre.Missed}); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("a change of what it was before: %v", err)
	}
	if n := len(runsOf(t, l, was)); n != 1 {
		t.Errorf("a refused change left %d runs", n)
	}
}

// A row with a cell that means nothing, or whose session or owner is missing, is
// read, and keeps no other from being read and claimed.
func TestDamagedCells(t *testing.T) {
	for _, damage := range []string{"record = -5", "next_ms = -9000000000000000", "last_ms = 9000000000000000000", "made_ms = -9000000000000000000",
		"may_plan = 7, strange = -1, chosen = 3", "grace_ms = -9", "failures = -9", "session = 'nowhere'", "sealed = NULL"} {
		t.Run(damage, func(t *testing.T) {
			dir := t.TempDir()
			l, s := chatting(t, dir)
			bad := storedJob(t, l, reminder(s, "water the plants", at(0)))
			good := storedJob(t, l, reminder(s, "feed the cat", at(0)))
			l.Close()
			execute(t, dir, "UPDATE jobs SET "+damage+" WHERE number = 1")

			l = open(t, dir)
			due, err := l.Due(ctx, at(1), 10)
			if err != nil || len(due) != 2 {
				t.Fatalf("due are %+v, %v", due, err)
			}
			if all, err := l.Active(ctx); err != nil || len(all) != 2 {
				t.Fatalf("active are %+v, %v", all, err)
			}
			was := readJob(t, l, bad)
			parked := was
			parked.State = nacre.Parked
			if !claimed(t, l, nacre.JobClaim{Was: was, Job: parked}) {
				t.Error("it cannot be parked")
			}
			if !claimed(t, l, claimOf(readJob(t, l, good))) {
				t.Error("the other one cannot be claimed")
			}
			must(t, l.DropJob(ctx, s.Owner, bad.ID))
		})
	}
}

func TestJobsLeft(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	over, paused := reminder(s, "over", at(0)), reminder(s, "paused", at(0))
	over.State, paused.State = nacre.Finished, nacre.Paused
	storedJob(t, l, over)
	storedJob(t, l, paused)
	if list, err := l.JobsLeft(ctx, s.Owner); err != nil || len(list) != 1 || list[0].Text != "paused" {
		t.Errorf("listed %+v, %v", list, err)
	}
	if list, err := l.JobsLeft(ctx, owners(t, l, "1001", "1002")[1]); err != nil || len(list) != 0 {
		t.Errorf("of another owner %+v, %v", list, err)
	}
}
