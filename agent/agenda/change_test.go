package agenda_test

import (
	"strings"
	"testing"
	"time"

	"nacre"
)

// water is a reminder of Ann's that repeats, as number 1.
func (w *world) water() {
	w.t.Helper()
	w.must(w.private().says("remind me"), "remind", `{"text":"water the plants","when":"0 8 * * 1"}`)
}

func TestListForTheModel(t *testing.T) {
	in(t, func(w *world) {
		c := w.private()
		if r := w.must(c.says("what is set?"), "jobs", `{}`); r.Text != "No jobs are set." {
			t.Errorf("an empty list is %q", r.Text)
		}
		w.water()
		want := "1 job is set.\n1. reminder, active, every Monday at 08:00 (Europe/Vienna), next Mon 3 Jan 2000, 08:00 (Europe/Vienna), in 46 hours: water the plants"
		if r := w.must(c.says("what is set?"), "jobs", `{}`); r.Text != want || r.Tell != "" {
			t.Errorf("the list is %q, want %q", r.Text, want)
		}
		if r := w.must(w.bobs().says("what is set?"), "jobs", `{}`); r.Text != "No jobs are set." {
			t.Errorf("Bob's list is %q", r.Text)
		}
	})
}

func TestChangesByTheModel(t *testing.T) {
	cases := []struct{ args, tells, job string }{
		{`{"number":1,"action":"pause"}`, "⏸ paused: 1. every Monday at 08:00 (Europe/Vienna): water the plants", "paused water the plants"},
		{`{"number":1,"action":"resume"}`, "⏰ 1. every Monday at 08:00 (Europe/Vienna), next Mon 3 Jan 2000", "active water the plants"},
		{`{"number":1,"action":"run"}`, "▶️ 1 runs now: water the plants", "active water the plants"},
		{`{"number":1,"action":"delete"}`, "🗑 1 is deleted. It was every Monday at 08:00 (Europe/Vienna): water the plants", ""},
		{`{"number":1,"action":"edit","text":"water the garden"}`, "every Monday at 08:00 (Europe/Vienna), next Mon 3 Jan 2000, 08:00 (Europe/Vienna), in 46 hours: water the garden", "active water the garden"},
		{`{"number":1,"action":"edit","when":"every Tuesday at 9"}`, "⏰ 1. every Tuesday at 09:00 (Europe/Vienna), next Tue 4 Jan 2000, 09:00 (Europe/Vienna), in 3 days: water the plants", "active water the plants"},
		{`{"number":1,"action":"edit","text":"tea","when":"in 30 minutes"}`, "⏰ 1. Sat 1 Jan 2000, 10:30 (Europe/Vienna), in 30 minutes: tea", "active tea"},
	}
	for _, tc := range cases {
		t.Run(tc.args, func(t *testing.T) {
			in(t, func(w *world) {
				w.water()
				r := w.must(w.private().says("as I say"), "jobs", tc.args)
				wantText(t, r.Tell, tc.tells)
				if got := strings.Join(w.jobs(w.ann), ", "); got != tc.job {
					t.Errorf("the job is %q, want %q", got, tc.job)
				}
			})
		})
	}
}

func TestChangesThatAreRefused(t *testing.T) {
	cases := []struct {
		args, want string
		kind       nacre.Kind
	}{
		{`{"number":2,"action":"pause"}`, "no job 2", nacre.NotFound},
		{`{"number":0,"action":"pause"}`, "no job 0", nacre.NotFound},
		{`{"number":1,"action":"explode"}`, "\"action\" is pause", nacre.Invalid},
		{`{"number":1,"action":"edit"}`, "is to change", nacre.Invalid},
		{`{"number":1,"action":"edit","when":"some day"}`, "", nacre.Invalid},
		{`{"number":1,"action":"edit","when":"tomorrow at 9 call mum"}`, "only part of that as a time", nacre.Invalid},
		{`{"number":1,"action":"edit","when":"every 1 minutes"}`, "5 minutes is the least", nacre.Invalid},
		{`{"action":"pause","who":1}`, "schema", nacre.Invalid},
	}
	in(t, func(w *world) {
		w.water()
		for _, tc := range cases {
			for _, caller := range []nacre.Caller{w.private().says("as I say"), w.private().tainted("as I say")} {
				r, err := w.use(caller, "jobs", tc.args)
				if nacre.KindOf(err) != tc.kind || r.Ask != nil {
					t.Fatalf("%s, tainted %v: %v, asked %v", tc.args, caller.Tainted, err, r.Ask)
				}
				wantText(t, err.Error(), tc.want)
			}
			w.wantJobs("active water the plants")
		}
	})
}

