package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/reflect"
	"nacre/jobs"
	"nacre/memory"
	"nacre/memory/render"
)

// rounds are what Nacre does for an owner by itself, once an hour: it keeps their
// memory in order, and learns how they write.
func (a *app) rounds() []jobs.Round {
	return a.well.watch([]jobs.Round{
		{Name: nacre.RoundRepair, Do: a.repair},
		{Name: nacre.RoundReflect, Do: a.reflect},
		{Name: nacre.RoundPromote, Do: a.promote},
		{Name: nacre.RoundStyle, Do: a.learnStyle},
	})
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

// byHand marks the context of a round that somebody wants now.
type byHand struct{}

// roundNow does one of the rounds because its owner wants it, and waits for it. NotFound,
// in a sentence, if that would read a Gmail and none is connected.
func (a *app) roundNow(ctx context.Context, owner nacre.OwnerID, name nacre.JobID) error {
	if name == nacre.RoundStyle {
		if _, err := a.mail.Learned(ctx, owner); err != nil {
			return err
		}
	}
	return a.clock.RunRound(context.WithValue(ctx, byHand{}, true), owner, name)
}

// reflect reads back what an owner said; by hand, also what was set aside.
func (a *app) reflect(ctx context.Context, owner nacre.OwnerID) (jobs.Outcome, error) {
	ctx, counted := llm.Counting(ctx)
	var r reflect.Report
	var err error
	if ctx.Value(byHand{}) != nil {
		r, err = a.reflector.Again(ctx, owner)
		err = unread(r, err)
	} else {
		r, err = a.reflector.Reflect(ctx, owner)
	}
	if r.Aside > 0 {
		a.tellAside(context.WithoutCancel(ctx), owner)
	}
	return jobs.Outcome{Reason: r.Reason, Used: nacre.Usage(counted.Total())}, err
}

// unread says in a sentence why messages could not be read back, unless the error
// does.
func unread(r reflect.Report, err error) error {
	if err == nil || nacre.KindOf(err) != nacre.Internal {
		return err
	}
	return nacre.Errorf(nacre.Transient, "Not everything could be read back: %s.", reasonWords(r.Reason))
}

// tellAside tells an owner that messages were set aside, once a day at most.
func (a *app) tellAside(ctx context.Context, owner nacre.OwnerID) {
	day := time.Now().In(a.zoneOf(owner)).Format(time.DateOnly)
	before, err := a.ledger.Told(ctx, owner, "set aside", day)
	if err != nil {
		a.log.Error("it is not known whether an owner was told of messages set aside, so they are", "owner", owner, "err", err)
	}
	if !before {
		a.tell(ctx, owner, asideNotice)
	}
}

const asideNotice = "Some of what you said could not be read back for my memory, three hours in a row, so I set it aside. " +
	"Your messages are kept. /jobs history shows which they are, and why; /jobs run reflect reads them again."

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

// promotedLines tells what promote would do now, and why, a line for each note.
func (a *app) promotedLines(ctx context.Context, owner nacre.OwnerID) ([]string, error) {
	list, err := a.library.Book(owner).Promotions(ctx, time.Now(), render.PinnedRoom())
	var lines []string
	for _, p := range list {
		done := "unpinned"
		if p.Pin {
			done = "pinned"
		}
		lines = append(lines, fmt.Sprintf("%s: %s – %s", done, render.Literal(p.Note.Text), render.Promotion(p)))
	}
	return lines, err
}

// asideLines tells which messages could not be read back, a line for each batch.
func (a *app) asideLines(ctx context.Context, owner nacre.OwnerID) ([]string, error) {
	list, err := a.reflector.Aside(ctx, owner)
	var lines []string
	for _, b := range list {
		lines = append(lines, asideWords(b, a.zoneOf(owner)))
	}
	return lines, err
}

// asideWords is one of those batches in words.
func asideWords(b memory.Batch, zone *time.Location) string {
	return fmt.Sprintf("messages %d to %d, tried %d times, last on %s: %s", b.First, b.Through, b.Failures, b.At.In(zone).Format("2 Jan 2006, 15:04"), reasonWords(b.Reason))
}
