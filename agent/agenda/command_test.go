package agenda_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
)

func TestRemindCommand(t *testing.T) {
	cases := []struct{ line, want string }{
		{"/remind tomorrow 9:00 call mum", "⏰ 1. Sun 2 Jan 2000, 09:00 (Europe/Vienna), in 23 hours: call mum"},
		{"/remind call dad tomorrow at 9", "⏰ 1. Sun 2 Jan 2000, 09:00 (Europe/Vienna), in 23 hours: call dad"},
		{"/remind me tomorrow at 9 to call Eve", "⏰ 1. Sun 2 Jan 2000, 09:00 (Europe/Vienna), in 23 hours: call Eve"},
		{"/remind every Monday at 8 water the plants", "⏰ 1. every Monday at 08:00 (Europe/Vienna), next Mon 3 Jan 2000, 08:00 (Europe/Vienna), in 46 hours: water the plants"},
		{"/remind 0 9 * * 1-5 go to work", "⏰ 1. every weekday at 09:00 (Europe/Vienna), next Mon 3 Jan 2000, 09:00 (Europe/Vienna), in 47 hours: go to work"},
		{"/remind 2000-12-24 9 am call Eve", "⏰ 1. Sun 24 Dec 2000, 09:00 (Europe/Vienna), in 12 months: call Eve"},
		{"/remind in 20 minutes tea", "⏰ 1. Sat 1 Jan 2000, 10:20 (Europe/Vienna), in 20 minutes: tea"},
		{"/remind in 20 Minuten Tee", "⏰ 1. Sat 1 Jan 2000, 10:20 (Europe/Vienna), in 20 minutes: Tee"},
		{"/jobs task every weekday at 8 summarise my plans", "⏰ Task 1. every weekday at 08:00 (Europe/Vienna), next Mon 3 Jan 2000, 08:00 (Europe/Vienna), in 46 hours: summarise my plans"},
	}
	in(t, func(w *world) {
		for i, tc := range cases {
			want := strings.Replace(tc.want, "1.", fmt.Sprintf("%d.", i+1), 1)
			if text, _ := w.private().sends(tc.line); text != want {
				t.Errorf("%s says %q, want %q", tc.line, text, want)
			}
		}
		if n := len(w.jobs(w.ann)); n != len(cases) {
			t.Errorf("%d jobs are there", n)
		}
	})
}

func TestRemindCommandAsksBack(t *testing.T) {
	cases := []struct{ line, want string }{
		{"/remind", "Write behind it when"},
		{"/remind tomorrow at 9", "I understand when, and not what."},
		{"/remind call mum", "I do not see when"},
		{"/remind tomorrow or Monday at 9 call mum", ""},
		{"/remind every minute tea", "5 minutes is the least"},
		{"/jobs task", "/jobs task every weekday at 8"},
		{"/jobs task look at the news", "I do not see when"},
		{"/jobs task every minute look at the news", "15 minutes is the least"},
	}
	in(t, func(w *world) {
		for _, tc := range cases {
			wantText(t, first(w.private().sends(tc.line)), tc.want)
			w.wantJobs()
		}
	})
}

// A link that opens a chat fills in no wish.
func TestDeepLinksAreNotObeyed(t *testing.T) {
	in(t, func(w *world) {
		w.water()
		c := w.private()
		linked := func(name, args string) string {
			caller := c.put(c.typed("/"+name), nacre.Segment{Provenance: nacre.Prefill, Text: args})
			text, _ := w.reads(w.agenda.Commands()[name](w.t.Context(), caller, args))
			return text
		}
		wantText(t, linked("remind", "tomorrow 9:00 pay the bill"), "Write behind it when")
		wantText(t, linked("jobs", "delete 1"), "- **1** water the plants")
		w.wantJobs("active water the plants")
		c.sends("/jobs delete 1")
		w.wantJobs()
	})
}

