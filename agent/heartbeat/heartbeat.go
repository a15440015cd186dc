// Package heartbeat is the look that the assistant takes by itself, now and then,
// after what its owner wants looked after: what stands in HEARTBEAT.md, plans that
// are due and reminders that come soon.
//
// It is quiet unless it has a reason not to be. Outside of the active hours, beyond
// the limits of a day and where there is nothing to look at no model is asked. A
// model that is asked tells its decision by a tool; of one that calls no tool at all
// its words are the decision. It sees no conversation, may read memory and change nothing, and
// leaves nothing behind: what it wants told is for the caller to deliver.
package heartbeat

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"nacre"
	"nacre/agent"
)

// mostSteps bounds how often one look may call the model: to look a few things up,
// and to decide.
const mostSteps = 6

// Options are what a Heartbeat works with. All are required. Zone and
// Hours do not block.
type Options struct {
	// Run is that of agent.Sessions.
	Run func(ctx context.Context, e agent.Errand) (agent.ErrandResult, error)
	// Text is HEARTBEAT.md of an owner; empty if there is none.
	Text func(owner nacre.OwnerID) (string, error)
	// Plans are the owner's plans that are due, and Soon the reminders that come
	// soon, a line each. A line stays the same for as long as what it tells does:
	// one that counts minutes would be news at every look.
	Plans func(ctx context.Context, owner nacre.OwnerID, now time.Time) ([]string, error)
	Soon  func(ctx context.Context, owner nacre.OwnerID, now time.Time) ([]string, error)
	// Home is the conversation in which an owner is told something unasked;
	// NotFound if there is none.
	Home func(ctx context.Context, owner nacre.OwnerID) (nacre.SessionInfo, error)
	// Spent sums what the runs of a job used since an instant, and counts those
	// that said something.
	Spent func(ctx context.Context, job nacre.JobID, since time.Time) (nacre.Usage, int, error)

	Zone     func(owner nacre.OwnerID) *time.Location // where an owner lives
	Hours    func(owner nacre.OwnerID) Hours          // when an owner may be told something
	MaxCalls int                                      // of models, for an owner in a day; 0 for none
	MaxSaid  int                                      // messages, likewise
	Log      *slog.Logger
}

// Heartbeat takes the looks. It may be used from many goroutines.
type Heartbeat struct {
	opts Options

	mu      sync.Mutex
	looking map[nacre.OwnerID]bool // guarded by mu; a look is under way
	last    map[nacre.OwnerID]seen // guarded by mu; what plans and reminders were looked at last
}

// New makes a Heartbeat.
func New(o Options) *Heartbeat {
	return &Heartbeat{opts: o, looking: map[nacre.OwnerID]bool{}, last: map[nacre.OwnerID]seen{}}
}

// Reasons for which a look ended as it did, for the history of runs.
const (
	Told       = "told"
	Quiet      = "nothing to tell" // a model decided so
	Undecided  = "no decision"     // a model ended without one
	Nothing    = "nothing to look at"
	Same       = "nothing new"
	Night      = "outside hours"
	EnoughAsks = "enough calls today"
	EnoughSaid = "enough messages today"
	Homeless   = "no chat"
	Busy       = "still looking"
)

// Beat takes a look for the owner of a job. Text is what they are to be told, empty
// for nothing, where the conversation in which to say it, strange that it may repeat
// words of strangers, and reason one of the reasons. One look is taken at a time:
// another one meanwhile is none. The Clock of jobs calls it by way of its Worker.
func (h *Heartbeat) Beat(ctx context.Context, job nacre.Job, run nacre.Run) (text string, where nacre.SessionInfo, reason string, strange bool, err error) {
	if !h.begin(job.Owner) {
		return "", where, Busy, false, nil
	}
	defer h.end(job.Owner)
	now := time.Now().In(h.opts.Zone(job.Owner))
	if !h.opts.Hours(job.Owner).Hold(now) {
		return "", where, Night, false, nil
	}
	v, reason, err := h.view(ctx, job.Owner, now)
	if err != nil || reason != "" {
		return "", where, reason, false, err
	}
	calls, reason, err := h.left(ctx, job.ID, now)
	if err != nil || reason != "" {
		return "", where, reason, false, err
	}
	where, err = h.opts.Home(ctx, job.Owner)
	if nacre.KindOf(err) == nacre.NotFound {
		return "", where, Homeless, false, nil
	}
	if err != nil {
		return "", where, "", false, fmt.Errorf("find where to tell: %w", err)
	}
	text, reason, strange, err = h.look(ctx, where, run, v, calls)
	return text, where, reason, strange, err
}

// begin begins a look; false while one is under way.
func (h *Heartbeat) begin(owner nacre.OwnerID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.looking[owner] {
		return false
	}
	h.looking[owner] = true
	return true
}

func (h *Heartbeat) end(owner nacre.OwnerID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.looking, owner)
}

// left is how many calls of models are left for today, or the reason for which there
// is none.
func (h *Heartbeat) left(ctx context.Context, job nacre.JobID, now time.Time) (calls int, reason string, err error) {
	year, month, day := now.Date()
	used, said, err := h.opts.Spent(ctx, job, time.Date(year, month, day, 0, 0, 0, 0, now.Location()))
	switch {
	case err != nil:
		return 0, "", fmt.Errorf("read what was spent: %w", err)
	case said >= h.opts.MaxSaid:
		return 0, EnoughSaid, nil
	case used.Calls >= h.opts.MaxCalls:
		return 0, EnoughAsks, nil
	}
	return h.opts.MaxCalls - used.Calls, "", nil
}
