package web

import (
	"context"
	"net/http"
)

// jobsRoutes are where Jobs is asked.
func jobsRoutes(j func(Hand) Jobs) []route {
	return []route{
		{"GET /api/jobs", false, asked(j, Jobs.List)},
		{"POST /api/jobs/show", false, asked(j, Jobs.Show)},
		{"GET /api/jobs/runs", false, asked(j, Jobs.Runs)},
		{"POST /api/jobs/add", false, asked(j, Jobs.Add)},
		{"POST /api/jobs/edit", false, asked(j, Jobs.Edit)},
		{"POST /api/jobs/do", false, asked(j, Jobs.Do)},
		{"POST /api/jobs/round", false, asked(j, Jobs.Round)},
		{"GET /api/jobs/aside", false, told(j, Jobs.Aside)},
		{"POST /api/jobs/again", false, told(j, Jobs.Again)},
	}
}

// Jobs implements Desk.
func (c *Client) Jobs(Hand) Jobs { return remoteJobs{c} }

// remoteJobs is the jobs of a running Nacre.
type remoteJobs struct{ client *Client }

// List implements Jobs.
func (j remoteJobs) List(ctx context.Context, q JobQuery) (JobListing, error) {
	return ask[JobListing](ctx, j.client, http.MethodGet, "jobs?"+query(q), nil)
}

// Show implements Jobs.
func (j remoteJobs) Show(ctx context.Context, n JobNumber) (JobSheet, error) {
	return ask[JobSheet](ctx, j.client, http.MethodPost, "jobs/show", n)
}

// Runs implements Jobs.
func (j remoteJobs) Runs(ctx context.Context, q RunQuery) ([]JobRun, error) {
	return ask[[]JobRun](ctx, j.client, http.MethodGet, "jobs/runs?"+query(q), nil)
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
	return ask[[]AsideBatch](ctx, j.client, http.MethodGet, "jobs/aside", nil)
}

// Again implements Jobs.
func (j remoteJobs) Again(ctx context.Context) (string, error) {
	return ask[string](ctx, j.client, http.MethodPost, "jobs/again", nil)
}
