package main

import (
	"cmp"
	"context"
	"time"

	"nacre"
	"nacre/agent/heartbeat"
	"nacre/agent/prompt"
	"nacre/web"
)

// zoneOf is where an owner lives.
func (a *app) zoneOf(owner nacre.OwnerID) *time.Location {
	return cmp.Or(a.settings.of(owner).zone, a.cfg.Zone)
}

// hoursOf is when an owner may be told something unasked.
func (a *app) hoursOf(owner nacre.OwnerID) heartbeat.Hours {
	return heartbeat.Hours(*cmp.Or(a.settings.of(owner).hours, &a.cfg.Heartbeat.Hours))
}

// modelOf names the model that answers an owner where /model chose no other; empty
// for the installation's.
func (a *app) modelOf(owner nacre.OwnerID) string { return a.settings.of(owner).model }

// personOf is how an owner wants to be spoken to.
func (a *app) personOf(owner nacre.OwnerID) string {
	mine := a.settings.of(owner)
	return prompt.Person(mine.name, languageName(mine.language))
}

// changeSettings changes settings of an owner, all or none, and lets everything
// follow them. It reports whether jobs have other times by that.
func (a *app) changeSettings(ctx context.Context, owner nacre.OwnerID, wanted map[string]string) (moved bool, err error) {
	before, after, err := a.settings.change(ctx, owner, wanted)
	if err != nil {
		return false, err
	}
	from, to := cmp.Or(before.zone, a.cfg.Zone), cmp.Or(after.zone, a.cfg.Zone)
	if from.String() != to.String() {
		moved = a.moveOwner(context.WithoutCancel(ctx), owner, from)
	}
	a.page.Changed(owner, web.TopicSettings)
	return moved, nil
}

// moveOwner lets what goes by an owner's clock follow them to where they live now:
// their jobs, and the days of what they said, which are found by them. Jobs that
// cannot be moved now are by the next start.
func (a *app) moveOwner(ctx context.Context, owner nacre.OwnerID, from *time.Location) (moved bool) {
	a.index.Drop(owner)
	moved, err := a.board.Move(ctx, owner, from)
	if err != nil {
		a.log.Error("jobs do not follow their owner's zone; the next start tries again", "owner", owner, "err", err)
	}
	if moved {
		a.page.Changed(owner, web.TopicJobs)
	}
	return moved
}
