package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

func at(t testing.TB, text string) time.Time {
	t.Helper()
	m, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// show writes a claim as its runs, what it says, and when the job is due next.
func show(c nacre.JobClaim) string {
	var b strings.Builder
	for _, r := range c.Runs {
		fmt.Fprintf(&b, "%s %s", r.Slot.UTC().Format("02T15:04"), r.State)
		if r.Reason != "" {
			fmt.Fprintf(&b, " (%s)", r.Reason)
		}
		b.WriteString("\n")
	}
	if c.Say != nil {
		fmt.Fprintf(&b, "says %q as %s\n", c.Say.Message.Segments[0].Text, c.Say.Message.External)
	}
	fmt.Fprintf(&b, "last %s, %s", c.Job.Last.UTC().Format("02T15:04"), c.Job.State)
	if !c.Job.Next.IsZero() {
		fmt.Fprintf(&b, ", next %s", c.Job.Next.UTC().Format("02T15:04"))
	}
	return b.String()
}

func TestDecide(t *testing.T) {
	vienna := loadZone(t, "Europe/Vienna")
	hourly, daily := cron("0 * * * *", ""), cron("0 9 * * *", "")
	once := nacre.Schedule{Kind: nacre.Once, At: at(t, "2026-11-30T08:00:00Z")}
	halves := nacre.Schedule{Kind: nacre.Every, Every: 30 * time.Minute, At: at(t, "2026-11-30T07:00:00Z")}
	for _, c := range []struct {
		name     string
		kind     nacre.JobKind
		schedule nacre.Schedule
		next     string
		now      string
		open     bool
		want     string
	}{
		{"on time", nacre.Reminder, daily, "30T08:00", "30T08:00:00", false,
			`30T08:00 done|says "⏰ tea" as job:j:1796025600000|last 30T08:00, active, next 01T08:00`},
		{"a minute late is on time", nacre.Reminder, daily, "30T08:00", "30T08:01:00", false,
			`30T08:00 done|says "⏰ tea" as job:j:1796025600000|last 30T08:00, active, next 01T08:00`},
		{"late", nacre.Reminder, daily, "30T08:00", "30T08:01:01", false,
			`30T08:00 done|says "⏰ (due at Mon 30 Nov 2026, 09:00) tea" as job:j:1796025600000|last 30T08:00, active, next 01T08:00`},
		{"late by the grace period", nacre.Reminder, once, "30T08:00", "30T20:00:00", false,
			`30T08:00 done|says "⏰ (due at Mon 30 Nov 2026, 09:00) tea" as job:j:1796025600000|last 30T08:00, finished`},
		{"too late", nacre.Reminder, daily, "30T08:00", "30T20:00:01", false,
			`30T08:00 missed (late)|says "I was not running on Mon 30 Nov 2026, 09:00, so I left out: tea\nNext time: Tue 1 Dec 2026, 09:00 (Europe/Vienna), in 12 hours" as job:j:1796025600000|last 30T08:00, active, next 01T08:00`},
		{"once and too late", nacre.Reminder, once, "30T08:00", "30T20:00:01", false,
			`30T08:00 missed (late)|says "I was not running on Mon 30 Nov 2026, 09:00, so I left out: tea" as job:j:1796025600000|last 30T08:00, finished`},
		{"several late", nacre.Reminder, hourly, "30T06:00", "30T08:30:00", false,
			`30T08:00 done|30T07:00 missed (made up x2)|says "⏰ (due at Mon 30 Nov 2026, 09:00; 2 times before that left out) tea" as job:j:1796025600000|last 30T08:00, active, next 30T09:00`},
		{"the newest on time, one late", nacre.Reminder, hourly, "30T07:00", "30T08:00:00", false,
			`30T08:00 done|30T07:00 missed (made up)|says "⏰ (once before that left out) tea" as job:j:1796025600000|last 30T08:00, active, next 30T09:00`},
		{"several too late", nacre.Reminder, daily, "27T08:00", "30T07:00:00", false,
			`29T08:00 missed (late x3)|says "I was not running on Sun 29 Nov 2026, 09:00 and 2 times before that, so I left out: tea\nNext time: Mon 30 Nov 2026, 09:00 (Europe/Vienna), in 60 minutes" as job:j:1795939200000|last 29T08:00, active, next 30T08:00`},
		{"a slot that its schedule does not name any more", nacre.Reminder, daily, "30T03:30", "30T03:30:00", false,
			`30T03:30 done|says "⏰ tea" as job:j:1796009400000|last 30T03:30, active, next 30T08:00`},
		{"a task", nacre.Task, daily, "30T08:00", "30T08:00:00", false,
			`30T08:00 claimed|last 30T08:00, active, next 01T08:00`},
		{"a late task", nacre.Task, hourly, "30T06:00", "30T08:30:00", false,
			`30T08:00 claimed|30T07:00 missed (made up x2)|last 30T08:00, active, next 30T09:00`},
		{"a task too late", nacre.Task, once, "30T08:00", "30T20:00:01", false,
			`30T08:00 missed (late)|says "I was not running on Mon 30 Nov 2026, 09:00, so I left out: tea" as job:j:1796025600000|last 30T08:00, finished`},
		{"a task while it runs", nacre.Task, hourly, "30T07:00", "30T08:00:30", true,
			`30T08:00 missed (busy x2)|last 30T08:00, active, next 30T09:00`},
		{"a reminder while it was run by hand", nacre.Reminder, daily, "30T08:00", "30T08:00:00", true,
			`30T08:00 done|says "⏰ tea" as job:j:1796025600000|last 30T08:00, active, next 01T08:00`},
		{"a heartbeat", nacre.Heartbeat, halves, "30T08:00", "30T08:00:00", false,
			`30T08:00 claimed|last 30T08:00, active, next 30T08:30`},
		{"a late heartbeat", nacre.Heartbeat, halves, "30T08:00", "30T08:01:01", false,
			`last 30T08:00, active, next 30T08:30`},
		{"heartbeats missed over night", nacre.Heartbeat, halves, "29T20:00", "30T08:00:10", false,
			`30T08:00 claimed|last 30T08:00, active, next 30T08:30`},
		{"a heartbeat while one is going on", nacre.Heartbeat, halves, "30T08:00", "30T08:00:00", true,
			`last 30T08:00, active, next 30T08:30`},
	} {
		t.Run(c.name, func(t *testing.T) {
			next := at(t, "2026-11-"+c.next+":00Z")
			job := nacre.Job{ID: "j", Owner: "o", Kind: c.kind, Schedule: c.schedule, Text: "tea", State: nacre.Active, Grace: 12 * time.Hour, Next: next}
			claim := jobs.Decide(job, vienna, at(t, "2026-11-"+c.now+"Z"), c.open)
			if got := strings.ReplaceAll(show(claim), "\n", "|"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if claim.Was != job {
				t.Error("the claim does not say what it was decided on")
			}
		})
	}
}

func TestSpread(t *testing.T) {
	utc, kolkata := time.UTC, loadZone(t, "Asia/Kolkata") // 05:30 ahead
	top, half := at(t, "2026-11-30T08:00:00Z"), at(t, "2026-11-30T08:30:00Z")
	seen := map[time.Duration]bool{}
	for i := range 200 {
		job := nacre.Job{ID: nacre.JobID(nacre.NewID(time.UnixMilli(int64(i))))}
		d := jobs.Spread(job, top, utc)
		if d < 0 || d > 2*time.Minute || d != jobs.Spread(job, top.Add(time.Hour), utc) {
			t.Fatalf("%v after the hour, then %v", d, jobs.Spread(job, top.Add(time.Hour), utc))
		}
		if d := jobs.Spread(job, half, utc); d != 0 {
			t.Fatalf("%v after the half hour", d)
		}
		if jobs.Spread(job, half, kolkata) != d || jobs.Spread(job, top, kolkata) != 0 {
			t.Fatal("the top of the hour is not that of the job's zone")
		}
		seen[d] = true
	}
	if len(seen) < 60 {
		t.Errorf("200 tasks begin at only %d moments", len(seen))
	}
}

func TestReplanned(t *testing.T) {
	vienna, now := loadZone(t, "Europe/Vienna"), at(t, "2026-11-30T10:00:00Z")
	right := at(t, "2026-12-01T08:00:00Z")
	for _, c := range []struct {
		name  string
		next  time.Time
		state nacre.JobState
		zone  string
		want  time.Time
	}{
		{"right already", right, nacre.Active, "", right},
		{"by the clock of another zone", right.Add(-3 * time.Hour), nacre.Active, "", right},
		{"a zone of its own", right, nacre.Active, "America/New_York", at(t, "2026-11-30T14:00:00Z")},
		{"far in a future that was an error", right.AddDate(1, 0, 0), nacre.Active, "", right},
		{"due", now, nacre.Active, "", now},
		{"paused", right.AddDate(1, 0, 0), nacre.Paused, "", right.AddDate(1, 0, 0)},
	} {
		job := nacre.Job{Kind: nacre.Reminder, Text: "tea", State: c.state, Next: c.next, Schedule: cron("0 9 * * *", c.zone)}
		got, moved := jobs.Replanned(job, vienna, now)
		if !got.Next.Equal(c.want) || moved == c.want.Equal(c.next) {
			t.Errorf("%s: next %s (moved: %v), want %s", c.name, got.Next, moved, c.want)
		}
	}
}
