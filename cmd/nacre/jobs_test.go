package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent/reflect"
	"nacre/memory"
	"nacre/web"
)

// newJobs is a world in which both owners have written once, and the other one
// has a reminder.
func newJobs(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.env["NACRE_HEARTBEAT"] = "off"
	w.env["TZ"] = "Europe/Vienna"
	w.alone(func(a *app) {
		w.said(a, "1001", "hello")
		w.said(a, "1002", "hello")
		other := w.owner(a, "1002")
		home, err := a.ledger.Home(t.Context(), other)
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.board.Add(t.Context(), nacre.JobDraft{Session: home, Kind: nacre.Reminder, Text: othersWord,
			Schedule: nacre.Schedule{Kind: nacre.Every, Every: time.Hour}, By: nacre.JobAuthor{Owner: other, Own: true}})
		if err != nil {
			t.Fatal(err)
		}
	})
	return w
}

// jobsInBothWays runs a test on a directory without a server and with one.
func jobsInBothWays(t *testing.T, test func(t *testing.T, w *world, served bool)) {
	for _, served := range []bool{false, true} {
		t.Run(fmt.Sprintf("served %v", served), func(t *testing.T) {
			w := newJobs(t)
			if served {
				defer w.start().stop()
			}
			test(t, w, served)
		})
	}
}

var (
	anyDay      = regexp.MustCompile(`(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ [A-Z][a-z]{2} 20\d\d(,| at) \d\d:\d\d`)
	anyDistance = regexp.MustCompile(`\bin \d+ [a-z]+`)
	resting     = "Nacre is not running; nothing comes due until it is.\n"
)

// calm is an output without what differs from run to run.
func calm(text string) string {
	text = strings.ReplaceAll(text, resting, "")
	return still(anyDistance.ReplaceAllString(anyDay.ReplaceAllString(text, "<day${2} time>"), "in <while>"))
}

// tells runs a command on jobs and compares what it prints.
func (w *world) tells(want string, args ...string) {
	w.t.Helper()
	out, errs, code := w.shell("", append([]string{"jobs"}, args...)...)
	if got := calm(out); got != want || code != exitOK || errs != "" {
		w.t.Errorf("nacre jobs %q: exit code %d, it prints\n%s\nwant\n%s\nand complains %s", args, code, got, want, errs)
	}
	if strings.Contains(out, othersWord) {
		w.t.Errorf("nacre jobs %q shows another owner's job", args)
	}
}

