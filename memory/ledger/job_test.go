package ledger_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
	"nacre/memory"
	"nacre/memory/ledger"
)

var _ jobs.Store = (*ledger.Ledger)(nil)

// at is a moment to which jobs are stored exactly.
func at(minute int) time.Time {
	return time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(minute) * time.Minute)
}

// reminder makes a job of a session that is due every hour.
func reminder(s nacre.SessionInfo, text string, next time.Time) nacre.Job {
	return nacre.Job{ID: nacre.JobID(nacre.NewID(time.Now())), Owner: s.Owner, Session: s, Kind: nacre.Reminder, State: nacre.Active, Text: text,
		Schedule: nacre.Schedule{Kind: nacre.Every, At: next, Every: time.Hour, Zone: "Europe/Vienna"},
		Made:     time.Now(), Next: next, Grace: 12 * time.Hour}
}

func storedJob(t testing.TB, l *ledger.Ledger, job nacre.Job) nacre.Job {
	t.Helper()
	job, err := l.PutJob(ctx, job)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

func readJob(t testing.TB, l *ledger.Ledger, job nacre.Job) nacre.Job {
	t.Helper()
	job, err := l.Job(ctx, job.Owner, job.ID)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// chatting opens a ledger in which an owner has written once.
func chatting(t testing.TB, dir string) (*ledger.Ledger, nacre.SessionInfo) {
	t.Helper()
	l := open(t, dir)
	return l, put(t, l, message(owners(t, l, "1001", "1002")[0], "1001", "1", "hello"))[0].Session
}

// alike compares jobs as they are stored: to the millisecond.
func alike(a, b nacre.Job) bool {
	for _, j := range []*nacre.Job{&a, &b} {
		for _, at := range []*time.Time{&j.Schedule.At, &j.Made, &j.Next, &j.Last} {
			*at = at.Truncate(time.Millisecond).UTC()
		}
	}
	return a == b
}

func TestJobComesBackAsItWasPut(t *testing.T) {
	dir := t.TempDir()
	l, s := chatting(t, dir)
	first, second := reminder(s, "water the plants", at(0)), reminder(s, "", time.Time{})
	first.Last, first.Failures, first.MayPlan, first.Strange, first.Chosen = at(-60), 3, true, true, true
	second.Kind, second.State, second.Schedule = nacre.Task, nacre.Finished, nacre.Schedule{Kind: nacre.Cron, Cron: "0 9 * * 1-5"}
	first, second = storedJob(t, l, first), storedJob(t, l, second)
	if first.Number != 1 || second.Number != 2 {
		t.Errorf("numbers %d and %d", first.Number, second.Number)
	}
	for name, bytes := range bytesIn(t, dir) {
		if strings.Contains(string(bytes), "water the") {
			t.Errorf("%s holds the words of a job", name)
		}
	}
	l.Close()

	l = open(t, dir)
	for _, want := range []nacre.Job{first, second} {
		if got := readJob(t, l, want); !alike(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	list, err := l.Jobs(ctx, s.Owner)
	if err != nil || len(list) != 2 || !alike(list[0], first) || !alike(list[1], second) {
		t.Errorf("listed %+v, %v", list, err)
	}
	other := owners(t, l, "1001", "1002")[1]
	if _, err := l.Job(ctx, other, first.ID); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("another owner's job: %v", err)
	}
	if list, err := l.Jobs(ctx, other); err != nil || len(list) != 0 {
		t.Errorf("another owner's jobs: %v, %v", list, err)
	}
}

func TestJobNumbersAreNeverGivenTwice(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	other := put(t, l, message(owners(t, l, "1001", "1002")[1], "1002", "2", "hello"))[0].Session
	numbers := make([]int, 20)
	var making sync.WaitGroup
	for i := range numbers {
		making.Go(func() {
			if job, err := l.PutJob(ctx, reminder(s, "x", at(0))); err == nil {
				numbers[i] = job.Number
			}
		})
	}
	making.Wait()
	seen := map[int]bool{}
	for _, n := range numbers {
		if seen[n] = true; n < 1 || n > 20 {
			t.Errorf("number %d", n)
		}
	}
	list, err := l.Jobs(ctx, s.Owner)
	if len(seen) != 20 || len(list) != 20 || err != nil {
		t.Fatalf("%d numbers, %d jobs, %v", len(seen), len(list), err)
	}
	must(t, l.DropJob(ctx, s.Owner, list[19].ID))
	if job := storedJob(t, l, reminder(s, "x", at(0))); job.Number != 21 {
		t.Errorf("after the last was dropped: number %d", job.Number)
	}
	if job := storedJob(t, l, reminder(other, "x", at(0))); job.Number != 1 {
		t.Errorf("the first of another owner: number %d", job.Number)
	}
	if all, err := l.Active(ctx); err != nil || len(all) != 21 {
		t.Errorf("%d jobs of everybody, %v", len(all), err)
	}
}

func TestOwnerHasOneHeartbeat(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	beat := reminder(s, "", at(0))
	beat.Kind = nacre.Heartbeat
	storedJob(t, l, beat)
	beat.ID = "another"
	if _, err := l.PutJob(ctx, beat); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("a second heartbeat: %v", err)
	}
	if list, err := l.Jobs(ctx, s.Owner); err != nil || len(list) != 1 {
		t.Errorf("%d jobs, %v", len(list), err)
	}
}

func TestChangeOfWhatAJobIsNoMore(t *testing.T) {
	for name, change := range map[string]func(*nacre.Job){
		"text":     func(j *nacre.Job) { j.Text = "feed the cat" },
		"schedule": func(j *nacre.Job) { j.Schedule.Every = 2 * time.Hour },
		"state":    func(j *nacre.Job) { j.State = nacre.Paused },
		"next":     func(j *nacre.Job) { j.Next = at(1) },
		"no next":  func(j *nacre.Job) { j.Next = time.Time{} },
		"last":     func(j *nacre.Job) { j.Last = at(1) },
		"failures": func(j *nacre.Job) { j.Failures = 1 },
		"kind":     func(j *nacre.Job) { j.Kind = nacre.Task },
		"grace":    func(j *nacre.Job) { j.Grace = time.Hour },
		"may plan": func(j *nacre.Job) { j.MayPlan = true },
		"strange":  func(j *nacre.Job) { j.Strange = true },
		"chosen":   func(j *nacre.Job) { j.Chosen = true },
	} {
		t.Run(name, func(t *testing.T) {
			l, s := chatting(t, t.TempDir())
			was := storedJob(t, l, reminder(s, "water the plants", at(0)))
			job := was
			change(&job)
			must(t, l.ChangeJob(ctx, was, job))
			if got := readJob(t, l, job); !alike(got, job) {
				t.Errorf("changed to %+v, want %+v", got, job)
			}
			late := was
			late.Failures = 9
			if err := l.ChangeJob(ctx, was, late); nacre.KindOf(err) != nacre.Conflict {
				t.Errorf("a change of what it was before: %v", err)
			}
			if claimed(t, l, claimOf(was)) {
				t.Error("what it was before is taken")
			}
			if got := readJob(t, l, job); !alike(got, job) {
				t.Errorf("then it is %+v, want %+v", got, job)
			}
			must(t, l.ChangeJob(ctx, readJob(t, l, job), late))
		})
	}
}

// An old copy of the database still reads what a job said before, until something
// is forgotten, whatever that is.
func TestWordsOfJobsAreDestroyed(t *testing.T) {
	for _, dropped := range []bool{true, false} {
		l, s := chatting(t, t.TempDir())
		stays := storedJob(t, l, reminder(s, "feed the cat", at(0)))
		was := storedJob(t, l, reminder(s, "water the plants", at(0)))
		copied, err := l.Copy(s.Owner)
		must(t, err)
		if dropped {
			must(t, l.DropJob(ctx, s.Owner, was.ID))
		} else {
			job := was
			job.Text = "water the trees"
			must(t, l.ChangeJob(ctx, was, job))
		}
		for _, c := range copied {
			if !l.Opens(s.Owner, c) {
				t.Errorf("dropped %v: an old copy of %s does not open, though nothing was forgotten", dropped, c.Plain)
			}
		}
		_, _, err = l.Erase(ctx, s.Owner, memory.Erasure{ID: nacre.NewID(time.Now()), Size: memory.SizeSaid, Writer: memory.ByCommand, Needle: &memory.Needle{Marks: []string{"zqxkiko"}}})
		must(t, err)
		for _, c := range copied {
			if opens := l.Opens(s.Owner, c); opens == strings.Contains(c.Plain, "plants") {
				t.Errorf("dropped %v: an old copy of %s opens: %v", dropped, c.Plain, opens)
			}
		}
		if got := readJob(t, l, stays); got.Text != "feed the cat" {
			t.Errorf("dropped %v: the other one says %q", dropped, got.Text)
		}
		if _, err := l.Job(ctx, s.Owner, was.ID); dropped == (err == nil) {
			t.Errorf("dropped %v: reads as %v", dropped, err)
		}
	}
}

func TestDropOfNoJob(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	job := storedJob(t, l, reminder(s, "water the plants", at(0)))
	other := owners(t, l, "1001", "1002")[1]
	for owner, id := range map[nacre.OwnerID]nacre.JobID{s.Owner: "none", other: job.ID} {
		if err := l.DropJob(ctx, owner, id); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("dropped %s: %v", id, err)
		}
	}
	if got := readJob(t, l, job); got.Text != job.Text {
		t.Errorf("it says %q", got.Text)
	}
}

// A job of which something cannot be read is still there; what is changed of it
// leaves that alone.
func TestDamagedJobIsNotLost(t *testing.T) {
	for column, damage := range map[string]string{"schedule": "'{\"kind\":\"ev'", "sealed": "x'0011'"} {
		dir := t.TempDir()
		l, s := chatting(t, dir)
		job := storedJob(t, l, reminder(s, "water the plants", at(0)))
		storedJob(t, l, reminder(s, "feed the cat", at(0)))
		l.Close()
		execute(t, dir, "UPDATE jobs SET "+column+" = "+damage+" WHERE number = 1")

		l = open(t, dir)
		list, err := l.Jobs(ctx, s.Owner)
		if err != nil || len(list) != 2 || list[1].Text != "feed the cat" {
			t.Fatalf("%s: listed %+v, %v", column, list, err)
		}
		got := list[0]
		if got.ID != job.ID || (got.Text == "") != (column == "sealed") || (got.Schedule == nacre.Schedule{}) != (column == "schedule") {
			t.Errorf("%s: read as %+v", column, got)
		}
		parked := got
		parked.State = nacre.Parked
		must(t, l.ChangeJob(ctx, got, parked))
		if now := readJob(t, l, job); !alike(now, parked) {
			t.Errorf("%s: changed to %+v", column, now)
		}
		var kept bool
		must(t, database(t, dir).QueryRow("SELECT "+column+" = "+damage+" FROM jobs WHERE number = 1").Scan(&kept))
		if !kept {
			t.Errorf("%s was written over", column)
		}
		mended := parked
		mended.Text, mended.Schedule, mended.State = "water the trees", job.Schedule, nacre.Active
		must(t, l.ChangeJob(ctx, parked, mended))
		if now := readJob(t, l, job); !alike(now, mended) {
			t.Errorf("%s: mended to %+v", column, now)
		}
	}
}

func TestDue(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	if next, err := l.NextDue(ctx); err != nil || !next.IsZero() {
		t.Errorf("without jobs the next is due %v, %v", next, err)
	}
	for _, j := range []struct {
		text   string
		state  nacre.JobState
		minute int
	}{{"later", nacre.Active, 3}, {"first", nacre.Active, 1}, {"second", nacre.Active, 2}, {"paused", nacre.Paused, 0},
		{"disabled", nacre.Disabled, 0}, {"parked", nacre.Parked, 0}, {"finished", nacre.Finished, 0}} {
		job := reminder(s, j.text, at(j.minute))
		job.State = j.state
		storedJob(t, l, job)
	}
	never := reminder(s, "never", time.Time{})
	storedJob(t, l, never)
	if next, err := l.NextDue(ctx); err != nil || !next.Equal(at(1)) {
		t.Errorf("the next is due %v, %v", next, err)
	}
	for _, c := range []struct {
		now  time.Time
		most int
		want string
	}{{at(2), 10, "first second"}, {at(2).Add(-time.Millisecond), 10, "first"}, {at(0), 10, ""}, {at(9), 2, "first second"}, {at(9), 10, "first second later"}} {
		due, err := l.Due(ctx, c.now, c.most)
		var got []string
		for _, j := range due {
			got = append(got, j.Text)
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("due at %v: %v, %v; want %s", c.now, got, err, c.want)
		}
	}
}

// A group that goes on under another id takes its jobs along, also if somebody
// has written there already.
func TestJobsGoWithTheirChat(t *testing.T) {
	for _, known := range []bool{false, true} {
		l, s := chatting(t, t.TempDir())
		job := storedJob(t, l, reminder(s, "water the plants", at(0)))
		to := s.Chat
		to.ID = "2002"
		if known {
			put(t, l, message(s.Owner, "2002", "2", "hello"))
		}
		must(t, l.MoveChat(ctx, s.Chat, to))
		got := readJob(t, l, job)
		if got.Session.Chat != to || got.Text != job.Text || known == (got.Session.ID == s.ID) {
			t.Errorf("known %v: the job is in %+v", known, got.Session)
		}
	}
}
