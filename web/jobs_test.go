package web

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"nacre"
)

// echoJobs gives back what it is asked.
type echoJobs struct {
	Jobs
	err error
}

// wished is a job whose text tells all of a wish.
func wished(w JobWish) Job {
	plan := "nil"
	if w.MayPlan != nil {
		plan = fmt.Sprint(*w.MayPlan)
	}
	w.MayPlan = nil
	return Job{ID: "j1", Number: w.Job, Kind: w.Kind, Text: fmt.Sprintf("%+v %s", w, plan), Next: time.UnixMilli(7).UTC(),
		Schedule: nacre.Schedule{Kind: nacre.Every, At: time.UnixMilli(5).UTC(), Every: time.Hour, Zone: w.Zone}}
}

func (j echoJobs) List(_ context.Context, q JobQuery) (JobListing, error) {
	return JobListing{Jobs: []Job{wished(JobWish{Text: fmt.Sprint(q.Over)})}, Over: 2, Aside: 3}, j.err
}

func (j echoJobs) Show(_ context.Context, n JobNumber) (JobSheet, error) {
	return JobSheet{Job: wished(JobWish{Job: n.Job}), Runs: []JobRun{{Job: n.Job, State: nacre.Missed, TookMS: 1000, Slot: time.UnixMilli(9).UTC()}}}, j.err
}

func (j echoJobs) Runs(_ context.Context, q RunQuery) ([]JobRun, error) {
	return []JobRun{{Job: q.Job, Calls: q.Most, Words: "done", ByHand: true}}, j.err
}

func (j echoJobs) Add(_ context.Context, w JobWish) (Job, error)  { return wished(w), j.err }
func (j echoJobs) Edit(_ context.Context, w JobWish) (Job, error) { return wished(w), j.err }

func (j echoJobs) Do(_ context.Context, d JobDeed) (Job, error) {
	return Job{Number: d.Job, Text: string(d.Do)}, j.err
}

func (j echoJobs) Aside(context.Context) ([]AsideBatch, error) {
	return []AsideBatch{{First: 1, Through: 40, Failures: 3, Reason: "refused", Words: "why", At: time.UnixMilli(5).UTC()}}, j.err
}

func (j echoJobs) Again(context.Context) (string, error) { return "read", j.err }

func (j echoJobs) Round(_ context.Context, r JobRound) (string, error) {
	return "round " + string(r.Round), j.err
}

// Jobs implements Desk.
func (d failingDesk) Jobs(Hand) Jobs { return echoJobs{err: d.err} }

// Every method of Jobs gives the same over the socket as without it.
func TestJobsOverTheSocket(t *testing.T) {
	remote := serveControl(t, plainDesk{}).Jobs(Hand{})
	yes, no := true, false
	for name, ask := range map[string]func(Jobs) (any, error){
		"list":  func(j Jobs) (any, error) { return j.List(t.Context(), JobQuery{Over: true}) },
		"show":  func(j Jobs) (any, error) { return j.Show(t.Context(), JobNumber{3}) },
		"runs":  func(j Jobs) (any, error) { return j.Runs(t.Context(), RunQuery{3, 7, nacre.RoundStyle}) },
		"aside": func(j Jobs) (any, error) { return j.Aside(t.Context()) },
		"again": func(j Jobs) (any, error) { return j.Again(t.Context()) },
		"round": func(j Jobs) (any, error) { return j.Round(t.Context(), JobRound{nacre.RoundReflect}) },
		"do":    func(j Jobs) (any, error) { return j.Do(t.Context(), JobDeed{3, PauseJob}) },
		"add": func(j Jobs) (any, error) {
			return j.Add(t.Context(), JobWish{Kind: nacre.Task, Text: "ü", At: "a", Every: "e", Cron: "c", Zone: "z", Grace: "g", MayPlan: &yes})
		},
		"edit": func(j Jobs) (any, error) {
			return j.Edit(t.Context(), JobWish{Job: 3, Kind: nacre.Reminder, Text: "x", MayPlan: &no})
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := ask(plainDesk{}.Jobs(Hand{}))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := ask(remote); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("over the socket %+v, %v, want %+v", got, err, want)
			}
		})
	}
}

func TestJobsErrorsKeepTheirKinds(t *testing.T) {
	for _, kind := range []nacre.Kind{nacre.Invalid, nacre.Denied, nacre.NotFound, nacre.Conflict, nacre.Transient} {
		j := serveControl(t, failingDesk{err: nacre.Errorf(kind, "a sentence")}).Jobs(Hand{})
		_, err := j.Add(t.Context(), JobWish{})
		if nacre.KindOf(err) != kind || err.Error() != "a sentence" {
			t.Errorf("Add = %v (%v), want the sentence (%v)", err, nacre.KindOf(err), kind)
		}
	}
	_, err := serveControl(t, failingDesk{err: context.DeadlineExceeded}).Jobs(Hand{}).Again(t.Context())
	if nacre.KindOf(err) != nacre.Internal || err.Error() == context.DeadlineExceeded.Error() {
		t.Errorf("Again = %v, want an Internal error without its cause", err)
	}
}
