package web

import (
	"context"
	"net/http"
)

// jobsRoutes are where Jobs is asked. As with memory, what needs to be said of a
// request is one JSON object.
func jobsRoutes(mux *http.ServeMux, j Jobs) {
	mux.Handle("POST /v1/jobs/list", asked(j.List))
	mux.Handle("POST /v1/jobs/show", asked(j.Show))
	mux.Handle("POST /v1/jobs/runs", asked(j.Runs))
	mux.Handle("POST /v1/jobs/add", asked(j.Add))
	mux.Handle("POST /v1/jobs/edit", asked(j.Edit))
	mux.Handle("POST /v1/jobs/do", asked(j.Do))
	mux.Handle("POST /v1/jobs/round", asked(j.Round))
	mux.Handle("POST /v1/jobs/aside", told(j.Aside))
	mux.Handle("POST /v1/jobs/again", told(j.Again))
}

// Jobs implements Desk.
func (c *Client) Jobs() Jobs { return remoteJobs{c} }

// remoteJobs is the jobs of a running Nacre.
type remoteJobs struct{ client *Client }

// List implements Jobs.
func (j remoteJobs) List(ctx context.Context, q JobQuery) (JobListing, error) {
	return ask[JobListing](ctx, j.client, http.MethodPost, "jobs/list", q)
}

// Show implements Jobs.
func (j remoteJobs) Show(ctx context.Context, n JobNumber) (JobSheet, error) {
	return ask[JobSheet](ctx, j.client, http.MethodPost, "jobs/show", n)
}

// Runs implements Jobs.
func (j remoteJobs) Runs(ctx context.Context, q RunQuery) ([]JobRun, error) {
	return ask[[]JobRun](ctx, j.client, http.MethodPost, "jobs/runs", q)
}

// Add implements Jobs.
func (j remoteJobs) Add(ctx context.Context, w JobWish) (Job, error) {
	return ask[Job](ctx, j.client, http.MethodPost, "jobs/add", w)
}

// Edit implements Jobs.
func (j remoteJobs) Edit(ctx context.Context, w JobWish) (Job, error) {
	return ask[Job](ctx, j.client, http.MethodPost, "jobs/edit", w)
}

// Do implements Jobs.
func (j remoteJobs) Do(ctx context.Context, d JobDeed) (Job, error) {
	return ask[Job](ctx, j.client, http.MethodPost, "jobs/do", d)
}

// Round implements Jobs.
func (j remoteJobs) Round(ctx context.Context, r JobRound) (string, error) {
	return ask[string](ctx, j.client, http.MethodPost, "jobs/round", r)
}

// Aside implements Jobs.
func (j remoteJobs) Aside(ctx context.Context) ([]AsideBatch, error) {
	return ask[[]AsideBatch](ctx, j.client, http.MethodPost, "jobs/aside", nil)
}

// Again implements Jobs.
func (j remoteJobs) Again(ctx context.Context) (string, error) {
	return ask[string](ctx, j.client, http.MethodPost, "jobs/again", nil)
}