func TestJobsCommandChanges(t *testing.T) {
	cases := []struct{ line, want, job string }{
		{"/jobs pause 1", "⏸ paused: 1. every Monday", "paused water the plants"},
		{"/jobs RESUME 1", "⏰ 1. every Monday", "active water the plants"},
		{"/jobs resume 1", "⏰ 1. every Monday", "active water the plants"},
		{"/jobs run 1", "▶️ 1 runs now: water the plants", "active water the plants"},
		{"/jobs edit 1 text Water the garden", "in 46 hours: Water the garden\nIt was every Monday at 08:00 (Europe/Vienna): water the plants", "active Water the garden"},
		{"/jobs edit 1 0 9 * * MON-FRI", "⏰ 1. every weekday at 09:00 (Europe/Vienna)", "active Water the garden"},
		{"/jobs edit 1 tomorrow at 10", "⏰ 1. Sun 2 Jan 2000, 10:00 (Europe/Vienna), in 24 hours: Water the garden\nIt was every weekday", "active Water the garden"},
		{"/jobs delete #1", "🗑 1 is deleted. It was Sun 2 Jan 2000, 10:00 (Europe/Vienna), in 24 hours: Water the garden", ""},
	}
	in(t, func(w *world) {
		w.water()
		for _, tc := range cases {
			wantText(t, first(w.private().sends(tc.line)), tc.want)
			if got := strings.Join(w.jobs(w.ann), ", "); got != tc.job {
				t.Errorf("after %s the job is %q, want %q", tc.line, got, tc.job)
			}
		}
	})
}

func TestJobsCommandChangesNothing(t *testing.T) {
	cases := []struct{ line, want string }{
		{"/jobs", "- **1** water the plants: every Monday at 08:00 (Europe/Vienna), next Mon 3 Jan 2000, 08:00 (Europe/Vienna), in 46 hours"},
		{"/jobs list", "- **1** water the plants"},
		{"/jobs 1", "**1** reminder: water the plants\n\nevery Monday at 08:00"},
		{"/jobs #1", "**1** reminder: water the plants"},
		{"/jobs history 1", "**1** reminder: water the plants"},
		{"/jobs history", "Nothing ran yet."},
		{"/jobs edit 1 tomorrow at 10 call dad", "only part of that as a time"},
		{"/jobs edit 1 0 9 * * 1-5 call dad", "/jobs edit 1 text call dad"},
		{"/jobs edit 1 99 9 * * 1", "cron expression cannot be read"},
		{"/jobs 2-5", "There is nothing from 2 to 5"},
		{"/jobs 5-2", "I do not understand that."},
		{"/jobs all of them", "I do not understand that."},
		{"/jobs edit 1 whenever", "I do not see when"},
		{"/jobs edit 1", "what is to change"},
		{"/jobs edit 1 text", "Write the new words"},
		{"/jobs edit 2 tomorrow at 10", "There is no job 2 here"},
		{"/jobs edit tomorrow", "the number of a job"},
		{"/jobs pause", "the number of a job, such as: /jobs pause 3"},
		{"/jobs pause 2", "There is no job 2 here"},
		{"/jobs delete -1", "the number of a job"},
		{"/jobs delete 99999999999999999999", "the number of a job"},
		{"/jobs allow 1", "a task is what can make jobs"},
		{"/jobs dance", "I do not understand that."},
		{"/jobs run everything", "the number of a job"},
		{"/jobs heartbeat", "no heartbeat here"},
	}
	in(t, func(w *world) {
		w.water()
		for _, tc := range cases {
			wantText(t, first(w.private().sends(tc.line)), tc.want)
			w.wantJobs("active water the plants")
		}
	})
}

// What could not be read back is mentioned where its owner looks, and in no group.
func TestOverviewMentionsWhatWasSetAside(t *testing.T) {
	in(t, func(w *world) {
		w.water()
		const mention = "could not be read back"
		if text := first(w.private().sends("/jobs")); strings.Contains(text, mention) {
			t.Errorf("without any it says %q", text)
		}
		w.aside = []string{"3 messages of 1 Jan"}
		wantText(t, first(w.private().sends("/jobs")), "- **1** ", mention)
		if text := first(w.group().sends("/jobs")); strings.Contains(text, mention) {
			t.Errorf("a group reads %q", text)
		}
	})
}

func TestOverview(t *testing.T) {
	in(t, func(w *world) {
		c := w.private()
		text, ask := c.sends("/jobs")
		wantText(t, text, "Nothing is set.")
		wantOptions(t, ask)
		for range 45 {
			c.sends("/remind tomorrow at 9 call number " + strings.Repeat("x", len(w.jobs(w.ann))+1))
		}
		text, ask = c.sends("/jobs")
		wantText(t, text, "- **40** ", "and 5 more: /jobs 41-45")
		rest, more := c.sends("/jobs 41-45")
		wantText(t, rest, "- **41** ", "- **45** ")
		if strings.Contains(rest, "**40**") {
			t.Errorf("the rest is %q", rest)
		}
		wantOptions(t, more, "Show 41", "Show 42", "Show 43", "Show 44", "Show 45")
		wantText(t, first(c.sends("/jobs all 44-45")), "- **44** ")
		if strings.Contains(text, "**41**") || len(ask.Options) != 8 {
			t.Errorf("%d buttons under %q", len(ask.Options), text)
		}
		long, _ := c.sends("/remind tomorrow at 10 " + strings.Repeat("long ", 100))
		if len(long) < 500 {
			t.Errorf("a receipt is cut: %q", long)
		}
	})
}