// Where the model has read words of strangers, the owner decides on any change.
func TestTaintedChanges(t *testing.T) {
	cases := []struct{ args, shows, job string }{
		{`{"number":1,"action":"pause"}`, "Pause job 1: every Monday at 08:00 (Europe/Vienna): water the plants", "paused water the plants"},
		{`{"number":1,"action":"delete"}`, "Delete job 1: every Monday at 08:00 (Europe/Vienna): water the plants", ""},
		{`{"number":1,"action":"edit","text":"buy *this*"}`, "From then on: every Monday at 08:00 (Europe/Vienna): buy \\*this\\*", "active buy *this*"},
		{`{"number":1,"action":"edit","when":"every 90 minutes"}`, "From then on: every 1 hour and 30 minutes, counted from Sat 1 Jan 2000", "active water the plants"},
	}
	for _, tc := range cases {
		t.Run(tc.args, func(t *testing.T) {
			in(t, func(w *world) {
				w.water()
				c := w.private()
				r := w.must(c.tainted("as the page says"), "jobs", tc.args)
				if r.Ask == nil {
					t.Fatalf("nobody is asked: %+v", r)
				}
				wantText(t, r.Ask.Question, tc.shows)
				w.wantJobs("active water the plants")
				c.presses(r.Ask, "Yes, do that")
				if got := strings.Join(w.jobs(w.ann), ", "); got != tc.job {
					t.Errorf("the job is %q, want %q", got, tc.job)
				}
			})
		})
	}
}

// A yes is about what was shown.
func TestYesToAJobThatChanged(t *testing.T) {
	for name, change := range map[string]string{"other words": "/jobs edit 1 text feed the cat", "another time": "/jobs edit 1 every Tuesday at 9", "gone": "/jobs delete 1"} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.water()
				c := w.private()
				r := w.must(c.tainted("as the page says"), "jobs", `{"number":1,"action":"delete"}`)
				c.sends(change)
				before := w.all(w.ann)
				text, _ := c.presses(r.Ask, "Yes, do that")
				if len(w.all(w.ann)) != len(before) || !strings.Contains(text, "/jobs") {
					t.Errorf("it says %q", text)
				}
			})
		})
	}
}

// In a group there is only what speaks there.
func TestGroupSeesItsOwnJobs(t *testing.T) {
	in(t, func(w *world) {
		w.water()
		g := w.group()
		w.must(g.says("remind us"), "remind", `{"text":"take the bins out","when":"0 9 * * 1"}`)
		if r := w.must(g.says("what is set?"), "jobs", `{}`); strings.Contains(r.Text, "plants") || !strings.Contains(r.Text, "bins") {
			t.Errorf("the group sees %q", r.Text)
		}
		if _, err := w.use(g.says("no"), "jobs", `{"number":1,"action":"delete"}`); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("a group may delete what is private: %v", err)
		}
		for _, line := range []string{"/jobs 1", "/jobs delete 1", "/jobs edit 1 text other", "/jobs allow 1"} {
			if text, _ := g.sends(line); text != "There is no job 1 here; /jobs lists them." {
				t.Errorf("%s says %q", line, text)
			}
		}
		for _, line := range []string{"/jobs history", "/jobs heartbeat", "/jobs run reflect"} {
			if text, _ := g.sends(line); text != "That concerns more than this group; ask me in our private chat." {
				t.Errorf("%s says %q", line, text)
			}
		}
		w.wantJobs("active water the plants", "active take the bins out")
		text, _ := w.private().sends("/jobs 2")
		wantText(t, text, "It speaks in a group on telegram.")
		w.private().sends("/jobs delete 2")
		w.wantJobs("active water the plants")
	})
}

// Nobody reaches what belongs to somebody else, whatever its number.
func TestOtherOwnersJobs(t *testing.T) {
	in(t, func(w *world) {
		w.water()
		b := w.bobs()
		for _, line := range []string{"/jobs 1", "/jobs pause 1", "/jobs delete 1", "/jobs run 1"} {
			if text, _ := b.sends(line); text != "There is no job 1 here; /jobs lists them." {
				t.Errorf("%s says %q", line, text)
			}
		}
		if text, _, took := b.answers(b.press("What shall I do with job 1?", "Delete 1")); !took || !strings.Contains(text, "no job 1") {
			t.Errorf("Bob's button says %q", text)
		}
		w.wantJobs("active water the plants")
		text, _ := b.sends("/remind tomorrow at 9 call mum")
		wantText(t, text, "⏰ 1. Sun 2 Jan 2000, 09:00 (Asia/Tokyo), in 15 hours: call mum")
		time.Sleep(time.Second)
	})
}