func TestJobsAreMadeAndChanged(t *testing.T) {
	jobsInBothWays(t, func(t *testing.T, w *world, served bool) {
		w.tells("No jobs. Make one with: nacre jobs add \"tomorrow 9:00 call mum\"\n")
		w.tells("Set: 1  Reminder: call mum\nonce on <day, time> (Europe/Vienna), in <while>\n", "add", "tomorrow", "9:00", "call", "mum")
		w.tells("Set: 2  Reminder: drink water\nevery 2 hours, counted from <day at time> (Europe/Vienna)\nnext <day, time> (Europe/Vienna), in <while>\n",
			"add", "--every", "2h", "drink water")
		w.tells("Set: 3  Task: sum up the week\nevery Monday at 09:00 (Asia/Tokyo)\nnext <day, time> (Asia/Tokyo), in <while>\n",
			"add", "--cron", "0 9 * * 1", "--zone", "Asia/Tokyo", "--task", "--may-plan", "--grace", "1h", "sum up the week")
		w.tells("Set: 4  Reminder: go home\nevery weekday at 18:30 (Europe/Vienna)\nnext <day, time> (Europe/Vienna), in <while>\n",
			"add", "--at", "every weekday 18:30", "go home")
		w.tells("Changed: 2  Reminder: drink water\nevery 3 hours, counted from <day at time> (Europe/Vienna)\nnext <day, time> (Europe/Vienna), in <while>\n", "edit", "2", "--every", "3h")
		w.tells("Changed: 4  Reminder: walk home\nevery weekday at 18:30 (Europe/Vienna)\nnext <day, time> (Europe/Vienna), in <while>\n", "edit", "4", "walk home")
		w.tells("Changed: 4  Reminder: run home\nevery weekday at 18:00 (Europe/Vienna)\nnext <day, time> (Europe/Vienna), in <while>\n", "edit", "4", "every weekday 18:00", "run home")
		w.tells("Changed: 4  Reminder: run home\nevery weekday at 18:30 (Europe/Vienna)\nnext <day, time> (Europe/Vienna), in <while>\n", "edit", "4", "every weekday 18:30")
		w.tells("Changed: 4  Reminder: walk home\nevery weekday at 18:30 (Europe/Vienna)\nnext <day, time> (Europe/Vienna), in <while>\n", "edit", "4", "walk home")
		w.tells("Changed: 3  Task: sum up the week\nevery Tuesday at 10:00 (Asia/Tokyo)\nnext <day, time> (Asia/Tokyo), in <while>\n", "edit", "3", "--at", "every Tuesday at 10")
		w.tells("Changed: 3  Task: sum up the week\nevery Tuesday at 10:00 (Europe/Rome)\nnext <day, time> (Europe/Rome), in <while>\n", "edit", "3", "--zone", "Europe/Rome", "--no-may-plan")
		w.tells("Paused: 2  Reminder: drink water\nevery 3 hours, counted from <day at time> (Europe/Vienna)\npaused\n", "pause", "2")
		w.tells("Deleted: 4  Reminder: walk home\n", "delete", "4")
		w.tells(`1  Reminder: call mum
   once on <day, time> (Europe/Vienna), in <while>
2  Reminder: drink water
   every 3 hours, counted from <day at time> (Europe/Vienna)
   paused
3  Task: sum up the week
   every Tuesday at 10:00 (Europe/Rome)
   next <day, time> (Europe/Rome), in <while>

3 jobs.
`)
		w.tells("Goes on: 2  Reminder: drink water\nevery 3 hours, counted from <day at time> (Europe/Vienna)\nnext <day, time> (Europe/Vienna), in <while>\n", "resume", "2")
		w.tells(`3  Task: sum up the week

When      every Tuesday at 10:00 (Europe/Rome)
Next      <day, time> (Europe/Rome), in <while>
State     active
Speaks    in your private chat on telegram
Grace     a missed time is made up for within 1 hour
Made      <date and time>
Id        <id>
`, "show", "3")
		if out := w.says("jobs", "edit", "1", "call dad"); strings.Contains(out, resting) == served {
			t.Errorf("served %v, and it says %q", served, out)
		}
	})
}

// What was made twice is one job.
func TestJobsAreNotDoubled(t *testing.T) {
	w := newJobs(t)
	for range 2 {
		w.tells("Set: 1  Reminder: stretch\nevery hour at :30 (Europe/Vienna)\nnext <day, time> (Europe/Vienna), in <while>\n", "add", "--cron", "30 * * * *", "stretch")
	}
}

// What cannot be ends with one sentence, and changes nothing.
func TestJobsRefuse(t *testing.T) {
	jobsInBothWays(t, func(t *testing.T, w *world, _ bool) {
		w.says("jobs", "add", "--every", "2h", "drink water")
		before := w.says("jobs", "list", "--all")
		for want, args := range map[string][]string{
			"5 minutes is the least for a reminder": {"add", "--every", "1s", "x"},
			"15 minutes is the least for a task":    {"add", "--every", "10m", "--task", "x"},
			"I do not see when":                     {"add", "call mum"},
			"and not “call”":                        {"add", "--at", "tomorrow call", "mum"},
			"Say when only once":                    {"add", "--at", "tomorrow 9:00", "--every", "2h", "x"},
			"“soon” is no length of time":           {"add", "--every", "soon", "x"},
			"“late” is no length of time":           {"add", "--every", "2h", "--grace", "late", "x"},
			"within a minute to seven days":         {"add", "--every", "2h", "--grace", "200h", "x"},
			"no time zone “Europe/Atlantis”":        {"add", "--every", "2h", "--zone", "Europe/Atlantis", "x"},
			"no time zone “Local”":                  {"add", "--zone", "Local", "tomorrow 9:00 x"},
			"“mo” is no day of week":                {"add", "--cron", "0 9 * * mo", "x"},
			"never happens":                         {"add", "--cron", "0 9 30 2 *", "x"},
			"time is past":                          {"add", "--at", "2020-01-01T09:00:00Z", "x"},
			"A reminder only says its words":        {"add", "--every", "2h", "--may-plan", "x"},
			"Job 1 only says its words":             {"edit", "1", "--may-plan"},
			"Say what is to change":                 {"edit", "1"},
			"There is no job 2":                     {"edit", "2", "x"},
			"There is no job 3":                     {"show", "3"},
			"There is no job 4":                     {"pause", "4"},
			"There is no job 5":                     {"history", "5"},
		} {
			out, errs, code := w.shell("", append([]string{"jobs"}, args...)...)
			if out != "" || code != exitUsage || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
				t.Errorf("nacre jobs %q: exit code %d, %q, complains %q, want %q", args, code, out, errs, want)
			}
		}
		if after := w.says("jobs", "list", "--all"); calm(after) != calm(before) {
			t.Errorf("the jobs were\n%s\nand are\n%s", before, after)
		}
	})
}

