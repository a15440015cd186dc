package nacre

import "time"

// JobID names a Job. Minted by the board of jobs, unique in an installation.
type JobID string

// JobKind says what is done when a Job is due.
type JobKind string

// The kinds of jobs.
const (
	Reminder  JobKind = "reminder"  // its Text is said, word for word
	Task      JobKind = "task"      // its Text is what a model is asked to do, apart from any conversation
	Heartbeat JobKind = "heartbeat" // a look after what the owner wants looked after; one for each owner
)

// JobState says whether a Job comes due.
type JobState string

// The states of a Job. Only an Active one comes due.
const (
	Active   JobState = "active"
	Paused   JobState = "paused"   // by its owner
	Disabled JobState = "disabled" // it failed too often in a row
	Parked   JobState = "parked"   // its chat is gone, or its words or its times cannot be read any more
	Finished JobState = "finished" // nothing of its Schedule is left
)

// ScheduleKind says how a Schedule repeats.
type ScheduleKind string

// The kinds of schedules.
const (
	Once  ScheduleKind = "once"
	Every ScheduleKind = "every"
	Cron  ScheduleKind = "cron"
)

// Schedule says when a Job is due. The moments that it names are its slots; see
// jobs/timetable, which works them out.
type Schedule struct {
	Kind  ScheduleKind  `json:"kind"`
	At    time.Time     `json:"at,omitzero"`     // Once: the slot; Every: the one from which the others are counted
	Every time.Duration `json:"every,omitempty"` // Every: real time between two slots, in whole seconds; whole days are those of the calendar
	Cron  string        `json:"cron,omitempty"`  // Cron: minute, hour, day of month, month, day of week
	Zone  string        `json:"zone,omitempty"`  // IANA name of the zone whose clock counts; empty for wherever the owner lives
}

// Job is work that an Owner wants done at times.
type Job struct {
	ID       JobID
	Number   int // by which its owner calls it: counted from 1 for each owner, never given twice
	Owner    OwnerID
	Session  SessionInfo // the conversation in which it was made, and in which its outcome is said
	Kind     JobKind
	Schedule Schedule
	Text     string // what is said or done; sealed by the ledger
	State    JobState
	Made     time.Time
	Next     time.Time     // its next slot; zero for none
	Last     time.Time     // its newest slot that came due, whatever became of it; zero for none
	Grace    time.Duration // how late a missed slot is still made up for
	Failures int           // in a row

	// MayPlan lets a run of this job make jobs itself. Only its owner's own hand
	// sets it.
	MayPlan bool
	// Strange says that a model chose the words after it had read those of
	// strangers, which they may repeat.
	Strange bool
	// Chosen says that its Schedule was changed since it was made. A heartbeat of
	// which it was not follows the usual interval.
	Chosen bool
}

// RunState says how far a Run has come.
type RunState string

// The states of a Run. The last five are final.
const (
	Claimed RunState = "claimed" // its slot is taken; it will run
	Running RunState = "running" // a process that dies now leaves it so
	Done    RunState = "done"    // what it had to say is in the inbox of its session
	Quiet   RunState = "quiet"   // it had nothing to say
	Missed  RunState = "missed"  // its slot was found too late, or several late ones were made up for by one
	Failure RunState = "failed"
	Broken  RunState = "broken" // the process died in it twice
)

// Ended reports whether a state is final.
func (s RunState) Ended() bool { return s != Claimed && s != Running }

// Run is one slot of a Job, or one round of what Nacre does by itself, and what
// became of it. (Job, Slot) is unique: no slot runs twice.
type Run struct {
	Job      JobID // of what Nacre does by itself: one of the names of rounds
	Owner    OwnerID
	Slot     time.Time
	State    RunState
	Attempts int       // how often it was begun
	NotUntil time.Time // Claimed: earliest begin
	Began    time.Time // the newest attempt; zero before the first
	Ended    time.Time // zero before the end
	Reason   string    // a code: why it is Missed or Failed, or what it came to
	Used     Usage     // of all attempts
	ByHand   bool      // somebody wanted it run now
}

// Rounds are what Nacre does by itself for each owner; in a Run they stand in
// the place of a Job.
const (
	RoundRepair  JobID = "repair"
	RoundReflect JobID = "reflect"
	RoundPromote JobID = "promote"
	RoundStyle   JobID = "style" // the writing style of sent mail; weekly
)

// Due marks a Message that Nacre put in the inbox by itself. The session says its
// words as they are, and asks no model.
type Due struct {
	Job  JobID     `json:"job"`
	Kind JobKind   `json:"kind"`
	Slot time.Time `json:"slot"`

	// Strange says that the words may repeat those of strangers, such as a page
	// that a task read.
	Strange bool `json:"strange,omitempty"`
}

// JobDraft is a Job as somebody wants it.
type JobDraft struct {
	Session  SessionInfo
	Kind     JobKind // Reminder or Task
	Schedule Schedule
	Text     string
	Grace    time.Duration // 0 for the usual one
	MayPlan  bool
	Strange  bool
	By       JobAuthor
}

// JobAuthor says by whose hand a Job is made or changed.
type JobAuthor struct {
	Owner OwnerID
	Own   bool // the owner's own hand: a command, a button, the page, the command line; not a model's
	Run   *Run // the run of a job in which it is wanted; nil outside of one
}

// JobChange is what is to become of a Job; what is zero stays.
type JobChange struct {
	Text     string
	Schedule *Schedule
	Kind     JobKind
	Grace    time.Duration
	MayPlan  *bool
	State    JobState // Active (to go on) or Paused
	Strange  bool     // of Text; see Job
}

// JobClaim takes slots of one Job, all in one transaction.
type JobClaim struct {
	Was  Job      // as it was read
	Job  Job      // as it is from now on: Next, Last, State
	Runs []Run    // the slots; those that are stored already are left as they are, and then nothing is said
	Say  *Inbound // nil for nothing
}

// JobEnding is how a Run ends.
type JobEnding struct {
	Run Run      // with its new State
	Job *Job     // State and Failures from now on; nil leaves the job alone
	Say *Inbound // nil for nothing
	Day string   // if set, nothing is said if anything with a Day was said of the job on that one (YYYY-MM-DD)
}