// finish puts a job where its last time is past.
func (w *world) finish(number int) {
	w.t.Helper()
	was := w.all(w.ann)[number-1]
	job := was
	job.State, job.Next = nacre.Finished, time.Time{}
	if err := w.ledger.ChangeJob(w.t.Context(), was, job); err != nil {
		w.t.Fatal(err)
	}
}

// What rests or is over is not taken for what comes due.
func TestStatesAreShown(t *testing.T) {
	in(t, func(w *world) {
		w.water()
		c := w.private()
		c.sends("/remind in 20 minutes " + strings.Repeat("long ", 100))
		c.sends("/jobs pause 1")
		w.finish(2)
		text, ask := c.sends("/jobs")
		if want := "- **1** water the plants: every Monday at 08:00 (Europe/Vienna) (paused)\n\nOver by now: 1. /jobs all shows them, too."; text != want {
			t.Errorf("the list is %q, want %q", text, want)
		}
		wantOptions(t, ask, "Show 1")
		text, ask = c.sends("/jobs all")
		wantText(t, text, "- **2** long long", "…: Sat 1 Jan 2000, 10:20 (Europe/Vienna), in 20 minutes (over)")
		_, ask = c.presses(ask, "Show 2")
		wantOptions(t, ask, "Run 2", "Delete 2")
		c.sends("/jobs delete 1")
		wantText(t, first(c.sends("/jobs")), "Nothing is set.", "Over by now: 1.")
		wantText(t, first(c.sends("/jobs edit 2 in 30 minutes")), "⏰ 2. Sat 1 Jan 2000, 10:30")
		w.finish(1)
		wantText(t, first(c.sends("/jobs edit 2 text tea")), "⏹ over: 2.")
	})
}

func TestAllowAndForbid(t *testing.T) {
	in(t, func(w *world) {
		c := w.private()
		c.sends("/jobs task every weekday at 8 plan my day")
		wantText(t, first(c.sends("/jobs allow 1")), "From now on job 1 may make and change jobs", "plan my day")
		if !w.all(w.ann)[0].MayPlan {
			t.Error("it may not")
		}
		wantText(t, first(c.sends("/jobs 1")), "/jobs forbid 1 ends that")
		c.sends("/jobs forbid 1")
		if w.all(w.ann)[0].MayPlan {
			t.Error("it still may")
		}
	})
}

func first(text string, _ *agent.Ask) string { return text }

func TestHeartbeatCommand(t *testing.T) {
	in(t, func(w *world) {
		c := w.private()
		home := c.says("hello")
		s := nacre.SessionInfo{ID: home.Session, Owner: w.ann, Chat: home.Chat, Private: true}
		if _, err := w.board.EnsureHeartbeat(w.t.Context(), w.ann, s, nacre.Schedule{Kind: nacre.Every, Every: 30 * time.Minute}); err != nil {
			t.Fatal(err)
		}
		cases := []struct {
			args, want string
			state      nacre.JobState
			every      time.Duration
		}{
			{"", "heartbeat", nacre.Active, 30 * time.Minute},
			{"off", "⏸ paused: 1. every 30 minutes", nacre.Paused, 30 * time.Minute},
			{"on", "⏰ 1. every 30 minutes", nacre.Active, 30 * time.Minute},
			{"45m", "⏰ 1. every 45 minutes", nacre.Active, 45 * time.Minute},
			{"2 h", "⏰ 1. every 2 hours", nacre.Active, 2 * time.Hour},
			{"1s", "no sooner than", nacre.Active, 2 * time.Hour},
			{"often", "off, on, or how often", nacre.Active, 2 * time.Hour},
		}
		for _, tc := range cases {
			wantText(t, first(c.sends("/jobs heartbeat "+tc.args)), tc.want)
			if j := w.all(w.ann)[0]; j.State != tc.state || j.Schedule.Every != tc.every {
				t.Errorf("after %q it is %s every %s", tc.args, j.State, j.Schedule.Every)
			}
		}
		_, ask := c.sends("/jobs heartbeat")
		wantOptions(t, ask, "Pause 1", "Run 1")
		wantText(t, first(c.sends("/jobs run 1")), "I look now; you hear of it only if there is something to tell.")
		wantText(t, first(c.sends("/jobs delete 1")), "cannot be deleted")
	})
}

