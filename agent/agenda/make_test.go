package agenda_test

import (
	"fmt"
	"testing"
	"time"

	"nacre"
)

func TestToolsThatMake(t *testing.T) {
	cases := []struct{ name, tool, args, want string }{
		{"words", "remind", `{"text":"call mum","when":"tomorrow at 9"}`, "⏰ 1. Sun 2 Jan 2000, 09:00 (Europe/Vienna), in 23 hours: call mum"},
		{"a sentence alone", "remind", `{"when":"remind me tomorrow at 9 to call mum"}`, "⏰ 1. Sun 2 Jan 2000, 09:00 (Europe/Vienna), in 23 hours: call mum"},
		{"words that repeat the text", "remind", `{"text":"Call mum","when":"tomorrow at 9 call mum"}`, "⏰ 1. Sun 2 Jan 2000, 09:00 (Europe/Vienna), in 23 hours: Call mum"},
		{"German words", "remind", `{"text":"Mama anrufen","when":"morgen um 9"}`, "⏰ 1. Sun 2 Jan 2000, 09:00 (Europe/Vienna), in 23 hours: Mama anrufen"},
		{"in minutes", "remind", `{"text":"tea","when":"in 20 minutes"}`, "⏰ 1. Sat 1 Jan 2000, 10:20 (Europe/Vienna), in 20 minutes: tea"},
		{"on the own clock", "remind", `{"text":"tea","when":"2000-01-01 18:00"}`, "⏰ 1. Sat 1 Jan 2000, 18:00 (Europe/Vienna), in 8 hours: tea"},
		{"on another clock", "remind", `{"text":"tea","when":"2000-01-02 18:00","zone":"Asia/Tokyo"}`, "⏰ 1. Sun 2 Jan 2000, 18:00 (Asia/Tokyo), in 24 hours: tea"},
		{"an instant", "remind", `{"text":"tea","when":"2000-01-01T18:00:00Z"}`, "⏰ 1. Sat 1 Jan 2000, 19:00 (Europe/Vienna), in 9 hours: tea"},
		{"every hour", "remind", `{"text":"drink","when":"every 60 minutes"}`, "⏰ 1. every hour, counted from Sat 1 Jan 2000 at 11:00 (Europe/Vienna), next Sat 1 Jan 2000, 11:00 (Europe/Vienna), in 60 minutes: drink"},
		{"cron", "remind", `{"text":"bins","when":"0  8 * * 1"}`, "⏰ 1. every Monday at 08:00 (Europe/Vienna), next Mon 3 Jan 2000, 08:00 (Europe/Vienna), in 46 hours: bins"},
		{"cron elsewhere", "schedule", `{"text":"read the news","when":"0 9 * * *","zone":"Asia/Shanghai"}`, "⏰ Task 1. every day at 09:00 (Asia/Shanghai), next Sun 2 Jan 2000, 09:00 (Asia/Shanghai), in 16 hours: read the news"},
		{"a task by words", "schedule", `{"text":"sum up my plans","when":"every Monday at 8"}`, "⏰ Task 1. every Monday at 08:00 (Europe/Vienna), next Mon 3 Jan 2000, 08:00 (Europe/Vienna), in 46 hours: sum up my plans"},
		{"Markdown", "remind", `{"text":"_a_ *b*\nc","when":"in 20 minutes"}`, `⏰ 1. Sat 1 Jan 2000, 10:20 (Europe/Vienna), in 20 minutes: \_a\_ \*b\*<br>c`},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			in(t, func(w *world) {
				r := w.must(w.private().says("as I say"), tc.tool, tc.args)
				if r.Tell != tc.want {
					t.Errorf("the person reads %q, want %q", r.Tell, tc.want)
				}
				wantText(t, r.Text, tc.want)
				if n := len(w.jobs(w.ann)); n != 1 {
					t.Errorf("%d jobs are there", n)
				}
			})
		})
	}
}

func TestToolsThatRefuse(t *testing.T) {
	cases := []struct {
		name, tool, args, want string
	}{
		{"no time", "remind", `{"text":"tea"}`, "I do not see when. Say when"},
		{"two times", "remind", `{"text":"tea","when":"in 5 minutes and at 8"}`, ""},
		{"no words", "remind", `{"when":"in 5 minutes"}`, "I do not see what it is about."},
		{"blank words", "schedule", `{"text":"  ","when":"in 5 minutes"}`, "I do not see what it is about."},
		{"unknown field", "remind", `{"text":"tea","in_hours":5}`, "schema"},
		{"no object", "remind", `[]`, "schema"},
		{"unknown zone", "remind", `{"text":"tea","when":"0 8 * * *","zone":"Mars/Olympus"}`, "no time zone"},
		{"this machine's zone", "remind", `{"text":"tea","when":"0 8 * * *","zone":"Local"}`, "no time zone"},
		{"past", "remind", `{"text":"tea","when":"1999-12-31 18:00"}`, "past"},
		{"no such day", "remind", `{"text":"tea","when":"2000-02-30 18:00"}`, ""},
		{"a time that is left out", "remind", `{"text":"tea","when":"2000-03-26 02:30"}`, "does not exist in Europe/Vienna"},
		{"bad cron", "remind", `{"text":"tea","when":"0 8 * * MOO"}`, "cron expression cannot be read"},
		{"every minute", "schedule", `{"text":"tea","when":"every 1 minutes"}`, "15 minutes is the least"},
		{"too far", "remind", `{"text":"tea","when":"in 52560010 minutes"}`, ""},
		{"six fields", "remind", `{"text":"tea","when":"* * * * * *"}`, "6 fields"},
		{"words that say no time", "remind", `{"text":"tea","when":"some day or other"}`, ""},
		{"words with something else", "remind", `{"text":"tea","when":"tomorrow at 9 call mum"}`, "only part of that as a time"},
	}
	in(t, func(w *world) {
		c := w.private()
		for _, tc := range cases {
			_, err := w.use(c.says("as I say"), tc.tool, tc.args)
			if nacre.KindOf(err) != nacre.Invalid {
				t.Fatalf("%s: %v", tc.name, err)
			}
			wantText(t, err.Error(), tc.want)
			w.wantJobs()
		}
		w.must(c.says("then so"), "remind", `{"text":"tea","when":"in 5 minutes"}`)
		w.wantJobs("active tea")
	})
}