// Who never wrote in private has no place where a job could speak.
func TestJobsNeedAPlaceToSpeak(t *testing.T) {
	w := newWorld(t)
	w.alone(func(*app) {})
	_, errs, code := w.shell("", "jobs", "add", "tomorrow 9:00 call mum")
	if code != exitUsage || !strings.Contains(errs, "Write to me once in a private chat") {
		t.Errorf("exit code %d, %q", code, errs)
	}
}

// A reminder that is run by hand is said in its chat, and its time stays.
func TestJobsAreRunByHand(t *testing.T) {
	w := newJobs(t)
	w.api.Know(1001)
	defer w.start().stop()
	w.says("jobs", "add", "tomorrow 9:00 call mum")
	w.tells("It runs now: 1  Reminder: call mum\n", "run", "1")
	sent, err := w.api.WaitSent(w.patience(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if sent[0].Chat != 1001 || !strings.Contains(sent[0].Text, "call mum") {
		t.Errorf("it says %+v", sent)
	}
	w.tells("<date and time>  done, by hand  1 call mum\n", "history")
	w.tells("<date and time>  done, by hand\n", "history", "1")
	w.tells("1  Reminder: call mum\n   once on <day, time> (Europe/Vienna), in <while>\n\n1 job.\n")
}

// Without a server a run waits, and the person is told.
func TestJobsAreRunLater(t *testing.T) {
	w := newJobs(t)
	w.says("jobs", "add", "--task", "tomorrow 9:00 look at the news")
	w.tells("It runs as soon as Nacre does: 1  Task: look at the news\n", "run", "1")
	w.tells("<date and time>  about to run, by hand  1 look at the news\n", "history")
	if _, errs, code := w.shell("", "jobs", "run", "1"); code != exitUsage || !strings.Contains(errs, "running already, or about to") {
		t.Errorf("a second run: exit code %d, %q", code, errs)
	}
}

// What Nacre does by itself every hour is done now, with a server and without.
func TestRoundsAreRunByHand(t *testing.T) {
	jobsInBothWays(t, func(t *testing.T, w *world, _ bool) {
		for name, words := range map[string]string{"repair": "Tidying up memory", "reflect": "Reading back", "promote": "Pinning notes"} {
			w.tells(words+": there was nothing to do.\n", "run", name)
		}
		out, errs, code := w.shell("", "jobs", "run", "everything")
		if out != "" || code != exitUsage || !strings.Contains(errs, "no round \"everything\"") {
			t.Errorf("an unknown one: exit code %d, %q, complains %q", code, out, errs)
		}
	})
}

// What a round did is told as it stands in the history.
func TestRoundsTellWhatTheyDid(t *testing.T) {
	newJobs(t).alone(func(a *app) {
		j := a.Jobs(web.Hand{By: memory.ByShell}).(jobsDesk)
		j.round = func(ctx context.Context, owner nacre.OwnerID, name nacre.JobID) error {
			now := time.Now()
			return a.ledger.End(ctx, nacre.JobEnding{Run: nacre.Run{Job: name, Owner: owner, Slot: now, State: nacre.Done, Reason: "budget", Attempts: 1, Began: now, Ended: now, ByHand: true}})
		}
		text, err := j.Round(t.Context(), web.JobRound{Round: nacre.RoundReflect})
		if want := "Reading back: done: the budget is used up, by hand."; text != want || err != nil {
			t.Errorf("it says %q, %v, want %q", text, err, want)
		}
	})
}

// The JSON of a job has these fields, whichever way it came.
func TestJobsAsJSON(t *testing.T) {
	jobsInBothWays(t, func(t *testing.T, w *world, served bool) {
		got := w.says("jobs", "add", "--json", "--cron", "0 8 * * 1", "--zone", "Asia/Tokyo", "water the plants")
		waits := ",\n  \"waits\": true"
		if served {
			waits = ""
		}
		anyOffset := regexp.MustCompile(`20\d\d-\d\d-\d\dT[0-9:.]+(Z|[+]\d\d:\d\d)`)
		if got, want := calm(anyOffset.ReplaceAllString(got, "<time>")), `{
  "id": "<id>",
  "number": 1,
  "kind": "reminder",
  "text": "water the plants",
  "state": "active",
  "schedule": {
    "kind": "cron",
    "cron": "0 8 * * 1",
    "zone": "Asia/Tokyo"
  },
  "when": "every Monday at 08:00 (Asia/Tokyo)",
  "next": "<time>",
  "next_words": "<day, time> (Asia/Tokyo), in <while>",
  "place": "in your private chat on telegram",
  "grace": "12 hours",
  "made": "<time>"`+waits+`
}
`; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		w.says("jobs", "run", "1")
		var runs []web.JobRun
		if err := json.Unmarshal([]byte(w.says("jobs", "history", "--json")), &runs); err != nil || len(runs) != 1 || runs[0].Job != 1 || runs[0].State != nacre.Done || !runs[0].ByHand {
			t.Errorf("the history is %+v, %v", runs, err)
		}
		var aside []web.AsideBatch
		if out := w.says("jobs", "aside", "--json"); json.Unmarshal([]byte(out), &aside) != nil || aside == nil || len(aside) != 0 {
			t.Errorf("nothing aside is %s", out)
		}
		var list web.JobListing
		if err := json.Unmarshal([]byte(w.says("jobs", "list", "--json")), &list); err != nil || len(list.Jobs) != 1 || list.Jobs[0].Number != 1 {
			t.Errorf("the list is %+v, %v", list, err)
		}
	})
}

// What no model could read back is shown, and read once more when the owner wants
// it.
func TestMessagesSetAside(t *testing.T) {
	w := newJobs(t)
	w.tells("Nothing is set aside: all that you said was read back.\n", "aside")
	w.tells("Nothing is set aside.\n", "aside", "--again")
	w.alone(func(a *app) {
		for range 3 {
			if _, err := a.ledger.Failed(t.Context(), a.operator, "reflect", 1, 2, "unreadable"); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.ledger.SetAside(t.Context(), a.operator, "reflect", 1); err != nil {
			t.Fatal(err)
		}
	})
	w.tells("<date and time>  messages 1 to 2 of the inbox, tried 3 times: the model's answer could not be read\n\nnacre jobs aside --again reads them now.\n", "aside")
	if out := w.says("jobs"); !strings.Contains(out, "1 batch of messages could not be read back: nacre jobs aside") {
		t.Errorf("the list is %q", out)
	}
}

// asideOf is a reader of one batch that was set aside.
type asideOf struct {
	report reflect.Report
	err    error
}

func (a asideOf) Aside(context.Context, nacre.OwnerID) ([]memory.Batch, error) {
	return []memory.Batch{{First: 1, Through: 2, Failures: 3}}, nil
}

func (a asideOf) Again(context.Context, nacre.OwnerID) (reflect.Report, error) {
	return a.report, a.err
}

// What comes of reading once more is told in a sentence, and so is that it failed.
func TestMessagesAreReadAgain(t *testing.T) {
	for _, c := range []struct {
		name   string
		reader asideOf
		want   string
		kind   nacre.Kind
	}{
		{"read", asideOf{report: reflect.Report{Messages: 2, Learned: 1, Reason: "read"}}, "Read 2 messages: 1 note is new or better founded.", 0},
		{"no money", asideOf{report: reflect.Report{Reason: "budget"}}, "Nothing was read: the budget is used up.", 0},
		{"no model", asideOf{reflect.Report{Reason: "overloaded"}, errors.New("status 529")}, "Not everything could be read back: overloaded.", nacre.Transient},
		{"not wanted", asideOf{err: nacre.Errorf(nacre.Denied, "saving is off")}, "saving is off", nacre.Denied},
	} {
		text, err := jobsDesk{aside: c.reader}.Again(t.Context())
		if err != nil {
			text = err.Error()
		}
		if text != c.want || nacre.KindOf(err) != c.kind {
			t.Errorf("%s: %q, %v, want %q", c.name, text, err, c.want)
		}
	}
}
