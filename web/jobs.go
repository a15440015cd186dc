package web

import (
	"context"
	"time"

	"nacre"
)

// Jobs is an owner's jobs as a person handles them, on the command line and on
// the page: whatever is done here, their own hand does. Models have no way to it.
// Errors are sentences for the person. Its methods may be called from any
// goroutine.
type Jobs interface {
	// List lists jobs by number, the heartbeat included.
	List(ctx context.Context, q JobQuery) (JobListing, error)
	// Show tells everything about one job. NotFound means that there is none of
	// that number.
	Show(ctx context.Context, n JobNumber) (JobSheet, error)
	// Runs lists what ran, newest first: of one job, or of all and what Nacre does
	// by itself.
	Runs(ctx context.Context, q RunQuery) ([]JobRun, error)
	// Add makes a job that speaks where the owner wrote last in private. If there
	// is the same one already, it returns that.
	Add(ctx context.Context, w JobWish) (Job, error)
	// Edit changes a job; what a wish leaves empty stays.
	Edit(ctx context.Context, w JobWish) (Job, error)
	// Do does something with a job, and returns it as it is then; as it was, if it
	// is deleted.
	Do(ctx context.Context, d JobDeed) (Job, error)
	// Round does now what Nacre does by itself every hour, which may take minutes. It
	// returns a sentence to show. NotFound means that there is no such round,
	// Conflict that it is being done.
	Round(ctx context.Context, r JobRound) (string, error)
	// Aside lists the messages that could not be read back and were set aside.
	Aside(ctx context.Context) ([]AsideBatch, error)
	// Again reads them back now, which may take minutes. It returns a sentence to
	// show.
	Again(ctx context.Context) (string, error)
}

// JobQuery says which jobs to list.
type JobQuery struct {
	Over bool `json:"over,omitempty"` // also those that are finished
}

// JobListing is the jobs at a glance.
type JobListing struct {
	Jobs  []Job `json:"jobs"`
	Over  int   `json:"over"`  // how many are finished and left out
	Aside int   `json:"aside"` // batches of messages that could not be read back
}

// Job is a nacre.Job as it is shown.
type Job struct {
	ID        nacre.JobID    `json:"id"`
	Number    int            `json:"number"`
	Kind      nacre.JobKind  `json:"kind"`
	Text      string         `json:"text"` // empty if it cannot be read any more
	State     nacre.JobState `json:"state"`
	Schedule  nacre.Schedule `json:"schedule"` // its every is in nanoseconds
	When      string         `json:"when"`     // the schedule in words
	Next      time.Time      `json:"next,omitzero"`
	NextWords string         `json:"next_words,omitempty"` // with its zone, and how far it is; empty unless it comes due
	Last      time.Time      `json:"last,omitzero"`        // its newest slot that came due
	LastWords string         `json:"last_words,omitempty"`
	Place     string         `json:"place"`              // where it speaks, in words
	Grace     string         `json:"grace"`              // how late a missed slot is made up for, in words
	Failures  int            `json:"failures,omitempty"` // in a row
	MayPlan   bool           `json:"may_plan,omitempty"`
	Made      time.Time      `json:"made"`
	Waits     bool           `json:"waits,omitempty"` // Nacre does not run, so nothing comes due
}

// JobNumber names a job as its owner does.
type JobNumber struct {
	Job int `json:"job"`
}

// JobSheet is everything about one job.
type JobSheet struct {
	Job  Job      `json:"job"`
	Runs []JobRun `json:"runs"` // the newest, newest first
}

// RunQuery says which runs to list.
type RunQuery struct {
	Job  int `json:"job,omitempty"`  // 0: of all, and what Nacre does by itself
	Most int `json:"most,omitempty"` // 0: 20; at most 200
	// Round names a round in place of a job; empty for none.
	Round nacre.JobID `json:"round,omitempty"`
}

// JobRun is a nacre.Run as it is shown.
type JobRun struct {
	Job      int            `json:"job,omitempty"` // its number; 0 for what Nacre does by itself, and for a job that is deleted
	Name     string         `json:"name"`          // what ran
	Slot     time.Time      `json:"slot"`          // where the owner lives
	State    nacre.RunState `json:"state"`
	Reason   string         `json:"reason,omitempty"`  // a code
	Words    string         `json:"words"`             // what became of it
	TookMS   int64          `json:"took_ms,omitempty"` // milliseconds, of the newest attempt
	Attempts int            `json:"attempts,omitempty"`
	ByHand   bool           `json:"by_hand,omitempty"`
	Calls    int            `json:"calls,omitempty"` // of language models
	Cost     int64          `json:"cost,omitempty"`  // billionths of a dollar
	Used     string         `json:"used,omitempty"`  // calls, tokens and cost in words
}

// JobWish is a job as its owner wants it made or changed. When it is due is
// said by one of At, Every and Cron; the text may begin with it instead, as in
// "tomorrow 9:00 call mum".
type JobWish struct {
	Job     int           `json:"job,omitempty"`      // Edit: which
	Kind    nacre.JobKind `json:"kind,omitempty"`     // Reminder, also meant by an empty one of a new job, or Task
	Text    string        `json:"text,omitempty"`     // what is said or done
	At      string        `json:"at,omitempty"`       // in words, such as "tomorrow 9:00" or "every Monday at 8", or as RFC 3339
	Every   string        `json:"every,omitempty"`    // a time.Duration, such as 2h30m
	Cron    string        `json:"cron,omitempty"`     // minute, hour, day of month, month, day of week
	Zone    string        `json:"zone,omitempty"`     // IANA name of the zone whose clock counts; alone, it moves a job there
	Grace   string        `json:"grace,omitempty"`    // a time.Duration
	MayPlan *bool         `json:"may_plan,omitempty"` // nil: as it is, or not
}

// JobVerb is what can be done with a job.
type JobVerb string

// What can be done with a job.
const (
	PauseJob  JobVerb = "pause"
	ResumeJob JobVerb = "resume"
	RunJob    JobVerb = "run" // once more, now, besides its schedule
	DeleteJob JobVerb = "delete"
)

// JobDeed is something to be done with a job.
type JobDeed struct {
	Job int     `json:"job"`
	Do  JobVerb `json:"do"`
}

// JobRound names one of the rounds: repair, reflect, promote or style.
type JobRound struct {
	Round nacre.JobID `json:"round"`
}

// AsideBatch is messages of the owner that could not be read back.
type AsideBatch struct {
	First    int64     `json:"first"` // places in the inbox, both included
	Through  int64     `json:"through"`
	Failures int       `json:"failures"`
	Reason   string    `json:"reason"` // a code
	Words    string    `json:"words"`  // why
	At       time.Time `json:"at"`     // when that was so last
}
