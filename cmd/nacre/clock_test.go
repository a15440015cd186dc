package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/llm/offline"
	"nacre/jobs"
	"nacre/memory"
)

// jobsOf are the jobs of a user, without the heartbeat.
func (b *bubble) jobsOf(user int64) []nacre.Job {
	b.t.Helper()
	list, err := b.app.ledger.Jobs(b.t.Context(), b.ownerOf(user))
	if err != nil {
		b.t.Fatal(err)
	}
	return slices.DeleteFunc(list, func(j nacre.Job) bool { return j.Kind == nacre.Heartbeat })
}

func (b *bubble) ownerOf(user int64) nacre.OwnerID {
	b.t.Helper()
	owners, err := b.app.ledger.Owners(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	for _, o := range owners {
		if slices.Contains(o.Addresses, nacre.Address{Channel: nacre.Telegram, ID: fmt.Sprint(user)}) {
			return o.ID
		}
	}
	b.t.Fatal("no such owner")
	return ""
}

// newest is the last message that a user sees.
func (b *bubble) newest(user int64) string {
	list := b.texts(user)
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// The time that was understood is always repeated; the words are said once, to
// the second, and no model has a part in it.
func TestReminderIsSaidOnTime(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "/remind in 20 minutes take the bread out")
		if got := b.newest(1001); !strings.Contains(got, "00:20 (UTC)") || !strings.Contains(got, "take the bread out") {
			t.Errorf("the answer is %q", got)
		}
		b.pass(20*time.Minute - 2*time.Second)
		if n := len(b.texts(1001)); n != 1 {
			t.Errorf("before its time the user sees %q", b.texts(1001))
		}
		b.pass(3 * time.Second)
		if got := b.newest(1001); len(b.texts(1001)) != 2 || !strings.HasPrefix(got, "⏰") || !strings.Contains(got, "take the bread out") {
			t.Errorf("when it is due the user sees %q", b.texts(1001))
		}
		b.pass(3 * time.Hour)
		if n := len(b.model.Requests()) + len(b.texts(1001)); n != 2 {
			t.Errorf("%d messages, %d model calls", len(b.texts(1001)), len(b.model.Requests()))
		}
		b.say(1001, "done")
		req := b.model.Requests()[0]
		if at := len(req.Messages) - 2; at < 0 || req.Messages[at].Role != llm.Assistant || !strings.Contains(req.Messages[at].Text, "bread") {
			t.Errorf("the model does not see what it reminded of: %+v", req.Messages)
		}
	})
}

// Without a model: the offline one understands the person's own words.
func TestOfflineReminder(t *testing.T) {
	for _, c := range []struct{ words, understood, said string }{
		{"remind me tomorrow at 9 to call mum", "2 Jan 2000, 09:00 (UTC)", "call mum"},
		{"Erinnere mich morgen um 9 Uhr daran, Mama anzurufen", "2 Jan 2000, 09:00 (UTC)", "Mama anzurufen"},
		{"recuérdame mañana a las 9 llamar a mamá", "2 Jan 2000, 09:00 (UTC)", "llamar a mamá"},
		{"明天9点提醒我给妈妈打电话", "2 Jan 2000, 09:00 (UTC)", "给妈妈打电话"},
	} {
		t.Run(c.words, func(t *testing.T) {
			builtIn := supplier{name: "offline", model: offline.Model{}, window: unknownWindow, simple: true, blind: true}
			liveWith(t, []supplier{builtIn}, func(b *bubble) {
				b.say(1001, "/model offline")
				b.say(1001, c.words)
				if got := b.newest(1001); !strings.Contains(got, c.understood) || !strings.Contains(got, c.said) {
					t.Errorf("the answer is %q", got)
				}
				b.stop()
				time.Sleep(33*time.Hour - time.Minute)
				b.start()
				b.pass(2 * time.Minute)
				if got := b.newest(1001); !strings.HasPrefix(got, "⏰") || !strings.Contains(got, c.said) {
					t.Errorf("when it is due the user sees %q", got)
				}
			})
		})
	}
}

