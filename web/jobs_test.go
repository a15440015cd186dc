package web

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"nacre"
)

// echoJobs gives back what it is asked.
type echoJobs struct{ err error }

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
func (d failingDesk) Jobs() Jobs { return echoJobs{d.err} }

// Every method of Jobs gives the same over the socket as without it.
func TestJobsOverTheSocket(t *testing.T) {
	remote := serveControl(t, plainDesk{}).Jobs()
	yes, no := true, false
	for name, ask := range map[string]func(Jobs) (any, error){
		"list":  func(j Jobs) (any, error) { return j.List(t.Context(), JobQuery{Over: true}) },
		"show":  func(j Jobs) (any, error) { return j.Show(t.Context(), JobNumber{3}) },
		"runs":  func(j Jobs) (any, error) { return j.Runs(t.Context(), RunQuery{3, 7}) },
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
			want, err := ask(plainDesk{}.Jobs())
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
		j := serveControl(t, failingDesk{err: nacre.Errorf(kind, "a sentence")}).Jobs()
		_, err := j.Add(t.Context(), JobWish{})
		if nacre.KindOf(err) != kind || err.Error() != "a sentence" {
			t.Errorf("Add = %v (%v), want the sentence (%v)", err, nacre.KindOf(err), kind)
		}
	}
	_, err := serveControl(t, failingDesk{err: context.DeadlineExceeded}).Jobs().Again(t.Context())
	if nacre.KindOf(err) != nacre.Internal || strings.Contains(err.Error(), "deadline") {
		t.Errorf("Again = %v, want an Internal error without its cause", err)
	}
}

// Only the operator reaches jobs, and only in the words that are asked for.
func TestJobsOnThePage(t *testing.T) {
	s := newStreet(t, nil)
	operator, stranger := "Cookie: nacre="+s.session(ann), "Cookie: nacre="+s.session(bob)
	const program = "Authorization: Bearer the-token"
	const ask = `{"job":3,"do":"pause"}`
	for _, c := range []struct {
		name    string
		body    string
		headers []string
		want    int
		says    string
	}{
		{"the operator", ask, []string{operator, "Origin: " + s.site.Origin()}, 200, `"text":"pause"`},
		{"a program with the token", ask, []string{program}, 200, `"text":"pause"`},
		{"a wrong token", ask, []string{program + "x"}, 401, ""},
		{"nobody", ask, nil, 401, ""},
		{"another owner", ask, []string{stranger}, 403, "Only the operator"},
		{"a page of others", ask, []string{operator, "Origin: https://evil.example", "Sec-Fetch-Site: cross-site"}, 403, ""},
		{"an owner in the request", `{"job":3,"do":"pause","owner":"bob"}`, []string{program}, 400, "not the JSON"},
		{"a number in words", `{"job":"3","do":"pause"}`, []string{program}, 400, "not the JSON"},
		{"too long", `{"do":"` + strings.Repeat("a", maxAsked) + `"}`, []string{program}, 400, "too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, body := s.do("POST", "/v1/jobs/do", c.body, c.headers...)
			if resp.StatusCode != c.want || !strings.Contains(body, c.says) {
				t.Errorf("%s %q, want %d and %q", resp.Status, body, c.want, c.says)
			}
		})
	}
	if resp, body := s.do("GET", "/v1/jobs/do", "", program); resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET is answered with %s %q", resp.Status, body)
	}
}
