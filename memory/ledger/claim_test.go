package ledger_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// said is what a job says at a slot.
func saidBy(job nacre.Job, slot time.Time, text string) *nacre.Inbound {
	now := time.Now()
	return &nacre.Inbound{Owner: job.Owner, Message: nacre.Message{
		ID: nacre.MessageID(nacre.NewID(now)), Chat: job.Session.Chat, External: externalOf(job, slot), Private: job.Session.Private,
		Sent: now, Received: now, Due: &nacre.Due{Job: job.ID, Kind: job.Kind, Slot: slot.UTC()},
		Segments: []nacre.Segment{{Provenance: nacre.BySystem, Text: text}},
	}}
}

func externalOf(job nacre.Job, slot time.Time) nacre.ExternalID {
	return nacre.ExternalID(fmt.Sprintf("job:%s:%d", job.ID, slot.UnixMilli()))
}

// claimOf takes the next slot of a reminder and says it.
func claimOf(job nacre.Job) nacre.JobClaim {
	c := nacre.JobClaim{Was: job, Job: job, Runs: []nacre.Run{{Slot: job.Next, State: nacre.Done, Attempts: 1}}, Say: saidBy(job, job.Next, job.Text)}
	c.Job.Last, c.Job.Next = job.Next, job.Next.Add(time.Hour)
	return c
}

// taskOf takes the next slot of a task, to be run.
func taskOf(job nacre.Job) nacre.JobClaim {
	c := claimOf(job)
	c.Runs[0].State, c.Runs[0].Attempts, c.Say = nacre.Claimed, 0, nil
	return c
}

func claimed(t testing.TB, l *ledger.Ledger, c nacre.JobClaim) bool {
	t.Helper()
	taken, err := l.Claim(ctx, []nacre.JobClaim{c})
	if err != nil || len(taken) != 1 {
		t.Fatal(taken, err)
	}
	return taken[0]
}