// A task is worked apart from the conversation, by a model that is told so, and
// what came of it is said in the chat.
func TestTaskIsWorkedApart(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "I collect stamps")
		b.say(1001, "/jobs task every day at 8 count the days that are left")
		b.model.Push(llmtest.Step{Text: `{"notes":[]}`}) // of what is read back before
		b.model.Push(llmtest.Step{Calls: []llm.ToolCall{{ID: "c1", Name: "now", Args: []byte(`{}`)}}}, llmtest.Step{Text: "Three hundred and more."})
		b.pass(8*time.Hour + 3*time.Minute)
		if got := b.newest(1001); !strings.Contains(got, "Three hundred and more.") {
			t.Errorf("the user sees %q", b.texts(1001))
		}
		for _, r := range b.model.Requests()[1:] {
			for _, m := range r.Messages {
				if strings.Contains(m.Text, "stamps") && strings.Contains(r.Messages[0].Text, "scheduled") {
					t.Errorf("the run sees the conversation: %q", m.Text)
				}
			}
		}
		runs, err := b.app.ledger.Runs(b.t.Context(), b.ownerOf(1001), b.jobsOf(1001)[0].ID, 10)
		if err != nil || len(runs) != 1 || runs[0].State != nacre.Done || runs[0].Used.Calls != 2 || runs[0].Used.Cost == 0 {
			t.Errorf("the history is %+v, %v", runs, err)
		}
	})
}

// A running job can do much, but make no jobs and change no memory.
func TestRunningJobMayNotPlanOrLearn(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "/jobs task every day at 8 look around")
		b.model.Push(
			llmtest.Step{Calls: []llm.ToolCall{{ID: "c1", Name: "schedule", Args: []byte(`{"text":"again","when":"every 60 minutes"}`)}}},
			llmtest.Step{Text: "I tried."})
		b.pass(8*time.Hour + 3*time.Minute)
		if got := b.newest(1001); !strings.Contains(got, "I tried.") || len(b.jobsOf(1001)) != 1 {
			t.Errorf("the user sees %q and has %d jobs", got, len(b.jobsOf(1001)))
		}
		for _, tool := range b.model.Requests()[0].Tools {
			if tool.Name == "memory_learn" || tool.Name == "memory_forget" || tool.Name == "ask_user" {
				t.Errorf("a run is offered %s", tool.Name)
			}
		}
	}, "NACRE_HEARTBEAT=off")
}

// heartbeatFile writes what an owner wants looked after.
func (b *bubble) heartbeatFile(user int64, text string) {
	b.t.Helper()
	path := filepath.Join(b.app.cfg.Data, "owners", string(b.ownerOf(user)), "HEARTBEAT.md")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func decides(text string) llmtest.Step {
	tell := text != ""
	return llmtest.Step{Calls: []llm.ToolCall{{ID: "d", Name: "heartbeat_decision", Args: []byte(fmt.Sprintf(`{"tell":%v,"text":%q}`, tell, text))}}}
}

// A heartbeat asks no model where there is nothing to look at, is silent unless it
// decided to tell, and keeps to its hours.
func TestHeartbeat(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "/whoami")
		b.stop()
		b.start() // the owner has a home now, and gets a heartbeat
		b.pass(10 * time.Hour)
		if n := len(b.model.Requests()); n != 0 {
			t.Errorf("with nothing to look at the model was asked %d times", n)
		}
		b.heartbeatFile(1001, "- Tell me when the year is over.\n")
		b.model.Push(decides(""), decides("The year is over."))
		b.pass(31 * time.Minute)
		if n := len(b.texts(1001)); n != 1 || len(b.model.Requests()) != 1 {
			t.Errorf("quietly the user sees %q after %d calls", b.texts(1001), len(b.model.Requests()))
		}
		b.pass(30 * time.Minute)
		if got := b.newest(1001); !strings.Contains(got, "The year is over.") || len(b.texts(1001)) != 2 {
			t.Errorf("the user sees %q", b.texts(1001))
		}
		asked := len(b.model.Requests())
		b.pass(11*time.Hour + 30*time.Minute) // 22:31
		if n := len(b.model.Requests()); n > asked+22 || n > 24 {
			t.Errorf("%d calls in a day", n)
		}
		late := len(b.model.Requests())
		b.pass(9 * time.Hour) // 7:31
		if n := len(b.model.Requests()); n != late {
			t.Errorf("%d calls at night", n-late)
		}
	})
}

