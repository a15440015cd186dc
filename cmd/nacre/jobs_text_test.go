package main

import (
	"strings"
	"testing"

	"nacre"
	"nacre/agent/reflect"
	"nacre/web"
)

// plants is a task with everything that can be said of one.
var plants = web.Job{ID: "j12", Number: 12, Kind: nacre.Task, Text: "water\nthe plants", State: nacre.Active, Schedule: nacre.Schedule{Kind: nacre.Cron},
	When: "every Monday at 08:00 (Europe/Vienna)", NextWords: "Mon 3 Aug 2026, 08:00 (Europe/Vienna), in 6 days",
	LastWords: "Mon 27 Jul 2026, 08:00 (Europe/Vienna), 30 hours ago", Place: "in your private chat on telegram", Grace: "12 hours",
	Failures: 2, MayPlan: true, Made: noon}

func TestJobsText(t *testing.T) {
	once := web.Job{Number: 3, Kind: nacre.Reminder, Text: "call\x1b[31m mum\u202e", State: nacre.Active, Schedule: nacre.Schedule{Kind: nacre.Once},
		When: "once on Tue 28 Jul 2026 at 14:00 (UTC)", NextWords: "Tue 28 Jul 2026, 14:00 (UTC), in 2 hours"}
	heart := web.Job{Number: 1, Kind: nacre.Heartbeat, Text: "x", State: nacre.Paused, When: "every 30 minutes, counted from then"}
	gone := web.Job{Number: 4, Kind: nacre.Reminder, State: nacre.Parked, When: "never"}
	list := web.JobListing{Jobs: []web.Job{heart, once, gone, plants}, Over: 2, Aside: 1}
	if got, want := jobsText(list, 0), ` 1  Heartbeat
    every 30 minutes, counted from then
    paused
 3  Reminder: call [31m mum
    once on Tue 28 Jul 2026, 14:00 (UTC), in 2 hours
 4  Reminder: (its words cannot be read any more)
    never
    put aside; resume it to hear why
12  Task: water the plants
    every Monday at 08:00 (Europe/Vienna)
    next Mon 3 Aug 2026, 08:00 (Europe/Vienna), in 6 days

4 jobs.
2 more are over: nacre jobs list --all
1 batch of messages could not be read back: nacre jobs aside
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := jobsText(web.JobListing{}, 80); got != "No jobs. Make one with: nacre jobs add \"tomorrow 9:00 call mum\"\n" {
		t.Errorf("an empty list is %q", got)
	}
}

// Titles are cut to the screen, times are not.
func TestJobsTextFitsTheScreen(t *testing.T) {
	job := plants
	job.Text = strings.Repeat("water ", 20)
	got := jobsText(web.JobListing{Jobs: []web.Job{job}}, 40)
	if title, rest, _ := strings.Cut(got, "\n"); len([]rune(title)) != 40 || !strings.HasSuffix(title, "…") || !strings.Contains(rest, plants.NextWords) {
		t.Errorf("on 40 columns it is\n%s", got)
	}
	for _, width := range []int{0, 20} { // a pipe, and a screen too narrow to be of use
		if got := jobsText(web.JobListing{Jobs: []web.Job{job}}, width); strings.Contains(got, "…") {
			t.Errorf("with %d columns it is cut:\n%s", width, got)
		}
	}
}

func TestJobSheetText(t *testing.T) {
	runs := []web.JobRun{
		{Slot: noon, State: nacre.Done, Words: "done", TookMS: 2140, Attempts: 2, Used: "3 calls, $0.02"},
		{Slot: noon.AddDate(0, 0, -7), State: nacre.Missed, Words: "missed: too late to be made up for, 3 times", ByHand: true},
	}
	if got, want := jobSheetText(web.JobSheet{Job: plants, Runs: runs}), `12  Task: water the plants

When      every Monday at 08:00 (Europe/Vienna)
Next      Mon 3 Aug 2026, 08:00 (Europe/Vienna), in 6 days
Last      Mon 27 Jul 2026, 08:00 (Europe/Vienna), 30 hours ago
State     active
Speaks    in your private chat on telegram
Grace     a missed time is made up for within 12 hours
Planning  it may make and change jobs by itself
Failed    2 times in a row
Made      2026-07-28 12:00
Id        j12

Runs:
  2026-07-28 12:00  done, 2.1s, 2 attempts                                3 calls, $0.02
  2026-07-21 12:00  missed: too late to be made up for, 3 times, by hand
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRunsText(t *testing.T) {
	runs := []web.JobRun{
		{Slot: noon, Words: "done", Job: 12, Name: "water the plants"},
		{Slot: noon, Words: "nothing to say", Name: "reading back", Used: "1 call, 120 tokens in, 4 out, price unknown"},
		{Slot: noon, Words: "failed: a fault inside", Job: 3, Name: strings.Repeat("long ", 20)},
	}
	if got, want := runsText(runs, true), `2026-07-28 12:00  done                    12 water the plants
2026-07-28 12:00  nothing to say          reading back  1 call, 120 tokens in, 4 out, price unknown
2026-07-28 12:00  failed: a fault inside  3 long long long long long long long long…
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := runsText(nil, true); got != "Nothing ran yet.\n" {
		t.Errorf("no runs are %q", got)
	}
}

// Every state and code of a run has words, and a strange code is shown.
func TestWordsOfRuns(t *testing.T) {
	for want, r := range map[string]nacre.Run{
		"about to run":                        {State: nacre.Claimed},
		"running":                             {State: nacre.Running},
		"done":                                {State: nacre.Done},
		"nothing to say":                      {State: nacre.Quiet},
		"interrupted twice":                   {State: nacre.Broken},
		"failed: it took too long":            {State: nacre.Failure, Reason: "deadline"},
		"failed: bad answer":                  {State: nacre.Failure, Reason: "bad_answer"},
		"missed: the run before was not over": {State: nacre.Missed, Reason: "busy"},
		"missed: a later one makes up for it, 17 times": {State: nacre.Missed, Reason: "made up x17"},
	} {
		if got := ranWords(r); got != want {
			t.Errorf("%s %q is told as %q, want %q", r.State, r.Reason, got, want)
		}
	}
}

func TestAsideText(t *testing.T) {
	batches := []web.AsideBatch{{First: 41, Through: 80, Failures: 3, Words: "the model's answer could not be read", At: noon}}
	if got, want := asideText(batches), `2026-07-28 12:00  messages 41 to 80 of the inbox, tried 3 times: the model's answer could not be read

nacre jobs aside --again reads them now.
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for want, r := range map[string]reflect.Report{
		"Read 40 messages: 2 notes are new or better founded.":                                          {Messages: 40, Learned: 2, Reason: "read"},
		"Read 1 message: no notes are new or better founded, and 1 waits for you: nacre memory review.": {Messages: 1, Waiting: 1, Reason: "read"},
		"Nothing was read: the budget is used up.":                                                      {Reason: "budget"},
	} {
		if got := againText(r); got != want {
			t.Errorf("%+v is told as %q, want %q", r, got, want)
		}
	}
}

// Who makes the heartbeat look is not left waiting for words.
func TestDoneText(t *testing.T) {
	for _, c := range []struct {
		job  web.Job
		want string
	}{
		{web.Job{Number: 1, Kind: nacre.Heartbeat}, "I look now, and write only if there is something to tell: 1  Heartbeat\n"},
		{web.Job{Number: 1, Kind: nacre.Heartbeat, Waits: true}, "It runs as soon as Nacre does: 1  Heartbeat\n"},
		{web.Job{Number: 2, Kind: nacre.Task, Text: "look"}, "It runs now: 2  Task: look\n"},
	} {
		if got := doneText(web.RunJob, c.job); got != c.want {
			t.Errorf("it says %q, want %q", got, c.want)
		}
	}
}
