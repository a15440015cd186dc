// Package agenda is jobs as a conversation meets them: the tools of the model, the
// commands of people, and the buttons under what both show.
//
// Nothing here decides what may be scheduled, or when anything runs; that is the
// Board's. What is decided here is whose wish it is. What a person types or presses
// is done. What a model wants is done and told to the person in words that it did
// not choose; and where the model has read words of strangers, the owner is asked
// first, or must have asked for it in words of their own.
package agenda

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"nacre"
	"nacre/agent"
)

// Board is where jobs are made and changed; a jobs.Board is one. Its errors of the
// kinds Invalid, Denied, NotFound and Conflict are sentences for people.
type Board interface {
	// Add checks a draft and makes a job of it. If there is the same one already, it
	// returns that.
	Add(ctx context.Context, d nacre.JobDraft) (nacre.Job, error)
	// Change makes of a job what is not zero in c.
	Change(ctx context.Context, by nacre.JobAuthor, id nacre.JobID, c nacre.JobChange) (nacre.Job, error)
	// Drop removes a job with its words.
	Drop(ctx context.Context, by nacre.JobAuthor, id nacre.JobID) error
	// RunNow makes a job run once, soon, besides its schedule.
	RunNow(ctx context.Context, by nacre.JobAuthor, id nacre.JobID) error
	// Jobs lists all jobs of an owner by number, heartbeat included.
	Jobs(ctx context.Context, owner nacre.OwnerID) ([]nacre.Job, error)
	// Runs lists the newest runs of a job, or of all that an owner has for an empty
	// id; newest first.
	Runs(ctx context.Context, owner nacre.OwnerID, id nacre.JobID, most int) ([]nacre.Run, error)
}

// Options are what an Agenda works with. Rounds, Aside, Promoted
// and Heartbeat may be nil.
type Options struct {
	Board Board
	Zone  func(owner nacre.OwnerID) *time.Location // where an owner lives
	Log   *slog.Logger

	// Heartbeat makes the heartbeat of an owner who has none yet. It is called for
	// /jobs heartbeat alone.
	Heartbeat func(ctx context.Context, owner nacre.OwnerID) error
	// Rounds does now what Nacre does by itself every hour: one of the names of
	// rounds. It is called for /jobs run alone, and waited for.
	Rounds func(ctx context.Context, owner nacre.OwnerID, name nacre.JobID) error
	// Promoted tells, a line each, what the round of promotions would pin or unpin
	// now, and why. It is called for /jobs run promote alone, before that runs.
	Promoted func(ctx context.Context, owner nacre.OwnerID) ([]string, error)
	// Aside tells, a line each, which messages could not be read back and were set
	// aside. It is called for /jobs history alone.
	Aside func(ctx context.Context, owner nacre.OwnerID) ([]string, error)
}

// Agenda has the tools and the commands of jobs, and implements agent.Asker. It may
// be used from many goroutines.
type Agenda struct {
	opts Options

	mu   sync.Mutex
	asks map[nacre.SessionID]question // guarded by mu; what a model wants and its owner has not decided
}

// New makes an Agenda.
func New(o Options) *Agenda {
	return &Agenda{opts: o, asks: map[nacre.SessionID]question{}}
}

// Tools are the tools of the model, in the order in which it is told of them. They
// are not for heartbeats.
func (a *Agenda) Tools() []agent.Tool {
	return []agent.Tool{
		agent.Func{About: remindSpec, Run: a.remind},
		agent.Func{About: scheduleSpec, Run: a.schedule},
		agent.Func{About: jobsSpec, Run: a.change},
	}
}

// Commands are the commands of people, by name.
func (a *Agenda) Commands() map[string]agent.CommandFunc {
	return map[string]agent.CommandFunc{"remind": a.remindCommand, "jobs": a.jobsCommand}
}

// byHand is the owner's own hand.
func byHand(c nacre.Caller) nacre.JobAuthor { return nacre.JobAuthor{Owner: c.Owner, Own: true} }

// byModel is a model on their behalf.
func byModel(c nacre.Caller) nacre.JobAuthor { return nacre.JobAuthor{Owner: c.Owner, Run: c.Run} }

// asked is when the person said what this turn answers, where they live: when they
// sent it, which may be long before it came, if Nacre was off. "In 20 minutes"
// counts from there, and means the same when a turn that a crash interrupted runs
// again.
func (a *Agenda) asked(c nacre.Caller) time.Time {
	at := time.Now()
	if n := len(c.Said); n > 0 {
		at = written(&c.Said[n-1], at)
	}
	return at.In(a.opts.Zone(c.Owner)).Truncate(time.Second)
}

// written is when a message got its words. A clock of a network that is ahead of
// ours counts for nothing.
func written(m *nacre.Message, now time.Time) time.Time {
	received := m.Received
	if received.IsZero() {
		received = now
	}
	sent := m.Sent
	if m.Revision > 0 {
		sent = time.Unix(m.Revision, 0)
	}
	if sent.IsZero() || sent.After(received) {
		return received
	}
	return sent
}

// errPrivate answers in groups what concerns more than the group.
var errPrivate = nacre.Errorf(nacre.Denied, "That concerns more than this group; ask me in our private chat.")