// What a person said is read back an hour later, with quotes of their own words.
func TestReflectionLearns(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "my boat lies in the harbour of Graz")
		b.model.Push(llmtest.Step{Text: `{"notes":[{"message":"m1","quote":"my boat lies in the harbour of Graz","area":"about","slug":"boat","text":"My boat lies in the harbour of Graz","sensitive":false}]}`})
		b.pass(2 * time.Hour)
		state, err := b.app.library.Book(b.ownerOf(1001)).State(b.t.Context())
		if err != nil {
			t.Fatal(err)
		}
		list := state.Select(memory.Query{})
		if len(list) != 1 || list[0].Status != memory.Tentative || list[0].Decided != memory.ByReflect {
			t.Errorf("the notes are %+v", list)
		}
		calls := len(b.model.Requests())
		b.pass(3 * time.Hour)
		if n := len(b.model.Requests()); n != calls {
			t.Errorf("with nothing new the model was asked %d times", n-calls)
		}
	})
}

// What the model cannot read three hours in a row is set aside and told, once a
// day; by hand it is read again, which is recorded with what it cost.
func TestSetAsideIsTold(t *testing.T) {
	live(t, func(b *bubble) {
		prose := llmtest.Step{Text: "I have noted it."}
		for range 2 {
			b.say(1001, "my boat lies in the harbour of Graz")
			b.model.Push(prose, prose, prose, prose, prose, prose)
			seen := len(b.texts(1001))
			b.pass(4 * time.Hour)
			if n := len(b.texts(1001)) - seen; n > 0 && !strings.Contains(b.newest(1001), "could not be read back") {
				t.Errorf("the user sees %q", b.newest(1001))
			}
		}
		told := slices.DeleteFunc(b.texts(1001), func(s string) bool { return !strings.Contains(s, "could not be read back") })
		if len(told) != 1 {
			t.Errorf("it is told %d times: %q", len(told), b.texts(1001))
		}
		b.model.Push(prose, prose)
		b.say(1001, "/jobs run reflect")
		if got := b.newest(1001); !strings.Contains(got, "Not everything could be read back: the model's answer could not be read.") {
			t.Errorf("by hand the user sees %q", got)
		}
		b.model.Push(llmtest.Step{Text: `{"notes":[]}`}, llmtest.Step{Text: `{"notes":[]}`})
		b.say(1001, "/jobs run reflect")
		b.say(1001, "/jobs history")
		if got := b.newest(1001); strings.Contains(got, "set aside:") {
			t.Errorf("the history is %q", got)
		}
		runs, err := b.app.ledger.Runs(b.t.Context(), b.ownerOf(1001), nacre.RoundReflect, 10)
		if err != nil || len(runs) < 2 || !runs[0].ByHand || runs[0].State != nacre.Done || runs[0].Used.Calls != 2 || runs[1].State != nacre.Failure || runs[1].Used.Calls != 2 {
			t.Errorf("the runs are %+v, %v", runs, err)
		}
	}, "NACRE_HEARTBEAT=off")
}

// What is pinned when the owner wants it is told with why, and then it is.
func TestPromotionIsTold(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "/remember my dog is called Zqxkiko")
		note := func() *memory.Note {
			state, err := b.app.library.Book(b.ownerOf(1001)).State(b.t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return state.Select(memory.Query{})[0]
		}
		b.say(1001, "/jobs run promote")
		if got := b.newest(1001); strings.Contains(got, "Zqxkiko") || note().Pinned {
			t.Errorf("before it was recalled the user sees %q", got)
		}
		for _, day := range []string{"1999-12-30", "1999-12-31", "2000-01-01"} {
			if err := b.app.ledger.Hit(b.t.Context(), b.ownerOf(1001), day, []nacre.NoteID{note().ID}); err != nil {
				t.Fatal(err)
			}
		}
		b.say(1001, "/jobs run promote")
		if got := b.newest(1001); !strings.Contains(got, "pinned: my dog is called Zqxkiko – recalled on 3 days") || !note().Pinned {
			t.Errorf("the user sees %q", got)
		}
	}, "NACRE_HEARTBEAT=off")
}

