package main

import (
	"context"
	"maps"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/memory/ledger"
	"nacre/web"
	"nacre/web/metrics"
)

// turnHost is the gateway as sessions know it. It tells scripts that wait for an
// answer when a turn was committed.
type turnHost struct {
	*gateway.Gateway
	page *web.Chat
}

// Post implements agent.Host; each commit ends in it.
func (h turnHost) Post(list []nacre.Delivery) {
	h.Gateway.Post(list)
	h.page.Turned()
}

// liveJobs is the ledger as jobs know it. It tells open pages of each change, whoever
// made it: a person, a model or the clock.
type liveJobs struct {
	*ledger.Ledger
	page  *web.Chat
	meter *metrics.Meter
}

func (l liveJobs) changed(owner nacre.OwnerID, err error) {
	if err == nil {
		l.page.Changed(owner, web.TopicJobs)
	}
}

// PutJob implements jobs.Store.
func (l liveJobs) PutJob(ctx context.Context, job nacre.Job) (nacre.Job, error) {
	made, err := l.Ledger.PutJob(ctx, job)
	l.changed(job.Owner, err)
	return made, err
}

// ChangeJob implements jobs.Store.
func (l liveJobs) ChangeJob(ctx context.Context, was, job nacre.Job, missed ...nacre.Run) error {
	err := l.Ledger.ChangeJob(ctx, was, job, missed...)
	l.changed(job.Owner, err)
	return err
}

// DropJob implements jobs.Store.
func (l liveJobs) DropJob(ctx context.Context, owner nacre.OwnerID, id nacre.JobID) error {
	err := l.Ledger.DropJob(ctx, owner, id)
	l.changed(owner, err)
	return err
}

// Claim implements jobs.Store.
func (l liveJobs) Claim(ctx context.Context, claims []nacre.JobClaim) ([]bool, error) {
	taken, err := l.Ledger.Claim(ctx, claims)
	for i := range taken {
		if taken[i] {
			l.changed(claims[i].Was.Owner, nil)
		}
	}
	return taken, err
}

// Begin implements jobs.Store.
func (l liveJobs) Begin(ctx context.Context, run nacre.Run) (nacre.Run, error) {
	begun, err := l.Ledger.Begin(ctx, run)
	l.changed(run.Owner, err)
	return begun, err
}

// End implements jobs.Store.
func (l liveJobs) End(ctx context.Context, e nacre.JobEnding) error {
	err := l.Ledger.End(ctx, e)
	l.changed(e.Run.Owner, err)
	if err == nil && e.Run.State.Ended() {
		l.meter.Ran(whatRan(e.Run.Job), e.Run.State)
	}
	return err
}

// lookEvery is how often channels are asked how they are while somebody sees it, since
// they tell nobody by themselves.
const lookEvery = time.Second

// watchChannels tells the operator's pages when a channel is different, until ctx
// ends. While none of them is open nobody is woken.
func (a *app) watchChannels(ctx context.Context) {
	for a.page.Awaited(ctx, a.operator) {
		a.watchOpen(ctx)
	}
}

// watchOpen does so while a page is open.
func (a *app) watchOpen(ctx context.Context) {
	often := time.NewTicker(lookEvery)
	defer often.Stop()
	for was := a.gateway.State(); a.page.Open(a.operator); {
		select {
		case <-often.C:
			if now := a.gateway.State(); !maps.Equal(now, was) {
				was = now
				a.page.Changed(a.operator, web.TopicChannels)
			}
		case <-ctx.Done():
			return
		}
	}
}