// A time that the clock shows twice is repeated with its offset.
func TestTwiceShownTimeIsTold(t *testing.T) {
	in(t, func(w *world) {
		for at, want := range map[string]string{
			`"when":"2000-10-29 02:30"`:                              "Sun 29 Oct 2000, 02:30 (Europe/Vienna, UTC+02:00)",
			`"when":"2000-10-29T02:30:00+01:00"`:                     "Sun 29 Oct 2000, 02:30 (Europe/Vienna, UTC+01:00)",
			`"when":"2000-10-29 01:30"`:                              "Sun 29 Oct 2000, 01:30 (Europe/Vienna), in",
			`"when":"2000-10-29 03:30"`:                              "Sun 29 Oct 2000, 03:30 (Europe/Vienna), in",
			`"when":"2000-10-29 01:30","zone":"America/New_York"`:    "Sun 29 Oct 2000, 01:30 (America/New\\_York, UTC-04:00)",
			`"when":"2000-03-26 01:45","zone":"Australia/Lord_Howe"`: "Sun 26 Mar 2000, 01:45 (Australia/Lord\\_Howe, UTC+11:00)",
			`"when":"2001-01-01 12:00","zone":"UTC"`:                 "Mon 1 Jan 2001, 12:00 (UTC), in",
		} {
			r := w.must(w.private().says("as I say"), "remind", `{"text":"tea",`+at+`}`)
			wantText(t, r.Tell, want)
		}
	})
}

// A turn that a crash interrupted runs again, and sets nothing twice.
func TestRepeatedTurnSetsOnce(t *testing.T) {
	for _, args := range []string{`{"text":"tea","when":"in 20 minutes"}`, `{"text":"tea","when":"in 20 minutes"}`, `{"text":"tea","when":"every 20 minutes"}`, `{"text":"tea","when":"0 8 * * *"}`} {
		t.Run(args, func(t *testing.T) {
			in(t, func(w *world) {
				caller := w.private().says("remind me")
				first := w.must(caller, "remind", args)
				time.Sleep(10 * time.Second)
				if again := w.must(caller, "remind", args); again.Tell[:8] != first.Tell[:8] {
					t.Errorf("the second time tells %q, not %q", again.Tell, first.Tell)
				}
				w.wantJobs("active tea")
			})
		})
	}
}

// What is made in a group belongs to its owner and speaks there.
func TestMadeInAGroup(t *testing.T) {
	in(t, func(w *world) {
		caller := w.group().says("remind us at 18")
		w.must(caller, "remind", `{"text":"tea","when":"2000-01-01 18:00"}`)
		if j := w.all(w.ann)[0]; j.Session.ID != caller.Session || j.Session.Private || j.Session.Chat != caller.Chat {
			t.Errorf("it speaks in %+v", j.Session)
		}
	})
}

func TestRunningJobMakesJobsOnlyIfAllowed(t *testing.T) {
	for _, may := range []bool{false, true} {
		t.Run(fmt.Sprint(may), func(t *testing.T) {
			in(t, func(w *world) {
				c := w.private()
				w.must(c.says("do it"), "schedule", `{"text":"plan my day","when":"0 8 * * *"}`)
				c.sends("/remind tomorrow 9:00 call mum")
				if may {
					c.sends("/jobs allow 1")
				}
				caller := c.says("plan my day")
				own := w.all(w.ann)[0]
				caller.Said, caller.Session, caller.Run, caller.MayPlan = nil, "errand:ann", &nacre.Run{Job: own.ID, Owner: w.ann}, may
				_, err := w.use(caller, "remind", `{"text":"tea","when":"in 20 minutes"}`)
				all := w.all(w.ann)
				if made := len(all) == 3; made != may || (err == nil) != may {
					t.Errorf("made: %v, error %v", made, err)
				}
				if last := all[len(all)-1]; last.Session != own.Session {
					t.Errorf("what a run makes speaks in %+v", last.Session)
				}
				_, err = w.use(caller, "jobs", `{"number":2,"action":"delete"}`)
				if (err == nil) != may {
					t.Errorf("delete: %v", err)
				}
			})
		})
	}
}