// An owner whose heartbeat cannot be made is named, and keeps no other from theirs.
func TestHeartbeatsOfTheOthers(t *testing.T) {
	w := newWorld(t)
	w.alone(func(a *app) {
		w.said(a, "1001", "hello")
		w.said(a, "1002", "hello")
		ill, other := w.owner(a, "1001"), w.owner(a, "1002")
		a.board = jobs.NewBoard(jobs.BoardOptions{Store: unreadable{a.ledger, ill}, Zone: a.zoneOf, Changed: func() {}})
		if err := a.ensureHeartbeats(t.Context()); err == nil || !strings.Contains(err.Error(), string(ill)) {
			t.Errorf("it fails with %v", err)
		}
		for owner, want := range map[nacre.OwnerID]int{ill: 0, other: 1} {
			if list, err := a.ledger.Jobs(t.Context(), owner); err != nil || len(list) != want {
				t.Errorf("an owner has %d jobs, %v; want %d", len(list), err, want)
			}
		}
	})
}

// unreadable is a store that cannot read the jobs of one owner.
type unreadable struct {
	jobs.Store
	owner nacre.OwnerID
}

func (u unreadable) Jobs(ctx context.Context, owner nacre.OwnerID) ([]nacre.Job, error) {
	if owner == u.owner {
		return nil, errors.New("scripted")
	}
	return u.Store.Jobs(ctx, owner)
}

// Forgetting takes the words of jobs too.
func TestForgettingReachesJobs(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "/remember my dog is called Zqxkiko")
		b.say(1001, "/remind tomorrow 9:00 walk Zqxkiko")
		b.say(1001, "/remind tomorrow 9:00 water the plants")
		b.say(1001, "/forget about Zqxkiko")
		b.say(1001, "yes")
		if list := b.jobsOf(1001); len(list) != 1 || list[0].Text != "water the plants" {
			t.Errorf("the jobs are %+v; the user sees %q", list, b.newest(1001))
		}
	})
}

// What cannot be a schedule is refused with a reason, and nothing is stored.
func TestUnknownZoneAndPastAreRefused(t *testing.T) {
	live(t, func(b *bubble) {
		for _, c := range []struct{ args, want string }{
			{`{"text":"x","when":"0 9 * * *","zone":"America/Vancovuer"}`, "America/Vancovuer"},
			{`{"text":"x","when":"* * * * * *"}`, "6 fields"},
			{`{"text":"x","when":"* * * * *"}`, "5 minutes"},
			{`{"text":"x","when":"1999-12-31 23:00"}`, "past"},
		} {
			b.model.Push(llmtest.Step{Calls: []llm.ToolCall{{ID: "c1", Name: "remind", Args: []byte(c.args)}}}, llmtest.Step{Text: "no"})
			b.say(1001, "remind me")
			reqs := b.model.Requests()
			last := reqs[len(reqs)-1].Messages
			if got := last[len(last)-1].Text; !strings.HasPrefix(got, "Error:") || !strings.Contains(got, c.want) {
				t.Errorf("%s: the model reads %q", c.args, got)
			}
		}
		if n := len(b.jobsOf(1001)); n != 0 {
			t.Errorf("%d jobs were made", n)
		}
	})
}

// A day that nothing ran is made up for once inside the grace period, and else
// told.
func TestMissedWhileDown(t *testing.T) {
	for _, c := range []struct {
		down time.Duration
		want string
	}{{10 * time.Hour, "09:00"}, {24 * time.Hour, "not running"}} {
		live(t, func(b *bubble) {
			b.say(1001, "/remind today at 9:00 stretch")
			b.stop()
			time.Sleep(c.down)
			b.start()
			b.pass(time.Minute)
			got := b.texts(1001)
			if len(got) != 2 || !strings.Contains(got[1], "stretch") || !strings.Contains(got[1], c.want) {
				t.Errorf("after %s the user sees %q", c.down, got)
			}
			b.stop()
			b.start()
			b.pass(time.Hour)
			if n := len(b.texts(1001)); n != 2 {
				t.Errorf("after another start the user sees %q", b.texts(1001))
			}
		})
	}
}