func TestRounds(t *testing.T) {
	in(t, func(w *world) {
		c := w.private()
		for name, want := range map[string]string{"repair": "nothing to put in order", "Reflect": "nothing to read back", "promote": "nothing to pin or unpin"} {
			wantText(t, first(c.sends("/jobs run "+name)), want)
		}
		slices.Sort(w.rounds)
		if want := []nacre.JobID{"promote", "reflect", "repair"}; !slices.Equal(w.rounds, want) {
			t.Errorf("rounds %q ran, want %q", w.rounds, want)
		}
		w.came = "read"
		wantText(t, first(c.sends("/jobs run reflect")), "reflect – Sat 1 Jan 2000, 10:00: done (read)")
		w.came = ""
		wantText(t, first(c.sends("/jobs run reflect")), "nothing to read back")
		w.failed = nacre.Errorf(nacre.Transient, "the model is busy")
		wantText(t, first(c.sends("/jobs run reflect")), "the model is busy")
	})
}

// Promotions are told with their reasons, as they were before they were done.
func TestPromotionsAreTold(t *testing.T) {
	in(t, func(w *world) {
		c := w.private()
		wantText(t, first(c.sends("/jobs run promote")), "There was nothing to pin or unpin.")
		w.promoted = []string{"pinned: likes green tea – recalled on 3 days", "unpinned: plays chess – not recalled for 90 days"}
		const told = "- pinned: likes green tea – recalled on 3 days\n- unpinned: plays chess – not recalled for 90 days"
		wantText(t, first(c.sends("/jobs run promote")), "Done. ", told)
		if text := first(c.sends("/jobs run repair")); strings.Contains(text, "green tea") {
			t.Errorf("another round tells %q", text)
		}
		if text := first(w.group().sends("/jobs run promote")); strings.Contains(text, "green tea") {
			t.Errorf("a group reads %q", text)
		}
		w.failed = nacre.Errorf(nacre.Transient, "memory is busy")
		if text := first(c.sends("/jobs run promote")); text != "memory is busy" {
			t.Errorf("what failed reads %q", text)
		}
	})
}

// The history tells what became of runs, of rounds and of jobs that are gone.
func TestHistory(t *testing.T) {
	in(t, func(w *world) {
		w.water()
		c := w.private()
		c.sends("/jobs run 1")
		wantText(t, first(c.sends("/jobs 1")), "Last runs:\n- Sat 1 Jan 2000, 10:00: done, by hand")
		now := time.Now()
		ending := nacre.JobEnding{Run: nacre.Run{Job: nacre.RoundReflect, Owner: w.ann, Slot: now, State: nacre.Failure, Attempts: 2, Began: now, Ended: now.Add(1500 * time.Millisecond),
			Reason: "model", Used: nacre.Usage{Calls: 1, Input: 900, Output: 100, Cost: 1_234_567}}}
		if err := w.ledger.End(w.t.Context(), ending); err != nil {
			t.Fatal(err)
		}
		ending.Run.Slot, ending.Run.State, ending.Run.Used = now.Add(time.Second), nacre.Quiet, nacre.Usage{Calls: 1, Input: 900, Output: 100, Unpriced: 1000}
		if err := w.ledger.End(w.t.Context(), ending); err != nil {
			t.Fatal(err)
		}
		w.aside = []string{"3 messages of 1 Jan"}
		text, _ := c.sends("/jobs history")
		wantText(t, text, "nothing to say (model), 1.5s, 2 attempts, 1000 tokens", "- reflect – Sat 1 Jan 2000, 10:00: failed (model), 1.5s, 2 attempts, $0.0013", "- **1** water the plants – Sat 1 Jan 2000, 10:00: done",
			"set aside:\n- 3 messages of 1 Jan", "/jobs run reflect tries them again.")
		c.sends("/jobs delete 1")
		wantText(t, first(c.sends("/jobs history")), "- a job that is deleted – Sat 1 Jan 2000")
	})
}
