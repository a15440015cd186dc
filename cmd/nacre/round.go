package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/jobs"
	"nacre/memory"
	"nacre/memory/render"
)

// rounds are what keeps an owner's memory in order, once an hour.
func (a *app) rounds() []jobs.Round {
	return []jobs.Round{
		{Name: nacre.RoundRepair, Do: a.repair},
		{Name: nacre.RoundReflect, Do: a.reflect},
		{Name: nacre.RoundPromote, Do: a.promote},
	}
}

// repair puts memory in order by rules.
func (a *app) repair(ctx context.Context, owner nacre.OwnerID) (jobs.Outcome, error) {
	done, err := a.library.Book(owner).Repair(ctx, time.Now())
	var parts []string
	for why, n := range done {
		parts = append(parts, fmt.Sprintf("%s %d", why, n))
	}
	slices.Sort(parts)
	return jobs.Outcome{Reason: strings.Join(parts, ", ")}, err
}

// reflect reads back what an owner said.
func (a *app) reflect(ctx context.Context, owner nacre.OwnerID) (jobs.Outcome, error) {
	ctx, counted := llm.Counting(ctx)
	r, err := a.reflector.Reflect(ctx, owner)
	return jobs.Outcome{Reason: r.Reason, Used: nacre.Usage(counted.Total())}, err
}

// promote pins what is used again and again, and unpins what is not any more.
func (a *app) promote(ctx context.Context, owner nacre.OwnerID) (jobs.Outcome, error) {
	done, err := a.library.Book(owner).Promote(ctx, time.Now(), render.PinnedRoom())
	pinned, unpinned := 0, 0
	for _, p := range done {
		if p.Pin {
			pinned++
		} else {
			unpinned++
		}
	}
	if pinned+unpinned == 0 {
		return jobs.Outcome{}, err
	}
	return jobs.Outcome{Reason: fmt.Sprintf("pinned %d, unpinned %d", pinned, unpinned)}, err
}

// asideLines tells which messages could not be read back, a line for each batch.
func (a *app) asideLines(ctx context.Context, owner nacre.OwnerID) ([]string, error) {
	list, err := a.reflector.Aside(ctx, owner)
	var lines []string
	for _, b := range list {
		lines = append(lines, asideWords(b, a.cfg.Zone))
	}
	return lines, err
}

// asideWords is one of those batches in words.
func asideWords(b memory.Batch, zone *time.Location) string {
	return fmt.Sprintf("messages %d to %d, tried %d times, last on %s: %s", b.First, b.Through, b.Failures, b.At.In(zone).Format("2 Jan 2006, 15:04"), b.Reason)
}
