package jobs

import (
	"context"
	"time"

	"nacre"
)

// Store keeps jobs and runs. The ledger implements it. A job of which something
// cannot be read any more is still a job: that is empty.
type Store interface {
	// PutJob stores a new job and returns it with its Number.
	PutJob(ctx context.Context, job nacre.Job) (nacre.Job, error)
	// ChangeJob puts job in the place of was, and notes runs that will not be
	// because of that. Conflict means that the job is not what it was any more: read
	// it again, and decide again.
	ChangeJob(ctx context.Context, was, job nacre.Job, missed ...nacre.Run) error
	// DropJob removes a job and destroys its words; its runs stay. NotFound if
	// there is none.
	DropJob(ctx context.Context, owner nacre.OwnerID, id nacre.JobID) error
	// Job reads one job; NotFound if the owner has none of that id.
	Job(ctx context.Context, owner nacre.OwnerID, id nacre.JobID) (nacre.Job, error)
	// Jobs lists the jobs of an owner by Number, heartbeat included.
	Jobs(ctx context.Context, owner nacre.OwnerID) ([]nacre.Job, error)
	// JobsLeft lists those that are not finished.
	JobsLeft(ctx context.Context, owner nacre.OwnerID) ([]nacre.Job, error)
	// Active lists the active jobs of all owners.
	Active(ctx context.Context) ([]nacre.Job, error)

	// Parked lists those that are parked, of all owners.
	Parked(ctx context.Context) ([]nacre.Job, error)

	// Rewind takes back what was claimed for slots that are to come after now, as
	// after the clock was ahead; see ledger.Ledger.
	Rewind(ctx context.Context, now time.Time) error

	// Due lists active jobs whose Next has come, the longest due first.
	Due(ctx context.Context, now time.Time, most int) ([]nacre.Job, error)
	// NextDue is when the next active job is due; zero for never.
	NextDue(ctx context.Context) (time.Time, error)
	// Claim carries claims out in one transaction and reports which of them were
	// taken; one whose job changed since it was read is not, and neither is one that
	// cannot be stored, whose error is returned beside if none was taken. The first
	// of its Runs is the one that it speaks of: if that is stored already the job
	// moves on and nothing is said, and Say keeps Seq 0. What is said has its Session
	// and Seq filled in.
	Claim(ctx context.Context, claims []nacre.JobClaim) (taken []bool, err error)

	// Open lists the runs that have not ended, oldest slot first.
	Open(ctx context.Context) ([]nacre.Run, error)
	// Begin makes a run Running and counts the attempt. Conflict means that it
	// has ended.
	Begin(ctx context.Context, run nacre.Run) (nacre.Run, error)
	// End ends a run, or gives it back as Claimed to be tried again, and changes
	// its job along with it, in one transaction with what is to be said, once for its Day, whose
	// Session and Seq it fills in. State, Attempts, NotUntil, Ended, Reason and Used
	// of the run are stored as they are given; of the job, if it still exists,
	// State and Failures. The run of a round is stored by it. A Quiet run that
	// called no model leaves nothing. Conflict means that the run has ended.
	End(ctx context.Context, e nacre.JobEnding) error
	// Runs lists the newest runs of a job or a round, or all of an owner for an
	// empty job; newest first.
	Runs(ctx context.Context, owner nacre.OwnerID, job nacre.JobID, most int) ([]nacre.Run, error)
	// Gone reports whether a chat does not take our messages any more: the newest
	// two that were sent there were refused for good, and nothing came from there since.
	Gone(ctx context.Context, chat nacre.Chat) (bool, error)
}

// Worker does what a Task or a Heartbeat wants done. It is called from
// goroutines of the Clock, with a deadline.
type Worker interface {
	Work(ctx context.Context, job nacre.Job, run nacre.Run) (Outcome, error)
}

// Outcome is what came of a run.
type Outcome struct {
	Text    string             // what to say; empty for nothing
	Strange bool               // it may repeat words of strangers
	Where   *nacre.SessionInfo // where to say it; nil for the job's own session
	Reason  string             // a code, for the history of runs
	Used    nacre.Usage        // also of a run that failed
}

// Round is what Nacre does by itself for each owner, once an hour.
type Round struct {
	Name nacre.JobID
	// Do is called for one owner at a time, for several owners at once. Its Reason
	// and Used are kept; without either, and without an error, no run is recorded.
	Do func(ctx context.Context, owner nacre.OwnerID) (Outcome, error)
}