func runsOf(t testing.TB, l *ledger.Ledger, job nacre.Job) []nacre.Run {
	t.Helper()
	runs, err := l.Runs(ctx, job.Owner, job.ID, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// due lists what jobs have said in a session and nobody has answered.
func due(t testing.TB, l *ledger.Ledger, s nacre.SessionInfo) (list []nacre.Message) {
	t.Helper()
	pending, err := l.Pending(ctx, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range pending {
		if m.Due != nil {
			list = append(list, m)
		}
	}
	return list
}

func TestClaimSaysItInTheSession(t *testing.T) {
	dir := t.TempDir()
	l, s := chatting(t, dir)
	job := storedJob(t, l, reminder(s, "water the plants", at(0)))
	c := claimOf(job)
	if !claimed(t, l, c) || c.Say.Session != s || c.Say.Message.Seq == 0 {
		t.Fatalf("it says %+v", c.Say)
	}
	l.Close()

	l = open(t, dir)
	if got := readJob(t, l, job); !alike(got, c.Job) {
		t.Errorf("the job is %+v, want %+v", got, c.Job)
	}
	runs := runsOf(t, l, job)
	if len(runs) != 1 || runs[0].State != nacre.Done || !runs[0].Slot.Equal(at(0)) || runs[0].Owner != s.Owner || runs[0].Ended.IsZero() {
		t.Errorf("its runs: %+v", runs)
	}
	left, err := l.Unanswered(ctx)
	if err != nil || len(left) != 1 || left[0] != s {
		t.Errorf("sessions %v, %v", left, err)
	}
	said := due(t, l, s)
	if len(said) != 1 || *said[0].Due != *c.Say.Message.Due || said[0].Author != (nacre.Address{}) || said[0].Chat != s.Chat ||
		said[0].Segments[0] != c.Say.Message.Segments[0] || said[0].External != externalOf(job, at(0)) {
		t.Errorf("said %+v", said)
	}
	commit(t, l, turnOver([]nacre.Inbound{*c.Say}, "water the plants"))
	if said := due(t, l, s); len(said) != 0 {
		t.Errorf("after the answer: %+v", said)
	}
}

// What is said of a slot is said once; its first slot is what a claim speaks of.
func TestSlotIsSaidOnce(t *testing.T) {
	run := func(minute int, state nacre.RunState) nacre.Run { return nacre.Run{Slot: at(minute), State: state} }
	taken := []nacre.Run{run(0, nacre.Done), run(-60, nacre.Missed)}
	for name, c := range map[string]struct {
		runs []nacre.Run
		said bool
	}{
		"the same slot":                   {[]nacre.Run{run(0, nacre.Done)}, false},
		"another slot":                    {[]nacre.Run{run(60, nacre.Done)}, true},
		"the same slot, and a new missed": {[]nacre.Run{run(0, nacre.Done), run(-120, nacre.Missed)}, false},
		"a new slot, and an old missed":   {[]nacre.Run{run(60, nacre.Done), run(-60, nacre.Missed)}, true},
		"a new missed":                    {[]nacre.Run{run(60, nacre.Missed)}, true},
		"the same missed":                 {[]nacre.Run{run(-60, nacre.Missed)}, false},
		"no slot":                         {nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			l, s := chatting(t, t.TempDir())
			job := storedJob(t, l, reminder(s, "water the plants", at(0)))
			first := nacre.JobClaim{Was: job, Job: job, Runs: taken}
			if !claimed(t, l, first) {
				t.Fatal("not taken")
			}
			before := runsOf(t, l, job)
			again := nacre.JobClaim{Was: job, Job: job, Runs: c.runs, Say: saidBy(job, at(1), "again")}
			again.Job.Failures = 4
			if !claimed(t, l, again) {
				t.Fatal("not taken again")
			}
			if said := due(t, l, s); (len(said) == 1) != c.said || (again.Say.Message.Seq > 0) != c.said {
				t.Errorf("said %+v, want it said: %v", said, c.said)
			}
			if got := readJob(t, l, job); got.Failures != 4 {
				t.Errorf("the job is %+v", got)
			}
			after := runsOf(t, l, job)
			kept := map[int64]nacre.Run{}
			for _, r := range after {
				kept[r.Slot.UnixMilli()] = r
			}
			for _, r := range before {
				if kept[r.Slot.UnixMilli()] != r {
					t.Errorf("the run of %v became %+v", r.Slot, kept[r.Slot.UnixMilli()])
				}
			}
		})
	}
}

// One claim that cannot be carried out keeps none of the others back, and leaves
// nothing.
func TestBadClaimIsLeftOut(t *testing.T) {
	for name, spoil := range map[string]func(*nacre.JobClaim){
		"changed":           func(c *nacre.JobClaim) { c.Was.Failures = 7 },
		"gone":              func(c *nacre.JobClaim) { c.Was.ID = "gone" },
		"of another owner":  func(c *nacre.JobClaim) { c.Was.Owner = "somebody" },
		"no state":          func(c *nacre.JobClaim) { c.Job.State = "asleep" },
		"no run":            func(c *nacre.JobClaim) { c.Runs = append(c.Runs, nacre.Run{Slot: at(5), State: "walking"}) },
		"no such listener":  func(c *nacre.JobClaim) { c.Say.Owner, c.Say.Message.Chat.ID = "somebody", "9" },
		"no id for a reply": func(c *nacre.JobClaim) { c.Say.Message.ID = "taken" },
	} {
		t.Run(name, func(t *testing.T) {
			l, s := chatting(t, t.TempDir())
			used := message(s.Owner, "1001", "2", "hello")
			used.Message.ID = "taken"
			put(t, l, used)
			var claims []nacre.JobClaim
			for range 3 {
				claims = append(claims, claimOf(storedJob(t, l, reminder(s, "water the plants", at(0)))))
			}
			bad := claims[1].Was
			spoil(&claims[1])
			taken, err := l.Claim(ctx, claims)
			if err != nil || !taken[0] || taken[1] || !taken[2] {
				t.Fatalf("taken %v, %v", taken, err)
			}
			if got := readJob(t, l, bad); !alike(got, bad) || len(runsOf(t, l, bad)) != 0 || claims[1].Say.Message.Seq != 0 {
				t.Errorf("the bad one left %+v, %+v", got, runsOf(t, l, bad))
			}
			if said := due(t, l, s); len(said) != 2 {
				t.Errorf("said %+v", said)
			}
			alone, err := l.Claim(ctx, claims[1:2])
			if changed := name == "changed" || name == "gone" || name == "of another owner"; (err == nil) != changed || len(alone) == 1 && alone[0] {
				t.Errorf("alone: %v, %v", alone, err)
			}
		})
	}
}

// TestClaimsOfOneSlotAreTakenOnce lets many clocks claim the same slots at once.
func TestClaimsOfOneSlotAreTakenOnce(t *testing.T) {
	const many, clocks = 20, 8
	l, s := chatting(t, t.TempDir())
	all := make([]nacre.Job, many)
	for i := range all {
		all[i] = storedJob(t, l, reminder(s, "water the plants", at(i)))
	}
	var taken [many]atomic.Int32
	var ticking sync.WaitGroup
	for clock := range clocks {
		ticking.Go(func() {
			var claims []nacre.JobClaim
			for i := range all {
				claims = append(claims, claimOf(all[(i+clock)%many]))
			}
			got, err := l.Claim(ctx, claims)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range got {
				if said := claims[i].Say.Message.Seq > 0; got[i] != said {
					t.Errorf("taken %v, and said %v", got[i], said)
				}
				if got[i] {
					taken[(i+clock)%many].Add(1)
				}
			}
		})
	}
	ticking.Wait()
	for i := range all {
		if n := taken[i].Load(); n != 1 || len(runsOf(t, l, all[i])) != 1 {
			t.Errorf("job %d was taken %d times, with runs %+v", i, n, runsOf(t, l, all[i]))
		}
	}
	if said := due(t, l, s); len(said) != many {
		t.Errorf("said %d times", len(said))
	}
}

func TestOldRunsArePruned(t *testing.T) {
	const kept = 200
	l, s := chatting(t, t.TempDir())
	job := storedJob(t, l, reminder(s, "water the plants", at(0)))
	other := storedJob(t, l, reminder(s, "feed the cat", at(0)))
	claimed(t, l, claimOf(other))
	claimed(t, l, taskOf(job)) // which stays open
	for range kept + 20 {
		if !claimed(t, l, claimOf(readJob(t, l, job))) {
			t.Fatal("not taken")
		}
	}
	runs := runsOf(t, l, job)
	if len(runs) != kept+1 || !runs[0].Slot.Equal(at(60*(kept+20))) || !runs[kept-1].Slot.Equal(at(60*21)) || runs[kept].State != nacre.Claimed {
		t.Errorf("%d runs, from %+v to %+v", len(runs), runs[0], runs[len(runs)-1])
	}
	if runs := runsOf(t, l, other); len(runs) != 1 {
		t.Errorf("the other job has %d runs", len(runs))
	}
}
