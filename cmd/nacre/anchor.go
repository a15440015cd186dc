package main

import (
	"context"
	"time"

	"nacre"
	"nacre/memory"
)

// anchor sends the daily checkpoints of the audit log until ctx ends, just after
// midnight of the installation. A day on which nothing ran is made up for at
// the start.
func (a *app) anchor(ctx context.Context) {
	for ctx.Err() == nil {
		now := time.Now().In(a.cfg.Zone)
		if err := a.anchorDay(ctx, now.Format(time.DateOnly)); err != nil && ctx.Err() == nil {
			a.log.Error("the daily checkpoint was not sent; the next start tries again", "err", err)
		}
		select {
		case <-time.After(time.Until(time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 1, 0, now.Location()))):
		case <-ctx.Done():
		}
	}
}

// anchorDay sends a checkpoint to each owner who wants one, once a day.
func (a *app) anchorDay(ctx context.Context, day string) error {
	owners, err := a.ledger.Owners(ctx)
	if err != nil {
		return err
	}
	for _, o := range owners {
		s, err := a.library.Book(o.ID).State(ctx)
		if err != nil {
			return err
		}
		if !s.On(memory.Checkpoints) {
			continue
		}
		if err := a.anchorOwner(ctx, o.ID, day); err != nil {
			return err
		}
	}
	return nil
}

// anchorOwner marks the day before it sends, since a checkpoint that is missing
// one day does less harm than one that comes with every start.
func (a *app) anchorOwner(ctx context.Context, owner nacre.OwnerID, day string) error {
	fresh, err := a.ledger.Anchor(ctx, owner, day)
	if err != nil || !fresh {
		return err
	}
	signed, err := a.backups.checkpoint(ctx)
	if err != nil {
		return err
	}
	a.tell(ctx, owner, "Checkpoint of my memory's log, to keep:\n\n```\n"+string(signed)+"```")
	return nil
}
